package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file follows a constant text of inline Python forward, through names, collections, loops and
// functions that compute, to where it ends. One that is only printed, compared, looked up by or put
// into a text is no path, whatever it looks like; one that reaches a function which takes paths
// is, and so is every text that goes where it is not known here.

// pyFlow follows one text.
type pyFlow struct {
	p    *pyReader
	text string
	busy map[string]bool
}

// pyAt is an expression that holds the text: whether it is the text as it stood in the code, and
// whether it is a collection that has it.
type pyAt struct {
	from, to  int
	same, box bool
}

// idle notes the constants that reach nothing.
func (p *pyReader) idle() {
	if p.star || p.m.cell && !p.m.whole || p.makesTypes() {
		return
	}
	for i := 0; i < len(p.toks); i++ {
		t := p.toks[i]
		if t.kind != 's' || t.at < 0 || p.quiet[t.at] {
			continue
		}
		from := i
		if i > 0 && p.toks[i-1].kind == 'n' && p.touching(i-1) {
			from--
		}
		_, end := p.strings(from, len(p.toks))
		v, constant := p.constant(t.text, "").constant()
		f := pyFlow{p: p, text: v, busy: map[string]bool{}}
		p.quiet[t.at] = f.ends(pyAt{from, max(end, i+1), constant && end == i+1, false})
	}
}

// makesTypes says whether the code has a type of its own, which may say what a comparison or an
// index does.
func (p *pyReader) makesTypes() bool {
	for i, t := range p.toks {
		if t.kind == 'n' && (t.text == "class" || t.text == "type" && !p.is(i-1, ".") && !(p.is(i+1, "(") && p.next(i+2, p.pairs[i+1], ",") == p.pairs[i+1])) {
			return true
		}
	}
	return false
}

// pyTells are methods of texts and collections that tell something of them, or change them where
// they are; pyKeeps are those that give them, or what they have, as it is; pyAlters give a text
// that is made of them (the library reference, Built-in Types).
const (
	pyTells  = "startswith endswith isdigit isalpha isalnum isspace isupper islower isidentifier count find rfind index rindex append add extend insert remove discard clear reverse issubset issuperset isdisjoint"
	pyKeeps  = "copy keys values items get pop popitem setdefault union intersection difference"
	pyAlters = "upper lower title capitalize casefold swapcase strip lstrip rstrip split rsplit splitlines join replace removeprefix removesuffix partition rpartition center ljust rjust zfill expandtabs translate encode decode format"
)

// ends says whether the value of an expression ends where it reaches nothing.
func (f *pyFlow) ends(e pyAt) bool {
	p := f.p
	for range 24 {
		if p.budget -= 4; p.budget < 0 {
			return false
		}
		if !f.trailers(&e) {
			return false
		}
		if e.to < 0 {
			return true
		}
		open := p.inside[e.from]
		lo, hi := 0, 0
		if open >= 0 {
			lo, hi = open+1, p.pairs[open]
		} else if lo, hi = p.statementAt(e.from); hi == 0 {
			return false
		}
		if open >= 0 {
			for end := p.next(lo, hi, ","); end < e.from; end = p.next(lo, hi, ",") {
				lo = end + 1
			}
			hi = p.next(max(lo, e.to), hi, ",")
		}
		if f.compared(e, lo) {
			return true
		}
		if !f.widens(&e, lo, hi) {
			return false
		}
		if open < 0 {
			return f.statement(e, lo, hi)
		}
		if done, ok := f.bracket(&e, open, lo, hi); done {
			return ok
		}
	}
	return false
}

// trailers reads the methods and subscripts behind an expression; e.to is -1 where the value ends there.
func (f *pyFlow) trailers(e *pyAt) bool {
	p := f.p
	for e.to < len(p.toks) && (p.inside[e.from] >= 0 || !p.toks[e.to].gap) {
		switch {
		case p.is(e.to, ".") && e.to+2 < len(p.toks) && p.is(e.to+2, "("):
			w := p.toks[e.to+1].text
			open := e.to + 2
			if !p.dataOnly(open, -1) {
				return false
			}
			switch {
			case hasWord(pyTells, w):
				e.to = -1
				return true
			case hasWord(pyKeeps, w):
				e.box = e.box && !hasWord("get pop popitem setdefault", w)
			case hasWord(pyAlters, w):
				e.same, e.box = false, hasWord("split rsplit splitlines partition rpartition", w)
			default:
				return false
			}
			e.to = p.pairs[open] + 1
		case p.is(e.to, "["):
			end := p.pairs[e.to]
			if slice := p.colon(e.to+1, end) < end; !slice || !e.box {
				e.same, e.box = e.same && e.box, false
			}
			e.to = end + 1
		case p.is(e.to, "("), p.is(e.to, "."):
			return false
		default:
			return true
		}
	}
	return true
}

