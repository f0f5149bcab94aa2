package shell

import (
	"slices"
	"strings"
)

// lookupTool finds a tool, or a subcommand as "tool sub". Binary search in
// static tables needs no work before main.
func lookupTool(name string) *tool {
	for _, area := range [...][]tool{
		fileTools[:], textTools[:], gitTools[:], buildTools[:], scriptTools[:], systemTools[:], launchTools[:], netTools[:], langTools[:], queryTools[:], clusterTools[:], packageTools[:],
	} {
		if i, ok := slices.BinarySearchFunc(area, name, func(t tool, name string) int { return strings.Compare(t.name, name) }); ok {
			return &area[i]
		}
	}
	return nil
}
