package monitor

import (
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/mark"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// Outcomes are rules that say how a request ended, for logs that nobody judged
// (OUTCOMES.md). They read facts alone: what calls did, how they ended, and where
// the user stopped. They are immutable and safe for concurrent use.
type Outcomes struct {
	rules []outcomeRule
}

// Label is how a request ended, and the rule that says so; "" if none applies.
type Label struct {
	Outcome corpora.Outcome
	Rule    string
}

// Check is a command that a rule asks about, as it ends now.
type Check struct {
	Rule string
	Run  []string // the program and its arguments; no shell reads them
	Dir  string   // where it runs, absolute
}

// Request is one request of a session: an episode of its own, and its label.
type Request struct {
	corpora.Episode
	Label   Label
	Changed bool // a call of it changed files of the user's
}

// outcomeRule is a conjunction, as a rule of a specification is.
type outcomeRule struct {
	id, message   string
	label         corpora.Outcome
	stopped       bool
	last          *deedCond // the last call that it holds for decides
	after, unless *deedCond
	later         bool   // the user's later requests count, up to the next call for which after holds
	ended, said   ending // of last
	check         *Check
	checked       bool // the check was run and passed
}

// deedCond is a condition on one call that ran.
type deedCond struct {
	does   []string
	call   callCond
	effect *effectCond
}

func (k *deedCond) holds(f *fact) bool {
	return f.ran && (k.does == nil || f.does(k.does)) && k.call.holds(&f.ctx) && (k.effect == nil || k.effect.find(&f.ctx) >= 0)
}

// Rules lists the ids of the rules in the order in which they are asked.
func (o *Outcomes) Rules() []string {
	out := make([]string, len(o.rules))
	for i := range o.rules {
		out[i] = o.rules[i].id
	}
	return out
}

// Checks lists the commands that rules ask about. None runs by itself.
func (o *Outcomes) Checks() []Check {
	var out []Check
	for i := range o.rules {
		if c := o.rules[i].check; c != nil {
			out = append(out, *c)
		}
	}
	return out
}

// Checked returns the rules with what came of their checks: passed says for each
// rule whether its command ended well now. A rule without a result never applies.
func (o *Outcomes) Checked(passed map[string]bool) *Outcomes {
	out := &Outcomes{rules: slices.Clone(o.rules)}
	for i := range out.rules {
		r := &out.rules[i]
		r.checked = r.check != nil && passed[r.id]
	}
	return out
}

// Label cuts a session that nobody judged into its requests and labels each by the
// first rule that applies. coded says whether the log marks calls that failed.
func (o *Outcomes) Label(ep *corpora.Episode, k *gates.Checker, coded bool) []Request {
	parts := corpora.Requests(ep)
	all := factsOf(ep.Steps, k, coded)
	out := make([]Request, len(parts))
	from, newest := 0, -1
	for i := range parts {
		to := from + len(parts[i].Steps)
		out[i] = Request{Episode: parts[i]}
		out[i].Changed = slices.ContainsFunc(all[from:to], func(f fact) bool { return f.change })
		if out[i].Changed {
			newest = i
		}
		from = to
	}
	from = 0
	for i := range out {
		to := from + len(out[i].Steps)
		s := span{all: all, from: from, to: to, newest: i == newest}
		out[i].Label = o.label(&s)
		out[i].Outcome = out[i].Label.Outcome
		from = to
	}
	return out
}

func (o *Outcomes) label(s *span) Label {
	for i := range o.rules {
		if r := &o.rules[i]; r.applies(s) {
			return Label{r.label, r.id}
		}
	}
	return Label{}
}

// span is one request among the calls of its session.
type span struct {
	all      []fact
	from, to int
	newest   bool // the last request of the session that changed something
}

func (r *outcomeRule) applies(s *span) bool {
	if r.stopped && !slices.ContainsFunc(s.all[s.from:s.to], func(f fact) bool { return f.stopped }) {
		return false
	}
	if r.check != nil && !(r.checked && s.newest && s.within(r.check.Dir)) {
		return false
	}
	from, to := s.from, s.to
	if r.after != nil {
		if from = lastOf(s.all, s.from, s.to, r.after); from < 0 {
			return false
		}
		for r.later && to < len(s.all) && !r.after.holds(&s.all[to]) {
			to++
		}
	}
	return r.last == nil || r.decided(s.all, from, to)
}

// decided asks the last call between from and to that the condition holds for.
func (r *outcomeRule) decided(all []fact, from, to int) bool {
	at := lastOf(all, from, to, r.last)
	if at < 0 {
		return false
	}
	if r.ended != endedUnknown && all[at].ended(r.last.does) != r.ended || r.said != endedUnknown && all[at].said(r.last.does) != r.said {
		return false
	}
	if r.unless == nil {
		return true
	}
	for i := at + 1; i < len(all) && !r.last.holds(&all[i]); i++ {
		if r.unless.holds(&all[i]) {
			return false
		}
	}
	return true
}

func lastOf(all []fact, from, to int, k *deedCond) int {
	for i := to - 1; i >= from; i-- {
		if k.holds(&all[i]) {
			return i
		}
	}
	return -1
}

// within says whether the request worked at or below a directory.
func (s *span) within(dir string) bool {
	for i := s.to - 1; i >= s.from; i-- {
		if cwd := s.all[i].ctx.Cwd; cwd != "" {
			return mark.Under(cwd, dir)
		}
	}
	return false
}
