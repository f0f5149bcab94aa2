package shell

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file writes inline code in words of which more is known before it is judged: what it is told on
// its line stands in place of the names by which it takes that, and what a program prints that it starts
// with constant words, which is judged as the command that it is, in place of that call.

// InlineWords is effect.Places.Words: code as it is judged.
func InlineWords(reader any, lang, text string) string {
	m := reader.(*machine)
	switch {
	case mark.Has(text) || m.cell || len(text) > maxText:
	case lang == "python" && strings.Contains(text, "argv"):
		return m.pythonTold(text)
	case lang == "node":
		if strings.Contains(text, "Bun.file") {
			text = m.bunFiles(text)
		}
		if strings.Contains(text, "argv") {
			text = m.nodeTold(text)
		}
		if strings.Contains(text, "child_process") {
			text = m.nodeStarts(text)
		}
	}
	return text
}

// bunFiles is code with a text in place of a file that Bun reads as a text or as JSON
// (bun.sh/docs/api/file-io).
func (m *machine) bunFiles(text string) string {
	toks, bad := dialectOf("node").tokens(text)
	n := &nodeCode{toks: toks}
	var changes []textEdit
	for i := range toks {
		file := n.quoted(i + 4)
		if bad != "" || !n.is(i, "Bun") || n.is(i-1, ".") || toks[i].at < 0 || !n.is(i+1, ".") || !n.is(i+2, "file") || !n.is(i+3, "(") || file == "" || strings.Trim(file, pathBytes) != "" || !n.is(i+5, ")") ||
			!n.is(i+6, ".") || !n.is(i+7, "text") && !n.is(i+7, "json") || !n.is(i+8, "(") || !n.is(i+9, ")") {
			continue
		}
		m.read(file)
		lit := `("//` + file + `")`
		if n.is(i+7, "json") {
			lit = "JSON.parse" + lit
		}
		changes = append(changes, textEdit{toks[i].at, toks[i+9].at + 1, lit})
	}
	return edited(text, 0, len(text), changes)
}

// told are the words that stand behind inline code on its line; ok is false where one of them is not
// known, or is more than plain words are made of.
func (m *machine) told(text string) (words []string, ok bool) {
	at := 0
	for i := 1; i < len(m.argv) && at == 0; i++ {
		switch w := m.argv[i]; {
		case w == "-":
			at = i + 1
		case hasWord("-c -e --eval -p --print -pe", w) && i+1 < len(m.argv) && plain(m.argv[i+1]) == text:
			at = i + 2
		case w == "" || w[0] != '-':
			return nil, false
		}
	}
	if at == 0 {
		return nil, false
	}
	words = m.argv[at:]
	for _, w := range words {
		if mark.Has(w) || strings.Trim(w, toldBytes) != "" {
			return nil, false
		}
	}
	return words, true
}

const toldBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:@%,= "

// pythonTold is code with what it is told in place of sys.argv[N] and sys.argv[N:M]
// (docs.python.org/3/library/sys.html, sys.argv), where nothing in it may change that.
func (m *machine) pythonTold(text string) string {
	words, ok := m.told(text)
	toks, bad := dialectOf("python").tokens(text)
	p := &pyReader{toks: toks}
	own := pythonCode{m: &machine{p: m.p, cwd: m.cwd}, toks: toks}
	if ok = ok && bad == "" && len(words) > 0 && p.pair(); ok {
		own.imports()
	}
	if !ok || own.foreign || own.asked != "" {
		return text
	}
	var changes []textEdit
	for i, t := range toks {
		switch {
		case t.kind != 'n':
		case t.text == "sys" && (p.is(i+1, "=") || p.is(i+1, ":") || i > 0 && toks[i-1].kind == 'n' && hasWord("as from for def class global nonlocal del", toks[i-1].text)) && !p.is(i-1, "."), t.text == "sys" && p.is(i+1, "as"):
			return text
		case t.text == "argv" && p.is(i-1, ".") && p.is(i-2, "sys"):
			end, tuple, ok := p.takesTold(i)
			if !ok {
				return text
			}
			if lit := p.toldAs(i+1, words, tuple); lit != "" && toks[i-2].at >= 0 && toks[end].at >= 0 {
				changes = append(changes, textEdit{toks[i-2].at, toks[end].at + 1, lit})
			}
		case t.text == "argv" && p.is(i-1, "import"):
			return text
		}
	}
	return edited(text, 0, len(text), changes)
}

