package shell

// This file is about texts of inline Python that are called like a special attribute and are none:
// the key '__class__' of a dictionary reaches nothing.

// keyModules are the modules beside which such a text stays one: nothing in them takes the name of
// an attribute or a format (their pages in The Python Standard Library). Sorted.
const keyModules = "base64 collections csv datetime glob hashlib io itertools json math os pathlib plistlib random re statistics struct sys textwrap time tomllib zlib"

// onlyText says whether the string at i stands where it is no more than a text: a key, what is
// looked up or compared, what print shows. Code that a format, a class made by a call or a module
// with uses of its own could hand it to is not that plain.
func (p *pythonCode) onlyText(i int) bool {
	r := p.py
	if r == nil || r.odd || r.star || r.foreign || p.foreign || p.m.linked != nil || len(r.toks) != len(p.toks) || r.formats() || !r.keepsTexts() {
		return false
	}
	before, after := i-1, i+1
	if before >= 0 && p.toks[before].kind == 'n' && r.touching(before) {
		before-- // the prefix
	}
	for after < len(p.toks) && p.toks[after].at < 0 {
		after++ // the code in it
	}
	if p.toks[i].at < 0 || before < 0 || p.toks[before].kind == 's' {
		return false
	}
	last := after >= len(p.toks) || p.is(after, ":") || p.is(after, ")") || p.is(after, "]") || p.toks[after].kind == 'n' && hasWord("and or if else for", p.toks[after].text)
	if p.is(before, "=") && (p.is(before-1, "=") || p.is(before-1, "!")) && last || (p.is(before, "(") || p.toks[before].kind == 'n' && hasWord("if elif and or not while assert return", p.toks[before].text)) &&
		(r.isName(after, "in") || r.isName(after, "not") || (p.is(after, "=") || p.is(after, "!")) && p.is(after+1, "=")) {
		return true // compared, or looked for
	}
	ends := p.is(after, ",") || p.is(after, ")")
	open := r.inside[i]
	switch {
	case p.is(before, "[") && p.is(after, "]"): // a subscript
		t := p.toks[max(before-1, 0)]
		return before > 0 && (t.kind == 'n' && !hasWord(pythonKeywords, t.text) || p.is(before-1, ")") || p.is(before-1, "]"))
	case open < 1:
		return false
	case p.is(open, "{") && (before == open || p.is(before, ",")):
		return p.is(after, ":")
	case !ends && !p.is(after, "]") && !p.is(after, "}") || before != open && !p.is(before, ","):
		return false
	case r.isName(open-1, "in"):
		return true
	case !p.is(open, "(") || !ends:
		return false
	case r.isName(open-1, "print"):
		return !p.is(open-2, ".") && len(r.binds["print"]) == 0
	}
	return p.is(open-2, ".") && hasWord("get pop setdefault", p.toks[open-1].text)
}

// keepsTexts says whether the code uses those modules alone, and asks of what type something is but
// makes none by a call.
func (p *pyReader) keepsTexts() bool {
	for _, list := range p.binds {
		for _, b := range list {
			mod, _, _ := cutAt(b.name, ".")
			if b.how == bindImport && !hasWord(keyModules, mod) {
				return false
			}
		}
	}
	for i, t := range p.toks {
		if t.kind == 'n' && t.text == "type" && (!p.is(i+1, "(") || p.pairs[i+1] < 0 || p.next(i+2, p.pairs[i+1], ",") < p.pairs[i+1] || p.is(i+2, "*")) {
			return false
		}
	}
	return true
}
