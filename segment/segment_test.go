package segment

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/corpora"
)

// shell makes a step of a shell tool.
func shell(command string) corpora.Step {
	return corpora.Step{Tool: "bash", Args: `{"command":"` + command + `"}`, Status: corpora.StatusExecuted}
}

func keysOf(p Path) string {
	var keys []string
	for _, m := range p.Macros {
		keys = append(keys, m.Key)
	}
	return strings.Join(keys, " ")
}

func TestSegment(t *testing.T) {
	blocked := shell("rm -rf x")
	blocked.Status = corpora.StatusBlocked
	tests := []struct {
		name      string
		steps     []corpora.Step
		keys      string
		of        []int
		reference int // macros in the reference profile
	}{
		{"nothing", nil, "", []int{}, 0},
		{"one call", []corpora.Step{shell("ls")}, "view", []int{0}, 1},
		{"equal actions are one macro", []corpora.Step{shell("cat a"), shell("head b"), shell("grep x a")}, "view search", []int{0, 0, 1}, 1},
		{"every change ends a reference macro", []corpora.Step{shell("touch a"), shell("mkdir b")}, "make", []int{0, 0}, 2},
		{"a blocked call belongs to none", []corpora.Step{shell("ls"), blocked, shell("ls")}, "view", []int{0, -1, 0}, 1},
		{"thinking belongs to none", []corpora.Step{{Tool: "think", Args: `{}`}, shell("ls")}, "view", []int{-1, 0}, 1},
		{"a family switch ends a reference macro", []corpora.Step{shell("ls"), {Tool: "search_emails", Args: "{}"}}, "view read:email", []int{0, 1}, 2},
	}
	for _, tt := range tests {
		e := &corpora.Episode{Steps: tt.steps}
		p := Segment(e, Default)
		if keysOf(p) != tt.keys || !reflect.DeepEqual(p.Of, tt.of) {
			t.Errorf("%s: %q %v, want %q %v", tt.name, keysOf(p), p.Of, tt.keys, tt.of)
		}
		if got := len(Segment(e, Reference).Macros); got != tt.reference {
			t.Errorf("%s: %d reference macros, want %d", tt.name, got, tt.reference)
		}
	}
}

func TestReferenceSignature(t *testing.T) {
	e := &corpora.Episode{Steps: []corpora.Step{shell("ls"), shell("cat a"), shell("rm a")}}
	p := Segment(e, Reference)
	if want := "f{shell*3} r{process} d{delete none} htrue"; len(p.Macros) != 1 || p.Macros[0].Key != want {
		t.Errorf("macros %+v, want one with key %q", p.Macros, want)
	}
	c := Cont(e, &p, 0)
	if c[0] != 666 || c[2] != 333 || c[7] != 333 {
		t.Errorf("sigma_cont = %v", c)
	}
}

func TestCollapse(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"a", "a"},
		{"aaa", "a"},
		{"abab", "ab"},
		{"xababab", "xab"},
		{"abcabcd", "abcd"},
		{"abcdabcd", "abcd"},
		{"abcdeabcde", "abcdeabcde"}, // longer than MaxCycle
		{"abac", "abac"},
	}
	for _, tt := range tests {
		var got strings.Builder
		for _, i := range Collapse(len(tt.in), func(i int) string { return tt.in[i : i+1] }) {
			got.WriteByte(tt.in[i])
		}
		if got.String() != tt.want {
			t.Errorf("Collapse(%q) = %q, want %q", tt.in, got.String(), tt.want)
		}
	}
}

func TestDeltas(t *testing.T) {
	seen := corpora.Delta{Kind: corpora.DeltaFileCreate, Resource: "/a", Observed: true}
	failed := shell("rm a")
	failed.Error = "no such file"
	tests := []struct {
		name string
		step corpora.Step
		want []corpora.Delta
	}{
		{"observed ones stand", corpora.Step{Tool: "ls", Deltas: []corpora.Delta{seen}}, []corpora.Delta{seen}},
		{"reading changes nothing", shell("cat a"), nil},
		{"a failed call implies nothing", failed, nil},
		{"an edit is inferred", corpora.Step{Tool: "Write", Args: `{"file_path":"/a","content":"1\n2\n"}`},
			[]corpora.Delta{{Kind: corpora.DeltaFileModify, Resource: "/a", Size: 2}}},
		{"a mail is sent", corpora.Step{Tool: "send_email", Args: `{"recipients":"x@example.org"}`},
			[]corpora.Delta{{Kind: corpora.DeltaSend, Resource: "x@example.org"}}},
	}
	for _, tt := range tests {
		if got := Deltas(&tt.step); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

var commands = []string{"ls", "cat a", "rm a", "python x.py", "pytest", "touch b", "git diff", "curl http://example.org"}

func episodes() *rapid.Generator[*corpora.Episode] {
	return rapid.Custom(func(t *rapid.T) *corpora.Episode {
		e := &corpora.Episode{}
		for _, c := range rapid.SliceOf(rapid.SampledFrom(commands)).Draw(t, "commands") {
			s := shell(c)
			s.Text = rapid.String().Draw(t, "text")
			e.Steps = append(e.Steps, s)
		}
		return e
	})
}

// TestWordsMoveNoBoundary is the stability requirement X4 for segmentation: the
// macros of an episode do not depend on anything that anybody said.
func TestWordsMoveNoBoundary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := episodes().Draw(t, "episode")
		for _, p := range []Profile{Default, Reference} {
			before := Segment(e, p)
			other := *e
			other.Steps = append([]corpora.Step(nil), e.Steps...)
			for i := range other.Steps {
				other.Steps[i].Text = rapid.String().Draw(t, "other text")
				other.Steps[i].Heard = rapid.String().Draw(t, "other heard")
			}
			if !reflect.DeepEqual(before, Segment(&other, p)) {
				t.Fatalf("profile %d: words changed the macros", p)
			}
		}
	})
}

func TestMacrosPartitionTheSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := episodes().Draw(t, "episode")
		p := Segment(e, Default)
		for i, m := range p.Of {
			if m < 0 || i < p.Macros[m].From || i >= p.Macros[m].To {
				t.Fatalf("step %d is in macro %d of %+v", i, m, p.Macros)
			}
		}
		for i := 1; i < len(p.Macros); i++ {
			if p.Macros[i].From != p.Macros[i-1].To || p.Macros[i].Key == p.Macros[i-1].Key {
				t.Fatalf("macros %+v overlap, leave gaps or repeat", p.Macros)
			}
		}
	})
}

func TestSentences(t *testing.T) {
	got := Sentences("I will read the file. Then I'll fix it!\n- Run the tests now\nok\n<b>not this one here</b>")
	want := []string{"I will read the file.", "Then I'll fix it!", "Run the tests now"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
