package approvals

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func call(command string) Request {
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err)
	}
	return Request{Door: "hook x", Tool: "shell", Args: args, Cwd: "/w", Asks: []string{"egress/send: sends."}}
}

func ask(t *testing.T, d Dir, r Request) Entry {
	t.Helper()
	e, err := d.Ask(r, noon)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func newDir(t *testing.T) Dir { return Dir(filepath.Join(t.TempDir(), "q")) }

func take(t *testing.T, d Dir, r Request, at time.Time) bool {
	t.Helper()
	ok, err := d.Take(r, at)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// TestYesIsExact: only the call that was approved passes, once, in time, for what was
// asked.
func TestYesIsExact(t *testing.T) {
	d := newDir(t)
	r := call("git push")
	e := ask(t, d, r)
	if take(t, d, r, noon) {
		t.Fatal("passes unanswered")
	}
	if _, err := d.Approve(e.ID, time.Minute, noon); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]func(*Request){
		"tool": func(r *Request) { r.Tool = "Shell" }, "args": func(r *Request) { r.Args = call("git push -f").Args }, "cwd": func(r *Request) { r.Cwd = "/w2" },
		"door": func(r *Request) { r.Door = "mcp" }, "asks": func(r *Request) { r.Asks = append([]string{"flow/secret: leaks."}, r.Asks...) }, "no asks": func(r *Request) { r.Asks = nil },
	} {
		o := r
		if other(&o); take(t, d, o, noon) {
			t.Errorf("passes with another %s", name)
		}
	}
	if take(t, d, r, noon.Add(time.Minute)) || take(t, d, r, noon.Add(-time.Second)) {
		t.Error("passes at another time")
	}
	r.Args = json.RawMessage(`{ "command" : "git push" }`)
	if !take(t, d, r, noon.Add(time.Minute-1)) {
		t.Error("does not pass")
	}
	if take(t, d, r, noon) {
		t.Error("passes twice")
	}
}

// TestTakenOnce: of many at once, one has it.
func TestTakenOnce(t *testing.T) {
	d, r := newDir(t), call("x")
	if _, err := d.Approve(ask(t, d, r).ID, time.Minute, noon); err != nil {
		t.Fatal(err)
	}
	var n atomic.Int32
	var wait sync.WaitGroup
	for i := range 32 {
		wait.Go(func() {
			if ok, err := d.Take(r, noon.Add(time.Duration(i))); ok && err == nil {
				n.Add(1)
			}
		})
	}
	wait.Wait()
	if n.Load() != 1 {
		t.Errorf("%d have it", n.Load())
	}
}

// TestForgedFilesAreNone: what is not whole, not this user's alone or says another
// call than its digest is no yes.
func TestForgedFilesAreNone(t *testing.T) {
	r := call("x")
	for name, forge := range map[string]func(name string, data []byte) error{
		"another call": func(n string, d []byte) error {
			return os.WriteFile(n, []byte(strings.Replace(string(d), `"x"`, `"y"`, 1)), 0o600)
		},
		"another digest": func(n string, d []byte) error {
			return os.WriteFile(n, []byte(strings.Replace(string(d), `"digest": "`, `"digest": "0`, 1)), 0o600)
		},
		"cut off":         func(n string, d []byte) error { return os.WriteFile(n, d[:len(d)/2], 0o600) },
		"too long":        func(n string, d []byte) error { return os.WriteFile(n, append(d, make([]byte, maxFile)...), 0o600) },
		"writable by all": func(n string, _ []byte) error { return os.Chmod(n, 0o666) },
		"a directory":     func(n string, _ []byte) error { return errors.Join(os.Remove(n), os.Mkdir(n, 0o700)) },
		"another format": func(n string, d []byte) error {
			return os.WriteFile(n, []byte(strings.Replace(string(d), `"format": 1`, `"format": 2`, 1)), 0o600)
		},
	} {
		d := newDir(t)
		e := ask(t, d, r)
		if _, err := d.Approve(e.ID, time.Minute, noon); err != nil {
			t.Fatal(err)
		}
		file := d.file(e.ID + ".yes")
		data, err := os.ReadFile(file)
		if err == nil {
			err = forge(file, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := d.Take(r, noon); ok {
			t.Errorf("%s passes: %v", name, err)
		}
	}
}

// TestAnswers: a request is answered once, by its id or the beginning of it; a No
// stays one when it is asked again.
func TestAnswers(t *testing.T) {
	d := newDir(t)
	e := ask(t, d, call("x"))
	if again := ask(t, d, call("x")); again.ID != e.ID {
		t.Error("asked twice")
	}
	for _, id := range []string{"", e.ID[:3], "0000", e.ID + "0", "../" + e.ID} {
		if _, err := d.Approve(id, time.Minute, noon); err == nil {
			t.Errorf("%q is approved", id)
		}
	}
	for _, hold := range []time.Duration{0, -1, MaxHold + 1} {
		if _, err := d.Approve(e.ID, hold, noon); err == nil {
			t.Errorf("holds for %v", hold)
		}
	}
	if _, err := d.Deny(e.ID[:4], noon); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Approve(e.ID, time.Minute, noon); err == nil {
		t.Error("approved after a No")
	}
	if again := ask(t, d, call("x")); again.State != Denied {
		t.Error("a No is forgotten")
	}
	if _, err := d.Find(e.ID, noon.Add(KeepAsked)); !errors.Is(err, ErrUnknown) {
		t.Error("a No for ever")
	}
}

// TestBounds: so many requests, so long ones, and none is kept for ever.
func TestBounds(t *testing.T) {
	d := newDir(t)
	for i := range maxPending {
		ask(t, d, call(fmt.Sprint(i)))
	}
	if _, err := d.Ask(call("one more"), noon); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
	if _, err := d.Ask(call("later"), noon.Add(KeepAsked)); err != nil {
		t.Errorf("expired ones are still in the way: %v", err)
	}
	if list, err := d.List(noon.Add(KeepAsked)); err != nil || len(list) != 1 {
		t.Errorf("%d are left: %v", len(list), err)
	}
	if _, err := d.Ask(call(strings.Repeat("x", maxArgs)), noon); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v", err)
	}
	for _, r := range []Request{{}, {Door: "d", Tool: "t", Args: []byte(`{}`)}, {Door: "d", Tool: "t", Args: []byte(`{`), Asks: []string{"x"}}} {
		if _, err := d.Ask(r, noon); err == nil {
			t.Errorf("asked %+v", r)
		}
	}
}

// TestAudit: each step is a line without the call's words.
func TestAudit(t *testing.T) {
	d, r := newDir(t), call("secret words")
	e := ask(t, d, r)
	if _, err := d.Approve(e.ID, time.Minute, noon); err != nil || !take(t, d, r, noon) {
		t.Fatal(err)
	}
	data, err := os.ReadFile(d.file(auditName))
	if err != nil || strings.Contains(string(data), "secret words") {
		t.Fatalf("%v: %s", err, data)
	}
	var got []string
	for line := range strings.Lines(string(data)) {
		var a audited
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.ID != e.ID {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, a.What+" "+strings.Join(a.Asks, " "))
	}
	if want := "asked egress/send,approved egress/send,used egress/send"; strings.Join(got, ",") != want {
		t.Errorf("got %v", got)
	}
	if files, err := os.ReadDir(string(d)); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v %v", files, err)
	}
	if err := os.Remove(d.file(auditName)); err != nil {
		t.Fatal(err)
	}
	e = ask(t, d, r)
	if _, err := d.Approve(e.ID, time.Minute, noon); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(d.file(auditName)), os.Mkdir(d.file(auditName), 0o700)); err != nil {
		t.Fatal(err)
	}
	if ok, err := d.Take(r, noon); ok || err == nil {
		t.Error("used without a line of the audit")
	}
}

