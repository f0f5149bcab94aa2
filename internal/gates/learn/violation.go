package learn

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
)

// Violation is a call that drew a verdict, and the window that shows it
// (requirements W1, W2).
type Violation struct {
	Step   int      // of the episode
	From   int      // the first step of its window; -1 for that of its macro
	Macros []string // keys of the macros that cover the window, in order
	Rule   string
	Detail string
	Basis  string // who says so: package replay's bases
	Arg    string // path of the argument that drew it, empty if unknown
	// Sure says that the verdict is about this call and no other: a checker
	// judged it, or the user's own specification. Otherwise the log calls the
	// episode unsafe and a monitor found a call that breaks a rule: it may be
	// another one than the log means.
	Sure bool
}

// Mark is a sample that a verdict points to.
type Mark struct {
	Violation
	Sample int
}

// The bases of positives that no replay found.
const (
	basisChecker  = "checker"  // the log's own verdict names the call
	basisContrast = "contrast" // runs with the verdict have it in common, others do not
)

// violations gathers what is said of single calls: by the log, and by a replay,
// which knows the window too.
func (c *Case) violations(e *corpora.Episode, found []Violation) map[int]Violation {
	steps := map[int]Violation{}
	for _, v := range e.Verdicts {
		c.Attacked = c.Attacked || v.Detail != ""
		if !v.Unsafe {
			continue
		}
		if c.Rule == "" {
			c.Rule, c.Detail = v.Rule, v.Detail
		}
		if v.Step >= 0 {
			steps[v.Step] = Violation{Step: v.Step, From: -1, Rule: v.Rule, Detail: v.Detail, Basis: basisChecker, Sure: true}
		}
	}
	c.Whole = e.Safety == corpora.SafetyUnsafe && len(steps) == 0
	for _, v := range found {
		if have := steps[v.Step]; have.Sure && !v.Sure {
			continue
		}
		if v.Sure {
			c.Standing = StandingUnsafe
		}
		if c.Rule == "" {
			c.Rule = v.Rule
		}
		steps[v.Step] = v
	}
	return steps
}

// positives are the calls of an unsafe case that its verdicts are about, given
// those that contrast blames. A verdict on the very call needs no contrast. A
// call that a monitor found in an episode which was called unsafe as a whole
// counts if contrast blames it too, because an attacked run breaks rules in
// honest calls as well: 71 of the 205 located calls of the shared AgentDojo runs
// were the task's own. Where contrast blames nothing, the first one counts: it is
// the window of requirement W1.
func (c *Case) positives(i int, blamed []Positive) []Positive {
	var out []Positive
	by := map[int]*Positive{}
	for k := range blamed {
		by[blamed[k].Sample] = &blamed[k]
	}
	first := len(blamed) == 0
	for _, m := range c.Marks {
		p := by[m.Sample]
		if !m.Sure && p == nil && !first {
			continue
		}
		if !m.Sure {
			first = false
		}
		one := Positive{Case: i, Sample: m.Sample, Violation: m.Violation}
		if p != nil {
			one.Traits = p.Traits
		} else if m.Arg != "" {
			one.Traits = []string{basePath(m.Arg)}
		}
		out = append(out, one)
		delete(by, m.Sample)
	}
	for k := range blamed {
		if by[blamed[k].Sample] != nil {
			out = append(out, blamed[k])
		}
	}
	return out
}

// UnsafeRow is the corpus row of a positive: its context, and the window, the
// verdict and the basis that make it one.
func (c *Case) UnsafeRow(p *Positive) contexts.Row {
	s := &c.Samples[p.Sample]
	return contexts.NewRow(contexts.Unsafe, &s.Context, s.Macro, contexts.Evidence{
		Episode: c.Episode, Task: c.Task, Group: c.Group, From: p.From, To: s.Step, Rule: p.Rule, Detail: p.Detail, Basis: p.Basis,
	})
}
