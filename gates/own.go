package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about what the session made itself, which it may take away again and,
// in a temporary directory, run. It relaxes, so nothing counts that is not known to
// have happened, and what does not fit is forgotten.

// own returns what the session made, after the call: what was not there before it.
func (c *Context) own() []string {
	out := c.refs(c.jobs(c.leaves(c.learns(c.changes(c.ownBefore(len(c.Effects)))))))
	if c.newDirs != nil {
		out = c.newDirs(c, out)
	}
	if c.naming != nil {
		out = c.naming.Makes(c, out)
	}
	for i := range c.runs {
		if w := c.runs[i].Words; isAmong(w, "worktree") && (isAmong(w, "move") || isAmong(w, "repair")) {
			// What git moves may be another's, and any directory above may hold it then.
			out = slices.DeleteFunc(out, func(own string) bool { return own[0] == '/' && strings.HasSuffix(own, "/") })
		}
		for _, gone := range shell.ContainersGone(&c.runs[i], out) {
			out = without(out, gone)
		}
	}
	if len(out) > maxFlow {
		out = out[len(out)-maxFlow:]
	}
	return out
}

// ownBefore is what the session made before effect n of the call: a line may take away
// and run what it makes itself. What it takes away and makes anew is its own, whoever
// agreed to the one agreed to the other.
func (c *Context) ownBefore(n int) []string {
	out := slices.Clone(c.Flow.Own)
	plain := c.ofItsOwn()
	var gone []string
	for i := range c.Effects[:n] {
		e := &c.Effects[i]
		switch {
		case e.Deferred:
		case e.Kind == effect.Write && e.Op == effect.OpMove && c.movesForeign(out, i):
			out = slices.DeleteFunc(out, func(own string) bool {
				return strings.HasPrefix(own, "/") && mark.Under(e.Resource, trimSuffix(own, "/"))
			})
		case e.Kind == effect.Write && e.Op == effect.OpMove:
			out = c.moved(out, i)
		case e.Kind == effect.Delete && e.Program == "git" && c.isWorkTree(e.Resource): // git rm leaves the repository
		case e.Kind == effect.Delete && !e.Glob:
			out = without(without(out, e.Resource), e.Resource+"/")
			gone = append(gone, e.Resource)
		case e.Kind == effect.Write && c.creates(e) && (c.isNew(e.Resource) || isBelow(gone, e.Resource)):
			out = makes(out, e, plain || c.builtBefore(i))
		}
	}
	return out
}

// isWorkTree says whether a directory holds a repository of its own.
func (c *Context) isWorkTree(dir string) bool {
	return c.names != nil && isAmong(c.names(dir), ".git/")
}

// movesForeign says whether something that the session did not make, and that git could not
// give back, is moved to where effect n of the call is.
func (c *Context) movesForeign(own []string, n int) bool {
	for i := range c.Effects[:n] {
		e := &c.Effects[i]
		if e.Kind != effect.Write || e.Op != effect.OpMove || e.Program != c.Effects[n].Program || c.at(e.Resource) == FoundKept || c.at(e.Resource) == FoundStaged {
			continue
		}
		if !slices.ContainsFunc(own, func(o string) bool { return mark.Under(e.Resource, trimSuffix(o, "/")) }) {
			return true
		}
	}
	return false
}

// moved adds what effect n of the call, the target of a move, makes of what the session
// made: under its new name it is no less the session's, and no more.
func (c *Context) moved(own []string, n int) []string {
	if c.after {
		return own // it was seen before
	}
	to := &c.Effects[n]
	for i := range c.Effects[:n] {
		from := &c.Effects[i]
		if from.Kind != effect.Write || from.Op != effect.OpMove || from.Program != to.Program || !exact(from.Resource) || c.target(from) != n {
			continue
		}
		name := to.Resource
		if !c.isNew(name) {
			name = path.Join(name, path.Base(from.Resource))
		}
		if !c.isNew(name) {
			continue
		}
		if !isAmong(own, from.Resource) {
			name += "/" // not one that it may run
		}
		own = with(own, name)
	}
	return own
}

// creates says whether a write makes a file, where there was none: tools that put all of
// a file in its place don't say whether one was there. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) creates(e *Effect) bool {
	if e.Glob || e.Protected {
		return false
	}
	return e.Op == effect.OpCreate || slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == e.Resource && w.Known && !w.Part })
}

// isBelow says whether a path is one of a list or lies below one.
func isBelow(list []string, path string) bool {
	return exact(path) && slices.ContainsFunc(list, func(dir string) bool { return mark.Under(path, dir) })
}

// isNew says whether a path is known to have had nothing at it before the call.
func (c *Context) isNew(path string) bool {
	return c.exists != nil && exact(path) && !c.exists(path)
}

