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

// This file follows what a run loads: the modules that the started code names, what these
// name, what a runner finds by its conventions, and what any of it starts. A file that the
// session wrote and that would not be approved counts for the run that loads it as it does
// where it is started itself. Files that nobody changed are only followed.

// Bounds of what is read to follow one call: files, bytes of all of them, and names of a
// directory tree that a runner searches. Past them the call counts as one that loads what
// nobody vetted.
const (
	maxFollowed      = 2000
	maxFollowedBytes = 16 << 20
	maxWalked        = 20000
)

// follower is one search from a call's runs to an unvetted file.
type follower struct {
	c      *Context
	bad    map[string]bool // unvetted files
	exts   map[string]bool // their endings
	bases  []string        // directories in which modules are looked for, beside the importer's
	seen   map[string]bool
	queue  []string
	left   int // files that may still be read
	bytes  int // and bytes
	walk   int // and names
	depth  int // of commands in commands
	hit    string
	just   bool            // the file of commands that is read is just's, whatever its name
	only   bool            // nothing is unvetted under its name: only a text under a new one is looked for
	deps   bool            // an unvetted file lies among installed packages
	judged map[string]bool // files whose commands were judged by themselves
	known  []string        // files that do not count
	plain  []int           // effects that do not
	harms  bool            // looked for is what harms the user, whoever wrote it (committed.go)
	harm   string          // the file that does
	line   string          // and the command of it, if it is one

	environment, makeSets []string // variables that are set for make, and that its line sets
}

// loadsUnvetted objects to the first run that loads an unvetted file, unless one that is run
// was objected to: a question tells of the worst.
func (c *Context) loadsUnvetted(d *Decision, unvetted []string, plain []int) {
	if slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == ruleUnvetted }) {
		return
	}
	if i, file := c.loads(unvetted, nil, plain); i >= 0 {
		e := c.Effects[i]
		e.Resource = file
		d.add(ruleUnvetted, ApprovedWithConstraints, i, &e)
	}
}

// ruleUnvetted is the code of the rule about files that nobody vetted.
const ruleUnvetted = "flow/unvetted"

// following follows files from the call: at most so many, of so many bytes together, and so many
// names of directories. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) following(files, bytes, names int) *follower {
	return &follower{c: c, bad: map[string]bool{}, exts: map[string]bool{}, seen: map[string]bool{}, judged: map[string]bool{}, left: files, bytes: bytes, walk: names}
}

// loads says which unvetted file the call loads, and by which effect. Files that the call
// runs itself are runsUnvetted's. Those of known are followed and do not count, and runs of
// plain were judged with all that they load.
func (c *Context) loads(unvetted, known []string, plain []int) (int, string) {
	if !slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Spawn }) {
		return -1, ""
	}
	f := c.following(maxFollowed, maxFollowedBytes, maxWalked)
	f.known, f.plain = known, plain
	for _, u := range known {
		f.judged[u] = true
	}
	for _, u := range unvetted {
		if strings.HasPrefix(u, "/") && u != "/" && c.inWorkspace(u) {
			f.bad[u], f.exts[path.Ext(u)] = true, true
			f.deps = f.deps || installedUnder(u)
		}
	}
	f.only = len(f.bad) == 0
	if f.only && !c.carries() && !c.wroteData() && !c.runsTyped() && !c.runsScripts() && !c.wroteSettings() && !c.mayUse() && !(c.inline != nil && c.inline.changes(c)) {
		return -1, ""
	}
	if i := f.libraries(c); i >= 0 {
		return i, f.hit
	}
	for i := range c.runs {
		if n := f.runs(c, i); n >= 0 {
			return n, f.hit
		}
	}
	for i := range c.cells {
		cell := &c.cells[i]
		if f.names(cell.Lang, cell.Text, path.Join(c.Cwd, "-")); f.follow() {
			return c.runsCode(cell.Lang), f.hit
		}
	}
	return -1, ""
}

// runs follows one run of a call. It returns the effect by which an unvetted file is
// loaded, or a negative number.
func (f *follower) runs(c *Context, k int) int {
	r := &c.runs[k]
	for _, i := range r.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Spawn || slices.Contains(f.plain, i) {
			continue
		}
		f.bases = append([]string{r.Cwd}, f.given(r)...)
		f.typed(r)
		switch e.Op {
		case effect.OpRunFile:
			f.startsScript(e, r)
			f.started(e, r)
			if w := wrapperOf(e.Program); w != e.Program {
				f.runner(w, r)
			}
		case effect.OpBuild:
			f.runner(e.Program, r)
			f.clientSettings(r)
		case effect.OpRun, effect.OpRunCode:
			f.heldSettings(e.Program, r.Cwd)
			f.interpreter(r)
			f.gitStarts(r)
			f.clientSettings(r)
		}
		if c.inline != nil {
			c.inline.settings(f, r)
		}
		if f.follow() {
			return i
		}
	}
	return -1
}

