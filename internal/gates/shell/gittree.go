package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file is about git worktree add. Work trees belong to their repository, and the
// usual place of a new one is beside it: there git makes a directory that was not there
// (git-worktree(1): add refuses a path that holds something), and what the line does
// in it afterwards is work in the workspace.

// worktreeOptions are those of git worktree add (git-worktree(1)).
var worktreeOptions = getopt{
	valued: "bB",
	longs:  "force detach checkout no-checkout guess-remote no-guess-remote track no-track lock reason= orphan quiet relative-paths no-relative-paths",
}

// addsTree marks the new directory of git worktree add as the repository's own, where it
// is.
func (m *machine) addsTree(args []string, start int) {
	full, ok := m.besideRoot(args)
	if !ok {
		return
	}
	for i := min(start, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.Write && e.Op == effect.OpCreate && e.Resource == full {
			e.Named, e.Protected = true, false
		}
	}
	places := *m.p
	places.Roots = append(slices.Clone(places.Roots), full)
	m.p = &places
}

// besideRoot returns the directory of a work tree that lies beside the root of the
// workspace which the line runs in. Forced, it may stand where another one was.
func (m *machine) besideRoot(args []string) (full string, ok bool) {
	opts, words := worktreeOptions.read(args)
	if len(words) < 2 || words[0] != "add" || m.rewired || slices.ContainsFunc(opts, func(o option) bool {
		return o.name == "" || o.name == "f" || o.name == "force" || strings.HasPrefix(o.name, "--")
	}) {
		return "", false
	}
	if slices.ContainsFunc(m.vars, func(v binding) bool { return placingVar(v.name) }) {
		return "", false
	}
	full = m.p.Resolve(m.cwd, words[1])
	if z, sens, _ := m.p.Where(full); mark.Has(full) || mark.Has(m.cwd) || sens || z != effect.ZoneHome && z != effect.ZoneOutside && !(z == effect.ZoneKept && m.p.Neighbour(full)) {
		return "", false
	}
	return full, slices.ContainsFunc(m.p.Roots, func(root string) bool {
		return mark.Under(m.cwd, root) && besideIt(root, full, m.p.Home)
	})
}

// besideIt says whether a directory is a neighbour of a root: one that is called after it,
// or one below such a directory. One that is called something else only counts where
// its neighbours are no more than projects, not the parts of somebody's home.
func besideIt(root, full, home string) bool {
	dir, name := path.Dir(root), baseName(root)
	rest, ok := cutPrefix(full, dir+"/")
	parts := strings.Split(rest, "/")
	if !ok || dir == "/" || len(parts) > 2 || names.Guarded(rest) || slices.ContainsFunc(parts, func(p string) bool { return p == "" || p[0] == '.' || p[0] == '-' }) {
		return false
	}
	if after, called := cutPrefix(parts[0], name); called && after != "" && firstByte("-_.", after[0]) >= 0 {
		return true
	}
	return len(parts) == 1 && dir != home && !effect.TooWide(dir, home) && !isAmong(lookedIn[:], parts[0])
}

// lookedIn are directories that programs look for code in, from wherever they run below:
// node_modules (modules documentation of Node.js) and those that are put on search paths
// (hier(7)). Sorted.
var lookedIn = [...]string{"bin", "lib", "lib64", "libexec", "node_modules", "sbin"}

// gitDropsTree records that git worktree remove --force deletes a work tree with all that is in it,
// and returns the other words. Without the option git refuses where anything is there that no
// commit holds. The directory has to be written as a path: by the end of one git finds another work
// tree (git-worktree(1), Details). Twice the option is for trees that somebody locked.
func (m *machine) gitDropsTree(args []string) []string {
	if len(args) > 0 && args[0] != "add" && args[0] != "list" && args[0] != "remove" && args[0] != "prune" {
		m.rewired = true // another tree may be where one is known
	}
	if len(args) < 3 || args[0] != "remove" || m.rewired {
		return args
	}
	var rest, forced []string
	for _, a := range args[1:] {
		if a == "-f" || a == "--force" {
			forced = append(forced, a)
		} else {
			rest = append(rest, a)
		}
	}
	if len(forced) != 1 || len(rest) != 1 || !strings.HasPrefix(rest[0], "/") && !strings.HasPrefix(rest[0], "./") && !strings.HasPrefix(rest[0], "../") {
		return args
	}
	m.remove(rest[0], effect.OpRemoveTree)
	return append([]string{"remove"}, rest...)
}
