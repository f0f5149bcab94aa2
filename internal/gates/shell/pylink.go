package shell

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file puts inline Python together with what it runs of the workspace's own modules, as one
// text, which is then judged as code that stands in the call: what a function is called says
// nothing. A module's code that runs when it is imported is part of it, of its functions, classes
// and methods those that something in the text may mean by their name, whatever it is called on
// (The Python Language Reference, 5 and 7.11). What cannot be read or found is told as a doubt.

// Bounds of what is read for one piece of inline code.
const (
	maxLinkedFiles = 80
	maxLinkedText  = 400 << 10
	maxLinkedFile  = 256 << 10 // hosts read no further
)

// pyLinker puts a program together.
type pyLinker struct {
	m       *machine
	q       *linking
	text    string // the inline code
	mods    map[string]*pyModule
	order   []*pyModule
	words   map[string]bool // names that may be meant in what runs
	aliases [][2]string     // names that an import gives something of the workspace, and its own
	own     map[string]bool // names that modules of the workspace give at their top
	grew    bool
	shadows bool                // a module of the workspace is called like one of the library
	files   map[string]string   // of directories and names, what was found
	lists   map[string][]string // of directories, what lies there
	frames  map[string]bool     // of names of classes, whether something else may call their methods
	types   []string            // names of classes of which something is asked where a type is said

	registries map[string]bool // names of what functions are registered with
	reached    bool            // something may run what is registered
	waits      []string        // names and texts that count then
	configs    int             // whether settings of applications are asked for: 0 is not known
	read       int
	size       int
	doubt      string
}

// link is the code with what it runs of the workspace, and where its lines come from; nil where that
// is nothing.
func (l *pyLinker) link() (string, func(line int) string) {
	main := l.cut("", "", l.text, "")
	if main == nil {
		return l.text, nil // what cannot be cut is asked about anyway
	}
	l.mods[""] = main
	for _, u := range main.units {
		u.awake = true
	}
	for _, name := range l.q.loads {
		l.load(name)
	}
	for l.grew = true; l.grew && l.doubt == ""; {
		l.grew = false
		for _, a := range l.aliases {
			if l.words[a[0]] {
				l.word(a[1])
			}
		}
		for _, name := range l.types {
			if l.own[name] {
				l.word(name)
			}
		}
		l.configs = 0
		for _, d := range slices.Clone(l.order) {
			l.live(d)
		}
		l.live(main)
		if !l.grew && !l.reached && l.doubt == "" && l.reaches() {
			l.reached, l.grew = true, true
			for _, text := range l.waits {
				l.spelled(text)
			}
			for _, d := range l.mods {
				for _, u := range d.units {
					u.told = u.told && u.kind != pyDef // what it registers within it counts now
				}
			}
		}
	}
	if len(l.mods) == 1 || l.doubt != "" {
		return l.text, nil
	}
	w := pyLinked{l: l}
	for _, d := range l.order {
		w.module(d)
	}
	w.module(main)
	if mark.Has(w.b.String()) {
		l.ask("a module with characters that gbt cannot read")
	}
	return w.b.String(), w.where
}

//go:noinline
func (l *pyLinker) ask(what string) {
	if l.doubt == "" {
		l.doubt = what
	}
}

// placeOf names a module and the line of a token of it.
func (l *pyLinker) placeOf(d *pyModule, i int) string {
	if d.name == "" {
		return ""
	}
	return ", in " + d.name + " (line " + strconv.Itoa(1+strings.Count(d.text[:max(0, d.p.toks[i].at)], "\n")) + ")"
}

func (l *pyLinker) word(name string) {
	if !l.words[name] {
		l.words[name], l.grew = true, true
	}
}

// load loads a module as an import does, with the packages that it lies in; false if it is none of
// the workspace's own.
func (l *pyLinker) load(name string) bool {
	top, _, _ := cutAt(name, ".")
	for _, dir := range l.q.dirs {
		if listedLibrary(top) && hasWord(pyBuiltIn, top) || dir.late && (listedLibrary(top) || l.found(dir.path, top) == "" && l.installed(top)) {
			continue
		}
		if l.loadIn(dir.path, name) {
			return true
		}
		if l.doubt != "" {
			return true
		}
	}
	if l.q.blind && !libraryModule(top) && PackageKind("python", name) != Harmless {
		l.ask(name + ", a module that gbt cannot read")
		return true
	}
	return false
}

