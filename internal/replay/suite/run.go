package suite

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// Status is what came of a case.
type Status string

// The statuses.
const (
	Pass       Status = "pass"
	Readmitted Status = "re-admitted" // an unsafe call is stopped no longer, or less strictly
	Stricter   Status = "stricter"    // a benign call is newly stopped, or more strictly
	Lost       Status = "lost"        // a path is no longer on offer
	Open       Status = "open"        // an unsafe call is let pass, as it was when the case was written
	Gained     Status = "gained"      // an open one is stopped now
	Unreadable Status = "unreadable"
)

// Found reports whether a status is a finding.
func (s Status) Found() bool { return s == Readmitted || s == Stricter || s == Lost || s == Unreadable }

// Result is what a policy makes of a case.
type Result struct {
	Case   *Case // nil where it is unreadable
	Status Status
	Got    gates.Disposition
	Gated  gates.Disposition // what the gates alone say
	Would  gates.Disposition // what a policy that only observes would say
	Gates  []string          // ids of the gates that decide now
	Rules  []string          // and the rules of the guardrail
	Gone   []string          // gates that decided once and are not in the policy
	Silent []string          // gates that decided once, are there, and let the call pass
	// Elsewhere are the gates of other nodes that would stop the call.
	Elsewhere []string
	At        int      // of a lost path: the step that is not offered, from 0
	Offered   []string // and the actions that are
	Err       error    // what cannot be read
}

// Runner asks one policy about cases.
type Runner struct {
	checker *gates.Checker
	all     *gates.Checker // asks every gate everywhere
	at      map[string][]string
	gates   map[string]gates.Disposition // of the calls that each stops
	named   string                       // what the gates say, in lower case: hosts that stand there are theirs
	view    *tree.View
	params  *tree.Params
}

// NewRunner makes a policy ready. at are the gates that are asked at its macros,
// as distill.AskedAt has them.
func NewRunner(p *artifacts.Policy, at map[string][]string) (*Runner, error) {
	k, err := artifacts.NewChecker(p)
	if err != nil {
		return nil, err
	}
	all := *k
	all.Strict = true
	r := &Runner{checker: k, all: &all, at: at, gates: map[string]gates.Disposition{}, view: tree.NewView(&p.Tree), params: &p.Params}
	for i := range p.Gates {
		r.named += strings.ToLower(p.Gates[i].Expr) + "\n"
		r.gates[p.Gates[i].ID], _ = disposition(p.Gates[i].Disposition) // an unknown one rejects
	}
	return r, nil
}

// Run runs cases in their order. An error of the sequence that is a *Problem is
// the result of an unreadable case.
func (r *Runner) Run(cases iter.Seq2[*Case, error]) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		for c, err := range cases {
			x := Result{Status: Unreadable, Err: err}
			if err == nil {
				x = r.One(c)
			}
			if !yield(x) {
				return
			}
		}
	}
}

// One runs one case.
func (r *Runner) One(c *Case) Result {
	if c.Kind == Path {
		return r.path(c)
	}
	x := c.read
	if c.Origin == (Origin{}) { // made, and not read
		var err error
		if x, err = gates.ParseContext(c.Context); err != nil {
			return Result{Case: c, Status: Unreadable, Err: err}
		}
	}
	d := r.decide(&x, c.Macro)
	out := Result{Case: c, Got: d.Disposition, Would: d.Would, Gated: r.gated(&d), Gates: d.Gates, Rules: rulesOf(&d), Status: Pass}
	ok := c.allowed(out.Got, out.Gated)
	switch {
	case c.Open && d.Disposition == gates.Approved:
		out.Status = Open
	case c.Open:
		out.Status = Gained
	case !ok && c.Kind == Unsafe:
		out.Status = Readmitted
		r.blame(&out, &x)
	case !ok:
		out.Status = Stricter
	}
	return out
}

// decide asks the checker at the place where the call was made. A macro that the
// tree does not have is a place that nobody knows.
func (r *Runner) decide(c *gates.Context, macro string) gates.Decision {
	return r.checker.Check(c, r.at[macro])
}

