package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// agent plays a coding agent whose hook runs as a process for each event.
type agent struct {
	t    *testing.T
	p    place
	host hosts.Host
	args []string
	turn int
}

func newAgent(t *testing.T, host string, args ...string) *agent {
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	h, _ := hosts.Lookup(host)
	p := newPlace(t)
	return &agent{t: t, p: p, host: h, args: append([]string{"-state", filepath.Join(p.home, "state")}, args...), turn: 1}
}

// rules writes the project's rules.
func (a *agent) rules(text string) {
	a.t.Helper()
	if err := os.MkdirAll(filepath.Join(a.p.dir, ".gbt"), 0o755); err != nil {
		a.t.Fatal(err)
	}
	a.write(".gbt/rules", text)
}

func (a *agent) write(name, text string) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.p.dir, name), []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) start(input string, args ...string) hosts.Process {
	return a.p.start(a.t, strings.NewReader(input), append(append([]string{a.host.Name}, args...), a.args...)...)
}

// runs is a command that the agent runs, and the host's word that it ended well.
func (a *agent) runs(command string) {
	a.t.Helper()
	if p := a.start(a.p.shellCall(a.host.Name, "s", command)); a.host.Reading(eventOf(a.host.Name), p) != hosts.Proceeds {
		a.t.Fatalf("%s: %s is not let through: %+v", a.host.Name, command, p)
	}
	if a.host.Reports {
		event, err := json.Marshal(a.p.ranEvent(a.host.Name, "s", command, false))
		if err != nil {
			a.t.Fatal(err)
		}
		if p := a.start(string(event), "-after"); p.Exit != 0 {
			a.t.Fatalf("%s: %+v", a.host.Name, p)
		}
	}
}

// says is a message of the user's; hosts that do not tell one begin another turn.
func (a *agent) says(text string) {
	a.t.Helper()
	a.turn++
	for _, k := range a.host.Events {
		if k.Prompt == "" {
			continue
		}
		event := strings.ReplaceAll(a.host.SampleEvent(k.Name, a.p.dir), `"gbt-doctor"`, `"s"`)
		var m map[string]any
		if err := json.Unmarshal([]byte(event), &m); err != nil {
			a.t.Fatal(err)
		}
		m[k.Prompt] = text
		data, _ := json.Marshal(m)
		if p := a.start(string(data), "-after"); p.Exit != 0 {
			a.t.Fatalf("%s: %+v", a.host.Name, p)
		}
	}
}

// stop is the end of the agent's turn as its host tells it; more are fields beside.
func (a *agent) stop(more ...any) hosts.Process {
	a.t.Helper()
	for _, k := range a.host.Events {
		if !k.End || k.ByHand {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(a.host.SampleEvent(k.Name, a.p.dir), `"gbt-doctor"`, `"s"`)), &m); err != nil {
			a.t.Fatal(err)
		}
		if a.host.Ends.Turn != "" {
			m[a.host.Ends.Turn] = "t" + strconv.Itoa(a.turn)
		}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		data, _ := json.Marshal(m)
		return a.start(string(data), "-end")
	}
	a.t.Fatalf("%s has no end", a.host.Name)
	return hosts.Process{}
}

// wants holds an end to what must come of it, and to words that must be said of it.
func (a *agent) wants(what string, p hosts.Process, back bool, words ...string) {
	a.t.Helper()
	if got := a.host.SentBack(p); got != back {
		a.t.Errorf("%s: %s: sent back: %v: %+v", a.host.Name, what, got, p)
	}
	for _, w := range words {
		if !strings.Contains(p.Stdout+p.Stderr, w) {
			a.t.Errorf("%s: %s: no %q in %+v", a.host.Name, what, w, p)
		}
	}
}

// silent holds an end to the very bytes that a host gets where nothing is asked for.
func (a *agent) silent(what string, p hosts.Process) {
	a.t.Helper()
	o := a.host.LetGo("")
	if p.Stdout != o.Stdout || p.Stderr != o.Stderr || p.Exit != o.Exit {
		a.t.Errorf("%s: %s: %+v, want silence", a.host.Name, what, p)
	}
}

