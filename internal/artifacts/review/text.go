package review

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// writer writes the blocks and fields of TEXT.md.
type writer struct{ strings.Builder }

// block opens a block; its words are written as they are.
func (w *writer) block(words ...string) {
	w.WriteByte('\n')
	w.WriteString(strings.Join(words, " "))
	w.WriteByte('\n')
}

func (w *writer) field(name string, values ...any) {
	w.WriteString("  ")
	w.WriteString(name)
	for _, v := range values {
		fmt.Fprintf(w, " %v", v)
	}
	w.WriteByte('\n')
}

// each writes one field for every text of a list.
func (w *writer) each(name string, texts []string) {
	for _, t := range texts {
		w.field(name, quote(t))
	}
}

func (w *writer) count(c Count) { w.field("count", c.Tasks, c.Success, c.Failure) }

// quote makes any text one visible line: line breaks, control characters and
// characters that change the direction of text come out escaped.
func quote(s string) string { return strconv.Quote(s) }

// Text returns the canonical text of the document, as TEXT.md describes it.
func (d *Document) Text() []byte {
	w := &writer{}
	w.WriteString("gbt policy text 1\n")
	d.head(w)
	d.gates(w)
	d.evidence(w)
	for i := range d.Families {
		d.Families[i].text(w)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Clusters)) {
		w.block("cluster", quote(key))
		w.count(d.Clusters[key])
	}
	return []byte(w.String())
}

func (d *Document) head(w *writer) {
	w.block("policy", quote(d.Name))
	w.field("signature", strings.TrimPrefix(d.Signature, "signature "))
	w.field("digest", d.Digest)
	w.field("sequence", d.Sequence)
	if d.Parent != "" {
		w.field("parent", d.Parent)
	}
	w.field("profile", d.Profile)
	w.field("log_text", d.LogText)
	w.fields(d.More)
	w.block("settings")
	for _, s := range d.Settings {
		w.field(s.Name, s.Value)
	}
	w.block("encoder", fmt.Sprint(d.Encoder[0].lines[0][1]))
	w.fields(d.Encoder[1:])
	w.block("pack")
	w.fields(d.Pack)
	w.block("guardrail")
	w.fields(d.Guardrail)
}

func (d *Document) gates(w *writer) {
	for _, g := range d.Gates {
		w.block("gate", g.ID)
		w.field("scope", g.Scope)
		w.field("disposition", g.Disposition)
		w.field("expression", quote(g.Expr))
		w.field("message", quote(g.Message))
		w.field("program", g.Program)
		w.field("evidence", g.Unsafe, "unsafe", g.Benign, "benign", g.Rejected, "rejected")
		w.fields(g.More)
	}
	for _, s := range d.Schemas {
		w.block("schema", quote(s.Name))
		w.field("bytes", s.Bytes, s.Digest)
		if s.Text != "" {
			w.field("says", quote(s.Text))
		}
		w.fields(s.More)
	}
}

func (d *Document) evidence(w *writer) {
	p := &d.Provenance
	w.block("provenance")
	w.field("tool", quote(p.Tool))
	w.field("config", p.Config)
	w.field("inputs", p.Inputs, p.Root)
	for _, l := range p.Layouts {
		w.field("layout", quote(l.Name), l.Count)
	}
	e := &p.Episodes
	w.field("episodes", e.Read, "read", e.Used, "used", e.Success, "success", e.Failure, "failure", e.Unsafe, "unsafe")
	w.field("records", e.Skipped, "skipped", e.Malformed, "malformed")
	w.field("tasks", d.Tasks)
	w.fields(p.More)
	for _, c := range d.Corpora {
		w.block("corpus", quote(c.Name))
		w.field("rows", c.Rows)
		w.field("root", c.Root)
		w.fields(c.More)
	}
	if len(d.Report) > 0 {
		w.block("report")
	}
	for _, m := range d.Report {
		w.field(quote(m.Name), m.Value)
	}
}

func (f *Family) text(w *writer) {
	w.block("family", quote(f.Name))
	w.each("tool", f.Tools)
	w.each("prototype", f.Prototypes)
	if f.Exemplars > 0 {
		w.field("exemplars", f.Exemplars)
	}
	w.field("vocabulary", f.Vocabulary)
	w.field("start", f.Start)
	w.field("node", f.Node)
	for _, c := range f.Common {
		w.field("common", c)
	}
	if f.Vectors != "" {
		w.field("vectors", f.Vectors)
	}
	w.fields(f.More)
	for i := range f.States {
		f.States[i].text(w)
	}
	for i := range f.Nodes {
		f.Nodes[i].text(w)
	}
}

func (s *State) text(w *writer) {
	w.block("state", s.ID, quote(s.Key))
	w.field("description", quote(s.Desc))
	w.field("delta", s.Delta)
	w.field("risk", s.Risk)
	if s.Generic {
		w.field("generic")
	}
	for _, t := range s.Tools {
		if s.Stats == nil {
			w.field("tool", quote(t))
		} else {
			w.field("tool", quote(t), s.Stats.Calls[t])
		}
	}
	for _, e := range s.Next {
		if e.Count == nil {
			w.field("next", e.ID, quote(e.Key))
		} else {
			w.field("next", e.ID, quote(e.Key), e.Count.Tasks, e.Count.Success, e.Count.Failure)
		}
	}
	for _, r := range s.After {
		w.field("after", r.ID, quote(r.Key))
	}
	w.each("needs", s.Needs)
	w.fields(s.More)
	if s.Stats != nil {
		w.count(s.Stats.Count)
		w.field("vectors", s.Stats.Vectors)
		w.field("fit", s.Stats.Gain, s.Stats.Bias)
	}
}

func (n *Node) text(w *writer) {
	w.block("node", n.ID)
	w.field("state", n.State.ID, quote(n.State.Key))
	if n.Parent != "" {
		w.field("parent", n.Parent)
	}
	w.field("depth", n.Depth)
	for _, g := range n.Gates {
		w.field("gate", g)
	}
	w.fields(n.More)
	if n.Leaf != nil {
		w.field("leaf")
		w.each("task", n.Leaf.Tasks)
		w.fields(n.Leaf.More)
	}
	if n.Stats == nil {
		return
	}
	if n.Leaf != nil {
		w.field("ended", n.Leaf.Episodes)
		w.field("environment", n.Leaf.Env)
	}
	w.count(n.Stats.Count)
}
