package episode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// read is a command line as a host's shell tool gets it, in the state that past
// fills in.
func read(t testing.TB, past func(*gates.State), line string) *gates.Context {
	t.Helper()
	args, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		t.Fatal(err)
	}
	st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}
	past(&st)
	c := gates.NewContext(gates.Request{Tool: "Bash", Args: args}, st)
	return &c
}

// ran runs a command line.
func ran(t testing.TB, m *Memory, line string, at int64) *gates.Context {
	t.Helper()
	c := read(t, m.Before, line)
	m.Ran(c, at)
	return c
}

// before is the state that a call is judged in.
func before(m *Memory) (st gates.State) {
	m.Before(&st)
	return st
}

func encoded(t testing.TB, m *Memory) []byte {
	t.Helper()
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// from is where a value comes from, in the words of the state a call is judged in.
func from(m *Memory, value string) string {
	x, source, form := before(m).Sources.Find(value)
	return strings.TrimSpace(x + " " + source + " " + form)
}

// TestAllThatCameBackIsUntrusted: a result, an error and what went to standard
// error may all hold somebody else's words, whatever namespace the tool has.
func TestAllThatCameBackIsUntrusted(t *testing.T) {
	var m Memory
	if got := from(&m, "alpha-beta"); got != "agent" {
		t.Errorf("before anything is known: %s", got)
	}
	m.Hear("write to gamma-delta")
	m.Returned("mcp__web__get_page", []byte(`{}`), "see alpha-beta there", "failed at iota-kappa", "warning: lambda-mu")
	m.Hear("and to nu-omicron")
	for value, want := range map[string]string{
		"alpha-beta": "untrusted get_page ~", "iota-kappa": "untrusted get_page ~", "lambda-mu": "untrusted get_page ~",
		"gamma-delta": "task", "nu-omicron": "task", "epsilon-zeta": "agent",
	} {
		if got := from(&m, value); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
	if m.Unsourced = true; before(&m).Sources != nil {
		t.Error("a host that reports nothing has sources")
	}
}

// TestTextsThatTheTaskAskedFor: the arguments of a call tell whether the task
// asked for what it returned.
func TestTextsThatTheTaskAskedFor(t *testing.T) {
	for args, want := range map[string]bool{`{"path":"notes.txt"}`: true, `{"path":"other.txt"}`: false, "": false} {
		var m Memory
		m.Hear("do what notes.txt says")
		m.Returned("read_file", []byte(args), "mail alpha-beta")
		if got := from(&m, "alpha-beta"); strings.HasSuffix(got, origin.Asked) != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// TestEqualTextsCountOnce: a host that reports a text as the result and as the
// error has seen it once.
func TestEqualTextsCountOnce(t *testing.T) {
	var once, twice Memory
	once.Returned("ls", nil, "no such file")
	twice.Returned("ls", nil, "no such file", "", "no such file")
	if a, b := encoded(t, &once), encoded(t, &twice); !bytes.Equal(a, b) {
		t.Errorf("\n%s\n%s", a, b)
	}
	twice.Returned("ls", nil, "no such file") // another call is another text
	if bytes.Equal(encoded(t, &once), encoded(t, &twice)) {
		t.Error("what the next call returned is not kept")
	}
}

func TestHeard(t *testing.T) {
	var m Memory
	m.Hear("")
	m.Returned("ls", nil)
	m.Returned("ls", nil, "", "")
	if m.heard {
		t.Error("nothing was said")
	}
	m.Returned("ls", nil, "a")
	if !m.heard {
		t.Error("a result was not heard")
	}
	m = Memory{}
	if m.Hear("a"); !m.heard {
		t.Error("the user was not heard")
	}
}

// TestLimit: what exceeds it is dropped, and then a value that is found nowhere
// may have stood there.
func TestLimit(t *testing.T) {
	m := Memory{Limit: 2000}
	m.Hear("write to gamma-delta")
	m.Returned("get_page", nil, "see alpha-beta there "+strings.Repeat("and on ", 200))
	if got := from(&m, "epsilon-zeta"); got != "agent" {
		t.Errorf("within the limit: %s", got)
	}
	m.Returned("get_page", nil, "see eta-theta there "+strings.Repeat("and on ", 200))
	m.Returned("get_page", nil, "see iota-kappa there")
	check := func(when string, m *Memory) {
		t.Helper()
		for value, want := range map[string]string{
			"epsilon-zeta": "untrusted " + origin.Dropped + " ~", "eta-theta": "untrusted " + origin.Dropped + " ~",
			"alpha-beta": "untrusted get_page ~", "iota-kappa": "untrusted get_page ~", "gamma-delta": "task",
		} {
			if got := from(m, value); got != want {
				t.Errorf("%s, %s: %s, want %s", when, value, got, want)
			}
		}
	}
	check("past the limit", &m)
	back := Memory{Limit: 2000}
	if err := back.UnmarshalBinary(encoded(t, &m)); err != nil {
		t.Fatal(err)
	}
	check("stored and read", &back)
}

// TestLimitBoundsWhatIsStored: whatever the texts are made of, a memory with a
// limit stays within a few times of it.
func TestLimitBoundsWhatIsStored(t *testing.T) {
	const limit = 64 << 10
	for name, text := range map[string]func(i int) string{
		"words":       func(i int) string { return strings.Repeat(fmt.Sprintf("words of page %d ", i), 100) },
		"numbers":     func(int) string { return "[" + strings.Repeat("1,", 500) + "1]" },
		"long keys":   func(i int) string { return fmt.Sprintf(`{"%s%d":1}`, strings.Repeat("k", 16<<10), i) },
		"nested":      func(i int) string { return strings.Repeat(`{"key":`, 30) + fmt.Sprint(i) + strings.Repeat("}", 30) },
		"nothing":     func(int) string { return "{}" },
		"a long task": func(i int) string { return "" },
	} {
		m := Memory{Limit: limit}
		for i := range 300 {
			m.Returned("get_page", nil, text(i))
			if name == "a long task" {
				m.Hear(strings.Repeat(fmt.Sprintf("do thing %d ", i), 200))
			}
		}
		if n := len(encoded(t, &m)); n > 12*limit {
			t.Errorf("%s: %d bytes are stored, the limit is %d", name, n, limit)
		}
	}
}

// TestRan: what ran is in the history, the last calls only, and its flow goes on;
// the lists of a context made before stay as they were.
func TestRan(t *testing.T) {
	var m Memory
	first := ran(t, &m, "cat ~/.ssh/id_rsa", 1)
	var contexts []*gates.Context
	for i := range int64(6) {
		contexts = append(contexts, ran(t, &m, fmt.Sprintf("echo x > f%d", i), 2+i))
	}
	if first.Flow.SensitiveRead || len(first.History) != 0 {
		t.Errorf("the first call has a past: %+v", first)
	}
	st := before(&m)
	if !st.Flow.SensitiveRead || !slices.Contains(st.Flow.Derived, "/w/f0") || !slices.Contains(st.Flow.Derived, "/w/f5") {
		t.Errorf("%+v", st.Flow)
	}
	if len(st.History) != gates.HistoryLimit || st.History[len(st.History)-1].Time != 7 {
		t.Errorf("%+v", st.History)
	}
	for i, c := range contexts {
		if c.Flow.SensitiveRead != true || len(c.Flow.Derived) != i {
			t.Errorf("call %d: %+v", i, c.Flow)
		}
		if n := len(c.History); n > 0 && c.History[n-1].Time != int64(1+i) {
			t.Errorf("call %d: %+v", i, c.History)
		}
	}
}

// TestNextMacro: the history is that of one macro, the flow that of the run.
func TestNextMacro(t *testing.T) {
	var m Memory
	ran(t, &m, "cat ~/.ssh/id_rsa", 1)
	last := ran(t, &m, "rm f", 2)
	kept := slices.Clone(last.History)
	m.NextMacro()
	if st := before(&m); len(st.History) != 0 || !st.Flow.SensitiveRead {
		t.Errorf("%+v", st)
	}
	c := ran(t, &m, "rm g", 3)
	if st := before(&m); len(c.History) != 0 || len(st.History) == 0 || st.History[0].Time != 3 {
		t.Errorf("%+v, %+v", c.History, st.History)
	}
	if !slices.Equal(last.History, kept) {
		t.Errorf("the history of an earlier call changed: %+v", last.History)
	}
}
