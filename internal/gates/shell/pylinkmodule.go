package shell

import (
	"slices"
	"strings"
)

// This file cuts a module of Python into what runs when it is imported and what runs when it is
// called (the language reference, Compound statements).

// Kinds of parts of a module.
const (
	pyLine  byte = iota // a line that runs with what it stands in
	pyDef               // a function or a method
	pyClass             // the header of a class; what stands in it are parts of their own
	pyTable             // a line that gives a name something, and does nothing else
)

// pyUnit is a part of a module.
type pyUnit struct {
	kind      byte
	name      string
	from, to  int // its tokens, decorators and body with it
	head      int // the word def or class
	decorated bool
	decorator [][2]int // the tokens of each, behind its sign
	heads     [][2]int // of a function: what of its header runs where it is defined
	after     []int    // attributes that it names, by their tokens
	types     []string // names of which something is asked where it says of which type something is
	parent    *pyUnit  // the class that it stands in
	bases     []string // of a class: those that it is made from
	calls     [][2]int // of a table: what it calls, from its first token to the parenthesis
	awake     bool     // it may run
	told      bool
	headTold  bool
}

// pyModule is a module that is put together with others.
type pyModule struct {
	name, pack string // its name, and that of the package that it lies in
	file, text string
	p          *pyReader // its words and lines
	lineOf     map[int]int
	units      []*pyUnit
	matches    bool              // a pattern may ask for attributes by what looks like an argument
	stars      bool              // a star may give any name something else
	tops       map[string]bool   // names that are given something at its top
	roots      map[string]string // names that imports bind, with the module, or module and member
	imports    []*pyImport
	inImport   []bool            // of each token, whether it stands in one of them
	marked     int               // how many of them that tells of
	made       map[string]string // of names, what makes what they have
	madeOf     [2]int            // how many imports and modules that tells of
	instead    map[int]bool      // places for which something else is written, which takes arguments alone
	seen       map[int]bool      // imports that were followed, by their first token
	mine       map[string]string // names that are modules of the workspace
	froms      map[string]string // names that are members of such, under their own name, with the module
	taken      map[int]bool      // tokens that are such members behind the name of their module
}

// cut cuts a module into its parts; nil if it cannot be cut into words.
func (l *pyLinker) cut(name, pack, text, file string) *pyModule {
	lex := lexer{d: dialectOf("python"), whole: true}
	if lex.cut(text, true); lex.bad != "" {
		return nil
	}
	p := &pyReader{toks: lex.toks}
	if !p.pair() {
		return nil
	}
	p.cutLines()
	d := &pyModule{name: name, pack: pack, file: file, text: text, p: p, lineOf: map[int]int{}, tops: map[string]bool{}, roots: map[string]string{}, seen: map[int]bool{}, mine: map[string]string{}, froms: map[string]string{}, taken: map[int]bool{}}
	for i, line := range p.lines {
		d.lineOf[line[0]] = i
		d.matches = d.matches || p.isName(line[0], "case")
	}
	if name == "" {
		d.flat()
	} else {
		d.part(0, len(p.lines), nil)
	}
	return d
}

// flat takes all lines of code that is no module.
func (d *pyModule) flat() {
	for _, line := range d.p.lines {
		d.units = append(d.units, &pyUnit{kind: pyLine, from: line[0], to: line[1]})
	}
}

// indent is how far a line is indented.
func (d *pyModule) indent(line int) int {
	at := d.p.toks[d.p.lines[line][0]].at
	n := 0
	for i := lastByte(d.text[:at], '\n') + 1; i < at; i++ {
		switch d.text[i] {
		case '\t':
			n += 8 - n%8
		default:
			n++
		}
	}
	return n
}

// block is the first line from i on that is not indented more than the line before it.
func (d *pyModule) block(i, end int) int {
	depth := d.indent(i)
	for i++; i < end && d.indent(i) > depth; i++ {
	}
	return i
}

