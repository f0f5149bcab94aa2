package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file is about searches of whole trees: one that prints names or numbers shows no
// contents, and one that is confined to names looks into no other files.

// sought is what a search's words say of it.
type sought struct {
	prints bool     // what files hold
	files  []string // patterns of the names of those that it looks into; empty for all
}

// searcher are the options of a program that searches (grep(1) of GNU; rg(1)), as far as
// they neither start programs nor follow links nor read patterns from files. One with any
// other is read as one that prints what it finds, wherever that is.
type searcher struct {
	names  string // letters after which names or numbers alone are printed, whatever else is asked for
	flags  string
	values string // letters with a value
	long   []string
	name   []string // long ones like names
	value  []string // long ones with a value
	files  []string // options whose value is a pattern of names
	types  []string // options whose value is a kind of files
}

// searchers are those programs.
var searchers = map[string]searcher{
	"grep": {
		names: "lLcq", flags: "EFGPivwxsHhnbaIUzZTro", values: "eABCm",
		long: []string{"--extended-regexp", "--fixed-strings", "--perl-regexp", "--ignore-case", "--invert-match", "--word-regexp", "--line-regexp", "--no-messages", "--with-filename", "--no-filename", "--line-number", "--recursive", "--only-matching", "--color", "--text"},
		name: []string{"--files-with-matches", "--files-without-match", "--count", "--quiet", "--silent"}, value: []string{"--regexp", "--after-context", "--before-context", "--context", "--max-count", "--exclude", "--exclude-dir"}, files: []string{"--include"},
	},
	"rg": {
		names: "lc", flags: "sFivxUPSawbnNHI0op", values: "eABCmjM",
		long: []string{"--case-sensitive", "--fixed-strings", "--ignore-case", "--invert-match", "--line-regexp", "--multiline", "--pcre2", "--smart-case", "--text", "--word-regexp", "--column", "--heading", "--no-heading", "--line-number", "--no-line-number", "--with-filename", "--no-filename", "--only-matching", "--hidden"},
		name: []string{"--files", "--files-with-matches", "--files-without-match", "--count", "--count-matches"}, value: []string{"--regexp", "--after-context", "--before-context", "--context", "--max-count", "--max-columns", "--max-depth", "--color", "--sort"}, files: []string{"-g", "--glob"}, types: []string{"-t", "--type"},
	},
}

// kinds are ripgrep's names of kinds of files (rg --type-list) that are code or documents,
// with an ending of each.
var kinds = map[string]string{
	"c": "c", "cpp": "cpp", "cs": "cs", "css": "css", "dart": "dart", "elixir": "ex", "go": "go", "haskell": "hs", "html": "html", "java": "java", "js": "js", "kotlin": "kt", "lua": "lua", "markdown": "md", "md": "md", "php": "php",
	"protobuf": "proto", "py": "py", "python": "py", "rs": "rs", "rst": "rst", "rust": "rs", "scala": "scala", "svelte": "svelte", "swift": "swift", "tex": "tex", "ts": "ts", "typescript": "ts", "vue": "vue", "zig": "zig",
}

// searchOf reads the words of the runs that read effect e: one effect may be that of several, and
// what one of them prints is printed.
func (c *Context) searchOf(e *Effect) sought {
	var out sought
	runs := 0
	for k := range c.runs {
		if !slices.Contains(c.runs[k].Effects, c.indexOf(e)) {
			continue
		}
		one := searchIn(&c.runs[k], e.Program)
		switch runs++; {
		case !one.prints:
		case !out.prints:
			out = one
		case len(one.files) == 0 || len(out.files) == 0:
			out.files = nil
		default:
			out.files = append(out.files, one.files...)
		}
	}
	if runs == 0 {
		return sought{prints: true}
	}
	return out
}

