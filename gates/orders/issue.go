package orders

import "strings"

// This file reads an order to put one issue into a tracker. An issue names no branch and takes
// no code along, so the rest of the message may say what it is about; the sentence that orders
// it has to be one, and no other may take it back or want to see it before.

// trackers are names of issue trackers, as people call them and their servers' tools do.
const trackers = `linear|jira|github|gitlab|asana|trello|notion|clickup|shortcut|youtrack|azure|bugzilla|redmine|sentry|gitea|bitbucket`

// Trackers are the names by which an order may name a tracker, in lower case.
func Trackers() []string { return strings.Split(trackers, "|") }

// How issues are called: theIssue is one with what may stand before it, and someThing is what was
// spoken of, which is to become one.
const (
	issueNoun = `(?:issue|ticket|bug report|bug ticket|bug|story)`
	issueKind = `(?:(?:new|quick|short|small|simple|separate|single|proper|fresh|follow[- ]?up|tracking|corresponding|backlog|low|medium|high|priority|prio) )*`
	theIssue  = `(?:(?:a|an|another|one|1|the|that) )?` + issueKind + `(?:(?P<in>` + trackers + `|gh) )?` + issueNoun
	someThing = `(?:this|it|that|this one|that one|this up|it up|that up|that thing|this conversation|this bug|that bug)`
)

