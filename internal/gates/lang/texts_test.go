package lang

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestTexts: what is read before comes to the same, whoever changed a list of constants
// meanwhile, and past what is kept.
func TestTexts(t *testing.T) {
	var texts Texts
	list := []string{`ctx.tool == "b" || ctx.tool == "a"`, `ctx.none`, ``, `!(ctx.uid == "x")`}
	for i := range 3 {
		list = append(list, fmt.Sprintf(`ctx.tool == "%d%s"`, i, strings.Repeat("x", maxExpr/2)))
	}
	check := func(text string) {
		canonical, prog, err := Compile(text)
		c, p, e := texts.Compile(text)
		if c != canonical || !slices.Equal(p, prog) || fmt.Sprint(e) != fmt.Sprint(err) {
			t.Errorf("%.80s: %.80q, %v", text, c, e)
		}
		want, err := Constants(text)
		got, e := texts.Constants(text)
		if !slices.Equal(got, want) || fmt.Sprint(e) != fmt.Sprint(err) {
			t.Errorf("%.80s: %.80q, %v", text, got, e)
		}
		clear(got)
	}
	for i := range 2 {
		var wg sync.WaitGroup
		for _, text := range list {
			wg.Go(func() { check(text) })
		}
		wg.Wait()
		texts.mu.Lock()
		if n := len(list) + i; len(texts.compiled) != n || len(texts.constants) != n { // and that of the round before
			t.Errorf("%d texts and constants of %d are kept", len(texts.compiled), len(texts.constants))
		}
		texts.size = maxRead
		texts.mu.Unlock()
		check(list[0])
		check(fmt.Sprintf(`ctx.tool == "%d"`, i))
		if len(texts.compiled) != 1 {
			t.Errorf("%d texts are kept past the bound", len(texts.compiled))
		}
	}
}
