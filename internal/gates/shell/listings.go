package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells which files a run lists by their names, for whoever sees what lies there.

// Listing is what a run lists.
type Listing struct {
	Dirs    []string // as they are written; patterns have marks
	Deep    bool     // what lies below them too
	Hidden  bool     // hidden files too
	Ignored bool     // and those that git ignores
	picks   func(dir, rel string) bool
}

// Picks says whether a file below one of the directories may be listed.
func (l *Listing) Picks(dir, rel string) bool { return l.picks == nil || l.picks(dir, rel) }

// Lists reads the words of a run; ok is false where it lists no files.
func Lists(words []string) (l Listing, ok bool) {
	if len(words) == 0 {
		return l, false
	}
	switch path.Base(words[0]) {
	case "find", "gfind":
		l, ok = findLists(words[1:]), true
	case "ls", "gls":
		l, ok = lsLists(words[1:])
	case "fd", "fdfind":
		l, ok = fdLists(words[1:])
	}
	if ok && len(l.Dirs) == 0 {
		l.Dirs = []string{"."}
	}
	return l, ok
}

// Gives says whether a run hands what it lists to a program that it runs by itself (find(1), fd(1)). Not inlined,
// for the size of programs.
//
//go:noinline
func Gives(words []string) bool {
	for _, w := range words[1:] {
		name := strings.TrimLeft(w, "-")
		if mark.Among("X exec execdir ok okdir x", name) && name != w || strings.HasPrefix(w, "--exec") || len(w) < 5 && strings.HasPrefix(w, "-") && strings.HasSuffix(strings.ToLower(w), "x") {
			return true
		}
	}
	return false
}

func findLists(args []string) Listing {
	l := Listing{Deep: true, Hidden: true, Ignored: true}
	i := 0
	for ; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-D" && i+1 < len(args):
			i++
		case contains(a, "-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x", "--") || strings.HasPrefix(a, "-O"):
		case a == "" || a[0] == '-' || contains(a, "(", "!", ")", ","):
			expression := args[i:]
			l.picks = func(dir, rel string) bool { return findPicks(expression, dir, rel) }
			return l
		default:
			l.Dirs = append(l.Dirs, a)
		}
	}
	return l
}

func lsLists(args []string) (Listing, bool) {
	l := Listing{Ignored: true}
	for _, w := range args {
		switch {
		case len(w) > 1 && w[0] == '-' && w[1] != '-':
			l.Hidden = l.Hidden || strings.ContainsAny(w, "aAf")
			l.Deep = l.Deep || strings.Contains(w, "R")
		case w == "--all" || w == "--almost-all":
			l.Hidden = true
		case w == "--recursive":
			l.Deep = true
		case w != "" && w[0] != '-':
			l.Dirs = append(l.Dirs, w)
		}
	}
	return l, true
}

// fdLists reads the words of fd(1), whose patterns fold letters where they have no large one.
func fdLists(args []string) (Listing, bool) {
	l := Listing{Deep: true}
	opts, operands := fdWords(args)
	extension, glob, whole := "", false, false
	var leaves []string
	for _, o := range opts {
		switch trimPrefix(o.name, "--") {
		case "H", "hidden":
			l.Hidden = true
		case "I", "no-ignore", "no-ignore-vcs":
			l.Ignored = true
		case "u", "unrestricted":
			l.Hidden, l.Ignored = true, true
		case "e", "extension":
			extension = o.value
		case "g", "glob":
			glob = true
		case "p", "full-path":
			whole = true
		case "E", "exclude":
			leaves = append(leaves, patternText(o.value))
		}
	}
	if len(operands) > 1 {
		l.Dirs = operands[1:2]
	}
	patterns := fdPatterns(operands, extension, glob)
	any := whole || len(operands) > 0 && (operands[0] == "" || operands[0] == ".") && extension == "" || len(operands) == 0 && extension == ""
	l.picks = func(_, rel string) bool {
		name := strings.ToLower(lastElement(rel))
		fits := func(p string) bool { return mark.Match(strings.ToLower(p), name) }
		if slices.ContainsFunc(leaves, fits) {
			return false
		}
		return any || slices.ContainsFunc(patterns, fits)
	}
	return l, true
}

// fdWords are the options and the operands of fd(1), without the command that is run on what it
// finds.
func fdWords(args []string) (opts []option, operands []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return opts, append(operands, args[i+1:]...)
		}
		if len(a) < 2 || a[0] != '-' {
			operands = append(operands, a)
			continue
		}
		some, used := fdOptions.word(a, args[i+1:])
		if slices.ContainsFunc(some, func(o option) bool { return contains(o.name, "x", "X", "exec", "exec-batch") }) {
			break
		}
		opts = append(opts, some...)
		i += used
	}
	return opts, operands
}

// ListedNames is where names lie that a listing handed to a run, and by which pattern, empty for any.
type ListedNames struct {
	Dir, Name string
	Tracked   bool // git told them
}

// ListedIn reads a word of a run that stands for names of a listing.
func ListedIn(word string) (ListedNames, bool) {
	l, ok := listedAt(word)
	return ListedNames{l.dir, l.name, l.tracked}, ok
}