// part cuts the lines from i to end, which stand in a class or at the top.
func (d *pyModule) part(i, end int, parent *pyUnit) {
	p := d.p
	for i < end {
		u := &pyUnit{kind: pyLine, from: p.lines[i][0], parent: parent}
		k := i
		for k < end && p.is(p.lines[k][0], "@") {
			u.decorated = true
			u.decorator = append(u.decorator, [2]int{p.lines[k][0] + 1, p.lines[k][1]})
			k++
		}
		if k == end {
			return
		}
		at, to := p.lines[k][0], p.lines[k][1]
		if p.isName(at, "async") && p.isName(at+1, "def") {
			at++
		}
		switch {
		case p.isName(at, "def"):
			next := d.block(k, end)
			u.kind, u.head, u.name, u.to = pyDef, at, p.toks[at+1].text, p.lines[next-1][1]
			d.headOf(u, at)
			d.add(u)
			i = next
		case p.isName(at, "class"):
			next := d.block(k, end)
			u.kind, u.head, u.name, u.to = pyClass, at, p.toks[at+1].text, to
			u.bases = d.basesOf(u)
			u.heads = append(append([][2]int{}, u.decorator...), [2]int{at + 2, to})
			d.add(u)
			d.part(k+1, next, u)
			i = next
		case !u.decorated && parent == nil && d.unrun(i, end):
			i = d.block(i, end)
		case !u.decorated && at+1 == to && p.toks[at].kind == 's', !u.decorated && p.isName(at, "__all__"):
			i++ // a document, and names that stand elsewhere
		default:
			u.to = to
			d.assigned(u)
			d.table(u)
			d.add(u)
			i = k + 1
		}
	}
}

func (d *pyModule) add(u *pyUnit) {
	d.units = append(d.units, u)
	if u.parent == nil && u.name != "" {
		d.tops[u.name] = true
	}
}

// assigned notes the names that a line at the top gives something.
func (d *pyModule) assigned(u *pyUnit) {
	eq := d.p.next(u.from, u.to, "=")
	if u.parent != nil || eq == u.to {
		return
	}
	for i := u.from; i < eq && !d.p.is(i, ":"); i++ {
		if d.p.toks[i].kind == 'n' && !d.p.is(i-1, ".") && (i == u.from || d.p.is(i-1, ",") || d.p.is(i-1, "(")) {
			d.tops[d.p.toks[i].text] = true
		}
	}
}

// table makes a line at the top that only gives one name something of which nothing is called a part
// of that name: it counts where the name does. Attributes may be computed, so they count.
func (d *pyModule) table(u *pyUnit) {
	p := d.p
	at := u.from + 1
	if p.is(at, ":") {
		at = p.next(at, u.to, "=")
	}
	if u.parent != nil && !u.parent.ofSettings() || u.decorated || p.toks[u.from].kind != 'n' || !p.is(at, "=") || p.is(at+1, "=") || u.parent == nil && d.indent(d.lineOf[u.from]) > 0 || strings.HasPrefix(p.toks[u.from].text, "__") {
		return
	}
	var heads [][2]int
	for i := u.from + 1; i < u.to; i++ {
		switch t := p.toks[i]; {
		case t.at < 0:
			return
		case t.kind == 'n' && p.is(i-1, "."):
			heads = append(heads, [2]int{i, i + 1})
		case t.kind == 'n' && hasWord("lambda for await yield in is not and or if", t.text):
			return
		case p.is(i, "[") && i < at && p.toks[i-1].kind == 'n' && hasWord(pyPlainTypes, p.toks[i-1].text):
			u.types = append(u.types, p.toks[i-1].text) // a type of the library, unless the workspace has one of that name
		case t.kind == 'o' && (t.text == "(" || t.text == "[") && i > at && (p.toks[i-1].kind != 'o' || strings.Contains(")]}", p.toks[i-1].text)):
			if !u.calling(p, i) {
				return
			}
		case t.kind == 'o' && t.text == "." && i > at && !(p.toks[i-1].kind == 'n'):
			return
		case t.kind == 'o' && (firstByte("[]{},:=.|", t.text[0]) < 0 && t.text != "(" && t.text != ")" || t.text == "=" && i != at && !p.keyed(i) && !p.compares(i)), (t.text == "(" || t.text == "[") && t.kind == 'o' && i > u.from && i < at && (p.toks[i-1].kind != 'o' || strings.Contains(")]}", p.toks[i-1].text)):
			return
		}
	}
	u.kind, u.name, u.told = pyTable, p.toks[u.from].text, false
	for _, h := range heads {
		if slices.ContainsFunc(u.calls, func(c [2]int) bool { return h[0] > c[0] && h[0] < c[1] }) {
			continue // of what is called, which is another's
		}
		u.after = append(u.after, h[0])
	}
}

