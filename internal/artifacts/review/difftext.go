package review

import (
	"fmt"
	"strings"
)

// mostLines is how many lines of one kind Text writes before it says how many
// more there are; JSON has them all.
const mostLines = 50

type diffWriter struct {
	strings.Builder
}

// section writes a heading and its lines, if there are any.
func section[T any](w *diffWriter, heading string, items []T, line func(T) string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s (%d)\n", heading, len(items))
	for i, x := range items {
		if i == mostLines {
			fmt.Fprintf(w, "  and %d more; --json has all\n", len(items)-i)
			return
		}
		fmt.Fprintf(w, "  %s\n", line(x))
	}
}

// Text writes the changes for a reviewer: the first screen, then everything in
// full, what weakens first.
func (c *Changes) Text() []byte {
	return append([]byte(strings.Join(c.Summary(), "\n")+"\n\n"), c.details()...)
}

// details is everything in full.
func (c *Changes) details() []byte {
	w := &diffWriter{}
	fmt.Fprintf(w, "old %s\nnew %s\n", c.Old.text(), c.New.text())
	section(w, "WEAKER", c.Weakens, func(f Finding) string { return "!!! " + f.Rule + ": " + f.Message })
	if c.Same {
		return []byte(w.String())
	}
	section(w, "limits fitted to other tasks", c.Refitted, func(s string) string { return s })
	section(w, "settings changed", c.Settings, Change.text)
	if c.Evidence != nil {
		section(w, "benign calls newly stopped, such as", c.Evidence.Examples, func(s string) string { return s })
	}
	c.Cards.text(w)
	c.gates(w)
	c.tree(w)
	section(w, "evidence changed", c.Sealed, Change.text)
	c.Stats.text(w)
	return []byte(w.String())
}

func (c *Changes) gates(w *diffWriter) {
	gate := func(sign string) func(Gate) string {
		return func(g Gate) string {
			return fmt.Sprintf("%s %s %s %s %s (%d unsafe, %d benign, %d of them rejected)",
				sign, g.ID, g.Scope, g.Disposition, quote(g.Expr), g.Unsafe, g.Benign, g.Rejected)
		}
	}
	section(w, "gates added", c.Gates.Added, gate("+"))
	section(w, "GATES REMOVED", c.Gates.Removed, gate("-"))
	section(w, "of those provably replaced", c.Gates.Replaced, func(r Replaced) string { return "= " + r.Old + " by " + r.By })
	section(w, "gates changed", c.Gates.Changed, Change.text)
	section(w, "gates that stop more benign tasks on record", c.Gates.Costlier, func(s string) string { return s })
	section(w, "nodes with other gates", c.Nodes.Gated, func(n NodeGate) string {
		s := "~ " + n.text()
		for _, g := range n.Added {
			s += " +" + g
		}
		for _, g := range n.Removed {
			s += " -" + g
		}
		return s
	})
}

func (c *Changes) tree(w *diffWriter) {
	family := func(sign string) func(FamilyRef) string {
		return func(f FamilyRef) string {
			return fmt.Sprintf("%s %s: %s", sign, quote(f.Name), plural(f.States, "state", f.Nodes, "node", f.Leaves, "leaf", f.Tasks, "task"))
		}
	}
	section(w, "families added", c.Families.Added, family("+"))
	section(w, "families removed", c.Families.Removed, family("-"))
	section(w, "families changed", c.Families.Changed, Change.text)
	section(w, "states added", c.States.Added, func(s StateRef) string { return "+ " + s.text() })
	section(w, "states removed", c.States.Removed, func(s StateRef) string { return "- " + s.text() })
	section(w, "states changed", c.States.Changed, StateChange.text)
	section(w, "edges added", c.Edges.Added, func(e EdgeRef) string { return "+ " + e.text() })
	section(w, "edges removed", c.Edges.Removed, func(e EdgeRef) string { return "- " + e.text() })
	section(w, "nodes added", c.Nodes.Added, func(n NodeRef) string { return "+ " + n.text() })
	section(w, "nodes removed", c.Nodes.Removed, func(n NodeRef) string { return "- " + n.text() })
	section(w, "nodes changed", c.Nodes.Changed, Change.text)
	section(w, "leaves added", c.Leaves.Added, func(n NodeRef) string { return "+ " + n.text() })
	section(w, "leaves removed", c.Leaves.Removed, func(n NodeRef) string { return "- " + n.text() })
	if c.Leaves.Tasks > 0 {
		fmt.Fprintf(w, "\nleaves with other tasks: %d\n", c.Leaves.Tasks)
	}
}

func (s Stats) text(w *diffWriter) {
	if s.none() {
		return
	}
	w.WriteString("\nstatistics changed\n")
	for _, f := range s.Families {
		fmt.Fprintf(w, "  %s\n", f.text())
	}
	for _, n := range []struct {
		count int
		what  string
	}{
		{s.States, "states with other counts"},
		{s.Edges, "edges with other counts"},
		{s.Nodes, "nodes with other counts"},
		{s.Leaves, "leaves with other counts"},
		{s.Clusters, "clusters with other counts"},
		{s.Vectors, "families, states and leaves with other vectors"},
		{s.TasksAdded, "tasks added"},
		{s.TasksRemoved, "tasks removed"},
	} {
		if n.count > 0 {
			fmt.Fprintf(w, "  %d %s\n", n.count, n.what)
		}
	}
}

func (v Version) text() string {
	return fmt.Sprintf("%s sequence %d digest %s, %s", quote(v.Name), v.Sequence, v.Digest, v.Signature)
}

func (c Change) text() string {
	switch {
	case c.Old == "":
		return "+ " + c.Name + ": " + c.New
	case c.New == "":
		return "- " + c.Name + ": " + c.Old
	}
	return "~ " + c.Name + ": " + c.Old + " -> " + c.New
}

func (s StateRef) text() string {
	return fmt.Sprintf("%s %s %s: %s", s.ID, quote(s.Family), quote(s.Key), quote(s.Desc))
}

func (s StateChange) text() string {
	out := fmt.Sprintf("~ %s %s %s", s.ID, quote(s.Family), quote(s.Key))
	for _, f := range s.Fields {
		out += "\n      " + f.text()
	}
	return out
}

func (e EdgeRef) text() string {
	return fmt.Sprintf("%s %s > %s", quote(e.Family), quote(e.From), quote(e.To))
}

func (n NodeRef) text() string {
	out := fmt.Sprintf("%s %s %s", n.ID, quote(n.Family), path(n.Path))
	if n.Below > 0 {
		out += fmt.Sprintf(" and %s below", plural(n.Below, "node", n.Leaves, "leaf"))
	}
	if n.Tasks > 0 {
		out += ", " + counted(n.Tasks, "task")
	}
	return out
}

// none says whether no number moved.
func (s Stats) none() bool {
	return len(s.Families) == 0 && s.States+s.Edges+s.Nodes+s.Leaves+s.Clusters+s.Vectors+s.TasksAdded+s.TasksRemoved == 0
}

// plural writes "3 states, 1 leaf" from numbers and their names.
func plural(pairs ...any) string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		n, name := pairs[i].(int), pairs[i+1].(string)
		switch {
		case n == 1:
		case name == "leaf":
			name = "leaves"
		default:
			name += "s"
		}
		out = append(out, fmt.Sprintf("%d %s", n, name))
	}
	return strings.Join(out, ", ")
}
