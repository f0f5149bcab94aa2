package join

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/tree"
)

// Conflict is the error of policies that can't be merged.
type Conflict struct {
	Reasons []string // a sentence each
}

func (c *Conflict) Error() string { return strings.Join(c.Reasons, "; ") }

// Side is a policy and the digest of its file.
type Side struct {
	Policy *artifacts.Policy
	Digest string
}

// Policies merges ours and theirs, which both came from base. The result names
// ours as its parent and is numbered behind both. The error is a *Conflict, or
// what is wrong with a result that is no policy.
func Policies(base, ours, theirs Side) (*artifacts.Policy, error) {
	j := &joiner{base: base.Policy, ours: ours.Policy, theirs: theirs.Policy}
	out := j.behaviour()
	out.Name = *pick(&j.base.Name, &j.ours.Name, &j.theirs.Name)
	out.Sequence = max(j.ours.Sequence, j.theirs.Sequence) + 1
	out.Parent = ours.Digest
	out.Gates = j.gates()
	out.Pack = j.ours.Pack.Tighten(j.theirs.Pack.Steps(), j.theirs.Pack.WallSeconds(), j.theirs.Pack.Tokens())
	out.Guardrail = j.guardrail()
	out.Schemas = j.schemas()
	j.nodeGates(out)
	if len(j.reasons) == 0 {
		j.weaker(out, ours)
		j.weaker(out, theirs)
	}
	if len(j.reasons) > 0 {
		return nil, &Conflict{j.reasons}
	}
	return out, out.Check()
}

type joiner struct {
	base, ours, theirs *artifacts.Policy
	other              *artifacts.Policy // the side whose tree was not taken
	reasons            []string
}

func (j *joiner) conflict(format string, args ...any) {
	j.reasons = append(j.reasons, fmt.Sprintf(format, args...))
}

// pick is a three-way choice: what changed on one side, and ours where both did.
func pick[T any](base, ours, theirs *T) *T {
	if reflect.DeepEqual(base, ours) {
		return theirs
	}
	return ours
}

// behaviour takes the tree, with all that is calibrated on it, from the side that
// changed it, and what was measured with it.
func (j *joiner) behaviour() *artifacts.Policy {
	from := j.ours
	j.other = j.theirs
	was, our, their := steering(j.base), steering(j.ours), steering(j.theirs)
	if reflect.DeepEqual(was, our) {
		from, j.other = j.theirs, j.ours
	} else if !reflect.DeepEqual(was, their) && !reflect.DeepEqual(our, their) {
		j.conflict("both sides changed the tree or its settings: take one side (git checkout --ours or --theirs), and distil the logs of the other again with --parent")
	}
	out := *from
	out.Tree.Nodes = slices.Clone(from.Tree.Nodes)
	if !reflect.DeepEqual(j.ours.Corpora, j.theirs.Corpora) && !reflect.DeepEqual(j.ours.Corpora, j.base.Corpora) && !reflect.DeepEqual(j.theirs.Corpora, j.base.Corpora) {
		j.conflict("both sides have new contexts on record: distil the logs of one side again with the other as --parent, which keeps both")
	}
	out.Corpora = *pick(&j.base.Corpora, &j.ours.Corpora, &j.theirs.Corpora)
	return &out
}

// steering is what belongs to the tree: it can be taken from one side only.
func steering(p *artifacts.Policy) any {
	t := p.Tree
	t.Nodes = slices.Clone(t.Nodes)
	for i := range t.Nodes {
		t.Nodes[i].Gates = nil
	}
	return []any{t, p.Params, p.Encoder, p.LogText, p.TaskDigests}
}

// gates has every gate of either side, with the larger evidence.
func (j *joiner) gates() []artifacts.Gate {
	all := slices.Clone(j.ours.Gates)
	for _, g := range j.theirs.Gates {
		i := slices.IndexFunc(all, func(o artifacts.Gate) bool { return o.ID == g.ID })
		if i < 0 {
			all = append(all, g)
			continue
		}
		if was := slices.IndexFunc(j.base.Gates, func(o artifacts.Gate) bool { return o.ID == g.ID }); was >= 0 && j.base.Gates[was].Message == all[i].Message {
			all[i].Message = g.Message
		}
		all[i].Evidence = larger(all[i].Evidence, g.Evidence)
	}
	slices.SortFunc(all, func(a, b artifacts.Gate) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

func larger(a, b artifacts.Evidence) artifacts.Evidence {
	out := a
	if b.Benign > a.Benign {
		out.Benign, out.Rejected = b.Benign, b.Rejected
	}
	out.Unsafe = max(a.Unsafe, b.Unsafe)
	return out
}

// nodeGates puts the gates that nodes of the other side ask on the same nodes of
// the result, and on all below them.
func (j *joiner) nodeGates(out *artifacts.Policy) {
	at := map[string]int{}
	for i, id := range review.NodeIDs(out) {
		at[id] = i
	}
	ids := review.NodeIDs(j.other)
	for k := 1; k < len(j.other.Tree.Nodes); k++ {
		n := &j.other.Tree.Nodes[k]
		if len(n.Gates) == 0 {
			continue
		}
		i, ok := at[ids[k]]
		if !ok {
			j.conflict("one side removed node %s, which asks gates on the other side", ids[k])
			continue
		}
		out.Tree.Nodes[i].Gates = union(out.Tree.Nodes[i].Gates, n.Gates)
	}
	for i := 1; i < len(out.Tree.Nodes); i++ { // parents stand before their children
		n := &out.Tree.Nodes[i]
		if n.Parent != tree.Root {
			n.Gates = union(n.Gates, out.Tree.Nodes[n.Parent].Gates)
		}
	}
}

// schemas are those of the side that changed them, tool by tool.
func (j *joiner) schemas() []artifacts.Schema {
	names := map[string]bool{}
	of := func(p *artifacts.Policy) map[string]string {
		out := map[string]string{}
		for _, s := range p.Schemas {
			out[s.Name], names[s.Name] = string(s.Data), true
		}
		return out
	}
	base, ours, theirs := of(j.base), of(j.ours), of(j.theirs)
	var out []artifacts.Schema
	for _, name := range sorted(names) {
		b, o, t := base[name], ours[name], theirs[name]
		if o != t && o != b && t != b {
			j.conflict("both sides changed the schema of tool %q", name)
		}
		if data := *pick(&b, &o, &t); data != "" {
			out = append(out, artifacts.Schema{Name: name, Data: []byte(data)})
		}
	}
	return out
}

// weaker holds the result against a side by what a reviewer would read.
func (j *joiner) weaker(out *artifacts.Policy, side Side) {
	none := &artifacts.Info{Digest: side.Digest}
	for _, f := range review.Compare(side.Policy, out, none, &artifacts.Info{Digest: "the result"}).Weakens {
		about, _, _ := strings.Cut(f.Rule, "/")
		if about == "gate" || about == "guardrail" || about == "pack" || about == "field" {
			j.conflict("a merged policy would be weaker than one side (%s): %s", f.Rule, f.Message)
		}
	}
}
