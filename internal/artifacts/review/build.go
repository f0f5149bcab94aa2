package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// New turns an opened policy into a Document. It fails only if opts name a
// family that is not there.
func New(p *artifacts.Policy, info *artifacts.Info, opts Options) (*Document, error) {
	return newDocument(p, info, opts, tableOf(artifacts.Fields()))
}

func newDocument(p *artifacts.Policy, info *artifacts.Info, opts Options, t table) (*Document, error) {
	d := &Document{
		Name: p.Name, Sequence: p.Sequence, Parent: p.Parent,
		Digest: info.Digest, Signed: info.Signed, Signature: info.Status(),
		Profile: p.Params.Profile, LogText: p.HoldsLogText(), Settings: settings(setOnly(t.all["PARM"], p), p),
		Encoder: fields(t.all["ENCO"], p, 0), Pack: fields(t.all["PACK"], p, 0), Guardrail: fields(t.all["RAIL"], p, 0),
		More:  append(fields(t.more["META"], p, 0), fields(notSettings(t.all["PARM"]), p, 0)...),
		Gates: gatesOf(p.Gates), Schemas: schemasOf(p.Schemas), Corpora: corporaOf(p.Corpora),
		Provenance: Provenance{
			Tool: p.Provenance.Tool, Config: p.Provenance.Config, Inputs: p.Provenance.Inputs.Count,
			Root: p.Provenance.Inputs.Root, Layouts: []Tally{}, Episodes: Episodes(p.Provenance.Episodes),
			More: fields(t.more["PROV"], p, 0),
		},
		Report: []Setting{}, Tasks: len(p.TaskDigests),
	}
	for _, l := range p.Provenance.Inputs.Layouts {
		d.Provenance.Layouts = append(d.Provenance.Layouts, Tally(l))
	}
	for _, m := range p.Report {
		d.Report = append(d.Report, Setting{m.Name, milli(m.Value)})
	}
	if opts.Stats {
		d.Clusters = make(map[string]Count)
		for _, k := range p.Tree.Clusters {
			d.Clusters[k.Key] = Count(k.Count)
		}
	}
	for i := range d.Gates {
		d.Gates[i].More = fields(t.more["GATE"], p, i)
	}
	for i := range d.Schemas {
		d.Schemas[i].More = fields(t.more["SCHM"], p, i)
	}
	for i := range d.Corpora {
		d.Corpora[i].More = fields(t.more["CORP"], p, i)
	}
	b := newBuilder(p, opts, t)
	if d.Families = b.families(); len(d.Families) == 0 && opts.Family != "" {
		return nil, fmt.Errorf("no family %q in the policy", opts.Family)
	}
	return d, nil
}

func gatesOf(gates []artifacts.Gate) []Gate {
	out := []Gate{}
	for i := range gates {
		out = append(out, gateOf(&gates[i]))
	}
	return out
}

func gateOf(g *artifacts.Gate) Gate {
	return Gate{
		ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Message: g.Message,
		Program: digest(g.Program), Unsafe: g.Evidence.Unsafe, Benign: g.Evidence.Benign, Rejected: g.Evidence.Rejected,
	}
}

func schemasOf(schemas []artifacts.Schema) []Schema {
	out := []Schema{}
	for _, s := range schemas {
		v := Schema{Name: s.Name, Digest: digest(s.Data), Bytes: len(s.Data)}
		if text := schemaText(s.Data); text != v.Digest {
			v.Text = text
		}
		out = append(out, v)
	}
	return out
}

func corporaOf(corpora []artifacts.CorpusRoot) []Corpus {
	out := []Corpus{}
	for _, c := range corpora {
		out = append(out, Corpus{Name: c.Name, Rows: c.Rows, Root: c.Root})
	}
	return out
}

// digest is short: for people to see that something changed.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func digestVecs(vecs ...tree.Vec) string {
	var b []byte
	for _, v := range vecs {
		b = append(b, byte(len(v)>>8), byte(len(v)))
		for _, x := range v {
			b = append(b, byte(x))
		}
	}
	return digest(b)
}

type builder struct {
	p    *artifacts.Policy
	ids  *names
	opts Options

	moreOfFamily, moreOfState, moreOfNode, moreOfLeaf []row
}

func newBuilder(p *artifacts.Policy, opts Options, t table) *builder {
	return &builder{p: p, ids: nameAll(p), opts: opts,
		moreOfFamily: t.more["FAMS"], moreOfState: t.more["STAT"], moreOfNode: t.more["NODE"], moreOfLeaf: t.more["LEAF"]}
}

