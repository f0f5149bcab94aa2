package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file holds what an expression of Python may be, as far as its text tells: a
// text or a path of which parts may be unknown, or something that holds such. Nothing
// is run. A value is the union of all that a name is ever given, in whatever order,
// so it stands for more than the code computes and never for less.

// The kinds of values. The zero value is one of which nothing is known.
const (
	pyUnknown byte = iota
	pyNothing      // what has not been looked at yet; the union with it is the other
	pyNone         // None or a truth value, in whose place something else is expected
	pyNumber       // the text of one leads nowhere
	pyText
	pyPath   // of pathlib, or an entry of os.scandir
	pyList   // items[0] stands for every item, none if it is empty
	pyTuple  // its items
	pyDict   // items[0] stands for every key, items[1] for every value
	pyName   // words[0] is a module or a function of one: os.path.join, builtins.open
	pyFile   // an open file, words its paths
	pyZip    // an archive that is read or written
	pyBase   // a database of sqlite3, words its paths
	pyTree   // a document of xml.etree
	pyIni    // a reader of configparser
	pyLambda // a function that is written where it is used
)

// pyValue is what an expression may be.
type pyValue struct {
	kind  byte
	words []string // with markers
	items []pyValue
}

// maxPyWords bounds the texts that one value may be.
const maxPyWords = 48

// Texts of which only the kind is known: anything, and a name from a directory or a
// number, which never holds a slash or is two dots.
var (
	pyAnyText = pyValue{kind: pyText, words: []string{string(rune(mark.Unknown))}}
	pyAName   = pyValue{kind: pyText, words: []string{string(rune(mark.Inside))}}
)

// pyTexts is a text that is one of some. Not inlined, for the size of programs.
//
//go:noinline
func pyTexts(kind byte, words ...string) pyValue {
	if len(words) > maxPyWords {
		words = pyAnyText.words
	}
	return pyValue{kind: kind, words: words}
}

// pyListOf is a list of such values. Not inlined, for the size of programs.
//
//go:noinline
func pyListOf(elem pyValue) pyValue { return pyValue{kind: pyList, items: []pyValue{elem}} }

// known says whether every text of v is one of which a place can be told.
func (v pyValue) known() bool {
	if v.kind != pyText && v.kind != pyPath {
		return false
	}
	return len(v.words) > 0 && !slices.ContainsFunc(v.words, func(w string) bool { return firstByte(w, mark.Unknown) >= 0 })
}

// constant says whether v is one text without unknown parts.
func (v pyValue) constant() (string, bool) {
	if v.kind != pyText || len(v.words) != 1 || mark.Has(v.words[0]) {
		return "", false
	}
	return v.words[0], true
}

// union is what is either a or b.
func union(a, b pyValue) pyValue {
	switch {
	case a.kind == pyNothing, a.kind == pyNone && b.kind != pyNothing:
		return b
	case b.kind == pyNothing, b.kind == pyNone:
		return a
	case a.kind == pyNumber && (b.kind == pyText || b.kind == pyPath):
		return union(pyAName, b)
	case b.kind == pyNumber && (a.kind == pyText || a.kind == pyPath):
		return union(a, pyAName)
	case a.kind == pyText && b.kind == pyPath:
		a.kind = pyPath // whatever takes a path takes a text as well
	case a.kind == pyPath && b.kind == pyText:
	case a.kind == pyTuple && b.kind == pyList || a.kind == pyList && b.kind == pyTuple:
		return pyListOf(union(a.each(), b.each()))
	case a.kind != b.kind, a.kind == pyName && !slices.Equal(a.words, b.words):
		return pyValue{}
	}
	out := pyValue{kind: a.kind, words: slices.Clone(a.words)}
	out.add(b.words)
	return unionItems(out.bounded(), a, b)
}

// add adds texts that v may be.
func (v *pyValue) add(words []string) {
	for _, w := range words {
		if !isAmong(v.words, w) {
			v.words = append(v.words, w)
		}
	}
}

// bounded is v, or any text where it may be too many.
func (v pyValue) bounded() pyValue {
	if len(v.words) > maxPyWords {
		v.words = pyAnyText.words
	}
	return v
}

// unionItems adds to out what a and b hold.
func unionItems(out, a, b pyValue) pyValue {
	switch {
	case a.kind == pyTuple && len(a.items) != len(b.items):
		return pyListOf(union(a.each(), b.each()))
	case len(a.items) == 0:
		out.items = b.items
	case len(b.items) == 0:
		out.items = a.items
	default:
		for i := range min(len(a.items), len(b.items)) {
			out.items = append(out.items, union(a.items[i], b.items[i]))
		}
	}
	return out
}

// equal says whether two values are the same, words in the same order.
func (v pyValue) equal(w pyValue) bool {
	return v.kind == w.kind && slices.Equal(v.words, w.words) && slices.EqualFunc(v.items, w.items, pyValue.equal)
}

