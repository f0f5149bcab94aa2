package merge

import (
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Sizes of prototype selection.
const (
	maxPrototypes = 8   // 003 §D.2: 2 to 8 a family
	maxCandidates = 128 // tasks that compete to be prototypes
	maxCentral    = 24  // texts whose sentences compete to describe a state
)

// Weights of a state's direction: two parts what agents said before it, one
// part its name and tools. Chosen by cross-validation; see the package comment.
const (
	wordsWeight = 2
	nameWeight  = 1
)

// directions returns the vectors a state is matched by.
func directions(name tree.Vec, said []tree.Vec) []tree.Vec {
	var out []tree.Vec
	if v := tree.Blend(tree.Mean(said...), wordsWeight, name, nameWeight); len(v) > 0 {
		out = append(out, v)
	}
	return out
}

// central returns the sentence closest to a state's direction, "" if there is
// none. Ties go to the lesser text.
func (b *builder) central(s *state, dirs []tree.Vec) string {
	if len(dirs) == 0 {
		return ""
	}
	best, at := "", -2.0
	for _, e := range s.texts.items[:min(len(s.texts.items), maxCentral)] {
		for _, s := range segment.Sentences(e.item.words) {
			c := tree.Cos(b.vecs.of(s), dirs[0])
			if c > at || c == at && s < best {
				best, at = s, c
			}
		}
	}
	return best
}

// prototypes returns the task texts that stand for a family, those given by
// hand or else the most typical of its tasks, and the centroid of all its
// sampled tasks.
func (b *builder) prototypes(name string, f *family) ([]tree.Text, tree.Vec) {
	var candidates []int
	var all []tree.Vec
	for i, e := range f.tasks.items {
		if e.item.folds&b.mask == 0 {
			continue
		}
		all = append(all, b.vecs.of(e.item.words))
		if i < maxCandidates {
			candidates = append(candidates, i)
		}
	}
	texts := b.given[name]
	if len(texts) == 0 {
		for _, i := range medoids(b.vecs.sims[f], candidates, maxPrototypes) {
			texts = append(texts, f.tasks.items[i].item.words)
		}
	}
	var out []tree.Text
	for _, words := range texts {
		out = append(out, b.sealed(clip(words)))
	}
	return out, tree.Mean(all...)
}

// medoids greedily picks up to k candidates such that every candidate is as
// similar as possible to one of them: the facility-location objective, whose
// greedy maximum is within 1-1/e of the best (Nemhauser, Wolsey and Fisher
// 1978). Ties go to the one that comes first.
func medoids(sim similarities, candidates []int, k int) []int {
	best := make([]float64, len(sim))
	taken := make([]bool, len(sim))
	var out []int
	for len(out) < min(k, len(candidates)) {
		pick, gain := -1, -1.0
		for _, i := range candidates {
			if g := gainOf(sim[i], best, candidates); !taken[i] && g > gain {
				pick, gain = i, g
			}
		}
		taken[pick] = true
		out = append(out, pick)
		for _, j := range candidates {
			best[j] = max(best[j], sim[pick][j])
		}
	}
	return out
}

func gainOf(sim, best []float64, candidates []int) float64 {
	g := 0.0
	for _, j := range candidates {
		if sim[j] > best[j] {
			g += sim[j] - best[j]
		}
	}
	return g
}
