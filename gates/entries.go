package gates

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file judges the files of Python and JavaScript that the session wrote and then runs by
// themselves, by the packages of others that they bring in, as inline code is judged: a script
// with a client of a service acts there as surely as a command line does. What runs of tests
// and servers load is the project's own work, and what the file brings in of the workspace is
// only followed.

// servesOrTests are programs that load a file as a part of an application, which acts
// when it is asked, or as tests of one (their manuals). Sorted.
const servesOrTests = "ava behave cypress daphne fastapi flask granian gunicorn hypercorn jasmine jest karma mocha nose2 nosetests playwright py.test pytest streamlit tap tape uvicorn vitest " +
	"waitress-serve"

// entry looks for a file that a run is told to run, that the session wrote and that uses a
// package which nobody here knows.
func (f *follower) entry(e *Effect, r *effect.Run) bool {
	if !f.c.looks() || mark.Among(servesOrTests, e.Program) || tests(r) && !slices.ContainsFunc(r.Words[1:], noTest) {
		return false
	}
	for _, file := range f.entryFiles(e, r) {
		if !f.judged[file] && f.c.Uses(file) != "" {
			f.hit = file
			return true
		}
	}
	return false
}

// noTest says whether a word names a file of code that neither its name nor its directory's calls a
// test: told of it, an interpreter that looks for tests runs it as any script (Node.js, Test runner).
func noTest(w string) bool {
	low := strings.ToLower(w)
	return w != "" && w[0] != '-' && codeOf(w) != "" && !strings.Contains(low, "test") && !strings.Contains(low, "spec")
}

// tests says whether an interpreter is told to look for tests (the manuals of Python,
// unittest, and of Node.js, Bun and Deno).
func tests(r *effect.Run) bool {
	for i, w := range r.Words[1:] {
		before := r.Words[i]
		switch {
		case before == "-m":
			return w == "unittest" || w == "pytest"
		case w == "--test", w == "test" && i == 0:
			return true
		case w != "" && w[0] != '-' && codeOf(w) != "":
			return false
		}
	}
	return false
}

// entryFiles are the files that an effect may run: those that its name stands for where the
// language puts an ending behind it, or finds a directory's own.
func (f *follower) entryFiles(e *Effect, r *effect.Run) []string {
	if mod, ok := cutPrefix(e.Resource, "module "); ok {
		var out []string
		if isAmong(r.Words, "-m") {
			for _, dir := range f.modulePlaces(path.Join(r.Cwd, "-")) {
				at := path.Join(dir, strings.ReplaceAll(mod, ".", "/"))
				out = append(out, at+".py", at+"/__main__.py")
			}
		}
		return out
	}
	if strings.ContainsAny(e.Resource, "*?[…") {
		var out []string
		for i := range f.c.Flow.Made {
			if mayBe(e.Resource, f.c.Flow.Made[i].Path) {
				out = append(out, f.c.Flow.Made[i].Path)
			}
		}
		return out
	}
	out := []string{e.Resource + "/__main__.py"}
	for _, end := range nodeEndings {
		out = append(out, e.Resource+end)
	}
	if text, ok := f.text(path.Join(e.Resource, "package.json")); ok {
		var manifest struct{ Main string }
		if json.Unmarshal([]byte(text), &manifest) == nil && manifest.Main != "" {
			out = append(out, path.Join(e.Resource, manifest.Main))
		}
	}
	return out
}

// looks says whether the host looks what there is: else nobody can tell a package of the
// workspace from others. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) looks() bool { return c.exists != nil && c.names != nil }

// mayUse says whether the session wrote a file that may be such a script. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) mayUse() bool { return c.looks() && len(c.Flow.Made) > 0 }

// Uses is the first package of others that a file brings in which the session wrote, and of
// which nobody knows that it does no more than compute or serve here; empty for none.
func (c *Context) Uses(file string) string {
	if !c.looks() {
		return ""
	}
	if _, changed, _ := c.left(file); !changed && !c.wrote(file) {
		return ""
	}
	f := follower{c: c}
	text, ok := f.text(file)
	if !ok {
		return ""
	}
	lang := strings.TrimRight(languageFrom(file, text), "0123456789.")
	if lang == "notebook" {
		text, lang = strings.Join(notebookCells(text), "\n"), python
	}
	f.searched(text, file)
	return f.uses(lang, text, file)
}

