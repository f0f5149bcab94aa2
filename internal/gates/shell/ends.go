package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about what the end of a line shows of the programs on it: whether each of
// them succeeded, and what happens beside and after it.

// End is what a line's success shows of one of the programs that it runs.
type End struct {
	effect.Run
	// Hidden says that the line may succeed although the program did not, or did not run.
	Hidden bool
	// Defined says that the name is that of a function or an alias of the line.
	Defined bool
	// Since, At and Until are places in the list of effects: where what may still go on
	// while the program runs began, and where the program's own begin and end.
	Since, At, Until int

	pipefail bool // what held around it
}

// Loops says whether a line has a loop, or a function that may be called again.
func (l *Line) Loops() bool {
	if _, ok := l.Syntax(); !ok {
		return true
	}
	found := false
	syntax.Walk(l.file, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.WhileClause, *syntax.ForClause, *syntax.FuncDecl:
			found = true
		}
		return !found
	})
	return found
}

// Ends resolves a line once more, with what its success shows of its programs, and all its
// effects in the order in which they happen. whole is false where it has more programs than
// are looked at.
func (l *Line) Ends(places *effect.Places) (ends []End, effects []effect.Effect, whole bool) {
	if _, ok := l.Syntax(); !ok {
		return nil, nil, false
	}
	e := &endings{pipefail: pipefails(l.file)}
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n", ends: e}
	l, in := m.begun(l)
	m.line(l, in, false)
	m.deferAll()
	for i := range m.runs {
		e.list[i].Run = m.runs[i]
	}
	return e.list, e.effects, len(m.runs) < maxRuns && !m.stopped
}

// endings is what is noted for Ends. A nil one notes nothing.
type endings struct {
	list     []End
	effects  []effect.Effect
	unsure   int // above 0: the end of what runs now is not the line's
	held     int // above 0: what began at since goes on
	since    int
	pipefail bool
}

// doubt says that what f runs may fail without the line's failing. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) doubt(is bool, f func() data) data {
	if m.ends == nil || !is {
		return f()
	}
	m.ends.unsure++
	out := f()
	m.ends.unsure--
	return out
}

// hold says that what began before f goes on while it runs. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) hold(is bool, f func() data) data {
	if m.ends == nil || !is {
		return f()
	}
	m.ends.held++
	out := f()
	m.ends.held--
	return out
}

// follows notes that what runs next begins after all that came before has ended.
func (m *machine) follows() {
	if m.ends != nil && m.ends.held == 0 {
		m.ends.since = len(m.ends.effects)
	}
}

// begins notes the start of the program that was last added to the list of runs.
func (m *machine) begins(parent int) {
	e := m.ends
	if e == nil {
		return
	}
	name := path.Base(m.runs[len(m.runs)-1].Words[0])
	end := End{Hidden: e.unsure > 0 || m.later, Since: e.since, At: len(e.effects), pipefail: e.pipefail}
	e.pipefail = e.pipefail && !isShell(name)
	if parent > 0 {
		p := &e.list[parent-1]
		end.Hidden = end.Hidden || p.Hidden || !p.Defined && !passes(m.runs[parent-1].Words, m.runs[len(m.runs)-1].Words)
	}
	e.list = append(e.list, end)
}

// ended notes that the program that was added as the nth has ended.
func (m *machine) ended(n int) {
	if m.ends != nil && n < len(m.ends.list) {
		end := &m.ends.list[n]
		end.Until, m.ends.pipefail = len(m.ends.effects), end.pipefail
	}
}

// defined notes that the current program is a function or an alias of the line.
func (m *machine) defined() {
	if m.ends != nil && m.running > 0 {
		m.ends.list[m.running-1].Defined = true
	}
}

// wrappers are the programs that end as what they run ends (their manuals, EXIT STATUS).
var wrappers = [...]string{
	"bundle", "bunx", "caffeinate", "command", "conda", "coverage", "direnv", "doas", "env", "eval", "exec", "flock", "hatch", "ionice", "mamba", "micromamba",
	"mise", "nice", "nohup", "npx", "numactl", "pdm", "pipenv", "pixi", "pnpm", "poetry", "rye", "stdbuf", "sudo", "taskset", "timeout", "uv", "uvx", "yarn",
}

// passes says whether a program that runs another ends as that one does: a known one, with
// no option before it by which it may run nothing.
func passes(outer, inner []string) bool {
	name := path.Base(outer[0])
	shell := isShell(name)
	if _, ok := slices.BinarySearch(wrappers[:], name); !ok && !shell {
		return false
	}
	for i, w := range outer[1:] {
		switch {
		case shell && strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c"):
			return strings.Trim(w[1:], "ceulx") == ""
		case shell && strings.Trim(w, "-eulx") != "" && w != "-o" && w != "pipefail":
			return false
		case !shell && len(inner) > 0 && w == inner[0] && slices.Equal(outer[1+i:], inner):
			return true
		case w == "--help" || w == "-h" || w == "--version" || w == "-V" || strings.HasPrefix(w, "--dry") || strings.HasPrefix(w, "--if-present") || name == "command" && strings.HasPrefix(w, "-"):
			return false
		}
	}
	return !shell
}

// guarded says whether a command may succeed although what it runs did not.
func guarded(c syntax.Command) bool {
	switch c.(type) {
	case *syntax.CallExpr, *syntax.BinaryCmd, *syntax.Block, *syntax.Subshell, *syntax.TimeClause:
		return false
	}
	return true
}

// pipe runs the two sides of a pipe, of which the second one's end is the pipe's.
func (m *machine) pipe(c *syntax.BinaryCmd, in data, want bool) data {
	k := m.save()
	mid := m.doubt(m.ends != nil && !m.ends.pipefail, func() data { return m.stmt(c.X, in, true) })
	m.restore(k)
	k = m.save()
	if mid.dump > 0 && !m.intoFilter(c.Y) {
		mid.dump = 0
	}
	out := m.stmt(c.Y, mid, want)
	m.join(k) // zsh runs the last command in the shell itself, bash does not
	return out
}

// pipefails says whether a line begins with set -o pipefail (bash(1), Pipelines), behind
// nothing but changes of the directory.
func pipefails(f *syntax.File) bool {
	for _, s := range f.Stmts {
		for {
			b, ok := s.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op != syntax.AndStmt {
				break
			}
			s = b.X
		}
		c, ok := s.Cmd.(*syntax.CallExpr)
		if !ok || len(c.Args) < 2 || s.Background {
			return false
		}
		if c.Args[0].Lit() == "set" {
			return strings.HasSuffix(c.Args[1].Lit(), "o") && len(c.Args) == 3 && c.Args[1].Lit()[0] == '-' && c.Args[2].Lit() == "pipefail"
		}
		if c.Args[0].Lit() != "cd" {
			return false
		}
	}
	return false
}

// isShell says whether a program runs command lines (POSIX, sh).
func isShell(name string) bool {
	return name == "bash" || name == "sh" || name == "dash" || name == "zsh"
}

// Assigned lists the variables that the line itself sets, in its own text.
func (l *Line) Assigned() (names []string) {
	if f, ok := l.Syntax(); ok {
		syntax.Walk(f, func(n syntax.Node) bool {
			if a, ok := n.(*syntax.Assign); ok && a.Name != nil {
				names = append(names, a.Name.Value)
			}
			return true
		})
	}
	return names
}
