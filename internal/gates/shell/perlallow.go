package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file allows inline Perl by name, as pythonallow.go does Python. Perl can only
// be cut into words while one knows whether a value or an operator comes next, so
// code is judged as it is cut (perlop, perlfunc, perldata). Where it is not plain, it
// asks.

// perlCalls are functions and operators that reach nothing beyond the program's own
// input and output (perlfunc), and what the modules give that -M may load.
const perlCalls = "abs atan2 binmode chomp chop close cos defined delete each else elsif eof eq exists exit exp fc for foreach ge getc gmtime grep gt hex if index int join keys last lc lcfirst le length local localtime log lstat lt map my ne next not oct ord or our and xor cmp x " +
	"pop pos print printf push quotemeta rand redo ref return reverse rindex say scalar shift sin sleep sort splice split sprintf sqrt srand stat state study sub substr time times tell uc ucfirst undef unless unshift until values wantarray warn die while continue " +
	"BEGIN END INIT STDIN STDOUT STDERR ARGV __LINE__ sum sum0 min max first any all none uniq shuffle product minstr maxstr Dumper encode_json decode_json floor ceil fmod strftime md5_hex sha1_hex sha256_hex sha512_hex encode_base64 looks_like_number blessed reftype timelocal timegm wrap usleep"

// perlMethods are methods of the objects of those modules.
const perlMethods = "VERSION new pretty canonical utf8 encode decode bstr badd bmul bpow bsub bdiv epoch ymd year mon mday hour min sec"

// perlCode is inline Perl while it is cut.
type perlCode struct {
	text   string
	subs   []string // functions of its own
	value  bool     // a value has just ended: what comes next is an operator
	before string   // the last word or sign
	word   string   // the last word
	braces []bool   // of the braces that are open, those that pick an element
	depth  int
	alias  bool // elements of the list of files may be changed
	edits  bool // something is changed in place
	asked  string
	keeps  bool // the words are kept
	words  []string
}

// allowPerl records the first thing in the code that is not known to be harmless.
func (m *machine) allowPerl(text string) {
	p := perlCode{}
	words := strings.FieldsFunc(text, func(r rune) bool { return !isNameByte(byte(r)) || r >= 0x80 })
	for i, w := range words {
		if i > 0 && words[i-1] == "sub" && len(p.subs) < maxList && !mark.Among(dialectOf("perl").denied, w) {
			p.subs = append(p.subs, w)
		}
	}
	p.cut(text)
	if p.alias && p.edits {
		p.ask("a changed list of files")
	}
	if p.asked != "" {
		m.escape("inline code of perl uses " + p.asked)
	}
}

//go:noinline
func (p *perlCode) ask(what string) {
	if p.asked == "" {
		p.asked = what
	}
}

// cut judges code, which may be part of a string.
func (p *perlCode) cut(text string) {
	outer, value := p.text, p.value
	p.text, p.value, p.before = text, false, ""
	if p.depth++; p.depth > maxLiterals {
		p.ask("code nested in strings")
	}
	for i := 0; i < len(text) && p.asked == ""; {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\n':
			i++
			if i+1 < len(text) && text[i] == '=' && isNameByte(text[i+1]) {
				p.ask("a document")
			}
		case c == '#':
			i = skipLine(text, i)
		case c >= '0' && c <= '9':
			i += numberLen(text[i:])
			p.ends("0")
		case isNameByte(c):
			i = p.name(i)
		default:
			i = p.sign(i)
		}
	}
	p.depth--
	p.text, p.value = outer, value
}

//go:noinline
func (p *perlCode) ends(what string) { p.value, p.before = true, what }

//go:noinline
func (p *perlCode) operator(what string) { p.value, p.before = false, what }

