package segment

import (
	"sort"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// familyOf is the tool family of a call in the sense of 003 §C.1.
func familyOf(tool string, a call.Action) string {
	f := call.Classify(tool).Family
	if f == call.FamilyUnknown {
		return a.Key
	}
	return f.String()
}

// signReference replaces the macros' keys by the literal sigma_disc of
// 003 §E.3: the multiset of tool families, the resource types, whether a
// high-risk primitive is touched, and the coarse changes.
func signReference(path *Path) {
	for i := range path.Macros {
		m := &path.Macros[i]
		families := map[string]int{}
		resources := map[string]int{}
		deltas := map[string]int{}
		for j := m.From; j < m.To; j++ {
			if path.Of[j] != i {
				continue
			}
			c := &path.calls[j]
			families[c.fam]++
			resources[call.Classify(c.tool).Resource.String()] = 1
			deltas[c.made.String()] = 1
		}
		m.Key = "f{" + counts(families) + "} r{" + counts(resources) + "} d{" + counts(deltas) + "} h" + strconv.FormatBool(m.Hard)
	}
}

func counts(m map[string]int) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b strings.Builder
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(k)
		if n := m[k]; n > 1 {
			b.WriteByte('*')
			b.WriteString(strconv.Itoa(n))
		}
	}
	return b.String()
}

// ContNames are the dimensions of Cont: sigma_cont of 003 §E.3.
var ContNames = [...]string{
	"share-none", "share-write", "share-delete", "share-run", "share-send", "share-navigate", "share-unknown",
	"deltas-per-call", "log-size",
}

// Cont returns sigma_cont of a macro, in thousandths: how often it uses each
// kind of tool, how many changes it makes a call, and the magnitude of its
// diffs (log2 of changed lines, over 16).
func Cont(e *corpora.Episode, path *Path, i int) [len(ContNames)]int32 {
	order := [...]effect.Delta{effect.DeltaNone, effect.DeltaWrite, effect.DeltaDelete, effect.DeltaRun,
		effect.DeltaSend, effect.DeltaNavigate, effect.DeltaUnknown}
	var n [effect.NumDeltas]int32
	calls, deltas, size := int32(0), int32(0), 0
	m := path.Macros[i]
	for j := m.From; j < m.To; j++ {
		if path.Of[j] != i {
			continue
		}
		s := &e.Steps[j]
		calls++
		change := ChangeOf(s)
		n[change.Coarse]++
		for _, d := range change.Deltas {
			deltas++
			size += d.Size
		}
	}
	var c [len(ContNames)]int32
	if calls == 0 {
		return c
	}
	for k, d := range order {
		c[k] = n[d] * 1000 / calls
	}
	c[7] = min(deltas*1000/calls, 4000)
	c[8] = int32(bitsOf(size)) * 1000 / 16
	return c
}

func bitsOf(n int) int {
	b := 0
	for ; n > 0; n >>= 1 {
		b++
	}
	return b
}