// gated is what the gates alone say.
func (r *Runner) gated(d *gates.Decision) gates.Disposition {
	out := gates.Approved
	for _, id := range d.Gates {
		out = min(out, r.gates[id])
	}
	return out
}

// gateRule begins the names of the reasons that gates give.
const gateRule = "gate/"

func rulesOf(d *gates.Decision) []string {
	var out []string
	for i := range d.Reasons {
		if rule := d.Reasons[i].Rule; !strings.HasPrefix(rule, gateRule) && !slices.Contains(out, rule) {
			out = append(out, rule)
		}
	}
	return out
}

// blame says what became of the gates that stopped a call, and which others would.
func (r *Runner) blame(out *Result, c *gates.Context) {
	for _, id := range out.Case.Gates {
		switch {
		case slices.Contains(out.Gates, id):
		case r.has(id):
			out.Silent = append(out.Silent, id)
		default:
			out.Gone = append(out.Gone, id)
		}
	}
	for _, id := range r.all.Check(c, nil).Gates {
		if !slices.Contains(out.Gates, id) {
			out.Elsewhere = append(out.Elsewhere, id)
		}
	}
}

func (r *Runner) has(id string) bool {
	_, ok := r.gates[id]
	return ok
}

// path follows a path through the tree as sessions do: each action must be among
// the children that are offered where the actions before it lead. Its family may
// have another name by now, so others are tried, and the one that goes furthest
// is told about.
func (r *Runner) path(c *Case) Result {
	best := Result{Case: c, Status: Lost, At: -1}
	for _, f := range r.families(c.Family) {
		at, offered := r.follow(f, c.Steps)
		if at == len(c.Steps) {
			return Result{Case: c, Status: Pass, At: at}
		}
		if at > best.At {
			best.At, best.Offered = at, offered
		}
	}
	best.At = max(best.At, 0)
	return best
}

// families are the indexes of all families, that of the name first.
func (r *Runner) families(name string) []int32 {
	out := make([]int32, len(r.view.Families))
	for i := range out {
		out[i] = int32(i)
	}
	for i := range out {
		if r.view.Families[i].Name == name {
			copy(out[1:i+1], out[:i])
			out[0] = int32(i)
			break
		}
	}
	return out
}

// follow walks as far as the actions are offered. It returns how many were, and
// what was offered instead of the next.
func (r *Runner) follow(family int32, steps []string) (int, []string) {
	pos := r.view.StartAt(family)
	for i, action := range steps {
		children := r.view.Children(&pos, r.params)
		k := slices.IndexFunc(children, func(c tree.Child) bool { return r.actionOf(&c) == action })
		if k < 0 {
			return i, r.offers(children)
		}
		r.view.Step(&pos, children[k])
	}
	return len(steps), nil
}

// actionOf is the action of an offered child; nothing for a generic one, which
// stands for actions that nobody knows.
func (r *Runner) actionOf(c *tree.Child) string {
	s := &r.view.States[c.State]
	if s.Generic {
		return ""
	}
	return s.Action()
}

func (r *Runner) offers(children []tree.Child) []string {
	var out []string
	for i := range children {
		if a := r.actionOf(&children[i]); a != "" {
			out = append(out, a)
		}
	}
	slices.Sort(out)
	return out
}

// Explain says of a finding what was expected, what came instead, why, and what
// to do, a line each.
func (r *Result) Explain() []string {
	switch r.Status {
	case Readmitted:
		return r.explainReadmitted()
	case Stricter:
		return append(r.bounds("at least "), "decides   "+r.deciders(), "why       "+r.Case.Why,
			"next      If this call should pass, narrow the gate or the setting (gbt gates list says what a gate reads). If it should not, set at_least of this case to "+
				r.Got.String()+" and gates_at_least to "+r.Gated.String()+".")
	case Lost:
		return r.explainLost()
	case Unreadable:
		return []string{"error     " + r.Err.Error(), "next      " + mend(r.Err) + " The other cases were run."}
	}
	return nil
}

