package decisions

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Suggestion is a rule that would have answered what people agreed to each time.
type Suggestion struct {
	Rule     string    `json:"rule"`
	Example  string    `json:"example"` // of what it answers, as the person last read it
	Asked    int       `json:"asked"`
	Yes      int       `json:"yes"`
	Sessions int       `json:"sessions"`
	Last     time.Time `json:"last"`
	In       []string  `json:"in"` // the workspaces, sorted
}

// Wanted says which rules Suggest looks for.
type Wanted struct {
	Times  int               // how often people agreed, at least
	Places int               // in how many workspaces, at least
	In     func(string) bool // workspaces that count; nil for all
}

// Suggest returns the rules that would have answered questions to which people always
// agreed, the most frequent first. A rule is out if somebody declined a call that has it
// or one below it, or another call that is counted as the same question.
func Suggest(list []Entry, w Wanted) []Suggestion {
	by, no := agreed(list, w.In)
	out := []Suggestion{}
	for _, text := range slices.Sorted(maps.Keys(by)) {
		t := by[text]
		q := t.question()
		if q.Settled(w.Times) && len(q.In) >= w.Places && !no.meet(text, t.names) {
			out = append(out, Suggestion{text, q.Example, q.Asked, q.Yes, q.Sessions, q.Last, q.In})
		}
	}
	slices.SortStableFunc(out, func(a, b Suggestion) int { return cmp.Compare(b.Yes, a.Yes) })
	return out
}

// ruled counts what a rule would have answered, by the names of the questions.
type ruled struct {
	*tally
	names []string
}

// agreed counts questions by rule, and gathers what was declined.
func agreed(list []Entry, in func(string) bool) (by map[string]*ruled, no declined) {
	answers := answersOf(list)
	by = map[string]*ruled{}
	for i := range list {
		e := &list[i]
		if e.Answer != "" || !e.Asks() || in != nil && !in(e.In) {
			continue
		}
		if answers[i] == AnswerNo {
			no.names, no.rules = append(no.names, e.name()), append(no.rules, e.Allow...)
		}
		for _, text := range e.Allow {
			if by[text] == nil {
				by[text] = &ruled{tally: newTally(text)}
			}
			by[text].add(e, answers[i])
			by[text].names = append(by[text].names, e.name())
		}
	}
	return by, no
}

// declined is what people said no to.
type declined struct{ names, rules []string }

// meet says whether a rule for some questions would let pass what was declined, as far as
// the log tells.
func (d *declined) meet(text string, names []string) bool {
	if slices.ContainsFunc(d.names, func(name string) bool { return slices.Contains(names, name) }) {
		return true
	}
	below := strings.TrimRight(text, "*")
	return below != text && slices.ContainsFunc(d.rules, func(r string) bool { return strings.HasPrefix(r, below) })
}
