package shell

import (
	"sort"
	"strconv"
	"strings"
)

// This file writes modules that are put together as one text.

// pyLinked is the text, and where its lines come from.
type pyLinked struct {
	l     *pyLinker
	b     strings.Builder
	lines int
	from  []pyFrom
}

// pyFrom says where lines of the text come from: the first of them, in the text and in its module.
type pyFrom struct {
	line, source int
	d            *pyModule
	in           string // the function or class that they are of
}

// textEdit is a piece of a text, by its bytes, with what stands in its place.
type textEdit struct {
	from, to int
	text     string
}

// where names the function, the file and the line of a module that a line of the text comes from;
// empty for what stands in the call.
func (w *pyLinked) where(line int) string {
	at := pyFrom{}
	for _, f := range w.from {
		if f.line <= line {
			at = f
		}
	}
	if at.d == nil || at.d.name == "" {
		return ""
	}
	name := at.d.name
	if at.in != "" {
		name += "." + at.in
	}
	file := at.d.file
	for _, dir := range w.l.q.dirs {
		if rest, ok := cutPrefix(file, dir.root+"/"); ok {
			file = rest
			break
		}
	}
	return " in " + name + " (" + file + ":" + strconv.Itoa(at.source+line-at.line) + ")"
}

// module writes what of a module runs.
func (w *pyLinked) module(d *pyModule) {
	var edits []textEdit
	for _, s := range d.imports {
		edits = append(edits, d.edit(s.from, s.to, w.l.kept(d, s)))
	}
	edits = append(edits, w.l.registered(d)...)
	edits = append(edits, d.renames()...)
	edits = append(edits, d.prefixes(w.l)...)
	edits = append(edits, w.l.unlucky(d)...)
	edits = append(edits, w.l.envFiles(d)...)
	for _, u := range d.units {
		in := u.name
		if u.parent != nil {
			in = trimSuffix(u.parent.name+"."+u.name, ".")
		}
		if u.awake {
			if u.kind == pyDef {
				edits = append(edits, d.typeless(u)...)
			}
			w.piece(d, u.from, u.to, in, edits)
			continue
		}
		for _, r := range u.heads {
			w.raw(d, r[0], in, "("+d.piece(r[0], r[1], edits)+")")
		}
	}
}

// raw writes a text that stands at a token of a module.
func (w *pyLinked) raw(d *pyModule, tok int, in, text string) {
	w.from = append(w.from, pyFrom{line: w.lines, source: 1 + strings.Count(d.text[:max(0, d.p.toks[tok].at)], "\n"), d: d, in: in})
	w.b.WriteString(text)
	w.b.WriteByte('\n')
	w.lines += strings.Count(text, "\n") + 1
}

// piece writes the tokens from one to another, from the beginning of their line on.
func (w *pyLinked) piece(d *pyModule, from, to int, in string, edits []textEdit) {
	at := d.p.toks[from].at
	start := lastByte(d.text[:at], '\n') + 1
	if strings.TrimSpace(d.text[start:at]) != "" {
		start = at
	}
	w.raw(d, from, in, d.text[start:at]+d.piece(from, to, edits))
}

// piece is the text of tokens with its edits.
func (d *pyModule) piece(from, to int, edits []textEdit) string {
	if from >= to {
		return ""
	}
	start, end := d.p.toks[from].at, d.endOf(to)
	var in []textEdit
	for _, e := range edits {
		if e.from >= start && e.to <= end {
			in = append(in, e)
		}
	}
	return edited(d.text, start, end, in)
}

// edited is a part of a text with its edits, of which none that begins within another counts.
func edited(text string, start, end int, edits []textEdit) string {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].from < edits[j].from })
	var b strings.Builder
	for _, e := range edits {
		if e.from < start {
			continue
		}
		b.WriteString(text[start:e.from])
		b.WriteString(e.text)
		start = e.to
	}
	b.WriteString(text[start:end])
	return b.String()
}

// endOf is where the last token before one ends.
func (d *pyModule) endOf(to int) int {
	for i := to - 1; i >= 0; i-- {
		if t := d.p.toks[i]; t.at >= 0 {
			return t.at + len(t.text)
		}
	}
	return 0
}

// edit puts a text in the place of tokens; the lines stay as many.
func (d *pyModule) edit(from, to int, text string) textEdit {
	start, end := d.p.toks[from].at, d.endOf(to)
	lines := strings.Repeat("\n", max(0, strings.Count(d.text[start:end], "\n")-strings.Count(text, "\n")))
	return textEdit{start, end, text + lines}
}

