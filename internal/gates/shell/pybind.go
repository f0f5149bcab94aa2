package shell

// This file finds out what the names of inline Python are given: it cuts the code into
// logical lines and notes for each name every expression, or item of one, that it may
// stand for (the language reference, Simple and Compound statements). A form that is
// not known here leaves the names in it without a known value.

// pyBinding is one way in which a name gets a value.
type pyBinding struct {
	how      byte  // see below
	from, to int   // the expression
	path     []int // which item of it, for targets that take it apart
	name     string
}

// How a name gets its value.
const (
	bindValue   = 'v' // that of the expression
	bindItem    = 'e' // an item of it, in a loop
	bindWith    = 'w' // what a with statement gives
	bindImport  = 'i' // the module or member called name
	bindAdded   = 'a' // it is a collection, and the expression becomes an item of it
	bindDef     = 'd' // a function that starts at from
	bindUnknown = 'u'
)

// pyFunc is a function that the code defines.
type pyFunc struct {
	name   string
	params []pyParam
	plain  bool // its parameters are names, with or without a value
}

type pyParam struct{ name string }

// pyReader reads inline Python.
type pyReader struct {
	m       *machine
	toks    []token
	pairs   []int
	inside  []int // of each token, the bracket that it stands in, -1 for none
	lines   [][2]int
	binds   map[string][]pyBinding
	funcs   map[string]*pyFunc
	wrapped bool // a decorator stands before the line
	poison  bool // lists may be changed under other names
	star    bool // a module gives names that are not told
	foreign bool // a module that is not the library's is in use
	odd     bool // the code could not be cut

	values  map[string]pyValue
	busy    map[string]pyValue
	cycles  int // names that were asked for while they were looked at
	budget  int
	depth   int
	started []pyStart       // programs that the code starts
	handled map[int]bool    // places in the text whose effects are known
	quiet   map[int]bool    // places of constants that are only searched for
	stored  map[int]bool    // names that are given a value where they stand
	names   map[int]bool    // words of import statements
	told    map[string]bool // what was found out of modules and, under no name, of formats
}

// readPython reads code; nil if it cannot be cut into words.
func (m *machine) readPython(text string) *pyReader {
	toks, bad := dialectOf("python").tokens(text)
	if bad != "" {
		return nil
	}
	p := &pyReader{
		m: m, toks: toks, binds: map[string][]pyBinding{}, funcs: map[string]*pyFunc{},
		values: map[string]pyValue{}, busy: map[string]pyValue{}, handled: map[int]bool{}, quiet: map[int]bool{}, stored: map[int]bool{}, names: map[int]bool{}, told: map[string]bool{}, budget: maxPyWork, foreign: m.cell && !m.whole,
	}
	if !p.pair() {
		return nil
	}
	p.cutLines()
	for _, l := range p.lines {
		p.line(l[0], l[1])
		p.wrapped = p.is(l[0], "@")
	}
	p.inner()
	if p.odd {
		return nil
	}
	p.poison = p.aliased()
	clear(p.values)
	return p
}

// pair finds the brackets that belong together.
func (p *pyReader) pair() bool {
	p.pairs, p.inside = make([]int, len(p.toks)), make([]int, len(p.toks))
	var open []int
	for i, t := range p.toks {
		p.pairs[i], p.inside[i] = -1, -1
		if len(open) > 0 {
			p.inside[i] = open[len(open)-1]
		}
		if t.kind != 'o' {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) == 0 {
				return false
			}
			k := open[len(open)-1]
			open = open[:len(open)-1]
			p.pairs[i], p.pairs[k], p.inside[i] = k, i, p.inside[k]
		}
	}
	return len(open) == 0
}

// cutLines finds the logical lines.
func (p *pyReader) cutLines() {
	from := 0
	for i := range p.toks {
		if i > from && p.toks[i].gap && p.inside[i] < 0 && (p.pairs[i] < 0 || p.pairs[i] > i) {
			p.lines = append(p.lines, [2]int{from, i})
			from = i
		}
	}
	if from < len(p.toks) {
		p.lines = append(p.lines, [2]int{from, len(p.toks)})
	}
}

// next returns the first token from i on that has the text, outside brackets, or to.
func (p *pyReader) next(i, to int, text string) int {
	for ; i < to; i++ {
		if p.isName(i, "lambda") {
			for i < to && !p.is(i, ":") {
				i = p.skip(i)
			}
			continue
		}
		if p.is(i, text) {
			return i
		}
		if p.pairs[i] > i {
			i = p.pairs[i]
		}
	}
	return to
}

// skip is the token after i, or after the bracket that starts there. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) skip(i int) int {
	if p.pairs[i] > i {
		return p.pairs[i] + 1
	}
	return i + 1
}

