package learn

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// TestLibraryGate: the gate of the library, which is sealed, and the reading in
// Go that exemptions are learned with are one rule.
func TestLibraryGate(t *testing.T) {
	written, ok := library.Find(library.Untrusted)
	if !ok {
		t.Fatal("the library has no such gate")
	}
	want, _, err := lang.Compile(written.Expr)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := lang.Compile(new(flowGate).text()); err != nil || got != want {
		t.Errorf("%v\nthe learner reads\n%s\nthe library has\n%s\nwhoever changes reach.go changes library.yaml, with a new version", err, got, want)
	}
}
