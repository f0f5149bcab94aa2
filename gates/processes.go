package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about what a signal would reach now, as the host sees the processes of this
// machine: nothing at all, or nothing but what calls of the session started. It relaxes, so
// everything that may be hit counts, also where a finder would leave some out.

// Process is what a host sees of a process that runs on its machine.
type Process struct {
	ID, Group int
	Name      string   // as the system calls it, cut off where the system does
	Args      []string // the words that it was started with, or that it calls itself
	Exe, Cwd  string   // the file of its program and where it works; empty where nobody can tell
	Start     Starter
}

// Starter is who started a process, as far as a host knows. The zero value is anybody.
type Starter uint8

// Who may have started a process, after the session began and as its user.
const (
	StarterUnknown Starter = iota
	StarterCall            // a shell of a call of the session, which is still above it
	StarterGone            // what a call of the session left behind when it ended
)

// begin says whether the session may end a process: a call of its own started it, and it is
// the workspace's: its program or its script lies there. What a call started and can still be
// traced to it may also be an interpreter that works there. Others may be what calls start for
// their user to go on with: a browser, an editor, the daemon of a build that other projects use.
func (c *Context) begin(p *Process) bool {
	in := func(file string) bool {
		z, _, _ := c.places.Where(file)
		return exact(file) && z == effect.ZoneWorkspace
	}
	interprets := slices.Contains(processInterpreters[:], strings.TrimRight(path.Base(p.Exe), "0123456789."))
	switch {
	case p.Start == StarterUnknown:
		return false
	case in(p.Exe), interprets && in(c.scriptOf(p)):
		return true
	}
	return p.Start == StarterCall && interprets && (in(p.Cwd) || slices.Contains(c.Roots, p.Cwd))
}

// processInterpreters are programs that run a script, without the number of their version.
var processInterpreters = [...]string{"bash", "bun", "dash", "deno", "ksh", "lua", "node", "nodejs", "perl", "php", "pypy", "python", "ruby", "sh", "zsh"}

// scriptOf is the script of an interpreter's process: its first word, behind options that say
// their value themselves or have none.
func (c *Context) scriptOf(p *Process) string {
	for i, a := range p.Args {
		switch {
		case i == 0:
		case !strings.HasPrefix(a, "-"):
			return c.places.Resolve(p.Cwd, a)
		case a != "-u" && a != "-B" && a != "--watch" && a != "--enable-source-maps" && !strings.Contains(a, "="):
			return ""
		}
	}
	return ""
}

// reachesOwn says whether a signal of run at reaches nothing now, or nothing that the session
// may not end. Little time may pass between the look and the signal: before it the line
// does nothing but look, signal and sleep for a few seconds.
func (c *Context) reachesOwn(e *Effect, at int) bool {
	if c.reached == nil || c.after || c.later || e.Deferred || c.Elsewhere != "" || !c.comesAtOnce(e, at) {
		return false
	}
	all := c.signals(e, at)
	return len(all) > 0 && !slices.ContainsFunc(all, func(words []string) bool {
		list, ok := c.reached(words)
		return !ok || slices.ContainsFunc(list, func(p Process) bool { return !c.begin(&p) })
	})
}

// signals are the words by which the host tells whom run at reaches: its own, or those of what
// finds the numbers that it is given.
func (c *Context) signals(e *Effect, at int) (all [][]string) {
	r := &c.runs[at]
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
		for i := range c.runs[:at] {
			switch r := &c.runs[i]; {
			case r.Tool == "ps":
				return nil // grep looks at all that a line of ps says
			case len(r.Names) == 1 && r.Names[0] == of && (r.Tool == "pgrep" || r.Tool == "pidof"):
				all = append(all, r.Words)
			}
		}
		return all
	case "pidfile":
		z, _, _ := c.places.Where(of)
		if c.text == nil || !exact(of) || z != effect.ZoneWorkspace && z != effect.ZoneTemp {
			return nil
		}
		text, there := c.text(of)
		if !there && c.at(of) == FoundNothing {
			return [][]string{{"kill"}} // of nothing
		}
		return [][]string{{"kill", strings.TrimSpace(text)}}
	}
	return [][]string{{"kill", e.Resource}}
}

// maxSleep is how many seconds a line may sleep before it signals.
const maxSleep = 5

// comesAtOnce says whether nothing comes before run at that takes time or starts anything: what
// the host sees now is what the signal finds, but for what somebody starts in these moments.
func (c *Context) comesAtOnce(e *Effect, at int) bool {
	if strings.Contains(c.Command, "()") || waits(c.Command) || slices.ContainsFunc(strings.Fields(c.Command), func(w string) bool {
		return slices.Contains([]string{"for", "function", "select", "coproc"}, strings.Trim(w, ";"))
	}) {
		return false
	}
	slept := 0
	for i := range c.runs[:at+1] {
		r := &c.runs[i]
		if len(r.Words) == 0 || r.Background || r.Contained || r.Given || i < at && !passesQuickly(r, &slept) {
			return false
		}
		for _, k := range r.Effects {
			if !c.endsSoon(&c.Effects[k]) {
				return false
			}
		}
	}
	n := c.indexOf(e)
	first := slices.IndexFunc(c.runs, func(r effect.Run) bool { return slices.Contains(r.Effects, n) }) == at
	for k := range c.Effects { // redirections: opening a pipe waits for its other end
		if w := &c.Effects[k]; w.Program == "" && (k < n || !first) && !c.endsSoon(w) {
			return false
		}
	}
	return slept <= maxSleep
}

// endsSoon says whether an effect of a run is none that may take long.
func (c *Context) endsSoon(e *Effect) bool {
	switch e.Kind {
	case effect.Read:
		return c.found != nil && c.endsAtOnce(e)
	case effect.Write:
		return e.Zone == effect.ZoneStream
	case effect.List, effect.Signal:
		return true
	case effect.Spawn:
		return e.Op == effect.OpRun
	}
	return false
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
		return slices.Contains(lookers[:], w) && !follows(r.Words)
	}
}
