package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads a script in a language whose own names are few without an import: such a
// script only computes and prints where each name in it is one of a list or one that the script
// itself gives a meaning to, and each import one of a module that only computes. Nothing of it
// is evaluated. A name that is not listed, a text or a sign that cannot be read plainly, and a
// script that gives a new meaning to a name by which the language reaches further, ask.

// sourceLanguage is what such a script may be made of.
type sourceLanguage struct {
	name     string
	comments sourceComments
	inserts  string // the signs before code in a text, blank-separated: each with its bracket, or before a name alone
	declares string // words before the name of what the script makes
	typed    bool   // a type stands before the name of what has it
	signs    string // that may stand between names
	words    string // names, with what they are looked up in; NAME.* is all of NAME's
	imports  string // words that begin an import, whose line names a module
	modules  string // that only compute; NAME.* is all below NAME
	reaches  string // names of the language, its types and every value of it that reach further: the script may not take them for its own
	never    string // beginnings of literals and directives that hold code
	chars    bool   // what stands in single quotes is one character
	literals bool   // a slash and a sign of percent may begin a text
	folds    bool   // case and underscores in names do not count
	spaced   bool   // parameters stand side by side
}

// sourceToken is a name, a text, a number or a sign of a script.
type sourceToken struct {
	kind byte // n, s, d or o
	text string
	line bool // it is the first of its line
	glue bool // it stands right behind the one before
}

// namedSource says whether each name of a script is known.
func namedSource(lang, text string) bool {
	i := slices.IndexFunc(sourceLanguages[:], func(l sourceLanguage) bool { return l.name == lang })
	if i < 0 || mark.Has(text) || len(text) > maxText {
		return false
	}
	r := sourceReader{l: &sourceLanguages[i]}
	text = withoutComments(text, r.l.comments)
	for _, s := range strings.Fields(r.l.never) {
		if strings.Contains(text, s) {
			return false
		}
	}
	return r.cut(text, 0) && r.imported() && r.learn() && r.known()
}

// sourceReader reads one script.
type sourceReader struct {
	l     *sourceLanguage
	toks  []sourceToken
	codes [][]sourceToken // those of the code in its texts
	own   map[string]bool
}

// cut cuts a script into its tokens.
func (r *sourceReader) cut(text string, depth int) bool {
	line, end := true, -1
	for i := 0; i < len(text); {
		c := text[i]
		t := sourceToken{line: line, glue: end == i}
		n := 1
		switch {
		case c == '\n':
			line = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c >= 0x80 || c < ' ' || len(r.toks) >= maxTokens:
			return false
		case strings.IndexByte(r.l.comments.quotes, c) >= 0:
			if n = quotedLen(text[i:]); n == 0 || strings.HasPrefix(text[i:], strings.Repeat(string(rune(c)), 3)) || strings.IndexByte(text[i:i+n], '\n') >= 0 {
				return false
			}
			if c == '\'' && r.l.chars && n != 3 && (text[i+1] != '\\' || n > maxEscape) {
				return false
			}
			t.kind, t.text = 's', text[i:i+n]
			if !r.inserted(t.text, depth) {
				return false
			}
		case c >= '0' && c <= '9':
			n = nameLen(text[i:])
			t.kind, t.text = 'd', text[i:i+n]
		case isNameByte(c):
			n = nameLen(text[i:])
			t.kind, t.text = 'n', text[i:i+n]
		case strings.IndexByte(r.l.signs, c) >= 0:
			t.kind, t.text = 'o', text[i:i+1]
		default:
			return false
		}
		i += n
		line, end = false, i
		r.toks = append(r.toks, t)
	}
	return true
}

// maxEscape bounds a character that is written as an escape, with its quotes.
const maxEscape = 10

