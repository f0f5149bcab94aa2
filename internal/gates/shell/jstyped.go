package shell

import (
	"regexp"
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges inline TypeScript, as tsx and ts-node take it: without what says of which type
// something is it is JavaScript. What it brings in of the workspace is followed (jsreach.go).

// typedFlags are options of tsx and ts-node without a value that change nothing of what the code
// may do (tsx --help 4.23; ts-node --help 10.9.2).
const typedFlags = "--no-cache --no-warnings --enable-source-maps --trace-warnings --trace-uncaught --expose-gc --no-deprecation --esm --swc -T --transpileOnly --transpile-only --files --pretty --skipIgnore --preferTsExts --logError --log-error --typeCheck --type-check"

// typedSettings is a JSON of ts-node's compilerOptions that only says how modules and types are
// read (ts-node --help, -O).
var typedSettings = regexp.MustCompile(`^\{\s*("(module|moduleResolution|target|esModuleInterop|strict|skipLibCheck|allowJs|resolveJsonModule|allowImportingTsExtensions|verbatimModuleSyntax)"\s*:\s*("\w+"|true|false)\s*,?\s*)+\}$`)

// typedRun runs the code that such a program is given, if nothing else says what it does.
func (m *machine) typedRun(name string, args []string, in data, want bool) bool {
	code, given := "", false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !given && i+1 < len(args) && hasWord("-e --eval -p --print -pe", a):
			code, given = args[i+1], true
			i++
		case hasWord(typedFlags, a):
		case (a == "-O" || a == "--compilerOptions") && name == "ts-node" && i+1 < len(args) && typedSettings.MatchString(args[i+1]):
			i++
		case a == "-" && i == len(args)-1 && !given:
		case given && a != "" && a[0] != '-' && !mark.Has(a) && !reachesOut(a): // what the code is told
		default:
			return false
		}
	}
	if !given {
		if in.tty || !in.known() {
			return false
		}
		code = in.text
	}
	m.build()
	m.typedCode(code, in, want)
	return true
}

// typedCode judges TypeScript.
func (m *machine) typedCode(text string, in data, want bool) {
	if text = plain(text); mark.Has(text) || len(text) > maxText {
		m.code("node", unknown.text, in, want)
		return
	}
	d := readModule("", text)
	if d == nil {
		m.code("node", text, in, want)
		return
	}
	if m.ownScript(d) {
		text = d.required2(text)
	}
	m.code("node", erased(text), in, want)
}

// required2 is code whose imports of what only computes are written as calls of require.
func (d *jsModule) required2(text string) string {
	n := d.n
	var b strings.Builder
	last := 0
	for i := 0; i < len(n.toks); {
		end := d.statementEnd(i)
		from := i
		i = end
		if !n.is(from, "import") || n.is(from+1, "(") || n.is(from+1, ".") || n.toks[from].at < 0 {
			continue
		}
		k := from + 1
		for k < end && !n.is(k, "from") {
			k++
		}
		mod := n.quoted(k + 1)
		if k == end {
			mod = n.quoted(from + 1)
			k = from
		}
		if mod == "" || !strings.HasPrefix(mod, ".") && !computingModule(mod) {
			continue
		}
		stop := n.toks[k+1].at + len(n.toks[k+1].text)
		b.WriteString(text[last:n.toks[from].at])
		b.WriteString(importAs(n, from+1, k, mod))
		last = stop
	}
	b.WriteString(text[last:])
	return b.String()
}

// importAs is what an import binds between two tokens, written with require.
func importAs(n *nodeCode, i, to int, mod string) string {
	if n.is(i, "type") && !n.is(i+1, "from") && !n.is(i+1, ",") {
		return ""
	}
	call := `require("` + ownModule + `")`
	if !strings.HasPrefix(mod, ".") && !hasWord(npmComputes, mod) {
		call = `require("` + mod + `")`
	}
	single := &jsModule{n: n, imports: map[string]jsOrigin{}}
	single.imported(i, to)
	names := make([]string, 0, len(single.imports))
	for own, from := range single.imports {
		if from.name == "*" || from.name == "default" {
			names = append(names, "const "+own+" = "+call)
			continue
		}
		names = append(names, "const {"+from.name+": "+own+"} = "+call)
	}
	if sort.Strings(names); len(names) == 0 {
		return call
	}
	return strings.Join(names, "; ")
}

