package shell

import "strings"

// This file reads which modules a file of Python or JavaScript brings in, as its language
// cuts it into words. It judges nothing.

// Import is a module that code brings in, with what it takes out of it by name, where it
// does. A name of "*" is all of them.
type Import struct {
	Module string
	Names  []string
}

// Imports are the modules that code of Python or JavaScript brings in by constant names. Of
// code that can't be cut into words as a whole each line is read by itself: then what only
// looks like an import may be among them.
func Imports(lang, text string) []Import {
	list, ok := importsOf(lang, text)
	if ok {
		return list
	}
	for line := range strings.Lines(text) {
		more, _ := importsOf(lang, line)
		list = append(list, more...)
	}
	return list
}

func importsOf(lang, text string) (list []Import, ok bool) {
	l := lexer{d: dialectOf(lang), whole: true}
	l.cut(text, true)
	r := importReader{toks: l.toks}
	for i := range r.toks {
		if lang == "python" {
			r.python(i)
		} else {
			r.node(i)
		}
	}
	return r.list, l.bad == ""
}

type importReader struct {
	toks []token
	list []Import
}

//go:noinline
func (r *importReader) isWord(i int, word string) bool {
	return i >= 0 && i < len(r.toks) && r.toks[i].kind == 'n' && r.toks[i].text == word
}

// python reads the import statement whose word import is at i (the language reference, "The
// import statement").
func (r *importReader) python(i int) {
	if !r.isWord(i, "import") {
		return
	}
	from := i - 1
	for from >= 0 && !r.toks[from+1].gap && (is(r.toks, from, ".") || r.toks[from].kind == 'n' && r.toks[from].text != "from") {
		from--
	}
	if r.isWord(from, "from") && from < i-1 && !r.toks[from+1].gap {
		r.list = append(r.list, Import{Module: spelled(r.toks[from+1 : i]), Names: r.taken(i + 1)})
		return
	}
	for j := i + 1; j < len(r.toks); j++ {
		start := j
		for j < len(r.toks) && (is(r.toks, j, ".") || r.toks[j].kind == 'n' && r.toks[j].text != "as" && (j == start || is(r.toks, j-1, "."))) {
			j++
		}
		if j > start {
			r.list = append(r.list, Import{Module: spelled(r.toks[start:j])})
		}
		if r.isWord(j, "as") {
			j += 2
		}
		if !is(r.toks, j, ",") {
			return
		}
	}
}

// taken are the names behind from ... import.
func (r *importReader) taken(i int) (names []string) {
	if is(r.toks, i, "*") {
		return []string{"*"}
	}
	if is(r.toks, i, "(") {
		i++
	}
	for ; i < len(r.toks) && r.toks[i].kind == 'n'; i++ {
		names = append(names, r.toks[i].text)
		if r.isWord(i+1, "as") {
			i += 2
		}
		if i++; !is(r.toks, i, ",") {
			break
		}
	}
	return names
}

func spelled(toks []token) string {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(t.text)
	}
	return b.String()
}

// node reads what brings in the module whose name is the string at i: import and export
// declarations, import() and require() (ECMA-262, Modules; Node.js documentation, Modules). A
// declaration of TypeScript that takes types alone leaves no trace (its handbook, "Modules").
func (r *importReader) node(i int) {
	if r.toks[i].kind != 's' || len(r.toks[i].text) < 2 {
		return
	}
	called := is(r.toks, i-1, "(") && (r.isWord(i-2, "import") || r.isWord(i-2, "require")) && !is(r.toks, i-3, ".")
	declared := r.isWord(i-1, "import") || r.isWord(i-1, "from") && !r.onlyTypes(i-2)
	if !called && !declared {
		return
	}
	name, _ := quotedString(r.toks[i].text, r.toks[i].text[0])
	r.list = append(r.list, Import{Module: name})
}

// onlyTypes says whether the declaration that ends at i begins with import type or export
// type, and takes no module's default that is called so.
func (r *importReader) onlyTypes(i int) bool {
	for ; i > 0 && r.toks[i].kind != 's'; i-- {
		if r.isWord(i-1, "import") || r.isWord(i-1, "export") {
			return r.isWord(i, "type") && (is(r.toks, i+1, "{") || is(r.toks, i+1, "*") || r.toks[i+1].kind == 'n' && r.toks[i+1].text != "from")
		}
	}
	return false
}
