package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells what an expression of JavaScript may be. It is read from its first
// token on, as far as its parts are known, and the caller looks at what follows.

// value is what the expression at i may be, and where it ends.
func (r *nodeReader) value(i int) (pyValue, int) {
	v, i := r.part(i)
	for r.n.is(i, "+") && !r.n.is(i+1, "+") && !r.n.is(i+1, "=") {
		var next pyValue
		next, i = r.part(i + 1)
		v = joinValues(pyText, v, next, func(x, y string) string { return x + y })
	}
	return v, i
}

// part is what one operand may be.
func (r *nodeReader) part(i int) (pyValue, int) {
	n := r.n
	if r.budget--; r.budget < 0 || i >= len(n.toks) {
		return pyValue{}, len(n.toks)
	}
	v := pyValue{}
	switch t := n.toks[i]; {
	case t.kind == 's':
		v, i = r.text(i)
	case t.kind == 'd':
		v, i = pyValue{kind: pyNumber}, i+1
	case n.is(i, "["):
		v, i = r.array(i), n.closing(i)+1
	case n.is(i, "("):
		inner, end := r.value(i + 1)
		if end == n.closing(i) {
			v = inner
		}
		i = n.closing(i) + 1
	case t.text == "require" && n.is(i+1, "(") && n.closing(i+1) == i+3 && n.toks[i+2].kind == 's':
		if mod, ok := r.plain(i + 2); ok {
			v = pyValue{kind: pyName, words: []string{trimPrefix(mod, "node:")}}
		}
		i += 4
	case n.name(i) != "":
		v, i = r.word(t.text), i+1
	default:
		return pyValue{}, i + 1
	}
	return r.members(v, i)
}

// plain is the constant text at i.
func (r *nodeReader) plain(i int) (string, bool) {
	v, _ := r.text(i)
	return v.constant()
}

// members reads what is asked of a value.
func (r *nodeReader) members(v pyValue, i int) (pyValue, int) {
	n := r.n
	for {
		switch {
		case i == r.stop && i > 0:
			return v, i
		case n.is(i, ".") && n.is(i+2, "(") && !n.is(i+1, "."):
			v, i = r.call(v, n.toks[i+1].text, i+2), n.closing(i+2)+1
		case n.is(i, ".") && i+1 < len(n.toks) && n.toks[i+1].kind == 'n':
			v, i = pyValue{}, i+2
		case n.is(i, "("), n.is(i, "?"):
			return pyValue{}, len(n.toks)
		case n.is(i, "["):
			if n.closing(i) != i+2 || n.toks[i+1].kind != 'd' {
				return pyValue{}, len(n.toks)
			}
			v, i = v.each(), i+3
		default:
			return v, i
		}
	}
}

// args are the arguments between the parenthesis at i and its end; ok is false if one
// is no expression that is known here.
func (r *nodeReader) args(i int) (list []pyValue, ok bool) {
	end := r.n.closing(i)
	for i++; i < end; {
		v, next := r.value(i)
		if next != end && !r.n.is(next, ",") {
			return list, false
		}
		list, i = append(list, v), next+1
	}
	return list, true
}

// call is what a function of a module, or a method, returns.
func (r *nodeReader) call(v pyValue, name string, open int) pyValue {
	args, ok := r.args(open)
	switch {
	case v.kind == pyName && v.words[0] == "path":
		return nodePaths(name, args, ok)
	case v.kind == pyName && v.words[0] == "fs" && name == "readdirSync" && ok && len(args) == 1:
		return pyListOf(pyAName)
	case v.kind == pyName && v.words[0] == "fs" && name == "globSync" && ok && len(args) == 1 && belowHere(args[0]):
		return pyListOf(pyAName)
	case v.kind == pyName && v.words[0] == "fs" && name == "readFileSync":
		return pyAnyText
	case v.kind == pyList && hasWord("filter slice sort reverse", name):
		return v
	case v.kind == pyText && ok && name == "replace":
		return r.replaced(v, args)
	case v.kind == pyText && name == "toLowerCase":
		return v.mapped(pyText, strings.ToLower)
	}
	return pyValue{}
}

// replaced is a text with the first of what is replaced in it.
func (r *nodeReader) replaced(v pyValue, args []pyValue) pyValue {
	if len(args) != 2 {
		return pyAnyText
	}
	old, ok1 := args[0].constant()
	with, ok2 := args[1].constant()
	if !ok1 || !ok2 || old == "" || strings.Contains(with, "$") {
		return pyAnyText
	}
	return v.mapped(pyText, func(w string) string {
		if mark.Has(w) && (strings.ContainsAny(with+old, "/") || strings.Contains(with, "..") || with == "" && !strings.HasPrefix(old, ".")) {
			return string(rune(mark.Unknown))
		}
		return strings.Replace(w, old, with, 1)
	})
}

