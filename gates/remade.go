package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file follows unvetted files: into what is made of them, and to what runs them.

// project stands before a file of Flow.Unvetted once more if a project's tools load
// it without being told its name, and what it holds was fetched or would be
// rejected: whatever builds or tests the project runs it.
const project = "project:"

// fetches stands before a manifest of Flow.Unvetted that takes a dependency from an
// address: what installs the project's dependencies runs what lies there.
const fetches = "fetches:"

// fromAddress are the schemes by which the manuals of pip, uv, npm and bundler take a
// dependency from a repository, or a directory anywhere, instead of a registry.
var fromAddress = [...]string{"file:/", "link:/", "git+https://", "git+http://", "git+ssh://", "git+file://", "hg+https://", "svn+https://"}

// takesAddress says whether a text names a dependency from an address. The address of
// the project itself in package.json is none.
func takesAddress(text string) bool {
	for line := range strings.Lines(text) {
		if key, _, _ := cutAt(line, ":"); strings.Trim(key, " \t\"{") == "url" || strings.Contains(key, "repository") {
			continue
		}
		for _, scheme := range fromAddress {
			if strings.Contains(line, scheme) {
				return true
			}
		}
		if strings.Contains(line, "://") && (strings.Contains(line, ".tgz") || strings.Contains(line, ".tar.gz")) { // package.json(5), URLs as dependencies
			return true
		}
	}
	return false
}

// manifest says whether a file names the dependencies of a project.
func manifest(file string) bool {
	switch base := path.Base(file); base {
	case "package.json", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile":
		return true
	default:
		return strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt")
	}
}

// installs says whether a builder's words are those for bringing in dependencies.
func installs(e *Effect) bool {
	for _, w := range strings.Fields(e.Argv) {
		switch w {
		case "install", "i", "ci", "add", "sync", "update", "upgrade", "lock", "run", "tidy", "download", "vendor", "get", "deps.get", "require", "export":
			return e.Program != "npm" && e.Program != "pnpm" && e.Program != "yarn" && e.Program != "bun" || w != "run"
		}
	}
	return (e.Program == "yarn" || e.Program == "bundle") && len(strings.Fields(e.Argv)) == 1
}

// tainted adds a file to the unvetted ones; harm says that its contents were
// fetched or would be rejected.
func tainted(out []string, file string, harm bool) []string {
	out = with(out, file)
	if harm && shell.Loaded(file) != shell.NotLoaded {
		out = with(out, project+file)
	}
	return out
}

// remade adds what the call makes of unvetted files: copies, files they are moved
// to or unpacked as, and what a program writes that reads them.
func (c *Context) remade(out []string) []string {
	sources := c.sources()
	if len(sources) == 0 {
		return out
	}
	harm := false
	for _, s := range sources {
		harm = harm || shell.Loaded(s) == shell.NotLoaded || isAmong(c.Flow.Unvetted, project+s)
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write || e.Zone == effect.ZoneStream {
			continue
		}
		if !c.holdsCwd(e.Resource) {
			out = tainted(out, e.Resource, harm)
		}
		if dir := path.Dir(e.Resource); path.Base(e.Resource) == "unpacked" && !c.holdsCwd(dir) {
			out = with(out, within+dir)
		}
		if copies(e.Program) {
			for _, s := range sources {
				out = below(out, e.Resource, s, harm)
			}
		}
	}
	return out
}

// copies says whether a program brings files to a directory under names of theirs. Not inlined,
// for the size of programs.
//
//go:noinline
func copies(program string) bool {
	switch program {
	case "bsdtar", "cp", "cpio", "install", "mv", "rsync", "tar", "unzip":
		return true
	}
	return false
}

// below adds the names that a file may get in a directory: every tail of its path.
// An unpacker's target stands for what it unpacks, beside it.
func below(out []string, dir, file string, harm bool) []string {
	if path.Base(dir) == "unpacked" {
		dir = path.Dir(dir)
	}
	for tail := trimPrefix(file, "/"); tail != ""; {
		out = tainted(out, path.Join(dir, tail), harm)
		_, tail, _ = cutAt(tail, "/")
	}
	return out
}

// sources are the unvetted files that the call reads, moves or links.
func (c *Context) sources() []string {
	var out []string
	for _, u := range c.Flow.Unvetted {
		if strings.HasPrefix(u, "/") && c.uses(u) {
			out = append(out, u)
		}
	}
	return append(out, c.foreign()...)
}

// foreign are the files in temporary directories that the call copies, moves or links to and
// that the session did not write: anybody may have.
func (c *Context) foreign() []string {
	var out []string
	for i := range c.Effects {
		e := &c.Effects[i]
		linked := e.Program == "ln" && e.Kind == effect.List
		if e.Zone != effect.ZoneTemp || e.Glob || !linked && (!copies(e.Program) || e.Kind != effect.Read && e.Op != effect.OpMove) {
			continue
		}
		known := slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return mark.Under(m.Path, e.Resource) || mark.Under(e.Resource, m.Path) })
		made := slices.ContainsFunc(c.Effects, func(w Effect) bool {
			return w.Kind == effect.Write && w.Op == effect.OpCreate && w.Resource == e.Resource
		})
		if !known && !made {
			out = append(out, e.Resource)
		}
	}
	return out
}