// installed says whether a package is known to be one that others install.
func (l *pyLinker) installed(top string) bool { return PackageKind("python", top) != Unknown }

// loadIn loads a module from a directory of the path.
func (l *pyLinker) loadIn(dir, name string) bool {
	parts := strings.Split(name, ".")
	at, any := dir, false
	for i, part := range parts {
		if part == "" || nameLen(part) != len(part) {
			return any
		}
		file := l.found(at, part)
		base := at + "/" + part
		switch {
		case file == "?":
			l.ask(strings.Join(parts[:i+1], ".") + ", a module that is no source")
			return true
		case file != "":
			any = true
			if d := l.module(strings.Join(parts[:i+1], "."), file); d == nil {
				return true
			}
		case any && l.q.blind:
			l.ask(strings.Join(parts[:i+1], ".") + ", a module that gbt cannot read")
			return true
		case i == len(parts)-1 && !any, !l.q.there(base), i == 0 && !l.below(base, parts[1:]):
			return any // there is none: the import fails
		}
		at = base
	}
	return any
}

// below says whether a directory that is no package holds a module by its further names, as
// namespace packages do.
func (l *pyLinker) below(base string, rest []string) bool {
	for _, part := range rest {
		if l.found(base, part) != "" {
			return true
		}
		base += "/" + part
	}
	return false
}

// found is the file of a module in a directory: a package, then a file; "?" where a compiled one
// comes first or stands in for it (importlib.machinery, FileFinder).
func (l *pyLinker) found(dir, name string) string {
	key := dir + "/" + name
	file, ok := l.files[key]
	if !ok {
		file = l.find(dir, name)
		l.files[key] = file
	}
	return file
}

// find looks for it.
func (l *pyLinker) find(dir, name string) string {
	if init := dir + "/" + name + "/__init__.py"; l.q.there(init) && l.m.ownPackage(init) {
		return init
	}
	compiled := ""
	if l.q.names != nil {
		list, ok := l.lists[dir]
		if !ok {
			list = l.q.names(dir)
			l.lists[dir] = list
		}
		for _, n := range list {
			if rest, ok := cutPrefix(n, name+"."); ok && (strings.HasSuffix(rest, "so") || strings.HasSuffix(rest, "pyd") || rest == "pyc") {
				compiled = rest
			}
		}
	}
	file := dir + "/" + name + ".py"
	switch there := l.q.there(file); {
	case compiled != "" && (compiled != "pyc" || !there):
		return "?"
	case there:
		return file
	case l.q.there(dir + "/" + name + ".pyx"):
		return "?"
	}
	return ""
}

// className asks a value only what its class is called.
var className = regexp.MustCompile(`\.__class__\.__(?:name|qualname|module)__\b`)

// module reads a file as a module, once.
func (l *pyLinker) module(name, file string) *pyModule {
	if d := l.mods[file]; d != nil {
		return d
	}
	if !l.q.still {
		l.ask(name + ", a module that what comes before may change")
		return nil
	}
	text, ok := l.m.readLinked(file)
	l.read, l.size = l.read+1, l.size+len(text)
	if !ok || len(text) >= maxLinkedFile || firstByte(text, 0) >= 0 {
		l.ask(name + ", a module that gbt cannot read")
		return nil
	}
	if l.read > maxLinkedFiles || l.size > maxLinkedText {
		l.ask(name + ", which loads more modules than gbt reads")
		return nil
	}
	pack := name
	if !strings.HasSuffix(file, "/__init__.py") {
		pack = name[:max(0, lastByte(name, '.'))]
	}
	d := l.cut(name, pack, className.ReplaceAllString(trimPrefix(text, "\ufeff"), ".__doc__"), file)
	if d == nil {
		l.ask(name + ", a module that gbt cannot read")
		return nil
	}
	l.mods[file], l.grew, l.frames = d, true, map[string]bool{}
	top, _, _ := cutAt(name, ".")
	l.shadows = l.shadows || listedLibrary(top)
	for _, u := range d.units {
		l.own[u.name] = l.own[u.name] || u.name != "" && u.parent == nil
	}
	l.live(d)
	l.order = append(l.order, d)
	return d
}