// inserted cuts the code that stands in a text.
func (r *sourceReader) inserted(text string, depth int) bool {
	for _, sign := range strings.Fields(r.l.inserts) {
		for at := 0; ; {
			i := strings.Index(text[at:], sign)
			if i < 0 {
				break
			}
			at += i + len(sign)
			n := nameLen(text[at:])
			if close := strings.IndexByte("({", sign[len(sign)-1]); close >= 0 {
				if n = strings.IndexByte(text[at:], ")}"[close]); n < 0 || strings.ContainsAny(text[at:at+n], sign[len(sign)-1:]+"\"'\\") {
					return false // of a text in a text, or of brackets in it, nobody counts the ends here
				}
			}
			inner := sourceReader{l: r.l}
			if depth > 0 || !inner.cut(text[at:at+n], depth+1) {
				return false
			}
			r.codes = append(r.codes, inner.toks)
		}
	}
	return true
}

func (r *sourceReader) at(i int) string {
	if i < 0 || i >= len(r.toks) {
		return ""
	}
	return r.toks[i].text
}

func (r *sourceReader) kind(i int) byte {
	if i < 0 || i >= len(r.toks) {
		return 0
	}
	return r.toks[i].kind
}

// imported takes the lines that import out of the tokens; false for one of a module that is not listed.
func (r *sourceReader) imported() bool {
	var rest []sourceToken
	for i := 0; i < len(r.toks); {
		t := r.toks[i]
		if t.kind != 'n' || !hasWord(r.l.imports, t.text) || !t.line {
			rest = append(rest, t)
			i++
			continue
		}
		from := i + 1
		for i++; i < len(r.toks) && !r.toks[i].line && r.toks[i].text != ";"; i++ {
		}
		if !r.modules(r.toks[from:i]) {
			return false
		}
	}
	r.toks = rest
	return true
}

// modules says whether an import names listed modules alone, each by its own name.
func (r *sourceReader) modules(words []sourceToken) bool {
	if len(words) > 0 && words[0].text == "static" {
		words = words[1:]
	}
	var b strings.Builder
	for _, w := range words {
		if w.text == "as" || w.text == "=" || w.kind == 'd' {
			return false // under another name
		}
		b.WriteString(strings.Trim(w.text, `"'`))
	}
	path, braced, list := strings.Cut(b.String(), "{")
	if list && (!strings.HasSuffix(braced, "}") || !strings.HasSuffix(path, ".") || strings.ContainsAny(braced, ">:.")) {
		return false
	}
	for module := range strings.SplitSeq(strings.TrimSuffix(path, "."), ",") {
		if !listed(r.l.modules, module) {
			return false
		}
	}
	return true
}

// listed says whether a list has a name with what it is looked up in, or all of that.
func listed(list, name string) bool {
	if hasWord(list, name) {
		return true
	}
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '.' && hasWord(list, name[:i]+".*") {
			return true
		}
	}
	return false
}

// learn notes the names that the script gives meanings to; false for one by which the language
// reaches further.
func (r *sourceReader) learn() bool {
	r.own = map[string]bool{}
	for i, t := range r.toks {
		switch {
		case t.kind == 'n' && r.at(i-1) != "." && r.binds(i):
			r.own[t.text] = true
		case t.kind == 'o' && (t.text == ">" && (r.at(i-1) == "-" || r.at(i-1) == "=") && t.glue):
			r.list(i - 2)
		case t.kind == 'n' && t.text == "in", t.text == "=" && r.at(i+1) != "=" && strings.IndexByte("=<>!", (r.at(i-1) + " ")[0]) < 0:
			r.list(i - 1)
		case t.text == "|":
			r.piped(i)
		}
	}
	for name := range r.own {
		if r.l.folds {
			name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
		}
		if hasWord(r.l.reaches, name) {
			return false
		}
	}
	return true
}

// binds says whether the script makes what the name at i means: by the word or the type before
// it, or by the type behind it.
func (r *sourceReader) binds(i int) bool {
	before := r.at(i - 1)
	switch {
	case r.kind(i-1) == 'n' && hasWord(r.l.declares, before):
		return true
	case !r.l.typed && r.at(i+1) == ":" && r.at(i+2) != ":":
		return true
	case !r.l.typed:
		return false
	case r.toks[i].line:
		return false
	case r.kind(i-1) == 'n':
		return before[0] >= 'A' && before[0] <= 'Z'
	case before == "]":
		return r.at(i-2) == "["
	}
	return before == "?" || before == ">" && !r.toks[i].glue && (r.kind(i-2) == 'n' || r.at(i-2) == ">" || r.at(i-2) == "]")
}

