package segment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
)

func TestStable(t *testing.T) {
	prose := "I am sorry about the last command. Here it is again: ls | wc -l (corrected"
	many := func(command string, n int) []corpora.Step {
		var out []corpora.Step
		for i := range n {
			out = append(out, shell(fmt.Sprintf("rm a%d", i)), shell(command))
		}
		return out
	}
	tests := []struct {
		name       string
		steps      []corpora.Step
		safety     corpora.Safety
		tested, ok bool
	}{
		{"nothing", nil, corpora.SafetyUnknown, false, true},
		{"reading alone needs no test", []corpora.Step{shell("ls"), shell("cat a")}, corpora.SafetySafe, false, true},
		{"unsafe reading does", []corpora.Step{shell("ls"), shell("cat a")}, corpora.SafetyUnsafe, true, true},
		{"a change does", many("cat b", 3), corpora.SafetyUnknown, true, true},
		{"prose instead of commands", many(prose, 3), corpora.SafetyUnknown, true, false},
		{"a cut command line", many("grep -r x . | xargs '", 3), corpora.SafetyUnknown, true, false},
		{"a blocked one counts for nothing", blocked(many(prose, 3)), corpora.SafetyUnsafe, true, true},
	}
	for _, tt := range tests {
		for _, p := range []Profile{Default, Reference} {
			if p == Reference && !tt.ok {
				continue // its signature has tool families, which prose does not change
			}
			e := &corpora.Episode{Steps: tt.steps, Safety: tt.safety}
			path := Segment(e, p)
			before := path
			s := Stable(e, &path, p)
			if s.Tested != tt.tested || s.OK() != tt.ok {
				t.Errorf("%s, profile %d: %+v, want tested %v, ok %v", tt.name, p, s, tt.tested, tt.ok)
			}
			if s != Stable(e, &path, p) || !reflect.DeepEqual(before, path) {
				t.Errorf("%s, profile %d: the test gave two answers or changed the path", tt.name, p)
			}
		}
	}
}

func blocked(steps []corpora.Step) []corpora.Step {
	for i := range steps {
		if i%2 == 1 {
			steps[i].Status = corpora.StatusBlocked
		}
	}
	return steps
}

func TestStabilityBounds(t *testing.T) {
	tests := []struct {
		s    Stability
		want bool
	}{
		{Stability{}, true},
		{Stability{Tested: true}, false},
		{Stability{Tested: true, Jaccard: 0.9, Summaries: true}, true},
		{Stability{Tested: true, Jaccard: 0.899, Summaries: true}, false},
		{Stability{Tested: true, Jaccard: 1}, false},
	}
	for _, tt := range tests {
		if tt.s.OK() != tt.want {
			t.Errorf("%+v: OK is %v", tt.s, !tt.want)
		}
	}
}

func TestJaccard(t *testing.T) {
	at := func(from ...int) []Macro {
		var out []Macro
		for _, f := range from {
			out = append(out, Macro{From: f})
		}
		return out
	}
	tests := []struct {
		a, b []Macro
		want float64
	}{
		{nil, nil, 1},
		{at(0), nil, 0},
		{at(0, 2, 4), at(0, 2, 4), 1},
		{at(0, 2, 4), at(0, 4), 2.0 / 3},
		{at(0, 1, 2), at(0, 3), 1.0 / 4},
	}
	for _, tt := range tests {
		if got, back := jaccard(tt.a, tt.b), jaccard(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("jaccard(%v, %v) = %v and %v, want %v", tt.a, tt.b, got, back, tt.want)
		}
	}
}

// TestRewriteKeepsTheAction: whatever can be read is read alike in every
// writing. Were it not so, the stability test would reject what is stable.
func TestRewriteKeepsTheAction(t *testing.T) {
	tests := []struct{ tool, args string }{
		{"bash", `{"command":"cat > a.py <<'EOF'\nimport os\nEOF"}`},
		{"bash", `{"command":"cd x && rm -rf build; ls # clean"}`},
		{"bash", `{"command":""}`},
		{"bash", `{"command":"# only a note"}`},
		{"bash", `{"command":"for f in *; do mv $f x; done","timeout":3}`},
		{"bash", `{"command":["git","push"]}`},
		{"run", `{"command":"y","is_input":true}`},
		{"run", `{"command":"y","is_input":"true","z":1}`},
		{"str_replace_editor", `{"command":"view","path":"/a"}`},
		{"list_files", `{}`},
		{"sql", `{"query":"SELECT 1","db":"x"}`},
		{"send_email", `{"to":"x@example.org","nested":{"a":[1,{"b":"}"}]}}`},
	}
	for _, tt := range tests {
		want := call.ActionOf(tt.tool, tt.args)
		for seed := range uint64(10) {
			args, ok := rewrite(tt.tool, tt.args, seed)
			if got := call.ActionOf(tt.tool, args); !ok || got != want || args == tt.args {
				t.Errorf("seed %d, %s %s: %v as %s, want %v", seed, tt.tool, tt.args, got, args, want)
			}
		}
	}
}

// TestParsedTracesAreStable is the same over whole episodes.
func TestParsedTracesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := episodes().Draw(t, "episode")
		e.Safety = corpora.SafetyUnsafe
		for _, p := range []Profile{Default, Reference} {
			path := Segment(e, p)
			if s := Stable(e, &path, p); !s.Tested || s.Jaccard != 1 || !s.Summaries {
				t.Fatalf("profile %d: %+v", p, s)
			}
		}
	})
}

func FuzzRewrite(f *testing.F) {
	f.Add("bash", `{"command":"ls | wc"}`, uint64(1))
	f.Add("bash", `{"command":"a <<E\nb"}`, uint64(4))
	f.Add("sql", `{"query":"select","query":1}`, uint64(2))
	f.Add("x", `[1]`, uint64(0))
	f.Fuzz(func(t *testing.T, tool, args string, seed uint64) {
		out, ok := rewrite(tool, args, seed)
		if !ok {
			return
		}
		var before, after map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &before) != nil || json.Unmarshal([]byte(out), &after) != nil || len(before) != len(after) {
			t.Fatalf("%s became %s", args, out)
		}
		_, hasCommand := call.CommandOf(tool, []byte(args))
		changed := 0
		for k, v := range before {
			if string(v) != string(after[k]) {
				changed++
			}
		}
		if changed > 1 || changed == 1 && !hasCommand {
			t.Fatalf("%s became %s: %d members changed", args, out, changed)
		}
	})
}