var (
	// issueForms are the forms of a clause that orders one. Behind each stands where and what about.
	issueForms = [...]*pattern{
		{expr: `^(?:create|file|log|raise|submit|write|write up|make|put in|spin up|get|add)(?: me| us| up)? ` + theIssue + `(?P<rest>$|[ .,:].*$)`},
		{expr: `^open(?: up)? (?:(?:a|an|another|one|1) )?` + issueKind + `(?:(?P<in>` + trackers + `|gh) )?` + issueNoun + `(?P<rest>$|[ .,:].*$)`},
		{expr: `^(?:put|write|log|turn|convert|report|track|file|submit|post|get) ` + someThing + `(?: up)?(?: in| into| to| on)?(?: as| into)? (?:a |an )?(?:new |separate )?(?:(?P<in>` + trackers + `|gh) )?` + issueNoun + `(?P<rest>$|[ .,:].*$)`},
		{expr: `^(?:put|log|report|track|file|bug|ticket|submit|post|get) ` + someThing + ` (?:in|into|to|on) (?P<in>` + trackers + `)(?P<rest>$|[ .,:].*$)`},
		{expr: `^(?:new (?:(?P<in>` + trackers + `|gh) )?` + issueNoun + `|(?P<in2>` + trackers + `|gh) (?:issue|ticket)|(?:issue|ticket))(?P<rest>(?: for (?:this|that|it|that one|this one))? (?:please|pls|plz)(?:$|[ .,:].*$))`},
		{expr: `^new (?P<in>` + trackers + `|gh) ` + issueNoun + `(?P<rest>)$`},
		{expr: `^i(?: want| need|'d like) (?:a|an|one) ` + issueKind + `(?:(?P<in>` + trackers + `|gh) )?` + issueNoun + `(?P<rest>$|[ .,:].*$)`},
		{expr: `^(?P<in>gh) issue create(?P<rest>$|[ .,:].*$)`},
	}
	// issueLead is what may stand before an order beside what stands before each.
	issueLead = &pattern{expr: `^(?:(?:definitely|please|pls|plz|just|also|instead|only|but|could i ask you to|any chance you (?:can|could)|(?:can|could|would) (?:u|you)(?: please| also| just)?|i need you to|help me|(?:it )?would be (?:great|awesome|nice|good) if you could|go|use (?:the )?(?:` + trackers + `|gh|glab)(?: mcp| cli)? to) )+`}
	// issueAsked is a question that is one to do it.
	issueAsked = &pattern{expr: `^(?:` + courtesy + ` )*(?:(?:can|could|would|will) (?:you|u|we)|could i ask you to|any chance you (?:can|could))\b`}
	// issueRest is what may stand behind it: the issue's place and what it is about.
	issueRest = &pattern{expr: `^$|^[.,:]|^ (?:please|pls|plz|for|about|abt|on|with|that|so|as|called|titled|describing|covering|explaining|listing|under|which|where|there|now|too|instead|today|out of)\b|^ to (?:track|log|investigate|look|fix|move|remove|remind|clean|find|add|replace|migrate|rename|get|see)\b|^ in (?:the |our |my |this )?(?:` + trackers + `|backlog|project|repo|tracker|board)\b|^ in project\b`}
	// issueThing is what makes it a thing that the work is about: a part of code or of a page, or a line of a log.
	issueThing = &pattern{expr: `^ (?:on|with|for|as) (?:the |a |an |our |my )?(?:console|stdout|stderr|log|logs|logger|file|list|queue|table|array|map|cache|form|page|screen|ui|view|modal|dialog|sidebar|test|tests|fixture|fixtures|factory|seed|seeds|mock|mocks|api|endpoint|handler|db|database|schema|template|templates|model|component|demo|students?|exercise|e2e|mock|storybook|user|users|all users)\b|\b(?:template|form|page|endpoint|handler|fixture|component|script)s?$|playwright|cypress|selenium`}
	// issueIn is a tracker that is named behind it.
	issueIn = &pattern{expr: `\b(?:in|into|on|to|at) (?P<in>` + trackers + `)\b`}
	// issueUnsure is what puts a clause off, takes it back or makes it depend on something, and issueWhen
	// what does so to the sentence around it.
	issueUnsure = &pattern{expr: `\b(?:not|no|never|nor|without|rather than|unless|until|till|if|whether|when|whenever|once|should|shall|might|maybe|perhaps|later than|before|how|why|every|each|automatically)\b|n't\b|\bdont\b`}
	issueWhen   = &pattern{expr: `\b(?:unless|until|till|if|whether|when|whenever|once|should|shall|might|maybe|perhaps|after|before|how|why|every|each|or)\b`}
	issueNot    = &pattern{expr: `\b(?:not|no|never|nor|without|rather than)\b|n't\b|\bdont\b`}
	// instead says that what is ordered stands against what is not wanted.
	instead = &pattern{expr: `\b(?:instead|just|only|but|separate)\b`}
	// issueBack is what takes an order back anywhere in the message, or wants to see the issue before.
	issueBack = &pattern{expr: `\b(?:kidding|jk|nah|nope|myself|nicht|leave (?:it|that|this) (?:to|for)|is what|told|hold|id_rsa)\b|\(no\b|\b(?:nvm|strike|scrap|hold (?:on|off)|correction|sorry|oops|disregard|undo (?:it|that)|ignore (?:it|that|this)|only do)\b|\bedit:|(?:^|[.!?,;-]\s*)(?:wait|hold (?:on|off))\b|\bnever ?mind\b|\bscratch that\b|\bon second thoughts?\b|\bnot yet\b|\bactually,? (?:no|don't|dont|do not|leave|forget|skip|cancel)\b|\bask me (?:first|before)|\bask (?:first|before)|\bcheck with (?:me|us)\b|\bconfirm\w* (?:with|first|it|before)|\bshows? (?:me|us|it)\b|` +
		`\blet me (?:see|review|read|approve|check|look)\b|\bbefore (?:you )?(?:creat|fil|post|submitt?|open|rais|log)\w*|\bapprov\w*|\bpreview\w*|\bdraft\w*|\b(?:cancel|skip|forget) (?:it|that|the (?:issue|ticket|bug))\b|\b(?:do not|don't|dont|never) (?:do|create|file|log|open|write|make|add|post|submit|raise) (?:it|that|one|an?|any|the) ?(?:issue|ticket|bug|one|yet)?|(?:\b(?:do not|don't|dont))[.! ]*$`}
	// issueShown is what says that an order is only shown: it is what a program is given, or a plan.
	issueShown = &pattern{expr: `<<|>>|\bplan:|\b(?:this|that|the|following|same) (?:sentence|input|prompt|text|utterance|request|line|example|wording|phrase|message)\b|\b(?:parser?|parses|parsing|regex|classifier|grammar|tool description|system prompt|few-shot|transcript)\b`}
	// numbered is a thing of a list that stands within a line.
	numbered = &pattern{expr: `(?:^|\s)[0-9]{1,2}[.)]\s`}
	// issueBefore is a thing to do that may stand before an order in its sentence, and issueMakes what makes the
	// order a part of it.
	issueBefore  = &pattern{expr: `^(?:(?:` + courtesy + `|(?:can|could|would|will) you)\s+)*(?:add|address|apply|build|bump|change|check|clean|close|commit|continue|convert|document|don't|do not|dont|drop|fix|finish|format|keep|leave|look|merge|move|note|open|pin|push|rebase|refactor|remove|rename|replace|rerun|re-run|resolve|restore|revert|run|skip|stage|summari[sz]e|take|test|tidy|undo|update|upgrade|write)\s`}
	issueMakes   = &pattern{expr: `\b(?:to|that|which|who|whose|how|where|script|scripts|command|commands|button|buttons|bot|bots|handler|handlers|workflow|workflows|job|jobs|hook|hooks|form|forms|endpoint|function|method|class|agent|user|users|customer|customers|people|steps?|guide)\b`}
	interjection = &pattern{expr: `^(?:h+m+|a+h+|o+h+|u+h+|e+h+|well|hey|hi|haha|lol|right|roadmap|whatever|good catch|` + courtesy + `)(?: (?:` + courtesy + `|h+m+|then))*$`}
	agreeing     = &pattern{expr: `^(?:let's|lets) [a-z0-9' -]+$`}
)

