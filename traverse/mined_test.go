package traverse

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// mining is the usual world with completion checks at the ends of one family.
func mining(proofs ...tree.Proof) world {
	w := repair()
	w.families["fix"] = append(w.families["fix"], "view edit test view")
	w.edit = func(p *artifacts.Policy) {
		f := &p.Tree.Families[1]
		f.Proofs = proofs
		for i := range p.Tree.Leaves {
			l := &p.Tree.Leaves[i]
			if p.Tree.States[p.Tree.Nodes[l.Node].State].Family == 1 {
				for k := range proofs {
					l.Proofs, l.Decides = append(l.Proofs, int32(k)), true
				}
			}
		}
	}
	return w
}

var (
	testsPass = tree.Proof{Kind: tree.ProofCommand, Subject: "pytest -q", Passed: 9, Tasks: 9, Failed: 2, Against: 3}
	fileThere = tree.Proof{Kind: tree.ProofFile, Subject: "{file 1}", Passed: 9, Tasks: 9, Failed: 1, Against: 2}
	everyFile = tree.Proof{Kind: tree.ProofCall, Subject: "*", Place: "args", Value: "{every file}", Passed: 9, Tasks: 9, Failed: 2, Against: 3}
	stateRead = tree.Proof{Kind: tree.ProofCall, Subject: "read_file", Place: "result.state", Value: "closed", Passed: 9, Tasks: 9, Failed: 2, Against: 3}
	lastCall  = tree.Proof{Kind: tree.ProofCall, Subject: "*", Passed: 9, Tasks: 9, Failed: 2, Against: 3}
	noticed   = tree.Proof{Kind: tree.ProofCall, Subject: "notify", Place: "args.to", Value: "{task}", Passed: 9, Tasks: 9, Failed: 2, Against: 3}
)

// told is a call of the tool that noticed asks for.
func told(s *Session, to, output, fault string) {
	c := Call{Tool: "notify", Args: []byte(`{"to":"` + to + `"}`)}
	s.Check(c)
	s.past.Approve(s.read(&c).key) // a person said yes
	s.Observe(c, Result{Output: []byte(output), Error: fault, Deltas: []Delta{}})
}

// asked is a call that reads a state.
func asked(s *Session, state string) {
	c := Call{Tool: "read_file", Args: []byte(`{"path":"state.json"}`)}
	s.Check(c)
	s.past.Approve(s.read(&c).key)
	s.Observe(c, Result{Output: []byte(`{"state":"` + state + `"}`)})
}

const fileTask = "fix the bug in parser.py so that the failing unit tests pass, and notify Ada"

