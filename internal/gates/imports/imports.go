package imports

import (
	"slices"
	"strings"
)

// Reading is what code brings in.
type Reading struct {
	// Modules are the modules that the code names, sorted, in the form of a list's
	// entries: numpy.linalg, node:fs.
	Modules []string
	// Why says what can bring in modules that are not named, or why the text cannot be
	// read; empty for nothing. In words that go on from "the code ".
	Why string
}

// None is the one entry of a list that covers no module.
const None = "none"

// nodePrefix begins the modules of JavaScript.
const nodePrefix = "node:"

// maxText bounds what is read, and maxModules what is kept of it.
const (
	maxText    = 64 << 10
	maxModules = 256
)

// Read reads code of a language, by the name of its interpreter without a version.
func Read(lang, text string) Reading {
	var r reader
	switch {
	case lang != "python" && lang != "node":
		return Reading{Why: "is of a language whose imports nobody reads: " + lang}
	case len(text) > maxText:
		return Reading{Why: "is too long to be read"}
	case lang == "python":
		r.python(text)
	default:
		r.node(text)
	}
	slices.Sort(r.modules)
	return Reading{slices.Compact(r.modules), r.why}
}

// reader is one reading, of any language.
type reader struct {
	toks    []token
	modules []string
	why     string
}

// refuse notes the first thing that cannot be read.
func (r *reader) refuse(why string) {
	if r.why == "" {
		r.why = why
	}
}

func (r *reader) module(name string) {
	if len(r.modules) >= maxModules {
		r.refuse("brings in too many modules")
		return
	}
	r.modules = append(r.modules, name)
}

// Missing are the modules of a reading that a list does not cover, in order.
func (r *Reading) Missing(list []string) []string {
	return slices.DeleteFunc(slices.Clone(r.Modules), func(m string) bool { return Covered(m, list) })
}

// Covered says whether a list has a module, or a package that it is part of.
func Covered(module string, list []string) bool {
	return slices.ContainsFunc(list, func(entry string) bool { return covers(entry, module) })
}

func covers(entry, module string) bool {
	rest, ok := strings.CutPrefix(module, entry)
	if !ok || entry == None {
		return false
	}
	part := byte('.')
	if strings.HasPrefix(module, nodePrefix) {
		part = '/'
	}
	return rest == "" || rest[0] == part
}

// Both is the list of what two lists cover; a list without entries covers everything.
func Both(a, b []string) []string {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	var out []string
	for _, x := range a {
		if Covered(x, b) {
			out = append(out, x)
		}
	}
	for _, y := range b {
		if Covered(y, a) {
			out = append(out, y)
		}
	}
	if len(out) == 0 {
		return []string{None}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Fault says what is wrong with an entry of a list, or nothing.
func Fault(entry string) string {
	name, js := strings.CutPrefix(entry, nodePrefix)
	switch {
	case js && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@/._-") == "" && name[0] != '.' && name[0] != '/' && !strings.HasSuffix(name, "/"):
		return ""
	case js:
		return "is no name of a module of JavaScript: give node:fs, node:lodash or node:@scope/name"
	}
	for part := range strings.SplitSeq(entry, ".") {
		if nameLen(part) != len(part) || part == "" || isDigit(part[0]) {
			return "is no name of a module: give numpy, os.path, node:fs, or none alone for no module at all"
		}
	}
	return ""
}
