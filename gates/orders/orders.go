package orders

import (
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
	PullRequest Kind = "pull request" // of that branch in the project's own repository; the push that it needs is an order of its own
	Reply       Kind = "reply"        // to review comments on pull requests there
)

// MaxPrompt is the longest text that may hold an order, in bytes: what is longer was
// pasted or written by a program, and holds others' words.
const MaxPrompt = 500

// Of returns the orders that a text ends with, each kind once; nil where there is none. The
// last sentence has to be one, or each of the last ones; what stands before them may be
// anything that does not speak of sending, takes nothing back and ends its quotations.
func Of(prompt string) []Order {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || len(prompt) > MaxPrompt {
		return nil
	}
	text := strings.ToLower(plainText.Replace(listed(prompt)))
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
	if n > 0 && (strings.ContainsAny(text, "\n<>|#*{}[]") || slices.ContainsFunc(said[:n], unsettles)) {
		return nil
	}
	return once(out)
}

// plainText puts one sign for the several that people type, and leaves out pictures that
// say nothing.
var plainText = strings.NewReplacer("’", "'", "\r\n", "\n", "🎉", "", "🚀", "", "👍", "", "🙏", "", "😅", "", "🙂", "", "😊", "", "✅", "")

// once is each kind of order once; nil if a branch is named beside another.
func once(list []Order) []Order {
	var out []Order
	for _, o := range list {
		i := slices.IndexFunc(out, func(x Order) bool { return x.Kind == o.Kind })
		switch {
		case i < 0:
			out = append(out, o)
		case out[i] != o:
			return nil
		}
	}
	return out
}

// listed is a text that is a list and nothing beside it as one sentence, and any other as it is.
func listed(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) < 2 || slices.ContainsFunc(lines, func(l string) bool { return !item.in(l) }) {
		return s
	}
	for i, l := range lines {
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
	asks := strings.HasSuffix(s, "?")
	s = strings.TrimSpace(strings.TrimRight(s, ".!? "))
	if s == "" || asks && !requested.in(s) {
		return nil, false
	}
	var (
		commits bool // a request that is only named ("commit and PR") is one to open after this
		loose   bool // a clause before was none that the grammar knows word for word
		last    bool // and it was the last one
		maybe   bool // an order stood behind a comma alone after such a clause: it may be one thing of a list
	)
	for _, c := range clauses(s) {
		found, ok := one(c.text)
		if len(found) == 0 && commits && named.in(tail.without(c.text)) {
			found, ok = []Order{{Kind: Push}, {Kind: PullRequest}}, true
		}
		switch {
		case len(found) > 0:
			if last && c.plainAnd() {
				return nil, false // "a page of how to build and push"
			}
			maybe = maybe || loose && strings.TrimSpace(c.join) == ","
		case maybe && !polite.in(c.text):
			return nil, false
		case !ok && (strings.Contains(s, ": ") || !free.in(c.text) || unsettles(c.text) || within.in(c.text)):
			return nil, false
		case !ok:
			loose = true
		}
		last, commits = !ok, strings.Contains(c.text, "commit") || len(found) > 0
		out = append(out, found...)
	}
	return out, true
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
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789'- /") != "" || object.in(s) {
		return nil, false
	}
	if done.in(s) {
		return nil, true
	}
	s = tail.without(lead.without(s))
	if m := pushed.get().FindStringSubmatch(s); m != nil {
		found = []Order{{Kind: Push, Branch: m[pushed.get().SubexpIndex("branch")]}}
		if m[pushed.get().SubexpIndex("pr")] != "" {
			found = append(found, Order{Kind: PullRequest})
		}
		return found, true
	}
	switch {
	case opened.in(s):
		return []Order{{Kind: Push}, {Kind: PullRequest}}, true
	case replied.in(s):
		return []Order{{Kind: Reply}}, true
	}
	return nil, s == "" || done.in(s) || chore.in(s)
}