// sign judges what starts with no letter at i and returns where it ends.
func (p *perlCode) sign(i int) int {
	switch c := p.text[i]; c {
	case '"', '\'', '/':
		if c == '/' && p.value {
			break
		}
		if c == '\'' && i > 0 && isNameByte(p.text[i-1]) {
			p.ask("a quote in a name")
		}
		body, j := p.delimited(i)
		if c != '\'' {
			p.interpolate(body)
		}
		if c == '/' {
			j += nameLen(p.text[min(j, len(p.text)):])
		}
		p.ends("s")
		return j
	case '$', '@':
		return p.variable(i)
	case '%', '&', '*', '<', '-':
		return p.either(i)
	case '{':
		p.braces = append(p.braces, p.value)
		p.operator("{")
		return i + 1
	case '}':
		k := len(p.braces) - 1
		pick := k >= 0 && p.braces[k]
		p.braces = p.braces[:max(k, 0)]
		p.operator("}")
		p.value = pick
		return i + 1
	case ')', ']':
		p.ends(string(rune(c)))
		return i + 1
	case '=':
		if strings.HasPrefix(p.text[i:], "=>") {
			p.operator("=>")
			return i + 2
		}
	case '`', '\\':
		if c == '`' || strings.HasPrefix(p.text[i:], "\\&") && !contains(p.text[i+2:i+2+nameLen(p.text[i+2:])], p.subs...) {
			p.ask("the sign " + string(rune(c)))
		}
	default:
		if c >= 0x80 || c < ' ' {
			p.ask("characters outside ASCII")
		}
	}
	p.operator(p.text[i : i+1])
	return i + 1
}

// variable judges a variable at i.
func (p *perlCode) variable(i int) int {
	sigil, j := p.text[i], i+1
	if sigil == '$' && j < len(p.text) && p.text[j] == '#' {
		j++
	}
	for j+1 < len(p.text) && p.text[j] == '$' && (p.text[j+1] == '$' || p.text[j+1] == '{' || isNameByte(p.text[j+1])) {
		j++
	}
	n := nameLen(p.text[min(j, len(p.text)):])
	name := p.text[min(j, len(p.text)):min(j+n, len(p.text))]
	rest := p.text[min(j+n, len(p.text)):]
	switch {
	case strings.HasPrefix(rest, "::") || n > 0 && len(rest) > 1 && rest[0] == '\'' && p.depth == 1 && isNameByte(rest[1]):
		p.ask("a variable of a package")
	case contains(name, "INC", "SIG", "ISA", "EXPORT") || name == "ENV" && sigil == '@':
		p.ask(string(rune(sigil)) + name)
	case name == "ARGV":
		p.files(sigil, rest)
	case n == 0 && rest != "" && rest[0] == '{':
		p.before = string(rune(sigil))
		p.value = true // the brace holds an expression, and what is picked is a value
		return j
	case n == 0 && rest != "" && rest[0] == '^':
		n = 2
	case n == 0 && sigil == '$':
		n = 1
	case n == 0:
		p.operator("@")
		return j
	}
	p.ends(string(rune(sigil)))
	return j + n
}

// files judges the list of files to read: one that is changed may name a command.
func (p *perlCode) files(sigil byte, rest string) {
	rest = strings.TrimLeft(rest, " ")
	if sigil == '$' && strings.HasPrefix(rest, "[") {
		if k := firstByte(rest, ']'); k > 0 {
			rest = strings.TrimLeft(rest[k+1:], " ")
		}
	}
	sets := strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") || len(rest) > 1 && rest[1] == '='
	if sets || strings.HasPrefix(rest, "[") && sigil == '@' || hasWord("push unshift splice local our my chop chomp", p.word) || p.before == "\\" {
		p.ask("a changed list of files")
	}
	p.alias = p.alias || p.word != "print" && p.word != "scalar" && p.word != "shift" && p.word != "join"
}

