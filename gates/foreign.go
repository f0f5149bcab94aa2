package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about what somebody else made: files that others left in a temporary
// directory, and files of the workspace that git could not give back. The session takes
// neither away, and replaces none that it has neither made nor read, unasked.

// seen stands in Flow.Own before a file that git could not give back and that the session
// has read or written, with its stamp behind a zero byte: who replaces it knows what was
// there.
const seen = "seen:"

// takesForeign says whether a move takes something out of a temporary directory that the
// session did not make.
func (c *Context) takesForeign(e *Effect) bool {
	return e.Zone == effect.ZoneTemp && e.Op == effect.OpMove && c.target(e) != c.indexOf(e) && !c.deletesOwn(e) && !(c.later && c.isNew(e.Resource))
}

// target is where the target of a move stands among the effects: behind all that is moved
// there.
func (c *Context) target(e *Effect) int {
	at := c.indexOf(e)
	for _, i := range c.besides(at) {
		if x := &c.Effects[i]; x.Kind == e.Kind && x.Op == e.Op && x.Program == e.Program {
			at = max(at, i)
		}
	}
	return at
}

// besides are the effects of the run that effect n belongs to, or of a whole call that is
// no command line.
func (c *Context) besides(n int) []int {
	if run := c.runOf(n); run != nil {
		return run.Effects
	}
	out := make([]int, 0, len(c.Effects))
	for i := range c.Effects {
		if c.Command == "" || c.runOf(i) == nil {
			out = append(out, i)
		}
	}
	return out
}

// runOf is the first run with an effect. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) runOf(n int) *effect.Run {
	for k := range c.runs {
		if slices.Contains(c.runs[k].Effects, n) {
			return &c.runs[k]
		}
	}
	return nil
}

// notThereYet says whether code that is judged before it runs deletes a single file of a
// temporary directory that is not there: it will be the code's own. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) notThereYet(e *Effect) bool {
	return c.later && e.Op == effect.OpRemove && !e.Glob && c.isNew(e.Resource)
}

// Replaces lists the files of the workspace that a write of a command line replaces, that
// git could not give back and that the session has neither made nor seen. What builders
// and logs write over is made again each time.
func (c *Context) Replaces(e *Effect) []string {
	if c.found == nil || c.after || c.Class.Family != call.FamilyShell || e.Zone != effect.ZoneWorkspace || e.Deferred || !c.replacing(e) {
		return nil
	}
	var out []string
	if e.Glob {
		if c.mapsEach(e) {
			return nil
		}
		return c.replacesAmong(e.Resource)
	}
	for _, file := range c.targets(e) {
		if c.at(file) == FoundFile && !regenerable(file) && path.Ext(file) != ".log" && !c.knows(file) {
			out = append(out, file)
		}
	}
	return out
}

// replacing says whether a write puts something in the place of a whole file.
func (c *Context) replacing(e *Effect) bool {
	n := c.indexOf(e)
	switch {
	case e.Program == "git" && e.Op == effect.OpModify:
		run := c.runOf(n)
		return run != nil && run.Tool == "git mv" && n == c.target(e) && hasOption(run.Words, "f", "--force")
	case e.Op == effect.OpModify:
		return e.Program == "truncate" || c.cutsDown(n)
	case e.Op == effect.OpMove:
		return c.target(e) == n && !c.careful(n)
	case e.Op != effect.OpCreate:
		return false
	case e.Program == "mkdir" || e.Program == "touch":
		return false
	}
	return !c.careful(n) && !slices.ContainsFunc(c.Effects, func(x Effect) bool {
		return e.Program != "" && x.Kind == effect.Spawn && x.Op == effect.OpBuild && x.Program == e.Program
	})
}

// careful says whether a program has an option by which it appends to what is there, keeps
// it, or makes a copy of it first (cp(1), mv(1), ln(1), tee(1), install(1)).
func (c *Context) careful(n int) bool {
	run := c.runOf(n)
	if run == nil {
		return false
	}
	letters := ""
	switch c.Effects[n].Program {
	case "cp", "mv":
		letters = "nbu"
	case "install":
		letters = "b"
	case "tee":
		letters = "a"
	case "ln":
		if !hasOption(run.Words, "f", "--force") {
			return true // it refuses
		}
		letters = "b"
	default:
		return false
	}
	return hasOption(run.Words, letters, "--no-clobber", "--backup", "--update", "--append")
}

// hasOption says whether words hold one of some options: letters, alone or together with
// others, or long ones.
func hasOption(words []string, letters string, long ...string) bool {
	for _, w := range words[1:] {
		name, _, _ := cutAt(w, "=")
		switch {
		case w == "--":
			return false
		case isAmong(long, name), len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w[1:], letters):
			return true
		}
	}
	return false
}

// targets are the files that a write may replace: the one that it names, and where that is
// a directory the ones in it that have the names of what is brought there.
func (c *Context) targets(e *Effect) []string {
	out := []string{e.Resource}
	if !copies(e.Program) && e.Program != "ln" || c.isNew(e.Resource) {
		return out
	}
	for _, i := range c.besides(c.indexOf(e)) {
		x := &c.Effects[i]
		if x.Resource != e.Resource && exact(x.Resource) && (x.Kind == effect.Read || x.Op == effect.OpMove) {
			out = append(out, path.Join(e.Resource, path.Base(x.Resource)))
		}
	}
	return out
}

// knows says whether the session made a file, or has read or written all that it holds.
func (c *Context) knows(file string) bool {
	now := c.known(file)
	return slices.ContainsFunc(c.Flow.Own, func(own string) bool {
		return own == file || now != "" && own == now || strings.HasSuffix(own, "/") && strings.HasPrefix(file, own)
	})
}

// known is how Flow.Own names a file that the session knows, as it is now; it is no entry
// where nobody can tell.
func (c *Context) known(file string) string {
	if c.stamp == nil {
		return ""
	}
	stamp := c.stamp(file)
	if stamp == "" {
		return ""
	}
	return seen + file + "\x00" + stamp
}

// learns notes the files that a call has read or written, of those that git could not give
// back.
func (c *Context) learns(out []string) []string {
	if !c.after || c.found == nil {
		return out
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Zone != effect.ZoneWorkspace || !exact(e.Resource) || e.Kind != effect.Write && (e.Kind != effect.Read || e.Op != effect.OpRead) || c.found(e.Resource) != FoundFile {
			continue
		}
		out = slices.DeleteFunc(out, func(s string) bool { return strings.HasPrefix(s, seen+e.Resource+"\x00") })
		if now := c.known(e.Resource); now != "" {
			out = append(out, now)
		}
	}
	return out
}
