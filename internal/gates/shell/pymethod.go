package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says what methods of texts, paths and collections of Python return (the
// library reference: String Methods, pathlib, Mapping Types).

// method is what a method of a value returns.
func (p *pyReader) method(v pyValue, name string, args pyArgs) pyValue {
	switch v.kind {
	case pyNothing:
		return v
	case pyText:
		return p.textMethod(v, name, args)
	case pyPath:
		return p.pathMethod(v, name, args)
	case pyDict:
		return p.dictMethod(v, name, args)
	case pyList:
		switch name {
		case "copy":
			return v
		case "pop":
			return v.each()
		}
	case pyFile:
		switch name {
		case "read", "readline":
			return pyAnyText
		case "readlines":
			return pyListOf(pyAnyText)
		}
	case pyBase:
		if hasWord("cursor execute executemany executescript", name) {
			return v
		}
	case pyZip:
		switch name {
		case "read":
			return pyAnyText
		case "namelist", "getnames":
			return pyListOf(pyAnyText)
		case "open":
			return pyValue{kind: pyFile, words: pyAnyText.words}
		}
	}
	return pyValue{}
}

func (p *pyReader) dictMethod(v pyValue, name string, args pyArgs) pyValue {
	switch name {
	case "items":
		return pyListOf(pyValue{kind: pyTuple, items: v.items})
	case "keys":
		return pyListOf(v.items[0])
	case "values":
		return pyListOf(v.items[1])
	case "get", "pop":
		if other, ok := args.get(p, 1, "default"); ok {
			return union(v.items[1], other)
		}
		return v.items[1]
	case "copy":
		return v
	}
	return pyValue{}
}

func (p *pyReader) textMethod(v pyValue, name string, args pyArgs) pyValue {
	switch name {
	case "lower", "casefold":
		return v.mapped(pyText, strings.ToLower)
	case "upper":
		return v.mapped(pyText, strings.ToUpper)
	case "capitalize", "title", "swapcase":
		if strings.Contains(strings.Join(v.words, ""), "/") {
			return pyAnyText
		}
		return v.mapped(pyText, func(w string) string {
			if strings.Trim(w, ".") == "" {
				return w
			}
			return string(rune(mark.Inside))
		})
	case "strip", "lstrip", "rstrip", "encode", "decode":
		if len(args.plain) == 0 || name == "encode" || name == "decode" {
			return v.mapped(pyText, strings.TrimSpace)
		}
	case "replace":
		return p.replaced(v, args)
	case "removesuffix", "removeprefix":
		cut, ok := args.first(p).constant()
		if !ok {
			return pyAnyText
		}
		return v.mapped(pyText, func(w string) string {
			if name == "removesuffix" {
				return trimSuffix(w, cut)
			}
			return trimPrefix(w, cut)
		})
	case "split", "splitlines":
		return p.split(v, name, args)
	case "join":
		return p.joins(v, args)
	case "format":
		return p.format(v, args)
	case "startswith", "endswith", "isdigit", "count", "find", "index", "isalpha":
		return pyValue{kind: pyNumber}
	}
	return pyAnyText
}

// joins is str.join: an item on its own, or several with the text between them.
func (p *pyReader) joins(v pyValue, args pyArgs) pyValue {
	list := args.first(p)
	if list.kind != pyTuple || len(list.items) == 0 {
		return pyAnyText
	}
	out := list.items[0].text()
	for _, it := range list.items[1:] {
		out = joinValues(pyText, joinValues(pyText, out, v, func(x, y string) string { return x + y }), it, func(x, y string) string { return x + y })
	}
	return out
}

// split is the parts of a constant text.
func (p *pyReader) split(v pyValue, name string, args pyArgs) pyValue {
	text, ok := v.constant()
	if !ok || len(args.named) > 0 || len(args.plain) > 1 {
		return pyListOf(pyAnyText)
	}
	parts := strings.Fields(text)
	if name == "splitlines" {
		parts = strings.Split(text, "\n")
	} else if sep, ok := args.first(p).constant(); len(args.plain) == 1 {
		if !ok || sep == "" {
			return pyListOf(pyAnyText)
		}
		parts = strings.Split(text, sep)
	}
	if len(parts) == 0 {
		return pyValue{kind: pyList}
	}
	return pyListOf(pyTexts(pyText, parts...))
}

// replaced is a text, or a name of which parts are unknown, with parts replaced by
// what cannot lead elsewhere.
func (p *pyReader) replaced(v pyValue, args pyArgs) pyValue {
	if len(args.plain) != 2 {
		return pyAnyText
	}
	old, ok1 := args.first(p).constant()
	with, ok2 := p.arg(args.plain[1]).constant()
	if !ok1 || !ok2 || old == "" {
		return pyAnyText
	}
	return v.mapped(pyText, func(w string) string {
		got := strings.ReplaceAll(w, old, with)
		if mark.Has(w) && (strings.Contains(with, "/") || strings.Contains(with, "..") || with == "" && !strings.HasPrefix(old, ".") || strings.Contains(old, "/")) {
			return string(rune(mark.Unknown))
		}
		return got
	})
}

// format is str.format with places in order, without names or forms.
func (p *pyReader) format(v pyValue, args pyArgs) pyValue {
	text, ok := v.constant()
	parts := strings.Split(text, "{}")
	if !ok || len(parts) != len(args.plain)+1 || len(args.named) > 0 || strings.ContainsAny(strings.Join(parts, ""), "{}") {
		return pyAnyText
	}
	out := pyTexts(pyText, parts[0])
	for i, a := range args.plain {
		out = joinValues(pyText, out, p.arg(a), func(x, y string) string { return x + y })
		out = joinValues(pyText, out, pyTexts(pyText, parts[i+1]), func(x, y string) string { return x + y })
	}
	return out
}

func (p *pyReader) pathMethod(v pyValue, name string, args pyArgs) pyValue {
	switch name {
	case "joinpath":
		return p.joinAll(pyPath, v, args)
	case "resolve", "absolute", "expanduser":
		return v
	case "as_posix", "__str__", "__fspath__":
		return v.text()
	case "with_suffix", "with_name", "with_stem":
		return p.renamed(v, name, args)
	case "iterdir":
		return pyListOf(inDirectory(v, pyPath, 1))
	case "glob", "rglob":
		pattern := args.first(p)
		if !pattern.known() || strings.Contains(strings.Join(pattern.words, " "), "..") || strings.HasPrefix(pattern.words[0], "/") {
			return pyValue{}
		}
		tail := pattern.mapped(pyText, globbed)
		if name == "rglob" {
			tail = tail.mapped(pyText, func(w string) string { return string(rune(mark.Inside)) + w })
		}
		return pyListOf(joinValues(pyPath, v, tail, libPath))
	case "relative_to":
		if strings.Contains(strings.Join(v.words, " "), "..") {
			return pyValue{}
		}
		return pyTexts(pyPath, string(rune(mark.Inside)))
	case "read_text", "read_bytes":
		return pyAnyText
	case "exists", "is_file", "is_dir", "is_symlink", "stat", "match":
		return pyValue{kind: pyNumber}
	case "open":
		return pyValue{kind: pyFile, words: v.words}
	}
	return pyValue{}
}

// renamed is a path with another last name or ending, which pathlib lets have no slash.
func (p *pyReader) renamed(v pyValue, name string, args pyArgs) pyValue {
	with := args.first(p)
	if !with.known() || strings.ContainsAny(strings.Join(with.words, ""), "/") {
		return pyValue{kind: pyPath, words: pyAnyText.words}
	}
	return joinValues(pyPath, v, with, func(w, with string) string {
		if firstByte(w, mark.Unknown) >= 0 {
			return w
		}
		dir, last := w[:lastSlash(w)+1], lastElement(w)
		switch name {
		case "with_suffix":
			return dir + stem(last) + with
		case "with_stem":
			return dir + with + ending(last)
		}
		return dir + with
	})
}
