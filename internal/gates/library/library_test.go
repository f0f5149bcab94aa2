package library

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/lang"
)

func TestGates(t *testing.T) {
	if len(All()) == 0 || !slices.IsSorted(Names()) {
		t.Fatalf("gates %v", Names())
	}
	for _, g := range All() {
		if _, _, err := lang.Compile(g.Expr); err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		if g.Version < 1 || g.Disposition == "" || g.Message == "" || g.Source == "" || g.Says == "" {
			t.Errorf("%s: something is missing: %+v", g.Name, g)
		}
		if _, ok := Find(g.With); !ok && g.With != "" {
			t.Errorf("%s goes with %q, which is not there", g.Name, g.With)
		}
		if found, ok := Find(g.Name); !ok || found != g {
			t.Errorf("%s is not found by its name", g.Name)
		}
	}
	if _, ok := Find("none"); ok {
		t.Error("a gate that is not there is found")
	}
}

func TestLabelOf(t *testing.T) {
	g := Gate{Name: "some-gate", Version: 3, Message: "do it: another way, a@b"}
	for message, want := range map[string]string{
		g.Sealed(0):              "some-gate@3",
		g.Sealed(1):              "some-gate@3",
		g.Sealed(12):             "some-gate@3",
		g.Message:                "",
		"":                       "",
		"library closed: ask":    "",
		"library a b@c.example:": "",
	} {
		if got := LabelOf(message); got != want {
			t.Errorf("%q: label %q, want %q", message, got, want)
		}
	}
}