// ownModule stands for modules that were found to compute only.
const ownModule = "./own"

// erased is TypeScript with blanks in place of what only says of which type something is. Only
// names, literals and signs between them are taken out, nothing that is called or set.
func erased(text string) string {
	toks, bad := dialectOf("node").tokens(text)
	if bad != "" {
		return text
	}
	n := &nodeCode{toks: toks}
	n.pairBrackets()
	out := []byte(text)
	blank := func(from, to int) {
		for k := from; k < to; k++ {
			if t := toks[k]; t.at >= 0 {
				for p := t.at; p < t.at+len(t.text); p++ {
					if out[p] != '\n' {
						out[p] = ' '
					}
				}
			}
		}
	}
	for i := 0; i < len(toks); i++ {
		switch {
		case toks[i].at < 0:
		case (is(toks, i, "interface") || is(toks, i, "type")) && n.starts(i):
			if end := n.typeDeclared(i); end > 0 {
				blank(i, end)
				i = end - 1
			}
		case is(toks, i, ":"):
			if end := n.annotated(i); end > 0 {
				from := i
				if is(toks, i-1, "?") {
					from--
				}
				blank(from, end)
				i = end - 1
			}
		case (is(toks, i, "as") || is(toks, i, "satisfies")) && n.value(i-1) && !is(toks, i-1, "*"):
			if end := n.typeAt(i + 1); end > 0 {
				blank(i, end)
				i = end - 1
			}
		case is(toks, i, "!") && n.value(i-1) && !toks[i].gap && (is(toks, i+1, ".") || is(toks, i+1, ")") || is(toks, i+1, ",") || is(toks, i+1, ";") || is(toks, i+1, "[")):
			blank(i, i+1)
		case is(toks, i, "<") && i > 0 && toks[i-1].kind == 'n':
			if end := n.typeList(i); end > 0 && is(toks, end, "(") {
				blank(i, end)
				i = end - 1
			}
		}
	}
	return string(out)
}

// starts says whether a statement starts at i.
func (n *nodeCode) starts(i int) bool {
	return i+1 < len(n.toks) && n.toks[i+1].kind == 'n' && (i == 0 || n.toks[i].gap || n.is(i-1, ";") || n.is(i-1, "}") || n.is(i-1, "export"))
}

// typeDeclared is where interface X {...} or type X = ... ends that starts at i, 0 where it is
// something else.
func (n *nodeCode) typeDeclared(i int) int {
	k := i + 2
	if n.is(k, "<") {
		if k = n.typeList(k); k == 0 {
			return 0
		}
	}
	if n.is(i, "interface") {
		if n.is(k, "{") && n.plainType(k) {
			return n.closing(k) + 1
		}
		return 0
	}
	if !n.is(k, "=") {
		return 0
	}
	if n.is(k+1, "|") {
		k++
	}
	if end := n.typeAt(k + 1); end > 0 && (end == len(n.toks) || n.is(end, ";") || n.toks[end].gap) {
		return end
	}
	return 0
}

// annotated is where the type behind the colon at i ends, 0 where the colon is something else: it
// stands behind a parameter, a variable that is declared, or a list of parameters.
func (n *nodeCode) annotated(i int) int {
	end := n.typeAt(i + 1)
	if end == 0 {
		return 0
	}
	k := i - 1
	if n.is(k, "?") {
		k--
	}
	from := k
	if n.is(k, "}") || n.is(k, "]") {
		from = n.opening(k)
	} else if n.is(k, ")") {
		from = n.opening(k)
		arrow := n.is(end, "=") && n.is(end+1, ">")
		function := n.is(end, "{") && (n.is(from-1, "function") || n.is(from-2, "function") || n.classBody(from-1))
		if !arrow && !function || n.chooses(from) {
			return 0
		}
		return end
	} else if n.name(k) == "" {
		return 0
	}
	next := n.is(end, ",") || n.is(end, ")") || n.is(end, "=") && !n.is(end+1, "=") || n.is(end, ";") || n.is(end, "of")
	inList := n.is(n.around(from), "(") && (n.is(from-1, "(") || n.is(from-1, ",") || n.is(from-1, ".") && n.is(from-2, "."))
	declared := from > 0 && n.toks[from-1].kind == 'n' && hasWord("const let var", n.toks[from-1].text)
	if next && (inList || declared) {
		return end
	}
	return 0
}

