package orders

import (
	"regexp"
	"slices"
	"strings"
)

// Order is one send that a user ordered.
type Order struct {
	Kind Kind `json:"kind"`
	// Branch is the branch that was named; empty: the one that is checked out.
	Branch string `json:"branch,omitempty"`
}

// Kind says what is sent.
type Kind string

// The kinds of orders.
const (
	Push        Kind = "push"         // the branch that is checked out, to the project's own remote
	PullRequest Kind = "pull request" // of that branch in the project's own repository, with the push that it needs
	Reply       Kind = "reply"        // to review comments on pull requests there
)

// MaxPrompt is the longest text that may hold an order, in bytes: what is longer was
// pasted or written by a program, and holds others' words.
const MaxPrompt = 500

// Of returns the orders that a text ends with, each kind once; nil where there is none. The last sentence has
// to be one, or each of the last ones; what stands before them may be anything that does not
// speak of sending, takes nothing back and quotes nobody.
func Of(prompt string) []Order {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || len(prompt) > MaxPrompt {
		return nil
	}
	text := strings.ToLower(strings.NewReplacer("’", "'", "\r\n", "\n").Replace(prompt))
	said := sentences(text)
	var out []Order
	n := len(said)
	for ; n > 0; n-- {
		found, ok := read(said[n-1])
		if !ok {
			break
		}
		out = append(found, out...)
	}
	if len(out) == 0 {
		return nil
	}
	if n > 0 && (strings.ContainsAny(text, "\n\"`“”«»<>|#*{}[]") || slices.ContainsFunc(said[:n], unsettles)) {
		return nil
	}
	var once []Order
	for _, o := range out {
		i := slices.IndexFunc(once, func(x Order) bool { return x.Kind == o.Kind })
		switch {
		case i < 0:
			once = append(once, o)
		case once[i] != o:
			return nil // two branches
		}
	}
	return once
}

// sentences cuts a text behind its full stops, question and exclamation marks. A line's
// end is none: "do not:\npush" is one sentence.
func sentences(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; {
		end := stop.FindStringIndex(s)
		if end == nil {
			return append(out, s)
		}
		out = append(out, strings.TrimSpace(s[:end[1]]))
		s = strings.TrimSpace(s[end[1]:])
	}
	return out
}

var stop = regexp.MustCompile(`[.!?]+(?:\s+|$)`)

// unsettles says whether a sentence before an order may be about it: it speaks of sending,
// or it takes something back. This only ever adds a question.
func unsettles(s string) bool { return unsettling.MatchString(s) }

var unsettling = regexp.MustCompile(`push|publish|deploy|\bprs?\b|pull.?request|merge.?request|\bmrs?\b|repl(?:y|ies)|respon|answer|` +
	`\b(?:not|no|nor|never|none|nothing|nobody|cannot|without|wait|hold|stop|later|until|till|unless|if|before|only|except|instead|yourself|myself|i'll|example|says?|said|wrote|asked|told|dont|doesnt|wont)\b|n't\b`)

// read takes one sentence. ok is false where it is no order and not a word that goes with
// one ("yes", "go ahead").
func read(s string) (out []Order, ok bool) {
	asks := strings.HasSuffix(s, "?")
	s = strings.TrimSpace(strings.TrimRight(s, ".!? "))
	if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz'’ \t\n,;:()&+-–—/") != "" {
		return nil, false
	}
	if asks && !requested.MatchString(s) {
		return nil, false
	}
	commits := false // a request that is only named ("commit and PR") is one to open after this
	for _, clause := range between.Split(s, -1) {
		clause = strings.Join(strings.Fields(clause), " ")
		found, ok := one(clause)
		if !ok && commits && named.MatchString(tail.ReplaceAllString(clause, "")) {
			found, ok = []Order{{Kind: Push}, {Kind: PullRequest}}, true
		}
		if !ok {
			return nil, false
		}
		commits = strings.Contains(clause, "commit") || len(found) > 0
		out = append(out, found...)
	}
	return out, true
}

// between parts one thing to do from the next.
var between = regexp.MustCompile(`\s*(?:[,;:()\n]|\s[-–—/]+\s|&+|\+)\s*|\s+(?:and then|and also|and|then|plus)\s+|^(?:and|then)\s+|\s+then$`)

// one takes one clause.
func one(clause string) ([]Order, bool) {
	if clause == "" || clause == "and" || clause == "then" || clause == "also" {
		return nil, true
	}
	bare := lead.ReplaceAllString(clause, "")
	bare = tail.ReplaceAllString(bare, "")
	switch m := pushed.FindStringSubmatch(bare); {
	case m != nil:
		out := []Order{{Kind: Push, Branch: m[pushed.SubexpIndex("branch")]}}
		if m[pushed.SubexpIndex("pr")] != "" {
			out = append(out, Order{Kind: PullRequest})
		}
		return out, true
	case opened.MatchString(bare):
		return []Order{{Kind: Push}, {Kind: PullRequest}}, true
	case replied.MatchString(bare):
		return []Order{{Kind: Reply}}, true
	case done.MatchString(bare):
		return nil, true
	}
	if chore.MatchString(bare) {
		return nil, true
	}
	return nil, false
}

