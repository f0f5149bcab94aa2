package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file tells by which names an expression of find(1) finds files, and keeps of a listing
// where its names lie and how they end: what is done with them is bounded by that (GNU
// findutils manual, "Finding Files"; POSIX.1-2017, find).

// maxFound bounds the patterns that are followed one by one.
const maxFound = 8

// findNames are the names that the actions of an expression are done with.
type findNames struct {
	args  []string
	i     int
	depth int
	at    map[int][]string // of each action, by its place; nil for any name
}

// foundBy reads an expression: the patterns of names of what it prints, nil for any, and of
// what each action is done with.
func foundBy(args []string) (printed []string, at map[int][]string) {
	f := findNames{args: args, at: map[int][]string{}}
	all := f.either(nil)
	if f.i != len(args) { // no expression that is read here
		return nil, map[int][]string{}
	}
	if len(f.at) == 0 {
		return all, f.at
	}
	first := true
	for i, names := range f.at {
		if strings.HasPrefix(args[i], "-print") {
			printed, first = unionNames(printed, names, first), false
		}
	}
	return printed, f.at
}

// either reads terms that -o or a comma joins; known is what holds before them.
func (f *findNames) either(known []string) []string {
	if f.depth++; f.depth > maxFound {
		f.i = len(f.args) + 1
		return nil
	}
	out := f.all(known)
	for f.i < len(f.args) && contains(f.args[f.i], "-o", "-or", ",") {
		f.i++
		out = unionNames(out, f.all(known), false)
	}
	f.depth--
	return out
}

// all reads tests that all must hold.
func (f *findNames) all(known []string) []string {
	for f.i < len(f.args) && !contains(f.args[f.i], "-o", "-or", ",", ")") {
		known = f.test(known)
	}
	return known
}

// test reads one test or action and returns what holds after it.
func (f *findNames) test(known []string) []string {
	at, a := f.i, f.args[f.i]
	f.i++
	switch {
	case a == "!" || a == "-not":
		if f.i < len(f.args) {
			f.test(known) // what does not match may be anything
		}
	case a == "(":
		known = f.either(known)
		f.i++ // the bracket; past the end where there is none
	case contains(a, "-exec", "-execdir", "-ok", "-okdir"):
		f.at[at] = known
		for f.i < len(f.args) && f.args[f.i] != ";" && !(f.args[f.i] == "+" && f.i > at+1) {
			f.i++
		}
		f.i++
	case strings.HasPrefix(a, "-print") || a == "-delete" || a == "-ls":
		f.at[at] = known
		if a == "-printf" {
			f.i++
		}
	case strings.HasPrefix(a, "-fprint") || a == "-fls":
		f.at[at] = known
		f.i++
		if a == "-fprintf" {
			f.i++
		}
	case mark.Among(findValued, a):
		if a == "-name" && f.i < len(f.args) && known == nil {
			if name, ok := foundName(f.args[f.i]); ok {
				known = []string{name}
			}
		}
		f.i++
	case mark.Has(a):
		f.i = len(f.args) + 1
	}
	return known
}

// findValued are the tests and options of find(1) that take a value. Sorted.
const findValued = "-amin -anewer -atime -cmin -cnewer -context -ctime -files0-from -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin " +
	"-mtime -name -newer -newerBB -newerBm -newerac -neweram -newercm -newermB -newermt -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename " +
	"-xtype"

// foundName is a pattern of -name with its stars marked. One with brackets or question marks
// is taken for none, and one of hidden names, as long as it is no name.
func foundName(word string) (string, bool) {
	name := plain(word)
	if name == "" || mark.Has(name) || strings.ContainsAny(name, "[]?\\/ \t\n'\"") || name[0] == '.' && strings.Contains(name, "*") || strings.Trim(name, "*") == "" {
		return "", false
	}
	return strings.ReplaceAll(name, "*", string(rune(mark.Star))), true
}

// unionNames are the names of both lists; nil, any name, where one is.
func unionNames(a, b []string, first bool) []string {
	switch {
	case first:
		return b
	case a == nil || b == nil || len(a)+len(b) > maxFound:
		return nil
	}
	return slices.Concat(a, b)
}

// namesBelow is a listing of what lies below a directory of the workspace by one of some
// names, a pattern a line: marks stand for the way to it, and what is done with a name is
// bounded by its pattern. Two marks say that git tracks the names. ok is false where the
// directory is none of the workspace's.
func (m *machine) namesBelow(dir string, names []string, tracked bool) (string, bool) {
	full := m.p.Resolve(m.cwd, dir)
	if z, _, _ := m.p.Where(full); mark.Has(full) || strings.ContainsAny(full, " \t\n'\"\\") || z != effect.ZoneWorkspace && z != effect.ZoneTemp {
		return "", false
	}
	if m.cwd != m.p.Cwd {
		return "", false // who is given the names may work in another directory
	}
	m.listed = true
	any := trimSuffix(full, "/") + "/" + string(rune(mark.Inside))
	if tracked {
		any += "/" + string(rune(mark.Inside))
	}
	items := make([]string, 0, len(names))
	for _, n := range names {
		items = append(items, any+below(n))
	}
	if len(names) == 0 {
		items = append(items, any)
	}
	return strings.Join(items, "\n"), true
}

