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
		if trimPrefix(u, project) != e.Resource && runsUnvetted([]string{u}, e) {
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

// PlainAsRecorded is PlainAsRun of hosts that go through a record and see no files: a script, and a file of
// constants, holds what the session left in it.
func PlainAsRecorded(g *Guardrail, c *Context, i int, unvetted []string) bool {
	recorded := *c
	recorded.text = c.before
	return PlainAsRun(g, &recorded, i, unvetted)
}

// scriptHeld is what a script holds when the call starts it: ok is false where nobody can tell,
// and where the call may change it, or something that it lies below.
func (c *Context) scriptHeld(file string) (text string, ok bool) {
	if c.text == nil || c.mayChange(file) {
		return "", false // what the session wrote there last, another of its calls may have been quicker with
	}
	text, ok = c.text(file)
	return text, ok && len(text) <= maxPlain && !mark.Has(text)
}

// OwnConstants is State.Constants of hosts that let files be read.
func OwnConstants() any { return shell.OwnConstants() }

// StartFiles is State.StartFiles of hosts that go by what the user's shells run when they start.
func StartFiles() any { return shell.StartFiles() }

// runsBeside says whether the call runs something else than one of its runs that may change files which
// its effects do not name.
func (c *Context) runsBeside(r *effect.Run) bool {
	for k := range c.runs {
		q := &c.runs[k]
		if q != r && (shell.Changes(*q) || slices.ContainsFunc(q.Effects, func(i int) bool {
			e := &c.Effects[i]
			return e.Kind == effect.Opaque || e.Kind == effect.Spawn && e.Op != effect.OpRun
		})) {
			return true
		}
	}
	return false
}

// justBefore is what a file of constants holds that the call writes by its first command, with nothing but &&
// between that and a run: where the one did not end well, the other is not started.
func (c *Context) justBefore(r *effect.Run, file string) string {
	if len(c.runs) < 2 || r != &c.runs[1] || len(c.written) != 1 {
		return ""
	}
	w := &c.written[0]
	first, then, _ := strings.Cut(c.Command, "&&")
	if w.Path != file || !w.Known || w.Part || w.Net || !shell.Constants(w.Text) || strings.ContainsAny(first, ";|&\n(`") || !strings.HasPrefix(strings.TrimSpace(then), r.Words[0]+" ") {
		return ""
	}
	if name := c.runs[0].Words[0]; name != "echo" && name != "printf" {
		return ""
	}
	return w.Text
}

// constants is what a file of constants holds that the session wrote, and that holds the same now.
func (c *Context) constants(file string) string {
	if !exact(file) || c.text == nil || c.mayChange(file) {
		return ""
	}
	for k := len(c.Flow.Made) - 1; k >= 0; k-- {
		if m := &c.Flow.Made[k]; m.Path == file {
			if now, ok := c.text(file); ok && m.Known && now == m.Text && shell.Constants(now) {
				return now
			}
			break
		}
	}
	return ""
}

// mayChange says whether the call may change a file, or something that it lies below.
func (c *Context) mayChange(file string) bool {
	if _, changed, _ := c.left(file); changed || slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file }) {
		return true
	}
	return slices.ContainsFunc(c.Effects, func(e Effect) bool {
		switch {
		case e.Kind != effect.Write && e.Kind != effect.Delete, e.Op == effect.OpChmod, e.Op == effect.OpChown, e.Program == "touch":
			return false
		}
		return mark.Under(file, e.Resource) && e.Program != "mkdir" || mark.Under(e.Resource, file) || strings.ContainsAny(e.Resource, "*?[…") && mayBe(e.Resource, file)
	})
}

// asRun is the context of a script's text as a run of the call starts it; ok is false where the
// run is not all known, or another language's.
func (c *Context) asRun(r *effect.Run, file, text string) (script *Context, ok bool) {
	if !r.Whole || r.Contained || mark.Has(r.Cwd) || !path.IsAbs(r.Cwd) || len(r.Words) == 0 || slices.ContainsFunc(r.Words, mark.Has) {
		return nil, false
	}
	lang := shell.ScriptLanguage(file, text)
	if line := shell.FirstLine(text); line != "" {
		return nil, false // started by more than an interpreter's name
	}
	s, ok := c.started(r, file, lang, text)
	if !ok {
		return nil, false
	}
	disturbed := c.runsBeside(r)
	s.Settings = func(name string) string {
		if disturbed || c.nested > 0 {
			return ""
		}
		file := c.places.Resolve(r.Cwd, name)
		if text := c.justBefore(r, file); text != "" {
			return text
		}
		return c.constants(file)
	}
	s.Narrow = shell.Narrow(&s)
	state := c.state()
	state.Cwd, state.script, state.nested = r.Cwd, &s, c.nested+1
	if state.Text != nil { // which the call may have changed before it comes to the script
		state.Text = func(file string) (string, bool) {
			if c.mayChange(file) {
				return "", false
			}
			text, ok := c.text(file)
			return text, ok && !(disturbed && shell.Constants(text))
		}
	}
	out := ShellContext(text, state)
	return &out, true
}

// started is a shell's script as a run starts it, by its path or with a shell.
func (c *Context) started(r *effect.Run, file, lang, text string) (s effect.Script, ok bool) {
	s = effect.Script{Env: r.Values, Run: true}
	words := r.Words
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
			return s, false
		}
		if program != "sh" {
			s.Shell = program
		}
		words = words[n:]
	default:
		return s, false
	}
	s.Name, s.Args = words[0], words[1:]
	return s, isAmong(runShells[:], lang)
}

// state is what the context was built in, for another call there. What people agreed to is not
// part of it: they did not see that call.
func (c *Context) state() State {
	p := &c.places
	return State{
		Cwd: c.Cwd, Home: c.Home, Roots: c.Roots, Links: p.Links, Kept: p.Kept, Remotes: p.Remotes, UID: c.UID, GID: c.GID, History: c.History, Flow: c.Flow, Repo: p.Repo, Own: c.guards,
		Inline: c.inline, Installed: c.installed, SaysOnly: p.Says, Compiled: p.Compiled, Exists: c.exists, Found: c.found, Holds: c.holds, Stamp: c.stamp, Text: c.text, Names: c.names, Tracked: p.Tracked, LinksIn: c.linksIn, Ref: c.ref, Free: c.free, After: c.after, PlainAsRun: c.plainAsRun, ByArguments: c.byArgs, Constants: p.Constants, StartFiles: p.StartFiles, FollowPython: p.Link, ThrowAway: c.throwAway, OtherClone: c.otherClone,
	}
}

// placesIn is what is known of a directory in which code is read by itself: where its user and the workspace are,
// and who reads programs. What lies there may be another then.
func (c *Context) placesIn(dir string) effect.Places {
	return effect.Places{Cwd: dir, Home: c.Home, Roots: c.Roots, Compiled: c.places.Compiled}.Normal()
}

// leavesMore says whether a call leaves a file that nobody vetted and that was none before.
func (c *Context) leavesMore() bool {
	return slices.ContainsFunc(c.unvetted(c.made()), func(u string) bool { return !isAmong(c.Flow.Unvetted, u) })
}
