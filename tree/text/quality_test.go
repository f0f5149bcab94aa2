package text

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// The encoder's own vectors need Python: distill/measure.sh writes the texts
// with -texts, encodes them, and runs the test again with -encoder.
var (
	textsFlag   = flag.String("texts", "", "write the texts to be encoded to this file, a JSON string a line")
	encoderFlag = flag.String("encoder", "", "read the encoder's vectors of those texts from this file")
	foldsFlag   = flag.Int("folds", 1, "hold out so many of the 5 folds in turn; QUALITY.md has all, an ordinary test run one, for speed")
)

const encoderDim = 384

// folds is by task: splitting by episode leaks (same task, other model).
const folds = 5

func foldOf(task string) int {
	h := fnv.New32a()
	h.Write([]byte(task))
	return int(fmix(h.Sum32()) % folds)
}

// measured is everything that the measures compare, for one source.
type measured struct {
	said    []said
	label   []int
	fold    []int
	labels  int
	follows [folds]map[string]map[int]bool // labels seen after a label, outside the fold
	text    []int                          // index of said[i].text in all texts
	call    []int
}

// TestQuality prints the figures of QUALITY.md and holds the claims made there.
func TestQuality(t *testing.T) {
	data := readSaid(t)
	texts, byName := prepare(data)
	if *textsFlag != "" {
		writeTexts(t, texts)
		return
	}
	q := newQuality(t, texts)
	names := []string{"agentdojo", "swe", "openagentsafety", "intercode", "tau", "toolemu"}
	t.Logf("%-28s %s", "calls with words before them", row(names, func(n string) string { return fmt.Sprint(len(byName[n].said)) }))
	t.Logf("%-28s %s", "tools or programs", row(names, func(n string) string { return fmt.Sprint(byName[n].labels) }))
	q.retrieval(names, byName)
	q.correlation(names, byName)
	q.claims(names)
}

func row(names []string, cell func(string) string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%16s", cell(n))
	}
	return b.String()
}

