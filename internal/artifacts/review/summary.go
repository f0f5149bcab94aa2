package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The first screen: what a reviewer must know fits on a small terminal.
const (
	screenLines   = 24
	screenColumns = 100
	leastFindings = 5  // shown there, however much else there is; the details have all
	mostGates     = 3  // added ones
	mostSetting   = 60 // columns of one that changed: room for a path, and for others beside it
)

// Evidence is what two policies do to recorded calls: those that travel beside the
// policies, and those that a reviewer names.
type Evidence struct {
	// Unsafe contexts on record with the old policy that it stops, and how many of
	// them, and of mutations of them, the new one lets pass (requirement G5).
	Recorded   int `json:"recorded"`
	Mutated    int `json:"mutated"`
	Readmitted int `json:"readmitted"`
	// Gates of the old policy, and those that one of the new policy provably stands
	// for, for all contexts there can be.
	OldGates int `json:"old_gates"`
	Proved   int `json:"proved"`
	// Recorded contexts that the new policy stops more firmly than the old one, which
	// let them pass or only asked.
	Unsafe        int      `json:"unsafe"`
	UnsafeStopped int      `json:"unsafe_newly_stopped"`
	Benign        int      `json:"benign"`
	BenignStopped int      `json:"benign_newly_stopped"`
	Examples      []string `json:"examples"` // benign ones, the first few

	// Missing are unsafe contexts on record with the old policy that are not on
	// record with the new one, if there are contexts beside both.
	Missing int `json:"missing"`
}

// Weigh puts evidence beside the changes.
func (c *Changes) Weigh(e *Evidence) {
	e.Examples = list(e.Examples)
	c.Evidence = e
	if e.Readmitted > 0 {
		c.weakens("gate/readmitted", "%d of %d unsafe calls that OLD stops are stopped no longer, or less firmly", e.Readmitted, e.Recorded+e.Mutated)
	}
	if e.Missing > 0 {
		c.weakens("evidence/unsafe", "%d unsafe contexts on record with the old policy are not on record with the new one", e.Missing)
	}
	sortFindings(c.Weakens)
}

func (c *Changes) weakens(rule, format string, args ...any) {
	c.Weakens = append(c.Weakens, Finding{rule, levelOf(rule), fmt.Sprintf(format, args...)})
}

// Summary is the first screen: at most 24 lines of 100 columns, the worst first.
func (c *Changes) Summary() []string {
	var body []string
	if !c.Same {
		body = append(append([]string{""}, c.safety()...), c.behaviour()...)
	}
	out := []string{c.title(), "", c.verdict()}
	out = append(out, c.worst(screenLines-len(out)-len(body))...)
	out = append(out, body...)
	if len(out) > screenLines {
		out = append(out[:screenLines-1], "  more below")
	}
	for i, line := range out {
		out[i] = cut(line, screenColumns)
	}
	return out
}

// worst are the first findings, as many as there is room for and never fewer than
// leastFindings.
func (c *Changes) worst(room int) []string {
	if all := 2 * len(c.Weakens); all <= room {
		room = all
	}
	most := max(leastFindings, room-1)
	if len(c.Weakens) <= room {
		most = len(c.Weakens)
	}
	var out []string
	for i, f := range c.Weakens {
		if i == most {
			return append(out, fmt.Sprintf("  and %d more, below", len(c.Weakens)-i))
		}
		out = append(out, f.lines(room >= 2*len(c.Weakens))...)
	}
	return out
}

// lines are a finding on the first screen, on two lines if it is long and there
// is room.
func (f *Finding) lines(room bool) []string {
	const label = 22
	line := fmt.Sprintf("  %-19s %s", f.Rule, f.Message)
	if !room || utf8.RuneCountInString(line) <= screenColumns {
		return []string{line}
	}
	runes := []rune(line)
	at := screenColumns
	if space := strings.LastIndexByte(string(runes[:at]), ' '); space > label {
		at = utf8.RuneCountInString(string(runes[:at])[:space])
	}
	return []string{string(runes[:at]), strings.Repeat(" ", label) + strings.TrimSpace(string(runes[at:]))}
}