// given are the directories of modules that a run is given by options: -I of Ruby and
// PHP's and make's, and what variables hold that the line sets for it.
func (f *follower) given(r *effect.Run) []string {
	var out []string
	for i, w := range r.Words {
		if dir, ok := cutPrefix(w, "-I"); ok {
			if dir == "" && i+1 < len(r.Words) {
				dir = r.Words[i+1]
			}
			out = append(out, path.Join(r.Cwd, dir))
		}
	}
	for _, name := range [...]string{"PYTHONPATH=", "NODE_PATH=", "RUBYLIB=", "PERL5LIB="} {
		out = append(out, f.set(name, r.Cwd)...)
	}
	return out
}

// set are the directories of a search path that the line gives to a variable, whose name
// ends in an equals sign.
func (f *follower) set(name, cwd string) []string {
	var out []string
	for rest := f.c.Command; ; {
		_, after, ok := cutAt(rest, name)
		if !ok {
			return out
		}
		value := strings.Trim(after[:valueEnd(after)], `"'`)
		for _, dir := range strings.Split(value, ":") {
			for _, here := range [...]string{"$PWD", "${PWD}", "$(pwd)"} {
				dir = strings.Replace(dir, here, cwd, 1)
			}
			out = append(out, f.c.places.Resolve(cwd, dir))
		}
		rest = after
	}
}

// libraries looks for unvetted libraries in directories that the line gives to the dynamic
// linker (ld.so(8)): any program of the line may load them. It returns the effect of one.
func (f *follower) libraries(c *Context) int {
	for _, dir := range f.set("LD_LIBRARY_PATH=", c.Cwd) {
		for u := range f.bad {
			if strings.Contains(path.Base(u), ".so") && mark.Under(u, dir) {
				f.hit = u
				return slices.IndexFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Spawn })
			}
		}
	}
	return -1
}

// valueEnd is where the value of a variable on a command line ends.
func valueEnd(s string) int {
	if i := strings.IndexAny(s, " \t\n;&|"); i >= 0 {
		return i
	}
	return len(s)
}

// started adds a file, a directory or a module that is run.
func (f *follower) started(e *Effect, r *effect.Run) {
	if f.entry(e, r) {
		return
	}
	if mod, ok := cutPrefix(e.Resource, "module "); ok {
		f.module(path.Join(r.Cwd, "-"), mod, []string{"__main__"})
		return
	}
	if strings.ContainsAny(e.Resource, "*?[…") {
		f.pattern(e.Resource)
		return
	}
	if holdsData(e.Resource) && searchesTests(e.Program) {
		return
	}
	file := e.Resource
	f.bases = append(f.bases, path.Dir(file))
	f.file(file)
	f.file(file + ".py") // python -m unittest names modules
	for _, main := range [...]string{"/__main__.py", "/index.js", "/package.json"} {
		f.file(file + main)
	}
	f.interpreter(r)
	if shell.ConsoleScript(path.Base(file)) {
		lang := codeOf(file)
		if lang == "" {
			lang = "php" // those without an ending are PHP's
		}
		f.allOf(path.Dir(file), lang)
	}
	if file, object, ok := cutAt(path.Base(e.Resource), ":"); ok && object != "" && !strings.Contains(file, ".") {
		f.module(path.Join(r.Cwd, "-"), file, nil) // servers name an object of a module: app:app
	}
}

// interpreter adds what every start of an interpreter loads unasked: Python's path files
// and its modules for the site (docs.python.org/3/library/site.html).
func (f *follower) interpreter(r *effect.Run) {
	if !strings.HasPrefix(path.Base(r.Words[0]), "py") && !strings.Contains(path.Base(r.Words[0]), "pytest") {
		return
	}
	for u := range f.bad {
		if strings.HasSuffix(u, ".pth") {
			f.file(u)
		}
	}
	for _, name := range [...]string{"sitecustomize", "usercustomize"} {
		f.module(path.Join(r.Cwd, "-"), name, nil)
	}
}

// pattern adds the unvetted files that a pattern finds.
func (f *follower) pattern(pattern string) {
	for u := range f.bad {
		if mayBe(pattern, u) {
			f.file(u)
		}
	}
}

// file adds a file that is loaded, if there is one of that name.
func (f *follower) file(name string) {
	name = path.Clean(name)
	if f.seen[name] || f.hit != "" || mark.Has(name) {
		return
	}
	f.seen[name] = true
	if f.bad[name] && f.counts(name) {
		f.hit = name
		return
	}
	if installedUnder(name) && !f.deps || !f.c.inWorkspace(name) {
		return
	}
	f.queue = append(f.queue, name)
}

