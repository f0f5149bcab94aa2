package orders

import (
	"slices"
	"strconv"
	"strings"
)

// Order is one send that a user ordered.
type Order struct {
	Kind Kind `json:"kind"`
	// Branch is the branch that was named, of a pull request the one that it is to go into; empty:
	// the one that is checked out, and the one that pull requests go into there.
	Branch string `json:"branch,omitempty"`
	// SideBranch says that a push is ordered of a branch for a pull request or one of the user's own,
	// not of one that the work of others is based on.
	SideBranch bool `json:"aside,omitempty"`
	// Draft says that a pull request is to be a draft.
	Draft bool `json:"draft,omitempty"`
	// In is the tracker that was named for an issue, as the message calls it.
	In string `json:"in,omitempty"`
	// Tested says that tests are to have passed before, after the last change.
	Tested bool `json:"tested,omitempty"`
}

// Kind says what is sent.
type Kind string

// The kinds of orders.
const (
	Push        Kind = "push"         // the branch that is checked out, to the project's own remote
	PullRequest Kind = "pull request" // of that branch in the project's own repository; the push that it needs is an order of its own
	Reply       Kind = "reply"        // to review comments on pull requests there
	Issue       Kind = "issue"        // one new issue in a tracker
)

// MaxPrompt is the longest text that may hold an order, in bytes: what is longer was
// pasted or written by a program, and holds others' words.
const MaxPrompt = 4000

// maxShort bounds a text of one thing to say, and a sentence with orders.
const maxShort = 500

// Of returns the orders of a text, each kind once; nil where there is none. Each of its sentences
// has to be one, or to have nothing to do with them.
func Of(prompt string) []Order {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || len(prompt) > MaxPrompt {
		return nil
	}
	list := short(prompt)
	if len(list) == 0 {
		list = long(prompt)
	}
	list = meaning(list, strings.ToLower(prompt))
	if o, ok := issueOf(prompt); ok {
		list = append(list, o)
	}
	return list
}

// meaning is what the whole of a message leaves of its orders: an image or a page that is built is
// pushed somewhere else, and where a new branch is told of, it is the one that is pushed.
func meaning(list []Order, text string) []Order {
	if len(list) > 0 && artefact.in(text) && !ofGit.in(text) {
		return nil
	}
	for i := range list {
		if o := &list[i]; o.Kind == Push && o.Branch == "" {
			o.SideBranch = o.SideBranch || newBranch.in(text)
		}
	}
	return list
}

// short reads a message of orders and nothing beside them but other things to do in the same
// sentence.
func short(prompt string) []Order {
	if len(prompt) > maxShort {
		return nil
	}
	text := strings.ToLower(plainText.Replace(asSentence(prompt)))
	said := sentences(text)
	var out []Order
	n := len(said)
	for ; n > 0; n-- {
		found, ok := read(said[n-1])
		if !ok || len(found) == 0 && len(said) > 1 && !idle(said[n-1]) {
			break
		}
		out = append(found, out...)
	}
	if n > 0 {
		return nil
	}
	return once(out)
}

// idle says whether a sentence says nothing beside an order.
func idle(s string) bool {
	s = strings.Trim(s, ".! ")
	return polite.in(s) || fine.in(s) || done.in(s) || committing.in(s)
}

// plainText puts one sign for the several that people type, and leaves out pictures that
// say nothing.
var plainText = strings.NewReplacer("’", "'", "\r\n", "\n", "🎉", "", "🚀", "", "👍", "", "🙏", "", "😅", "", "🙂", "", "😊", "")

// once is each kind of order once; nil if a branch is named beside another. What is said of one
// push holds for the other: there is one.
func once(list []Order) []Order {
	var out []Order
	for _, o := range list {
		i := slices.IndexFunc(out, func(x Order) bool { return x.Kind == o.Kind })
		switch {
		case i < 0:
			out = append(out, o)
		case out[i].Branch == o.Branch:
			out[i].SideBranch, out[i].Draft = out[i].SideBranch || o.SideBranch, out[i].Draft || o.Draft
		default:
			return nil
		}
	}
	return out
}

// asSentence is a text that is a list and nothing beside it as one sentence, and any other as it is.
func asSentence(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) < 2 || slices.ContainsFunc(lines, func(l string) bool { return !item.in(l) }) {
		return s
	}
	for i, l := range lines {
		if m := numbering.get().FindStringSubmatch(l); m != nil && m[1] != strconv.Itoa(i+1) {
			return s
		}
		lines[i] = item.without(strings.TrimRight(l, " .;\r"))
	}
	return strings.Join(lines, "; ")
}

// sentences cuts a text behind its full stops, question and exclamation marks. A line's
// end is none: "do not:\npush" is one sentence.
func sentences(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; {
		end := stop.get().FindStringIndex(s)
		if end == nil {
			return append(out, s)
		}
		out = append(out, strings.TrimSpace(s[:end[1]]))
		s = strings.TrimSpace(s[end[1]:])
	}
	return out
}

