package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// classes are texts of our own that share most of their words.
func classes() (out [][]Vec) {
	for _, verb := range []string{"open", "delete", "rename", "copy"} {
		var class []Vec
		for i := range 6 {
			text := fmt.Sprintf("Okay, let me now go on as the user asked and %s the file number %d for them.", verb, i)
			class = append(class, Default().Vec(nil, nil, text))
		}
		out = append(out, class)
	}
	return out
}

func TestDirectionsTellApart(t *testing.T) {
	all := classes()
	train := make([][]Vec, len(all))
	for i, c := range all {
		train[i] = c[:3]
	}
	dirs, err := Directions(train)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		for _, v := range c[3:] {
			if best := argmax(dirs, v); best != i {
				t.Errorf("a text of class %d goes to %d", i, best)
			}
		}
	}
}

func argmax(dirs []Direction, v Vec) (best int) {
	for i := range dirs {
		if dirs[i].Score(v) > dirs[best].Score(v) {
			best = i
		}
	}
	return best
}

// The order of examples and classes must not show in a single bit.
func TestDirectionsAnyOrder(t *testing.T) {
	all := classes()
	want, err := Directions(all)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range all {
		rng.Shuffle(len(all[i]), func(a, b int) { all[i][a], all[i][b] = all[i][b], all[i][a] })
	}
	slices.Reverse(all)
	got, err := Directions(all)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(got)
	for i := range want {
		if !slices.Equal(got[i].Vec, want[i].Vec) || got[i].Gain != want[i].Gain {
			t.Errorf("class %d has another direction", i)
		}
	}
}

// The factor is the judge of the solution: multiplied back it gives the start.
func TestSolve(t *testing.T) {
	l := cholesky{{4}, {2, 5}, {1, 3, 6}}
	full := [3][3]float64{{4, 2, 1}, {2, 5, 3}, {1, 3, 6}}
	if !l.factorise() {
		t.Fatal("a positive matrix has no factor")
	}
	x := []float64{1, 2, 3}
	l.solve(x)
	for i, row := range full {
		got := row[0]*x[0] + row[1]*x[1] + row[2]*x[2]
		if diff := got - float64(i+1); diff > 1e-12 || diff < -1e-12 {
			t.Errorf("row %d gives %v", i, got)
		}
	}
}

// The Woodbury form is judged by the matrix it inverts: the shrunken covariance
// times a solution gives back what was solved for.
func TestSpreadSolves(t *testing.T) {
	var sets [][]Vec
	for _, c := range classes() {
		var small []Vec
		for _, v := range c {
			small = append(small, v[:24])
		}
		sets = append(sets, small)
	}
	s, err := NewSpread(sets)
	if err != nil {
		t.Fatal(err)
	}
	m := unitMean(sets[0], 24)
	w := s.solve(m)
	n, freedom := float64(len(s.rows)), float64(len(s.rows)-len(sets))
	a := freedom / (freedom + 24)
	for i := range m {
		got := s.floor * w[i]
		for _, row := range s.rows {
			got += a / n * row[i] * inner(row, w)
		}
		if diff := got - m[i]; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("coordinate %d gives %v, want %v", i, got, m[i])
		}
	}
}

func TestDirectionsRefuses(t *testing.T) {
	for name, c := range map[string][][]Vec{
		"nothing":         nil,
		"one example":     {{{1, 2}}},
		"unlike lengths":  {{{1, 2}}, {{1, 2, 3}}},
		"no differences":  {{{1, 2}, {1, 2}}},
		"only empty ones": {{{}, {}}, {}},
		"one of each":     {{{1, 2}}, {{2, 1}}},
	} {
		if dirs, err := Directions(c); err == nil {
			t.Errorf("%s: %v", name, dirs)
		}
	}
	dirs, err := Directions([][]Vec{{{1, 2}, {3, 1}}, nil, {{-4, 1}, {1, 7}}})
	if err != nil || len(dirs) != 3 || dirs[1].Vec != nil || dirs[0].Vec == nil {
		t.Errorf("got %v, %v, want a zero direction for the empty class", dirs, err)
	}
}

func BenchmarkDirections(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := make([][]Vec, 16)
	for i := range all {
		for range 16 {
			v := make(Vec, Default().Dim())
			for j := range v {
				v[j] = int8(rng.IntN(255) - 127)
			}
			all[i] = append(all[i], v)
		}
	}
	for b.Loop() {
		if _, err := Directions(all); err != nil {
			b.Fatal(err)
		}
	}
}
