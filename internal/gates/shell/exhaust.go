package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// hugeBytes is from where on a file of a constant size counts as one that fills
// the disk: 32 GiB, chosen as far more than what builds and tests make and less
// than what is mostly free on a developer's or a build machine.
const hugeBytes = 32 << 30

// manyRounds is from where on a loop that starts a process in each of its rounds
// and waits for none counts as one without an end: chosen above what scripts
// start side by side and at the lower end of the usual limits of processes of
// one user (ulimit -u, 4096 to 63k).
const manyRounds = 4096

// endlessFile says whether reading a file never ends (random(4), zero(4)). Not inlined, for the size of programs.
//
//go:noinline
func endlessFile(word string) bool {
	return word == "/dev/zero" || word == "/dev/urandom" || word == "/dev/random"
}

// endless says whether a run's output never ends, or is as good as endless. An
// option that says how many bytes are passed decides where it is given.
func (r *toolRun) endless(in data) bool {
	source := in.endless
	for _, w := range r.operands {
		source = source || endlessFile(w)
	}
	switch {
	case r.t.has(traitEndlessOutput), r.t.has(traitSizedOutput) && bytesOf(r.amount) >= hugeBytes:
		return true
	case !source:
		return false
	case strings.HasPrefix(r.amount, "-"): // all but the last ones
		return true
	case r.amount != "":
		return bytesOf(r.amount) >= hugeBytes
	}
	return r.t.has(traitPassesInput)
}

// fills notes what a program copies of its input to its operands, and records a
// copy of a stream that never ends, and an allocation of more than the disk is
// likely to have.
func (r *toolRun) fills(in data) {
	copies := r.t.has(traitCopiesInput)
	if copies {
		for _, w := range r.operands {
			r.m.noteTail(w, in)
		}
	}
	if copies && in.endless || r.t.has(traitAllocates) && bytesOf(r.amount) >= hugeBytes {
		for _, w := range r.operands {
			r.m.fills(w)
		}
	}
}

// bytesOf reads a size as dd(1), head(1) and fallocate(1) do: a number, a unit
// of powers of 1024 or, with a B behind it, of 1000, and for dd products with x;
// or a number as seq(1) does, with an exponent or without an end. Anything else is 0.
func bytesOf(s string) float64 {
	if n, err := strconv.ParseFloat(s, 64); err == nil && firstByte(s, 'x') < 0 {
		return n
	}
	s = strings.TrimLeft(s, "+<%/")
	total := 1.0
	for _, f := range strings.Split(s, "x") {
		digits := strings.TrimRight(f, "bcwkKMGTPEZYiB")
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil {
			return 0
		}
		total *= float64(n) * unit(f[len(digits):])
	}
	return total
}

func unit(u string) float64 {
	base := 1024.0
	if len(u) == 2 && u[1] == 'B' {
		base = 1000
	}
	switch {
	case u == "b":
		return 512
	case u == "w":
		return 2
	case u == "" || u == "c":
		return 1
	}
	size := base
	for i := firstByte("kMGTPEZY", strings.Replace(u, "K", "k", 1)[0]); i > 0; i-- {
		size *= base
	}
	return size
}

// spins judges a loop of very many rounds whose body neither leaves it nor waits:
// one that starts processes beside it uses the machine up.
func (m *machine) spins(body []*syntax.Stmt) {
	starts, ends := m.looks(body)
	if starts && !ends {
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "starts processes without an end"})
	}
}

// looks says whether a loop's body starts processes beside it, and whether it leaves
// the loop or lets time pass.
func (m *machine) looks(body []*syntax.Stmt) (starts, ends bool) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if !m.step() {
				return false
			}
			switch n := n.(type) {
			case *syntax.Stmt:
				if n.Background {
					starts = true
					return false // the loop does not wait for it
				}
			case *syntax.CallExpr:
				ends = ends || len(n.Args) > 0 && paces(n.Args[0])
			}
			return !ends
		})
	}
	return starts, ends
}

// unending runs a loop without an end. What it writes in each round fills the disk,
// and so does its output where it goes.
func (m *machine) unending(body []*syntax.Stmt, run func() data) data {
	n := len(m.effects)
	m.spins(body)
	out := run()
	if _, ends := m.looks(body); ends {
		return out
	}
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		if e := m.effects[i]; e.Kind == effect.Write && e.Zone != effect.ZoneStream {
			m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "fills the disk: " + e.Resource})
			break
		}
	}
	out.endless = true
	return out
}

