package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file judges a shell's script of the session's as a call runs it. Read by itself, a script
// is judged for every name, argument and variable; a run says which these are. With them, its
// text is judged as a call of its own would be, in the same directory and with all that the
// session did before. Whatever of that is not known leaves the question.

// runShells are the shells whose scripts are read with their own name and place.
var runShells = [...]string{"bash", "dash", "sh", "zsh"}

// maxAsRun bounds the scripts that run each other.
const maxAsRun = 4

// PlainAsRun says whether an effect of a call, by its index, runs such a script, and each run of it does
// nothing but what would be approved, and leaves nothing that nobody vetted. It is State.PlainAsRun of
// hosts that let files be read.
func PlainAsRun(g *Guardrail, c *Context, i int, unvetted []string) bool {
	e := &c.Effects[i]
	if e.Op != effect.OpRunFile || e.Program == "source" || c.nested >= maxAsRun || c.Elsewhere != "" || !c.wrote(e.Resource) {
		return false
	}
	for _, u := range unvetted {
		if strings.TrimPrefix(u, project) != e.Resource && runsUnvetted([]string{u}, e) {
			return false
		}
	}
	text, ok := c.scriptHeld(e.Resource)
	if !ok {
		return false
	}
	ran := false
	for k := range c.runs {
		r := &c.runs[k]
		if !slices.Contains(r.Effects, i) {
			continue
		}
		ran = true
		script, ok := c.asRun(r, e.Resource, text)
		if !ok {
			return false
		}
		if _, same := script.scriptHeld(e.Resource); !same { // a shell reads on where it was
			return false
		}
		if d := g.Decide(script); d.Would != Approved || script.leavesMore() {
			return false
		}
	}
	return ran
}

// scriptHeld is what a script holds when the call starts it: ok is false where nobody can tell,
// and where the call may change it, or something that it lies below.
func (c *Context) scriptHeld(file string) (text string, ok bool) {
	if _, changed, _ := c.left(file); changed || slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file }) {
		return "", false
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind != effect.Write && e.Kind != effect.Delete, e.Op == effect.OpChmod, e.Op == effect.OpChown, e.Program == "touch":
		case mark.Under(file, e.Resource) && e.Program != "mkdir", mark.Under(e.Resource, file), strings.ContainsAny(e.Resource, "*?[…") && mayBe(e.Resource, file):
			return "", false
		}
	}
	if c.text == nil {
		return "", false // what the session wrote there last, another of its calls may have been quicker with
	}
	text, ok = c.text(file)
	return text, ok && len(text) <= maxPlain && !mark.Has(text)
}

// asRun is the context of a script's text as a run of the call starts it; ok is false where the
// run is not all known, or another language's.
func (c *Context) asRun(r *effect.Run, file, text string) (script *Context, ok bool) {
	if !r.Whole || r.Contained || mark.Has(r.Cwd) || !path.IsAbs(r.Cwd) || len(r.Words) == 0 || slices.ContainsFunc(r.Words, mark.Has) {
		return nil, false
	}
	s := effect.Script{Env: r.Values, Run: true}
	words := r.Words
	lang := shell.ScriptLanguage(file, text)
	if line := shell.FirstLine(text); line != "" {
		return nil, false // started by more than an interpreter's name
	}
	switch program := path.Base(words[0]); {
	case c.places.Resolve(r.Cwd, words[0]) == file:
		if lang != "sh" || strings.HasPrefix(text, "#!") {
			s.Shell = lang // else the shell that starts it takes it for its own
		}
	case isAmong(runShells[:], program):
		n := 1
		for n < len(words) && len(words[n]) > 1 && words[n][0] == '-' && strings.Trim(words[n][1:], "eux") == "" {
			n++
		}
		if n >= len(words) || c.places.Resolve(r.Cwd, words[n]) != file {
			return nil, false
		}
		if program != "sh" {
			s.Shell = program
		}
		words = words[n:]
	default:
		return nil, false
	}
	if !isAmong(runShells[:], lang) {
		return nil, false
	}
	s.Name, s.Args = words[0], words[1:]
	s.Narrow = shell.Narrow(&s)
	state := c.state()
	state.Cwd, state.script, state.nested = r.Cwd, &s, c.nested+1
	out := ShellContext(text, state)
	return &out, true
}

// state is what the context was built in, for another call there. What people agreed to is not
// part of it: they did not see that call.
func (c *Context) state() State {
	p := &c.places
	return State{
		Cwd: c.Cwd, Home: c.Home, Roots: c.Roots, Links: p.Links, Kept: p.Kept, Remotes: p.Remotes, UID: c.UID, GID: c.GID, History: c.History, Flow: c.Flow, Repo: p.Repo, Own: c.guards,
		Exists: c.exists, Found: c.found, Holds: c.holds, Stamp: c.stamp, Text: c.text, Names: c.names, Tracked: p.Tracked, LinksIn: c.linksIn, Ref: c.ref, Free: c.free, After: c.after, PlainAsRun: c.plainAsRun, ThrowAway: c.throwAway,
	}
}

// leavesMore says whether a call leaves a file that nobody vetted and that was none before.
func (c *Context) leavesMore() bool {
	return slices.ContainsFunc(c.unvetted(c.made()), func(u string) bool { return !isAmong(c.Flow.Unvetted, u) })
}