// either judges a sign that starts a term or is an operator.
func (p *perlCode) either(i int) int {
	c, rest := p.text[i], p.text[i+1:]
	next := byte(' ')
	if rest != "" {
		next = rest[0]
	}
	switch {
	case c == '-' && next == '>':
		return p.arrow(i + 2)
	case p.value || c == '&' && next == '&':
		p.operator(string(rune(c)))
		if c == next && (c == '&' || c == '*') {
			return i + 2
		}
		return i + 1
	case c == '-':
		if isNameByte(next) && nameLen(rest) == 1 && next > '9' && !strings.HasPrefix(strings.TrimLeft(rest[1:], " "), "=>") {
			p.operator("-")
			return i + 2 // a test of a file
		}
	case c == '%':
		if n := nameLen(rest); contains(rest[:n], "ENV", "INC", "SIG", "main") || strings.HasPrefix(rest[n:], "::") {
			p.ask("%" + rest[:n])
		}
		return p.variable(i)
	case c == '&':
		if n := nameLen(rest); n == 0 || !contains(rest[:n], p.subs...) {
			p.ask("a call by &")
		}
	case c == '*':
		p.ask("a glob")
	case c == '<':
		k := firstByte(rest, '>')
		if k < 0 || !contains(rest[:k], "", "STDIN", "ARGV", "<") && !(rest[0] == '$' && nameLen(rest[1:]) == k-1) {
			p.ask("a file handle, a pattern or a here-document")
			return i + 1
		}
		p.ends("<>")
		if rest[:k] == "<" {
			k++
		}
		return i + k + 2
	}
	p.operator(string(rune(c)))
	return i + 1
}

// arrow judges what follows an arrow.
func (p *perlCode) arrow(i int) int {
	for i < len(p.text) && (p.text[i] == ' ' || p.text[i] == '\n') {
		i++
	}
	rest := p.text[min(i, len(p.text)):]
	n := nameLen(rest)
	switch {
	case rest == "" || rest[0] == '(' || rest[0] == '&':
		p.ask("a call of a reference")
	case rest[0] == '[' || rest[0] == '{':
		p.value = true
		return i
	case strings.HasPrefix(rest, "@*") || strings.HasPrefix(rest, "%*") || strings.HasPrefix(rest, "$*"):
		n = 2
	case n > 0 && (hasWord(perlMethods, rest[:n]) || contains(rest[:n], p.subs...)) && !strings.HasPrefix(rest[n:], "::"):
	default:
		p.ask("a method")
	}
	p.ends("->")
	return i + n
}

// name judges the word at i and returns where it ends.
func (p *perlCode) name(i int) int {
	n := nameLen(p.text[i:])
	if full := p.module(i); full > n {
		p.ends("module")
		return i + full
	}
	w, j := p.text[i:i+n], i+n
	rest := strings.TrimLeft(p.text[j:], " \t\n")
	if p.keeps {
		p.words = append(p.words, w)
	}
	switch {
	case strings.HasPrefix(rest, "=>"), p.before == "{" && strings.HasPrefix(rest, "}") && len(p.braces) > 0 && p.braces[len(p.braces)-1]:
		p.ends("key")
		return j
	case strings.HasPrefix(p.text[j:], "::"), strings.HasPrefix(p.text[j:], "'"):
		if !hasWord("q qq qw qr m s y tr", w) {
			p.ask("a name of a package")
		}
	case p.value && w[0] == 'x' && strings.Trim(w[1:], "0123456789") == "":
		p.operator("x")
		return j
	}
	if hasWord("q qq qw qr m s y tr qx", w) && rest != "" && !p.value {
		if k := p.quoteLike(w, j); k > 0 {
			return k
		}
	}
	label := rest != "" && rest[0] == ':' && strings.ToUpper(w) == w || hasWord("next last redo goto", p.word) && strings.ToUpper(w) == w
	if !hasWord(perlCalls, w) && !contains(w, p.subs...) && !label {
		p.ask(w)
	}
	p.word = w
	p.operator(w)
	if hasWord("shift pop time wantarray STDIN STDOUT", w) && !strings.HasPrefix(rest, "/") {
		p.value = w == "time"
	}
	return j
}

// module returns the length of the name of a module that only computes, with a
// function that it has or before a method; 0 for any other word.
func (p *perlCode) module(i int) int {
	n := nameLen(p.text[i:])
	for strings.HasPrefix(p.text[i+n:], "::") && nameLen(p.text[i+n+2:]) > 0 {
		k := nameLen(p.text[i+n+2:])
		if mark.Among(perlModules, p.text[i:i+n]) && hasWord(perlCalls, p.text[i+n+2:i+n+2+k]) {
			return n + 2 + k
		}
		n += 2 + k
	}
	if mark.Among(perlModules, p.text[i:i+n]) && strings.HasPrefix(p.text[i+n:], "->") {
		return n
	}
	return 0
}

