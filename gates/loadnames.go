package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file finds what code names that it loads or starts, by the search rules of its
// language: statements that bring modules in, and texts in quotes that are names of files.
// It takes each place in which a name may lie, not only the first: what is not there costs
// one look.

// names adds all that code of a language in a file names.
func (f *follower) names(lang, text, file string) {
	base := strings.TrimRight(lang, "0123456789.")
	if !(f.c.inline != nil && f.c.inline.opens(f, base, text, file)) && !f.allNames(base, text, file) {
		return
	}
	if computesNames(base, text) {
		f.nearby(text, file)
	}
	if !slices.ContainsFunc(startHints[:], func(s string) bool { return strings.Contains(text, s) }) {
		return
	}
	for _, line := range atMost(started(text)) {
		if command(line) && !strings.HasPrefix(line, "git ") {
			f.command(line, f.c.Cwd)
		}
	}
}

// allNames adds what code of a language names in any text. It says whether the language is one in
// which names may be computed and programs started.
func (f *follower) allNames(lang, text, file string) bool {
	if path.Base(file) == "-" && lang == "node" {
		file += ".js"
	}
	switch lang {
	case "python":
		f.pythonNames(text, file)
	case "notebook":
		for _, cell := range notebookCells(text) {
			f.pythonNames(cell, file)
			f.words(cell, file)
		}
	case "node":
		f.nodeNames(text, file)
	case "ruby":
		f.rubyNames(text, file)
	case "php":
		f.quoted(text, file, phpEndings[:])
		if strings.Contains(text, "autoload") {
			f.allOf(f.root(file), "php") // classes are found by their names
		}
	case "perl":
		f.quoted(text, file, nil)
		f.perlModules(text, file)
	case "sh":
		line := ownName(text, file)
		for _, dir := range f.workingDirs(file) {
			f.command(line, dir)
		}
		return false
	case "c", "r":
		f.quoted(text, file, nil)
		return false
	case "":
		f.words(text, file)
		return false
	default:
		return false
	}
	return true
}

// loaders are what brings in a file or a module whose name may be computed.
var loaders = map[string][]string{
	"python": {"import_module(", "__import__(", "exec_module(", "run_path(", "run_module(", "SourceFileLoader(", "exec("},
	"node":   {"require(", "import("},
	"ruby":   {"require ", "require(", "require_relative ", "load ", "load("},
	"php":    {"include ", "include_once ", "require ", "require_once ", "include(", "require(", "include_once(", "require_once("},
}

// computesNames says whether code brings in something by a name that is no text in quotes.
func computesNames(lang, text string) bool {
	for _, l := range loaders[lang] {
		for rest := text; ; {
			_, after, ok := cutAt(rest, l)
			if !ok {
				break
			}
			rest = after
			if name := strings.TrimLeft(after, " ("); name != "" && firstByte("'\"`)\n", name[0]) < 0 {
				return true
			}
		}
	}
	return false
}

// nearby adds the unvetted files among which code looks that computes what it brings in:
// those below its own directory, unless that is the project's, and below each directory
// that it names.
func (f *follower) nearby(text, file string) {
	dir, named := path.Dir(file), texts(text)
	for u := range f.bad {
		below := dir != f.root(file) && mark.Under(u, dir)
		if codeOf(u) == codeOf(file) && (below || slices.ContainsFunc(named, func(w string) bool {
			w = strings.Trim(w, "./*")
			w, _, _ = cutAt(w, "*")
			w = strings.TrimRight(w, "/.")
			return len(w) > 1 && strings.Contains(u, "/"+strings.ReplaceAll(w, ".", "/")+"/")
		})) {
			f.file(u)
		}
	}
}

// startHints are parts of the names of all that starts a program in the languages that are
// followed: a file without one is not looked through for commands.
var startHints = [...]string{"system", "popen", "spawn", "exec", "subprocess", "child_process", "Process", "process", "sh(", "sh ", "Command", "`", "%x", "fork", "run("}

