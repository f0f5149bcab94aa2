package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file records what calls of inline Python do to files whose paths are known. A
// call of which anything is not known is left to the reading by names, which asks.

// pyTouch is a function that touches files.
type pyTouch struct {
	name string
	path string // what its first argument is called
	kind byte   // what it returns
	does byte   // see touch
}

// pyTouches are the functions of the library, and one of a package, whose effect is
// told by their paths. Sorted.
var pyTouches = [...]pyTouch{
	{"builtins.open", "file", pyFile, 'o'}, {"bz2.BZ2File", "filename", pyFile, 'o'}, {"bz2.open", "filename", pyFile, 'o'}, {"codecs.open", "filename", pyFile, 'o'}, {"gzip.GzipFile", "filename", pyFile, 'o'}, {"gzip.open", "filename", pyFile, 'o'}, {"io.open", "file", pyFile, 'o'},
	{"lzma.LZMAFile", "filename", pyFile, 'o'}, {"lzma.open", "filename", pyFile, 'o'}, {"numpy.load", "file", 0, 'n'}, {"os.makedirs", "name", 0, 'w'}, {"os.mkdir", "path", 0, 'w'}, {"os.remove", "path", 0, 'd'}, {"os.rename", "src", 0, 'v'},
	{"os.replace", "src", 0, 'v'}, {"py_compile.compile", "file", 0, 'k'}, {"os.rmdir", "path", 0, 'd'}, {"os.unlink", "path", 0, 'd'}, {"shutil.copy", "src", 0, 'c'}, {"shutil.copy2", "src", 0, 'c'}, {"shutil.copyfile", "src", 0, 'c'},
	{"shutil.copytree", "src", 0, 'c'}, {"shutil.move", "src", 0, 'v'}, {"shutil.rmtree", "path", 0, 'D'}, {"sqlite3.connect", "database", pyBase, 'b'}, {"tarfile.open", "name", pyZip, 'z'},
	{"torch.load", "f", 0, 't'}, {"xml.etree.ElementTree.parse", "source", pyTree, 'r'}, {"zipfile.ZipFile", "file", pyZip, 'z'},
}

// pyPathTouches are the methods of pathlib's paths that touch files. Sorted.
var pyPathTouches = [...]pyTouch{
	{"mkdir", "", 0, 'w'}, {"open", "", pyFile, 'p'}, {"read_bytes", "", 0, 'r'}, {"read_text", "", 0, 'r'}, {"rename", "target", 0, 'V'}, {"replace", "target", 0, 'V'},
	{"rmdir", "", 0, 'd'}, {"touch", "", 0, 'w'}, {"unlink", "", 0, 'd'}, {"write_bytes", "", 0, 'w'}, {"write_text", "", 0, 'w'},
}

func touchOf(name string) *pyTouch {
	for i := range pyTouches {
		if pyTouches[i].name == name {
			return &pyTouches[i]
		}
	}
	return nil
}

// touches records the effects of all calls that are known, and notes where they are.
func (p *pyReader) touches() {
	for i := range p.toks {
		t := p.toks[i]
		switch {
		case t.kind == 's' && t.at >= 0:
			p.mentions(i)
		case t.kind != 'n' || t.at < 0:
		case p.is(i+1, "(") && p.pairs[i+1] > 0:
			p.called(i)
		}
		if t.kind == 'n' && t.at >= 0 && (p.imported(i) || p.decodes(i) || p.ownName(i)) {
			p.handled[t.at] = true
		}
	}
	for i, t := range p.toks {
		if t.kind == 'n' && t.at >= 0 {
			p.marksStarts(i)
		}
	}
	p.starting()
	p.idle()
}

// start is where the value begins of which the name at i is a member.
func (p *pyReader) start(i int) int {
	for i -= 2; i > 0; {
		if k := p.pairs[i]; k >= 0 && k < i {
			i = k
			if p.is(k, "{") || k == 0 || p.toks[k-1].kind == 'o' && !strings.Contains(")]", p.toks[k-1].text) || p.toks[k-1].kind == 's' || p.keyword(k-1) {
				return i
			}
			i--
			continue
		}
		if p.toks[i].kind == 'n' && p.is(i-1, ".") {
			i -= 2
			continue
		}
		return i
	}
	return max(i, 0)
}

// keyword says whether the word at i is one before which no value ends. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) keyword(i int) bool {
	return p.toks[i].kind == 'n' && hasWord("in is not and or if else elif while return yield for assert del print lambda await raise from with as", p.toks[i].text) && !p.is(i-1, ".")
}