// TestMinedChecks: where the task names no check, those of the policy make a run DONE that
// were executed after the last change, passed, and were shown to fail.
func TestMinedChecks(t *testing.T) {
	id := "mined-1-0"
	tried := func(s *Session) { s.Untouched(id, false, nil) }
	passed := func(s *Session) { s.Report(id, true, nil) }
	for name, tt := range map[string]struct {
		proofs []tree.Proof
		task   Task
		before func(*Session)
		after  func(*Session)
		want   End
		reason string
	}{
		"no check":                               {nil, Task{}, nil, nil, Ended, ""},
		"passed, failed before":                  {[]tree.Proof{testsPass}, Task{}, tried, passed, proven, ""},
		"nobody tried it before":                 {[]tree.Proof{testsPass}, Task{}, nil, passed, Ended, "check-not-decisive:" + id},
		"it passed before":                       {[]tree.Proof{testsPass}, Task{}, func(s *Session) { s.Untouched(id, true, nil) }, passed, Ended, "check-cannot-fail:" + id},
		"nobody executed it":                     {[]tree.Proof{testsPass}, Task{}, tried, nil, Ended, "check-not-executed:" + id},
		"it failed":                              {[]tree.Proof{testsPass}, Task{}, tried, func(s *Session) { s.Report(id, false, nil) }, Stalled, "check-failed:" + id},
		"it passed, says the status not":         {[]tree.Proof{testsPass}, Task{}, tried, func(s *Session) { n := 1; s.Report(id, true, &Evidence{Exit: &n}) }, Stalled, "check-failed:" + id},
		"something changed after it":             {[]tree.Proof{testsPass}, Task{}, tried, func(s *Session) { passed(s); s.Changed() }, Ended, "check-stale:" + id},
		"the host can't":                         {[]tree.Proof{testsPass}, Task{}, tried, func(s *Session) { s.Cannot(id, "guard") }, Ended, "check-not-executed:" + id + ":guard"},
		"tried after the first call":             {[]tree.Proof{testsPass}, Task{}, nil, func(s *Session) { tried(s); passed(s) }, Ended, "check-not-decisive:" + id},
		"the task names no file":                 {[]tree.Proof{fileThere}, Task{}, tried, passed, Ended, "check-unbound:" + id},
		"the task names a file":                  {[]tree.Proof{fileThere}, Task{Text: fileTask}, tried, passed, proven, ""},
		"the logs never saw it fail":             {[]tree.Proof{{Kind: tree.ProofCommand, Subject: "pytest -q", Passed: 9, Tasks: 9}}, Task{}, tried, passed, Ended, "check-cannot-fail:" + id},
		"a state that was read":                  {[]tree.Proof{stateRead}, Task{}, nil, func(s *Session) { asked(s, "closed") }, proven, ""},
		"a state that was read and is no longer": {[]tree.Proof{stateRead}, Task{}, nil, func(s *Session) { asked(s, "closed"); asked(s, "open") }, Stalled, "check-failed:" + id},
		"a state that was another":               {[]tree.Proof{stateRead}, Task{}, nil, func(s *Session) { asked(s, "open"); asked(s, "closed") }, proven, ""},
		"a state that was read before a change":  {[]tree.Proof{stateRead}, Task{}, nil, func(s *Session) { asked(s, "closed"); s.Changed() }, Ended, "check-stale:" + id},
		"the last call failed":                   {[]tree.Proof{lastCall}, Task{}, nil, func(s *Session) { s.Check(calls["test"]); s.Observe(calls["test"], Result{Error: "exit status 1"}) }, Stalled, "check-failed:" + id},
		"the last call did not":                  {[]tree.Proof{lastCall}, Task{}, nil, nil, proven, ""},
		"the task's file was not used":           {[]tree.Proof{everyFile}, Task{Text: fileTask}, nil, nil, Stalled, "check-failed:" + id},
		"the task's file was used": {[]tree.Proof{everyFile}, Task{Text: fileTask}, nil, func(s *Session) {
			c := shell("pytest parser.py")
			s.Check(c)
			s.Observe(c, Result{Output: []byte("x")})
		}, proven, ""},
		"a file by a name like it": {[]tree.Proof{everyFile}, Task{Text: fileTask}, nil, func(s *Session) {
			c := shell("pytest myparser.py")
			s.Check(c)
			s.Observe(c, Result{Output: []byte("x")})
		}, Stalled, "check-failed:" + id},
		"the task has no file":            {[]tree.Proof{everyFile}, Task{}, nil, nil, Ended, ""},
		"another, and no file to use":     {[]tree.Proof{lastCall, everyFile}, Task{}, nil, nil, Ended, "check-not-decisive:" + id},
		"a call was seen":                 {[]tree.Proof{noticed}, Task{Text: fileTask}, nil, func(s *Session) { told(s, "Ada", "sent", "") }, proven, ""},
		"a call with another value":       {[]tree.Proof{noticed}, Task{Text: fileTask}, nil, func(s *Session) { told(s, "Eve", "sent", "") }, Stalled, "check-failed:" + id},
		"a call that failed":              {[]tree.Proof{noticed}, Task{Text: fileTask}, nil, func(s *Session) { told(s, "Ada", "", "no such user") }, Stalled, "check-failed:" + id},
		"a call that says it failed":      {[]tree.Proof{noticed}, Task{Text: fileTask}, nil, func(s *Session) { told(s, "Ada", "Error: no such user", "") }, Stalled, "check-failed:" + id},
		"no such call":                    {[]tree.Proof{noticed}, Task{Text: fileTask}, nil, nil, Stalled, "check-failed:" + id},
		"words of a host about calls":     {[]tree.Proof{noticed}, Task{Text: fileTask}, nil, passed, Stalled, "check-failed:" + id},
		"the logs don't show it to fail":  {[]tree.Proof{{Kind: tree.ProofCall, Subject: "notify", Passed: 9, Tasks: 9}}, Task{}, nil, func(s *Session) { told(s, "x", "sent", "") }, Ended, "check-cannot-fail:" + id},
		"one of two":                      {[]tree.Proof{testsPass, noticed}, Task{Text: fileTask}, tried, func(s *Session) { told(s, "Ada", "sent", "") }, Ended, "check-not-executed:" + id},
		"both":                            {[]tree.Proof{testsPass, noticed}, Task{Text: fileTask}, tried, func(s *Session) { told(s, "Ada", "sent", ""); passed(s) }, proven, ""},
		"the task's own check goes first": {[]tree.Proof{testsPass}, Task{Checks: []Check{{ID: "own", Text: "go test ./..."}}}, nil, passed, Stalled, "check-not-executed:own"},
		"what must hold must too":         {[]tree.Proof{testsPass}, Task{Checks: []Check{{ID: "own", Text: "go vet ./...", Holds: true}}}, tried, passed, Stalled, "check-not-executed:own"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.task.Text == "" {
				tt.task.Text = fixTask
			}
			tt.task.Shadow = len(tt.task.Checks) > 0 // the plan's audit is not what is tried here
			s := mining(tt.proofs...).open(t).Start(tt.task, env)
			if tt.before != nil {
				tt.before(s)
			}
			for _, key := range strings.Fields("view edit test") {
				do(t, s, key)
			}
			if tt.after != nil {
				tt.after(s)
			}
			s = again(t, s)
			if out := s.Finish(); out.End() != tt.want || out.Reason != tt.reason {
				t.Errorf("%v %q, want %v %q: %+v", out.End(), out.Reason, tt.want, tt.reason, out.Findings)
			}
		})
	}
}