// Endings that languages put behind a name, and what they load of a directory.
var (
	nodeEndings = [...]string{"", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".mts", ".cts", "/index.js", "/index.ts", "/index.mjs", "/index.cjs", "/index.tsx", "/package.json"}
	rubyEndings = [...]string{"", ".rb"}
	phpEndings  = [...]string{""}
)

// maxFileName bounds the texts that may be names of files.
const maxFileName = 256

// quoted adds the files that texts in quotes name.
func (f *follower) quoted(text, file string, endings []string) {
	if endings == nil {
		endings = phpEndings[:]
	}
	for _, w := range texts(text) {
		if rest, ok := behindComputed(w); ok {
			w = rest
		}
		if w == "" || len(w) > maxFileName || strings.ContainsAny(w, "\n\t<>{}|;") && !strings.HasPrefix(w, "<rootDir>") {
			continue
		}
		f.addNamed(w, file, endings)
	}
}

// behindComputed is the rest of a text that begins with a directory that code computes, as
// its own is: "$dir/x.php", "#{dir}/x", `${dir}/x.js`.
func behindComputed(w string) (string, bool) {
	if !strings.HasPrefix(w, "$") && !strings.HasPrefix(w, "#{") {
		return "", false
	}
	_, rest, ok := cutAt(w, "/")
	return "./" + rest, ok
}

// addNamed adds the files that a text may name: beside the file that names it, in the working
// directory, and where modules are looked for.
func (f *follower) addNamed(w, file string, endings []string) {
	w = trimPrefix(trimPrefix(trimPrefix(w, "<rootDir>/"), "node:"), "file:")
	if rest, ok := cutPrefix(w, "@/"); ok { // the usual alias of a project's sources
		w = rest
	} else {
		w = trimPrefix(w, "~/")
	}
	if strings.HasPrefix(w, "#") {
		f.file(path.Join(f.root(file), "package.json"))
		return
	}
	ext := path.Ext(w)
	if strings.HasPrefix(ext, ".js") || ext == ".mjs" || ext == ".cjs" { // TypeScript names what it will be compiled to
		stem := trimSuffix(w, ext)
		endings = append(slices.Clone(endings), "\x00"+stem+".ts", "\x00"+stem+".tsx", "\x00"+stem+".mts")
	}
	if f.deps && !strings.HasPrefix(w, ".") && !path.IsAbs(w) {
		f.dependency(w)
	}
	if codeOf(file) == "node" && !strings.Contains(w, "/") && codeOf(w) == "" {
		return // a package, or a word
	}
	for _, dir := range f.places(file) {
		for _, end := range endings {
			if whole, ok := cutPrefix(end, "\x00"); ok {
				f.file(path.Join(dir, whole))
				continue
			}
			if end == "" && path.Ext(w) == "" && !f.bad[path.Join(dir, w)] {
				continue // a word
			}
			f.file(path.Join(dir, w+end))
		}
	}
	if path.IsAbs(w) {
		f.file(w)
	}
}

// rubyNames adds the files that Ruby brings in, where the ending may be missing, and those
// that it names in quotes.
func (f *follower) rubyNames(text, file string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "LOAD_PATH") || strings.Contains(line, "$:") {
			for _, w := range texts(line) {
				f.bases = append(f.bases, path.Join(f.c.Cwd, w), path.Join(path.Dir(file), w))
			}
		}
		if strings.Contains(line, "require") || strings.Contains(line, "load") {
			f.quoted(line, file, rubyEndings[:])
		}
	}
	f.quoted(text, file, phpEndings[:])
}

// perlModules adds the modules that Perl brings in: beside the file, in lib, and where the run
// looks for them (perlfunc, use and require).
func (f *follower) perlModules(text, file string) {
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.TrimRight(strings.TrimSpace(line), ";"))
		if len(words) < 2 || words[0] != "use" && words[0] != "require" {
			continue
		}
		if words[1] == "lib" {
			for _, w := range texts(line) {
				f.bases = append(f.bases, path.Join(f.c.Cwd, w), path.Join(path.Dir(file), w))
			}
			continue
		}
		name := strings.ReplaceAll(strings.TrimRight(words[1], ";"), "::", "/")
		for _, dir := range f.places(file) {
			f.file(path.Join(dir, name) + ".pm")
		}
	}
}

