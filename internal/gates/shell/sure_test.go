package shell_test

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/shell"
)

func TestSure(t *testing.T) {
	for line, want := range map[string][]string{
		"go test ./...": {"go test ./..."}, "cd x && go test 2>&1": {"cd x", "go test"}, "go test; echo done": {"echo done"}, "go test | tail": {"tail"},
		"go test || true": nil, "! go test": nil, "go test &": nil, "(go test)": nil, "if a; then b; fi": nil, "go test )": nil, "": nil, "X=1 make check": {"X=1 make check"},
	} {
		if got := shell.Parse(line).Sure(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