// searchIn reads the words of one run.
func searchIn(run *effect.Run, program string) sought {
	all := sought{prints: true}
	s, known := searchers[program]
	if !known || len(run.Words) == 0 || path.Base(run.Words[0]) != program {
		return all
	}
	out := all
	for words := run.Words[1:]; len(words) > 0; words = words[1:] {
		w := words[0]
		if mark.Has(w) {
			return all
		}
		switch {
		case w == "--":
			return out
		case len(w) < 2 || w[0] != '-':
			continue
		}
		name, value, given := cutAt(w, "=")
		if w[1] != '-' {
			name, value, given = s.cluster(w)
		}
		takes := isAmong(s.value, name) || isAmong(s.files, name) || isAmong(s.types, name) || len(name) == 2 && strings.Contains(s.values, name[1:])
		if takes && !given {
			if len(words) < 2 || mark.Has(words[1]) {
				return all
			}
			value, words = words[1], words[1:]
		}
		if !out.option(&s, name, value, takes) {
			return all
		}
	}
	return out
}

// cluster takes an option that a word of letters ends in, with its value, if it has one.
// A word of flags alone stays as it is.
func (s *searcher) cluster(w string) (name, value string, given bool) {
	for i := 1; i < len(w); i++ {
		letter := w[i : i+1]
		if strings.Contains(s.values, letter) || isAmong(s.files, "-"+letter) || isAmong(s.types, "-"+letter) {
			if i > 1 {
				return w, "", false // two options in one word are no more than an ordinary search
			}
			return w[:2], trimPrefix(w[2:], "="), len(w) > 2
		}
	}
	return w, "", false
}

// option takes in one option, and says whether it is one that is known.
func (s *sought) option(p *searcher, name, value string, takes bool) bool {
	switch {
	case isAmong(p.name, name):
		s.prints = false
	case isAmong(p.files, name):
		s.files = append(s.files, patterns(value)...)
	case isAmong(p.types, name):
		ending, ok := kinds[value]
		if !ok {
			return false
		}
		s.files = append(s.files, "*."+ending)
	case takes, isAmong(p.long, name):
	case name[1] != '-' && strings.Trim(name[1:], p.flags+p.names) == "":
		s.prints = s.prints && !strings.ContainsAny(name[1:], p.names)
	default:
		return false
	}
	return true
}

// patterns are the patterns of names in what a search is confined by: several with commas
// or blanks between them, and with braces. What a search leaves out confines it to nothing.
func patterns(glob string) []string {
	var out []string
	depth := 0
	for _, one := range strings.FieldsFunc(glob, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth == 0 && (r == ',' || r == ' ')
	}) {
		if one[0] != '!' {
			out = append(out, braces(one)...)
		}
	}
	return out
}

// braces are the patterns that one pair of braces stands for; more are left as they are.
func braces(pattern string) []string {
	before, rest, ok := cutAt(pattern, "{")
	inner, after, closed := cutAt(rest, "}")
	if !ok || !closed || strings.ContainsAny(inner+after, "{}") {
		return []string{path.Base(pattern)}
	}
	var out []string
	for one := range strings.SplitSeq(inner, ",") {
		out = append(out, path.Base(before+one+after))
	}
	return out
}

// searchesSecrets says whether a search of a directory looks into files with names of secrets. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) searchesSecrets(dir string, s sought, tracked bool) bool {
	if !s.prints {
		return false
	}
	return slices.ContainsFunc(s.files, func(pattern string) bool {
		if c.holds == nil || strings.Contains(dir, "…") {
			return !names.Texts(pattern)
		}
		return strings.ContainsAny(pattern, "{}\\") || c.holds(dir+"/**/"+pattern, tracked)
	})
}

// toolSearch is what the arguments of a tool's search say of it.
func (c *Context) toolSearch() sought {
	out := sought{prints: true}
	for i := range c.Args {
		switch a := &c.Args[i]; a.Path {
		case "glob", "include", "include_pattern", "file_pattern":
			out.files = append(out.files, patterns(a.Value)...)
		case "type":
			ending, ok := kinds[a.Value]
			if !ok {
				return sought{prints: true}
			}
			out.files = append(out.files, "*."+ending)
		}
	}
	return out
}
