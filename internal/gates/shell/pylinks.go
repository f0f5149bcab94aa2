package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file asks for what inline Python runs of the workspace's own modules.

// linking is what is known where modules are looked for.
type linking struct {
	text  string      // the inline code
	dirs  []linkedDir // where modules lie, in the order in which they are looked for
	loads []string    // modules that are loaded whether the code names them or not
	blind bool        // what is not found may lie there all the same: nobody looks at the disk
	still bool        // nothing may have changed before the code what lies there
	there func(path string) bool
	names func(dir string) []string
}

// linkedDir is a directory in which modules lie. root is the workspace's that it lies in, for
// messages. Late ones come behind the library and what is installed.
type linkedDir struct {
	path, root string
	late       bool
}

// LinkPython is effect.Places.Link.
func LinkPython(reader any, text string) string {
	m := reader.(*machine)
	q := linking{text: text, there: m.p.There, names: m.p.NamesOf, still: m.unmoved()}
	if m.startedElsewhere() {
		q.blind, q.names, q.there = true, nil, func(string) bool { return false }
	} else if m.p.There == nil || m.p.TextOf == nil {
		q.blind, q.names = true, nil
		q.there = func(file string) bool { _, ok := m.readLinked(file); return ok }
	} else {
		q.there = func(file string) bool { _, made := m.written(file); return made || m.p.There(file) }
	}
	doubt := "modules of another path"
	if m.linkDirs(&q) {
		l := pyLinker{m: m, q: &q, text: text, mods: map[string]*pyModule{}, words: map[string]bool{}, own: map[string]bool{}, frames: map[string]bool{}, registries: map[string]bool{}, files: map[string]string{}, lists: map[string][]string{}}
		linked, where := l.link()
		if m.records && l.doubt == "" && m.callsComputed(linked) {
			l.ask("a computed function")
		}
		if doubt = l.doubt; doubt == "" {
			if where == nil && m.records {
				m.linked = &linkedCode{record: linkedRecord, calls: linkedCalls, where: func(int) string { return "" }, method: linkedMethod, declares: declares, asked: func(string) bool { return false }, member: func(string, string) bool { return false }}
			}
			if where != nil {
				toFile := strings.Contains(linked, "filename") || strings.Contains(linked, "handlers")
				m.linked = &linkedCode{record: linkedRecord, calls: linkedCalls, where: where, method: linkedMethod, declares: declares, asked: m.judgesLinked(text), member: func(mod, name string) bool { return linkedMember(toFile, mod, name) }}
			}
			return linked
		}
	}
	m.escape("inline code of python uses " + doubt)
	return text
}

// Programs that start Python where the line stands, and options of theirs that change neither where it
// runs nor whose it is (uv run --help 0.9; poetry run; env(1), nice(1), timeout(1)).
const (
	pyStarters = "env nice nohup pipenv pdm poetry rye time timeout uv"
	pyStarted  = "-- --active --all-extras --all-groups --dev --env-file --extra --frozen --group --isolated --locked --no-dev --no-project --no-sync --offline --only-group --python --quiet --verbose --with -k -n -q -v"
)

// startedElsewhere says whether something may start the code where other modules lie: in a container, in
// another directory.
func (m *machine) startedElsewhere() bool {
	for i := range m.runs {
		words := m.runs[i].Words
		n := len(words) - len(m.argv)
		if n <= 0 || !slices.Equal(words[n:], m.argv) {
			continue
		}
		if !hasWord(pyStarters, path.Base(words[0])) {
			return true
		}
		for _, w := range words[1:n] {
			name, _, _ := cutAt(w, "=")
			if mark.Has(w) || strings.HasPrefix(w, "-") && !hasWord(pyStarted, name) {
				return true
			}
		}
	}
	return false
}

