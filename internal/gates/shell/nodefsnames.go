package shell

import "strings"

// This file reads functions of Node.js's fs that code takes out of the module, and those of
// fs/promises, which touch what the functions of the same names touch that return at once
// (Node.js documentation, File system, Promises API): each call is written as require("fs").NAME.

// fsNames looks for such names in code.
type fsNames struct {
	*nodeCode
	names   map[string]string // what code calls a function, and its name in fs
	modules map[string]bool   // what code calls fs/promises
	taken   map[int]bool      // tokens of declarations
	edits   []codeStart
}

// withFsNames is code in which the functions of fs go by the module's name; the same code where
// one is used for anything but a call.
func withFsNames(text string) string {
	f := fsNames{nodeCode: &nodeCode{}, names: map[string]string{}, modules: map[string]bool{}, taken: map[int]bool{}}
	var bad string
	if f.toks, bad = dialectOf("node").tokens(text); bad != "" {
		return text
	}
	f.pairBrackets()
	for i := range f.toks {
		if !f.takes(i) {
			return text
		}
	}
	if len(f.edits) == 0 {
		return text
	}
	for i := range f.toks {
		if !f.taken[i] && !f.calls(i) {
			return text
		}
	}
	return edited(text, f.edits)
}

// takes reads a declaration at i that takes names out of fs, or names fs/promises; false for
// one that is not followed.
func (f *fsNames) takes(i int) bool {
	if is(f.toks, i, "import") {
		j := i + 1
		if is(f.toks, j, "*") && is(f.toks, j+1, "as") {
			j += 2
		}
		end := j + 1
		if is(f.toks, j, "{") {
			end = f.closing(j) + 1
		}
		if !is(f.toks, end, "from") || end+1 >= len(f.toks) || f.toks[end+1].kind != 's' {
			return true
		}
		return f.declared(j, end, end+2, i, unquotedJS(f.toks[end+1].text), ";")
	}
	if !is(f.toks, i, "require") || !is(f.toks, i-1, "=") || !is(f.toks, i+1, "(") || f.closing(i+1) != i+3 || f.toks[i+2].kind != 's' {
		return true
	}
	mod, end, from := unquotedJS(f.toks[i+2].text), i+4, i-2
	if is(f.toks, end, ".") && is(f.toks, end+1, "promises") {
		mod, end = mod+"/promises", end+2
	}
	if is(f.toks, end, ".") || is(f.toks, end, "(") || is(f.toks, end, "[") {
		return true
	}
	if is(f.toks, from, "}") {
		from = f.opening(from)
	}
	if from < 1 || !is(f.toks, from-1, "const") && !is(f.toks, from-1, "let") && !is(f.toks, from-1, "var") && !is(f.toks, from-1, ",") {
		return true
	}
	return f.declared(from, i-1, end, from, mod, "{} = {}")
}

// declared notes what a declaration binds between the tokens from and to; all of it, which
// begins at token start and ends before end, is left out of the code.
func (f *fsNames) declared(from, to, end, start int, mod, instead string) bool {
	mod, promises := strings.CutSuffix(strings.TrimPrefix(mod, "node:"), "/promises")
	pattern := is(f.toks, from, "{")
	if mod != "fs" || !pattern && !promises {
		return true
	}
	if f.toks[start].at < 0 || f.toks[end-1].at < 0 || !pattern && f.name(from) == "" {
		return false
	}
	if !pattern {
		f.modules[f.toks[from].text] = true
	}
	for i := from + 1; pattern && i < to-1; i++ {
		name, alias := f.toks[i].text, i
		if is(f.toks, i+1, ":") || is(f.toks, i+1, "as") {
			alias = i + 2
		}
		if f.name(alias) == "" || !is(f.toks, alias+1, ",") && !is(f.toks, alias+1, "}") {
			return false
		}
		if name == "promises" && !promises {
			f.modules[f.toks[alias].text] = true
		} else if full, ok := fsFunction(name, promises); ok {
			f.names[f.toks[alias].text] = full
		} else {
			return false
		}
		i = alias + 1
	}
	last := f.toks[end-1]
	f.edits = append(f.edits, codeStart{from: f.toks[start].at, to: last.at + len(last.text), instead: instead})
	for i := start; i < end; i++ {
		f.taken[i] = true
	}
	return true
}

// fsFunction is the name under which nodeFiles has a function of fs or of fs/promises.
func fsFunction(name string, promises bool) (string, bool) {
	if promises {
		name += "Sync"
	}
	_, ok := nodeFile(name)
	return name, ok
}

// calls says whether token i is none of the names, or a call by one, which is noted.
func (f *fsNames) calls(i int) bool {
	t := f.toks[i]
	if t.kind != 'n' || is(f.toks, i-1, ".") && !(is(f.toks, i-2, ".") && is(f.toks, i-3, ".")) {
		return true
	}
	full, ok := f.names[t.text]
	open := i + 1
	if !ok && f.modules[t.text] {
		if !is(f.toks, i+1, ".") || i+2 >= len(f.toks) {
			return false
		}
		if full, ok = fsFunction(f.toks[i+2].text, true); !ok {
			return false
		}
		open = i + 3
	}
	if !ok {
		return true
	}
	last := f.toks[open-1]
	if t.at < 0 || last.at < 0 || !is(f.toks, open, "(") || is(f.toks, i-1, "function") || is(f.toks, i-1, "new") || is(f.toks, f.closing(open)+1, "{") || f.closing(open) == len(f.toks) {
		return false
	}
	f.edits = append(f.edits, codeStart{from: t.at, to: last.at + len(last.text), instead: `require("fs").` + full})
	return true
}

// unquotedJS is what stands in the quotes of a string, empty where that takes more than to
// take them off.
func unquotedJS(text string) string {
	if len(text) < 2 || text[0] == '`' || strings.Contains(text, `\`) {
		return ""
	}
	return text[1 : len(text)-1]
}

// edited is a text with other texts in the place of parts of it, which do not overlap.
func edited(text string, edits []codeStart) string {
	out := text
	for from := len(text); ; {
		next := -1
		for i := range edits {
			if edits[i].from < from && (next < 0 || edits[i].from > edits[next].from) {
				next = i
			}
		}
		if next < 0 {
			return out
		}
		e := &edits[next]
		out, from = out[:e.from]+e.instead+out[e.to:], e.from
	}
}
