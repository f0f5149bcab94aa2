package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads the words of git commands that throw changes away (the manuals of git checkout,
// restore, reset, clean, stash and rm). Each option that is not named here makes the whole run one
// that nobody knows.

// discardKind is what a discard goes by.
type discardKind uint8

const (
	discardIndex discardKind = iota + 1 // files become as the index has them
	discardHead                         // files and index become as the commit has them that is checked out
	discardBack                         // and that becomes an earlier one
	discardClean                        // files that git does not hold go
	discardStash                        // stashes go
	discardFiles                        // files go, by rm
	discardTree                         // files and index become as another commit has them
)

// discard is a command that throws changes away.
type discard struct {
	kind    discardKind
	under   []string // paths and beginnings of paths, absolute
	begins  []string // that names begin with, absolute: of patterns
	all     bool     // everything in the work tree
	rev     string   // of discardBack
	stash   int      // of discardStash: its place, -1 for all
	ignored bool     // of discardClean: files that git leaves to itself, too
	clean   bool     // of discardHead: files that git does not hold, too
	over    bool     // files that git does not hold, where a commit has others of their names
	after   bool     // another one stands before it on the line
}

// aims says whether a file is among those that the command is about.
func (x *discard) aims(path string) bool {
	return x.all || slices.ContainsFunc(x.under, func(u string) bool { return mark.Under(path, u) }) ||
		slices.ContainsFunc(x.begins, func(b string) bool { return strings.HasPrefix(path, b) })
}

// gitWords are the words of a run of git behind its own options, and where it works.
func gitWords(r *effect.Run) (dir string, words []string, ok bool) {
	if len(r.Words) == 0 || r.Words[0] != "git" || r.Given {
		return "", nil, false
	}
	dir, words = r.Cwd, r.Words[1:]
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch {
		case words[0] == "--no-pager" || words[0] == "-P":
			words = words[1:]
		case words[0] == "-C" && len(words) > 1 && !mark.Has(words[1]) && words[1] != "":
			dir, words = from(dir, words[1]), words[2:]
		default:
			return "", nil, false
		}
	}
	return dir, words, filepath.IsAbs(dir) && !mark.Has(dir)
}

// earlierLook says whether what a line does before one of its runs takes no time and brings
// nobody's contents anywhere: it looks, writes text of its own, or discards, too.
func earlierLook(c *gates.Context, k int) bool {
	runs := c.Runs()
	first := len(c.Effects)
	for _, i := range runs[k].Effects {
		first = min(first, i)
	}
	own, before := map[int]bool{}, map[int]bool{}
	for i := range k {
		r := &runs[i]
		if r.Contained || r.Background || len(r.Words) == 0 {
			return false
		}
		for _, n := range r.Effects {
			before[n] = true
		}
		dir, words, ok := gitWords(r)
		if r.Words[0] != "git" {
			if !gates.Looks(r) && !keeps.Program(r.Words[0], keeps.Changes) {
				return false
			}
			continue
		}
		if !ok || len(words) == 0 {
			return false
		}
		x, discards := discardOf(dir, words)
		discards = discards && !x.over
		switch {
		case keeps.Git(words[0], keeps.GitChanges), words[0] == "stash" && len(words) > 1 && (words[1] == "list" || words[1] == "show"):
		case discards || unstages(words):
			for _, n := range r.Effects {
				own[n] = true
			}
		default:
			return false
		}
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case own[i], i >= first && !before[i], e.Kind == effect.Read, gates.Passes(c, e):
		case e.Kind == effect.Write && (e.Program == "" || e.Program == "tee") && (e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneWorkspace):
		default:
			return false
		}
	}
	return true
}

// unstages says whether a subcommand only sets the index back to the commit that is checked out.
func unstages(words []string) bool {
	return words[0] == "reset" && !slices.ContainsFunc(words[1:], func(w string) bool { return w != "-q" && w != "--quiet" && w != "HEAD" && w != "--" && w != "." })
}

