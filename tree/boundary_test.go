package tree

import (
	"strings"
	"testing"
)

func bounded() (*View, Params) {
	tr := twoFamilies()
	tr.Families[0].Exemplars = []Vec{{127, 0}, {120, 40}}
	tr.Families[1].Exemplars = []Vec{{0, 127}}
	p := settings
	p.RouteNear, p.RouteOffered, p.RouteWords = 900, 1400, 300
	return NewView(tr), p
}

func TestAbstain(t *testing.T) {
	v, p := bounded()
	mine := v.Families[0].Tools
	for _, tt := range []struct {
		name string
		ask  Ask
		want string
	}{
		{"near", Ask{Vec: Vec{127, 10}, Known: 900}, ""},
		{"at a bound", Ask{Vec: Vec{127, 10}, Known: 300}, ""},
		{"no words", Ask{Known: 1000}, AbstainEmpty},
		{"a direction of nothing", Ask{Vec: Vec{0, 0}, Known: 1000}, AbstainEmpty},
		{"words that nobody knows", Ask{Vec: Vec{127, 10}, Known: 299}, AbstainWords},
		{"between the families", Ask{Vec: Vec{90, 100}, Known: 900}, AbstainFar},
		{"opposite", Ask{Vec: Vec{-127, 0}, Known: 900}, AbstainFar},
		{"near, with its tools", Ask{Vec: Vec{127, 10}, Known: 900, Offered: mine}, ""},
		{"less near, with its tools", Ask{Vec: Vec{100, 100}, Known: 900, Offered: mine}, ""},
		{"near, with one of five tools", Ask{Vec: Vec{127, 10}, Known: 900, Offered: append([]string{"p", "q"}, mine...)}, ""},
		{"near, with others' tools", Ask{Vec: Vec{127, 10}, Known: 900, Offered: []string{"none"}}, AbstainFar},
		{"near one family, with the other's tools", Ask{Vec: Vec{127, 0}, Known: 900, Offered: v.Families[1].Tools}, AbstainFar},
		{"no tool at all", Ask{Vec: Vec{127, 10}, Known: 900, Offered: []string{}}, AbstainFar},
	} {
		if got, _ := v.Abstain(&tt.ask, &p); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if r := v.Route(&tt.ask, &p); r.OK() && tt.want != "" {
			t.Errorf("%s: routed to %+v", tt.name, r.Open)
		}
	}
	p.RouteOffered = 900 // low, as few tasks draw it: no common tool is still none
	if got, _ := v.Abstain(&Ask{Vec: Vec{127, 0}, Known: 900, Offered: []string{"none"}}, &p); got != AbstainFar {
		t.Errorf("a near task with others' tools: %q", got)
	}
	if got, _ := v.Abstain(&Ask{Vec: Vec{-127, 0}}, &settings); got != "" {
		t.Errorf("a policy without a boundary abstains for %q", got)
	}
}

// What guards a task that is not claimed stands where it would have stood.
func TestAbstainingKeepsThePlace(t *testing.T) {
	v, p := bounded()
	ask := Ask{Vec: Vec{120, 10}, Known: 0}
	r, plain := v.Route(&ask, &p), v.Route(&ask, &settings)
	if r.Abstain == "" || len(r.Open) == 0 || r.Open[0] != plain.Open[0] || r.Best != plain.Best {
		t.Errorf("%+v, without a boundary %+v", r, plain)
	}
}

func TestOverlap(t *testing.T) {
	for _, tt := range []struct {
		offered, tools string
		want           Milli
	}{
		{"a b c", "a b c", 1000}, {"a", "a b c", 1000}, {"a b c d", "b", 1000}, {"a x y", "a b c", 333},
		{"x", "a b", 0}, {"", "a", 0}, {"a", "", 0}, {"a a a", "a b", 1000},
	} {
		if got := Overlap(strings.Fields(tt.offered), strings.Fields(tt.tools)); got != tt.want {
			t.Errorf("%q of %q: %d, want %d", tt.offered, tt.tools, got, tt.want)
		}
	}
}

func TestTaskWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"short":                         "short",
		"bad \xff byte":                 "bad  byte",
		strings.Repeat("a", 2000):       strings.Repeat("a", MaxTask),
		strings.Repeat("a", 1499) + "é": strings.Repeat("a", 1499),
	} {
		if got := TaskWords(in); got != want {
			t.Errorf("%.20q: %d bytes, want %d", in, len(got), len(want))
		}
	}
}

// TestAbstainLate: how far a task may be for its first macros to claim it.
func TestAbstainLate(t *testing.T) {
	v, p := bounded()
	near := v.Near(Vec{90, 100})
	for _, tt := range []struct {
		name string
		ask  Ask
		late Milli
		want bool
	}{
		{"none may be claimed late", Ask{Vec: Vec{90, 100}, Known: 900}, 0, false},
		{"no farther than that", Ask{Vec: Vec{90, 100}, Known: 900}, near, true},
		{"farther", Ask{Vec: Vec{90, 100}, Known: 900}, near + 1, false},
		{"no words", Ask{Known: 900}, 1, false},
		{"words that nobody knows", Ask{Vec: Vec{90, 100}, Known: 299}, 1, false},
		{"others' tools", Ask{Vec: Vec{90, 100}, Known: 900, Offered: []string{"none"}}, 1, false},
		{"claimed by its text", Ask{Vec: Vec{127, 10}, Known: 900}, 1, false},
	} {
		p.RouteLate, p.RouteLateOffered = tt.late, tt.late
		if _, got := v.Abstain(&tt.ask, &p); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