// list notes the names of a list that ends at i: parameters before an arrow, what a loop goes
// through, what several values are given to.
func (r *sourceReader) list(i int) {
	for n := 0; n < maxList && i >= 0; n++ {
		switch t := r.toks[i]; {
		case t.kind == 'n' && r.at(i-1) != ".":
			r.own[t.text] = true
			if before := r.at(i - 1); before != "," && before != "(" && !(r.l.spaced && r.kind(i-1) == 'n' && !hasWord(r.l.declares, before)) {
				return
			}
		case t.text == "," || t.text == "(" || t.text == ")":
		default:
			return
		}
		i--
	}
}

// piped notes the names between two bars.
func (r *sourceReader) piped(i int) {
	j := i + 1
	for j < len(r.toks) && j-i < maxList && (r.kind(j) == 'n' || r.at(j) == "," || r.at(j) == "*") {
		j++
	}
	if r.at(j) != "|" {
		return
	}
	for k := i + 1; k < j; k++ {
		if r.kind(k) == 'n' {
			r.own[r.at(k)] = true
		}
	}
}

// known says whether each name is listed or the script's own.
func (r *sourceReader) known() bool {
	for _, code := range r.codes {
		inner := sourceReader{l: r.l, toks: code, own: r.own}
		if !inner.known() {
			return false
		}
	}
	for i := 0; i < len(r.toks); {
		n := 1
		if r.kind(i) == 'n' {
			n = r.name(i)
		} else if r.kind(i) == 'o' && !r.sign(i) {
			n = 0
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// sign says whether a sign calls nothing by itself and begins no text.
func (r *sourceReader) sign(i int) bool {
	t, glued := r.toks[i], i+1 < len(r.toks) && r.toks[i+1].glue
	switch t.text {
	case "/":
		return !r.l.literals || !t.line && (t.glue || !glued) && (r.kind(i-1) == 'n' && !hasWord("return in else then do when yield print println puts p", r.at(i-1)) || r.kind(i-1) == 'd' || r.at(i-1) == "]" || r.at(i-1) == ")" && r.called(i-1))
	case "%":
		return !r.l.literals || !glued || r.kind(i+1) == 'd'
	case ".":
		return r.kind(i+1) != 's' && r.at(i+1) != "@"
	case "@":
		return glued && hasWord(r.l.words, "@"+r.at(i+1)) && (r.at(i+1) != "import" || r.at(i+3) == `"std"`)
	case "{":
		return r.l.name != "ocaml" || r.kind(i+1) != 'n' || r.at(i+2) != "|"
	}
	return true
}

// called says whether the parenthesis at i closes that of a call.
func (r *sourceReader) called(i int) bool {
	for depth := 0; i >= 0; i-- {
		if r.kind(i) != 'o' {
			continue
		}
		depth += strings.Count(")", r.at(i)) - strings.Count("(", r.at(i))
		if depth == 0 {
			return r.kind(i-1) == 'n' && !hasWord("if for while switch when unless until catch elsif", r.at(i-1)) || r.kind(i-1) == 'o' && strings.Contains("+-*=(,[", r.at(i-1))
		}
	}
	return false
}

// name is how many tokens the name at i takes, with what it is looked up in; zero if it is not
// known.
func (r *sourceReader) name(i int) int {
	name, n := r.at(i), 1
	best := 0
	switch {
	case r.kind(i+1) == 's' && r.toks[i+1].glue: // it says how the text is read
		return 0
	case name == "class" && (r.at(i-1) == "." || r.at(i-1) == ":"), r.at(i-1) == "@" && r.toks[i].glue:
		if r.at(i-1) != "@" {
			return 0
		}
		return 1
	}
	if hasWord(r.l.words, name) || r.own[name] {
		best = 1
	}
	for r.at(i-1) != "." && r.at(i+n) == "." && r.kind(i+n+1) == 'n' && n < 8 {
		name += "." + r.at(i+n+1)
		n += 2
		if listed(r.l.words, name) {
			best = n
		}
	}
	return best
}
