package merge

import "testing"

// inFold is a trace of a fold with these macros.
func inFold(fold uint64, keys ...string) *Trace {
	t := &Trace{FoldKey: fold}
	for _, k := range keys {
		t.Macros = append(t.Macros, Macro{Key: k})
	}
	return t
}

func TestBaselines(t *testing.T) {
	g := grams{}
	for range 3 {
		g.add(inFold(1, "look", "edit", "test", "edit", "look"))
	}
	g.add(inFold(1, "look", "edit", "test"))
	held := inFold(2, "look", "edit", "test", "edit", "test")
	g.add(held)
	g.add(inFold(2, "edit", "commit"))
	for i, want := range []struct{ frequent, likeliest string }{
		{"look", "look"}, {"edit", "edit"}, {"test", "test"}, {"edit", "edit"},
		{"test", "look"}, // edit goes to test more often, but not after a test
	} {
		if got := g.frequent(held, i); got != want.frequent {
			t.Errorf("step %d: most frequent successor %q, want %q", i, got, want.frequent)
		}
		if got := g.likeliest(held, i); got != want.likeliest {
			t.Errorf("step %d: n-gram %q, want %q", i, got, want.likeliest)
		}
	}
	alone := inFold(3, "never", "seen")
	if f, l := g.frequent(alone, 1), g.likeliest(alone, 1); f != "" || l == "" {
		t.Errorf("after a macro that nobody saw: %q and %q, want nothing and the commonest of all", f, l)
	}
}

func TestAFoldDoesNotJudgeItself(t *testing.T) {
	g := grams{}
	own := inFold(1, "look", "edit")
	g.add(own)
	if f, l := g.frequent(own, 1), g.likeliest(own, 1); f != "" || l != "" {
		t.Errorf("guesses %q and %q from the episode itself", f, l)
	}
}