// ends are what the log says of ends, in their order.
func (a *agent) ends() string {
	a.t.Helper()
	list, bad, err := a.p.log().Read()
	if err != nil || bad > 0 {
		a.t.Fatalf("%v, %d bad", err, bad)
	}
	var out []string
	for _, e := range list {
		if e.End != "" {
			out = append(out, e.End)
		}
	}
	return strings.Join(out, " ")
}

// TestEndByCheck: at every host with such an event, an end after a change for which a command
// of the user's fails is sent back with what it printed, three times; then it is let go, and
// the log says STALL. Where it passes, the end stands. Where nothing changed, nothing runs.
func TestEndByCheck(t *testing.T) {
	for _, name := range hosts.NamesOf((*hosts.Host).AsksEnds) {
		a := newAgent(t, name, "-check", "echo ran >>../ran; echo 'done.txt is not there' >&2; test -f done.txt")
		a.silent("nothing happened", a.stop())
		a.runs("cat a.txt")
		a.silent("nothing changed", a.stop())
		if _, err := os.Stat(filepath.Join(a.p.home, "ran")); err == nil {
			t.Errorf("%s: the check ran though nothing changed", name)
		}
		a.runs("touch b.txt")
		a.wants("first", a.stop(), true, "told 1 of 3 times", "ended with 1", "done.txt is not there")
		a.write("done.txt", "")
		a.silent("it passes", a.stop())
		a.silent("nothing changed since", a.stop())
		if data, _ := os.ReadFile(filepath.Join(a.p.home, "ran")); string(data) != "ran\nran\n" {
			t.Errorf("%s: the check ran %q", name, data)
		}
		if err := os.Remove(filepath.Join(a.p.dir, "done.txt")); err != nil {
			t.Fatal(err)
		}
		a.says("go on")
		a.runs("touch c.txt")
		for i := range maxBack {
			a.wants("again", a.stop(), true, "told "+strconv.Itoa(i+1)+" of 3 times")
			a.runs("touch d.txt")
		}
		a.wants("the last", a.stop(), false, "the agent ended all the same", "the check")
		a.silent("after the last", a.stop())
		if got, want := a.ends(), "sent_back ENDED sent_back sent_back sent_back STALL"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		a.says("and now this")
		a.silent("a turn that changed nothing", a.stop())
		a.runs("touch e.txt")
		a.wants("the next turn", a.stop(), true, "told 1 of 3 times")
	}
}

