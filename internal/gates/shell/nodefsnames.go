package shell

import "strings"

// This file writes inline JavaScript that has Node.js's module fs under other names as code that
// calls it by that name, so that its paths are judged: names that are taken out of it, another name
// for it, what import() gives, and its promises, which take the same paths (nodejs.org, File
// system; ECMAScript modules). Where a name is used for anything but a call, all stays as it stands.

// fsName is what a name of the code stands for: the module, where function is empty, or one of its
// functions.
type fsName struct {
	function string
	promises bool
}

// fsNames is code while its names for the module are read.
type fsNames struct {
	n      *nodeCode
	names  map[string]fsName
	cuts   []fsCut
	spans  [][2]int // tokens of what declares the names
	needed bool     // what is put in calls the module by its name
}

// fsCut is a piece of the text with what stands in its place.
type fsCut struct {
	from, to int
	text     string
}

// namedFs is the code in such words.
func namedFs(text string) string {
	if !strings.Contains(text, "fs") && !strings.Contains(text, "import") || !strings.Contains(text, "import") && !strings.Contains(text, "require") {
		return text
	}
	l := lexer{d: dialectOf("node"), whole: true}
	if l.cut(text, true); l.bad != "" {
		return text
	}
	f := fsNames{n: &nodeCode{toks: l.toks}, names: map[string]fsName{}}
	f.n.pairBrackets()
	for i := range f.n.toks {
		if !f.declared(i) {
			return text
		}
	}
	if declared := len(f.cuts); declared == 0 || !f.used() || f.needed && len(f.names) > 0 && len(f.cuts) == declared {
		return text
	}
	said, ok := f.said(text)
	if !ok {
		return text
	}
	if f.needed {
		return `const fs = require("fs"); ` + said
	}
	return said
}

// said is the text with the pieces put in; ok is false where they overlap.
func (f *fsNames) said(text string) (said string, ok bool) {
	var b strings.Builder
	at := 0
	for _, c := range f.cuts {
		if c.from < at {
			return "", false
		}
		b.WriteString(text[at:c.from] + c.text)
		at = c.to
	}
	return b.String() + text[at:], true
}

// brought reads what gives the module at i, require(…), await import(…), with .promises or
// .default behind it and in parentheses; end is behind it.
func (f *fsNames) brought(i int) (end int, promises, ok bool) {
	n := f.n
	if n.is(i, "(") {
		inner, p, ok := f.brought(i + 1)
		if !ok || !n.is(inner, ")") {
			return 0, false, false
		}
		return f.part(inner+1, p)
	}
	if n.is(i, "await") {
		i++
		if !n.is(i, "import") {
			return 0, false, false
		}
	} else if !n.is(i, "require") {
		return 0, false, false
	}
	mod := trimPrefix(n.quoted(i+2), "node:")
	if !n.is(i+1, "(") || !n.is(i+3, ")") || mod != "fs" && mod != "fs/promises" {
		return 0, false, false
	}
	if n.is(i, "import") {
		return i + 4, mod != "fs", true
	}
	return f.part(i+4, mod != "fs")
}

// part reads .promises and .default behind the module.
func (f *fsNames) part(i int, promises bool) (end int, p, ok bool) {
	for f.n.is(i, ".") && (f.n.is(i+1, "default") || f.n.is(i+1, "promises") && !promises) {
		promises = promises || f.n.is(i+1, "promises")
		i += 2
	}
	return i, promises, true
}

// ends says whether a statement ends before token i.
func (f *fsNames) ends(i int) bool {
	return i >= len(f.n.toks) || f.n.is(i, ";") || f.n.toks[i].gap && f.n.toks[i].kind == 'n'
}

// cut puts a text in the place of some tokens. Not inlined, for the size of programs.
//
//go:noinline
func (f *fsNames) cut(from, to int, text string) bool {
	first, last := f.n.toks[from], f.n.toks[to-1]
	if first.at < 0 || last.at < 0 {
		return false
	}
	f.spans = append(f.spans, [2]int{from, to})
	f.cuts = append(f.cuts, fsCut{first.at, last.at + len(last.text), text})
	for k := len(f.cuts) - 1; k > 0 && f.cuts[k].from < f.cuts[k-1].from; k-- { // they stand as in the text
		f.cuts[k], f.cuts[k-1] = f.cuts[k-1], f.cuts[k]
	}
	return true
}

// take notes the names that are bound at i, before end; ok is false where they are not plain.
func (f *fsNames) take(i, end int, promises bool) bool {
	n := f.n
	if n.name(i) != "" && end == i+1 {
		return f.note(n.toks[i].text, fsName{"", promises})
	}
	if !n.is(i, "{") || n.closing(i) != end-1 {
		return false
	}
	list := n.bindings(i)
	for own, name := range list {
		if name == "default" || name == "promises" {
			if !f.note(own, fsName{"", promises || name == "promises"}) {
				return false
			}
		} else if !f.note(own, fsName{name, promises}) {
			return false
		}
	}
	return len(list) > 0
}

// note keeps what a name stands for: false for one that is bound twice, or a keyword.
func (f *fsNames) note(name string, v fsName) bool {
	if _, twice := f.names[name]; twice || hasWord(nodeKeywords, name) {
		return false
	}
	f.needed = true
	f.names[name] = v
	return true
}

