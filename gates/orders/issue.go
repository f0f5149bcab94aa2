package orders

import "strings"

// This file reads an order to put one issue into a tracker. An issue names no branch and takes
// no code along, so the rest of the message may say what it is about; the sentence that orders
// it has to be one, and no other may take it back or want to see it before.

// trackers are names of issue trackers, as people call them and their servers' tools do.
const trackers = `linear|jira|github|gitlab|asana|trello|notion|clickup|shortcut|youtrack|azure|bugzilla|redmine|sentry|gitea|bitbucket`

// Trackers are the names by which an order may name a tracker, in lower case.
func Trackers() []string { return strings.Split(trackers, "|") }

var (
	// issueOrder is the clause that orders one.
	issueOrder = &pattern{expr: `^(?:definitely |please |just |also )*(?:(?:create|file|log|raise|submit|write|write up|add|make|open up|put in)(?: me| us| up)? (?:a|an|another|one|the|that)|open(?: up)? (?:a|an|another|one)) ` +
		`(?:(?:new|quick|short|small|simple|separate|proper|follow[- ]?up|tracking|corresponding|backlog|low priority|medium priority|high priority) )*(?:(?P<in>` + trackers + `) )?(?:issue|ticket|bug report|story)(?P<rest>$|[ .,:].*$)`}
	// issueRest is what may stand behind it: the issue's place and what it is about.
	issueRest = &pattern{expr: `^$|^[.,:]|^ (?:please|for|about|in|on|with|that|so|as|describing|covering|tracking|explaining|under|which|where|there|now|too|instead)\b|^ to [a-z]+`}
	// issueThing is what makes it a thing that the work is about: a part of code or of a page, or a line of a log.
	issueThing = &pattern{expr: `^ (?:to|in|on|with|for) (?:the |a |an |our |my )?(?:console|stdout|stderr|log|logs|logger|file|list|queue|table|array|map|cache|form|page|screen|ui|view|modal|dialog|sidebar|test|tests|fixture|fixtures|factory|seed|seeds|mock|mocks|api|endpoint|handler|db|database|schema|template|templates|model|component)\b`}
	// issueIn is a tracker that is named behind it.
	issueIn = &pattern{expr: `\b(?:in|on|to|at) (?P<in>` + trackers + `)\b`}
	// issueUnsure is what puts a sentence with an issue off, takes it back or makes it depend on something.
	issueUnsure = &pattern{expr: `\b(?:not|no|never|nor|without|instead of|rather than|unless|until|till|if|whether|when|whenever|once|should|shall|might|maybe|perhaps|could we|would it|wait|hold|later than|after|before|how|why|every|each|script|command|button|bot|webhook|automatically)\b|n't\b|\bdont\b`}
	// issueBack is what does so anywhere in the message.
	issueBack = &pattern{expr: `\b(?:never ?mind|scratch that|on second thoughts?|hold (?:on|off)|wait|not yet|actually|ask me|ask first|asks?|confirm\w*|check with|shows? (?:me|it)|let me (?:see|review|read|approve|check)|approv\w*|draft\w*|preview\w*|forget (?:it|that)|cancel\w*|skip)\b|(?:\b(?:do not|don't|dont|never)) (?:do|create|file|log|open|write|make|add|post|submit|raise)\b|(?:\b(?:do not|don't|dont))[.! ]*$`}
	// interjection says nothing, and agreeing what is done otherwise.
	interjection = &pattern{expr: `^(?:h+m+|a+h+|o+h+|u+h+|e+h+|well|hey|hi|haha|lol|right|roadmap|` + courtesy + `)(?: (?:` + courtesy + `|h+m+|then))*$`}
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
	if opens.in(text) || foreign.in(text) || issueBack.in(text) {
		return o, false
	}
	for _, line := range strings.Split(text, "\n") {
		if listItem.in(line) && issueOrder.in(lead.without(listItem.without(line))) {
			return o, false // it may be what is to be built
		}
	}
	for _, s := range sentences(text) {
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

// ordersIssue is the order of one sentence; sure is false where one may be meant and put off.
func ordersIssue(s string) (o *Order, sure bool) {
	said := strings.TrimSpace(strings.TrimRight(s, ".!? "))
	asks := strings.Contains(s[len(said):], "?")
	idle := true // what stood before sends nothing, or says nothing
	for _, c := range clauses(said) {
		text := strings.TrimSpace(lead.without(c.text))
		m := issueOrder.get().FindStringSubmatch(text)
		if m == nil {
			idle = idle && (interjection.in(c.text) || agreeing.in(c.text) && !within.in(c.text) || free.in(c.text) && !within.in(c.text) || chore.in(c.text))
			continue
		}
		rest := m[issueOrder.get().SubexpIndex("rest")]
		if !idle || issueUnsure.in(said) || !issueRest.in(rest) || issueThing.in(rest) || strings.Contains(c.join, ":") || asks && !requested.in(c.text) {
			return nil, false
		}
		in := m[issueOrder.get().SubexpIndex("in")]
		if at := issueIn.get().FindStringSubmatch(rest); in == "" && at != nil {
			in = at[1]
		}
		return &Order{Kind: Issue, In: in}, true
	}
	return nil, true
}