// statementAt is the simple statement, or the header of a compound one, that token i stands in.
func (p *pyReader) statementAt(i int) (lo, hi int) {
	for _, l := range p.lines {
		if i < l[0] || i >= l[1] {
			continue
		}
		lo, hi = l[0], l[1]
		for lo < hi {
			for p.isName(lo, "async") {
				lo++
			}
			colon := p.colon(lo+1, hi)
			soft := p.toks[lo].kind == 'n' && hasWord("match case", p.toks[lo].text) && colon < hi && colon > lo+1 && !p.is(lo+1, "=")
			if p.toks[lo].kind != 'n' || !soft && !hasWord("if elif else while for with try except finally def class", p.toks[lo].text) {
				break
			}
			if i < colon {
				return lo, colon
			}
			lo = colon + 1
		}
		for lo < hi {
			end := p.next(lo, hi, ";")
			if i < end {
				return lo, end
			}
			lo = end + 1
		}
	}
	return 0, 0
}

// arithmetic says whether token i is an operator that makes a value of two. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) arithmetic(i int) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].kind == 'o' && strings.Contains("+-*/%@|&^", p.toks[i].text)
}

// compared says whether the expression is one side of a comparison.
func (f *pyFlow) compared(e pyAt, lo int) bool {
	p := f.p
	if p.arithmetic(e.from-1) && e.from > lo || p.arithmetic(e.to) {
		return false
	}
	n := e.to
	if p.isName(n, "in") || p.isName(n, "is") || p.isName(n, "not") && p.isName(n+1, "in") || p.is(n, "=") && p.is(n+1, "=") || p.is(n, "!") && p.is(n+1, "=") || p.is(n, "<") || p.is(n, ">") {
		return true
	}
	k := e.from - 1
	if k < lo {
		return false
	}
	if p.isName(k, "in") {
		last := -1
		for i := lo; i < k; i = p.skip(i) {
			if p.isName(i, "for") {
				last = i
			}
		}
		return last < 0 || p.next(last, k, "in") < k
	}
	return p.is(k, "<") || p.is(k, ">") || p.is(k, "=") && k-1 >= lo && p.toks[k-1].kind == 'o' && strings.Contains("=!<>", p.toks[k-1].text)
}

// widens takes the value on to all of the part between commas that it stands in, and says whether
// that can be followed; what an operator makes of the text is another one.
func (f *pyFlow) widens(e *pyAt, lo, hi int) bool {
	p := f.p
	for i := lo; i < hi; i = p.skip(i) {
		switch {
		case p.isName(i, "lambda"), p.isName(i, "await"), p.isName(i, "yield"), p.is(i, ":") && p.is(i+1, "=") && p.touching(i):
			return false
		case p.arithmetic(i):
			if p.foreign {
				return false
			}
			e.same = false
		}
	}
	return true
}

// statement says whether a value ends in a statement of its own.
func (f *pyFlow) statement(e pyAt, lo, hi int) bool {
	p := f.p
	switch first := p.toks[lo]; {
	case first.kind == 'n' && hasWord("return yield await del global nonlocal with def class except lambda import from", first.text):
		return false
	case p.isName(lo, "for"):
		in := p.next(lo, hi, "in")
		return e.from > in && f.targets(lo+1, in, e)
	case first.kind == 'n' && hasWord("if elif while assert raise match case", first.text) && !p.is(lo+1, "="):
		return true
	}
	last, changed := -1, false
	for i := lo; i < hi; i = p.skip(i) {
		if p.is(i, "=") && p.is(i+1, "=") && p.touching(i) {
			i++
		} else if p.is(i, "=") && !(i > lo && p.toks[i-1].kind == 'o' && p.touching(i-1) && strings.Contains("<>!", p.toks[i-1].text)) {
			last, changed = i, changed || p.arithmetic(i-1)
		}
	}
	if last < 0 {
		return true // the value is not used
	}
	if e.from < last {
		return false
	}
	if p.next(last+1, hi, ",") < hi {
		e.box = true
	}
	for start := lo; start <= last; {
		end := p.next(start, last+1, "=")
		if end > last {
			break
		}
		to := end
		if changed {
			to, e.same = end-1, false
		}
		many := p.next(start, to, ",") < to
		if !f.targets(start, p.next(start, to, ":"), pyAt{e.from, e.to, e.same, e.box && !many}) {
			return false
		}
		start = end + 1
	}
	return true
}

// targets says whether a value ends nowhere by the names that it is given to.
func (f *pyFlow) targets(lo, hi int, e pyAt) bool {
	p := f.p
	loops := p.isName(lo-1, "for")
	if p.is(lo+1, "[") && p.pairs[lo+1] == hi-1 && p.toks[lo].kind == 'n' { // an item of a collection
		return f.into(p.toks[lo].text, e.same)
	}
	for i := lo; i < hi; i++ {
		switch {
		case p.toks[i].kind == 'n' && !p.is(i+1, ".") && !p.is(i+1, "["):
			if !f.follow(p.toks[i].text, pyAt{same: e.same && (e.box || !loops), box: e.box && !loops}) {
				return false
			}
		case !p.is(i, ",") && !p.is(i, "(") && !p.is(i, ")"):
			return false
		}
	}
	return hi > lo
}