// uses is the first package that code of a language in a file uses, of which nobody knows what
// it does.
func (f *follower) uses(lang, text, file string) string {
	switch lang {
	case "sh":
		return f.inlineUses(ownName(text, file))
	case python, "node":
	default:
		return ""
	}
	for _, imp := range shell.Imports(lang, text) {
		if name := f.unknownPackage(lang, text, file, &imp); name != "" {
			return name
		}
		if top, _, _ := cutAt(imp.Module, "."); framed(top) && shell.FramesDatabase(text) {
			return top
		}
	}
	if strings.Contains(text, " -c") || strings.Contains(text, "'-c'") || strings.Contains(text, `"-c"`) || strings.Contains(text, "-e") {
		for _, line := range atMost(started(text)) {
			if !command(line) {
				continue
			}
			if name := f.inlineUses(line); name != "" {
				return name
			}
		}
	}
	return ""
}

// framed says whether a package is one of tables that may lie in a database.
func framed(pkg string) bool { return pkg == "pandas" || pkg == "polars" || pkg == "geopandas" }

// inlineUses is uses for the code that a command line of a file spells out.
func (f *follower) inlineUses(line string) string {
	if f.depth >= maxNestedCommands {
		return ""
	}
	f.depth++
	defer func() { f.depth-- }()
	inner := f.inner(line, f.c.Cwd)
	for i := range inner.cells {
		cell := &inner.cells[i]
		if name := f.uses(strings.TrimRight(cell.Lang, "0123456789."), cell.Text, path.Join(f.c.Cwd, "-")); name != "" {
			return name
		}
	}
	return ""
}

// unknownPackage is the package of a module, unless it is the workspace's own or known to do
// no harm as the file uses it.
func (f *follower) unknownPackage(lang, text, file string, imp *shell.Import) string {
	if lang == "node" {
		imp.Module = installedModule(imp.Module)
	}
	kind := shell.PackageKind(lang, imp.Module)
	for _, n := range imp.Names { // from a import b may name a part of a package
		if kind == shell.Unknown && n != "*" {
			kind = shell.PackageKind(lang, imp.Module+"."+n)
		}
	}
	switch {
	case kind == shell.Harmless, kind == shell.Client && addressesHere(text), kind == shell.Engine && shell.LocalEngine(text):
		return ""
	case lang == python && f.ownPython(file, imp), lang == "node" && f.ownNode(file, imp.Module):
		return ""
	}
	if lang == "node" {
		return npmPackage(imp.Module)
	}
	top, _, _ := cutAt(imp.Module, ".")
	return top
}

// ownPython says whether a module of Python lies in the workspace: where the file looks for
// it, or in a project below it that has its own manifest. A directory without __init__.py is
// a package only as far as it holds what is brought in: any other of that name comes first
// (docs.python.org/3/reference/import.html, "Namespace packages").
func (f *follower) ownPython(file string, imp *shell.Import) bool {
	if strings.HasPrefix(imp.Module, ".") {
		return true
	}
	top, rest, _ := cutAt(imp.Module, ".")
	for _, dir := range append(f.modulePlaces(file), f.projectsBelow("pyproject.toml", "setup.py", "setup.cfg")...) {
		at := path.Join(dir, top)
		if installedUnder(at + "/") {
			continue
		}
		if f.there(at+".py") || f.there(at+".pyx") || f.there(at+"/__init__.py") {
			return true
		}
		at = path.Join(at, strings.ReplaceAll(rest, ".", "/"))
		if rest != "" && (f.there(at+".py") || f.there(at+"/__init__.py")) {
			return true
		}
		if slices.ContainsFunc(imp.Names, func(n string) bool {
			return f.there(path.Join(at, n)+".py") || f.there(path.Join(at, n, "__init__.py"))
		}) {
			return true
		}
	}
	return false
}

// there says whether something lies at a path, or the session put it there.
func (f *follower) there(file string) bool { return f.c.exists(file) || f.c.wrote(file) }

// maxProjects bounds the projects below a workspace that are looked at.
const maxProjects = 200

