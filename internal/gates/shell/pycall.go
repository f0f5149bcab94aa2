package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says what calls of Python's own functions and methods return, as far as
// paths go (the library reference: Built-in Functions, os.path, pathlib, glob).

// pyBuiltins are the functions and types that need no import.
const pyBuiltins = "abs all any ascii bool bytes callable chr dict dir divmod enumerate filter float format frozenset hash hex id int isinstance issubclass iter len list map max min next oct open ord pow print range repr reversed round set slice sorted str sum tuple type zip"

// pyArgs are the arguments of a call.
type pyArgs struct {
	plain [][2]int
	named []pyNamed
	star  bool
}

type pyNamed struct {
	name     string
	from, to int
}

// args reads the arguments between the parentheses at from and to-1.
func (p *pyReader) args(from, to int) pyArgs {
	var a pyArgs
	for from, to = from+1, to-1; from < to; {
		end := p.next(from, to, ",")
		switch {
		case p.is(from, "*"):
			a.star = true
		case p.toks[from].kind == 'n' && p.is(from+1, "=") && !p.is(from+2, "="):
			a.named = append(a.named, pyNamed{p.toks[from].text, from + 2, end})
		case p.next(from, end, "for") < end:
			a.star = a.star || len(a.plain) > 0
			a.plain = append(a.plain, [2]int{from, end})
		default:
			a.plain = append(a.plain, [2]int{from, end})
		}
		from = end + 1
	}
	return a
}

// get is the argument at a place, or of a name.
func (a pyArgs) get(p *pyReader, n int, name string) (pyValue, bool) {
	if n >= 0 && n < len(a.plain) {
		return p.arg(a.plain[n]), true
	}
	for _, k := range a.named {
		if k.name == name && name != "" {
			return p.expr(k.from, k.to), true
		}
	}
	return pyValue{}, false
}

// arg is what an argument may be; one with a for in it is a generator.
func (p *pyReader) arg(r [2]int) pyValue {
	if k := p.next(r[0], r[1], "for"); k < r[1] {
		return pyListOf(p.expr(r[0], k))
	}
	return p.expr(r[0], r[1])
}

// first is the first argument. Not inlined, for the size of programs.
//
//go:noinline
func (a pyArgs) first(p *pyReader) pyValue {
	v, _ := a.get(p, 0, "")
	return v
}

// call is what a call returns whose arguments stand from open to end-1.
func (p *pyReader) call(from, open, end int) pyValue {
	args := p.args(open, end)
	if args.star {
		return pyValue{}
	}
	if p.toks[open-1].kind == 'n' && p.is(open-2, ".") && open-2 > from {
		object := p.expr(from, open-2)
		if object.kind == pyName {
			return p.function(object.words[0]+"."+p.toks[open-1].text, args)
		}
		return p.method(object, p.toks[open-1].text, args)
	}
	if f := p.expr(from, open); f.kind == pyName {
		return p.function(f.words[0], args)
	}
	return pyValue{}
}

// attribute is a member of a value.
func (p *pyReader) attribute(v pyValue, name string) pyValue {
	switch {
	case v.kind == pyNothing:
		return v
	case v.kind == pyName:
		switch full := v.words[0] + "." + name; full {
		case "os.sep", "os.path.sep":
			return pyTexts(pyText, "/")
		case "os.curdir":
			return pyTexts(pyText, ".")
		case "os.linesep":
			return pyTexts(pyText, "\n")
		default:
			return pyValue{kind: pyName, words: []string{full}}
		}
	case v.kind == pyFile && name == "name":
		return pyValue{kind: pyText, words: v.words}
	case v.kind != pyPath:
		return pyValue{}
	}
	switch name {
	case "parent":
		return v.mappedAll(pyPath, parents)
	case "name":
		return v.mapped(pyText, lastName)
	case "stem":
		return v.mapped(pyText, func(w string) string { return stem(lastName(w)) })
	case "suffix":
		return v.mapped(pyText, ending)
	case "path":
		return v.text()
	case "parents":
		return pyListOf(pyValue{})
	}
	return pyValue{}
}