// follow says whether what a name has ends nowhere at any of its uses.
func (f *pyFlow) follow(name string, e pyAt) bool {
	p := f.p
	if f.busy[name] {
		return true
	}
	f.busy[name] = true
	p.budget -= len(p.toks) / 8
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || p.stored[i] || p.isName(i-1, "global") || p.isName(i-1, "nonlocal") {
			continue
		}
		named := p.is(i+1, "=") && !p.is(i+2, "=") && (p.is(i-1, "(") || p.is(i-1, ","))
		if p.is(i+1, "[") && p.inside[i] < 0 { // an item of it is set
			lo, _ := p.statementAt(i)
			end := p.pairs[i+1] + 1
			named = lo == i && p.is(end, "=") && !p.is(end+1, "=")
		}
		if !named && (p.names[i] || !f.ends(pyAt{i, i + 1, e.same, e.box})) {
			return false
		}
	}
	return true
}

// bracket goes on from a part of what stands in brackets. It is done where the value ends there.
func (f *pyFlow) bracket(e *pyAt, open, lo, hi int) (done, ok bool) {
	p := f.p
	if k := p.next(lo, hi, "for"); k < hi { // a comprehension
		in := p.next(k, hi, "in")
		switch {
		case e.from < k:
		case e.from > in && e.to <= p.iterableEnd(in+1, hi):
			return true, f.targets(k+1, in, *e)
		default:
			return true, p.isName(e.from-1, "if")
		}
		e.box = true
	}
	before := p.inside[e.from] - 1
	value := before >= 0 && (p.toks[before].kind == 'n' && !p.keyword(before) || p.toks[before].kind == 's' || p.is(before, ")") || p.is(before, "]")) && (p.inside[open] >= 0 || !p.toks[open].gap)
	switch {
	case p.is(open, "{") && p.toks[open].at < 0: // in a text
		from := open
		for from > 0 && p.toks[from].kind != 's' || p.toks[from].at < 0 && from > 0 {
			from--
		}
		if from > 0 && p.toks[from-1].kind == 'n' {
			from--
		}
		_, end := p.strings(from, len(p.toks))
		if end <= open {
			return true, false
		}
		*e = pyAt{from: from, to: end}
		return false, false
	case p.is(open, "(") && value:
		return f.argument(e, open, lo)
	case p.is(open, "[") && value:
		return true, f.looksUp(e, open, lo, hi)
	case p.is(lo, "*"):
		return true, false
	}
	box := !p.is(open, "(") || e.box || p.next(open+1, p.pairs[open], ",") < p.pairs[open]
	*e = pyAt{open, p.pairs[open] + 1, e.same, box}
	return false, false
}

// looksUp says whether an index in brackets only looks something up.
func (f *pyFlow) looksUp(e *pyAt, open, lo, hi int) bool {
	p := f.p
	end := p.pairs[open] + 1
	if p.colon(lo, hi) < hi {
		return false
	}
	from := p.start(open + 1)
	if p.is(end, "=") && !p.is(end+1, "=") { // a collection gets it
		return open == from+1 && p.toks[from].kind == 'n' && f.into(p.toks[from].text, e.same)
	}
	if lo, _ := p.statementAt(open); p.inside[open] < 0 && p.isName(lo, "del") {
		return false
	}
	return !p.foreign || p.expr(from, open).kind == pyDict || e.same && f.absent()
}

// pyFresh are functions that make a collection that goes by no other name.
const pyFresh = "builtins.dict builtins.list builtins.set collections.Counter collections.OrderedDict collections.defaultdict collections.deque json.load json.loads"

// into says whether a text that a collection gets ends nowhere by its name, which is the only one
// that the collection goes by when it is made.
func (f *pyFlow) into(name string, same bool) bool {
	p := f.p
	for _, b := range p.binds[name] {
		if b.how == bindAdded {
			continue
		}
		if b.how != bindValue || len(b.path) > 0 || b.to <= b.from || p.pairs[b.to-1] < b.from {
			return false
		}
		open := p.pairs[b.to-1]
		display := open == b.from && !p.is(open, "(")
		made := p.expr(b.from, open)
		if !display && !(made.kind == pyName && hasWord(pyFresh, made.words[0])) {
			return false
		}
	}
	return len(p.binds[name]) > 0 && f.follow(name, pyAt{same: same, box: true})
}

// absent says whether the text is the path of nothing: nothing lies at the root under its first
// name, so there is nothing to read, and only root could write there.
func (f *pyFlow) absent() bool {
	p, v := f.p, f.text
	if p.m.p.There == nil || p.m.p.UID <= 0 || !strings.HasPrefix(v, "/") || strings.Contains(v, "..") || strings.Contains(v, "//") || names.Sensitive(v) {
		return false
	}
	first, _, _ := cutAt(v[1:], "/")
	return first != "" && !p.m.p.There("/"+first)
}
