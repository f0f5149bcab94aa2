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

// known returns the action of a program; one that stands nowhere is a run. programs is a text
// with a line for each action, its name first: as a table it would take twice the room.
func known(name string) (key string, ok bool) {
	if i, ok := slices.BinarySearchFunc(others[:], name, func(p programEntry, name string) int { return strings.Compare(p.name, name) }); ok {
		return others[i].key, true
	}
	if name == "" || strings.ContainsAny(name, " \n") {
		return "", false
	}
	at := strings.Index(programs, " "+name+" ")
	if at < 0 {
		return "", false
	}
	key, _, _ = strings.Cut(programs[strings.LastIndexByte(programs[:at], '\n')+1:], " ")
	return key, true
}