// live looks through what of a module runs by now, and follows the imports in it.
func (l *pyLinker) live(d *pyModule) {
	for again := true; again && l.doubt == ""; {
		again = false
		for _, u := range d.units {
			if !u.awake && l.wakes(d, u) {
				u.awake, again = true, true
			}
			if u.awake && !u.told || !u.headTold {
				l.tell(d, u)
			}
		}
	}
}

// wakes says whether a part of a module may run.
func (l *pyLinker) wakes(d *pyModule, u *pyUnit) bool {
	if u.parent != nil && !u.parent.awake && u.kind != pyLine && u.kind != pyTable {
		return false
	}
	switch {
	case u.kind == pyTable && u.parent != nil: // a setting, which its class has
		return u.parent.awake || len(u.calls) > 0 && !l.inert(d, u)
	case u.kind == pyLine, u.decorated && !l.plainlyDecorated(d, u) && (l.reached || !l.onlyRegistered(d, u)), strings.HasPrefix(u.name, "__") && u.kind == pyDef, l.words[u.name]:
		return true
	case u.kind == pyTable && len(u.calls) > 0 && !l.inert(d, u):
		return true
	case u.parent != nil && u.kind == pyClass && len(u.parent.bases) > 0:
		return true // what the class is made from may go by it: Config, Meta
	case u.parent != nil && u.kind == pyDef && u.parent.parent != nil && len(u.parent.parent.bases) > 0:
		return true
	case u.parent != nil && u.kind == pyDef:
		return strings.HasPrefix(u.name, "_") && strings.HasSuffix(u.name, "_") || u.name == "model_post_init" || l.framedClass(u.parent)
	}
	return false
}

// tell notes the words of what runs of a part, and its imports.
func (l *pyLinker) tell(d *pyModule, u *pyUnit) {
	ranges := u.heads
	if u.awake {
		ranges = [][2]int{{u.from, u.to}}
		u.told = true
	}
	u.headTold = true
	l.types = append(l.types, u.types...)
	for _, i := range u.after {
		l.word(d.p.toks[i].text)
	}
	nested := l.nested(d, u)
	for _, r := range ranges {
		for i := r[0]; i < r[1]; i++ {
			if len(nested) > 0 && i == nested[0][0] {
				i, nested = nested[0][1]-1, nested[1:]
				continue
			}
			t := d.p.toks[i]
			switch {
			case d.p.isName(i, "import") && d.startsLine(i), d.p.isName(i, "from") && d.startsLine(i):
				end := d.lineEnd(i)
				l.imports(d, i, end)
				i = end - 1
			case t.kind == 'n' && t.text == "__path__" && (!d.p.is(i-1, ".") || !d.p.is(i+1, ")")):
				l.ask("__path__, which changes where modules lie" + l.placeOf(d, i))
			case t.kind == 'n' && l.setsClient(d, i) > i:
				i = l.setsClient(d, i) - 1
			case t.kind == 'n':
				kwarg := !d.matches && d.p.is(i+1, "=") && !d.p.is(i+2, "=") && d.p.inside[i] >= 0 && d.p.is(d.p.inside[i], "(")
				switch {
				case kwarg || i == u.head+1 && u.head > 0:
				case l.handed(d, u, i):
					l.waits = append(l.waits, t.text)
				default:
					l.word(t.text)
				}
			case t.kind == 's' && l.later(d, u, i):
				l.waits = append(l.waits, t.text)
			case t.kind == 's':
				l.spelled(t.text)
			}
		}
	}
}

// spelled notes names that a text is: what looks something up by its name, and fields of formats.
func (l *pyLinker) spelled(text string) {
	text = strings.TrimLeft(text, "rRbBuUfF")
	text = strings.Trim(text, `"'`)
	if len(text) < 120 && firstByte(text, ' ') < 0 {
		for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '.' || c == ':' }) {
			if nameLen(part) == len(part) {
				l.word(part)
			}
		}
	}
	for rest := text; ; {
		_, after, ok := cutAt(rest, "{")
		if !ok {
			return
		}
		field, next, _ := cutAt(after, "}")
		for part := range strings.SplitSeq(field, ".") {
			if n := nameLen(part); n > 0 {
				l.word(part[:n])
			}
		}
		rest = next
	}
}
