package evolve

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// maxTexts bounds the texts that speak for one state, as distillation does.
const maxTexts = 256

// said is what agents said before the macros of one state, in new successes.
type said struct {
	words []tree.Vec
	fit   tree.Fit // how it differs from what they said before others
}

// listen gathers what agents said before the macros of each action, by family, and
// tells the states apart by it as distillation does, with one spread for all. With
// too few or too uniform words nothing is fitted.
func listen(b *base, runs []*Run) map[int32]map[string]*said {
	out := map[int32]map[string]*said{}
	for _, r := range runs {
		if !r.Success {
			continue
		}
		if out[r.Family] == nil {
			out[r.Family] = map[string]*said{}
		}
		of := out[r.Family]
		for i := range r.Trace.Macros {
			m := &r.Trace.Macros[i]
			if of[m.Key] == nil {
				of[m.Key] = &said{}
			}
			for _, w := range append([]string{m.Words}, m.More...) {
				if s := of[m.Key]; w != "" && len(s.words) < maxTexts {
					s.words = append(s.words, b.enc.Embed(w))
				}
			}
		}
	}
	var classes [][]tree.Vec
	var whose []*said
	for _, f := range sortedInts(out) {
		for _, key := range slices.Sorted(maps.Keys(out[f])) {
			if s := out[f][key]; len(s.words) > 0 {
				classes, whose = append(classes, s.words), append(whose, s)
			}
		}
	}
	if spread, err := text.NewSpread(classes); err == nil {
		for i, s := range whose {
			s.fit = spread.Direction(classes[i])
		}
	}
	b.level(out)
	return out
}

// level brings the gains of new fits to those of the sealed ones, by the states that
// have both: a spread of few texts is another scale than one of many.
func (b *base) level(heard map[int32]map[string]*said) {
	var old, fresh int64
	for f, of := range heard {
		for key, s := range of {
			if i, ok := b.view.FindState(f, key); ok && b.view.States[i].Fit.Gain > 0 && s.fit.Gain > 0 {
				old, fresh = old+int64(b.view.States[i].Fit.Gain), fresh+int64(s.fit.Gain)
			}
		}
	}
	if fresh == 0 {
		return
	}
	for _, of := range heard {
		for _, s := range of {
			s.fit.Gain = int32(int64(s.fit.Gain) * old / fresh)
		}
	}
}

// words is an edit of the kind Words: what states are matched by, by action.
type words struct {
	Family int32
	States map[string]spoken
}

// spoken is what a state hears besides what it was distilled from.
type spoken struct {
	Vec    tree.Vec
	Fit    tree.Fit
	Weight int64 // texts behind it
	Old    int64 // texts behind the sealed ones, at a guess: the runs that the state was seen in
}

func (c *words) apply(d *draft) {
	f := d.families[c.Family]
	for _, s := range f.states {
		if x, ok := c.States[s.Action()]; ok && !s.Generic {
			x.hear(&s.State)
		}
	}
}

// hear moves a state's direction and its fit by the share of texts that are new.
func (x *spoken) hear(s *tree.State) {
	if len(s.Vecs) > 0 {
		s.Vecs = slices.Clone(s.Vecs)
		s.Vecs[0] = tree.Blend(s.Vecs[0], x.Old, x.Vec, x.Weight)
	}
	if len(x.Fit.Vec) > 0 {
		s.Fit = blend(s.Fit, x.Old, x.Fit, x.Weight)
	}
}

// blend is the mean of two fits, each a vector of its gain's length.
func blend(a tree.Fit, wa int64, b tree.Fit, wb int64) tree.Fit {
	if len(a.Vec) == 0 {
		return b
	}
	x, y := float64(wa*int64(a.Gain)), float64(wb*int64(b.Gain))
	square := float64(x*x) + float64(y*y) + float64(2*float64(x*y)*tree.Cos(a.Vec, b.Vec))
	return tree.Fit{
		Vec: tree.Blend(a.Vec, wa*int64(a.Gain), b.Vec, wb*int64(b.Gain)), Bias: a.Bias,
		Gain: int32(math.Round(math.Sqrt(max(square, 0)) / float64(wa+wb))),
	}
}

// words is one edit: what agents said before the macros that the family has.
func (g *gathered) words(of map[string]*said) []*Edit {
	c, n := &words{Family: g.index, States: map[string]spoken{}}, &tally{}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		s, texts := g.find(key), of[key].words
		if s == nil || len(texts) == 0 {
			continue
		}
		c.States[key] = spoken{Vec: tree.Mean(texts...), Fit: of[key].fit, Weight: int64(len(texts)), Old: int64(min(max(s.Count.Success, 1), maxTexts))}
	}
	if len(c.States) == 0 {
		return nil
	}
	for i := range g.ways {
		n.add(g.ways[i].run)
	}
	return []*Edit{g.edit(Words, "", "", n, fmt.Sprintf("what agents said before %d macros, to match them by", len(c.States)), c)}
}