// moved asks where a line that listed names goes on in another directory: there they mean others. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) moved() {
	if m.listed && m.cwd != m.p.Cwd {
		m.opaque(effect.OpComputed, "names that were listed in another directory")
	}
}

// listedNames are the patterns of names that a listing printed; ok is false where its text is
// anything else.
func listedNames(text string) (items []string, ok bool) {
	if firstByte(text, mark.Inside) < 0 || strings.ContainsAny(text, "\x00\x01'\"\\") {
		return nil, false
	}
	items = strings.Fields(text)
	return items, len(items) <= maxFound && !slices.ContainsFunc(items, func(it string) bool { return it[0] != mark.Inside && it[0] != '/' })
}

// listing is where a pattern of a listing says that names lie, and by which pattern, empty for
// any.
type listing struct {
	dir, name string
	tracked   bool // by git
}

func listedAt(full string) (l listing, ok bool) {
	if full == "" || full[0] != '/' {
		return l, false
	}
	dir, rest, ok := cutAt(full, "/"+string(rune(mark.Inside)))
	rest, tracked := cutPrefix(rest, "/"+string(rune(mark.Inside)))
	if !ok || rest != "" && rest[0] != '/' {
		return l, false
	}
	return listing{dir, lastElement(rest), tracked}, true
}

// unlisted is a pattern of paths as the shell knows it: a star for any way.
func unlisted(full string) string {
	if firstByte(full, mark.Inside) < 0 {
		return full
	}
	any := string(rune(mark.Inside))
	return strings.ReplaceAll(strings.ReplaceAll(full, any+"/"+any, any), any, string(rune(mark.Star)))
}

// guardsAmong says whether what must not be changed without review may be among names of a
// listing: what the host sees of it. Where it has not looked, what git tracks may hold some, unless
// the names end as none of those do, or lie in a directory that is none of those.
func (m *machine) guardsAmong(l listing) bool {
	switch {
	case m.p.GuardsBelow != nil:
		return m.p.GuardsBelow(l.dir, l.name, l.tracked)
	case !l.tracked:
		return false
	case l.name != "":
		return names.GuardedName(l.name)
	}
	return m.isRoot(l.dir) || strings.HasPrefix(lastElement(l.dir), ".")
}

// endsPlainly are the names that a pattern of grep(1) picks which says how they end: \.py$,
// \.\(c\|h\)$ and, as an extended one, \.(c|h)$.
func endsPlainly(pattern string, extended bool) []string {
	body, ok := cutSuffix(pattern, "$")
	body, dotted := cutPrefix(body, `\.`)
	if !ok || !dotted {
		return nil
	}
	open, bar, end := `\(`, `\|`, `\)`
	if extended {
		open, bar, end = "(", "|", ")"
	}
	if inner, ok := cutPrefix(body, open); ok {
		if body, ok = cutSuffix(inner, end); !ok {
			return nil
		}
	} else {
		bar = "\n"
	}
	var out []string
	for ending := range strings.SplitSeq(body, bar) {
		if ending == "" || nameLen(ending) != len(ending) || len(out) == maxFound {
			return nil
		}
		out = append(out, string(rune(mark.Star))+"."+ending)
	}
	return out
}

// picksNames is a listing of which a filter keeps the names that end in one way.
func (r *toolRun) picksNames(args []string, in data) (string, bool) {
	extended := r.t.name == "egrep" || len(args) == 2 && args[0] == "-E"
	if r.t.name != "grep" && r.t.name != "egrep" || len(r.operands) != 1 || len(args) != 1 && !extended || len(args) > 2 {
		return "", false
	}
	items, ok := listedNames(in.text)
	names := endsPlainly(plain(r.operands[0]), extended)
	if !ok || len(items) != 1 || len(names) == 0 {
		return "", false
	}
	if l, ok := listedAt(items[0]); !ok || l.name != "" {
		return "", false
	}
	for i := range names {
		names[i] = items[0] + "/" + names[i]
	}
	return strings.Join(names, "\n"), true
}

// worst returns the least known marker of s, or the pattern of names that it is.
func worst(s string) string {
	if list, ok := listedNames(s); ok && len(list) == 1 {
		return list[0]
	}
	return string(worstMark(s))
}

func worstMark(s string) rune {
	switch {
	case firstByte(s, mark.Unknown) >= 0:
		return mark.Unknown
	case firstByte(s, mark.Inside) >= 0:
		return mark.Inside
	}
	return mark.Caller
}
