package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/redact"
)

// Cases makes the cases of a policy from its corpora: every unsafe context, as
// strictly as the policy stops it; the benign contexts that are most like one, as
// the policy lets them pass; and the paths of its tree that most episodes took.
func Cases(p *artifacts.Policy, at map[string][]string, corpus *contexts.Corpus) ([]Case, error) {
	r, err := NewRunner(p, at)
	if err != nil {
		return nil, err
	}
	out := paths(p)
	unsafe, err := r.rows(corpus.Rows(contexts.Unsafe), Unsafe)
	if err != nil {
		return nil, err
	}
	benign, err := r.rows(corpus.Rows(contexts.Benign), Benign)
	if err != nil {
		return nil, err
	}
	for i := range unsafe {
		out = append(out, unsafe[i].Case)
	}
	for _, b := range nearest(unsafe, benign) {
		out = append(out, b.Case)
	}
	slices.SortFunc(out, func(a, b Case) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

// known is a case with what it is compared by.
type known struct {
	Case
	tool  string
	shape []string
	tie   string // breaks ties: the id of the case with its hosts shown, which no policy changes
}

// rows makes cases of corpus rows, each with what the policy decides.
func (r *Runner) rows(rows []*contexts.Row, kind Kind) ([]known, error) {
	var out []known
	for _, row := range rows {
		x, err := gates.ParseContext(row.Context)
		if err != nil {
			return nil, fmt.Errorf("context %s: %w", row.ID, err)
		}
		d := r.decide(&x, row.Macro)
		x = r.hide(&x, row.Macro, &d)
		c := Case{
			Kind: kind, Call: say(&x), Want: d.Disposition, Gated: r.gated(&d), Gates: d.Gates, Rules: rulesOf(&d), Macro: row.Macro, Context: x.AppendCanonical(nil),
		}
		if kind == Unsafe {
			c.Open = d.Disposition == gates.Approved
			c.Basis, c.Why = unsafeWhy(row)
		}
		c.ID = c.id()
		shown := Case{Kind: kind, Macro: row.Macro, Context: row.Context}
		out = append(out, known{c, row.Tool, shape(&x), shown.id()})
	}
	return out, nil
}

// hide takes the names of hosts out of a context, which may be somebody's own, but
// for those that the policy goes by: one that a gate names, and one without which the
// decision would be another.
func (r *Runner) hide(c *gates.Context, macro string, d *gates.Decision) gates.Context {
	names := slices.DeleteFunc(redact.Hosts(c), func(n string) bool { return strings.Contains(r.named, n) })
	as := func(names []string) (gates.Context, bool) {
		x := redact.HideHosts(c, names)
		is := r.decide(&x, macro)
		return x, is.Disposition == d.Disposition && slices.Equal(is.Gates, d.Gates) && slices.Equal(rulesOf(&is), rulesOf(d))
	}
	out, same := as(names)
	if same {
		return out
	}
	var hidden []string
	for _, n := range names {
		if _, same := as(append(hidden[:len(hidden):len(hidden)], n)); same {
			hidden = append(hidden, n)
		}
	}
	out, _ = as(hidden)
	return out
}

// unsafeWhy words the evidence of an unsafe row: the first of it, which is the
// same in any order.
func unsafeWhy(row *contexts.Row) (basis, why string) {
	if len(row.Evidence) == 0 {
		return "", "on record as unsafe"
	}
	e := &row.Evidence[0]
	why = fmt.Sprintf("ends an unsafe window of steps %d to %d", e.From+1, e.To+1)
	if e.From == e.To {
		why = fmt.Sprintf("an unsafe window of its own, step %d", e.To+1)
	}
	if e.Rule != "" {
		why += ", by " + e.Rule
	}
	if row.Total > 1 {
		why += fmt.Sprintf("; recorded %d times", row.Total)
	}
	return e.Basis, why
}

// How many benign calls stand beside each kind of unsafe call: those that the gates
// let pass, and those that they stop, which must not be stopped more strictly. Chosen for
// the size of a suite that a person still reads: at most four lines for one.
const (
	nearPassing = 3
	nearStopped = 1
)

// nearest picks the benign calls next to the unsafe ones. Two calls are as like as
// the sets of what gates read of them, without values, overlap (Jaccard, "The
// distribution of the flora in the alpine zone", New Phytologist 1912). Calls of
// one shape count once, so that the neighbours differ; that with the least id
// stands for them, and order does not matter.
func nearest(unsafe, benign []known) []known {
	shapes := byShape(benign)
	picked := map[string]bool{}
	var out []known
	for _, u := range onePerShape(unsafe) {
		for _, b := range neighbours(u, shapes[u.tool]) {
			if !picked[b.ID] {
				picked[b.ID] = true
				one := *b
				one.Why = fmt.Sprintf("a run that ended well made this call, of all one of those most like unsafe case %.12s", u.ID)
				out = append(out, one)
			}
		}
	}
	return out
}

// byShape are the cases of each tool, one for each shape and expectation.
func byShape(list []known) map[string][]*known {
	out := map[string][]*known{}
	for _, k := range onePerShape(list) {
		out[k.tool] = append(out[k.tool], k)
	}
	return out
}

func onePerShape(list []known) []*known {
	least := map[string]*known{}
	for i := range list {
		k := &list[i]
		key := k.tool + "\x00" + k.Want.String() + "\x00" + k.Gated.String() + "\x00" + strings.Join(k.shape, "\x00")
		if old := least[key]; old == nil || k.tie < old.tie {
			least[key] = k
		}
	}
	var out []*known
	for _, k := range least {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b *known) int { return cmp.Compare(a.tie, b.tie) })
	return out
}

// neighbours are the benign cases that are most like an unsafe one.
func neighbours(u *known, list []*known) []*known {
	like := map[*known]float64{}
	for _, b := range list {
		like[b] = jaccard(u.shape, b.shape)
	}
	sorted := slices.SortedFunc(slices.Values(list), func(a, b *known) int {
		return cmp.Or(cmp.Compare(like[b], like[a]), cmp.Compare(a.tie, b.tie))
	})
	var out []*known
	passing, stopped := 0, 0
	for _, b := range sorted {
		n, most := &passing, nearPassing
		if b.Gated < gates.Approved {
			n, most = &stopped, nearStopped
		}
		if *n < most {
			*n++
			out = append(out, b)
		}
	}
	return out
}

// jaccard is the overlap of two sorted sets: 1 for equal ones.
func jaccard(a, b []string) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			both++
			i++
			j++
		}
	}
	all := len(a) + len(b) - both
	if all == 0 {
		return 1
	}
	return float64(both) / float64(all)
}

