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

// endlessFile says whether reading a file never ends (random(4), zero(4)).
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
	if n, err := strconv.ParseFloat(s, 64); err == nil && strings.IndexByte(s, 'x') < 0 {
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
	for i := strings.IndexByte("kMGTPEZY", strings.Replace(u, "K", "k", 1)[0]); i > 0; i-- {
		size *= base
	}
	return size
}

// spins judges a loop of very many rounds whose body neither leaves it nor waits:
// one that starts processes beside it, or in rounds without an end makes a file
// longer, uses the machine up. runsOn says that it has no end.
func (m *machine) spins(body []*syntax.Stmt, endless bool) (runsOn bool) {
	starts, grows, ends := false, "", false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if !m.step() {
				return false
			}
			switch n := n.(type) {
			case *syntax.Stmt:
				if n.Background {
					starts = true
					return false
				}
				for _, r := range n.Redirs {
					if word, ok := plainWord(r.Word); ok && (r.Op == syntax.AppOut || r.Op == syntax.AppAll) {
						grows = word
					}
				}
			case *syntax.CallExpr:
				ends = ends || len(n.Args) > 0 && paces(n.Args[0])
			}
			return !ends
		})
	}
	switch {
	case ends:
	case starts:
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "starts processes without an end"})
	case endless && grows != "":
		m.fills(grows)
	}
	return endless && !ends
}

// without runs a loop without an end that nothing leaves: what it prints never ends
// either, and what it writes is written again and again.
func (m *machine) without(runsOn bool, loop func() data) data {
	start := len(m.effects)
	out := loop()
	if !runsOn {
		return out
	}
	for i := min(start, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.Write && e.Zone != effect.ZoneStream {
			m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "fills the disk: " + e.Resource})
			break
		}
	}
	out.endless = true
	return out
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

// always says whether a loop's condition is constantly true.
func always(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	switch x := c.Cond[0].Cmd.(type) {
	case *syntax.CallExpr:
		if len(x.Args) == 0 || len(x.Args) > 3 || c.Cond[0].Negated {
			return false
		}
		name, _ := plainWord(x.Args[0])
		if c.Until {
			return name == "false"
		}
		return name == "true" || name == ":" || name == "[" && len(x.Args) == 3
	case *syntax.ArithmCmd:
		w, ok := x.X.(*syntax.Word)
		return ok && !c.Until && w.Lit() != "" && w.Lit() != "0" && strings.Trim(w.Lit(), "0123456789") == ""
	}
	return false
}

// forever is the rounds of a loop without a condition.
const forever = 1 << 62

// countless returns the rounds of a for loop over a constant sequence, forever
// without a condition, and 0 where neither is plain.
func countless(c *syntax.ForClause) int64 {
	if l, ok := c.Loop.(*syntax.CStyleLoop); ok {
		if l.Cond == nil {
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
	lo, hi, ok := strings.Cut(strings.Trim(w.Items[0].Lit(), "{}"), "..")
	if !ok || number(lo) < 0 {
		return 0
	}
	return number(hi)
}

// number reads a decimal number, -1 for anything else.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
