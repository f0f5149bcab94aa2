package pieces

import "testing"

// TestCodes holds each pair's code to what it is a pair of, and to bytes that a table can
// part its rows with.
func TestCodes(t *testing.T) {
	seen := map[string]int{}
	for i := range Count() {
		code := Code(i)
		if j, ok := seen[code]; ok {
			t.Errorf("%q is pair %d and pair %d", code, j, i)
		}
		seen[code] = i
		if got, want := Text(code), text(pairs[i][0])+text(pairs[i][1]); got != want {
			t.Errorf("pair %d reads as %q, want %q", i, got, want)
		}
		for _, c := range []byte(code) {
			if c < ' ' {
				t.Errorf("pair %d has the code %q", i, code)
			}
		}
	}
	if len(seen) < 1000 {
		t.Errorf("only %d pairs", len(seen))
	}
}

func text(symbol uint16) string {
	if symbol < letters {
		return string(rune(symbol))
	}
	return text(pairs[symbol-letters][0]) + text(pairs[symbol-letters][1])
}

// TestText reads a row of pieces one after the other, and a code that was cut.
func TestText(t *testing.T) {
	one, two := Code(0), Code(Count()-1)
	if len(one) != 1 || len(two) != 2 {
		t.Fatalf("codes %q and %q", one, two)
	}
	if got, want := Text("a "+one+"b"+two+one), "a "+Text(one)+"b"+Text(two)+Text(one); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Text(""); got != "" {
		t.Errorf("nothing reads as %q", got)
	}
	if got := Text("a" + two[:1]); got != "a" {
		t.Errorf("a cut code reads as %q", got)
	}
}

func BenchmarkText(b *testing.B) {
	code := ""
	for i := range 50 {
		code += Code(i * Count() / 50)
	}
	b.SetBytes(int64(len(Text(code))))
	for b.Loop() {
		Text(code)
	}
}