func (b *builder) ref(state int32) Ref {
	return Ref{ID: b.ids.states[state].String(), Key: b.p.Tree.States[state].Key}
}

func (b *builder) refs(states []int32) []Ref {
	out := []Ref{}
	for _, s := range states {
		out = append(out, b.ref(s))
	}
	return out
}

func (b *builder) families() []Family {
	out := []Family{}
	leaves := leavesByNode(&b.p.Tree)
	for i := range b.p.Tree.Families {
		f := &b.p.Tree.Families[i]
		if b.opts.Family != "" && f.Name != b.opts.Family {
			continue
		}
		v := b.family(f, leaves)
		v.More = fields(b.moreOfFamily, b.p, i)
		out = append(out, v)
	}
	return out
}

func (b *builder) family(f *tree.Family, leaves map[int32]int) Family {
	t := &b.p.Tree
	v := Family{
		Name: f.Name, Tools: list(f.Tools), Prototypes: list(texts(f.Prototypes)), Vocabulary: f.Vocabulary, Common: []string{},
		Start: b.ids.states[f.Start].String(), Node: b.ids.nodes[f.Node].String(),
	}
	vecs := []tree.Vec{f.Centroid, f.Fit.Vec}
	for _, p := range f.Prototypes {
		vecs = append(vecs, p.Vec)
	}
	v.Exemplars = len(f.Exemplars)
	vecs = append(vecs, f.Exemplars...)
	for _, s := range f.Common {
		v.Common = append(v.Common, b.ids.states[s].String())
	}
	if b.opts.Stats {
		v.Vectors = digestVecs(vecs...)
	}
	for i := f.First; int(i) < len(t.States) && t.States[i].Family == t.States[f.First].Family; i++ {
		v.States = append(v.States, b.state(i))
	}
	depth := map[int32]int{f.Node: 1}
	for i := f.Node; int(i) < len(t.Nodes) && (i == f.Node || t.Nodes[i].Parent >= f.Node); i++ {
		depth[i] = depth[t.Nodes[i].Parent] + 1
		v.Nodes = append(v.Nodes, b.node(i, depth[i], leaves))
	}
	return v
}

func (b *builder) state(i int32) State {
	s := &b.p.Tree.States[i]
	v := State{
		ID: b.ids.states[i].String(), Key: s.Key, Desc: s.Desc, Delta: s.Delta.String(), Risk: s.Risk,
		Generic: s.Generic, Tools: []string{}, Next: []Edge{}, After: b.refs(s.Pre.After), Needs: list(s.Pre.Tools),
		More: fields(b.moreOfState, b.p, int(i)),
	}
	for _, u := range s.Tools {
		v.Tools = append(v.Tools, u.Name)
	}
	slices.Sort(v.Tools)
	for _, next := range s.Next {
		e := Edge{Ref: b.ref(next.To)}
		if b.opts.Stats {
			c := Count(next.Count)
			e.Count = &c
		}
		v.Next = append(v.Next, e)
	}
	if b.opts.Stats {
		v.Stats = &StateStats{Count: Count(s.Count), Calls: map[string]uint32{}, Vectors: digestVecs(append(slices.Clone(s.Vecs), s.Fit.Vec)...),
			Gain: s.Fit.Gain, Bias: s.Fit.Bias}
		for _, u := range s.Tools {
			v.Stats.Calls[u.Name] = u.Calls
		}
	}
	return v
}

func (b *builder) node(i int32, depth int, leaves map[int32]int) Node {
	n := &b.p.Tree.Nodes[i]
	v := Node{ID: b.ids.nodes[i].String(), Depth: depth, State: b.ref(n.State), Gates: list(n.Gates), More: fields(b.moreOfNode, b.p, int(i))}
	if n.Parent != tree.Root {
		v.Parent = b.ids.nodes[n.Parent].String()
	}
	if k, ok := leaves[i]; ok {
		leaf := &b.p.Tree.Leaves[k]
		v.Leaf = &Leaf{Tasks: list(texts(leaf.Tasks)), More: fields(b.moreOfLeaf, b.p, k)}
		if b.opts.Stats {
			v.Leaf.Episodes, v.Leaf.Env = leaf.Count, digestVecs(leaf.Env)
		}
	}
	if b.opts.Stats {
		v.Stats = &NodeStats{Count: Count(n.Count)}
	}
	return v
}

func leavesByNode(t *tree.Tree) map[int32]int {
	out := make(map[int32]int, len(t.Leaves))
	for i := range t.Leaves {
		out[t.Leaves[i].Node] = i
	}
	return out
}
