package orders

import (
	"regexp"
	"sync"
)

// pattern is an expression that is compiled when it is first used: hooks are started for
// every call and most of them read no message.
type pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

func (p *pattern) in(s string) bool { return p.get().MatchString(s) }

func (p *pattern) without(s string) string { return p.get().ReplaceAllString(s, "") }

// How a text is cut.
var (
	// item begins a thing of a list.
	item      = &pattern{expr: `^\s*(?:[-*•]|[0-9]{1,2}[.)])\s+`}
	numbering = &pattern{expr: `^\s*([0-9]+)[.)]`}
	// stop ends a sentence.
	stop = &pattern{expr: `[.!?]+(?:\s+|$)`}
	// between parts one thing to do from the next.
	between = &pattern{expr: `\s*(?:[,;()\n]|:\s|\s[-–—/]+\s|&+|\s\+\s)\s*|\s+(?:and then|and also|and|then|plus)\s+|\s+then$|\b(?:and then|and|then)\s+`}
)

// What says nothing, of itself and around an order.
var (
	polite    = &pattern{expr: `^` + courtesy + `$`}
	requested = &pattern{expr: `^(?:` + courtesy + `\s+)*(?:can|could|would) you\b`}
	lead      = &pattern{expr: `^(?:` + courtesy + `\s+|(?:can|could|would|will) (?:you|we)\s+|let's\s+|lets\s+|use (?:gh|the gh cli|the github cli) to\s+|i want you to\s+|i'd like you to\s+|you can\s+|you may\s+|go ahead\s+|feel free to\s+|do a\s+|do\s+|git\s+)+`}
	tail      = &pattern{expr: `(?:\s+(?:` + courtesy + `|again|too|as well|for me|` + later + `))+$`}
	done      = &pattern{expr: `^(?:` + courtesy + `|` + later + `|do (?:it|that|so|this)|go ahead|go for it|proceed|continue)$`}
)

// The orders.
var (
	pushed       = &pattern{expr: `^(?:commit(?: ` + all + `)? )?(?:push|retry the push|retry pushing)(?:(?: ` + all + `)?(?: up)?(?: (?:to|on) ` + own + `)?| (?P<pr>pr|draft pr))$`}
	requestAlone = &pattern{expr: `^(?:a )?(?:draft )?` + oneRequest + `$`}
	// committed is a clause behind which a request that is only named is one to open.
	committed = &pattern{expr: `^(?:git )?commit(?: ` + all + `)?(?: first)?$`}
	// sideBranch says that what is pushed is no branch that others' work is based on.
	sideBranch = &pattern{expr: `\b(?:pr|mr|request|feature|a (?:new )?branch|(?:my|our) branch)\b`}
	opened     = &pattern{expr: `^(?:pr (?:it|this|that)|gh pr create(?: --(?:draft|fill|fill-first|fill-verbose))*)$|` +
		`^(?:(?:create|make|raise|submit|file|start|put up) (?:the )?|open )(?:up )?(?:a |me a )?(?:new )?(?:draft )?` + oneRequest +
		`(?: for (?:this|it|that|these|review|me|(?:the|this|that|these|my|our|your) (?:branch|change|changes|work|fix|commit|commits)))?` +
		`(?: (?:to|against|into|for|on|targeting|towards) (?:(?P<base>main|master|dev|develop|trunk)|origin|github|gitlab))?$`}
	replied = &pattern{expr: `^(?:reply|respond|answer)(?: back)?(?: (?:directly|individually|inline|there))?(?: to| on)?` +
		`(?: (?:each|every|all|all of|both|two|three|the|these|those|that|this|his|her|their|our|one|of|open|unresolved|remaining|other|pr|mr|pull request|merge request|pull|request|code|review|reviewer|reviewer's|reviewers|copilot|copilot's|bot|bot's|inline|github|gitlab))*` +
		` (?:comment|comments|thread|threads|review|reviews|reviewer|reviewers|feedback)` +
		`(?: (?:directly|individually|inline))?(?: (?:on|in|of) (?:the |this |that |our |my )?(?:` + request + `|github|gitlab))?(?: (?:directly|individually|inline))?$`}
	// ofReview is what of it says that it is about a review of code: users and customers have comments, too.
	ofReview = &pattern{expr: `\b(?:pr|mr|pull|request|github|gitlab|copilot\S*|inline|reviewer\S*|(?:code|the|open|unresolved) review|review (?:comments?|threads?|feedback)|(?:open|unresolved|remaining) (?:comments?|threads?))\b`}
)