// nodePaths is what a function of path returns (Node.js documentation, Path).
func nodePaths(name string, args []pyValue, ok bool) pyValue {
	if !ok || len(args) == 0 {
		return pyAnyText
	}
	out := args[0].text()
	switch name {
	case "join", "resolve":
		join := pathBelow
		if name == "join" {
			join = func(dir, name string) string {
				if dir == "" || name == "" || name[0] == mark.Unknown {
					return dir + name
				}
				return dir + "/" + strings.TrimLeft(name, "/")
			}
		}
		for _, a := range args[1:] {
			out = joinValues(pyText, out, a, join)
		}
		return out
	case "dirname":
		return out.mappedAll(pyText, parents)
	case "basename":
		if len(args) == 1 {
			return out.mapped(pyText, lastName)
		}
	case "normalize":
		return out
	}
	return pyAnyText
}

// array is a list of what stands in brackets.
func (r *nodeReader) array(i int) pyValue {
	list, ok := r.args(i)
	if !ok {
		return pyListOf(pyValue{})
	}
	if len(list) == 0 {
		return pyListOf(pyValue{}) // it is filled later
	}
	return pyListOf(pyValue{kind: pyTuple, items: list}.each())
}

// word is the union of all that a name is given.
func (r *nodeReader) word(name string) pyValue {
	list := r.binds[name]
	if len(list) == 0 && mark.Among(nodeModules, name) {
		return pyValue{kind: pyName, words: []string{name}} // node -e gives modules as globals
	}
	if len(list) == 0 || r.busy[name] || r.n.m.cell && !r.n.m.whole {
		return pyValue{}
	}
	r.busy[name] = true
	defer delete(r.busy, name)
	out := pyValue{kind: pyNothing}
	for _, b := range list {
		v := pyValue{}
		switch {
		case b.how == bindCallback:
			v = r.items(b)
		case b.how != bindUnknown:
			var end int
			v, end = r.value(b.from)
			if !r.ends(end, b.how) {
				v = pyValue{}
			}
		}
		if b.how == bindItem {
			v = v.each()
		}
		out = union(out, v)
	}
	if out.kind == pyList && !r.stays(name) {
		return pyListOf(pyValue{})
	}
	return out
}

// items are those of the array that a callback is handed to.
func (r *nodeReader) items(b nodeBinding) pyValue {
	stop := r.stop
	r.stop = b.to
	v, end := r.part(b.from)
	r.stop = stop
	if end != b.to {
		return pyValue{}
	}
	return v.each()
}

// ends says whether an expression is over at token i.
func (r *nodeReader) ends(i int, how byte) bool {
	toks := r.n.toks
	switch {
	case i >= len(toks):
		return i == len(toks)
	case is(toks, i, ";"), is(toks, i, ")"), how == bindValue && (is(toks, i, ",") || is(toks, i, "}")):
		return true
	}
	return how == bindValue && toks[i].gap && toks[i].kind == 'n' && !hasWord("in instanceof", toks[i].text)
}

// stays says whether an array is only looped over and asked.
func (r *nodeReader) stays(name string) bool {
	n := r.n
	for i, t := range n.toks {
		if t.kind != 'n' || t.text != name || n.is(i-1, ".") {
			continue
		}
		asked := n.is(i+1, ".") && i+2 < len(n.toks) && hasWord("forEach map filter some every find length includes join indexOf slice", n.toks[i+2].text)
		if !asked && !n.is(i-1, "of") && !(n.is(i+1, "=") && !n.is(i+2, "=")) {
			return false
		}
	}
	return true
}

// text is the string at i, a template with what stands in it, and where it ends.
func (r *nodeReader) text(i int) (pyValue, int) {
	text := r.n.toks[i].text
	i++
	if len(text) < 2 {
		return pyAnyText, i
	}
	if text[0] != '`' {
		return plainText(text[1:len(text)-1], false), i
	}
	out, start := pyTexts(pyText, ""), 1
	join := func(x, y string) string { return x + y }
	for k := 1; k < len(text)-1; {
		if text[k] == '\\' {
			return pyAnyText, r.afterParts(i)
		}
		if !strings.HasPrefix(text[k:], "${") {
			k++
			continue
		}
		end, ok := r.n.dialect().codeEnd(text, k+2, 0, "`")
		if !ok || !r.n.is(i, "{") {
			return pyAnyText, r.afterParts(i)
		}
		v, stop := r.value(i + 1)
		if stop != r.n.closing(i) {
			v = pyAnyText
		}
		out = joinValues(pyText, joinValues(pyText, out, plainText(text[start:k], true), join), v, join)
		i, k, start = r.n.closing(i)+1, end+1, end+1
	}
	return joinValues(pyText, out, plainText(text[start:len(text)-1], true), join), i
}

func (n *nodeCode) dialect() *dialect { return dialectOf("node") }

// afterParts is where the parts of a template end that starts before i.
func (r *nodeReader) afterParts(i int) int {
	for r.n.is(i, "{") && r.n.toks[i].at < 0 {
		i = r.n.closing(i) + 1
	}
	return i
}