// exact says whether a path is one place: no part of it is computed or a pattern.
func exact(path string) bool {
	return strings.HasPrefix(path, "/") && !mark.Has(path) && !strings.ContainsAny(path, "…*?[")
}

// ofItsOwn says whether what the call writes is made of what the session had: nothing
// comes over the network or from outside the workspace, and everything is known. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) ofItsOwn() bool {
	return !slices.ContainsFunc(c.Effects, func(e Effect) bool {
		switch e.Kind {
		case effect.Opaque:
			return true
		case effect.Network:
			return !loopback(e.Net)
		case effect.Read:
			return outside(e.Zone) && e.Zone != effect.ZonePublic && e.Zone != effect.ZoneStream
		}
		return false
	})
}

// builtBefore says whether a compiler of the workspace makes a file before the call reads
// anything elsewhere: what is read later does not get into it, unless the line goes round
// or writes there again.
func (c *Context) builtBefore(n int) bool {
	run, file := c.runOf(n), c.Effects[n].Resource
	if run == nil || goesRound(c.Command) || !slices.ContainsFunc(run.Effects, func(i int) bool { return c.Effects[i].Op == effect.OpBuild }) {
		return false
	}
	last := run.Effects[len(run.Effects)-1]
	for i := range c.Effects {
		switch e := &c.Effects[i]; e.Kind {
		case effect.Opaque:
			return false
		case effect.Network:
			if !loopback(e.Net) {
				return false
			}
		case effect.Read:
			if i <= last && outside(e.Zone) && e.Zone != effect.ZonePublic && e.Zone != effect.ZoneStream {
				return false
			}
		case effect.Write:
			if i > n && e.Zone != effect.ZoneStream && (!exact(e.Resource) || mark.Under(file, e.Resource)) {
				return false
			}
		}
	}
	return true
}