// each is what an item of v may be when it is looped over.
func (v pyValue) each() pyValue {
	switch v.kind {
	case pyNothing:
		return v
	case pyList, pyDict:
		if len(v.items) == 0 {
			return pyValue{kind: pyNothing}
		}
		return v.items[0]
	case pyTuple:
		out := pyValue{kind: pyNothing}
		for _, it := range v.items {
			out = union(out, it)
		}
		return out
	case pyText, pyFile:
		return pyAnyText
	}
	return pyValue{}
}

// at is item i of v. Not inlined, for the size of programs.
//
//go:noinline
func (v pyValue) at(i int) pyValue {
	if v.kind == pyTuple {
		if i < len(v.items) {
			return v.items[i]
		}
		return pyValue{}
	}
	return v.each()
}

// mapped is v with f done to each of its texts. Not inlined, for the size of programs.
//
//go:noinline
func (v pyValue) mapped(kind byte, f func(string) string) pyValue {
	return v.mappedAll(kind, func(w string) []string { return []string{f(w)} })
}

// mappedAll is v with each of its texts replaced by those that f makes of it.
func (v pyValue) mappedAll(kind byte, f func(string) []string) pyValue {
	if v.kind != pyText && v.kind != pyPath {
		if v.kind == pyNothing {
			return v
		}
		return pyValue{kind: kind, words: pyAnyText.words}
	}
	out := pyValue{kind: kind}
	for _, w := range v.words {
		if firstByte(w, mark.Unknown) >= 0 {
			return pyValue{kind: kind, words: pyAnyText.words}
		}
		out.add(f(w))
	}
	return out.bounded()
}

// text is v as a part of a text. Not inlined, for the size of programs.
//
//go:noinline
func (v pyValue) text() pyValue {
	switch v.kind {
	case pyText:
		return v
	case pyPath:
		v.kind = pyText
		return v
	case pyNumber, pyNone:
		return pyAName
	case pyNothing:
		return v
	}
	return pyAnyText
}

// joinValues is each text of a with each of b put together by f.
func joinValues(kind byte, a, b pyValue, f func(x, y string) string) pyValue {
	a, b = a.text(), b.text()
	if a.kind == pyNothing || b.kind == pyNothing {
		return pyValue{kind: pyNothing}
	}
	if len(a.words)*len(b.words) > maxPyWords {
		return pyValue{kind: kind, words: pyAnyText.words}
	}
	out := pyValue{kind: kind}
	for _, x := range a.words {
		for _, y := range b.words {
			if w := f(x, y); !isAmong(out.words, w) {
				out.words = append(out.words, w)
			}
		}
	}
	return out
}

// pathBelow joins a name to a directory, as os.path.join and pathlib do: one that starts
// at the root takes the place of what stands before it.
func pathBelow(dir, name string) string {
	switch {
	case name == "" && (dir == "" || strings.HasSuffix(dir, "/")):
		return dir
	case name == "":
		return dir + "/"
	case name[0] == '/' || name[0] == mark.Unknown || dir == "":
		return name
	case strings.HasSuffix(dir, "/"):
		return dir + name
	}
	return dir + "/" + name
}

// libPath joins as pathlib does, which leaves out dots and slashes that say nothing.
func libPath(dir, name string) string {
	w := pathBelow(dir, name)
	for strings.Contains(w, "//") || strings.Contains(w, "/./") {
		w = strings.ReplaceAll(strings.ReplaceAll(w, "//", "/"), "/./", "/")
	}
	for strings.HasPrefix(w, "./") {
		w = w[2:]
	}
	w = trimSuffix(w, "/.")
	if len(w) > 1 {
		w = trimSuffix(w, "/")
	}
	if w == "" {
		return "."
	}
	return w
}

// parents is the directory of a path. A marker stands for one name or more, so the
// directory is the one before it or any below that.
func parents(p string) []string {
	p = strings.TrimRight(p, "/")
	i := lastByte(p, '/')
	last, dir := p[i+1:], "."
	switch {
	case i == 0:
		dir = "/"
	case i > 0:
		dir = p[:i]
	}
	switch {
	case firstByte(last, mark.Inside) >= 0, firstByte(last, mark.Star) >= 0:
		return []string{p, dir}
	case p == "":
		return []string{"/"}
	case last == "..", mark.Has(last):
		return []string{string(rune(mark.Unknown))}
	}
	return []string{dir}
}

// lastName is the last name of a path.
func lastName(p string) string {
	p = p[lastByte(p, '/')+1:]
	if p == ".." || p == "" {
		return string(rune(mark.Unknown))
	}
	return p
}

// stem is a path without its ending.
func stem(p string) string {
	i := lastByte(p, '.')
	if i <= lastByte(p, '/')+1 || strings.HasSuffix(p, ".") {
		return p
	}
	return p[:i]
}

// ending is what stem cuts off.
func ending(p string) string {
	if mark.Has(p) {
		return string(rune(mark.Unknown)) // it may be empty
	}
	return p[len(stem(p)):]
}