// called records what the call of the name at i does, if it is known.
func (p *pyReader) called(i int) {
	args := p.args(i+1, p.pairs[i+1]+1)
	name, ok := p.toks[i].text, false
	switch {
	case args.star:
		return
	case !p.is(i-1, "."):
		if f := p.word(name); f.kind == pyName {
			ok = p.touchFunction(f.words[0], args)
		}
	default:
		from := p.start(i)
		object := p.expr(from, i-1)
		ok = p.touchMethod(object, i, args)
		if object.kind == pyName {
			ok = p.touchFunction(object.words[0]+"."+name, args)
		}
	}
	if ok {
		p.handled[p.toks[i].at] = true
	}
}

// touchFunction records what a function does.
func (p *pyReader) touchFunction(name string, args pyArgs) bool {
	t := touchOf(name)
	if t == nil {
		switch name {
		case "tempfile.mkdtemp", "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile":
			return p.function(name, args).kind != pyUnknown
		case "timeit.timeit", "timeit.repeat", "timeit.Timer":
			v, _ := args.get(p, 0, "stmt")
			_, setup := args.get(p, 1, "setup")
			return v.kind == pyLambda && !setup && len(args.plain) == 1
		}
		return p.starts(name, args)
	}
	first, _ := args.get(p, 0, t.path)
	second := pyValue{}
	switch {
	case hasWord("dir_fd src_dir_fd dst_dir_fd opener copy_function onerror onexc ignore mmap_mode uri factory", namesOf(args)):
		return false
	case t.does == 'c' || t.does == 'v':
		second, _ = args.get(p, 1, "dst")
	}
	return p.touch(t.does, first, second, args)
}

// namesOf is the first name among the arguments of a call that says more than a path.
func namesOf(args pyArgs) string {
	for _, a := range args.named {
		if hasWord("dir_fd src_dir_fd dst_dir_fd opener copy_function onerror onexc ignore mmap_mode uri factory", a.name) {
			return a.name
		}
	}
	return ""
}

// touchMethod records what the method at i of a value does.
func (p *pyReader) touchMethod(object pyValue, i int, args pyArgs) bool {
	name := p.toks[i].text
	switch {
	case name == "replace" && len(args.plain) >= 2 && object.kind != pyName:
		return true // str.replace: that of a path takes one argument
	case name == "rename" && len(args.plain) == 0 && len(args.named) > 0 && args.named[0].name != "target" && object.kind != pyName:
		return true // of a table
	case object.kind == pyText && (name == "replace" || name == "format"):
		return true
	case object.kind == pyTree && name == "write":
		first, _ := args.get(p, 0, "file_or_filename")
		return p.touch('w', first, pyValue{}, args)
	case object.kind == pyIni && name == "read" && len(args.plain) > 0:
		return p.touch('r', args.first(p), pyValue{}, args)
	case object.kind == pyZip && name == "open" && !p.says("tarfile"): // an archive of tarfile opens another by its path
		mode, ok := args.get(p, 1, "mode")
		text, constant := mode.constant()
		return !ok || constant && text == "r"
	case object.kind == pyBase && hasWord("execute executemany executescript", name):
		return p.statement(object, args.first(p), name == "executescript")
	}
	if object.kind != pyPath {
		return false
	}
	for _, t := range pyPathTouches {
		if t.name == name {
			second, _ := args.get(p, 0, t.path)
			return p.touch(t.does, object, second, args)
		}
	}
	return false
}

// touch records an effect on the paths that a value may be.
func (p *pyReader) touch(does byte, first, second pyValue, args pyArgs) bool {
	if !p.places(first) || firstByte("cvV", does) >= 0 && !p.places(second) {
		return false
	}
	switch does {
	case 'o', 'p':
		return p.opensFile(first, args, b2i(does == 'o'))
	case 'z':
		mode, ok := args.get(p, 1, "mode")
		if text, constant := mode.constant(); ok && (!constant || text[:min(1, len(text))] != "r") || p.unpacks() {
			return false
		}
		p.each(first, p.m.read)
	case 'n':
		if slices.ContainsFunc(args.named, func(a pyNamed) bool {
			return a.name == "allow_pickle" && !(a.to == a.from+1 && p.isName(a.from, "False"))
		}) || len(args.plain) > 1 {
			return false
		}
		p.each(first, p.m.read)
	case 't': // only tensors and the like, and no code (docs.pytorch.org, torch.load)
		if !p.tensorsOnly(args) {
			return false
		}
		p.each(first, p.m.read)
	case 'r', 'b', 'k':
		if does == 'k' { // it compiles files beside themselves and runs none (docs.python.org/3, py_compile)
			if n := len(args.named); len(args.plain)+n > 2 || n > 0 && args.named[n-1].name != "doraise" || len(args.plain) != 1 {
				return false
			}
			p.m.compiled(first.words)
		}
		if does == 'b' && first.words[0] == ":memory:" {
			return len(first.words) == 1
		}
		p.each(first, p.m.read)
	case 'w':
		p.each(first, func(w string) { p.m.write(w, effect.OpCreate) })
	case 'd':
		p.removes(first, effect.OpRemove)
	case 'D':
		p.removes(first, effect.OpRemoveTree)
	case 'c':
		p.each(first, p.m.read)
		p.each(second, func(w string) { p.m.write(w, effect.OpCreate) })
	case 'v', 'V':
		p.each(first, func(w string) { p.m.path(effect.Write, effect.OpMove, w) })
		p.each(second, func(w string) {
			p.m.write(w, effect.OpCreate)
			p.each(first, func(from string) { p.m.movesTo(from, w, false) })
		})
	}
	return true
}