func prepare(data map[string][]said) ([]string, map[string]*measured) {
	var texts []string
	for _, all := range data {
		for _, s := range all {
			texts = append(texts, s.text, s.call)
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	out := map[string]*measured{}
	for name, all := range data {
		out[name] = measure(all, texts)
	}
	return texts, out
}

func measure(all []said, texts []string) *measured {
	m, numbers := &measured{said: all}, map[string]int{}
	for k := range m.follows {
		m.follows[k] = map[string]map[int]bool{}
	}
	for _, s := range all {
		n, ok := numbers[s.next]
		if !ok {
			n = len(numbers)
			numbers[s.next] = n
		}
		own := foldOf(s.task)
		m.label, m.fold = append(m.label, n), append(m.fold, own)
		i, _ := slices.BinarySearch(texts, s.text)
		j, _ := slices.BinarySearch(texts, s.call)
		m.text, m.call = append(m.text, i), append(m.call, j)
		for k := range m.follows {
			if k != own && m.follows[k][s.prev] == nil {
				m.follows[k][s.prev] = map[int]bool{}
			}
			if k != own {
				m.follows[k][s.prev][n] = true
			}
		}
	}
	m.labels = len(numbers)
	return m
}

func writeTexts(t *testing.T, texts []string) {
	f, err := os.Create(*textsFlag)
	if err != nil {
		t.Fatal(err)
	}
	e := json.NewEncoder(f)
	for _, s := range texts {
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// quality holds the vectors of all texts under each method.
type quality struct {
	t       *testing.T
	table   []Vec
	parts   map[string][]Vec // the table's blocks
	encoder []Vec            // nil without -encoder
	raw     [][]float32      // the encoder's, not quantised
	base    *tfidf
	top     map[string]map[string]float64 // method, source: top-1
	rho     map[string]map[string]float64 // method, source: rank correlation
}

func newQuality(t *testing.T, texts []string) *quality {
	q := &quality{t: t, parts: map[string][]Vec{}, top: map[string]map[string]float64{}, rho: map[string]map[string]float64{}}
	table, s := Default(), new(Scratch)
	for _, text := range texts {
		q.table = append(q.table, table.Vec(s, nil, text))
		v := table.Embed(s, nil, text)
		q.parts["tokens"] = append(q.parts["tokens"], Quantise(nil, v[:table.mix.dim]))
		q.parts["lexical"] = append(q.parts["lexical"], Quantise(nil, v[table.mix.dim:]))
	}
	q.base = newTFIDF(texts)
	if *encoderFlag != "" {
		q.readEncoder(len(texts))
	}
	return q
}

func (q *quality) readEncoder(n int) {
	b, err := os.ReadFile(*encoderFlag)
	if err != nil || len(b) != 4*n*encoderDim {
		q.t.Fatalf("%d bytes, %v, want %d: made from other texts?", len(b), err, 4*n*encoderDim)
	}
	for range n {
		v := make([]float32, encoderDim)
		for j := range v {
			v[j] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		q.raw = append(q.raw, v)
		q.encoder = append(q.encoder, Quantise(nil, v))
	}
}

// head learns from the texts of the training steps and scores a text for each
// label; labels without training steps get the lowest score.
type head func(m *measured, train []int) func(step int) []float64

// quick are the heads that every test run measures; -encoder adds the rest.
var quick = []string{"TF-IDF, centroid", "table, centroid", "table, directions"}

func (q *quality) retrieval(names []string, byName map[string]*measured) {
	heads := []struct {
		name string
		head head
	}{
		{"TF-IDF, centroid", q.tfidfCentroid},
		{"table, centroid", centroid(q.table)},
		{"table, nearest example", nearest(q.table)},
		{"table, directions", directions(q.table)},
		{"tokens only, centroid", centroid(q.parts["tokens"])},
		{"tokens only, directions", directions(q.parts["tokens"])},
		{"lexical only, centroid", centroid(q.parts["lexical"])},
		{"lexical only, directions", directions(q.parts["lexical"])},
		{"encoder, centroid", centroid(q.encoder)},
		{"encoder, nearest example", nearest(q.encoder)},
		{"encoder, directions", directions(q.encoder)},
	}
	for _, h := range heads {
		if q.encoder == nil && !slices.Contains(quick, h.name) {
			continue
		}
		all, among, cover := map[string]float64{}, map[string]float64{}, map[string]float64{}
		for _, n := range names {
			all[n], among[n], cover[n] = accuracy(byName[n], h.head)
		}
		q.top[h.name] = all
		q.top[h.name+", among followers"] = among
		q.t.Logf("%-28s %s", h.name, row(names, func(n string) string { return fmt.Sprintf("%.3f / %.3f", all[n], among[n]) }))
		if h.name == heads[0].name {
			q.t.Logf("%-28s %s", "(label among followers)", row(names, func(n string) string { return fmt.Sprintf("%.3f", cover[n]) }))
		}
	}
}

// accuracy is the share of steps whose label scores highest: among all labels,
// and among those seen after the step's predecessor in training, over the steps
// whose label is one of them. The third is the share of such steps.
func accuracy(m *measured, h head) (all, among, cover float64) {
	var right, rightAmong, covered, held int
	for k := range min(*foldsFlag, folds) {
		var train []int
		for i, f := range m.fold {
			if f != k {
				train = append(train, i)
			}
		}
		score := h(m, train)
		for i, f := range m.fold {
			if f != k {
				continue
			}
			held++
			s := score(i)
			if best(s, nil) == m.label[i] {
				right++
			}
			if allowed := m.follows[k][m.said[i].prev]; allowed[m.label[i]] {
				covered++
				if best(s, allowed) == m.label[i] {
					rightAmong++
				}
			}
		}
	}
	n := float64(held)
	return float64(right) / n, float64(rightAmong) / float64(covered), float64(covered) / n
}

func best(scores []float64, allowed map[int]bool) int {
	at := -1
	for i, s := range scores {
		if (allowed == nil || allowed[i]) && (at < 0 || s > scores[at]) {
			at = i
		}
	}
	return at
}

func unseen(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = math.Inf(-1)
	}
	return s
}

func byLabel(m *measured, train []int, vecs []Vec) [][]Vec {
	out := make([][]Vec, m.labels)
	for _, i := range train {
		out[m.label[i]] = append(out[m.label[i]], vecs[m.text[i]])
	}
	return out
}

func centroid(vecs []Vec) head {
	return func(m *measured, train []int) func(int) []float64 {
		var means []Vec
		for _, class := range byLabel(m, train, vecs) {
			means = append(means, mean(class))
		}
		return func(step int) []float64 {
			s := unseen(m.labels)
			for l, c := range means {
				if len(c) > 0 {
					s[l] = Cos(c, vecs[m.text[step]])
				}
			}
			return s
		}
	}
}

func mean(class []Vec) Vec {
	var sum []float32
	for _, v := range class {
		length := math.Sqrt(float64(Dot(v, v)))
		for i, x := range v {
			if i == len(sum) {
				sum = append(sum, 0)
			}
			sum[i] += float32(float64(x) / length)
		}
	}
	return Quantise(nil, sum)
}

func nearest(vecs []Vec) head {
	return func(m *measured, train []int) func(int) []float64 {
		classes := byLabel(m, train, vecs)
		return func(step int) []float64 {
			s := unseen(m.labels)
			for l, class := range classes {
				for _, v := range class {
					s[l] = max(s[l], Cos(v, vecs[m.text[step]]))
				}
			}
			return s
		}
	}
}

func directions(vecs []Vec) head {
	return func(m *measured, train []int) func(int) []float64 {
		dirs, err := Directions(byLabel(m, train, vecs))
		return func(step int) []float64 {
			s := unseen(m.labels)
			for l := range dirs {
				if err == nil && len(dirs[l].Vec) > 0 {
					s[l] = float64(dirs[l].Score(vecs[m.text[step]]))
				}
			}
			return s
		}
	}
}

func (q *quality) tfidfCentroid(m *measured, train []int) func(int) []float64 {
	var texts []int
	for _, i := range train {
		texts = append(texts, m.text[i])
	}
	vecs := q.base.fit(texts)
	sums := make([][]float64, m.labels)
	for _, i := range train {
		l := m.label[i]
		if sums[l] == nil {
			sums[l] = make([]float64, len(q.base.numbers))
		}
		for _, t := range vecs[m.text[i]] {
			sums[l][t.feature] += t.x
		}
	}
	lengths := make([]float64, m.labels)
	for l, c := range sums {
		for _, x := range c {
			lengths[l] += x * x
		}
		lengths[l] = math.Sqrt(lengths[l])
	}
	return func(step int) []float64 {
		s := unseen(m.labels)
		for l, c := range sums {
			if c != nil {
				s[l] = dotDense(vecs[m.text[step]], c) / lengths[l]
			}
		}
		return s
	}
}

// pairs are pairs of texts of one source: words with words, and words with
// descriptions of calls. A fixed stride gives the same pairs every time.
func pairs(m *measured) (out [][2]int) {
	words := slices.Compact(slices.Sorted(slices.Values(m.text)))
	calls := slices.Compact(slices.Sorted(slices.Values(m.call)))
	for k := range 4000 {
		a := words[k*7919%len(words)]
		b := words[(k*104729+k/len(words)+1)%len(words)]
		if k%4 == 0 {
			b = calls[k*104729%len(calls)]
		}
		if a != b {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

func (q *quality) correlation(names []string, byName map[string]*measured) {
	if q.raw == nil {
		q.t.Log("rank correlation with the encoder needs distill/measure.sh")
		return
	}
	for _, n := range names {
		m := byName[n]
		all, ps := q.base.fit(slices.Compact(slices.Sorted(slices.Values(m.text)))), pairs(m)
		want := similarities(ps, func(a, b int) float64 { return dot32(q.raw[a], q.raw[b]) })
		for name, sim := range map[string]func(a, b int) float64{
			"table":        func(a, b int) float64 { return Cos(q.table[a], q.table[b]) },
			"tokens only":  func(a, b int) float64 { return Cos(q.parts["tokens"][a], q.parts["tokens"][b]) },
			"lexical only": func(a, b int) float64 { return Cos(q.parts["lexical"][a], q.parts["lexical"][b]) },
			"TF-IDF":       func(a, b int) float64 { return dotSparse(all[a], all[b]) },
		} {
			if q.rho[name] == nil {
				q.rho[name] = map[string]float64{}
			}
			q.rho[name][n] = spearman(want, similarities(ps, sim))
		}
	}
	for _, name := range []string{"TF-IDF", "table", "tokens only", "lexical only"} {
		q.t.Logf("%-28s %s", "rank correlation, "+name, row(names, func(n string) string { return fmt.Sprintf("%.3f", q.rho[name][n]) }))
	}
}

func similarities(ps [][2]int, sim func(a, b int) float64) (out []float64) {
	for _, p := range ps {
		out = append(out, sim(p[0], p[1]))
	}
	return out
}

func dot32(a, b []float32) (s float64) {
	for i, x := range a {
		s += float64(x) * float64(b[i])
	}
	return s
}

// spearman is the correlation of ranks, with mean ranks for ties.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	var xy, xx, yy float64
	mid := float64(len(a)-1) / 2
	for i := range x {
		xy += (x[i] - mid) * (y[i] - mid)
		xx += (x[i] - mid) * (x[i] - mid)
		yy += (y[i] - mid) * (y[i] - mid)
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	out := make([]float64, len(v))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && v[order[j]] == v[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}

// claims are what QUALITY.md says and callers build on.
func (q *quality) claims(names []string) {
	for _, suffix := range []string{"", ", among followers"} {
		table, base := q.top["table, directions"+suffix], q.top["TF-IDF, centroid"+suffix]
		if a, b := average(table, names), average(base, names); a <= b+0.02 {
			q.t.Errorf("top-1%s: table %.3f, TF-IDF %.3f, want 0.02 more", suffix, a, b)
		}
	}
	for _, n := range names[:4] {
		if q.rho["table"] != nil && q.rho["table"][n] <= q.rho["TF-IDF"][n] {
			q.t.Errorf("%s: rank correlation of the table %.3f, of TF-IDF %.3f", n, q.rho["table"][n], q.rho["TF-IDF"][n])
		}
	}
}

// average leaves out tau and toolemu, which have too few calls with words.
func average(v map[string]float64, names []string) (s float64) {
	for _, n := range names[:4] {
		s += v[n] / 4
	}
	return s
}
