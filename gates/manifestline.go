package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about lines that change a manifest and then bring in what it names: nobody can
// look what that is before the line runs.

// goesByNamesOfLine are the effects that bring in what the line put into a manifest before, if
// that may be new.
func (c *Context) goesByNamesOfLine(out []use) []use {
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Effects) == 0 {
			continue
		}
		if file := c.baseTold(r); file != "" {
			out = c.fetchesBehind(out, file, r.Effects[0])
		}
		for _, file := range c.addedBy(r) {
			out = c.fetchesBehind(out, file, r.Effects[len(r.Effects)-1]+1)
		}
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if c.after || e.Kind != effect.Write || e.Op == effect.OpChmod || e.Op == effect.OpChown || !exact(e.Resource) || e.Program == "git" {
			continue
		}
		if path.Base(e.Resource) == "Cargo.toml" && (e.Program == "" || e.Program == "sed" && !c.versionsApart(e.Resource)) {
			continue // then the shell's reading says of cargo that it runs the line's instructions, unless these are tame
		}
		if k := kindOf(e.Resource); k != nil && !k.script && !c.namesNothingNew(e.Resource) {
			out = c.fetchesBehind(out, e.Resource, i+1)
		}
	}
	return out
}

// versionsApart says whether in a manifest of cargo another line than one begins with version: in a
// table of one dependency it is that of the dependency (The Cargo Book, Specifying Dependencies).
func (c *Context) versionsApart(file string) bool {
	if c.text == nil {
		return false
	}
	text, ok := c.text(file)
	return !ok || strings.Contains(text, "dependencies.") || strings.Count("\n"+text, "\nversion") != 1
}

// fetchesBehind adds the first effect from number next on that fetches by a manifest.
func (c *Context) fetchesBehind(out []use, file string, next int) []use {
	if !c.inWorkspace(file) || installedUnder(file) {
		return out
	}
	for i := next; i < len(c.Effects); i++ {
		if e := &c.Effects[i]; e.Kind == effect.Spawn && e.Op == effect.OpBuild && fetchesBy(file, e) {
			now := unknownNames
			if c.text != nil {
				now = c.namesAt(file)
			}
			return append(out, use{at: i, kind: turnNames, entries: []string{turn{kind: turnNames, what: file, now: now}.String()}})
		}
	}
	return out
}

// addedBy are the manifests into which a run may put a dependency without naming the file: go
// mod edit (go help mod edit) and patches, where they are known not to touch one.
func (c *Context) addedBy(r *effect.Run) []string {
	if !exact(r.Cwd) {
		return nil
	}
	switch {
	case len(r.Words) > 3 && path.Base(r.Words[0]) == "go" && (r.Words[1] == "mod" || r.Words[1] == "work") && r.Words[2] == "edit":
		if slices.ContainsFunc(r.Words[3:], c.addsToGo(r)) {
			return []string{path.Join(r.Cwd, "go."+r.Words[1])}
		}
	case appliesPatch(r) && !shell.ContainsAny(r.Words, "--check", "--stat", "--numstat", "--summary", "--dry-run"):
		return slices.DeleteFunc(c.usualAt(r.Cwd), func(file string) bool { return c.patchSpares(r, path.Base(file)) })
	}
	return nil
}

// addsToGo says whether a word of go mod edit or go work edit brings in a module: one that it
// requires, or puts in the place of another. A directory of the workspace is none. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) addsToGo(r *effect.Run) func(string) bool {
	before := ""
	return func(w string) bool {
		name, value, _ := cutAt(strings.TrimLeft(w, "-"), "=")
		if w == "" || w[0] != '-' {
			name, value = before, w
		}
		before = name
		if value == "" {
			return false
		}
		switch name {
		case "require", "tool":
			return true
		case "replace":
			_, to, _ := cutAt(value, "=")
			return mark.Has(value) || !strings.HasPrefix(to, ".") && !strings.HasPrefix(to, "/") || !c.ownAt(path.Join(r.Cwd, "go.mod"))(to)
		case "use":
			return !c.ownAt(path.Join(r.Cwd, "go.work"))(value)
		}
		return false
	}
}

// patchSpares says whether the patches that a run is told are known, and none changes a file of
// a name.
func (c *Context) patchSpares(r *effect.Run, base string) bool {
	known := false
	for _, w := range r.Words[1:] {
		if w == "" || w[0] == '-' || c.text == nil {
			continue
		}
		if text, ok := c.text(c.places.Resolve(r.Cwd, w)); ok {
			if known = true; strings.Contains(text, base) {
				return false
			}
		}
	}
	return known
}

// namesNothingNew says whether the call spells out all of a manifest, and that names nothing
// which it did not name before.
func (c *Context) namesNothingNew(file string) bool {
	i := slices.IndexFunc(c.written, func(w effect.Written) bool { return w.Path == file && w.Known && !w.Part })
	if i < 0 || c.text == nil {
		return false
	}
	before := c.namesAt(file)
	return before != unknownNames && !addsNames(before, c.manifestNames(file, c.written[i].Text))
}

// baseTold is the Dockerfile of a build that is told, by an argument, to begin with an image
// that the file does not name (docs.docker.com, docker build, --build-arg); empty for none.
func (c *Context) baseTold(r *effect.Run) string {
	file, told := path.Join(r.Cwd, "Dockerfile"), map[string]string{}
	if c.text == nil || !isAmong(containers, path.Base(r.Words[0])) {
		return ""
	}
	for i, w := range r.Words[1:] {
		option, value, attached := cutAt(w, "=")
		switch before := r.Words[i]; {
		case before == "--build-arg" && i > 0:
			name, v, _ := cutAt(w, "=")
			told[name] = v
		case option == "--build-arg" && attached:
			name, v, _ := cutAt(value, "=")
			told[name] = v
		case before == "-f" || before == "--file":
			file = c.places.Resolve(r.Cwd, w)
		case option == "--file" && attached:
			file = c.places.Resolve(r.Cwd, value)
		}
	}
	text, ok := c.text(file)
	if !ok || len(told) == 0 || kindOf(file) == nil {
		return ""
	}
	plain, with := depends{names: map[string]bool{}}, depends{names: map[string]bool{}}
	plain.image(text)
	with.imageWith(text, told)
	for name := range with.names {
		if !plain.names[name] {
			return file
		}
	}
	return ""
}