// chooses says whether a question mark stands before token i in its statement: what follows may
// be what it chooses.
func (n *nodeCode) chooses(i int) bool {
	for i--; i >= 0 && !n.is(i, ";") && !n.is(i, "{") && !n.is(i, "("); i-- {
		if n.is(i, "?") {
			return true
		}
		if n.opening(i) >= 0 {
			i = n.opening(i)
		}
	}
	return false
}

// typeAt is where the type ends that starts at i, 0 where what stands there is more than names,
// literals and the signs between them.
func (n *nodeCode) typeAt(i int) int {
	for {
		for n.is(i, "keyof") || n.is(i, "readonly") || n.is(i, "typeof") {
			i++
		}
		switch {
		case i >= len(n.toks):
			return 0
		case n.is(i, "{") && n.plainType(i):
			i = n.closing(i) + 1
		case n.is(i, "[") && n.plainType(i):
			i = n.closing(i) + 1
		case n.toks[i].kind == 'd', n.toks[i].kind == 's' && n.quoted(i) != "":
			i++
		case n.toks[i].kind == 'n' && n.typeWord(i):
			for i++; n.is(i, ".") && i+1 < len(n.toks) && n.toks[i+1].kind == 'n' && n.typeWord(i+1); i += 2 {
			}
			if n.is(i, "<") {
				if i = n.typeList(i); i == 0 {
					return 0
				}
			}
		default:
			return 0
		}
		for n.is(i, "[") && !n.toks[i].gap && n.closing(i) < len(n.toks) && n.plainType(i) {
			i = n.closing(i) + 1
		}
		if !n.is(i, "|") && !n.is(i, "&") || n.is(i+1, n.sign(i)) {
			return i
		}
		i++
	}
}

func (n *nodeCode) sign(i int) string { return n.toks[i].text }

// typeWord says whether the name at i may be that of a type.
func (n *nodeCode) typeWord(i int) bool {
	w := n.toks[i].text
	return !mark.Among(dialectOf("node").denied, w) && !hasWord(jsActs, w) && !hasWord(nodeHidden, w) && !hasWord("await yield new delete function class async", w)
}

// typeList is where a list of types in angle brackets ends that starts at i, 0 where it is none.
func (n *nodeCode) typeList(i int) int {
	for i++; ; i++ {
		if i = n.typeAt(i); i == 0 {
			return 0
		}
		if n.is(i, "extends") || n.is(i, "=") {
			if i = n.typeAt(i + 1); i == 0 {
				return 0
			}
		}
		if n.is(i, ">") {
			return i + 1
		}
		if !n.is(i, ",") {
			return 0
		}
	}
}

// plainType says whether brackets hold nothing but names, literals, and signs that stand between
// them in types.
func (n *nodeCode) plainType(i int) bool {
	end := n.closing(i)
	if end >= len(n.toks) {
		return false
	}
	for k := i; k <= end; k++ {
		switch t := n.toks[k]; {
		case t.kind == 'n' && n.typeWord(k), t.kind == 'd', t.kind == 's' && n.quoted(k) != "":
		case t.kind == 'o' && strings.Contains("{}[]<>|&:;,?.", t.text):
		default:
			return false
		}
	}
	return true
}

// fetchesHere is code in which what is fetched from this machine, by an address that stands in the
// code, is the promise of a text: that it is fetched is recorded here (fetch.spec.whatwg.org).
func (m *machine) fetchesHere(text string) string {
	if !strings.Contains(text, "fetch") {
		return text
	}
	toks, bad := dialectOf("node").tokens(text)
	if bad != "" {
		return text
	}
	n := &nodeCode{toks: toks}
	n.pairBrackets()
	for i := range toks {
		n.bind(i)
		if is(toks, i, "fetch") && (toks[i].at < 0 || is(toks, i-1, ".") || !is(toks, i+1, "(")) {
			return text
		}
	}
	var b strings.Builder
	last := 0
	for i := range toks {
		if !is(toks, i, "fetch") || is(toks, i-1, ".") {
			continue
		}
		addr, ok := n.addressAt(i + 2)
		if !ok || contains("fetch", n.bound...) || !n.fetchOptions(i+1) {
			return text
		}
		op := effect.OpFetch
		if is(toks, i+3, ",") || is(toks, i+5, ",") {
			op = effect.OpSend
		}
		m.url(op, addr, "")
		b.WriteString(text[last:toks[i].at])
		b.WriteString(`Promise.resolve`)
		last = toks[i].at + len("fetch")
		if n.name(i+2) != "" && is(toks, i+3, "+") && strings.HasPrefix(n.quoted(i+4), "/") { // a path of the server's, and no file's
			b.WriteString(text[last : toks[i+4].at+1])
			b.WriteString("/")
			last = toks[i+4].at + 1
		}
	}
	if last == 0 {
		return text
	}
	b.WriteString(text[last:])
	return b.String()
}

