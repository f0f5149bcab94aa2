package text

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
)

// tfidf is the baseline: TF-IDF over words 1-2 and over characters 3-5 within
// words, each block of unit length, with sublinear counts and smoothed inverse
// document frequencies of the training texts: scikit-learn's TfidfVectorizer.
type tfidf struct {
	numbers map[string]int
	texts   [][]count
}

// count is how often a text has a feature; words and characters are two blocks.
type count struct{ feature, block, n int }

// term is a coordinate of a sparse vector.
type term struct {
	feature int
	x       float64
}

var wordPattern = regexp.MustCompile(`[\pL\pN_]{2,}`)

func newTFIDF(texts []string) *tfidf {
	t := &tfidf{numbers: map[string]int{}}
	for _, text := range texts {
		have := map[int]*count{}
		for _, f := range features(strings.ToLower(text)) {
			n, ok := t.numbers[f]
			if !ok {
				n = len(t.numbers)
				t.numbers[f] = n
			}
			if have[n] == nil {
				have[n] = &count{feature: n, block: int(f[0] - '0')}
			}
			have[n].n++
		}
		var all []count
		for _, c := range have {
			all = append(all, *c)
		}
		slices.SortFunc(all, func(a, b count) int { return cmp.Compare(a.feature, b.feature) })
		t.texts = append(t.texts, all)
	}
	return t
}

// features lists a text's features, the block in front of each.
func features(text string) (out []string) {
	prev := ""
	for _, w := range wordPattern.FindAllString(text, -1) {
		out = append(out, "0"+w)
		if prev != "" {
			out = append(out, "0"+prev+" "+w)
		}
		prev = w
	}
	for _, w := range strings.Fields(text) {
		r := []rune(" " + w + " ")
		for n := 3; n <= 5; n++ {
			for i := 0; i+n <= len(r); i++ {
				out = append(out, "1"+string(r[i:i+n]))
			}
		}
	}
	return out
}

// fit returns the vectors of all texts, with frequencies of some of them.
func (t *tfidf) fit(train []int) [][]term {
	df := make([]int, len(t.numbers))
	for _, i := range train {
		for _, c := range t.texts[i] {
			df[c.feature]++
		}
	}
	out := make([][]term, len(t.texts))
	for i, counts := range t.texts {
		var square [2]float64
		for _, c := range counts {
			if df[c.feature] == 0 {
				continue
			}
			idf := math.Log(float64(1+len(train))/float64(1+df[c.feature])) + 1
			x := (1 + math.Log(float64(c.n))) * idf
			square[c.block] += x * x
			out[i] = append(out[i], term{c.feature<<1 | c.block, x})
		}
		for j := range out[i] {
			b := out[i][j].feature & 1
			out[i][j].feature >>= 1
			out[i][j].x /= math.Sqrt(2 * square[b])
		}
	}
	return out
}

func dotDense(a []term, b []float64) (s float64) {
	for _, t := range a {
		s += t.x * b[t.feature]
	}
	return s
}

// dotSparse merges two vectors, which are in the order of their features.
func dotSparse(a, b []term) (s float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].feature < b[j].feature:
			i++
		case a[i].feature > b[j].feature:
			j++
		default:
			s += a[i].x * b[j].x
			i, j = i+1, j+1
		}
	}
	return s
}