// cut shortens a line to a width.
func cut(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-3]) + "..."
}

func (c *Changes) title() string {
	if c.Old.Name == c.New.Name {
		return fmt.Sprintf("policy %s: sequence %d -> %d", quote(c.New.Name), c.Old.Sequence, c.New.Sequence)
	}
	return fmt.Sprintf("policy %s sequence %d -> %s sequence %d", quote(c.Old.Name), c.Old.Sequence, quote(c.New.Name), c.New.Sequence)
}

// verdict is the sentence that everything else explains.
func (c *Changes) verdict() string {
	if len(c.Weakens) > 0 {
		errs := c.Errors()
		rest := len(c.Weakens) - errs
		return fmt.Sprintf("WEAKER in %s: %d may let calls pass that were stopped, %d %s about origin, evidence or claims",
			counted(len(c.Weakens), "point"), errs, rest, be(rest))
	}
	if c.Same {
		return "no difference"
	}
	return "Not weaker: every gate is kept or provably replaced, no setting is looser, no evidence is gone."
}

// Errors counts the findings that may let calls pass.
func (c *Changes) Errors() int {
	n := 0
	for _, f := range c.Weakens {
		if f.Level == LevelError {
			n++
		}
	}
	return n
}

// fact is a line of the first screen: a word, and what is said of it. Facts of
// which nothing can be said are left out.
func fact(out []string, name string, parts ...string) []string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return out
	}
	return append(out, fmt.Sprintf("  %-11s %s", name, strings.Join(parts, ", ")))
}

func (c *Changes) safety() []string {
	g := &c.Gates
	out := fact(nil, "gates", some(len(g.Added), "added"), some(len(g.Removed), "removed"),
		some(len(g.Replaced), "of those provably replaced"), some(len(g.Changed), "changed in message or evidence"),
		c.asking())
	for i, a := range g.Added {
		if i == mostGates {
			out = append(out, fmt.Sprintf("              and %d more", len(g.Added)-i))
			break
		}
		out = append(out, "              + "+c.says(&a), fmt.Sprintf("                %s, %s: stopped %d unsafe calls, %d of %d benign tasks",
			short(a.ID), asked[a.Scope], a.Unsafe, a.Rejected, a.Benign))
	}
	if len(g.Costlier) > 0 {
		out = fact(out, "cost more", g.Costlier[0], some(len(g.Costlier)-1, "more"))
	}
	out = append(out, c.Evidence.lines()...)
	var settings []string
	for _, s := range c.Settings {
		if !slices.Contains([]string{"sequence", "parent", "name"}, s.Name) {
			settings = append(settings, cut(s.brief(), mostSetting))
		}
	}
	if len(settings) > 0 {
		out = fact(out, "settings", cut(fmt.Sprintf("%d changed: %s", len(settings), strings.Join(settings, "; ")), screenColumns))
	}
	var tools []string
	for _, s := range c.Sealed {
		if tool, ok := strings.CutPrefix(s.Name, schemaPrefix); ok {
			tools = append(tools, tool)
		}
	}
	if len(tools) > 0 {
		out = fact(out, "tools", cut(fmt.Sprintf("what %s %s said to do changed: %s", counted(len(tools), "tool"), be(len(tools)), strings.Join(tools, ", ")), screenColumns))
	}
	if len(out) == 0 {
		out = []string{"  no gate and no setting changed"}
	}
	return append([]string{"Safety"}, out...)
}

// asking says how many steps ask more gates than before, and how many fewer.
func (c *Changes) asking() string {
	more, fewer := 0, 0
	for _, n := range c.Nodes.Gated {
		if len(n.Removed) == 0 {
			more++
		} else {
			fewer++
		}
	}
	var out []string
	if more > 0 {
		out = append(out, counted(more, "step")+" with more gates than before")
	}
	if fewer > 0 {
		out = append(out, counted(fewer, "step")+" without a gate that was asked there")
	}
	return strings.Join(out, ", ")
}