// The grammar. lead and tail are what people put around an order without saying anything
// with it.
var (
	requested = regexp.MustCompile(`^(?:` + polite + `\s+)*(?:can|could|would|will) (?:you|we)\b`)
	lead      = regexp.MustCompile(`^(?:` + polite + `\s+|(?:can|could|would|will) (?:you|we)\s+|let's\s+|lets\s+|i want you to\s+|i'd like you to\s+|you can\s+|you may\s+|go ahead\s+|feel free to\s+|do a\s+|do\s+|git\s+)+`)
	tail      = regexp.MustCompile(`(?:\s+(?:` + polite + `|again|too|as well|for me|when (?:you're |you are )?(?:done|finished|ready)|when done|once (?:you're |you are )?(?:done|finished)|afterwards|after that|at the end|when that's done))+$`)
	done      = regexp.MustCompile(`^(?:` + polite + `|when (?:you're |you are )?(?:done|finished|ready)|once (?:you're |you are )?(?:done|finished)|when that's done|do (?:it|that|so|this)|go ahead|go for it|proceed|continue|afterwards|after that|at the end)$`)
	pushed    = regexp.MustCompile(`^(?:commit(?: ` + all + `)? )?push(?: ` + all + `)?(?: up)?(?: (?:to|on) ` + own + `)?(?: (?P<pr>pr|draft pr))?$`)
	named     = regexp.MustCompile(`^(?:a )?(?:draft )?` + request + `$`)
	opened    = regexp.MustCompile(`^(?:create|open|make|raise|submit|file|start|put up|open up) (?:up )?(?:a |the |me a )?(?:new )?(?:draft )?` + request +
		`(?: for (?:this|it|that|these|review|me|(?:the|this|that|these|my|our|your) (?:branch|change|changes|work|fix|commit|commits)))?` +
		`(?: (?:to|against|into|for|on|targeting|towards) (?:main|master|dev|develop|trunk|origin|github|gitlab))?$`)
	replied = regexp.MustCompile(`^(?:reply|respond|answer)(?: back)?(?: (?:directly|individually|inline|there))?(?: to| on)?` +
		`(?: (?:each|every|all|all of|both|the|these|those|that|this|his|her|their|your|my|our|one|of|open|unresolved|remaining|other|pr|mr|pull request|merge request|pull|request|code|review|reviewer|reviewer's|reviewers|copilot|copilot's|bot|bot's|inline|github|gitlab))*` +
		` (?:comment|comments|thread|threads|review|reviews|reviewer|reviewers|feedback)` +
		`(?: (?:directly|individually|inline))?(?: (?:on|in|of) (?:the |this |that |our |my )?(?:pr|mr|` + request + `|github|gitlab))?(?: (?:directly|individually|inline))?$`)
	chore = regexp.MustCompile(`^(?:` + words + `)(?: (?:` + words + `))*$`)
)

const (
	polite  = `(?:please|pls|plz|thanks|thank you|thx|ok|okay|k|yes|yep|yeah|yup|sure|great|good|nice|perfect|cool|awesome|excellent|lgtm|looks good|alright|all right|right|well|now|also|just|first|finally|next|lastly|so|then)`
	all     = `(?:it|this|that|these|those|them|all|everything|all of it|(?:the|these|those|this|that|your|my|our|all|all the|all your|all my)(?: new| latest| last| whole| current| feature)? (?:change|changes|commit|commits|branch|fix|fixes|code|work|stuff|edits|update|updates)|changes|commits)`
	own     = `(?:(?:the )?(?:origin|remote|github|gitlab|remote branch|same branch|pr|mr|pr branch|branch|feature branch|remote repo|repo)|(?:this|that|my|our|its|a|a new|a feature) branch|(?:the |this |that |our |my )?` + request + `|(?:origin(?:/| ))?(?P<branch>main|master|dev|develop|trunk)(?: branch)?)`
	request = `(?:prs?|mr|pull[ -]request|merge[ -]request)`
	// words are of chores that send nothing, whatever order they stand in.
	words = `commit|commits|add|stage|stash|fix|fixes|update|rebase|merge|continue|finish|complete|run|rerun|re-run|test|tests|retest|format|lint|build|rebuild|clean|cleanup|tidy|polish|address|resolve|apply|implement|bump|squash|amend|pull|sync|fetch|regenerate|generate|write|document|simplify|review|check|verify|save|wrap|up|` +
		`it|this|that|these|those|them|all|everything|the|a|an|my|our|your|its|change|changes|branch|code|work|stuff|file|files|docs|changelog|readme|typo|typos|linter|warnings|warning|errors|error|conflict|conflicts|feedback|comment|comments|message|messages|with|good|clear|short|descriptive|proper|nice|conventional|meaningful|new|latest|last|remaining|other|open|small|separate|single|one|` +
		`please|pls|plz|now|again|also|just|first|off|on|onto|from|in|into|to|for|of|main|master|develop|parent|latest|origin|suite|unit|and|as|well|too|once|more|quickly|version|unstaged|staged|uncommitted|modified|suggestions|suggestion|nits|nit|tests'|pending`
)