// discardOf reads the words of a subcommand of git. ok is false for one that throws nothing away
// in a way that is known here.
func discardOf(dir string, words []string) (x discard, ok bool) {
	sub, args := words[0], words[1:]
	switch sub {
	case "checkout":
		return checkoutOf(dir, args)
	case "restore":
		return restoreOf(dir, args)
	case "reset":
		return resetOf(args)
	case "clean":
		return cleanOf(dir, args)
	case "rm":
		opts, paths, ok := split(args, "frq", "--force", "--quiet")
		if !ok || !opts["f"] && !opts["--force"] {
			return x, false
		}
		return aimedAt(discard{kind: discardHead}, dir, paths)
	case "stash":
		return dropOf(args)
	}
	return x, false
}

// split reads options without values: letters and long names that are listed. What stands behind
// "--" is no option, and "--" is among the options where it stood.
func split(args []string, letters string, longs ...string) (opts map[string]bool, words []string, ok bool) {
	opts = map[string]bool{}
	for i, a := range args {
		switch {
		case a == "--":
			opts["--"] = true
			return opts, append(words, args[i+1:]...), true
		case strings.HasPrefix(a, "--"):
			if !slices.Contains(longs, a) {
				return nil, nil, false
			}
			opts[a] = true
		case len(a) > 1 && a[0] == '-':
			for _, r := range a[1:] {
				if !strings.ContainsRune(letters, r) {
					return nil, nil, false
				}
				if opts[string(r)] && r == 'f' {
					return nil, nil, false // twice: more than once
				}
				opts[string(r)] = true
			}
		default:
			words = append(words, a)
		}
	}
	return opts, words, true
}

// aimedAt adds what a command is about: paths, or where a pattern begins.
func aimedAt(x discard, dir string, words []string) (discard, bool) {
	for _, w := range words {
		if top, ok := strings.CutPrefix(w, ":/"); ok && top == "" {
			x.all = true
			continue
		}
		if w == "" || w[0] == ':' || w[0] == '~' || w[0] == mark.Unknown || w[0] == mark.Caller || w[0] == mark.Inside {
			return x, false
		}
		if i := strings.IndexFunc(w, func(r rune) bool { return r <= mark.Inside || strings.ContainsRune("*?[\\{", r) }); i >= 0 {
			at, begin := filepath.Split(w[:i])
			x.begins = append(x.begins, strings.TrimSuffix(from(dir, at), "/")+"/"+begin)
			continue
		}
		x.under = append(x.under, from(dir, w))
	}
	return x, x.all || len(x.under)+len(x.begins) > 0
}

func checkoutOf(dir string, args []string) (x discard, ok bool) {
	head := slices.Index(args, "--")
	opts, words, ok := split(args, "qf", "--quiet", "--force")
	if !ok {
		return x, false
	}
	x.kind = discardIndex
	revs := words
	if head >= 0 {
		revs = nil
		for _, a := range args[:head] {
			if a == "" || a[0] != '-' {
				revs = append(revs, a)
			}
		}
		words = words[len(revs):]
	}
	if len(revs) > 0 && (revs[0] == "HEAD" || revs[0] == "@") {
		x.kind = discardHead
		if head < 0 {
			words = words[1:]
		}
		revs = revs[1:]
	}
	if head < 0 {
		revs = nil
		if x.kind != discardHead && len(words) > 1 && !strings.ContainsAny(words[0], "*?[") && !exists(from(dir, words[0])) && !isTracked(from(dir, words[0])) {
			revs, words = words[:1], words[1:] // a tree: git takes a word for one before it takes it for a file
		}
	}
	if len(revs) == 1 && len(words) > 0 {
		x.kind, x.rev, x.over = discardTree, revs[0], true
		return aimedAt(x, dir, words)
	}
	switch {
	case len(words) == 0 && len(revs) == 0 && (opts["f"] || opts["--force"]):
		return discard{kind: discardHead, all: true}, true
	case len(revs) > 0:
		return x, false
	case head < 0 && slices.ContainsFunc(words, func(w string) bool {
		return !mark.Has(w) && !strings.ContainsAny(w, "*?[:") && !exists(from(dir, w)) && !isTracked(from(dir, w))
	}):
		return x, false // a branch, or a tree
	}
	return aimedAt(x, dir, words)
}

