package merge

import (
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// class is what was said before the macros of one state: its examples for
// telling it from the others.
type class struct {
	state int32
	vecs  []tree.Vec
}

// collect keeps the examples of a family's states. The state's name and tools
// are one more example, the only one where nobody said anything.
func (b *builder) collect(f *family, macros []string) {
	for _, key := range macros {
		s := f.states[key]
		b.said = append(b.said, class{b.at[key], append(b.words(s), b.vecs.of(nameText(key, s)))})
	}
}

// fit tells the states apart by the words said before them, and the families by
// the words of their tasks. All states share one Spread: what agents say before
// any macro varies in the same ways, and by cross-validation a spread for each
// family is no better than one for all.
func (b *builder) fit() {
	var classes [][]tree.Vec
	for _, c := range b.said {
		classes = append(classes, c.vecs)
	}
	// Too few or too uniform words give no spread: then nothing is fitted, and
	// matching falls back to evidence and named tools.
	if s, err := text.NewSpread(classes); err == nil {
		for _, c := range b.said {
			b.t.States[c.state].Fit = s.Direction(c.vecs)
		}
	}
	b.fitFamilies()
}

// maxFamilyTasks bounds the tasks that families are told apart by.
const maxFamilyTasks = 128

func (b *builder) fitFamilies() {
	classes := make([][]tree.Vec, len(b.t.Families))
	for i := range b.t.Families {
		for _, e := range b.ev.families[b.t.Families[i].Name].tasks.items {
			if e.item.folds&b.mask != 0 && len(classes[i]) < maxFamilyTasks {
				classes[i] = append(classes[i], b.vecs.of(e.item.words))
			}
		}
	}
	if len(classes) < 2 {
		return
	}
	if s, err := text.NewSpread(classes); err == nil {
		for i := range classes {
			b.t.Families[i].Fit = s.Direction(classes[i])
		}
	}
}
