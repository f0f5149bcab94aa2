//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/undo"
)

// scriptedModel is a simulated model that asks for one command in each answer. Where it has
// none left it says that it is finished, or fails.
func scriptedModel(t *testing.T, fails bool, commands ...string) string {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		switch n := int(asked.Add(1)); {
		case n <= len(commands):
			args, _ := json.Marshal(map[string]string{"command": commands[n-1]})
			io.WriteString(out, modelCalls("bash", string(args)))
		case fails:
			http.Error(out, "gone", http.StatusNotFound)
		default:
			io.WriteString(out, modelCalls("finish", `{}`))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// undoWorld is a run of gbt run whose calls are to be taken back.
type undoWorld struct {
	t         *testing.T
	dir, out  string
	store     string
	policy    string
	said, err bytes.Buffer
}

func newUndoWorld(t *testing.T) *undoWorld {
	dir := t.TempDir()
	u := &undoWorld{t: t, dir: filepath.Join(dir, "project"), out: filepath.Join(dir, "out"), store: filepath.Join(dir, "s.db"), policy: filepath.Join(dir, "p.gbt")}
	p := doorPolicy(t)
	p.Gates, p.Guardrail = nil, artifacts.Guardrail{}
	data, err := artifacts.Encode(p)
	if err == nil {
		err = os.WriteFile(u.policy, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.txt": "one\n", "b.sh": "#!/bin/sh\n", "keep.txt": "kept\n"} {
		if err := os.MkdirAll(u.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return u
}

func (u *undoWorld) gbt(want int, args ...string) string {
	u.t.Helper()
	u.said.Reset()
	u.err.Reset()
	if code := run(append([]string{"gbt"}, args...), strings.NewReader(""), &u.said, &u.err); code != want {
		u.t.Fatalf("%q: status %d, want %d: %s%s", args, code, want, u.said.String(), u.err.String())
	}
	return u.said.String()
}

func (u *undoWorld) run(want int, url string) string {
	u.t.Helper()
	u.gbt(want, "run", "--store", u.store, "--task", "change some files", "--dir", u.dir, "--policy", u.policy, "--model", url, "--check", "grep three done.txt", "--output", u.out)
	return onlySession(u.t, u.store).ID
}

// calls are the receipts of the session's calls.
func (u *undoWorld) calls(id string) (calls, all []*receipts.Receipt) {
	u.t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(u.gbt(exitGood, "sessions", "export", "--store", u.store, id)), "\n")[1:] {
		r, err := receipts.Decode([]byte(line))
		if err != nil {
			u.t.Fatal(err)
		}
		if all = append(all, r); r.Kind == receipts.Call {
			calls = append(calls, r)
		}
	}
	return calls, all
}

// holding lists what a directory holds: names, modes, contents.
func holding(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if d.Type().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text = string(data)
		}
		_, err = fmt.Fprintf(&b, "%s %v %q\n", name[len(dir):], info.Mode(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestUndoRun takes the calls of a run back in its result, byte for byte, says what it
// leaves and why, and writes a receipt of each undo.
func TestUndoRun(t *testing.T) {
	u := newUndoWorld(t)
	id := u.run(exitGood, scriptedModel(t, false, "echo two >> a.txt; chmod 755 b.sh", "mkdir d; echo new > d/n.txt; ln -s n.txt d/l", "mv keep.txt moved.txt; echo three >> a.txt; echo three > done.txt"))
	calls, _ := u.calls(id)
	if len(calls) != 3 {
		t.Fatalf("%d calls", len(calls))
	}
	after := holding(t, u.out)

	plan := u.gbt(exitGood, "undo", "--store", u.store, id, "--dry-run")
	for _, want := range []string{"restores  a.txt", "removes   moved.txt", "removes   d/n.txt", "restores  keep.txt", "restores  b.sh"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan does not say %q:\n%s", want, plan)
		}
	}
	if got := holding(t, u.out); got != after {
		t.Errorf("a dry run changed\n%s", got)
	}

	// The first call alone: a later one changed a.txt again.
	u.gbt(exitFindings, "undo", "--store", u.store, calls[0].ID[:12], "--yes")
	if said := u.said.String(); !strings.Contains(said, "stays     a.txt: changed again by") || strings.Contains(said, "b.sh:") {
		t.Errorf("it says\n%s", said)
	}
	if info, err := os.Stat(filepath.Join(u.out, "b.sh")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("b.sh: %v, %v", info, err)
	}

	u.gbt(exitGood, "undo", "--store", u.store, id, "--yes")
	if got, want := holding(t, u.out), holding(t, u.dir); got != want {
		t.Errorf("the result holds\n%s\nthe run began with\n%s", got, want)
	}
	_, all := u.calls(id)
	now := receipts.Standing(all)
	for _, c := range calls {
		if now[c.ID] != receipts.Externally {
			t.Errorf("call %s is %q", c.ID, now[c.ID])
		}
	}
	u.gbt(exitGood, "undo", "--store", u.store, id, "--yes")
	if !strings.Contains(u.err.String(), "no call of "+id+" is left") {
		t.Errorf("again: %s", u.err.String())
	}

	// The undo is a receipt, and is taken back by it: all but what the first undo did.
	u.gbt(exitGood, "undo", "--store", u.store, all[len(all)-1].ID, "--yes")
	if got := holding(t, u.out); got != strings.Replace(after, "/b.sh -rwxr-xr-x", "/b.sh -rw-r-----", 1) {
		t.Errorf("after the undo was taken back:\n%s\nbefore:\n%s", got, after)
	}
	_, all = u.calls(id)
	if now := receipts.Standing(all); now[calls[1].ID] != receipts.Reversible {
		t.Errorf("the second call is %q", now[calls[1].ID])
	}
	u.gbt(exitGood, "sessions", "verify", "--store", u.store)
}

// TestUndoRunKeepsOthers: what somebody changed in the result since is left, and said.
func TestUndoRunKeepsOthers(t *testing.T) {
	u := newUndoWorld(t)
	id := u.run(exitGood, scriptedModel(t, false, "echo two >> a.txt; echo x >> keep.txt", "echo three >> a.txt; echo three > done.txt"))
	mine := filepath.Join(u.out, "a.txt")
	if err := os.WriteFile(mine, []byte("mine\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	said := u.gbt(exitFindings, "undo", "--store", u.store, id, "--yes")
	if !strings.Contains(said, "stays     a.txt: changed since") {
		t.Errorf("it says\n%s", said)
	}
	if data, err := os.ReadFile(mine); err != nil || string(data) != "mine\n" {
		t.Errorf("a.txt: %q, %v", data, err)
	}
	if data, err := os.ReadFile(filepath.Join(u.out, "keep.txt")); err != nil || string(data) != "kept\n" {
		t.Errorf("keep.txt: %q, %v", data, err)
	}
	calls, all := u.calls(id)
	now, last := receipts.Standing(all), all[len(all)-1]
	if now[calls[1].ID] != receipts.Reversible || !strings.Contains(last.Reason, "a.txt: changed since") {
		t.Errorf("%q, %+v", now[calls[1].ID], last)
	}
	u.gbt(exitGood, "undo", "--store", u.store, id, "--yes", "--force")
	if got, want := holding(t, u.out), holding(t, u.dir); got != want {
		t.Errorf("the result holds\n%s\nthe run began with\n%s", got, want)
	}
}

// TestUndoPaused: calls of a run that waits are taken back in its workspace, and it goes on
// from there.
func TestUndoPaused(t *testing.T) {
	u := newUndoWorld(t)
	id := u.run(exitFindings, scriptedModel(t, true, "echo two >> a.txt", "echo wrong > w.txt"))
	calls, _ := u.calls(id)
	u.gbt(exitGood, "undo", "--store", u.store, calls[1].ID, "--yes")
	u.gbt(exitGood, "sessions", "resume", "--store", u.store, id, "--model", scriptedModel(t, false, "echo three >> a.txt; echo three > done.txt"))
	if _, err := os.Stat(filepath.Join(u.out, "w.txt")); err == nil {
		t.Error("w.txt came back")
	}
	if data, err := os.ReadFile(filepath.Join(u.out, "a.txt")); err != nil || string(data) != "one\ntwo\nthree\n" {
		t.Errorf("a.txt: %q, %v", data, err)
	}
	u.gbt(exitGood, "sessions", "verify", "--store", u.store)
}

// TestUndoWithoutSnapshots: of what no snapshot is left the report says why, and so does
// the chain.
func TestUndoWithoutSnapshots(t *testing.T) {
	u := newUndoWorld(t)
	u.gbt(exitGood, "run", "--store", u.store, "--task", "change some files", "--dir", u.dir, "--policy", u.policy,
		"--model", scriptedModel(t, false, "echo three >> a.txt; echo three > done.txt"), "--check", "grep three done.txt")
	id := onlySession(t, u.store).ID
	calls, _ := u.calls(id)
	said := u.gbt(exitFindings, "undo", "--store", u.store, calls[0].ID, "--yes")
	if !regexp.MustCompile(`no undo +` + calls[0].ID + ` bash: its run had no --output`).MatchString(said) {
		t.Errorf("it says\n%s", said)
	}
	if _, all := u.calls(id); receipts.Standing(all)[calls[0].ID] != receipts.Irrecoverable {
		t.Error("the call is not said to be irrecoverable")
	}
	u.gbt(exitGood, "undo", "--store", u.store, calls[0].ID, "--by-hand")
	if _, all := u.calls(id); receipts.Standing(all)[calls[0].ID] != receipts.Externally {
		t.Error("nobody took the word that it was taken back")
	}
	u.gbt(exitUsage, "undo", "--store", u.store, "nosuchreceipt")
}

// TestStanding: what a report leaves decides where the reversal of a call stands, and a
// tier beyond local ones is never said to be reversed.
func TestStanding(t *testing.T) {
	j, err := undo.Open(undo.Options{Dir: filepath.Join(t.TempDir(), "j"), Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	call := func(tier string) *undo.Step {
		return &undo.Step{Outside: outsideTier(&receipts.Receipt{Tool: "bash", Tier: tier}), Changes: []undo.Change{{Path: "/w/a"}}}
	}
	for _, c := range []struct {
		name, tier string
		left       []undo.Left
		want       receipts.Reversal
	}{
		{"all came back", "local-reversible", nil, receipts.Externally},
		{"another call's file stays", "local-reversible", []undo.Left{{Path: "/w/b", Why: "x", Lost: true}}, receipts.Externally},
		{"somebody changed it", "local-reversible", []undo.Left{{Path: "/w/a", Why: "changed since"}}, receipts.Reversible},
		{"its content is lost", "local-reversible", []undo.Left{{Path: "/w/a", Why: "lost", Lost: true}}, receipts.Irrecoverable},
		{"it left the machine", "externally-irreversible", nil, receipts.Irrecoverable},
		{"it needs compensation", "runtime-compensable", nil, receipts.Irrecoverable},
		{"a tier that nobody knows", "", nil, receipts.Irrecoverable},
	} {
		if got, _ := standing(j, call(c.tier), &undo.Report{Left: c.left}, "good"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
