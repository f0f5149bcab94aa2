package programs

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/pieces"
)

// TestShorten reads again the options of all programs, and texts that no program has.
func TestShorten(t *testing.T) {
	list, err := readFolder()
	if err != nil {
		t.Fatal(err)
	}
	s, long, short := newShortener(), 0, 0
	check := func(text string) {
		code, err := s.shorten(text)
		if got := pieces.Text(code); err != nil || got != text {
			t.Fatalf("%q becomes %q (%v)", text, got, err)
		}
		if len(code) > len(text) || strings.ContainsAny(code, "\t\n") {
			t.Errorf("%q has the code %q", text, code)
		}
		long, short = long+len(text), short+len(code)
	}
	seen := map[string]bool{}
	for _, r := range Rows(list) {
		if !seen[r.Options] {
			check(r.Options)
		}
		seen[r.Options] = true
	}
	// The pairs were learned from most of these: at a third of the text it is time to
	// learn them anew (go run ./internal/gates/programs/generate -learn).
	t.Logf("%d bytes of options in %d", long, short)
	if 3*short > long {
		t.Errorf("%d bytes of options take %d", long, short)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		text := make([]byte, random.IntN(30))
		for i := range text {
			text[i] = byte(' ' + random.IntN(letters-' '))
		}
		check(string(text))
	}
	for _, text := range []string{"a\tb", "a\nb", "\x80", "é"} {
		if code, err := s.shorten(text); err == nil {
			t.Errorf("%q has the code %q", text, code)
		}
	}
}

// TestLearn learns pairs of a few rows: the same each time, the frequent ones first, and
// none that is rare.
func TestLearn(t *testing.T) {
	rows := []Row{{Options: "ababababab cd cd cd xy"}, {Options: "aaaaaaaaa"}}
	first, err := Learn(rows)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if again, err := Learn(rows); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("%v\n%s\n%s", err, first, again)
		}
	}
	if !bytes.Contains(first, []byte("{97, 98}")) || bytes.Contains(first, []byte("{120, 121}")) {
		t.Errorf("%s", first)
	}
	if _, err := Learn([]Row{{Name: "é", Options: "é"}}); err == nil {
		t.Error("an option with an accent is learned")
	}
}

// TestWriteRefuses gives rows that the table could not be read with again.
func TestWriteRefuses(t *testing.T) {
	for _, r := range []Row{{Name: "a\tb"}, {Name: "a\nb"}, {Name: "a", Operands: "\t"}, {Name: "a", Options: "é!n"}} {
		if got, err := Write([]Row{r}); err == nil {
			t.Errorf("%+v: %s", r, got)
		}
	}
}