// TestEndByRule: a rule about the end is held against facts where the host tells how calls
// ended; where it does not, the end stands, and the log says that nobody could tell.
func TestEndByRule(t *testing.T) {
	for _, name := range hosts.NamesOf((*hosts.Host).AsksEnds) {
		a := newAgent(t, name)
		a.rules("deny end when not tests passed\n")
		a.silent("nothing changed", a.stop())
		a.runs("touch a.go")
		if !a.host.Reports || !a.host.TellsSuccess() {
			p := a.stop()
			a.wants("nobody knows", p, false, "nobody can tell here", "tests passed")
			if got := a.ends(); got != "ENDED" {
				t.Errorf("%s: %s", name, got)
			}
			continue
		}
		a.wants("no tests", a.stop(), true, "Missing: tests passed", ".gbt/rules:1", "Run the project's tests")
		a.runs("go test ./... | tail")
		a.wants("an end that a pipe hides", a.stop(), true, "told 2 of 3 times")
		a.runs("go test ./...")
		a.silent("tests passed", a.stop())
		a.runs("touch a.go")
		a.wants("a change after the tests", a.stop(), true)
		if got, want := a.ends(), "sent_back sent_back ENDED sent_back"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestEndBrokenRule: a line that is no rule is told of once, with its place, and sends no
// agent back; what other lines ask for still does.
func TestEndBrokenRule(t *testing.T) {
	for _, name := range hosts.NamesOf((*hosts.Host).AsksEnds) {
		a := newAgent(t, name)
		a.runs("ls")
		a.rules("# ends\ndeny end when not tests pased\n")
		a.wants("a line that is no rule", a.stop(), false, ".gbt/rules:2", "cannot be read")
		a.silent("told already", a.stop())
		if got := a.ends(); got != "ENDED" {
			t.Errorf("%s: %s", name, got)
		}
		a.rules("deny end when not test passed\n")
		a.wants("another one", a.stop(), false, ".gbt/rules:1")
		a.rules("allow git puhs when x\n")
		a.silent("it may only have been meant to allow", a.stop())
	}
	a := newAgent(t, "claude-code")
	const sound, both = "deny end when not tests passed\n", "deny end when not tests pased\ndeny end when not tests passed\n"
	a.rules(sound)
	a.runs("mkdir x")
	a.rules(both)
	a.wants("the other rule", a.stop(), true, "Missing: tests passed")
	a.rules(sound)
	a.runs("go test ./...")
	a.rules(both)
	a.wants("and then the line", a.stop(), false, ".gbt/rules:1")
	a.silent("told already", a.stop())
}

// TestEndByCondition: what a policy requires of ends is asked for once a call was made that it
// is about, be it one that changes nothing.
func TestEndByCondition(t *testing.T) {
	a := newAgent(t, "claude-code")
	file, pub := a.p.policy(t, artifacts.Guardrail{Conditions: []gates.Condition{
		{End: true, Act: "view", Needs: []gates.Need{{How: gates.HowDid, Act: "test"}}, Tasks: 40, Held: 40},
	}})
	a.args = append(a.args, "-policy", file, "-trust", pub)
	a.silent("nothing happened", a.stop())
	a.runs("touch a.txt")
	a.silent("no such call", a.stop())
	a.runs("cat a.txt")
	a.wants("it was looked at", a.stop(), true, "Missing: ", "as the policy asks for", "Do one of these: ")
	a.runs("go test ./...")
	a.silent("tests ran behind it", a.stop())
	a.silent("and again", a.stop())
}

// TestEndUndeclared: where nothing is asked for, an end is silent and leaves nothing behind,
// in the session's state as in the log, whatever changed.
func TestEndUndeclared(t *testing.T) {
	for _, name := range hosts.NamesOf((*hosts.Host).AsksEnds) {
		a := newAgent(t, name)
		a.runs("touch a.go")
		state := func() (out string) {
			for _, f := range glob(t, filepath.Join(a.p.home, "state", "*.json")) {
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				out += string(data)
			}
			return out
		}
		before := state()
		a.silent("an end", a.stop())
		a.rules("deny git push when not tests passed\nallow fetch example.com\n")
		a.silent("rules about calls", a.stop())
		if before == "" || state() != before || strings.Contains(before, "Ends") || a.ends() != "" {
			t.Errorf("%s: an end that nothing is asked of left %q: %s", name, a.ends(), state())
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEndsNeverLoop: what the hook tells an agent is no message of the user's, other hooks'
// counts count too, a broken turn is let go, and trouble lets go.
func TestEndsNeverLoop(t *testing.T) {
	for _, name := range hosts.NamesOf((*hosts.Host).AsksEnds) {
		a := newAgent(t, name, "-check", "false")
		a.runs("touch a.go")
		n := 0
		for range 10 {
			p := a.stop()
			if !a.host.SentBack(p) {
				break
			}
			n++
			var m map[string]any
			if err := json.Unmarshal([]byte(p.Stdout), &m); err != nil {
				t.Fatal(err)
			}
			turn := a.turn
			for _, key := range []string{"reason", "followup_message"} {
				if text, ok := m[key].(string); ok {
					a.says("[Stop hook feedback] " + text)
				}
			}
			a.turn = turn
			a.runs("touch a.go")
		}
		if n != maxBack {
			t.Errorf("%s: sent back %d times", name, n)
		}
		list, _, err := a.p.log().Read()
		if i := slices.IndexFunc(list, func(e decisions.Entry) bool { return e.Answer != "" }); err != nil || i >= 0 {
			t.Errorf("%s: what the hook said is taken for the user's word: %v", name, err)
		}
		if keys := a.host.Ends.Active; len(keys) > 0 {
			a.says("more")
			a.runs("touch a.go")
			a.wants("another hook sent it back", a.stop(keys[0], true), true, "told 2 of 3 times")
		}
		for what, input := range map[string]string{"no input": "", "cut off": `{"hook_event`, "a list": "[]"} {
			p := a.start(input, "-end")
			a.wants(what, p, false, "gbt:")
			if p.Exit != 1 {
				t.Errorf("%s: %s: exit %d", name, what, p.Exit)
			}
		}
		if key := a.host.Ends.Tries; key != "" {
			a.says("more")
			a.runs("touch a.go")
			a.wants("others sent it back", a.stop(key, maxBack), false, "ended all the same")
		}
		if key := a.host.Ends.Status; key != "" {
			a.says("more")
			a.runs("touch a.go")
			a.silent("a broken turn", a.stop(key, "aborted"))
		}
	}
	a := newAgent(t, "claude-code")
	a.args = []string{"-state", "none", "-check", "false"}
	a.wants("no state to count in", a.stop(), false, "-end needs -state")
}

// TestEndByHand: a hook that was put at an end without -end answers as one, and does not
// block what it can't judge.
func TestEndByHand(t *testing.T) {
	a := newAgent(t, "claude-code", "-check", "false")
	a.runs("touch a.go")
	input := `{"session_id":"s","cwd":` + strconv.Quote(a.p.dir) + `,"hook_event_name":"SubagentStop","agent_id":"x","stop_hook_active":false}`
	for range maxBack {
		a.wants("a subagent", a.start(input), true)
	}
	a.wants("a subagent", a.start(input), false)
	a.wants("the session's own end", a.stop(), true, "told 1 of 3 times")
}

// TestEndCheckTime: a check that takes too long is ended with all that it started, and the
// agent is told so.
func TestEndCheckTime(t *testing.T) {
	a := newAgent(t, "claude-code", "-check", "sleep 60 & echo $! >../pid; sleep 60", "-check-time", "300ms")
	a.runs("touch a.go")
	a.wants("too long", a.stop(), true, "its time was over")
	pid, err := os.ReadFile(filepath.Join(a.p.home, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	var stat []byte
	for range 100 {
		stat, err = os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return // gone, or waiting for who started it
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("what the check started goes on: %s", stat)
}

// TestEndObserved: the profile that stops nothing sends nobody back, and the log has what the
// end lacked.
func TestEndObserved(t *testing.T) {
	a := newAgent(t, "claude-code", "-check", "PASSWORD=hunter2 false", "-profile", "observe")
	a.runs("touch a.go")
	a.silent("it lacks something", a.stop())
	a.silent("nothing changed since", a.stop())
	if got := a.ends(); got != decisions.Stall {
		t.Error(got)
	}
	data, err := os.ReadFile(a.p.log().File())
	if err != nil || strings.Contains(string(data), "hunter2") || !strings.Contains(string(data), "check 1, which ended with 1") {
		t.Errorf("%v: %s", err, data)
	}
}

// TestEndReceipt: with receipts an end has one, with the literal results of its checks and
// nothing of what they are or print.
func TestEndReceipt(t *testing.T) {
	a := newAgent(t, "claude-code", "-check", "echo hunter2; exit 3")
	a.args = append(a.args, "-receipts", filepath.Join(a.p.home, "receipts"))
	a.runs("touch a.go")
	a.wants("an end", a.stop(), true, "ended with 3", "hunter2")
	var text bytes.Buffer
	for _, f := range glob(t, filepath.Join(a.p.home, "receipts", "*.jsonl")) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	for _, want := range []string{`"kind":"check"`, `"end":"` + decisions.SentBack + `"`, `"exit":3`, `"sha256":"`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in %s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "hunter2") {
		t.Errorf("what a check printed stands in %s", text.String())
	}
}