// brief is a change on the first screen. What one side lacks has a sign, as in the
// details.
func (s Change) brief() string {
	switch {
	case s.Old == "":
		return s.Name + " +" + s.New
	case s.New == "":
		return s.Name + " -" + s.Old
	}
	return s.Name + " " + s.Old + " -> " + s.New
}

func (e *Evidence) lines() []string {
	if e == nil {
		return []string{"  on record   not looked at: there is no OLD.contexts.parquet beside OLD"}
	}
	var out []string
	line := func(name string, of int, text string, args ...any) {
		if of > 0 {
			out = fact(out, name, fmt.Sprintf(text, args...))
		}
	}
	line("re-admitted", e.Recorded+e.Mutated, "%d of %d unsafe calls that OLD stops (%d on record, %d made from them)", e.Readmitted, e.Recorded+e.Mutated, e.Recorded, e.Mutated)
	line("proofs", e.OldGates, "%d of %d old gates: NEW provably stops all that they stop", e.Proved, e.OldGates)
	line("gain", e.Unsafe, "%d of %d unsafe calls on record are stopped more firmly than before", e.UnsafeStopped, e.Unsafe)
	line("cost", e.Benign, "%d of %d benign calls on record are stopped more firmly than before", e.BenignStopped, e.Benign)
	if e.Unsafe == 0 {
		out = fact(out, "on record", "no unsafe call: nothing shows what NEW lets pass")
	}
	return out
}

func (c *Changes) behaviour() []string {
	var out []string
	n, f := &c.Nodes, &c.Families
	out = fact(out, "families", some(len(f.Added), "added"+serving(sumOf(f.Added, FamilyRef.tasks))), some(len(f.Removed), "removed"+serving(sumOf(f.Removed, FamilyRef.tasks))), some(len(f.Changed), "settings changed"))
	out = fact(out, "steps", some(sumOf(n.Added, NodeRef.steps), "added"+serving(sumOf(n.Added, NodeRef.tasks))),
		some(sumOf(n.Removed, NodeRef.steps), "removed"+serving(sumOf(n.Removed, NodeRef.tasks))))
	out = fact(out, "step kinds", some(len(c.States.Added), "added"), some(len(c.States.Removed), "removed"), some(len(c.States.Changed), "changed"))
	out = fact(out, "endings", some(len(c.Leaves.Added), "added"), some(len(c.Leaves.Removed), "removed"))
	s := &c.Stats
	out = fact(out, "counts", some(s.States, "step kinds counted anew"), some(s.Nodes, "steps"), some(s.Edges, "links"), some(s.Leaves, "endings"))
	out = fact(out, "words", some(s.Vectors, "families, step kinds and endings found by other words"))
	out = fact(out, "tasks", some(s.TasksAdded, "added"), some(s.TasksRemoved, "removed"))
	out = fact(out, "claims", some(len(c.Refitted), "limits a little lower, fitted to other tasks: more is claimed"))
	for i, m := range s.Families {
		if i == 3 {
			out = append(out, fmt.Sprintf("              and %d more families", len(s.Families)-i))
			break
		}
		out = append(out, "              "+m.text())
	}
	if len(out) == 0 {
		out = []string{"  the same tree, with the same counts"}
	}
	return append([]string{"Behaviour"}, out...)
}

func (m FamilyCount) text() string {
	return fmt.Sprintf("%s: %d tasks -> %d, episodes that succeeded %d -> %d, failed %d -> %d",
		quote(m.Family), m.Old.Tasks, m.New.Tasks, m.Old.Success, m.New.Success, m.Old.Failure, m.New.Failure)
}

// some is a number of things, or nothing if there are none.
func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}

func serving(tasks int) string {
	if tasks == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", counted(tasks, "task"))
}

// counted writes "1 point", "3 points".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// be agrees with a number.
func be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func (f FamilyRef) tasks() int { return f.Tasks }
func (n NodeRef) tasks() int   { return n.Tasks }
func (n NodeRef) steps() int   { return 1 + n.Below }

func sumOf[T any](list []T, of func(T) int) int {
	n := 0
	for _, x := range list {
		n += of(x)
	}
	return n
}