// function is what a function of the library returns.
func (p *pyReader) function(name string, args pyArgs) pyValue {
	first := args.first(p)
	short, builtin := cutPrefix(name, "builtins.")
	if builtin {
		return p.builtin(short, first, args)
	}
	if strings.HasPrefix(name, "os.path.") || strings.HasPrefix(name, "posixpath.") {
		return p.osPath(name[lastByte(name, '.')+1:], first, args)
	}
	switch name {
	case "pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "pathlib.PurePosixPath":
		return p.joinAll(pyPath, pyTexts(pyText, ""), args)
	case "pathlib.Path.cwd":
		return pyTexts(pyPath, ".")
	case "pathlib.Path.home":
		return pyTexts(pyPath, "~")
	case "os.getcwd":
		return pyTexts(pyText, ".")
	case "os.fspath":
		return first.text()
	case "os.listdir":
		return pyListOf(pyAName)
	case "os.scandir":
		return pyListOf(inDirectory(first, pyPath, len(args.plain)))
	case "os.walk":
		if slices.ContainsFunc(args.named, func(a pyNamed) bool { return a.name != "topdown" && a.name != "onerror" }) || len(args.plain) > 3 {
			return pyValue{} // it follows links
		}
		dir := first.mappedAll(pyText, func(w string) []string { return []string{w, pathBelow(w, string(rune(mark.Inside)))} })
		return pyListOf(pyValue{kind: pyTuple, items: []pyValue{dir, pyListOf(pyAName), pyListOf(pyAName)}})
	case "glob.glob", "glob.iglob":
		if slices.ContainsFunc(args.named, func(a pyNamed) bool { return a.name != "recursive" && a.name != "include_hidden" }) {
			return pyValue{}
		}
		return pyListOf(first.mapped(pyText, globbed))
	case "configparser.ConfigParser", "configparser.RawConfigParser":
		return pyValue{kind: pyIni}
	case "tempfile.gettempdir":
		return pyTexts(pyText, "/tmp")
	case "tempfile.mkdtemp", "tempfile.TemporaryDirectory":
		return temporary(pyText, args)
	case "tempfile.NamedTemporaryFile":
		return temporary(pyFile, args)
	case "json.dumps", "re.sub", "textwrap.dedent", "html.escape", "html.unescape", "yaml.dump", "json.load", "json.loads":
		if name == "json.load" || name == "json.loads" {
			return pyValue{}
		}
		return pyAnyText
	}
	return p.opened(name, first, args)
}

// pyTemporary stands for a path of which tempfile makes the name.
const pyTemporary = "/tmp/tempfile-" + string(rune(mark.Inside))

// temporary is what a function of tempfile makes, if it is not told where.
func temporary(kind byte, args pyArgs) pyValue {
	if len(args.plain) > 0 || slices.ContainsFunc(args.named, func(a pyNamed) bool { return !hasWord("mode suffix delete encoding newline", a.name) }) {
		return pyValue{}
	}
	return pyTexts(kind, pyTemporary)
}

// opened is what a function returns that opens something.
func (p *pyReader) opened(name string, first pyValue, args pyArgs) pyValue {
	t := touchOf(name)
	if t == nil || t.kind == 0 {
		return pyValue{}
	}
	if len(args.plain) == 0 {
		first, _ = args.get(p, 0, t.path)
	}
	return pyValue{kind: t.kind, words: first.text().words}
}

// inDirectory is an entry of a directory, the working directory if none is named.
func inDirectory(dir pyValue, kind byte, named int) pyValue {
	if named == 0 {
		dir = pyTexts(pyText, ".")
	}
	join := pathBelow
	if kind == pyPath {
		join = libPath
	}
	return dir.mapped(kind, func(w string) string { return join(w, string(rune(mark.Inside))) })
}

