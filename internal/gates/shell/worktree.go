package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file is about commands that change the work tree by other means than a
// program's own output: git's, copies into directories, archives and patches.
// They write what they name, so that what is guarded stays so.

// gitPathOptions are the options of the subcommands of git that change the files
// they name (manuals of git checkout, restore, mv, rm, stash, checkout-index,
// read-tree, merge-file): which take a value, so that it is no path. ok is false
// for other subcommands.
func gitPathOptions(sub string) (spec getopt, ok bool) {
	switch sub {
	case "checkout":
		return getopt{valued: "bB", longs: "orphan= conflict= pathspec-from-file= recurse-submodules ours theirs patch track? detach"}, true
	case "checkout-index":
		return getopt{longs: "prefix= stage= temp all force"}, true
	case "merge-file":
		return getopt{valued: "L", longs: "stdout object-id marker-size= diff-algorithm="}, true
	case "mv":
		return getopt{longs: "force dry-run verbose"}, true
	case "read-tree":
		return getopt{longs: "prefix= index-output= exclude-per-directory="}, true
	case "restore":
		return getopt{valued: "s", longs: "source= staged worktree conflict= pathspec-from-file= ours theirs patch"}, true
	case "rm":
		return getopt{longs: "cached dry-run force pathspec-from-file= ignore-unmatch quiet"}, true
	case "stash":
		return getopt{valued: "m", longs: "message= pathspec-from-file= patch keep-index include-untracked"}, true
	}
	return getopt{}, false
}

// gitWrites records the writes of a subcommand on what it names.
func (m *machine) gitWrites(sub string, args []string) {
	spec, ok := gitPathOptions(sub)
	if !ok {
		return
	}
	before, paths, dashed := cutDashes(args)
	opts, words := spec.read(before)
	index := false // only the index changes
	for _, o := range opts {
		switch o.name {
		case "pathspec-from-file":
			m.opaque(effect.OpComputed, "git "+sub+" of paths named in a file")
		case "prefix":
			m.gitPath(o.value, false)
		case "cached", "staged", "S", "n", "dry-run", "stdout":
			index = true
		}
	}
	for _, o := range opts {
		if o.name == "worktree" || o.name == "W" || o.name == "p" && sub != "merge-file" {
			index = false
		}
	}
	if index || sub == "merge-file" && flagged(before, "p") {
		return
	}
	if sub == "mv" {
		m.gitMoves(append(words, paths...))
		return
	}
	certain := sub == "restore" || sub == "rm" && !dashed
	for _, w := range words {
		m.gitPath(w, certain)
	}
	for _, w := range paths {
		m.gitPath(w, true)
	}
}

// cutDashes splits arguments at --. Not inlined, for the size of programs.
//
//go:noinline
func cutDashes(args []string) (before, after []string, dashed bool) {
	for i, a := range args {
		if a == "--" {
			return args[:i], args[i+1:], true
		}
	}
	return args, nil, false
}

// gitPath records the write of one pathspec.
func (m *machine) gitPath(word string, certain bool) {
	if path, ok := pathspec(word); ok && path != "" {
		m.touches(path, certain)
	}
}

// touches records the write of a path. A word that may be something else as well, a
// revision of git's, counts if it names what is guarded, which that does not.
func (m *machine) touches(path string, certain bool) {
	if certain || m.guards(path) {
		m.path(effect.Write, effect.OpModify, path)
	}
	m.touchesBelow(path)
}

// touchesBelow records the write of what is guarded below a directory, if it is one
// that holds such a thing.
func (m *machine) touchesBelow(dir string) {
	if name := m.guardedBelow(dir); name != "" {
		m.path(effect.Write, effect.OpModify, strings.TrimRight(dir, "/")+"/"+name)
	}
}

// pathspec is the path of a pathspec (gitglossary(7)): without its magic, from the
// root of the tree where that says so. ok is false for one that excludes.
func pathspec(word string) (path string, ok bool) {
	magic, found := cutPrefix(word, ":")
	switch {
	case !found:
		return globText(word), true
	case strings.HasPrefix(magic, "("):
		words, rest, _ := cutAt(magic[1:], ")")
		return globText(rest), !strings.Contains(words, "exclude")
	}
	rest := strings.TrimLeft(magic, "/!^:")
	return globText(rest), !strings.ContainsAny(magic[:len(magic)-len(rest)], "!^")
}

// globText marks the wildcards of a pattern that a program expands itself.
func globText(s string) string {
	return strings.NewReplacer("*", string(rune(mark.Star)), "?", string(rune(mark.One))).Replace(s)
}

// guards says whether a path of the workspace must not be changed without review.
func (m *machine) guards(path string) bool {
	z, _, guarded := m.p.Where(m.p.Resolve(m.cwd, path))
	return guarded && z == effect.ZoneWorkspace
}

// guardedBelow returns the guarded name that a directory of the workspace may hold.
func (m *machine) guardedBelow(path string) string {
	full := m.p.Resolve(m.cwd, path)
	if z, _, _ := m.p.Where(full); z != effect.ZoneWorkspace {
		return ""
	}
	i := lastSlash(full)
	if i <= 0 {
		return ""
	}
	return names.GuardedBelow(full[i+1:], m.isRoot(full[:i]))
}

// gitMoves records the writes of git mv: sources go, and the last word is the
// target or the directory above it.
func (m *machine) gitMoves(words []string) {
	if len(words) < 2 {
		return
	}
	target := words[len(words)-1]
	for _, src := range words[:len(words)-1] {
		m.gitPath(src, true)
		m.into(effect.OpMove, src, target)
		m.movesTo(src, target, false)
		m.renames(src, target, len(words) > 2)
	}
	if !m.isRoot(m.p.Resolve(m.cwd, target)) {
		m.gitPath(target, true)
	}
}

// into records the write of a source's name below a target that may be a directory,
// where that name is guarded or the target is the root itself.
func (m *machine) into(op effect.Op, src, target string) {
	src = strings.TrimRight(src, "/")
	name := lastElement(src)
	if name == "" || name == "." || name == ".." {
		return
	}
	below := strings.TrimRight(target, "/") + "/" + name
	if m.guards(below) || m.isRoot(m.p.Resolve(m.cwd, target)) && !mark.Has(name) {
		m.path(effect.Write, op, below)
	}
	m.touches(below, false)
}