// What else an agent is told to do.
var (
	// chore is one that sends nothing, of words that the grammar knows, whatever order they stand in.
	chore = &pattern{expr: `^(?:` + courtesy + ` )*(?:` + deeds + `|re-run)(?: (?:` + words + `))*$`}
	// single is a word for a thing to do and nothing beside it, or nothing that could be one of several.
	single = &pattern{expr: `^(?:` + courtesy + ` )*(?:` + deeds + `|re-run|do)(?: (?:both|it|this|that|these|those|them|all|everything|again|up))*(?: ` + courtesy + `)*$`}
	// object is one whose object stands alone as no name for a deed would: "the parser", "it", "router.go",
	// "tests". After any other ("rename pull, push", "run build and push") an order may be a second object.
	object = &pattern{expr: `(?:^|\s)(?:it|this|that|these|those|them|all|everything|the|a|an|my|our|your|its|\S*[0-9./_]\S*)(?:\s|$)|^(?:rebase|merge|sync|pull) (?:off|onto|from|in|into|with) |` +
		`\s(?:changes|files|docs|changelog|readme|typo|typos|linter|warnings|errors|conflicts|feedback|comments|message|messages|tests|nits|suggestions|clean|suite|commits)$`}
	// deed is one that ends with such a name, and what stands before that.
	deed = &pattern{expr: `(?:^|\s)(\S+)\s(?:` + deeds + `|push)$`}
	// enumerable are names of what has names in it: what follows may be one.
	enumerable = &pattern{expr: `\b(?:lists?|flows?|orders?|stacks?|queues?|arrays?|verbs?|names?|methods?|functions?|operations?|actions?|commands?|tabs?|items?|labels?|entries|stages?|steps?|these|those)\s*(?:\S+)?$`}
	// elsewhere is what a thing to do is about where an order behind it is for another place than the clone's
	// own, or another branch than the one that is checked out.
	elsewhere = &pattern{expr: `\b(?:on|for|to|onto) v?[0-9]+(?:\.[0-9]+)?\.x\b|^(?:clone|download|fork) \S+/\S|\bcommit\b.*\b(?:to|on|onto) the [a-z0-9-]+ branch\b|~/|\.\./|\b(?:the|that|my|our|another|other|second) (?:[a-z0-9]+ )?(?:clones?|worktrees?|checkouts?)\b|\b(?:forks?|remotes?|upstream|accounts?|repos?|repositor(?:y|ies)|staging|prod|production|servers?)\b|\b(?:merge|apply|move|port|cherry-pick|commit|squash)\b.*\b(?:to|into|onto|on) (?:origin/)?(?:main|master|develop|dev|trunk)\b`}
	// artefact is something that is pushed to a place of its own, ofGit says that git sends it, and newBranch
	// that there is to be a branch for it.
	artefact = &pattern{expr: `\b(?:build|rebuild|re-build|tag|package|pack|sign|bundle|shrink|slim)\b[^.!?]*\b(?:images?|containers?|gems?|nuget|wheels?|crates?|charts?|packages?|pods?|podspec|apk|ipa|firmware|binary|binaries|artifacts?|bundles?|tarballs?|sites?)\b|` +
		`\b(?:images?|firmware|gem|nuget|apk|ipa|chart|container|package|podspec)\b[^.!?]*[.!?,;]\s(?:[^.!?]*[.!?,;]\s)*(?:then )?(?:and )?(?:build|rebuild|tag|package|sign|shrink)\b|` +
		`\b(?:wiki|gists?|consul|etcd|vault|registry|registries|terraform state|prisma schema|(?:db|database) schema|docs site|(?:regenerate|rebuild|generate) the (?:web ?)?site)\b`}
	ofGit     = &pattern{expr: `\b(?:commit|commits|branch|origin|` + request + `|github|gitlab|repl(?:y|ies))\b`}
	newBranch = &pattern{expr: `\b(?:(?:create|make|start|cut|add|use|open|on|in|to|into) an?|(?:a|an|the|its|one) (?:new|separate|fresh|own|dedicated|different)|its own) (?:[a-z]+ )?branch\b`}
	// whose may stand before that name where it is one thing.
	whose = &pattern{expr: `^(?:the|a|an|my|our|your|its|this|that|from|in|one)$`}
	// free begins one that the grammar does not know word for word, and within is what may make an
	// order behind it a part of it.
	free   = &pattern{expr: `^(?:(?:` + courtesy + `|(?:can|could|would|will) you)\s+)*(?:add|address|adjust|amend|apply|build|bump|cap|change|clean|clear|commit|complete|continue|convert|correct|cover|decrease|dedupe|deduplicate|delete|disable|document|downgrade|drop|enable|extract|fetch|finish|fix|format|generate|handle|implement|improve|include|increase|inline|lint|log|lower|mark|merge|migrate|move|pin|polish|port|pull|raise|rebase|rebuild|redo|refactor|regenerate|remove|rename|reorder|replace|rerun|re-run|resolve|restore|revert|rewrite|rip|run|set|shorten|simplify|skip|sort|split|squash|stage|swap|sync|test|tidy|tweak|undo|unify|unpin|update|upgrade|use|wrap|write)\s`}
	within = &pattern{expr: `\b(?:to|that|which|who|whose|how|where|what|whether|why|when|while|as|after|once|support|script|scripts|command|commands|alias|hook|hooks|button|buttons|menu|step|steps|target|job|workflow|doc|docs|guide|tutorial|readme|words?|text|label|title|me|us|him|past|approv\w*|confirm\w*|permission|consent|go-ahead|signoff|sign-off|sign off|sure)\b`}
	// unsettling is what may be about an order, or take it back.
	unsettling = &pattern{expr: `push|publish|deploy|\bprs?\b|pull.?request|merge.?request|\bmrs?\b|repl(?:y|ies)|respon|answer|` +
		`\b(?:not|no|nope|nah|nor|never|none|nothing|nobody|cannot|without|wait|hold|stop|later|until|till|unless|if|before|only|except|instead|yourself|myself|i'll|example|says?|said|wrote|asked|told|dont|doesnt|wont|sure|ensure|assuming|provided)\b|n't\b`}
)