// pyBuiltIn are modules of the library that are there before any import looks for a file
// (sys.builtin_module_names and what an interpreter starts with, 3.9 to 3.13).
const pyBuiltIn = "abc atexit builtins codecs encodings errno faulthandler gc genericpath io itertools marshal nt os posix posixpath pwd signal site stat sys time zipimport"

// pyCustom are modules that an interpreter loads when it starts, from a directory of PYTHONPATH
// (docs.python.org/3/library/site.html).
const pyCustom = "sitecustomize usercustomize"

// linkDirs notes the directories in which modules are looked for; false where one of them is
// computed (docs.python.org/3/library/sys.html, sys.path).
func (m *machine) linkDirs(q *linking) bool {
	if mark.Has(m.cwd) || slices.ContainsFunc(m.argv[min(1, len(m.argv)):], leavesOut) {
		return false
	}
	if _, set := m.lookup("PYTHONSAFEPATH"); set {
		return false
	}
	var dirs []string
	front, back, ok := m.pathsSet(q.text)
	if dirs = append(front, m.cwd); !ok {
		return false
	}
	if b, set := m.lookup("PYTHONPATH"); set && !b.unset {
		if mark.Has(b.value) {
			return false
		}
		for dir := range strings.SplitSeq(b.value, ":") {
			dir = m.p.Resolve(m.cwd, dir)
			dirs = append(dirs, dir)
			for name := range strings.SplitSeq(pyCustom, " ") {
				if q.there(dir + "/" + name + ".py") {
					q.loads = append(q.loads, name)
				}
			}
		}
	}
	for _, dir := range dirs {
		q.dirs = append(q.dirs, linkedDir{dir, m.rootOf(dir), false})
		if q.names == nil {
			continue
		}
		for _, name := range q.names(dir) {
			name = trimSuffix(trimSuffix(name, "/"), ".py")
			if strings.Contains(pythonLibrary, " "+name+" ") && !hasWord(pyBuiltIn+" test", name) && !slices.Contains(q.loads, name) {
				q.loads = append(q.loads, name) // the library itself finds it first
			}
		}
	}
	for _, dir := range append([]string{m.cwd}, m.p.Roots...) {
		for _, sub := range [...]string{"", "/src", "/lib", "/python"} {
			back = append(back, dir+sub)
		}
	}
	for _, dir := range back {
		q.dirs = append(q.dirs, linkedDir{dir, m.rootOf(dir), true})
	}
	return true
}

// leavesOut says whether a word is options of python with one that leaves the working directory out of
// the path, or may be (python3 --help, -I and -P).
func leavesOut(word string) bool {
	opts, _, _ := cutAt(trimPrefix(word, "-"), "c")
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && len(opts) < 8 && strings.ContainsAny(opts, "IP") && nameLen(opts) == len(opts)
}

// rootOf is the root of the workspace that a directory lies in, itself where it lies in none.
func (m *machine) rootOf(dir string) string {
	for _, root := range m.p.Roots {
		if dir == root || strings.HasPrefix(dir, root+"/") {
			return root
		}
	}
	return dir
}

