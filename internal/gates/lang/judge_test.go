package lang

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestAgreesWithJudge holds the program of an expression, its canonical text
// and the index to cel-go's opinion of the text as written.
func TestAgreesWithJudge(t *testing.T) {
	passed, stopped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range perDraw {
			p, s := agrees(t, drawExpr(t, 3, nil))
			passed, stopped = passed+p, stopped+s
		}
	})
	if passed < 20 || stopped < 20 {
		t.Errorf("%d contexts passed and %d stopped: the test judged one side only", passed, stopped)
	}
}

// perDraw multiplies rapid's hundred checks.
const perDraw = 8

func agrees(t *rapid.T, text string) (passed, stopped int) {
	canonical, prog, err := Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	again, prog2, err := Compile(canonical)
	if err != nil || again != canonical || !bytes.Equal(prog, prog2) {
		t.Fatalf("%s: canonical text %s becomes %s (%v)", text, canonical, again, err)
	}
	judge, err := NewJudge(text)
	if err != nil {
		t.Fatal(err)
	}
	// A second gate beside it shares the index.
	lib := library(t, text, drawExpr(t, 2, nil))
	for range 4 {
		c := drawContext(t)
		want, err := judge.Passes(NewInput(c))
		if err != nil {
			t.Fatalf("%s: judge: %v", text, err)
		}
		got := true
		for _, i := range lib.Eval(c, nil, nil) {
			got = got && i != 0
		}
		if got != want {
			t.Fatalf("%s\ncanonical %s\npasses %v, the judge says %v, on %s", text, canonical, got, want, c.AppendCanonical(nil))
		}
		if got {
			passed++
		} else {
			stopped++
		}
	}
	return passed, stopped
}

// TestSubsumesIsSound looks for a context that an older gate stops and a gate
// that is said to subsume it lets pass.
func TestSubsumesIsSound(t *testing.T) {
	proved, stopped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range perDraw {
			p, s := sound(t)
			proved, stopped = proved+p, stopped+s
		}
	})
	if proved < 10 || stopped < 10 {
		t.Errorf("%d proofs, %d contexts stopped: the test tried next to nothing", proved, stopped)
	}
}

func sound(t *rapid.T) (proved, stopped int) {
	old := drawExpr(t, 2, nil)
	other := drawExpr(t, 1, nil)
	next := rapid.SampledFrom([]string{old + " && " + other, "(" + old + ") || " + other, other, "(" + other + ") && (" + other + ")", "!(" + old + ")"}).Draw(t, "new")
	if rapid.Bool().Draw(t, "swap") {
		old, next = next, old
	}
	if !Subsumes(next, old) {
		return 0, 0
	}
	lib := library(t, old, next)
	for range 8 {
		c := drawContext(t)
		got := lib.Eval(c, nil, nil)
		if len(got) == 1 && got[0] == 0 {
			t.Fatalf("%s is said to subsume %s and lets pass %s", next, old, c.AppendCanonical(nil))
		}
		stopped += min(len(got), 1)
	}
	return 1, stopped
}