const (
	courtesy = `(?:please|pls|plz|thanks a lot|thanks|thank you so much|thank you very much|thank you|many thanks|cheers|thx|ty|ok|okay|k|yes|yep|yeah|yup|sure|great|good|nice|perfect|cool|awesome|excellent|lgtm|looks good|alright|all right|right|well|now|also|just|first|finally|next|lastly|so|then)`
	later    = `(?:when (?:you're |you are )?(?:done|finished|ready)|when that's done|once (?:you're |you are )?(?:done|finished)|afterwards|after that|at the end)`
	all      = `(?:it|this|that|these|those|them|ours|both|all|everything|all of it|the rest|(?:all the|all your|all my|the|these|those|this|that|your|my|our|all)(?: [0-9]+)?(?: new| latest| last| whole| current| feature)? (?:change|changes|commit|commits|branch|fix|fixes|code|work|stuff|edits|update|updates)|changes|commits)`
	own      = `(?:(?:the )?(?:origin|remote|github|gitlab|remote branch|same branch|pr|mr|pr branch|branch|feature branch|remote repo|repo)|(?:this|that|my|our|its|a|a new|a feature) branch|(?:the |this |that |our |my )?` + oneRequest + `|(?:origin(?:/| ))?(?P<branch>main|master|dev|develop|trunk)(?: branch)?)`
	request  = `(?:prs?|mr|pull[ -]request|merge[ -]request)`
	// oneRequest is request for one alone.
	oneRequest = `(?:pr|mr|pull[ -]request|merge[ -]request)`
	// deeds begin a chore.
	deeds = `commit|add|stage|stash|fix|update|rebase|merge|continue|finish|complete|run|rerun|test|retest|format|lint|build|rebuild|clean|cleanup|tidy|polish|address|resolve|apply|implement|bump|squash|amend|pull|sync|fetch|regenerate|generate|write|document|simplify|review|check|verify|save|wrap`
	words = `commit|commits|add|stage|stash|fix|fixes|update|rebase|merge|continue|finish|complete|run|rerun|re-run|test|tests|retest|format|lint|build|rebuild|clean|cleanup|tidy|polish|address|resolve|apply|implement|bump|squash|amend|pull|sync|fetch|regenerate|generate|write|document|simplify|review|check|verify|save|wrap|up|` +
		`it|this|that|these|those|them|all|everything|rest|the|a|an|my|our|your|its|change|changes|branch|code|work|stuff|file|files|docs|changelog|readme|typo|typos|linter|warnings|warning|errors|error|conflict|conflicts|feedback|comment|comments|message|messages|with|good|clear|short|descriptive|proper|nice|conventional|meaningful|new|latest|last|remaining|other|open|small|separate|single|one|` +
		`pr|prs|mr|request|reviewer|reviewers|reviewer's|thread|threads|` +
		`please|pls|plz|now|again|also|just|first|off|on|onto|from|in|into|to|for|of|main|master|develop|parent|latest|origin|suite|unit|and|as|well|too|once|more|quickly|version|unstaged|staged|uncommitted|modified|suggestions|suggestion|nits|nit|pending`
)
