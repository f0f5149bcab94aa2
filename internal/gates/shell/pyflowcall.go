package shell

import "strings"

// This file says where a text of inline Python goes that a call is given.

// pyEnds are built-in functions that give nothing on of what they are given; pyHands give a
// collection or a text of it (the library reference, Built-in Functions).
const (
	pyEnds  = "print len isinstance issubclass bool all any hash id callable type int float ord divmod abs"
	pyHands = "str repr list tuple set frozenset sorted reversed enumerate zip iter next dict min max sum format ascii bytes"
)

// pyComputes are modules of the library whose functions take texts for texts, and open nothing by
// them; of what they give, nothing is told. pyTakes are functions that give nothing on.
const (
	pyComputes = "base64 collections csv datetime decimal difflib fnmatch fractions hashlib heapq html itertools json math operator pprint re reprlib shlex statistics string textwrap typing unicodedata urllib.parse"
	pyTakes    = "pprint.pprint pprint.pp sys.exit sys.stdout.write sys.stderr.write json.dump logging.info logging.debug logging.warning logging.error"
	pyJoins    = "os.path.join os.path.basename os.path.dirname os.path.splitext os.path.split os.path.normpath os.path.relpath posixpath.join posixpath.basename posixpath.dirname"
)

// argument goes on from an argument of the call whose parenthesis is at open.
func (f *pyFlow) argument(e *pyAt, open, lo int) (done, ok bool) {
	p := f.p
	name, from := p.toks[open-1], p.start(open-1)
	named := ""
	if p.toks[lo].kind == 'n' && p.is(lo+1, "=") && !p.is(lo+2, "=") {
		named = p.toks[lo].text
	}
	call := pyAt{from: from, to: p.pairs[open] + 1}
	switch {
	case name.kind != 'n' || p.is(lo, "*"):
		return true, false
	case p.isName(open-2, "def"):
		return true, named != "" && f.follow(named, *e)
	case name.at >= 0 && p.handled[name.at] && hasWord(pyOpeners, name.text):
		return true, true // its path is judged where it stands
	case p.m.linked != nil && hasWord("prefix static_url_path url_prefix", named) && p.funcs[name.text] == nil:
		return true, e.same && f.absent() // below which routes lie
	case !p.dataOnly(open, lo):
		return true, false
	case !p.is(open-2, "."):
		call.from = open - 1
		return f.plainCall(e, call, open, lo, named)
	}
	object := p.expr(from, open-2)
	if object.kind == pyName {
		return f.function(e, call, object.words[0]+"."+name.text)
	}
	return f.methodCall(e, call, object, name.text, open)
}

// pyOpeners are functions and methods of the library that take paths.
const pyOpeners = "open BZ2File GzipFile LZMAFile makedirs mkdir remove rmdir unlink copy copy2 copyfile copytree move rmtree connect parse ZipFile read_text read_bytes write_text write_bytes touch rename execute executemany executescript " +
	"listdir scandir walk glob iglob rglob iterdir is_zipfile is_tarfile which disk_usage iter_modules exists isfile isdir islink getsize getmtime realpath samefile is_file is_dir is_symlink stat getsource getsourcelines getfile read"

// dataOnly says whether the arguments of the call whose parenthesis is at open, but for the one at
// lo, are known to be no functions, which could be given the text. What opens a file is known by its
// path else.
func (p *pyReader) dataOnly(open, lo int) bool {
	args := p.args(open, p.pairs[open]+1)
	known := true
	for _, a := range args.plain {
		known = known && (a[0] == lo || p.isData(p.expr(a[0], a[1])))
	}
	for _, a := range args.named {
		known = known && (a.from-2 == lo || p.isData(p.expr(a.from, a.to)))
	}
	return known && !args.star || !p.foreign && p.opensKnown()
}

// isData says whether a value is no function.
func (p *pyReader) isData(v pyValue) bool {
	return v.kind != pyUnknown && v.kind != pyName && v.kind != pyLambda && v.kind != pyNothing
}

// opensKnown says whether the places of all files that the code opens are known.
func (p *pyReader) opensKnown() bool {
	for i, t := range p.toks {
		if t.kind == 'n' && hasWord(pyOpeners, t.text) && !(t.at >= 0 && p.handled[t.at]) && !p.names[i] {
			return false
		}
	}
	return true
}