// projectsBelow are the directories of a workspace, up to two steps down, that hold one of
// these manifests, each with its directory of sources.
func (f *follower) projectsBelow(manifests ...string) []string {
	var out []string
	add := func(dir string) {
		if len(out) < maxProjects && slices.ContainsFunc(manifests, func(m string) bool { return f.there(path.Join(dir, m)) }) {
			out = append(out, dir, path.Join(dir, "src"))
		}
	}
	for _, root := range f.c.Roots {
		add(root)
		for _, dir := range f.directories(root) {
			add(dir)
			for _, inner := range f.directories(dir) {
				add(inner)
			}
		}
	}
	return out
}

// directories are those in a directory that may hold code of the project's own.
func (f *follower) directories(dir string) []string {
	var out []string
	for _, name := range f.entries(dir) {
		full := path.Join(dir, name)
		if strings.HasSuffix(name, "/") && name[0] != '.' && !installedUnder(full+"/") && len(out) < maxProjects {
			out = append(out, full)
		}
	}
	return out
}

// installedModule is a module's name without where it is fetched from (deno.com's manual,
// "Modules and dependencies"), and behind the directory of installed packages where a path
// leads into one.
func installedModule(mod string) string {
	if i := strings.LastIndex(mod, "node_modules/"); i >= 0 {
		mod = mod[i+len("node_modules/"):]
	}
	if !strings.Contains(mod, ":") && !strings.HasPrefix(mod, ".") && !strings.HasPrefix(mod, "/") {
		mod = path.Clean(mod) // lodash/../x is another package
	}
	for _, from := range [...]string{"npm:", "jsr:"} {
		if rest, ok := cutPrefix(mod, from); ok {
			mod = trimPrefix(rest, "/")
			if at := lastByte(mod, '@'); at > 0 { // its version
				_, part, _ := cutAt(mod[at:], "/")
				mod = trimSuffix(mod[:at]+"/"+part, "/")
			}
		}
	}
	return mod
}

// npmPackage is the package of a module of JavaScript: one part of its name, or a scope and
// one.
func npmPackage(mod string) string {
	parts := strings.SplitN(mod, "/", 3)
	if strings.HasPrefix(mod, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	if strings.Contains(mod, ":") {
		return mod // an address
	}
	return parts[0]
}

// ownNode says whether a module of JavaScript is the workspace's: a path, a name that its own
// settings give to a path, or the name of one of its packages.
func (f *follower) ownNode(file, mod string) bool {
	if mod == "" || firstByte("./#$~", mod[0]) >= 0 || strings.HasPrefix(mod, "@/") || strings.HasPrefix(mod, "file:") {
		return true // npm gives no package such a name (docs.npmjs.com, package.json, name)
	}
	name := npmPackage(mod)
	for dir := path.Dir(file); f.c.inWorkspace(dir); dir = path.Dir(dir) {
		if f.aliased(dir, mod) {
			return true
		}
		if dir == "/" {
			break
		}
	}
	for _, dir := range f.projectsBelow("package.json") {
		if text, ok := f.text(path.Join(dir, "package.json")); ok {
			var manifest struct{ Name string }
			if json.Unmarshal([]byte(text), &manifest) == nil && manifest.Name == name {
				return true
			}
		}
	}
	return false
}

// aliased says whether settings of a directory, as they were before the session, give a module's
// name to paths of the project's own (TypeScript's manual, paths; Deno's, imports).
func (f *follower) aliased(dir, mod string) bool {
	first, _, _ := cutAt(mod, "/")
	for _, settings := range [...]string{"tsconfig.json", "tsconfig.base.json", "jsconfig.json", "deno.json", "deno.jsonc"} {
		at := path.Join(dir, settings)
		text, ok := f.text(at)
		if !ok || f.c.Flow.touched(at) {
			continue
		}
		for _, name := range [...]string{mod, npmPackage(mod) + "/*", first + "/*", first + "/"} {
			if _, value, ok := cutAt(text, `"`+name+`":`); ok {
				value = strings.TrimLeft(value, " \t\n[")
				own := strings.HasPrefix(value, `"./`) || strings.HasPrefix(value, `"../`) || settings[0] != 'd' && strings.HasPrefix(value, `"`)
				list, _, _ := cutAt(value, "]")
				return own && !strings.Contains(list, "node_modules")
			}
		}
	}
	return false
}
