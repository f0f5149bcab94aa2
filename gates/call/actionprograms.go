package call

import (
	"slices"
	"strings"
)

type programEntry struct{ name, key string }

// others are names that logs have in the place of a program and that have no
// file of their own (internal/gates/shell/programs, which programs is compiled
// from): builtins of shells, functions of agents' shells, Python's modules and
// programs that nobody described yet. Sorted by name.
var others = [...]programEntry{
	{"apply_patch", "edit"},
	{"echo", "noop"},
	{"hashcat", "crypt"},
	{"ipython", "run"},
	{"jobs", "proc"},
	{"john", "crypt"},
	{"junit", "test"},
	{"kill", "kill"},
	{"open_file", "view"},
	{"pdb", "debug"},
	{"printf", "noop"},
	{"pwd", "view"},
	{"tox-build", "build"},
	{"type", "search"},
	{"ulimit", "who"},
	{"umask", "perm"},
	{"unittest", "test"},
}

// known returns the action of a program; one that stands nowhere is a run.
func known(name string) (key string, ok bool) {
	for _, list := range [...][]programEntry{programs[:], others[:]} {
		if i, ok := slices.BinarySearchFunc(list, name, func(p programEntry, name string) int { return strings.Compare(p.name, name) }); ok {
			return list[i].key, true
		}
	}
	return "", false
}
