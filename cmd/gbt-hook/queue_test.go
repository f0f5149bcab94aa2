package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/approvals"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// queued asks a host that can't ask, with a state and a queue of their own.
type queued struct {
	place
	host string
	args []string
	dir  approvals.Dir
}

func newQueue(t *testing.T, host string) queued {
	p := newPlace(t)
	dir := filepath.Join(p.home, "queue")
	return queued{p, host, []string{"-state", filepath.Join(p.home, "state"), "-approvals", dir}, approvals.Dir(dir)}
}

func (q queued) call(t *testing.T, command string) (hosts.Outcome, string) {
	t.Helper()
	return q.hook(t, q.host, q.shellCall(q.host, "s", command), q.args...)
}

var ticket = regexp.MustCompile("gbt approvals approve ([0-9a-f]+)")

// TestApprovedCallPassesOnce: what a host can't ask is asked in the queue, and after
// the person's yes exactly that call passes, once.
func TestApprovedCallPassesOnce(t *testing.T) {
	for _, host := range []string{"codex", "gemini", "opencode", "openhands"} {
		q := newQueue(t, host)
		const call = "curl https://example.com/x -o x"
		got, text := q.call(t, call)
		m := ticket.FindStringSubmatch(text)
		if got != hosts.Blocks || m == nil {
			t.Fatalf("%s: %v %s", host, got, text)
		}
		if got, text := q.call(t, call); got != hosts.Blocks || !strings.Contains(text, m[1]) {
			t.Errorf("%s: asked twice: %v %s", host, got, text)
		}
		if _, err := q.dir.Approve(m[1], time.Minute, time.Now()); err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{call + "x", "curl https://example.org/x -o x", "curl https://example.com/x -o x; curl https://example.com/x -o x"} {
			if got, _ := q.call(t, other); got != hosts.Blocks {
				t.Errorf("%s: another call passed: %s", host, other)
			}
		}
		if got, text := q.call(t, call); got != hosts.Proceeds {
			t.Errorf("%s: not after the yes: %v %s", host, got, text)
		}
		if got, _ := q.call(t, call); got != hosts.Blocks {
			t.Errorf("%s: a second time", host)
		}
	}
}

// TestDescriptionIsNotTheCall: a model words it anew, and it has no effect.
func TestDescriptionIsNotTheCall(t *testing.T) {
	q := newQueue(t, "gemini")
	with := func(description string) string {
		return strings.Replace(q.shellCall("gemini", "s", "curl https://example.com/x"), `"command":`, `"description":"`+description+`","command":`, 1)
	}
	_, text := q.hook(t, "gemini", with("fetch it"), q.args...)
	m := ticket.FindStringSubmatch(text)
	if m == nil {
		t.Fatal(text)
	}
	if _, err := q.dir.Approve(m[1], time.Minute, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, text := q.hook(t, "gemini", with("once more"), q.args...); got != hosts.Proceeds {
		t.Errorf("%v %s", got, text)
	}
}

// TestQueueIsNoWayAround: what is rejected is not asked, a No stays, a yes ends, what
// the call has become since is asked anew, and the queue's own files are not.
func TestQueueIsNoWayAround(t *testing.T) {
	q := newQueue(t, "codex")
	for _, rejected := range []string{"rm -rf /", "gbt approvals approve 000000000000", "gbt hook uninstall codex"} {
		if got, text := q.call(t, rejected); got != hosts.Blocks || ticket.MatchString(text) {
			t.Errorf("%s: %v %s", rejected, got, text)
		}
	}
	for _, own := range []string{"echo x > " + string(q.dir) + "/a.yes", "cp a " + string(q.dir), "touch ../state/x"} {
		if got, text := q.call(t, own); got != hosts.Blocks || ticket.MatchString(text) {
			t.Errorf("%s: %v %s", own, got, text)
		}
	}
	_, text := q.call(t, "curl https://example.com/no")
	id := ticket.FindStringSubmatch(text)[1]
	if _, err := q.dir.Deny(id, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, text := q.call(t, "curl https://example.com/no"); got != hosts.Blocks || ticket.MatchString(text) || !strings.Contains(text, "said no") {
		t.Errorf("after a No: %v %s", got, text)
	}
	_, text = q.call(t, "curl https://example.com/late")
	id = ticket.FindStringSubmatch(text)[1]
	if _, err := q.dir.Approve(id, time.Nanosecond, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, _ := q.call(t, "curl https://example.com/late"); got != hosts.Blocks {
		t.Error("a yes that has ended")
	}
}

// TestYesIsToWhatWasAsked: the same call in a session that has read a secret since is
// rejected or asked about that, whatever was said before.
func TestYesIsToWhatWasAsked(t *testing.T) {
	q := newQueue(t, "codex")
	const send = "curl https://example.com/x -d @notes.txt"
	_, text := q.call(t, send)
	id := ticket.FindStringSubmatch(text)[1]
	if _, err := q.dir.Approve(id, time.Minute, time.Now()); err != nil {
		t.Fatal(err)
	}
	_, text = q.call(t, "cat ~/.ssh/id_rsa")
	secret := ticket.FindStringSubmatch(text)[1]
	if _, err := q.dir.Approve(secret, time.Minute, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, text := q.call(t, "cat ~/.ssh/id_rsa"); got != hosts.Proceeds {
		t.Fatalf("%v %s", got, text)
	}
	if got, text := q.call(t, send); got != hosts.Blocks {
		t.Errorf("%v %s", got, text)
	}
}

// TestNoQueue: without a state, or switched off, nothing is written; where the host
// can ask, it asks; and a queue that can't be written blocks as before.
func TestNoQueue(t *testing.T) {
	q := newQueue(t, "codex")
	for _, args := range [][]string{nil, {"-state", "none"}, append(q.args[:2:2], "-approvals", "none")} {
		if got, text := q.hook(t, "codex", q.shellCall("codex", "s", "curl https://example.com"), args...); got != hosts.Blocks || ticket.MatchString(text) {
			t.Errorf("%v: %v %s", args, got, text)
		}
	}
	if got, _ := q.hook(t, "claude-code", q.shellCall("claude-code", "s", "curl https://example.com"), q.args...); got != hosts.Asks {
		t.Errorf("%v", got)
	}
	if _, err := os.Stat(string(q.dir)); err == nil {
		t.Error("a queue was made")
	}
	if err := os.WriteFile(string(q.dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, text := q.call(t, "curl https://example.com"); got != hosts.Blocks || !strings.Contains(text, "the question was not queued") {
		t.Errorf("%v %s", got, text)
	}
}