// again is a session as it is after it was stored.
func again(t *testing.T, s *Session) *Session {
	t.Helper()
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.p.Resume(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMinedNowhere: checks of the policy say nothing of a run that stands elsewhere.
func TestMinedNowhere(t *testing.T) {
	s := mining(testsPass).open(t).Start(Task{Text: fixTask}, env)
	if ahead := s.Status().Mined; len(ahead) != 1 || ahead[0].Check == nil || ahead[0].Check.Text != "pytest -q" {
		t.Fatalf("%+v", ahead)
	}
	s.Untouched("mined-1-0", false, nil)
	do(t, s, "search")
	s.Report("mined-1-0", true, nil)
	if out := s.Finish(); out.End() != Stalled || out.Reason != "not-at-a-success-leaf" {
		t.Errorf("%v %s", out.End(), out.Reason)
	}
	for _, id := range []string{"mined-1-1", "mined-2-0", "mined-1", "mined-1-0 ", "mined-01-0", "mined--1-0"} {
		if s.Report(id, true, nil) {
			t.Errorf("%q is taken for a check", id)
		}
	}
}

// TestMinedUnderAnotherPolicy: what calls showed is not known to another policy.
func TestMinedUnderAnotherPolicy(t *testing.T) {
	s := mining(noticed).open(t).Start(Task{Text: fileTask}, env)
	told(s, "Ada", "sent", "")
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(mining(noticed).policy(t), Options{Digest: "second"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := other.Resume(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range strings.Fields("view edit test") {
		do(t, r, key)
	}
	if out := r.Finish(); out.Done() || !strings.HasPrefix(out.Reason, "check-policy-changed") && r.Status().AtLeaf && out.End() != Stalled {
		t.Errorf("%v %s", out.End(), out.Reason)
	}
}