// globbed is a pattern with the signs of one replaced by markers.
func globbed(pattern string) string {
	return strings.NewReplacer("*", string(rune(mark.Star)), "?", string(rune(mark.One)), "[", string(rune(mark.Class))).Replace(pattern)
}

// joinAll joins all arguments to a path.
func (p *pyReader) joinAll(kind byte, out pyValue, args pyArgs) pyValue {
	join := pathBelow
	if kind == pyPath {
		join = libPath
	}
	out.kind = kind
	for _, a := range args.plain {
		out = joinValues(kind, out, p.arg(a), join)
	}
	if len(args.plain) == 0 && kind == pyPath {
		return out.mapped(pyPath, func(w string) string { return libPath(w, "") })
	}
	return out
}

// osPath is what a function of os.path returns.
func (p *pyReader) osPath(name string, first pyValue, args pyArgs) pyValue {
	switch name {
	case "join":
		if len(args.plain) == 0 {
			return pyValue{}
		}
		rest := args
		rest.plain = args.plain[1:]
		return p.joinAll(pyText, first.text(), rest)
	case "dirname":
		return first.mappedAll(pyText, dirnames)
	case "basename":
		return first.mapped(pyText, lastName)
	case "abspath", "realpath", "normpath", "expanduser":
		return first.text()
	case "split":
		return pyValue{kind: pyTuple, items: []pyValue{first.mappedAll(pyText, dirnames), first.mapped(pyText, lastName)}}
	case "splitext":
		return pyValue{kind: pyTuple, items: []pyValue{first.mapped(pyText, stem), first.mapped(pyText, ending)}}
	case "exists", "isfile", "isdir", "getsize", "getmtime", "islink", "isabs", "samefile":
		return pyValue{kind: pyNumber}
	}
	return pyAnyText
}

// dirnames is parents as os.path has it: nothing stands for the working directory.
func dirnames(w string) []string {
	if strings.HasSuffix(w, "/") {
		return []string{w}
	}
	dirs := parents(w)
	if last := len(dirs) - 1; dirs[last] == "." && !strings.HasPrefix(w, "./") {
		dirs[last] = ""
	}
	return dirs
}

// builtin is what a built-in function returns.
func (p *pyReader) builtin(name string, first pyValue, args pyArgs) pyValue {
	switch name {
	case "str":
		if len(args.plain) == 1 && len(args.named) == 0 {
			return first.text()
		}
		return pyAnyText
	case "list", "sorted", "set", "tuple", "frozenset", "reversed", "iter":
		if len(args.plain) == 0 {
			return pyValue{kind: pyList}
		}
		return pyListOf(first.each())
	case "filter":
		v, _ := args.get(p, 1, "")
		return pyListOf(v.each())
	case "enumerate":
		return pyListOf(pyValue{kind: pyTuple, items: []pyValue{{kind: pyNumber}, first.each()}})
	case "zip":
		t := pyValue{kind: pyTuple}
		for _, a := range args.plain {
			t.items = append(t.items, p.arg(a).each())
		}
		return pyListOf(t)
	case "next":
		v := first.each()
		if other, ok := args.get(p, 1, ""); ok {
			v = union(v, other)
		}
		return v
	case "range":
		return pyListOf(pyValue{kind: pyNumber})
	case "all", "any", "bool", "isinstance", "issubclass", "callable":
		return pyValue{kind: pyNone}
	case "float", "hash", "id", "int", "len", "ord":
		return pyValue{kind: pyNumber}
	case "dict":
		if len(args.plain) == 0 && len(args.named) == 0 {
			return pyValue{kind: pyDict, items: []pyValue{{kind: pyNothing}, {kind: pyNothing}}}
		}
		return pyValue{}
	case "repr", "ascii", "format", "hex", "oct", "bin", "chr", "bytes":
		return pyAnyText
	case "open":
		return p.opened("builtins.open", first, args)
	}
	return pyValue{}
}
