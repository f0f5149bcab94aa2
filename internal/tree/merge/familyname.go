package merge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
)

// maxObjects bounds the objects that name a family, telling how much more often
// its episodes must handle one than those of any other family of the layout.
const (
	maxObjects = 2
	moreOften  = 0.25
)

// name names the families after the layout of their logs and what their tools
// handle that those of the other families of the layout don't. Groups are
// directories, customers' suites and repositories: they name a family only where
// text is kept, and then one of several groups is named after its layout alone.
func (a *assigner) name(members [][]*group, keepText bool) {
	var handled []map[string]float64
	for i, m := range members {
		handled = append(handled, objects(a.profiles[i], m))
	}
	taken := map[string]bool{otherFamily: true}
	for i, m := range members {
		format := m[0].format
		name := format
		switch {
		case !keepText:
			name = strings.Join(append([]string{format}, special(i, members, handled)...), "-")
		case len(m) == 1:
			name = m[0].name
		}
		for n := 2; taken[name]; n++ {
			name = format + "-" + strconv.Itoa(n)
		}
		taken[name] = true
		a.names = append(a.names, name)
	}
}

// objects is the share of a family's episodes that handle each kind of thing that
// the names of tools name.
func objects(profile map[string]float64, members []*group) map[string]float64 {
	episodes := 0
	for _, g := range members {
		episodes += g.episodes
	}
	out := map[string]float64{}
	for _, tool := range sortedKeys(profile) {
		if _, object, ok := strings.Cut(call.ActionOf(tool, "{}").Key, ":"); ok {
			out[object] = max(out[object], profile[tool]/float64(episodes))
		}
	}
	return out
}

// special are the objects of a family that most set it apart.
func special(i int, members [][]*group, handled []map[string]float64) []string {
	lead := map[string]float64{}
	for object, share := range handled[i] {
		others, any := 0.0, false
		for j := range members {
			if j != i && members[j][0].format == members[i][0].format {
				others, any = max(others, handled[j][object]), true
			}
		}
		if any && share-others >= moreOften {
			lead[object] = share - others
		}
	}
	list := sortedKeys(lead)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(lead[b], lead[a]) })
	return list[:min(len(list), maxObjects)]
}
