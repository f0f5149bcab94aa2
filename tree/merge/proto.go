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
func (b *builder) central(texts []string, dirs []tree.Vec) string {
	if len(dirs) == 0 {
		return ""
	}
	best, at := "", -2.0
	for _, t := range texts[:min(len(texts), maxCentral)] {
		for _, s := range segment.Sentences(t) {
			c := tree.Cos(b.vecs.of(s), dirs[0])
			if c > at || c == at && s < best {
				best, at = s, c
			}
		}
	}
	return best
}

// prototypes picks the task texts that stand for a family and the centroid of
// all its sampled tasks.
func (b *builder) prototypes(f *family) ([]tree.Text, tree.Vec) {
	var tasks []tree.Text
	var all []tree.Vec
	for _, e := range f.tasks.items {
		if e.item.folds&b.mask == 0 {
			continue
		}
		v := b.vecs.of(e.item.words)
		all = append(all, v)
		if len(tasks) < maxCandidates {
			tasks = append(tasks, tree.Text{Text: e.item.words, Vec: v})
		}
	}
	return medoids(tasks, maxPrototypes), tree.Mean(all...)
}

// medoids greedily picks up to k texts such that every text is as similar as
// possible to one of them: the facility-location objective, whose greedy
// maximum is within 1-1/e of the best (Nemhauser, Wolsey and Fisher 1978).
// Ties go to the text that comes first, which is the one with the lesser hash.
func medoids(tasks []tree.Text, k int) []tree.Text {
	n := len(tasks)
	sim := make([][]float64, n)
	for i := range sim {
		sim[i] = make([]float64, n)
		for j := 0; j <= i; j++ {
			c := tree.Cos(tasks[i].Vec, tasks[j].Vec)
			sim[i][j], sim[j][i] = c, c
		}
	}
	best := make([]float64, n)
	var out []tree.Text
	taken := make([]bool, n)
	for len(out) < min(k, n) {
		pick, gain := -1, -1.0
		for i := range tasks {
			if g := gainOf(sim[i], best); !taken[i] && g > gain {
				pick, gain = i, g
			}
		}
		taken[pick] = true
		out = append(out, tasks[pick])
		for j := range best {
			best[j] = max(best[j], sim[pick][j])
		}
	}
	return out
}

func gainOf(sim, best []float64) float64 {
	g := 0.0
	for j, s := range sim {
		if s > best[j] {
			g += s - best[j]
		}
	}
	return g
}