// uses says whether the call reads, moves or links a file, or one of a row of them that a
// program cut a file into.
func (c *Context) uses(file string) bool {
	start, row := cutSuffix(file, "*")
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind == effect.Write && e.Op == effect.OpCreate && e.Program == "ln":
			if c.mentions(file) || c.inline != nil && c.inline.takesAll(c, i, file) {
				return true
			}
		case e.Kind == effect.Read, e.Kind == effect.Write && (e.Op == effect.OpMove || e.Op == effect.OpLink || e.Program == "git"):
			if mark.Under(e.Resource, file) || row && strings.HasPrefix(e.Resource, start) || copies(e.Program) && (mark.Under(file, e.Resource) || c.archived(e, file)) || c.inline != nil && c.inline.takesAll(c, i, file) {
				return true
			}
		}
	}
	return false
}

// archived says whether a program unpacks what may hold a file: any archive may hold
// what a project loads, and one that is unvetted itself was made of such files.
func (c *Context) archived(e *Effect, file string) bool {
	switch e.Program {
	case "bsdtar", "cpio", "tar", "unzip":
		return shell.Loaded(e.Resource) == shell.NotLoaded && shell.Loaded(file) != shell.NotLoaded || isAmong(c.Flow.Unvetted, e.Resource)
	}
	return false
}

// mentions says whether a word of the command line names a file.
func (c *Context) mentions(file string) bool {
	for _, w := range strings.FieldsFunc(c.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|'\"", r) }) {
		if w == file || path.Join(c.Cwd, w) == file {
			return true
		}
	}
	return false
}

// inQuotes are the texts in quotes of a command line, over the ends of lines, with the
// quotes that a shell joins to them.
func inQuotes(line string) []string {
	const joined, held = `'\''`, "\x00"
	var out []string
	line = strings.ReplaceAll(line, joined, held)
	for {
		i := strings.IndexAny(line, `'"`)
		if i < 0 {
			return out
		}
		text, rest, ok := cutAt(line[i+1:], line[i:i+1])
		if !ok {
			return out
		}
		out, line = append(out, strings.ReplaceAll(text, held, "'")), rest
	}
}

// inserted is what a sed script puts into its file, as far as it begins with that.
func inserted(script string) string {
	s := strings.TrimLeft(script, "0123456789$, !")
	for strings.HasPrefix(s, "/") { // addresses
		end := closing(s, 1, '/')
		if end < 0 {
			return ""
		}
		s = strings.TrimLeft(s[end+1:], "I0123456789$, !")
	}
	if s == "" {
		return ""
	}
	switch s[0] {
	case 'a', 'i', 'c':
		return strings.ReplaceAll(strings.TrimLeft(s[1:], "\\ \t\n"), "\\\n", "\n")
	case 's':
		if parts := strings.Split(s[1:], s[1:min(2, len(s))]); len(parts) > 2 {
			return parts[2]
		}
	}
	return ""
}

// runsUnvetted says whether an effect runs an unvetted file: the file itself, one of
// a pattern, a module, a program of its name, or the project that loads it.
func runsUnvetted(list []string, e *Effect) bool {
	if len(list) == 0 {
		return false
	}
	for _, u := range list {
		file, loaded := cutPrefix(u, project)
		loaded = loaded || u == "/"
		switch e.Op {
		case effect.OpBuild, effect.OpRunCode:
			if manifest, ok := cutPrefix(u, fetches); ok && fetchesBy(manifest, e) {
				return true
			}
			if u == "/" || loaded && !parses(e) && (e.Op == effect.OpBuild || !buildsImages(file)) || installed(file, e.Program) {
				return true
			}
		case effect.OpRun:
			if path.Base(file) == e.Resource {
				return true
			}
		case effect.OpRunFile:
			if holdsData(e.Resource) && searchesTests(e.Program) {
				continue
			}
			if start, ok := cutSuffix(file, "*"); ok && strings.HasPrefix(e.Resource, start) {
				return true
			}
			if mark.Under(e.Resource, file) || loaded && imports(e.Resource, file) || aimedAt(e.Resource, file) {
				return true
			}
		}
	}
	return false
}

// buildsImages says whether a file says how an image for containers is built: no interpreter loads it.
func buildsImages(file string) bool {
	base := strings.ToLower(path.Base(file))
	name, _, _ := strings.Cut(base, ".")
	return name == "dockerfile" || name == "containerfile" || strings.HasSuffix(base, ".dockerfile")
}

// installed says whether a file is what a project runs under a program's name: in
// one of its directories of programs, or the wrapper of a builder.
func installed(file, program string) bool {
	if path.Base(file) != program {
		return false
	}
	switch path.Base(path.Dir(file)) {
	case "bin", ".bin", "Scripts":
		return true
	}
	w := wrapperOf(program)
	return w == "gradlew" || w == "mvnw"
}

// imports says whether what is run may load a file by a module's name: it is a module,
// a directory, or a script in the same language. A shell names what it loads.
func imports(run, file string) bool {
	switch ext := path.Ext(file); ext {
	case ".sh", ".bash":
		return false
	default:
		return path.Ext(run) == ext || path.Ext(run) == "" || strings.HasPrefix(run, "module ")
	}
}

// aimedAt says whether a pattern or a module that is run is a file.
func aimedAt(run, file string) bool {
	if module, ok := cutPrefix(run, "module "); ok {
		return strings.HasSuffix(file, "/"+strings.ReplaceAll(module, ".", "/")+".py")
	}
	return strings.ContainsAny(run, "*?[…") && mayBe(run, file)
}

// mayBe says whether a name of which a part is open may be that of a file: of what a search
// finds, only the last element is looked at.
func mayBe(name, file string) bool {
	ok, err := path.Match(strings.ReplaceAll(path.Base(name), "…", "*"), path.Base(file))
	return ok || err != nil
}
