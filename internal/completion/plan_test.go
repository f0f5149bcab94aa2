package completion

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const goodPlan = `task: |
  Write out.txt
states:
  - id: write
    does: write the file
    checks:
      - command: test -f out.txt
      - id: kept
        file: {path: notes.md}
        holds: true
    fixes:
      - {when: Permission, do: write it to the workspace}
    retries: 1
    else: repair
  - id: check
    checks:
      - command: grep -q x out.txt
        exit: 0
    next: DONE
  - id: repair
    checks:
      - command: test -d .
        once: true
    next: write
`

func TestParse(t *testing.T) {
	p, problems := Parse([]byte(goodPlan))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if p.States[0].Next != "check" || *p.States[1].Retries != 3 || p.States[0].Checks[0].ID != "write-1" || p.Line("kept") != 8 || p.TaskLine() != 2 {
		t.Errorf("%+v", p)
	}
	if c := p.Checks(); len(c) != 3 || c[1].File.Path != "notes.md" || !c[1].Holds {
		t.Errorf("checks %+v", c)
	}
	if s := p.State("write"); s.Known("x Permission denied") != "write it to the workspace" || s.Known("other") != "" {
		t.Error("known fixes")
	}
	for _, tt := range []struct{ name, from, to, want string }{
		{"a transition to nowhere", "else: repair", "else: fix", "4:transition 20:state-unreachable"},
		{"no way to DONE", "next: DONE", "next: write", "4:done-unreachable"},
		{"DONE when no retry is left", "else: repair", "else: DONE", "4:transition 20:state-unreachable"},
		{"a state twice", "id: check", "id: write", "4:done-unreachable 15:state-twice 17:check-twice"},
		{"a state without checks", "      - command: grep -q x out.txt\n        exit: 0\n", "", "15:state-checks"},
		{"a description as a check", "command: grep -q x out.txt", "says: it works", "17:plan-format"},
		{"two kinds at once", "exit: 0", "file: {path: a}", "17:check-form"},
		{"a status that is none", "exit: 0", "exit: 300", "17:check-form"},
		{"a check twice", "id: kept", "id: write-1", "8:check-twice"},
		{"a field that nobody knows", "retries: 1", "retry: 1", "13:plan-format"},
		{"not a number", "retries: 1", "retries: many", "13:plan-format"},
		{"nothing", goodPlan, "", "1:plan-format"},
		{"another plan behind it", "next: write\n", "next: write\n---\nstates: []\n", "1:plan-format"},
		{"faults that are known", "next: write\n", "next: write\nunfinished: [\"check-cannot-fail: x\"]\n", "1:plan-unfinished"},
		{"no state", goodPlan, "task: x\n", "1:plan-states"},
		{"nothing that could fail", "command: test -f out.txt", "command: test -f out.txt\n        holds: true", ""},
	} {
		text := strings.Replace(goodPlan, tt.from, tt.to, 1)
		if tt.name == "nothing that could fail" {
			text = strings.Replace(text, "exit: 0", "holds: true", 1)
			tt.want = "4:done-unchecked"
		}
		var got []string
		_, list := Parse([]byte(text))
		for _, x := range list {
			got = append(got, fmt.Sprintf("%d:%s", x.Line, x.Code))
			if x.Text == "" {
				t.Errorf("%s: no words", tt.name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, strings.Join(got, " "), tt.want)
		}
	}
}

func TestTry(t *testing.T) {
	p, _ := Parse([]byte(goodPlan))
	for _, tt := range []struct {
		name string
		h    fake
		want string
	}{
		{"all fail, and what holds is there", fake{files: map[string]string{"notes.md": ""}, out: Output{Exit: 1, Ended: true}}, ""},
		{"what holds is not there", fake{out: Output{Exit: 1, Ended: true}}, "check-does-not-hold"},
		{"all pass", fake{files: map[string]string{"notes.md": ""}, out: Output{Ended: true}}, "check-cannot-fail check-cannot-fail"},
		{"no such program", fake{files: map[string]string{"notes.md": ""}, out: Output{Exit: 127, Ended: true}}, "check-not-executable check-not-executable check-not-executable"},
	} {
		_, list, err := p.Try(t.Context(), tt.h)
		var got []string
		for _, x := range list {
			got = append(got, x.Code)
		}
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q %v", tt.name, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(goodPlan))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, problems := Parse(data)
		for _, x := range problems {
			if x.Line < 1 || x.Code == "" {
				t.Errorf("%+v", x)
			}
		}
		if len(problems) == 0 && (len(p.Checks()) == 0 || p.State(p.States[0].ID) == nil) {
			t.Errorf("a plan without checks passes: %q", data)
		}
	})
}

// counting is a host whose command passes the nth time that anything runs.
type counting struct {
	fake
	n, passes int
	wrote     bool
}

func (c *counting) Command(context.Context, string) (Output, error) {
	c.n++
	out := Output{Exit: 1, Ended: true, Wrote: c.wrote}
	if c.n >= c.passes {
		out.Exit = 0
	}
	return out, nil
}

// TestTryAgain: checks that write are executed again, and must not pass then either.
func TestTryAgain(t *testing.T) {
	p, problems := Parse([]byte("states:\n  - {id: a, checks: [{command: x}]}\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, tt := range []struct {
		passes, runs int
		wrote        bool
		want         string
	}{
		{9, 1, false, ""}, {2, 1, false, ""}, {1, 1, false, "check-cannot-fail"},
		{9, 3, true, ""}, {2, 3, true, "check-cannot-fail"}, {3, 3, true, "check-cannot-fail"}, {4, 3, true, ""}, {1, 3, true, "check-cannot-fail"},
	} {
		h := &counting{passes: tt.passes, wrote: tt.wrote}
		tried, problems, err := p.Try(t.Context(), h)
		got := ""
		for _, x := range problems {
			got += x.Code
		}
		if err != nil || len(tried) != 1 || h.n != tt.runs || got != tt.want {
			t.Errorf("%+v: %d runs, %q, %d tried, %v", tt, h.n, got, len(tried), err)
		}
	}
	broken := &fake{fail: errors.New("no disk")}
	_, _, err := p.Try(t.Context(), broken)
	if x, ok := errors.AsType[*CheckError](err); !ok || x.ID != "a-1" || x.Line != 2 {
		t.Errorf("%v", err)
	}
}

// TestJudge: a guard is asked about what every check executes.
func TestJudge(t *testing.T) {
	p, problems := Parse([]byte(`states:
  - id: a
    checks:
      - command: cmp "a b" c
      - file: {path: x.txt}
      - value: {json: d.json, at: /a, equals: b}
      - value: {env: MODE, equals: fast}
        once: true
`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var calls []string
	got := p.Judge(func(tool string, args []byte) string {
		calls = append(calls, tool+string(args))
		if tool == "read_file" {
			return "no"
		}
		return ""
	})
	want := `bash{"command":"cmp \"a b\" c"} read_file{"path":"x.txt"} read_file{"path":"d.json"} bash{"command":"printenv MODE"}`
	if strings.Join(calls, " ") != want {
		t.Errorf("%s", calls)
	}
	if len(got) != 2 || got[0].Code != "check-guarded" || got[0].Line != 5 || got[1].Check != "a-3" {
		t.Errorf("%+v", got)
	}
}