func isTracked(path string) bool {
	top, index, err := indexAbove(path)
	x := gitIndex{top: top, want: path, entries: map[string]indexEntry{}}
	return err == nil && x.read(index) == nil && len(x.entries) > 0
}

func restoreOf(dir string, args []string) (x discard, ok bool) {
	x.kind = discardIndex
	var rest []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			rest = append(rest, args[i:]...)
			i = len(args)
		case (a == "-s" || a == "--source") && i+1 < len(args):
			i++
			x.rev = args[i]
		case strings.HasPrefix(a, "--source="), strings.HasPrefix(a, "-s") && len(a) > 2:
			x.rev = strings.TrimPrefix(strings.TrimPrefix(a, "--source="), "-s")
		default:
			rest = append(rest, a)
		}
	}
	opts, words, ok := split(rest, "qSW", "--quiet", "--staged", "--worktree")
	if !ok {
		return x, false
	}
	switch {
	case x.rev == "HEAD" || x.rev == "@":
		x.kind, x.rev = discardHead, ""
	case x.rev != "" && (opts["S"] || opts["--staged"]):
		x.kind, x.over = discardTree, true
	case x.rev != "":
		x.over = true // the index still has what it has
	case opts["S"] || opts["--staged"]:
		x.kind = discardHead
	}
	return aimedAt(x, dir, words)
}

func resetOf(args []string) (x discard, ok bool) {
	opts, words, ok := split(args, "q", "--quiet", "--hard")
	if !ok || !opts["--hard"] || opts["--"] || len(words) > 1 {
		return x, false
	}
	x = discard{kind: discardBack, all: true}
	if len(words) == 1 {
		if _, steps := stepsBack(words[0]); !steps && (len(words[0]) < 7 || strings.Trim(words[0], "0123456789abcdef") != "") {
			return x, false
		}
		x.rev = words[0]
	}
	return x, true
}

// stepsBack says how many commits before the one that is checked out a name of git's means
// (gitrevisions(7)): HEAD, HEAD~2, HEAD^, @~.
func stepsBack(rev string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(rev, "HEAD")
	if !ok {
		if rest, ok = strings.CutPrefix(rev, "@"); !ok {
			return 0, false
		}
	}
	if digits, ok := strings.CutPrefix(rest, "~"); ok && digits != "" {
		n, err := strconv.Atoi(digits)
		return n, err == nil && n >= 0 && strings.Trim(digits, "0123456789") == ""
	}
	return len(rest), strings.Trim(rest, "~^") == ""
}

func cleanOf(dir string, args []string) (x discard, ok bool) {
	var rest []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-e" && i+1 < len(args) && !strings.HasPrefix(args[i+1], "!"):
			i++ // leaves something out
		case strings.HasPrefix(a, "--exclude=") && !strings.HasPrefix(a, "--exclude=!"):
		default:
			rest = append(rest, a)
		}
	}
	opts, words, ok := split(rest, "fdqxX", "--force", "--quiet")
	if !ok || opts["f"] && opts["--force"] {
		return x, false // -ff
	}
	x = discard{kind: discardClean, ignored: opts["x"] || opts["X"]}
	if len(words) == 0 {
		words = []string{"."}
	}
	x, ok = aimedAt(x, dir, words)
	return x, ok && len(x.begins) == 0 && !x.all
}

func dropOf(args []string) (x discard, ok bool) {
	if len(args) == 0 || args[0] != "drop" && args[0] != "clear" {
		return x, false
	}
	_, words, ok := split(args[1:], "q", "--quiet")
	if !ok || len(words) > 1 || args[0] == "clear" && len(words) > 0 {
		return x, false
	}
	x = discard{kind: discardStash, all: true}
	switch {
	case args[0] == "clear":
		x.stash = -1
	case len(words) == 1:
		digits := strings.TrimSuffix(strings.TrimPrefix(words[0], "stash@{"), "}")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 {
			return x, false
		}
		x.stash = n
	}
	return x, true
}
