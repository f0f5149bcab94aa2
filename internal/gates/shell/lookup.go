package shell

import (
	"slices"
	"strings"
)

//go:generate go run ../programs/generate

// lookupTool finds a tool, or a subcommand as "tool sub". Binary search in a
// static table needs no work before main.
func lookupTool(name string) *tool {
	i, ok := slices.BinarySearchFunc(tools[:], name, func(t tool, name string) int { return strings.Compare(t.name, name) })
	if !ok {
		return nil
	}
	return &tools[i]
}

// Valued says whether an option of a tool of the table takes a value: then its letter
// is no flag, whatever it means elsewhere. option has no dashes.
func Valued(name, option string) bool {
	t := lookupTool(name)
	return t != nil && option != "" && strings.Contains(" "+t.opts, " "+option+":")
}