// tensorsOnly says whether a call of torch.load is told to make no objects of other types.
func (p *pyReader) tensorsOnly(args pyArgs) bool {
	only := len(args.plain) <= 2
	said := false
	for _, a := range args.named {
		switch a.name {
		case "weights_only":
			said = a.to == a.from+1 && p.isName(a.from, "True")
		case "map_location", "mmap":
			v := p.expr(a.from, a.to)
			only = only && (v.kind == pyText || v.kind == pyNone)
		case "f":
		default:
			only = false
		}
	}
	return only && said
}

// places says whether a value is a path that is known.
func (p *pyReader) places(v pyValue) bool {
	return v.known() && len(v.words) <= maxPyWords
}

// each hands over the paths that a value may be. One that begins with a name from a
// directory lies in the working directory. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) each(v pyValue, f func(string)) {
	for _, w := range v.words {
		if w == "" {
			continue // an error to every function but pathlib's, whose empty path is a dot
		}
		if w[0] == mark.Inside || w[0] == mark.Star {
			w = "./" + w
		}
		f(w)
	}
}

// removes records that paths are deleted, but for what the code has made itself under a
// name of tempfile's.
func (p *pyReader) removes(v pyValue, op effect.Op) {
	p.each(v, func(w string) {
		if !strings.HasPrefix(w, pyTemporary) || strings.Contains(w, "..") {
			p.m.remove(w, op)
		}
	})
}

// opensFile records a use of open by its mode.
func (p *pyReader) opensFile(path pyValue, args pyArgs, at int) bool {
	mode, ok := args.get(p, at, "mode")
	text, constant := mode.constant()
	if ok && (!constant || strings.Trim(text, "rwaxbt+U") != "") {
		return false
	}
	if strings.ContainsAny(text, "wax+") {
		p.each(path, func(w string) { p.m.write(w, effect.OpCreate) })
	}
	if !strings.ContainsAny(text, "wax") {
		p.each(path, p.m.read)
	}
	return true
}

// unpacks says whether anything in the code is called like the methods that take files
// out of an archive.
func (p *pyReader) unpacks() bool {
	return slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == 'n' && hasWord("extract extractall unpack_archive", t.text) })
}

// pySQLWrites are the words that statements begin with that change a database.
const pySQLWrites = "insert update delete replace create alter drop begin commit rollback end savepoint release analyze reindex"

// statement judges SQL for a database of sqlite3, which takes one statement at a time
// but for scripts. Attaching, extensions and copies to files ask.
func (p *pyReader) statement(base, sql pyValue, script bool) bool {
	if sql.kind != pyText || len(sql.words) == 0 || len(base.words) == 0 {
		return false
	}
	base.kind = pyText
	for _, w := range sql.words {
		low := strings.ToLower(w)
		first, _, _ := cutAt(strings.TrimSpace(low), " ")
		first = first[:nameLen(first)]
		open := firstByte(w, mark.Unknown) >= 0
		switch {
		case strings.Contains(low, "attach") || strings.Contains(low, "load_extension") || strings.Contains(low, "vacuum") || script && open:
			return false
		case !open && SQLReads(plain(w)), open && (first == "select" || first == "pragma"):
			continue
		case !hasWord(pySQLWrites, first) && first != "select" && first != "pragma" && first != "with":
			return false
		}
		if base.words[0] != ":memory:" {
			if !p.places(base) {
				return false
			}
			p.each(base, func(w string) { p.m.write(w, effect.OpModify) })
		}
	}
	return true
}