// fetchOptions says whether the call at i has no more than an address and options that stand there
// and choose what is asked: Bun's proxy and unix lead elsewhere (bun.sh, Fetch).
func (n *nodeCode) fetchOptions(i int) bool {
	end := n.closing(i)
	if end >= len(n.toks) {
		return false
	}
	k := i + 1
	for ; k < end && !n.is(k, ","); k++ {
		if n.toks[k].kind == 'o' && firstByte("([{", n.toks[k].text[0]) >= 0 {
			k = n.closing(k)
		}
	}
	if k >= end || k+1 == end {
		return !n.is(i+1, ".") // spread
	}
	if !n.is(k+1, "{") || n.closing(k+1)+1 != end {
		return false
	}
	for j := k + 2; j < end-1; j++ { // a key at a time
		if !(n.toks[j].kind == 'n' && hasWord("method headers body signal redirect cache credentials mode keepalive", n.toks[j].text) && (n.is(j+1, ":") || n.is(j+1, ",") || n.is(j+1, "}"))) {
			return false
		}
		for ; j < end-1 && !n.is(j, ","); j++ {
			if n.toks[j].kind == 'o' && firstByte("([{", n.toks[j].text[0]) >= 0 {
				j = n.closing(j)
			}
		}
	}
	return true
}

// addressAt is the address of this machine that the argument at i starts with: a text, a template
// whose host is constant, or a constant of the code with a path behind it.
func (n *nodeCode) addressAt(i int) (string, bool) {
	if i >= len(n.toks) {
		return "", false
	}
	switch t := n.toks[i]; {
	case t.kind == 's' && t.text[0] != '`':
		if addr := n.quoted(i); n.endsArgument(i + 1) {
			return addr, addressHere(addr, true)
		} else if n.is(i+1, "+") {
			return addr, addressHere(addr, false)
		}
	case t.kind == 's':
		body := strings.Trim(t.text, "`")
		if strings.Contains(body, `\`) {
			return "", false
		}
		head, rest, computed := cutAt(body, "${")
		switch name, after, ok := cutAt(rest, "}"); {
		case !computed:
			return body, addressHere(body, true)
		case head != "":
			return head, addressHere(head, false)
		case ok && (after == "" || after[0] == '/'):
			if base, ok := n.constantText(name); ok {
				return base + after, addressHere(base, true)
			}
		}
	case n.name(i) != "":
		base, ok := n.constantText(t.text)
		switch {
		case !ok:
		case n.endsArgument(i + 1):
			return base, addressHere(base, true)
		case n.is(i+1, "+") && strings.HasPrefix(n.quoted(i+2), "/"):
			return base + n.quoted(i+2), addressHere(base, true)
		case n.is(i+1, "+"):
			return base, addressHere(base, false)
		}
	}
	return "", false
}

// constantText is the text of a constant that the code declares once, and binds nowhere else.
func (n *nodeCode) constantText(name string) (text string, ok bool) {
	times := 0
	for _, b := range n.bound {
		if b == name {
			times++
		}
	}
	for i := range n.toks {
		if n.is(i, name) && n.is(i-1, "const") && n.is(i+1, "=") && n.quoted(i+2) != "" && (i+3 == len(n.toks) || n.is(i+3, ";") || n.is(i+3, ",") || n.toks[i+3].gap && n.toks[i+3].kind == 'n') {
			text, ok = n.quoted(i+2), true
		}
	}
	return text, ok && times <= 2 // bind notes it at its word and at its sign
}

// addressHere says whether an address is one of this machine by http; whole says that nothing is
// put behind it.
func addressHere(addr string, whole bool) bool {
	rest, ok := cutPrefix(addr, "http://")
	if !ok || strings.ContainsAny(addr, " @\\\t\n") {
		return false
	}
	host, _, path := cutAt(rest, "/")
	return (path || whole) && onlyHere(host)
}
