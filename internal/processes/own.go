package processes

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file tells signals that reach nothing but what calls of the session started. It
// relaxes, so everything that may be hit counts, also where a finder would leave some out. A
// signal that reaches nothing now tells nothing of whom it is meant for: until it is sent, which
// may be after the host's own question, somebody may start what it names.

// Own is a gates.State.Reached. Little time may pass between the look and the signal: before
// it the line does nothing but look, signal and sleep for a few seconds.
func (m *Machine) Own(c *gates.Context, e *gates.Effect, at int) bool {
	if e.Deferred || c.Elsewhere != "" || gates.Later(c) || !comesAtOnce(c, e, at) {
		return false
	}
	all := signals(c, e, at)
	return len(all) > 0 && !slices.ContainsFunc(all, func(words []string) bool {
		list, ok := m.Reached(words)
		return !ok || len(list) == 0 || slices.ContainsFunc(list, func(p gates.Process) bool { return !ends(c, &p) })
	})
}

// ends says whether the session may end a process: a call of its own started it, and it is
// the workspace's: its program or its script lies there. What a call started and can still be
// traced to it may also be an interpreter that works there. Others may be what calls start for
// their user to go on with: a browser, an editor, the daemon of a build that other projects use.
func ends(c *gates.Context, p *gates.Process) bool {
	in := func(file string) bool {
		places := c.Places()
		z, _, _ := places.Where(file)
		return path.IsAbs(file) && !mark.Has(file) && z == effect.ZoneWorkspace
	}
	interprets := slices.Contains(interpreters[:], strings.TrimRight(path.Base(p.Exe), "0123456789."))
	switch {
	case p.Start == gates.StarterUnknown:
		return false
	case in(p.Exe), interprets && in(scriptOf(c, p)):
		return true
	}
	return p.Start == gates.StarterCall && interprets && (in(p.Cwd) || slices.Contains(c.Roots, p.Cwd))
}

// interpreters are programs that run a script, without the number of their version.
var interpreters = [...]string{"bash", "bun", "dash", "deno", "ksh", "lua", "node", "nodejs", "perl", "php", "pypy", "python", "ruby", "sh", "zsh"}

// scriptOf is the script of an interpreter's process: its first word, behind options that say
// their value themselves or have none.
func scriptOf(c *gates.Context, p *gates.Process) string {
	for i, a := range p.Args {
		switch {
		case i == 0:
		case !strings.HasPrefix(a, "-"):
			places := c.Places()
			return places.Resolve(p.Cwd, a)
		case a != "-u" && a != "-B" && a != "--watch" && a != "--enable-source-maps" && !strings.Contains(a, "="):
			return ""
		}
	}
	return ""
}

// signals are the words by which the host tells whom run at reaches: its own, or those of what
// finds the numbers that it is given.
func signals(c *gates.Context, e *gates.Effect, at int) (all [][]string) {
	r := &c.Runs()[at]
	if r.Words[0] != "kill" {
		return [][]string{r.Words}
	}
	what, of, _ := strings.Cut(e.Resource, " ")
	switch what {
	case "port":
		words := []string{"fuser", "-k"}
		for port := range strings.SplitSeq(of, ",") {
			words = append(words, port+"/tcp")
		}
		return [][]string{words}
	case "name":
		for i := range c.Runs()[:at] {
			switch r := &c.Runs()[i]; {
			case r.Tool == "ps":
				return nil // grep looks at all that a line of ps says
			case len(r.Names) == 1 && r.Names[0] == of && (r.Tool == "pgrep" || r.Tool == "pidof"):
				all = append(all, r.Words)
			}
		}
		return all
	case "pidfile":
		places := c.Places()
		z, _, _ := places.Where(of)
		text, there, nothing := gates.TextAt(c, of)
		switch {
		case z != effect.ZoneWorkspace && z != effect.ZoneTemp, !there && !nothing:
			return nil
		case nothing:
			return [][]string{{"kill"}} // of none
		}
		return [][]string{{"kill", strings.TrimSpace(text)}}
	}
	return [][]string{{"kill", e.Resource}}
}

// maxSleep is how many seconds a line may sleep before it signals.
const maxSleep = 5

// comesAtOnce says whether nothing comes before run at that takes time or starts anything: what
// the host sees now is what the signal finds, but for what somebody starts in these moments.
func comesAtOnce(c *gates.Context, e *gates.Effect, at int) bool {
	if gates.GoesOn(c.Command) {
		return false
	}
	runs := c.Runs()
	slept := 0
	for i := range runs[:at+1] {
		r := &runs[i]
		if len(r.Words) == 0 || r.Background || r.Contained || r.Given || i < at && !passesQuickly(r, &slept) {
			return false
		}
		for _, k := range r.Effects {
			if !gates.Passes(c, &c.Effects[k]) {
				return false
			}
		}
	}
	n := slices.IndexFunc(runs[at].Effects, func(k int) bool { return &c.Effects[k] == e })
	if n < 0 {
		return false
	}
	n = runs[at].Effects[n]
	first := slices.IndexFunc(runs, func(r effect.Run) bool { return slices.Contains(r.Effects, n) }) == at
	for k := range c.Effects { // redirections: opening a pipe waits for its other end
		if w := &c.Effects[k]; w.Program == "" && (k < n || !first) && !gates.Passes(c, w) {
			return false
		}
	}
	return slept <= maxSleep
}

// passesQuickly says whether a run that comes before a signal looks or signals, and is done at
// once. What it passes on of numbers it passes on whole.
func passesQuickly(r *effect.Run, slept *int) bool {
	args := r.Words[1:]
	switch w := r.Words[0]; w {
	case "sleep":
		n := strings.TrimSuffix(strings.Join(args, " "), "s")
		if n == "0.5" || n == ".5" {
			n = "1"
		}
		if len(n) != 1 || n[0] < '0' || n[0] > '9' {
			return false
		}
		*slept += int(n[0] - '0')
		return true
	case "head", "tail", "sort", "uniq", "tr":
		return shell.PassesNumbers(w, args)
	case "xargs":
		for i, a := range args {
			if a == "kill" {
				return true
			}
			if a != "-r" && a != "-t" && a != "--no-run-if-empty" && a != "-n1" && a != "-n" && !(a == "1" && i > 0) {
				return false
			}
		}
		return false
	case "pkill", "killall", "kill", "fuser", "lsof", "pgrep", "pidof", "ps", "jobs", ":", "ss":
		return true
	default:
		return gates.Looks(r)
	}
}
