package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestWindowsTablesAreSorted(t *testing.T) {
	var verbs []string
	for _, v := range winVerbs {
		verbs = append(verbs, v.name)
	}
	for _, list := range [][]string{verbs, winValues[:], winPaths[:], winSwitches[:], winShared[:], placeVars[:], loadVars[:], wordVars[:], nodeFlags[:]} {
		if len(list) == 0 || !slices.IsSorted(list) {
			t.Errorf("empty or not sorted: %s", strings.Join(list, " "))
		}
	}
}