// plainCall goes on from an argument of a function without a dot.
func (f *pyFlow) plainCall(e *pyAt, call pyAt, open, lo int, named string) (done, ok bool) {
	p := f.p
	name := p.toks[open-1].text
	if len(p.binds[name]) == 0 {
		switch {
		case hasWord(pyEnds, name):
			return true, true
		case hasWord(pyHands, name) && named == "":
			call.same = e.same && (e.box || name == "str") && name != "repr" && name != "sum" && name != "format" && name != "ascii"
			call.box = !hasWord("str repr format ascii next min max sum", name)
			*e = call
			return false, false
		}
		return true, false
	}
	if fn := p.funcs[name]; fn != nil && fn.plain && len(p.binds[name]) == 1 {
		n := 0
		for i := open + 1; i < lo; n++ {
			i = p.next(i, p.pairs[open], ",") + 1
		}
		if named == "" && n < len(fn.params) {
			named = fn.params[n].name
		}
		return true, named != "" && f.follow(named, *e) && p.returnsNothing()
	}
	if v := p.word(name); v.kind == pyName {
		return f.function(e, call, v.words[0])
	}
	return true, false
}

// returnsNothing says whether no function of the code gives anything back.
func (p *pyReader) returnsNothing() bool { return !p.says("return") && !p.says("yield") }

// function goes on from an argument of a function that a module gives.
func (f *pyFlow) function(e *pyAt, call pyAt, name string) (done, ok bool) {
	mod := name[:max(0, lastByte(name, '.'))]
	top, _, _ := cutAt(name, ".")
	switch {
	case hasWord(pyTakes, name):
		return true, true
	case hasWord(pyComputes, mod), hasWord(pyJoins, name):
		call.box = true
		*e = call
		return false, false
	case !libraryModule(name) && strings.Contains(pythonPackages, " "+top+" "):
		return true, e.same && f.absent() && !f.p.altersText()
	}
	return true, false
}

// altersText says whether anything in the code may make another text of one.
func (p *pyReader) altersText() bool {
	for i, t := range p.toks {
		slice := p.is(i, "[") && p.colon(i+1, p.pairs[i]) < p.pairs[i]
		if slice || t.kind == 'n' && p.is(i-1, ".") && (hasWord(pyAlters, t.text) || hasWord("sub subn slice substring str char strings", t.text)) {
			return true
		}
	}
	return false
}

// onlyPackages says whether each module that is not the library's is a package that computes.
func (p *pyReader) onlyPackages() bool {
	for _, list := range p.binds {
		for _, b := range list {
			top, _, _ := cutAt(b.name, ".")
			if b.how == bindImport && !libraryModule(b.name) && !strings.Contains(pythonPackages, " "+top+" ") && !(p.m.linked != nil && PackageKind("python", b.name) == Harmless) {
				return false
			}
		}
	}
	return true
}

// methodCall goes on from an argument of a method.
func (f *pyFlow) methodCall(e *pyAt, call pyAt, object pyValue, name string, open int) (done, ok bool) {
	p := f.p
	switch {
	case object.kind == pyFile:
		return true, hasWord("write writelines", name)
	case object.kind == pyText && hasWord(pyTells, name):
		return true, true
	case (object.kind == pyText || !p.foreign && object.kind == pyUnknown) && hasWord(pyAlters, name):
		call.box = true
		*e = call
		return false, false
	case hasWord("append add extend insert appendleft setdefault update", name):
		return true, p.toks[open-3].kind == 'n' && !p.is(open-4, ".") && f.into(p.toks[open-3].text, e.same)
	case (!p.foreign || object.kind == pyList || object.kind == pyDict) && hasWord("count index remove discard startswith endswith find rfind", name):
		return true, true
	case (!p.foreign || object.kind == pyDict) && hasWord("get pop", name):
		call.same, call.box = e.same, e.box
		*e = call
		return false, false
	case object.kind == pyUnknown && p.foreign && (hasWord(clientVerbs, name) || name == "route" && p.m.linked != nil || p.onlyPackages() && !p.altersText()):
		return true, e.same && f.absent()
	}
	return true, false
}
