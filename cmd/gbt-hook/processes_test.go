package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

const testMark = "GBT_TEST_MARK"

// machine is a test that plays a host, with a hook and processes of its calls.
type machine struct {
	*testing.T
	calls calls
	hook  int
}

// long is how long the nth process of a test sleeps, which is what it is known by.
func long(n int) string { return strconv.Itoa(1e6 + os.Getpid()*100 + n) }

func newMachine(t *testing.T) *machine {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("nobody looks at processes here")
	}
	m := &machine{T: t, calls: calls{First: time.Now().UnixMilli()}}
	time.Sleep(30 * time.Millisecond) // more than a tick
	m.hook = m.start(false, "sleep", "600").Process.Pid
	t.Cleanup(func() { // what the shells of the test left
		w := watch{self: os.Getpid()}
		w.read()
		for id, p := range w.all {
			if len(p.Args) == 2 && p.Args[0] == "sleep" && strings.HasPrefix(p.Args[1], long(0)[:len(long(0))-2]) && len(p.Args[1]) == len(long(0)) {
				if p, err := os.FindProcess(id); err == nil {
					p.Kill()
				}
			}
		}
	})
	return m
}

// start starts a process that the test ends.
func (m *machine) start(marked bool, words ...string) *exec.Cmd {
	m.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	if marked {
		cmd.Env = append(cmd.Env, testMark+"=1")
	}
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// call runs something while a call of the session runs.
func (m *machine) call(key string, f func()) {
	m.calls.begin(key, doesLook, time.Now())
	time.Sleep(30 * time.Millisecond)
	f()
	m.calls.end(key, true, time.Now())
	time.Sleep(2 * clockSlack)
}

// started are the starters of all processes by their last words.
func (m *machine) started(mark string) map[string]gates.Starter {
	m.Helper()
	w := watch{calls: &m.calls, mark: mark, self: m.hook}
	list, ok := w.processes()
	if !ok {
		m.Fatal("not all processes are seen")
	}
	out := map[string]gates.Starter{}
	for _, p := range list {
		if len(p.Args) > 0 {
			out[p.Args[len(p.Args)-1]] = p.Start
		}
		if p.Start != gates.StarterUnknown && w.above[p.ID] {
			m.Errorf("%d is above the hook, and is %v", p.ID, p.Start)
		}
	}
	return out
}

// TestStarters: what calls of the session started is told from what others did.
func TestStarters(t *testing.T) {
	m := newMachine(t)
	m.start(true, "sleep", long(1))
	time.Sleep(3 * clockSlack)
	m.call("one", func() {
		m.start(true, "sh", "-c", "sleep "+long(2)+" & wait")
		m.start(false, "sleep", long(3))
		m.start(false, "sh", "-c", "sleep "+long(4)+" & wait")
		m.start(true, "sh", "-c", "sleep "+long(5)+" & echo $! > "+filepath.Join(m.TempDir(), "pid")).Wait()
		m.start(false, "sh", "-c", "sleep "+long(6)+" &").Wait()
		time.Sleep(50 * time.Millisecond)
	})
	m.start(true, "sleep", long(7))
	m.calls.begin("two", doesLook, time.Now())
	m.start(true, "sleep", long(8))
	m.calls.begin("three", doesLook, time.Now())
	m.start(true, "sleep", long(9))
	m.calls.end("three", false, time.Now())
	time.Sleep(50 * time.Millisecond)
	got, unmarked := m.started(testMark), m.started("")
	gone := gates.StarterGone
	w := watch{self: m.hook}
	w.read()
	for _, p := range w.all {
		if len(p.Args) == 2 && p.Args[1] == long(5) && !reaps(w.all[p.parent]) {
			gone = gates.StarterUnknown // something else takes processes over here
		}
	}
	for _, tt := range []struct {
		n             int
		name          string
		want, without gates.Starter
	}{
		{1, "before any call", gates.StarterUnknown, gates.StarterUnknown},
		{2, "below the shell of a call", gates.StarterCall, gates.StarterCall},
		{3, "beside, by the host for itself", gates.StarterUnknown, gates.StarterUnknown},
		{4, "by a shell that the host started for itself", gates.StarterUnknown, gates.StarterCall},
		{5, "left by a call", gone, gates.StarterUnknown},
		{6, "left by somebody", gates.StarterUnknown, gates.StarterUnknown},
		{7, "after the call", gates.StarterUnknown, gates.StarterUnknown},
		{8, "in one that may not have run yet", gates.StarterUnknown, gates.StarterUnknown},
		{9, "in one that was declined", gates.StarterUnknown, gates.StarterUnknown},
	} {
		if s, ok := got[long(tt.n)]; !ok || s != tt.want {
			t.Errorf("%s, with a variable of the host's: %v %v, want %v", tt.name, s, ok, tt.want)
		}
		if s, ok := unmarked[long(tt.n)]; !ok || s != tt.without {
			t.Errorf("%s, without one: %v %v, want %v", tt.name, s, ok, tt.without)
		}
	}
	m.calls.First = time.Now().UnixMilli()
	for word, s := range m.started(testMark) {
		if s != gates.StarterUnknown {
			t.Errorf("before the session: %s is %v", word, s)
		}
	}
}

// TestStartersMarkedHost: where the host itself has its variable, that tells nobody apart.
func TestStartersMarkedHost(t *testing.T) {
	m := newMachine(t)
	m.call("one", func() { m.start(true, "sleep", long(11)) })
	env, err := os.ReadFile("/proc/self/environ")
	if err != nil || len(env) == 0 {
		t.Skip("the environment can't be read here")
	}
	if got := m.started(testMark); got[long(11)] != gates.StarterCall {
		t.Errorf("marked by the host: %v", got[long(11)])
	}
	if got := m.started("PATH"); got[long(11)] != gates.StarterUnknown {
		t.Errorf("with a variable that the host has itself: %v", got[long(11)])
	}
}

// TestHolders: who has a socket with a port is found by it, from both ends.
func TestHolders(t *testing.T) {
	m := newMachine(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := uint16(l.Addr().(*net.TCPAddr).Port)
	w := watch{calls: &m.calls, self: m.hook}
	if ids, ok := w.holders(port); !ok || !slices.Contains(ids, os.Getpid()) {
		t.Errorf("a server: %v %v", ids, ok)
	}
	l.Close()
	if ids, ok := w.holders(port); !ok || len(ids) != 0 {
		t.Errorf("nobody: %v %v", ids, ok)
	}
}

// TestSignals runs the hook before signals by which nothing is hit, or a process that is
// nobody's of the session.
func TestSignals(t *testing.T) {
	m := newMachine(t)
	p := newPlace(t)
	args := []string{"-state", filepath.Join(p.home, "state")}
	ask := func(want hosts.Outcome, line string) {
		t.Helper()
		if got := p.claude(t, "a", line, args...); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	other := m.start(false, "sleep", long(21))
	ask(hosts.Asks, `pkill -f 'sleep [`+long(29)[:1]+`]`+long(29)[1:]+`'`)
	ask(hosts.Asks, `pkill -f 'sleep [`+long(21)[:1]+`]`+long(21)[1:]+`'`)
	ask(hosts.Asks, `kill `+strconv.Itoa(other.Process.Pid))
	ask(hosts.Asks, `kill `+strconv.Itoa(os.Getpid()))
	ask(hosts.Asks, `pkill `+filepath.Base(os.Args[0])[:8])
	other.Process.Kill()
	other.Wait()
	ask(hosts.Asks, `pkill -f 'sleep [`+long(21)[:1]+`]`+long(21)[1:]+`'`)
	ask(hosts.Asks, `kill `+strconv.Itoa(other.Process.Pid))
}

// TestCalls: when calls ran is kept in few times, which say no more than the calls do.
func TestCalls(t *testing.T) {
	at := func(ms int64) time.Time { return time.UnixMilli(ms) }
	c := calls{First: 1000}
	c.begin("a", doesLook, at(2000))
	c.begin("b", doesLook, at(2500))
	c.end("b", true, at(3000))
	c.end("a", true, at(4000))
	c.begin("c", doesLook, at(9000))
	c.end("c", false, at(9500))
	c.begin("d", doesLook, at(20000))
	c.end("d", true, at(20000+maxCallTime.Milliseconds()+1))
	c.end("unknown", true, at(30000))
	if want := [][2]int64{{2000, 4000}}; !slices.Equal(c.Done, want) || len(c.Open) != 0 {
		t.Errorf("%v %v", c.Done, c.Open)
	}
	for ms, want := range map[int64]bool{1999: false, 2000: true, 4000: true, 4000 + clockSlack.Milliseconds() + 1: false, 9200: false, 21000: false} {
		if c.ran(ms) != want {
			t.Errorf("at %d: %v", ms, !want)
		}
	}
	for i := range int64(500) {
		key := strconv.Itoa(int(i))
		c.begin(key, doesLook, at(10_000_000+i*1000))
		if i%2 == 0 {
			c.end(key, true, at(10_000_000+i*1000+10))
		}
	}
	if len(c.Done) != maxDoneCalls || len(c.Open) != maxOpenCalls {
		t.Errorf("%d times, %d calls", len(c.Done), len(c.Open))
	}
	var old calls
	old.begin("a", doesLook, at(1))
	old.end("a", true, at(2))
	if old.ran(1) || len(old.Done) != 0 {
		t.Error("a session that began before times were kept counts them")
	}
}