// maxIssue bounds a message that may order an issue, in bytes.
const maxIssue = 1500

// issueOf is the order of one issue that a message holds.
func issueOf(prompt string) (o Order, ok bool) {
	if len(prompt) > maxIssue || heading.in(prompt) {
		return o, false
	}
	text := strings.ToLower(plainText.Replace(prompt))
	text = fenced.without(text)
	text = inQuotes.without(text)
	if opens.in(text) || foreign.in(text) || issueBack.in(text) || issueShown.in(text) || len(numbered.get().FindAllString(text, 2)) > 1 {
		return o, false
	}
	var own []string
	for _, line := range strings.Split(text, "\n") {
		_, listed := issueClause(lead.without(listItem.without(line)))
		if listItem.in(line) && listed {
			return o, false // it may be what is to be built
		}
		if !strings.HasPrefix(strings.TrimSpace(line), ">") {
			own = append(own, line)
		}
	}
	if quoted := len(own) < strings.Count(text, "\n")+1; quoted && !strings.Contains(strings.TrimSpace(strings.Join(own, "\n")), "\n") {
		return o, false // nothing tells where the quotation ends
	}
	for _, s := range sentences(strings.Join(own, "\n")) {
		found, sure := ordersIssue(s)
		switch {
		case !sure, found != nil && ok:
			return Order{}, false
		case found != nil:
			o, ok = *found, true
		}
	}
	return o, ok
}

// issueClause is what stands behind the order of an issue in a clause, and the tracker that is named.
func issueClause(clause string) (order Order, ok bool) {
	clause = issueLead.without(clause)
	for _, form := range issueForms {
		m := form.get().FindStringSubmatch(clause)
		if m == nil {
			continue
		}
		rest := m[form.get().SubexpIndex("rest")]
		if !issueRest.in(rest) || issueThing.in(rest) {
			return order, false
		}
		in := ""
		for i, name := range form.get().SubexpNames() {
			if strings.HasPrefix(name, "in") && m[i] != "" {
				in = m[i]
			}
		}
		if at := issueIn.get().FindStringSubmatch(rest); in == "" && at != nil {
			in = at[1]
		}
		if in == "gh" {
			in = "github"
		}
		return Order{Kind: Issue, In: in}, true
	}
	return order, false
}

// ordersIssue is the order of one sentence; sure is false where one may be meant and put off.
func ordersIssue(s string) (o *Order, sure bool) {
	said := strings.TrimSpace(strings.TrimRight(s, ".!? "))
	asks := strings.Contains(s[len(said):], "?")
	idle, against := true, false // what stood before sends nothing or says nothing; it says what is not wanted
	for _, c := range clauses(said) {
		found, ok := issueClause(strings.TrimSpace(lead.without(c.text)))
		if !ok {
			idle = idle && (interjection.in(c.text) || agreeing.in(c.text) && !issueMakes.in(c.text) || issueBefore.in(c.text) && !issueMakes.in(c.text) || chore.in(c.text))
			against = against || issueNot.in(c.text)
			continue
		}
		if !idle && !issueAsked.in(c.text) || issueUnsure.in(c.text) || issueWhen.in(said) || against && !instead.in(c.text) || strings.Contains(c.join, ":") || asks && !issueAsked.in(c.text) {
			return nil, false
		}
		return &found, true
	}
	return nil, true
}