// unrun says whether a line begins a block that no import runs: what a module does when it is
// started itself, and what is there for types alone.
func (d *pyModule) unrun(i, end int) bool {
	p := d.p
	at, to := p.lines[i][0], p.lines[i][1]
	if !p.isName(at, "if") {
		return false
	}
	colon := p.next(at, to, ":")
	main := colon == at+5 && p.is(at+2, "=") && p.is(at+3, "=") && (p.isName(at+1, "__name__") && strings.Trim(p.toks[at+4].text, `"'`) == "__main__" || p.isName(at+4, "__name__") && strings.Trim(p.toks[at+1].text, `"'`) == "__main__")
	types := colon == at+2 && p.isName(at+1, "TYPE_CHECKING") || colon == at+4 && p.isName(at+1, "typing") && p.is(at+3, "TYPE_CHECKING")
	if !main && !types || main && d.given("__name__") || types && d.given("TYPE_CHECKING") {
		return false
	}
	next := d.block(i, end)
	return next == end || !p.isName(p.lines[next][0], "else") && !p.isName(p.lines[next][0], "elif")
}

// given says whether a module may give such a name another value than the one that it has: it stands
// in it in any other way than behind if, in a comparison, or in an import from typing.
func (d *pyModule) given(name string) bool {
	p := d.p
	for i, t := range p.toks {
		if t.kind == 's' && strings.Contains(t.text, name) {
			return true
		}
		if t.kind != 'n' || t.text != name {
			continue
		}
		compared := p.is(i+1, "=") && p.is(i+2, "=") || p.is(i-1, "=") && p.is(i-2, "=")
		from := i
		for from > 0 && !d.startsLine(from) {
			from--
		}
		imported := p.isName(from, "from") && p.isName(from+1, "typing") && p.isName(from+2, "import") && !p.isName(i-1, "as") && !p.isName(i+1, "as")
		passed := p.is(i-1, "(") && p.is(i+1, ")") || p.is(i-1, ".") && p.isName(i-2, "typing")
		if !compared && !imported && !passed && !p.isName(i-1, "if") && !p.isName(i-1, "not") {
			return true
		}
	}
	return false
}

// headOf notes what of a function's header runs where it is defined: its decorators, what its
// parameters are without an argument, and calls in what says of which type they are.
func (d *pyModule) headOf(u *pyUnit, at int) {
	p := d.p
	u.heads = append(u.heads, u.decorator...)
	open := at + 2
	for open < u.to && !p.is(open, "(") {
		open++ // names of types
	}
	if open >= u.to || p.pairs[open] < 0 {
		return
	}
	for from, to := open+1, p.pairs[open]; from < to; {
		end := p.next(from, to, ",")
		eq, colon := p.next(from, end, "="), p.next(from, end, ":")
		if eq < end {
			u.heads = append(u.heads, [2]int{eq + 1, end})
		}
		d.asked(u, colon, min(eq, end))
		if colon < end && d.calls(colon, min(eq, end)) {
			u.heads = append(u.heads, [2]int{colon + 1, min(eq, end)})
		}
		from = end + 1
	}
	close := p.pairs[open]
	stop := p.next(close+1, u.to, ":")
	if d.asked(u, close, stop); d.calls(close, stop) {
		u.heads = append(u.heads, [2]int{close + 3, stop})
	}
}

// asked notes names of which something is asked where a type is said: an item, an attribute.
func (d *pyModule) asked(u *pyUnit, from, to int) {
	for i := from + 1; i < to; i++ {
		if d.p.toks[i].kind == 'n' && (d.p.is(i+1, "[") || d.p.is(i+1, ".") || d.p.is(i-1, ".")) {
			u.types = append(u.types, d.p.toks[i].text)
		}
	}
}