// pathsSet are the directories that code puts in front of the path of modules and behind it; false
// where it does anything else to that.
func (m *machine) pathsSet(text string) (front, back []string, ok bool) {
	if !strings.Contains(text, "path") || !strings.Contains(text, "sys") {
		return nil, nil, true
	}
	p := m.readPython(text)
	if p == nil {
		return nil, nil, false
	}
	for i := range p.toks {
		if p.toks[i].kind == 'n' && p.toks[i].text == "path" && p.names[i] && p.isName(i-2, "sys") {
			return nil, nil, false
		}
		if !p.is(i, "path") || !p.is(i-1, ".") || !p.isName(i-2, "sys") {
			continue
		}
		verb := ""
		if p.is(i+1, ".") && i+2 < len(p.toks) {
			verb = p.toks[i+2].text
		}
		shown := p.is(i+1, ".") || p.is(i+1, "[") || p.isName(i-3, "in") || p.is(i-3, "(") && i >= 4 && hasWord("print pprint len list sorted", p.toks[i-4].text)
		if !shown || p.is(i+1, "=") && !p.is(i+2, "=") || p.is(i+1, "[") && p.is(p.pairs[i+1]+1, "=") || p.is(i+1, "+") && p.is(i+2, "=") || hasWord("extend clear pop remove sort reverse", verb) {
			return nil, nil, false
		}
		if verb != "insert" && verb != "append" {
			continue
		}
		if !p.is(i+3, "(") {
			return nil, nil, false
		}
		args := p.args(i+3, p.pairs[i+3]+1)
		v, given := args.get(p, b2i(verb == "insert"), "")
		v = v.text()
		if !given || !v.known() {
			return nil, nil, false
		}
		for _, w := range v.words {
			if mark.Has(w) {
				return nil, nil, false
			}
			if dir := m.p.Resolve(m.cwd, w); verb == "insert" {
				front = append(front, dir)
			} else {
				back = append(back, dir)
			}
		}
	}
	return front, back, true
}

// ownPackage says whether a package is one of the workspace's own and no copy of another's, by the
// path of its __init__.py.
func (m *machine) ownPackage(init string) bool {
	_, made := m.written(init)
	return made || slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return f.Path == init }) || m.p.Tracked == nil || m.p.Tracked(init)
}

// readLinked is what a module of the workspace holds when the code runs.
func (m *machine) readLinked(full string) (string, bool) {
	if f, ok := m.written(full); ok {
		return f.text, f.known && m.surelyWrote(&f) && !f.edited && !f.net && !f.part && !mark.Has(f.text) && !mark.Has(f.path)
	}
	if zone, secret, _ := m.p.Where(full); zone != effect.ZoneWorkspace || secret || dependency(full) {
		return "", false
	}
	if m.p.TextOf != nil {
		return m.p.TextOf(full)
	}
	for i := len(m.p.Made) - 1; i >= 0; i-- {
		if f := &m.p.Made[i]; f.Path == full {
			return f.Text, f.Known && !mark.Has(f.Text)
		}
	}
	return "", false
}

// What runs before the code on its line and changes no module that it does not name: what tests and
// installs a project of Python, beside programs that change the files that they name and questions to git.
const pyRunners = "coverage doctest mypy nox pip poetry pyright pytest tox unittest uv"

// unmoved says whether nothing on the line before the code may have changed which modules lie in the
// workspace, and what they hold: but for those that it wrote and of which the text is known.
func (m *machine) unmoved() bool {
	if len(m.moves) > 0 || m.later {
		return false
	}
	for i := range min(m.before, len(m.effects)) {
		e := &m.effects[i]
		ok := e.Kind == effect.Read || e.Kind == effect.List
		switch {
		case e.Kind == effect.Write || e.Kind == effect.Delete:
			_, noted := m.written(e.Resource)
			ok = !mark.Has(e.Resource) && (noted || e.Program == "mkdir" || path.Ext(e.Resource) != "" && !hasWord(".py .so .pyd .pyx .pyc .pth .zip .egg", path.Ext(e.Resource)))
			ok = ok || e.Zone == effect.ZoneStream || e.Zone == effect.ZoneTemp && !mark.Has(e.Resource)
		case e.Kind == effect.Spawn && e.Program == "git":
			words := strings.Fields(e.Argv)
			ok = len(words) > 1 && keeps.Git(words[1], keeps.GitModules)
		case e.Kind == effect.Spawn:
			ok = e.Op == effect.OpRunCode || e.Op == effect.OpRun && keeps.Program(e.Program, keeps.Modules) || (e.Op == effect.OpBuild || e.Op == effect.OpRunFile && e.Zone == effect.ZoneWorkspace) && hasWord(pyRunners, e.Program)
		}
		if !ok {
			return false
		}
	}
	return true
}
