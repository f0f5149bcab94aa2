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
		gates string
		left  bool // to the logs
		err   string
	}{
		"":                          {"", true, ""},
		"library: []":               {"", false, ""},
		"library: [untrusted-flow]": {"untrusted-flow untrusted-link", false, ""},
		"library: [untrusted-flow, -untrusted-link]":                            {"untrusted-flow", false, ""},
		"library: [untrusted-link]":                                             {"untrusted-link", false, ""},
		"library: [untrusted-link, untrusted-flow]":                             {"untrusted-flow untrusted-link", false, ""},
		"library: [-untrusted-link]":                                            {"", false, ""},
		"library: [untrusted]":                                                  {"", false, `line 1: library[0]: no gate of the library is called "untrusted"; give some of untrusted-flow, untrusted-link`},
		"library: [-untrusted]":                                                 {"", false, `line 1: library[0]: no gate of the library is called "untrusted"; give some of untrusted-flow, untrusted-link`},
		"library: [untrusted-flow, untrusted-flow]":                             {"", false, "untrusted-flow is given twice"},
		"library: [untrusted-flow, -untrusted-flow]":                            {"", false, "untrusted-flow is given twice"},
		"gates:\n  - expr: ctx.high\n    message: \"library my-own@1: mine\"\n": {"", false, "begins like that of a gate of the library"},
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
		var got []string
		for i := range sealed {
			name, _, _ := strings.Cut(LibraryOf(&sealed[i]), "@")
			got = append(got, name)
		}
		if strings.Join(got, " ") != want.gates || err != nil || c.Library.IsZero() != want.left || strings.Join(c.learnOptions().Library, " ") != want.gates {
			t.Errorf("%q: %v, left to the logs %v: %v", yaml, got, c.Library.IsZero(), err)
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
