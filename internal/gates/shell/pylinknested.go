package shell

import "strings"

// This file looks at functions that make an application and register functions with it that are defined within them
// (def create_app), and at what an application is told as its settings.

// madeWithin is the function or class of another's package whose value a name has that is given it once in a module, within
// a function.
func (l *pyLinker) madeWithin(d *pyModule, name string) string {
	if _, imported := d.roots[name]; imported || d.tops[name] || d.stars {
		return ""
	}
	p, found := d.p, ""
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || d.importing(i) {
			continue
		}
		if in := p.inside[i]; in >= 2 && p.is(in, "(") && (p.isName(in-2, "def") || p.isName(in-2, "class")) && !p.is(i-1, "=") {
			return "" // a parameter
		}
		for _, word := range [...]string{"def", "class", "as", "for", "global", "nonlocal", "del", "lambda", "import", "case"} {
			if p.isName(i-1, word) {
				return ""
			}
		}
		switch {
		case d.startsLine(i) && p.is(i+1, "=") && !p.is(i+2, "="):
			line, first := d.lineOf[i]
			if found != "" || !first {
				return ""
			}
			full, end := l.rootAt(d, i+2, p.lines[line][1])
			if full == "" || !p.is(end, "(") || p.pairs[end] != p.lines[line][1]-1 {
				return ""
			}
			found = full
		case p.inside[i] < 0 && p.is(i+1, "=") && !p.is(i+2, "="), p.inside[i] < 0 && p.is(i+1, ","), p.is(i+1, ":") && (p.is(i+2, "=") || d.startsLine(i)), p.is(i+1, "+") && p.is(i+2, "="):
			return ""
		}
	}
	return found
}

// made is what makes what the name at a token has, at the top or within a function.
func (l *pyLinker) makes(d *pyModule, i int) string {
	if full := l.madeBy(d, d.p.toks[i].text, 0); full != "" {
		return full
	}
	return l.madeWithin(d, d.p.toks[i].text)
}

// nested are the tokens of functions within a function that it only registers, and of which nothing else says the name.
func (l *pyLinker) nested(d *pyModule, u *pyUnit) (ranges [][2]int) {
	if l.reached || u.kind != pyDef || l.shadows || d.stars || d.name == "" {
		return nil
	}
	p := d.p
	for n := 0; n < len(p.lines); n++ {
		from := p.lines[n][0]
		if from <= u.head || from >= u.to || !p.is(from, "@") {
			continue
		}
		k, plain := n, true
		for ; k < len(p.lines) && p.is(p.lines[k][0], "@"); k++ {
			plain = plain && l.registersWithin(d, p.lines[k])
		}
		if k == len(p.lines) {
			return ranges
		}
		at := p.lines[k][0]
		if p.isName(at, "async") {
			at++
		}
		end := d.block(k, len(p.lines))
		if plain && p.isName(at, "def") && p.lines[end-1][1] <= u.to && d.once(at+1) && d.plainHead(at) {
			ranges = append(ranges, [2]int{from, p.lines[end-1][1]})
		}
		n = end - 1
	}
	return ranges
}

// registersWithin says whether the line of a decorator only registers what it stands before, and is told nothing but texts,
// numbers and collections of them.
func (l *pyLinker) registersWithin(d *pyModule, line [2]int) bool {
	p, i := d.p, line[0]+1
	k := i + 1
	for k+1 < line[1] && p.is(k, ".") && p.toks[k+1].kind == 'n' {
		k += 2
	}
	if p.toks[i].kind != 'n' || k == i+1 || !hasWord(pyRegistering, p.toks[k-1].text) || k < line[1] && (!p.is(k, "(") || p.pairs[k] != line[1]-1) {
		return false
	}
	for j := k; j < line[1]; j++ {
		if t := p.toks[j]; t.kind == 'n' && !p.keyed(j+1) && !hasWord("True False None", t.text) && !(p.is(j+1, "=") && p.inside[j] == k) || p.is(j, "(") && j > k {
			return false
		}
	}
	if full := l.makes(d, i); !hasWord(pyRegistries, full) {
		return false
	}
	l.registries[p.toks[i].text] = true
	return true
}

// once says whether the name at a token stands nowhere else in a module.
func (d *pyModule) once(at int) bool {
	for i, t := range d.p.toks {
		if i != at && (t.kind == 'n' || t.kind == 's') && t.text == d.p.toks[at].text {
			return false
		}
	}
	return true
}

// plainHead says whether the header of a function computes nothing: no parameter has a value.
func (d *pyModule) plainHead(at int) bool {
	p, open := d.p, at+2
	if !p.is(open, "(") {
		return false
	}
	for i := open; i < p.pairs[open]; i++ {
		if p.is(i, "=") || p.is(i, "(") && i > open {
			return false
		}
	}
	return true
}

// setting says where a line ends that gives an application settings which only texts, numbers and the environment say, at its
// first token; i where it does anything else. Nothing asks for any setting.
func (l *pyLinker) setting(d *pyModule, i int) int {
	p := d.p
	if l.reached || l.shadows || d.name == "" || !d.startsLine(i) || !p.is(i+1, ".") || !p.is(i+2, "config") || d.stars || l.asksSettings() {
		return i
	}
	from, end := i+3, d.lineEnd(i)
	switch {
	case p.is(from, "["):
		if p.toks[from+1].kind != 's' || p.pairs[from] != from+2 || !p.is(from+3, "=") || p.is(from+4, "=") {
			return i
		}
	case p.is(from, ".") && hasWord("from_mapping setdefault update", p.toks[from+1].text) && p.is(from+2, "(") && p.pairs[from+2] == end-1:
		from += 2
	default:
		return i
	}
	for k := from; k < end; k++ {
		switch t := p.toks[k]; {
		case t.at < 0:
			return i
		case t.kind != 'n' || hasWord("True False None or and", t.text), p.is(k+1, "=") && !p.is(k+2, "=") && p.inside[k] == from && p.is(from, "("):
		case p.is(k-1, "."):
			if !hasWord("environ get getenv", t.text) || !p.isName(k-2, "os") && !p.isName(k-4, "os") {
				return i
			}
		default:
			if full, _ := l.rootAt(d, k, end); !strings.HasPrefix(full, "os.environ") && full != "os.getenv" && full != "os.environ.get" && !(full == "" && hasWord("bool float int str", t.text) && !l.own[t.text] && !d.tops[t.text] && d.roots[t.text] == "") {
				return i
			}
		}
	}
	if !hasWord(pyRegistries, l.makes(d, i)) {
		return i
	}
	return end
}

// asksSettings says whether anything that runs may ask an application for a setting: it is told them by lines of their own
// alone.
func (l *pyLinker) asksSettings() bool {
	if l.configs == 0 {
		l.configs = 1
		for _, d := range l.mods {
			p := d.p
			for i, t := range p.toks {
				if t.kind == 's' && strings.Contains(t.text, "config") || t.kind == 'n' && t.text == "config" && p.is(i-1, ".") && !d.importing(i) && !(d.name != "" && d.startsLine(i-2) && (p.is(i+1, "[") && p.is(p.pairs[i+1]+1, "=") && !p.is(p.pairs[i+1]+2, "=") || p.is(i+1, ".") && i+3 < len(p.toks) && hasWord("from_mapping setdefault update", p.toks[i+2].text))) {
					l.configs = 2
				}
			}
		}
	}
	return l.configs == 2
}