// mend says what to do about something that is no case.
func mend(err error) string {
	if p := (*Problem)(nil); errors.As(err, &p) && p.Origin.Line == 0 {
		return "Name a folder that gbt distill --suite wrote, or a file of it."
	}
	return "Mend the line, or remove it; git log of the file has the old one."
}

func (r *Result) explainReadmitted() []string {
	c := r.Case
	out := append(r.bounds("at most "), "why       "+c.Why)
	switch {
	case r.Would < r.Got:
		out = append(out, "profile   the policy observes and stops nothing: enforced, it would be "+said(r.Would)+" by "+r.deciders())
	case r.Got < gates.Approved:
		out = append(out, "decides   "+r.deciders())
	}
	for _, g := range []struct {
		ids  []string
		what string
	}{
		{r.Gone, "decided when the case was written and is not in this policy"},
		{r.Silent, "decided when the case was written, is in this policy, and does not stop the call here"},
		{r.Elsewhere, "would stop the call, and is asked at other places only"},
	} {
		for _, id := range g.ids {
			out = append(out, fmt.Sprintf("gate      %.12s %s", id, g.what))
		}
	}
	if len(c.Gates) == 0 && len(c.Rules) > 0 {
		out = append(out, "rule      "+strings.Join(c.Rules, ", ")+" of the guardrail decided when the case was written")
	}
	return append(out, "next      Do not use this policy. Distill it with --parent, which keeps all gates of the older one; gbt diff OLD NEW shows what became looser.")
}

// bounds says what was expected and what came: of the whole decision if it is
// out of bounds, else of the gates alone.
func (r *Result) bounds(how string) []string {
	c := r.Case
	if r.Got > c.Want && c.Kind == Unsafe || r.Got < c.Want && c.Kind == Benign {
		return []string{"expected  " + how + said(c.Want), "got       " + said(r.Got)}
	}
	return []string{"expected  " + how + said(c.Gated) + ", by the gates alone", "got       " + said(r.Gated) + " by the gates; " + said(r.Got) + " by the guardrail and them together"}
}

// bound is bounds in one line.
func (r *Result) bound(how string) string {
	return strings.Join(strings.Fields(strings.Join(r.bounds(how), ", ")), " ")
}

func (r *Result) explainLost() []string {
	c := r.Case
	before := "at the start"
	if r.At > 0 {
		before = "after " + strings.Join(c.Steps[:r.At], ", ")
	}
	offers := "nothing"
	if len(r.Offered) > 0 {
		offers = strings.Join(r.Offered, ", ")
	}
	return []string{
		fmt.Sprintf("expected  %s on offer %s (step %d of %d)", c.Steps[r.At], before, r.At+1, len(c.Steps)),
		"got       " + offers, "why       " + c.Why,
		"next      If these tasks are gone for good, remove the case; else distill with logs that show them.",
	}
}

// deciders names what decides now.
func (r *Result) deciders() string {
	var out []string
	for _, id := range r.Gates {
		out = append(out, fmt.Sprintf("gate %.12s", id))
	}
	for _, rule := range r.Rules {
		out = append(out, "rule "+rule)
	}
	return strings.Join(out, ", ")
}

// said is a disposition as people say it.
func said(d gates.Disposition) string {
	switch d {
	case gates.Approved:
		return "approved"
	case gates.ApprovedWithConstraints:
		return "asked about (approved_with_constraints)"
	case gates.RevisionRequired:
		return "sent back (revision_required)"
	}
	return "rejected"
}

// Headline says in one line what came of a case.
func (r *Result) Headline() string {
	switch r.Status {
	case Readmitted:
		return "an unsafe call is stopped less strictly: " + r.bound("at most ")
	case Stricter:
		return "a benign call is stopped more strictly: " + r.bound("at least ")
	case Lost:
		return fmt.Sprintf("a path is off the tree at step %d of %d", r.At+1, len(r.Case.Steps))
	case Open:
		return "an unsafe call is let pass, as it was when the case was written"
	case Gained:
		return "an unsafe call that was let pass is " + said(r.Got) + " now"
	case Unreadable:
		return "cannot be read"
	}
	return "as expected"
}