// takesTold says whether the list of words at i is only taken from there, by an index or a slice whose
// bracket ends at end, or asked for its length; tuple says that several names are given them.
func (p *pyReader) takesTold(i int) (end int, tuple, ok bool) {
	if p.is(i-3, "(") && p.is(i-4, "len") && p.is(i+1, ")") {
		return i, false, true
	}
	if !p.is(i+1, "[") {
		return 0, false, false
	}
	end = p.pairs[i+1]
	next, before := end+1, i-3
	stops := next >= len(p.toks) || p.toks[next].gap || p.is(next, ";") || p.is(next, ",") || p.is(next, ")") || p.is(next, ".")
	if p.toks[i].at < 0 { // in a text
		return end, false, p.is(before, "{")
	}
	if p.isName(before, "in") {
		return end, false, true
	}
	if open := p.inside[i]; open >= 0 {
		called := p.is(open, "(") && open > 0 && (p.toks[open-1].kind == 'n' && !hasWord(pythonKeywords, p.toks[open-1].text))
		return end, false, called && stops && (before == open || p.is(before, ",") || p.is(before, "="))
	}
	if !stops || !p.is(before, "=") && !p.is(before, ",") {
		return 0, false, false
	}
	given := 0
	for k := before; k >= 0 && (k == before || !p.toks[k+1].gap) && !p.is(k, ";"); k-- {
		if p.inside[k] < 0 && p.is(k, "=") {
			given++
		}
		tuple = tuple || given > 0 && p.inside[k] < 0 && p.is(k, ",")
	}
	for k := next; k < len(p.toks) && !p.toks[k].gap && !p.is(k, ";"); k++ {
		if p.inside[k] < 0 && p.is(k, "=") {
			return 0, false, false
		}
	}
	return end, tuple, given == 1
}

// toldAs is the literal of what the bracket at i takes from the words; empty where that is left as it
// stands.
func (p *pyReader) toldAs(i int, words []string, tuple bool) string {
	end := 0
	if p.is(i, "[") {
		end = p.pairs[i]
	}
	number := func(k int) int {
		if k < end && p.toks[k].kind == 'd' {
			if n, err := strconv.Atoi(p.toks[k].text); err == nil && n > 0 {
				return n
			}
		}
		return -1
	}
	from, to := number(i+1), len(words)+1
	switch {
	case from < 0 || from > len(words):
		return ""
	case end == i+2:
		return "'" + words[from-1] + "'"
	case !p.is(i+2, ":"):
		return ""
	case end == i+4:
		if to = min(to, number(i+3)); to < from {
			return ""
		}
	case end != i+3:
		return ""
	}
	list := "'" + strings.Join(words[from-1:to-1], "', '") + "'"
	switch {
	case to == from:
		return "[]"
	case tuple && to > from+1:
		return "(" + list + ")"
	}
	return "[" + list + "]"
}

// nodeTold is code with what it is told in place of process.argv[N] and process.argv.slice(N)
// (nodejs.org/api/process.html), where nothing in it may change that.
func (m *machine) nodeTold(text string) string {
	words, ok := m.told(text)
	toks, bad := dialectOf("node").tokens(text)
	if !ok || bad != "" || len(words) == 0 || baseName(m.argv[0]) != "node" || strings.Contains(text, "./") || strings.HasPrefix(words[0], "-") {
		return text // node takes its own options out
	}
	n := &nodeCode{toks: toks}
	n.pairBrackets()
	if isAmong(m.argv, "-") {
		words = append([]string{"-"}, words...)
	}
	var changes []textEdit
	var open []int
	for i, t := range toks {
		if t.kind == 'o' && firstByte("([{", t.text[0]) >= 0 {
			open = append(open, i)
		}
		if t.kind == 'o' && firstByte(")]}", t.text[0]) >= 0 && len(open) > 0 {
			open = open[:len(open)-1]
		}
		if t.kind != 'n' || t.text != "argv" && (t.text != "process" || n.is(i-1, ".")) {
			continue
		}
		if t.text == "process" {
			if !n.is(i+1, ".") {
				return text
			}
			continue
		}
		end, from, rest := i+3, -1, false
		switch {
		case n.is(i+1, "[") && n.is(end, "]"):
			from, _ = strconv.Atoi(toks[i+2].text)
		case n.is(i+1, ".") && n.is(i+2, "slice") && n.is(i+3, "(") && n.is(i+5, ")"):
			rest, end = true, i+5
			from, _ = strconv.Atoi(toks[i+4].text)
		}
		before := i - 3
		called := len(open) > 0 && n.is(open[len(open)-1], "(") && n.name(open[len(open)-1]-1) != "" && (before == open[len(open)-1] || n.is(before, ","))
		stops := end+1 >= len(toks) || toks[end+1].gap || n.is(end+1, ";") || n.is(end+1, ",") || n.is(end+1, ")") || n.is(end+1, ".")
		if from < 1 || !n.is(i-1, ".") || !n.is(i-2, "process") || !called && !n.is(before, "=") && !n.is(before, "of") || !stops || t.at < 0 {
			return text
		}
		if from > len(words) {
			continue
		}
		lit := `"` + words[from-1] + `"`
		if rest {
			lit = `["` + strings.Join(words[from-1:], `", "`) + `"]`
		}
		changes = append(changes, textEdit{toks[i-2].at, toks[end].at + 1, lit})
	}
	return edited(text, 0, len(text), changes)
}
