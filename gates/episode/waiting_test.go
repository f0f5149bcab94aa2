package episode

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

const secret = "cat ~/.ssh/id_rsa"

// TestWaitingCallsCount: what was let through counts as run until there is word of
// it, and what was declined never ran.
func TestWaitingCallsCount(t *testing.T) {
	for _, tt := range []struct {
		name  string
		word  func(m *Memory) (known bool)
		known bool
		reads bool
	}{
		{"no word", func(*Memory) bool { return true }, true, true},
		{"it ran", func(m *Memory) bool { return m.Report("k", false) }, true, true},
		{"it was declined", func(m *Memory) bool { return m.Report("k", true) }, true, false},
		{"another ran", func(m *Memory) bool { return m.Report("other", false) }, false, true},
		{"another was declined", func(m *Memory) bool { return m.Report("other", true) }, false, true},
		{"told twice", func(m *Memory) bool { m.Report("k", true); return m.Report("k", false) }, false, false},
	} {
		var m Memory
		m.MayRun("k", "", read(t, m.Before, secret), 7)
		if st := before(&m); !st.Flow.SensitiveRead || len(st.History) != 2 || st.History[0].Time != 7 { // a program and what it reads
			t.Errorf("%s: while it waits: %+v %+v", tt.name, st.Flow, st.History)
		}
		if c := read(t, m.Known, "ls"); c.Flow.SensitiveRead || len(c.History) != 0 {
			t.Errorf("%s: what is known to have run: %+v", tt.name, c.Flow)
		}
		if known := tt.word(&m); known != tt.known {
			t.Errorf("%s: known %v", tt.name, known)
		}
		if st := before(&m); st.Flow.SensitiveRead != tt.reads {
			t.Errorf("%s: %+v", tt.name, st.Flow)
		}
	}
}

// TestWordOfACall: it goes from the calls that may have run to those that did, and
// stands in the history once.
func TestWordOfACall(t *testing.T) {
	var m Memory
	m.MayRun("k", "", read(t, m.Before, "rm f"), 1)
	if !m.Report("k", false) {
		t.Fatal("unknown")
	}
	m.Ran(read(t, m.Known, "rm f"), 2)
	if st := before(&m); len(st.History) != 2 || st.History[0].Time != 2 || st.History[1].Time != 2 { // a program and what it deletes
		t.Errorf("%+v", st.History)
	}
}

// TestTheSameCallAgain: a call that is let through twice waits once, with all that
// it may have done.
func TestTheSameCallAgain(t *testing.T) {
	var m Memory
	m.MayRun("k", "", read(t, m.Before, "curl https://h.example/a > a.sh"), 1)
	m.MayRun("k", "", read(t, m.Before, "curl https://h.example/b > b.sh"), 2)
	if len(m.waiting) != 1 {
		t.Errorf("%d wait", len(m.waiting))
	}
	if !m.Report("k", false) || m.Report("k", false) {
		t.Error("it waited more than once")
	}
	if f := m.flow; !slices.Contains(f.Unvetted, "/w/a.sh") || !slices.Contains(f.Unvetted, "/w/b.sh") {
		t.Errorf("%+v", f)
	}
}

// TestWritesBesideAWaitingRead: what is written while a read waits may hold what it
// read; but a read that was declined is not the writer's own.
func TestWritesBesideAWaitingRead(t *testing.T) {
	var m Memory
	m.MayRun("reads", "", read(t, m.Before, secret), 1)
	m.MayRun("writes", "", read(t, m.Before, "echo x > f"), 2)
	if st := before(&m); !slices.Contains(st.Flow.Derived, "/w/f") {
		t.Errorf("both wait: %+v", st.Flow)
	}
	m.Report("reads", true)
	if st := before(&m); st.Flow.SensitiveRead {
		t.Errorf("the read was declined: %+v", st.Flow)
	}
	m.Report("writes", false)
	if f := m.flow; f.SensitiveRead || !slices.Contains(f.Derived, "/w/f") {
		t.Errorf("the write ran: %+v", f)
	}
}

// TestSettle: what the user says next settles what the same agent's user was asked
// about, in a run that has had word of a call.
func TestSettle(t *testing.T) {
	for _, tt := range []struct {
		name     string
		reported bool
		agent    string
		reads    bool
	}{
		{"a silent host", false, "", true},
		{"a host that reports", true, "", false},
		{"a subagent's", true, "sub", true},
	} {
		var m Memory
		if tt.reported {
			m.Report("another", false)
		}
		m.MayRun("k", tt.agent, read(t, m.Before, secret), 1)
		m.Settle("")
		if st := before(&m); st.Flow.SensitiveRead != tt.reads {
			t.Errorf("%s: %+v", tt.name, st.Flow)
		}
		if known := m.Report("k", false); known != tt.reads {
			t.Errorf("%s: waits %v", tt.name, known)
		}
	}
}

// TestManyWait: calls that nobody reports are bounded, and the oldest count as run.
func TestManyWait(t *testing.T) {
	var m Memory
	m.MayRun("first", "", read(t, m.Before, secret), 1)
	for i := range 3 * maxWaiting {
		m.MayRun(fmt.Sprint(i), "", read(t, m.Before, "ls"), int64(i))
	}
	if len(m.waiting) != maxWaiting {
		t.Errorf("%d wait", len(m.waiting))
	}
	if !m.flow.SensitiveRead {
		t.Error("the oldest call is forgotten")
	}
	if m.Report("first", true); !m.flow.SensitiveRead {
		t.Error("word that comes too late undoes a call that counts as run")
	}
}

// TestManyFilesWait: what waiting calls write is bounded too, and stands for every
// file where it would have to be forgotten.
func TestManyFilesWait(t *testing.T) {
	var m Memory
	for i := range 600 {
		m.MayRun(fmt.Sprint(i), "", read(t, m.Before, fmt.Sprintf("curl https://h.example/a > f%d", i)), int64(i))
	}
	st := before(&m)
	if n := len(st.Flow.Unvetted); n > 600 || !slices.Contains(st.Flow.Unvetted, "/") && !slices.Contains(st.Flow.Unvetted, "/w/f0") {
		t.Errorf("%d files", n)
	}
	if n := len(encoded(t, &m)); n > 1<<20 {
		t.Errorf("%d bytes are stored", n)
	}
}

// TestBeside: what a call adds itself is not beside it, and what another adds is.
func TestBeside(t *testing.T) {
	var m Memory
	m.MayRun("a", "", read(t, m.Before, "cat ~/.ssh/id_rsa"), 1)
	if f := m.Beside("a"); f.SensitiveRead {
		t.Error("the call's own read counts")
	}
	if f := m.Beside("b"); !f.SensitiveRead {
		t.Error("another call's read does not count")
	}
	m.Ended("a", read(t, func(s *gates.State) { m.At("a", s) }, "cat ~/.ssh/id_rsa"), 2)
	if f := m.Beside("a"); !f.SensitiveRead {
		t.Error("what ran does not count")
	}
}