// dependency adds the unvetted files of an installed package.
func (f *follower) dependency(name string) {
	parts := strings.SplitN(name, "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name = parts[0] + "/" + parts[1]
	} else {
		name = parts[0]
	}
	for u := range f.bad {
		if name != "" && strings.Contains(u, "/node_modules/"+name+"/") {
			f.file(u)
		}
	}
}

// places are the directories in which a name may lie.
func (f *follower) places(file string) []string {
	out := []string{path.Dir(file), f.c.Cwd}
	root := f.root(file)
	out = append(out, root, path.Join(root, "src"), path.Join(root, "lib"))
	switch codeOf(file) {
	case "ruby":
		out = append(out, path.Join(root, "spec"), path.Join(root, "test"))
	case "c":
		out = append(out, path.Join(root, "include"))
	}
	out = append(out, f.bases...)
	slices.Sort(out)
	return slices.Compact(out)
}

// root is the workspace's directory that a file lies in, or the working directory. Not inlined, for the size of programs.
//
//go:noinline
func (f *follower) root(file string) string {
	for _, r := range f.c.Roots {
		if mark.Under(file, r) {
			return r
		}
	}
	return f.c.Cwd
}

// imports adds the modules that Python brings in.
func (f *follower) imports(text, file string) {
	f.searched(text, file)
	for line := range strings.Lines(statements(text)) {
		line, _, _ = cutAt(strings.TrimSpace(line), "#")
		if rest, ok := cutPrefix(line, "import "); ok {
			for _, m := range strings.Split(rest, ",") {
				m, _, _ = cutAt(strings.TrimSpace(m), " as ")
				f.module(file, strings.TrimSpace(m), nil)
			}
		} else if rest, ok := cutPrefix(line, "from "); ok {
			mod, members, ok := cutAt(rest, " import ")
			if !ok {
				continue
			}
			var names []string
			for _, n := range strings.Split(strings.Trim(members, "() \\"), ",") {
				n, _, _ = cutAt(strings.TrimSpace(n), " as ")
				names = append(names, strings.TrimSpace(n))
			}
			f.module(file, strings.TrimSpace(mod), names)
		}
	}
}

// pythonNames adds the modules that Python brings in, and files that it names in quotes.
func (f *follower) pythonNames(text, file string) {
	f.imports(text, file)
	byName := slices.ContainsFunc([]string{"plugins", "import_module", "__import__", "run_module", "INSTALLED_APPS"}, func(s string) bool { return strings.Contains(text, s) })
	for _, w := range texts(text) {
		switch {
		case w == "" || len(w) > maxFileName || strings.ContainsAny(w, " \n\t"):
		case path.Ext(w) == ".py" || path.Ext(w) == ".sh" || strings.Contains(w, "/") || codeOf(w) != "":
			f.addNamed(w, file, phpEndings[:])
		case byName && strings.Trim(w, moduleBytes) == "":
			f.module(file, w, nil)
		}
	}
}

// moduleBytes are what a dotted name is made of.
const moduleBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

// searched adds the directories that code puts among those in which modules are looked for.
func (f *follower) searched(text, file string) {
	if !strings.Contains(text, "sys.path") && !strings.Contains(text, "addsitedir") {
		return
	}
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "sys.path") && !strings.Contains(line, "addsitedir") {
			continue
		}
		for _, w := range texts(line) {
			f.bases = append(f.bases, path.Join(f.c.Cwd, w), path.Join(path.Dir(file), w))
		}
	}
}

