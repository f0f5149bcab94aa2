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
	for _, list := range [][]string{verbs, strings.Fields(winValues), winPaths[:], strings.Fields(winSwitches), strings.Fields(winShared), strings.Fields(placeVars), strings.Fields(loadVars), wordVars[:], strings.Fields(nodeFlags)} {
		if len(list) == 0 || !slices.IsSorted(list) {
			t.Errorf("empty or not sorted: %s", strings.Join(list, " "))
		}
	}
}
