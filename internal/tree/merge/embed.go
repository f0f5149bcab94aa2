package merge

import (
	"sync"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/tree"
)

// Encoder turns a text into a direction. It must be deterministic and safe for
// concurrent use.
type Encoder interface {
	Embed(text string) tree.Vec
	Known(text string) tree.Milli // share of the text's words that it knows whole
}

// vectors holds the embeddings of all texts that a build may need, so that the
// builds of cross-validation share them. It is read-only once filled.
type vectors struct {
	enc  Encoder
	have map[string]tree.Vec
	sims map[*family]similarities
}

// Embed makes vectors an Encoder that remembers.
func (v *vectors) Embed(s string) tree.Vec { return v.of(s) }

// Known makes vectors an Encoder.
func (v *vectors) Known(s string) tree.Milli { return v.enc.Known(s) }

func (v *vectors) of(s string) tree.Vec {
	if x, ok := v.have[s]; ok {
		return x
	}
	return v.enc.Embed(s)
}

// embed fills the vectors with every sampled text of the evidence, on several
// workers.
func (ev *Evidence) embed(enc Encoder, workers int) *vectors {
	var texts []string
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			texts = append(texts, s)
		}
	}
	for _, name := range ev.Families() {
		f := ev.families[name]
		for _, e := range f.tasks.items {
			add(e.item.words)
		}
		for _, key := range sortedKeys(f.states) {
			add(nameText(key, f.states[key]))
			for _, e := range f.states[key].texts.items {
				add(e.item.words)
			}
		}
	}
	v := &vectors{enc: enc, have: embedAll(enc, texts, workers), sims: map[*family]similarities{}}
	for _, f := range ev.families {
		v.sims[f] = v.similar(f)
	}
	return v
}

// similarities are the cosines between a family's candidate tasks.
type similarities [][]float64

func (v *vectors) similar(f *family) similarities {
	n := min(len(f.tasks.items), maxCandidates)
	sim := make(similarities, n)
	for i := range sim {
		sim[i] = make([]float64, n)
		for j := 0; j <= i; j++ {
			c := tree.Cos(v.of(f.tasks.items[i].item.words), v.of(f.tasks.items[j].item.words))
			sim[i][j], sim[j][i] = c, c
		}
	}
	return sim
}

func embedAll(enc Encoder, texts []string, workers int) map[string]tree.Vec {
	out := make([]tree.Vec, len(texts))
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < len(texts); i += workers {
				out[i] = enc.Embed(texts[i])
			}
		}()
	}
	wg.Wait()
	have := make(map[string]tree.Vec, len(texts))
	for i, t := range texts {
		have[t] = out[i]
	}
	return have
}

// nameText is the text that a state's name stands for in matching: what it
// does and the words of the tools that do it.
func nameText(key string, s *state) string {
	t := call.Phrase(key)
	for _, u := range uses(s.tools, maxNameTools) {
		t += " " + call.Phrase(u.Name)
	}
	return t
}

// maxNameTools bounds the tools whose names describe a state.
const maxNameTools = 8