// module adds what Python loads for a module: each package on the way, the module, and what
// is taken out of it, if that is a module.
func (f *follower) module(file, mod string, members []string) {
	if mod == "" || len(mod) > maxFileName || strings.Trim(mod, moduleBytes) != "" {
		return
	}
	rel := strings.TrimLeft(mod, ".")
	dirs := f.modulePlaces(file)
	if up := len(mod) - len(rel); up > 0 {
		dir := path.Dir(file)
		for range up - 1 {
			dir = path.Dir(dir)
		}
		dirs = []string{dir}
	}
	for _, dir := range dirs {
		at := dir
		for _, part := range strings.Split(rel, ".") {
			at = path.Join(at, part)
			f.file(at + ".py")
			f.file(at + "/__init__.py")
		}
		for u := range f.bad {
			if rest, ok := cutPrefix(u, at+"."); ok && (strings.HasSuffix(rest, "so") || strings.HasSuffix(rest, "pyd")) && !strings.Contains(rest, "/") {
				f.file(u) // a module that was compiled
			}
		}
		for _, m := range members {
			if m != "" && m != "*" {
				f.file(path.Join(at, m) + ".py")
				f.file(path.Join(at, m) + "/__init__.py")
			}
		}
	}
}

// modulePlaces are the directories in which Python may look for a module: that of the file,
// those above it in the workspace, and those that the run was given.
func (f *follower) modulePlaces(file string) []string {
	out := append([]string{f.c.Cwd}, f.bases...)
	root := f.root(file)
	for dir := path.Dir(file); mark.Under(dir, root); dir = path.Dir(dir) {
		out = append(out, dir)
		if dir == "/" {
			break
		}
	}
	out = append(out, path.Join(root, "src"), path.Join(root, "lib"))
	for u := range f.bad {
		if before, _, ok := cutAt(u, "/site-packages/"); ok {
			out = append(out, before+"/site-packages")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// words adds the files that words of settings name, and modules that are unvetted.
func (f *follower) words(text, file string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`=,;:()[]{}<>|&$", r) }) {
		if len(w) > maxFileName || w == "" {
			continue
		}
		if codeOf(w) != "" || strings.Contains(w, "/") {
			f.addNamed(w, file, phpEndings[:])
			if codeOf(w) == "" {
				f.addNamed(w, file, nodeEndings[1:])
				f.addNamed(w, file, rubyEndings[1:])
			}
			continue
		}
		for _, dir := range f.places(file) {
			if name := path.Join(dir, strings.ReplaceAll(w, ".", "/")+".py"); f.bad[name] {
				f.file(name)
			}
			if name := path.Join(dir, w); f.bad[name] {
				f.file(name)
			}
		}
	}
}

// maxNestedCommands bounds commands in commands: a script that a script starts.
const maxNestedCommands = 8

// workingDirs are the directories in which a shell's script may work: names in it begin where
// whoever starts it is (bash(1), the working directory), and scripts that are meant to run
// beside their file are followed there as well.
func (f *follower) workingDirs(file string) []string {
	out := []string{path.Dir(file)}
	for _, dir := range append([]string{f.c.Cwd}, f.bases[:min(len(f.bases), 1)]...) { // the first is that of the run
		if !isAmong(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// command follows a command line that code starts.
func (f *follower) command(line, dir string) {
	if f.depth >= maxNestedCommands || f.hit != "" {
		return
	}
	if f.seen[dir+" "+line] {
		return
	}
	f.seen[dir+" "+line] = true
	f.depth++
	inner := f.inner(line, dir)
	for k := range inner.runs {
		r := &inner.runs[k]
		f.together(r)
		f.sources(r)
		for _, i := range r.Effects {
			if e := &inner.Effects[i]; e.Kind == effect.Spawn {
				switch e.Op {
				case effect.OpRunFile:
					f.started(e, r)
				case effect.OpBuild:
					f.runner(e.Program, r)
				case effect.OpRunUnknown:
					f.sectionsOf(e.Program, r)
				}
			}
		}
	}
	for i := range inner.cells {
		f.names(inner.cells[i].Lang, inner.cells[i].Text, path.Join(dir, "-"))
	}
	f.depth--
}

// inner is the context of a command line in a directory.
func (f *follower) inner(line, dir string) Context {
	return ShellContext(line, State{Cwd: dir, Home: f.c.Home, Roots: f.c.Roots, Compiled: f.c.places.Compiled})
}
