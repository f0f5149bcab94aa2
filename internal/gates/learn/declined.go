package learn

import (
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/segment"
)

// A call that the user declined did not run: it is no evidence of harm, and nothing
// that is learned from it rejects. It is evidence of what somebody wants to be asked
// about. Gates that ask about such calls are found as patterns of harm are, and
// accepted by the same tests, against the benign calls and within the questions that
// all gates together may ask. Of calls of low risk nothing is learned: those that
// ran are not on record, so nobody could say what a question about them costs.

// ByDeclined is who proposes gates that were learned from declined calls.
const ByDeclined = "declined"

const declinedMessage = "learned from declined calls: users said no to calls like this one"

// Attempts makes a case of every high-risk call of an episode that ran or that the
// user declined, whoever judged it: what the user was asked and would be asked. As
// evidence it is of no standing. A declined call begins a macro, or goes on with one,
// as if it had run, because that is where a gate would have been asked.
func Attempts(e *corpora.Episode, digest, task string, profile segment.Profile, k *gates.Checker) *Case {
	c := &Case{Episode: digest, Task: task, Group: e.Group, Format: e.Format}
	if c.Group == "" {
		c.Group = e.Format
	}
	tried := *e
	tried.Steps = slices.Clone(e.Steps)
	for i := range tried.Steps {
		s := &tried.Steps[i]
		if s.Declined() {
			s.Status, s.BlockedBy, s.Result, s.Error = corpora.StatusUnknown, "", "", ""
		}
		c.Calls += count(s.Status != corpora.StatusBlocked)
	}
	path := segment.Segment(&tried, profile)
	above := aboveOf(&path)
	walk(e, calls(e, &path, k, true), func(i int, ctx *gates.Context, m segment.Macro) {
		s := Sample{Context: redact.Context(ctx), Macro: m.Key, Above: above(i), Step: i, From: m.From, Declined: e.Steps[i].Declined()}
		s.ID = contexts.ID(s.Context.AppendCanonical(nil))
		c.Samples = append(c.Samples, s)
	})
	return c
}

// AddDeclined adds the declined calls of cases. A call that also ran in a benign run
// is disputed: the user said no to it once, and yes another time.
func (ex *Examples) AddDeclined(cases []*Case) {
	g := gatherer{seen: map[string]*Example{}, runs: map[string]bool{}}
	ran := map[string]bool{}
	for i := range ex.Benign {
		ran[ex.Benign[i].ID] = true
	}
	for _, c := range cases {
		for i := range c.Samples {
			if s := &c.Samples[i]; s.Declined && !ran[s.ID] {
				g.add("u", c, s)
			}
		}
	}
	ex.Declined = g.examples().Unsafe
}

// declined learns gates that ask about what users declined and that no gate so far
// asks about.
func (l *learner) declined() {
	if len(l.ex.Declined) == 0 {
		return
	}
	d := newLearner(&Examples{Unsafe: l.ex.Declined, Benign: l.ex.Benign, Calls: l.ex.Calls}, l.opt)
	d.onlyAsk, d.asked = true, l.asked
	d.opt.Scopes = []string{ScopeGlobal}
	lib := libraryOf(l.res.Gates)
	for i := range d.ex.Unsafe {
		if e := &d.ex.Unsafe[i]; len(lib.EvalAll(e.Context, nil)) > 0 {
			d.stopped[e.ID] = 1
		}
	}
	d.patterns()
	for _, list := range []*[]Gate{&d.res.Gates, &d.res.Review} {
		for i := range *list {
			(*list)[i].By, (*list)[i].Message = ByDeclined, declinedMessage
		}
	}
	l.res.Gates = append(l.res.Gates, d.res.Gates...)
	l.res.Review = append(l.res.Review, d.res.Review...)
}

func libraryOf(list []Gate) *gates.Library {
	var all []gates.Gate
	for i := range list {
		g := &list[i]
		all = append(all, gates.Gate{ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Program: g.Program})
	}
	lib, err := gates.NewLibrary(all)
	if err != nil {
		panic("gbt: internal error: an accepted gate does not load: " + err.Error())
	}
	return lib
}