// renames puts the path of the module in the place of __file__, takes out texts that are documents,
// and writes what sets a property as what gets it.
func (d *pyModule) renames() (edits []textEdit) {
	if d.name == "" {
		return nil
	}
	p := d.p
	for i, t := range p.toks {
		if t.kind == 'n' && t.at >= 0 && t.text == "__file__" && !p.is(i-1, ".") && !p.is(i+1, "=") && !strings.ContainsAny(d.file, "\"\\\n{}") {
			edits = append(edits, d.edit(i, i+1, `"`+d.file+`"`))
		}
		if t.kind == 'n' && p.is(i-1, "@") && p.is(i+1, ".") && i+2 < len(p.toks) && hasWord("setter getter deleter", p.toks[i+2].text) && !p.is(i+3, "(") && d.startsLine(i-1) {
			edits = append(edits, d.edit(i, i+3, "property"))
		}
	}
	for _, line := range p.lines {
		from := line[0]
		if p.toks[from].kind == 'n' && len(p.toks[from].text) < 3 && strings.Trim(p.toks[from].text, "rRbBuU") == "" {
			from++
		}
		if from+1 == line[1] && p.toks[from].kind == 's' {
			edits = append(edits, d.edit(line[0], line[1], "0"))
		}
	}
	return edits
}

// prefixes takes out the names of the workspace's modules before what they give. A name that is
// anything else beside stays.
func (d *pyModule) prefixes(l *pyLinker) (edits []textEdit) {
	p := d.p
	for name := range d.mine {
		plain := !d.stars && !d.tops[name]
		for _, s := range d.imports {
			for _, part := range s.parts {
				plain = plain && (part.as != name || part.own && d.roots[name] == d.mine[name] && (s.module != "" || part.name == name || strings.HasPrefix(part.name, name+".") || part.name == d.mine[name]))
			}
		}
		var at []int
		for i, t := range p.toks {
			if t.kind != 'n' || t.text != name || p.is(i-1, ".") || d.importing(i) {
				continue
			}
			plain = plain && p.is(i+1, ".") && t.at >= 0
			at = append(at, i)
		}
		for _, i := range at {
			k, mod := i, l.moduleNamed(d.mine[name])
			for mod != nil && k+4 < len(p.toks)+2 && p.is(k+1, ".") && k+3 < len(p.toks) && p.is(k+3, ".") && l.moduleNamed(mod.name+"."+p.toks[k+2].text) != nil {
				mod, k = l.moduleNamed(mod.name+"."+p.toks[k+2].text), k+2
			}
			if plain && mod != nil && k+2 < len(p.toks) && mod.tops[p.toks[k+2].text] {
				edits = append(edits, d.edit(i, k+2, ""))
				d.taken[k+2] = l.means(mod, p.toks[k+2].text, 0)
			}
		}
	}
	return edits
}

// importing says whether a token stands in an import that was read.
func (d *pyModule) importing(i int) bool {
	if d.inImport == nil || d.marked < len(d.imports) {
		d.inImport, d.marked = make([]bool, len(d.p.toks)), len(d.imports)
		for _, s := range d.imports {
			for k := s.from; k < s.to; k++ {
				d.inImport[k] = true
			}
		}
	}
	return d.inImport[i]
}

// moduleNamed is a module by its name.
func (l *pyLinker) moduleNamed(name string) *pyModule {
	for _, d := range l.order {
		if d.name == name {
			return d
		}
	}
	return nil
}

// typeless takes out of a function's header what only says of which type something is.
func (d *pyModule) typeless(u *pyUnit) (edits []textEdit) {
	p := d.p
	open := u.head + 2
	for open < u.to && !p.is(open, "(") {
		open++
	}
	if open >= u.to || p.pairs[open] < 0 {
		return nil
	}
	for from, to := open+1, p.pairs[open]; from < to; {
		end := p.next(from, to, ",")
		eq, colon := p.next(from, end, "="), p.next(from, end, ":")
		if stop := min(eq, end); colon < stop && !d.calls(colon, stop) {
			edits = append(edits, d.edit(colon, stop, ""))
		}
		from = end + 1
	}
	close := p.pairs[open]
	if stop := p.next(close+1, u.to, ":"); p.is(close+1, "-") && stop < u.to && !d.calls(close, stop) {
		edits = append(edits, d.edit(close+1, stop, ""))
	}
	return edits
}