// counts says whether an unvetted file counts where it is loaded. One whose commands were
// judged by themselves (loadscripts.go) does not, and nor does one of which nobody could
// say what it held until the host saw it. Code that is compiled counts for what it shows.
func (f *follower) counts(name string) bool {
	if f.judged[name] {
		return false
	}
	lang := codeOf(name)
	if lang == "" || isAmong(f.c.Flow.Unvetted, project+name) || f.c.inline != nil && f.c.inline.perhaps(f.c, name) {
		return true
	}
	text, ok := f.text(name)
	if !ok {
		return !compiledLanguage(lang) && lang != "c"
	}
	return !f.c.vetted(&effect.Written{Path: name, Text: text, Known: true})
}

// follow reads the files that were added, until none is left. It says whether one of them
// is unvetted, or the bounds were reached.
func (f *follower) follow() bool {
	for len(f.queue) > 0 && f.hit == "" {
		name := f.queue[0]
		f.queue = f.queue[1:]
		text, ok := f.text(name)
		if !ok {
			continue
		}
		if f.left, f.bytes = f.left-1, f.bytes-len(text); f.left < 0 || f.bytes < 0 {
			f.past(name)
			break
		}
		if !f.judged[name] && f.c.borne(name, text) {
			f.hit = name
			break
		}
		lang := languageFrom(name, text)
		if f.harms && (f.graveFile(name, text) || lang != "sh") {
			continue
		}
		f.names(lang, text, name)
	}
	return f.hit != ""
}

// past notes that the bounds were reached at a file: what could not be looked at counts,
// where something is known to be unvetted.
func (f *follower) past(name string) {
	f.queue = nil
	if !f.only {
		f.hit = name
	}
}

// text is what a file holds: as the call itself leaves it, as the host sees it, or as the
// session left it.
func (f *follower) text(name string) (string, bool) {
	for i := range f.c.written {
		if w := &f.c.written[i]; w.Path == name && w.Known && !w.Part && !w.Perhaps {
			return w.Text, true
		}
	}
	if text, changed, known := f.c.left(name); changed {
		return text, known
	}
	if f.c.text != nil {
		if text, ok := f.c.text(name); ok {
			return text, true
		}
	}
	return f.c.before(name)
}

// installed adds the unvetted files of the package that a program is of, where that bears
// its name, and of those that it depends on (package.json(5)): it is an installed program.
func (f *follower) installed(name string, r *effect.Run) {
	if f.deps {
		f.module(path.Join(r.Cwd, "-"), name, []string{"__main__"})
		f.dependencies(name, r.Cwd, map[string]bool{})
	}
}

// dependencies adds the unvetted files of a package of Node.js and of those that it needs.
func (f *follower) dependencies(name, dir string, done map[string]bool) {
	if done[name] || f.hit != "" {
		return
	}
	done[name] = true
	f.dependency(name)
	text, _ := f.text(path.Join(dir, "node_modules", name, "package.json"))
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if f.walk--; f.walk < 0 || json.Unmarshal([]byte(text), &manifest) != nil {
		return
	}
	for needed := range manifest.Dependencies {
		f.dependencies(needed, dir, done)
	}
}

// installedUnder says whether a file lies among packages that a package manager installs.
func installedUnder(file string) bool {
	for _, dir := range [...]string{"/node_modules/", "/site-packages/", "/dist-packages/", "/vendor/"} {
		if strings.Contains(file, dir) {
			return true
		}
	}
	return false
}

// languageFrom is the language of a file by its name, else by its first line.
func languageFrom(name, text string) string {
	if l := codeOf(name); l != "" {
		return l
	}
	switch l := strings.TrimRight(shell.ScriptLanguage(name, text), "0123456789."); l {
	case "bash", "dash", "ksh", "zsh", "ash":
		return "sh"
	default:
		return l
	}
}

// codeOf is the language of a file by its ending, for all that it can be loaded from;
// empty for one that is no code.
func codeOf(name string) string {
	switch path.Ext(name) {
	case ".py", ".pyw", ".pth":
		return "python"
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".vue", ".svelte":
		return "node"
	case ".rb", ".rake", ".gemspec", ".ru":
		return "ruby"
	case ".php", ".phtml", ".inc":
		return "php"
	case ".sh", ".bash", ".zsh", ".ksh", ".bats":
		return "sh"
	case ".pl", ".pm", ".t":
		return "perl"
	case ".R", ".r", ".Rmd":
		return "r"
	case ".ipynb":
		return "notebook"
	case ".exs":
		return "ex"
	case ".go", ".rs", ".java", ".kt", ".scala", ".cs", ".swift", ".dart", ".zig", ".ex", ".hs":
		return trimPrefix(path.Ext(name), ".")
	case ".c", ".h", ".cc", ".cpp", ".hpp", ".cxx", ".hh", ".m", ".mm":
		return "c"
	}
	switch path.Base(name) {
	case "Rakefile", "Gemfile", "Guardfile", "Capfile", "Fastfile", "Podfile", "Vagrantfile":
		return "ruby"
	}
	return ""
}
