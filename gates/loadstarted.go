package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about scripts in languages of which no dialect is read: what starts one is known
// (internal/gates/shell, scriptfile.go), and what reads it, if anything does. One of the
// session's that nothing can read counts where it is started; one that nobody changed does not.

// maxScriptsRun bounds the scripts that one script runs in turn.
const maxScriptsRun = 50

// runsScripts says whether a run of the call starts such a script of the session's. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) runsScripts() bool {
	f := follower{c: c}
	for k := range c.runs {
		r := &c.runs[k]
		if slices.ContainsFunc(r.Effects, func(i int) bool { return f.ownScript(&c.Effects[i], r) }) {
			return true
		}
	}
	return false
}

// ownScript says whether an effect starts such a script that the session wrote.
func (f *follower) ownScript(e *Effect, r *effect.Run) bool {
	return e.Kind == effect.Spawn && e.Op == effect.OpRunFile && len(r.Words) > 0 && shell.StartsScript(e.Program, e.Resource, r.Words) && f.wrote(e.Resource)
}

// startsScript judges such a script where a run starts it.
func (f *follower) startsScript(e *Effect, r *effect.Run) {
	if f.hit == "" && f.ownScript(e, r) && !f.judged[e.Resource] {
		f.scriptFile(e.Program, e.Resource, r, map[string]bool{})
	}
}

// scriptFile judges a script, and those that it runs.
func (f *follower) scriptFile(program, file string, r *effect.Run, done map[string]bool) {
	if done[file] || f.hit != "" || !f.wrote(file) {
		return
	}
	done[file] = true
	text, known := f.text(file)
	places := f.c.placesIn(r.Cwd)
	effects, read := []Effect(nil), false
	if known && len(done) <= maxScriptsRun {
		effects, read = shell.ReadScript(program, path.Base(file), r.Words, text, &places)
	}
	var g Guardrail
	if !read && known && len(done) <= maxScriptsRun && f.c.places.Computes(r.Cwd, file, text) {
		return
	}
	if !read || g.Decide(&Context{Effects: effects, exists: f.c.exists, later: true}).Disposition != Approved {
		f.hit = file
		return
	}
	for i := range effects {
		if e := &effects[i]; e.Kind == effect.Spawn && e.Op == effect.OpRunFile {
			f.scriptFile(program, e.Resource, r, done)
		}
	}
}