// calls says whether something is called, or computed, between two tokens.
func (d *pyModule) calls(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if d.p.is(i, "(") || d.p.is(i, ":") || d.p.toks[i].at < 0 {
			return true
		}
	}
	return false
}

// pyPlainBases are classes of the library and of packages that call no method of a class but those
// with underscores around them.
const pyPlainBases = "object ABC Exception BaseException Enum IntEnum StrEnum Flag IntFlag NamedTuple TypedDict Protocol Generic BaseModel Model SimpleNamespace"

// basesOf are the classes that a class is made from, by their last names; empty for one that is
// computed.
func (d *pyModule) basesOf(u *pyUnit) (names []string) {
	p := d.p
	open := u.head + 2
	if !p.is(open, "(") {
		return nil
	}
	for from, end := open+1, p.pairs[open]; from < end; {
		next := p.next(from, end, ",")
		k := from
		for k+2 < next && p.is(k+1, ".") {
			k += 2
		}
		name := ""
		if p.toks[k].kind == 'n' && (k+1 == next || p.is(k+1, "[")) {
			name = p.toks[k].text
		}
		if p.isName(from, "metaclass") && next == from+3 {
			if name = p.toks[from+2].text; name == "ABCMeta" || name == "EnumMeta" {
				name = "object"
			}
		}
		names = append(names, name)
		from = next + 1
	}
	return names
}

// framedClass is framed, looked at once for each name while no module comes in.
func (l *pyLinker) framedClass(u *pyUnit) bool {
	if len(u.bases) == 0 {
		return false
	}
	key := u.name + "(" + strings.Join(u.bases, ",")
	v, ok := l.frames[key]
	if !ok {
		v = l.framed(u, 0)
		l.frames[key] = v
	}
	return v
}

// framed says whether something else than the workspace may call methods of a class by names of
// its own: it is made from a class that gbt does not know to call none.
func (l *pyLinker) framed(u *pyUnit, depth int) bool {
	for _, name := range u.bases {
		switch {
		case name == "" || depth > 20 || l.shadows:
			return true
		case l.own[name]:
			for _, d := range l.mods {
				for _, v := range d.units {
					if v.name == name && v != u && (v.kind != pyClass || l.framed(v, depth+1)) {
						return true
					}
				}
			}
		case !hasWord(pyPlainBases, name) && !strings.HasSuffix(name, "Error"):
			return true
		}
	}
	return false
}

// startsLine says whether a statement starts at token i.
func (d *pyModule) startsLine(i int) bool {
	_, ok := d.lineOf[i]
	return ok || d.p.is(i-1, ";") || d.p.is(i-1, ":") && d.p.inside[i] < 0
}

// lineEnd is where the simple statement ends that starts at token i.
func (d *pyModule) lineEnd(i int) int {
	k := i
	for k < len(d.p.toks) {
		if k > i {
			if _, ok := d.lineOf[k]; ok || d.p.is(k, ";") {
				return k
			}
		}
		k = d.p.skip(k)
	}
	return k
}

// pyPlainDecorators only wrap or mark what they stand before, and call it no earlier than others do.
const pyPlainDecorators = "staticmethod classmethod property setter getter deleter abstractmethod lru_cache cache cached_property wraps contextmanager asynccontextmanager overload override final dataclass total_ordering unique runtime_checkable singledispatch singledispatchmethod"

// plainlyDecorated says whether all that stands before a function or class is such a decorator of
// the library.
func (l *pyLinker) plainlyDecorated(d *pyModule, u *pyUnit) bool {
	for _, r := range u.decorator {
		k := r[0]
		for k+2 < r[1] && d.p.is(k+1, ".") {
			k += 2
		}
		root := d.p.toks[r[0]].text
		_, imported := d.roots[root]
		builtin := !imported && (k == r[0] && hasWord("staticmethod classmethod property", root) || k > r[0] && hasWord("setter getter deleter", d.p.toks[k].text))
		if !hasWord(pyPlainDecorators, d.p.toks[k].text) || l.shadows || d.stars || l.own[root] || d.tops[root] || !builtin && !(imported && libraryModule(d.roots[root])) {
			return false
		}
	}
	return true
}