// feeds says whether a command has read, since n, the file that its output goes to:
// one that grows while it is read, or a pipe with a name.
func (m *machine) feeds(file string, appendTo bool, n int) bool {
	full := show(m.p.Resolve(m.cwd, file))
	pipe, reads := false, false
	for i, e := range m.effects {
		pipe = pipe || e.Kind == effect.Write && e.Program == "mkfifo" && e.Resource == full
		if e.Kind == effect.Read && e.Resource == full && i >= n {
			t := lookupTool(e.Program)
			reads = reads || t != nil && t.has(traitPassesInput)
		}
	}
	return reads && (pipe || appendTo)
}

// paces says whether a command in a loop leaves it or lets time pass.
func paces(w *syntax.Word) bool {
	name, ok := plainWord(w)
	if !ok {
		return true
	}
	switch name {
	case "break", "return", "exit", "exec", "sleep", "usleep", "wait", "read", "inotifywait", "fswatch", "entr", "timeout", "xdotool", "select", "kill":
		return true
	}
	return false
}

// readsOn says whether a loop's condition takes the next line of the input.
func readsOn(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	x, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	return ok && len(x.Args) > 0 && x.Args[0].Lit() == "read"
}

// always says whether a loop's condition never changes and lets the loop go on.
func always(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	s := c.Cond[0]
	switch x := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(x.Args) == 0 {
			return false
		}
		name, _ := plainWord(x.Args[0])
		switch name {
		case "true", ":", "echo", "printf":
			return c.Until == s.Negated
		case "false":
			return c.Until != s.Negated
		case "[", "test":
			return constant(x.Args[1:])
		}
	case *syntax.TestClause:
		return constantTest(x)
	case *syntax.ArithmCmd:
		return !c.Until && nonZero(x.X)
	}
	return false
}

// constant says whether words are the same in every round: plain, and no question
// about a file.
func constant(words []*syntax.Word) bool {
	for _, w := range words {
		text, ok := plainWord(w)
		if !ok || len(text) == 2 && text[0] == '-' && !strings.Contains("nz", text[1:]) {
			return false
		}
	}
	return true
}

// constantTest says whether a [[ ]] compares only plain words.
func constantTest(c *syntax.TestClause) bool {
	same := true
	syntax.Walk(c.X, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryTest:
			same = same && (n.Op == syntax.TsEmpStr || n.Op == syntax.TsNempStr || n.Op == syntax.TsNot)
		case *syntax.Word:
			_, ok := plainWord(n)
			same = same && ok
		}
		return same
	})
	return same
}

func nonZero(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && number(w.Lit()) > 0
}

// forever is the rounds of a loop without a condition.
const forever = 1 << 62

// countless returns the rounds of a for loop over a constant sequence, forever
// where its condition is none or a constant, or nothing in it counts, and 0 where
// that is not plain.
func countless(c *syntax.ForClause) int64 {
	if l, ok := c.Loop.(*syntax.CStyleLoop); ok {
		if l.Cond == nil || nonZero(l.Cond) || l.Post == nil && !counts(c.Do) {
			return forever
		}
		return 0
	}
	w, ok := c.Loop.(*syntax.WordIter)
	if !ok || len(w.Items) != 1 {
		return 0
	}
	if len(w.Items[0].Parts) == 1 {
		if sub, ok := w.Items[0].Parts[0].(*syntax.CmdSubst); ok && len(sub.Stmts) == 1 {
			if call, ok := sub.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 1 && call.Args[0].Lit() == "seq" {
				return number(call.Args[len(call.Args)-1].Lit())
			}
		}
	}
	lo, hi, ok := cutAt(strings.Trim(w.Items[0].Lit(), "{}"), "..")
	if !ok || number(lo) < 0 {
		return 0
	}
	return number(hi)
}

// counts says whether something in a loop's body may change a variable.
func counts(body []*syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.LetClause, *syntax.DeclClause:
				found = true
			case *syntax.CallExpr:
				found = found || len(n.Assigns) > 0
			}
			return !found
		})
	}
	return found
}

// number reads a decimal number, -1 for anything else. Not inlined, for the size of programs.
//
//go:noinline
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