// declared reads a declaration at i, if one stands there.
func (f *fsNames) declared(i int) bool {
	n := f.n
	switch {
	case n.is(i, "require") && !n.is(i-1, ".") && !n.is(i-1, "="), n.is(i, "(") && n.is(i+1, "await") && n.is(i+2, "import"):
		end, promises, ok := f.brought(i)
		if !ok || !n.is(end, ".") || end+1 >= len(n.toks) || !n.is(end+2, "(") || n.is(i, "require") && !promises {
			break
		}
		name := n.toks[end+1].text
		if promises {
			name += "Sync"
		}
		_, known := nodeFile(name)
		f.needed = true
		return known && f.cut(i, end+2, "fs."+name)
	case n.is(i, "import") && n.is(i+1, ".") && n.is(i+2, "meta") && n.is(i+3, ".") && i+4 < len(n.toks) && hasWord("dirname filename url", n.toks[i+4].text):
		return f.cut(i, i+5, "process.cwd()")
	case n.is(i, "const") && n.is(i+1, "require") && n.is(i+2, "=") && n.is(i+3, "createRequire") && n.is(i+4, "(") && n.is(i+5, "import") && n.is(i+10, ")"):
		return f.cut(i, i+3, "") && f.cut(i+3, i+4, "String")
	case n.is(i, "import") && n.is(i+1, "{") && n.is(i+2, "createRequire") && n.is(i+3, "}") && n.is(i+4, "from") && hasWord("module node:module", n.quoted(i+5)) && f.ends(i+6) && f.requires():
		return f.cut(i, i+6, "")
	case n.is(i, "const") && !n.is(i-1, "."):
		eq := i + 2
		if n.is(i+1, "{") {
			eq = n.closing(i+1) + 1
		}
		if end, promises, ok := f.brought(eq + 1); n.is(eq, "=") && ok && f.ends(end) {
			return f.take(i+1, eq, promises) && f.cut(i, end, "")
		}
	case n.is(i, "import") && n.is(i+1, "(") && !n.is(i-1, "."):
		mod := trimPrefix(n.quoted(i+2), "node:")
		if (mod == "fs" || mod == "fs/promises") && n.is(i+3, ")") && n.is(i+4, ".") && n.is(i+5, "then") && n.is(i+6, "(") {
			return f.then(i, mod != "fs")
		}
	case n.is(i, "import") && !n.is(i+1, ".") && !n.is(i-1, "."):
		k := i + 1
		for k < len(n.toks) && k < i+40 && !n.is(k, "from") && n.toks[k].kind != 's' {
			k++
		}
		mod := trimPrefix(n.quoted(k+1), "node:")
		if !n.is(k, "from") || mod != "fs" && mod != "fs/promises" || !f.ends(k+2) {
			break
		}
		first := i + 1
		if n.is(first, "*") && n.is(first+1, "as") {
			first += 2
		}
		return f.take(first, k, mod != "fs") && f.cut(i, k+2, "")
	}
	return true
}

// requires says whether createRequire only makes the require of the code itself.
func (f *fsNames) requires() bool {
	n, uses := f.n, 0
	for i := range n.toks {
		if n.is(i, "createRequire") {
			if uses++; uses == 2 && !(n.is(i-1, "=") && n.is(i-2, "require") && n.is(i-3, "const") && n.is(i+2, "import") && n.is(i+4, "meta") && n.is(i+6, "url") && n.is(i+7, ")")) {
				return false
			}
		}
	}
	return uses == 2
}

// then reads import(…).then(NAME => …): the function runs when the module is there.
func (f *fsNames) then(i int, promises bool) bool {
	n := f.n
	k := i + 7
	if n.is(k, "async") {
		k++
	}
	first, end := k, k+1
	if n.is(k, "(") {
		first, end = k+1, n.closing(k)
	}
	arrow := end
	if n.is(k, "(") {
		arrow++
	}
	return n.is(arrow, "=") && n.is(arrow+1, ">") && f.take(first, end, promises) && f.cut(i, i+4, "Promise.resolve()") && f.cut(k, arrow, "()")
}

// declares says whether token i is a part of what declares the names.
func (f *fsNames) declares(i int) bool {
	for _, s := range f.spans {
		if i >= s[0] && i < s[1] {
			return true
		}
	}
	return false
}

// used says whether each use of the names is a call of a function whose path is its first
// argument, and notes what to write for it.
func (f *fsNames) used() bool {
	n := f.n
	for i, t := range n.toks {
		v, ok := f.names[t.text]
		if t.kind != 'n' || !ok && t.text != "fs" || f.declares(i) {
			continue
		}
		end := i
		if ok && v.function == "" && n.is(i+1, ".") && i+2 < len(n.toks) {
			end = i + 2
			v.function = n.toks[end].text
		}
		name := v.function
		if v.promises {
			name += "Sync"
		}
		if _, known := nodeFile(name); !ok || !known || n.is(i-1, ".") || !n.is(end+1, "(") || n.is(i-1, "function") || n.is(i-1, "new") || n.is(n.closing(end+1)+1, "{") || !f.cut(i, end+1, "fs."+name) {
			return false
		}
	}
	return true
}
