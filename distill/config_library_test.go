package distill

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

func TestLibraryConfig(t *testing.T) {
	for yaml, want := range map[string]struct {
		gates int
		left  bool // to the logs
		err   string
	}{
		"":                          {0, true, ""},
		"library: []":               {0, false, ""},
		"library: [untrusted-flow]": {1, false, ""},
		"library: [untrusted]":      {0, false, `line 1: library[0]: no gate of the library is called "untrusted"; give some of untrusted-flow, untrusted-link`},
		"library: [untrusted-flow, untrusted-flow]":                             {0, false, "untrusted-flow is given twice"},
		"gates:\n  - expr: ctx.high\n    message: \"library my-own@1: mine\"\n": {0, false, "begins like that of a gate of the library"},
	} {
		c, err := ReadConfig([]byte(yaml))
		if want.err != "" {
			if err == nil || !strings.Contains(err.Error(), want.err) {
				t.Errorf("%q: %v, want %q", yaml, err, want.err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%q: %v", yaml, err)
		}
		sealed, err := c.SealedGates()
		if err != nil || len(sealed) != want.gates || c.Library.IsZero() != want.left {
			t.Errorf("%q: %d gates, left to the logs %v: %v", yaml, len(sealed), c.Library.IsZero(), err)
		}
		for i := range sealed {
			if LibraryOf(&sealed[i]) != "untrusted-flow@1" {
				t.Errorf("%q: its message does not say where it is from: %s", yaml, sealed[i].Message)
			}
		}
	}
}

// TestLibraryGateWithExemptions: the plain gate gives way to the one with what
// was learned, and to no other.
func TestLibraryGateWithExemptions(t *testing.T) {
	written, _ := library.Find(library.Untrusted)
	plain := artifacts.Gate{Message: written.Sealed(0)}
	for _, tc := range []struct {
		gate learn.Gate
		want bool
	}{
		{learn.Gate{Proposal: learn.Proposal{Library: written.Label(), Exempt: 2}}, true},
		{learn.Gate{Proposal: learn.Proposal{Library: written.Label()}}, false},
		{learn.Gate{Proposal: learn.Proposal{Exempt: 2}}, false},
	} {
		if got := (&Gates{Accepted: []learn.Gate{tc.gate}}).exempts(plain); got != tc.want {
			t.Errorf("%+v: %v, want %v", tc.gate.Proposal, got, tc.want)
		}
	}
}