// TestFilesOfBefore: a question that was queued before its file held what the person
// reads is still there, and still a question to be answered.
func TestFilesOfBefore(t *testing.T) {
	d := newDir(t)
	r := call("git push")
	e := ask(t, d, r)
	name := d.file(e.ID + endings[Pending])
	data, err := os.ReadFile(name)
	if err != nil || strings.Contains(string(data), "says") {
		t.Fatalf("%v: %s", err, data)
	}
	r.Says = "Pushes to origin. [egress/send]"
	if again := ask(t, d, r); again.ID != e.ID || again.Says != "" {
		t.Errorf("%+v", again)
	}
	if _, err := d.Approve(e.ID, time.Minute, noon); err != nil {
		t.Fatal(err)
	}
	if !take(t, d, r, noon) {
		t.Error("the yes does not hold for the call with its sentences")
	}
	r = call("git push b")
	r.Says = "Pushes to origin. [egress/send]"
	ask(t, d, r)
	if list, err := d.List(noon); err != nil || len(list) != 1 || list[0].Says != r.Says {
		t.Errorf("%v %+v", err, list)
	}
	r.Says = strings.Repeat("x", maxSays+1)
	if _, err := d.Ask(r, noon); !errors.Is(err, ErrTooLong) {
		t.Errorf("too long: %v", err)
	}
}