// quoteLike judges q, qq, qw, m, s and their kin; 0 if the word is none.
func (p *perlCode) quoteLike(w string, j int) int {
	k := j
	for k < len(p.text) && (p.text[k] == ' ' || p.text[k] == '\t') {
		k++
	}
	if k == len(p.text) || k > j && (p.text[k] == '#' || p.text[k] == '=') || firstByte(",;)", p.text[k]) >= 0 || isNameByte(p.text[k]) {
		return 0
	}
	if w == "qx" {
		p.ask("qx")
	}
	quote := p.text[k]
	body, k := p.delimited(k)
	if w != "q" && w != "qw" && w != "y" && w != "tr" && quote != '\'' {
		p.interpolate(body)
	}
	if w == "s" || w == "y" || w == "tr" {
		second := ""
		if firstByte("([{<", quote) >= 0 {
			for k < len(p.text) && (p.text[k] == ' ' || p.text[k] == '\n') {
				k++
			}
			second, k = p.delimited(k)
		} else {
			second, k = p.delimited(k - 1)
		}
		flags := p.text[min(k, len(p.text)):]
		flags = flags[:nameLen(flags)]
		switch strings.Count(flags, "e") {
		case 0:
			if w == "s" && quote != '\'' {
				p.interpolate(second)
			}
		case 1:
			if w == "s" {
				p.cut(second)
			}
		default:
			p.ask("s///ee")
		}
		p.edits = p.edits || !strings.Contains(flags, "r")
	}
	k += nameLen(p.text[min(k, len(p.text)):])
	p.ends("s")
	return k
}

// delimited reads what stands between the delimiter at i and its partner, and returns
// it and where it ends.
func (p *perlCode) delimited(i int) (string, int) {
	if i >= len(p.text) {
		p.ask("a string without an end")
		return "", i
	}
	open, shut := p.text[i], p.text[i]
	if k := firstByte("([{<", open); k >= 0 {
		shut = ")]}>"[k]
	}
	depth := 1
	for j := i + 1; j < len(p.text); j++ {
		switch c := p.text[j]; {
		case c == '\\':
			j++
		case c == shut:
			if depth--; depth == 0 {
				return p.text[i+1 : j], j + 1
			}
		case c == open:
			depth++
		}
	}
	p.ask("a string without an end")
	return "", len(p.text)
}

// interpolate judges the code that a string or a pattern holds.
func (p *perlCode) interpolate(body string) {
	if strings.Contains(body, "(?{") || strings.Contains(body, "(??{") || strings.Contains(body, "(*{") {
		p.ask("code in a pattern")
	}
	for i := 0; i < len(body) && p.asked == ""; i++ {
		switch c := body[i]; {
		case c == '\\':
			i++
		case (c == '$' || c == '@') && i+1 < len(body):
			i = p.embedded(body, i)
		}
	}
}

// embedded judges the variable at body[i] with its subscripts, and returns its last
// byte.
func (p *perlCode) embedded(body string, i int) int {
	j := i + 1
	for j < len(body) && body[j] == '$' {
		j++
	}
	j += nameLen(body[min(j, len(body)):])
	if j == i+1 && (j >= len(body) || body[j] != '{') {
		return i
	}
	name := body[i+1 : j]
	if contains(name, "INC", "SIG") || strings.HasPrefix(body[j:], "::") {
		p.ask("$" + name)
	}
	for j < len(body) && (body[j] == '[' || body[j] == '{' || strings.HasPrefix(body[j:], "->[") || strings.HasPrefix(body[j:], "->{")) {
		if body[j] == '-' {
			j += 2
		}
		outer := p.text
		p.text = body
		inner, k := p.delimited(j)
		p.text = outer
		if p.asked != "" {
			return len(body)
		}
		if plain := strings.Trim(inner, "-^"); nameLen(plain) != len(plain) {
			p.cut(inner)
		}
		j = k
	}
	return j - 1
}