// unsettles says whether words before an order may be about it: they speak of sending,
// take something back, or quote without an end. This only ever adds a question.
func unsettles(s string) bool {
	return unsettling.in(s) || strings.ContainsAny(s, "“”«»‘") || strings.Count(s, `"`)%2 > 0 || strings.Count(s, "`")%2 > 0
}

// read takes one sentence. ok is false where it is no order, nothing that goes with one
// ("yes", "go ahead") and nothing else that an agent is told to do.
func read(s string) (out []Order, ok bool) {
	said := strings.TrimSpace(strings.TrimRight(s, ".!? "))
	if said == "" || strings.Contains(s[len(said):], "?") && !requested.in(s) {
		return nil, false
	}
	var (
		commits bool // a request that is only named ("commit and PR") is one to open after this
		loose   bool // a clause before was none that the grammar knows word for word
		last    bool // and it was the last one
		away    bool // one before is about another place
		several bool // what follows may be one of the things that a clause before is about
		maybe   bool // an order stood behind a comma alone after such a clause: it may be one thing of a list
	)
	for _, c := range clauses(said) {
		if strings.Contains(c.join, ":") || strings.Count(c.join, "\n") > 1 {
			return nil, false // a title, or a text in paragraphs
		}
		found, ok := one(c.text)
		several = several && (!strings.Contains(c.join, "then") || strings.TrimSpace(c.join) == "then")
		if len(found) == 0 && commits && requestAlone.in(tail.without(c.text)) {
			found, ok = []Order{{Kind: Push, SideBranch: true}, {Kind: PullRequest, Draft: drafted.in(c.text)}}, true
		}
		switch {
		case len(found) > 0:
			if away || several || last && c.plainAnd() {
				return nil, false // "rename pull, push", "a page of how to build and push"
			}
			maybe = maybe || loose && strings.TrimSpace(c.join) == ","
		case maybe && !polite.in(c.text):
			return nil, false
		case !ok && (!free.in(c.text) || unsettles(c.text) || within.in(c.text)):
			return nil, false
		case !ok:
			loose = true
		}
		if core := tail.without(lead.without(c.text)); len(found) == 0 {
			several, commits = several && (core == "" || single.in(core)) || lists(core), committed.in(core)
		} else {
			commits = true
		}
		last, away = !ok, away || elsewhere.in(c.text)
		out = append(out, found...)
	}
	return out, true
}

// lists says whether what a thing to do is about may go on behind its clause: "rename pull" may
// be followed by "push", "rename the label" is not.
func lists(s string) bool {
	if m := deed.get().FindStringSubmatch(s); m != nil && !whose.in(m[1]) {
		return true
	}
	return s != "" && !done.in(s) && !single.in(s) && (!object.in(s) || enumerable.in(s) && !strings.HasPrefix(s, "commit"))
}

// clause is one thing to do, and what stands between it and the one before.
type clause struct{ join, text string }

// plainAnd says whether nothing but "and" joins it to the one before.
func (c *clause) plainAnd() bool {
	switch strings.TrimSpace(c.join) {
	case "and", "&", "+", "plus":
		return true
	}
	return false
}

func clauses(s string) []clause {
	var out []clause
	join, from := "", 0
	add := func(to int) {
		if text := strings.Join(strings.Fields(s[from:to]), " "); text != "" {
			out = append(out, clause{join, text})
			join = ""
		}
	}
	for _, at := range between.get().FindAllStringIndex(s, -1) {
		add(at[0])
		join, from = join+s[at[0]:at[1]], at[1]
	}
	add(len(s))
	return out
}

// one takes one clause.
func one(s string) (found []Order, ok bool) {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789'- /") != "" {
		return nil, false
	}
	if done.in(s) {
		return nil, true
	}
	s = tail.without(lead.without(s))
	if m := pushed.get().FindStringSubmatch(s); m != nil {
		found = []Order{{Kind: Push, Branch: m[pushed.get().SubexpIndex("branch")], SideBranch: sideBranch.in(s)}}
		if m[pushed.get().SubexpIndex("pr")] != "" {
			found = append(found, Order{Kind: PullRequest, Draft: drafted.in(s)})
		}
		return found, true
	}
	if m := opened.get().FindStringSubmatch(s); m != nil {
		return []Order{{Kind: Push, SideBranch: true}, {Kind: PullRequest, Branch: m[opened.get().SubexpIndex("base")], Draft: drafted.in(s)}}, true
	}
	if replied.in(s) && ofReview.in(s) {
		return []Order{{Kind: Reply}}, true
	}
	return nil, s == "" || done.in(s) || chore.in(s)
}