//go:noinline
func (p *pyReader) isName(i int, text string) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].kind == 'n' && p.toks[i].text == text && !p.is(i-1, ".")
}

// touching says whether token i+1 follows token i without a blank. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) touching(i int) bool {
	return i >= 0 && i+1 < len(p.toks) && p.toks[i].at >= 0 && p.toks[i+1].at == p.toks[i].at+len(p.toks[i].text)
}

// line reads one logical line: headers of compound statements and what follows them.
func (p *pyReader) line(from, to int) {
	for p.isName(from, "async") {
		from++
	}
	if from >= to {
		return
	}
	t := p.toks[from]
	colon := p.colon(from+1, to)
	soft := hasWord("match case", t.text) && colon < to && colon > from+1 && !p.is(from+1, "=")
	if t.kind == 'n' && (soft || hasWord("if elif else while for with try except finally def class", t.text)) {
		if colon == to {
			p.odd = true
			return
		}
		p.header(t.text, from+1, colon)
		p.line(colon+1, to)
		return
	}
	for from < to {
		end := p.next(from, to, ";")
		p.simple(from, end)
		from = end + 1
	}
}

// colon finds the one that ends a header.
func (p *pyReader) colon(from, to int) int {
	for i := from; i < to; {
		k := p.next(i, to, ":")
		if k < to && p.is(k+1, "=") && p.touching(k) {
			i = k + 1
			continue
		}
		return k
	}
	return to
}

// header reads the header of a compound statement.
func (p *pyReader) header(word string, from, to int) {
	switch word {
	case "for":
		in := p.next(from, to, "in")
		p.target(from, in, pyBinding{how: bindItem, from: in + 1, to: to})
	case "with":
		if p.pairs[from] == to-1 && p.next(from+1, to-1, "as") < to-1 {
			from, to = from+1, to-1
		}
		for from < to {
			end := p.next(from, to, ",")
			if as := p.next(from, end, "as"); as < end {
				p.target(as+1, end, pyBinding{how: bindWith, from: from, to: as})
			}
			from = end + 1
		}
	case "except": // except E as e
		if as := p.next(from, to, "as"); as+1 < to {
			p.target(as+1, to, pyBinding{how: bindUnknown})
		}
	case "case":
		p.unknownNames(from, to)
	case "def":
		p.define(from)
	case "class":
		p.bind(from, pyBinding{how: bindUnknown})
	}
}

// unknownNames leaves all names of a range without a value.
func (p *pyReader) unknownNames(from, to int) {
	for i := from; i < to; i++ {
		if p.toks[i].kind == 'n' && !p.is(i-1, ".") {
			p.bind(i, pyBinding{how: bindUnknown})
		}
	}
}

//go:noinline
func (p *pyReader) bind(i int, b pyBinding) {
	if i >= 0 && i < len(p.toks) && p.toks[i].kind == 'n' {
		p.binds[p.toks[i].text] = append(p.binds[p.toks[i].text], b)
		p.stored[i] = p.stored[i] || b.how != bindAdded || b.name == "+="
	}
}

// define reads the name and the parameters of a function.
func (p *pyReader) define(i int) {
	p.bind(i, pyBinding{how: bindDef, from: i})
	if i+1 >= len(p.toks) || p.pairs[i+1] < 0 {
		p.odd = true
		return
	}
	f := &pyFunc{name: p.toks[i].text, plain: p.funcs[p.toks[i].text] == nil && !p.wrapped}
	p.funcs[f.name] = f
	for from, to := i+2, p.pairs[i+1]; from < to; {
		end := p.next(from, to, ",")
		p.param(f, from, end)
		from = end + 1
	}
}

// param reads one parameter: its value may be the one that it has without an argument,
// or the arguments of all calls.
func (p *pyReader) param(f *pyFunc, from, to int) {
	if from >= to || p.toks[from].kind != 'n' {
		f.plain = f.plain && from+1 >= to && (p.is(from, "*") || p.is(from, "/"))
		p.unknownNames(from, to)
		return
	}
	name := p.toks[from].text
	if len(f.params) == 0 && hasWord("self cls", name) {
		f.plain = false // called by another name than its own
	}
	f.params = append(f.params, pyParam{name})
	p.bind(from, pyBinding{how: bindDef, name: f.name, path: []int{len(f.params) - 1}})
	if eq := p.next(from, to, "="); eq < to {
		p.bind(from, pyBinding{how: bindValue, from: eq + 1, to: to})
	}
}

// is says whether token i is the given operator or name. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) is(i int, text string) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].kind != 's' && p.toks[i].text == text
}