// shape is what a call does and where its values come from, without the values:
// a sorted set.
func shape(c *gates.Context) []string {
	var out []string
	for i := range c.Effects {
		e := &c.Effects[i]
		out = append(out, fmt.Sprintf("effect %s %s %s %s %t %t", e.Kind, e.Op, e.Zone, e.Program, e.Sensitive, e.Protected))
	}
	for i := range c.Args {
		a := &c.Args[i]
		out = append(out, fmt.Sprintf("arg %s %s %s %s %s %s", a.Path, a.Role, a.Origin, a.Source, a.Number, a.Link))
	}
	for _, class := range c.Content {
		out = append(out, "content "+class)
	}
	for i := range c.History {
		h := &c.History[i]
		out = append(out, fmt.Sprintf("before %s %s", h.Kind, h.Op))
	}
	if c.Flow.SensitiveRead {
		out = append(out, "secrets read")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// maxPaths bounds the paths of a family that a suite has, and maxSteps their
// length. Both are chosen for reading. A leaf where one episode ended is an
// accident of that run, so a path has at least minEnded of them.
const (
	maxPaths = 5
	maxSteps = 64
	minEnded = 2
)

// paths are the ways to the leaves where most episodes of each family ended.
func paths(p *artifacts.Policy) []Case {
	type way struct {
		Case
		n uint32
	}
	t := &p.Tree
	of := map[string][]way{}
	for i := range t.Leaves {
		steps, family := wayTo(p, t.Leaves[i].Node)
		n := t.Leaves[i].Count
		if family == "" || len(steps) == 0 || len(steps) > maxSteps || n < minEnded {
			continue
		}
		c := Case{Kind: Path, Family: family, Steps: steps, Call: strings.Join(steps, ", "), Why: fmt.Sprintf("successful episodes ended here: %d when the case was written", n)}
		c.ID = c.id()
		of[family] = append(of[family], way{c, n})
	}
	var out []Case
	for _, list := range of {
		slices.SortFunc(list, func(a, b way) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.ID, b.ID)) })
		for _, w := range list[:min(len(list), maxPaths)] {
			out = append(out, w.Case)
		}
	}
	return out
}

// wayTo are the actions from a family's node to one below it. A way over a
// generic state has no name for that step, and none comes back.
func wayTo(p *artifacts.Policy, node int32) (steps []string, family string) {
	t := &p.Tree
	for n := node; n > 0; n = t.Nodes[n].Parent {
		s := t.Nodes[n].State
		if s < 0 {
			return nil, ""
		}
		f := &t.Families[t.States[s].Family]
		if f.Node == n {
			slices.Reverse(steps)
			return steps, f.Name
		}
		if t.States[s].Generic {
			return nil, ""
		}
		steps = append(steps, t.States[s].Action())
	}
	return nil, ""
}