// goesRound says whether a command line may run a part of itself again: loops, functions
// and what runs beside it.
func goesRound(line string) bool {
	for i := range line {
		if line[i] == '&' && (i == 0 || !strings.ContainsRune("&<>", rune(line[i-1]))) && (i+1 == len(line) || !strings.ContainsRune("&>", rune(line[i+1]))) {
			return true // neither a list nor a redirection
		}
	}
	return strings.Contains(line, "()") || slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|(){}`!", r) }), func(w string) bool {
		switch w {
		case "for", "while", "until", "select", "function", "coproc", "xargs", "parallel", "watch":
			return true
		}
		return false
	})
}

// makes adds what one write creates, with a slash at its end where it may be taken away
// with all in it and not be run: directories, and what was fetched or came from
// elsewhere.
func makes(out []string, e *Effect, plain bool) []string {
	dir := e.Program == "mkdir"
	switch {
	case e.Named && e.Program == "git": // the directory of a new work tree
		return with(out, e.Resource+"/")
	case e.Zone == effect.ZoneTemp && (dir || !plain), e.Zone == effect.ZoneWorkspace && dir:
		return with(out, e.Resource+"/")
	case plain && (e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneWorkspace):
		return with(out, e.Resource)
	}
	return out
}

// runsOwn says whether a program in a temporary directory is one that the session
// made of what it had. One that holds what would not be approved is told apart by
// flows.
func (c *Context) runsOwn(e *Effect) bool {
	return e.Zone == effect.ZoneTemp && (c.spellsOut(e.Resource) || isAmong(c.ownBefore(c.indexOf(e)), e.Resource))
}

// startsShells says whether what is run is a file that the user's own shells run when they start
// (the shell reader says which) and that neither the session nor the call has changed.
func (c *Context) startsShells(e *Effect) bool {
	return e.Named && e.Program == "source" && !c.Flow.touched(e.Resource) && len(c.Flow.Unvetted) == 0 && len(c.written) == 0 && // it may run what they left
		!slices.ContainsFunc(c.Effects, func(w Effect) bool {
			return w.Kind == effect.Write && (w.Resource == e.Resource || w.Glob || w.Zone == effect.ZoneUnknown)
		})
}

// spellsOut says whether all of a script was written by this call or an earlier one, and
// holds only what would be approved if it stood in the call: then it does not matter
// what was there before. What no reading of its language judges does not count.
func (c *Context) spellsOut(file string) bool {
	w := effect.Written{Path: file}
	for i := range c.Flow.Made {
		if m := &c.Flow.Made[i]; m.Path == file {
			w.Text, w.Known = m.Text, m.Known
		}
	}
	for i := range c.written {
		if c.written[i].Path == file && !c.written[i].Perhaps {
			w = c.written[i]
		}
	}
	judged := shell.ScriptLanguage(file, w.Text) != "" || strings.HasSuffix(file, ".go")
	return w.Known && !w.Part && !w.Net && judged && !c.harmful(file, w.Text) && c.vetted(&w)
}

// setsUpOwn says whether a write of settings, hooks or skills lies in a temporary
// directory that the session made, and puts nothing there that would not be approved:
// whoever starts something there starts what the session could run itself.
func (c *Context) setsUpOwn(e *Effect) bool {
	if e.Zone != effect.ZoneTemp || e.Deferred || !c.ofItsOwn() || strings.Contains(e.Resource, "/../") || strings.Contains(e.Resource, "…") {
		return false
	}
	inOwn := slices.ContainsFunc(c.ownBefore(c.indexOf(e)), func(own string) bool { return strings.HasSuffix(own, "/") && strings.HasPrefix(e.Resource, own) })
	switch {
	case !inOwn:
		return false
	case e.Program == "mkdir" || e.Op == effect.OpChmod:
		return true
	}
	for i := range c.written {
		if w := &c.written[i]; w.Path == e.Resource {
			return w.Known && !w.Part && !w.Net && !c.harmful(w.Path, w.Text) && c.vetted(w)
		}
	}
	return false
}

// indexOf is where an effect of the call stands. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) indexOf(e *Effect) int {
	for i := range c.Effects {
		if &c.Effects[i] == e {
			return i
		}
	}
	return 0
}

// deletesOwn says whether all that is deleted was made by the session.
func (c *Context) deletesOwn(e *Effect) bool {
	file := e.Resource
	if c.givenBack(e) {
		return true
	}
	if e.Glob {
		file = file[:lastByte(file[:markOf(file)], '/')+1]
	}
	return slices.ContainsFunc(c.ownBefore(c.indexOf(e)), func(own string) bool {
		dir := trimSuffix(own, "/")
		return !e.Glob && file == dir || strings.HasPrefix(file, dir+"/") && !strings.Contains(file, "/../") && !strings.Contains(file, "…")
	})
}

// changesOwn says whether a database that is changed is one file that the session made, or one that
// the call could delete as it lies in a directory for temporary files.
func (c *Context) changesOwn(e *Effect) bool {
	if e.Program != "sqlite3" || !exact(e.Ref) || e.Deferred || c.Elsewhere != "" {
		return false
	}
	n := c.indexOf(e)
	if run := c.runOf(n); run == nil || run.Contained || run.Background || run.Given {
		return false
	}
	if c.stamp != nil && strings.HasSuffix(c.stamp(e.Ref), Linked) {
		return false // what it is for others stays
	}
	for i := range c.Effects[:n] {
		if w := &c.Effects[i]; w.Kind == effect.Write && (!exact(w.Resource) || mark.Under(e.Ref, w.Resource)) && !copiesAlone(c.runOf(i)) {
			return false
		}
	}
	if isAmong(c.ownBefore(n), e.Ref) {
		return true
	}
	one := *c
	one.Effects = slices.Clone(c.Effects)
	x := &one.Effects[n]
	*x = Effect{Kind: effect.Delete, Op: effect.OpRemove, Program: e.Program, Resource: e.Ref}
	x.Zone, x.Sensitive, x.Protected = c.places.Where(e.Ref)
	return x.Zone == effect.ZoneTemp && (one.deletesOwn(x) || one.temporary(x))
}

// copiesAlone says whether what a run writes is a file of its own: it gives none that is there a
// second name, as cp does with -l and -al.
func copiesAlone(r *effect.Run) bool {
	if r == nil || len(r.Words) == 0 || !isAmong([]string{"cat", "cp", "mkdir", "sqlite3", "touch"}, r.Words[0]) {
		return false
	}
	return r.Words[0] != "cp" || !slices.ContainsFunc(r.Words, func(w string) bool { return w != "" && w[0] == '-' && strings.ContainsRune(w, 'l') })
}

// dropsOwnTree says whether a deletion takes a work tree away that the session made beside the
// repository, and in which neither the call nor the session is.
func (c *Context) dropsOwnTree(e *Effect) bool {
	return e.Op == effect.OpRemoveTree && !e.Sensitive && slices.ContainsFunc(c.ownBefore(c.indexOf(e)), func(own string) bool { return trimSuffix(own, "/") == e.Resource }) && !mark.Under(c.Cwd, e.Resource) && len(c.Roots) > 1 && !mark.Under(c.Roots[0], e.Resource)
}

// dropsNoTree says whether git is told to drop a work tree, outside of the workspace, that is not
// there.
func (c *Context) dropsNoTree(e *Effect) bool {
	return e.Program == "git" && e.Op == effect.OpRemoveTree && !e.Sensitive && !e.Deferred && c.at(e.Resource) == FoundNothing && c.givenBack(e)
}

// markOf is where a pattern begins in a path. Not inlined, for the size of programs.
//
//go:noinline
func markOf(path string) int {
	if i := strings.IndexAny(path, "*?[{"); i >= 0 {
		return i
	}
	return len(path)
}
