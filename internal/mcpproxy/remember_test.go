package mcpproxy

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

const (
	fetchA  = `{"command":"curl https://a.example/x"}`
	secret  = `{"command":"cat .env"}`
	pushX   = `{"command":"git push origin x"}`
	forced  = `{"command":"git push --force origin x"}`
	forever = "accept session"
)

// TestYesForTheSession: a choice for the session holds for the same scope until the
// session is another one, in both forms of elicitation, and for nothing beside it.
func TestYesForTheSession(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		first  string
		then   []string
		last   string
		asks   bool
	}{
		"the same":               {forever, fetchA, nil, fetchA, false},
		"the same scope":         {forever, fetchA, nil, `{"command":"curl https://a.example/y"}`, false},
		"another destination":    {forever, fetchA, nil, `{"command":"curl https://b.example/x"}`, true},
		"another verb":           {forever, fetchA, nil, `{"command":"curl -d a=1 https://a.example/x"}`, true},
		"one destination more":   {forever, fetchA, nil, `{"command":"curl https://a.example/x; curl https://b.example/x"}`, true},
		"a push":                 {forever, pushX, nil, `{"command":"git push -q origin x"}`, false},
		"a push by force":        {forever, pushX, nil, forced, true},
		"force, twice":           {"accept", forced, nil, forced, true},
		"a secret, twice":        {"accept", secret, nil, secret, true},
		"after a secret":         {forever, fetchA, []string{secret}, fetchA, true},
		"after a download":       {forever, pushX, []string{`{"command":"curl -o a.sh https://a.example/a.sh"}`}, pushX, true},
		"once":                   {"accept once", fetchA, nil, fetchA, true},
		"no choice":              {"accept", fetchA, nil, fetchA, true},
		"declined":               {"decline", fetchA, nil, fetchA, true},
		"declined with a choice": {"decline session", fetchA, nil, fetchA, true},
		"cancelled":              {"cancel session", fetchA, nil, fetchA, true},
	} {
		for _, protocol := range []string{"", "2025-06-18"} {
			answer := tt.answer
			w := newWorld(t, settings{checker: here(t), protocol: protocol, answer: func(string) string { return answer }})
			got := w.call("bash", tt.first)
			if agreed := strings.HasPrefix(answer, "accept"); agreed != (got == "run") {
				t.Errorf("%s %s: %s", name, protocol, got)
			}
			answer = "accept"
			for _, args := range tt.then {
				w.call("bash", args)
			}
			before := len(w.asked)
			if got := w.call("bash", tt.last); got != "run" || (len(w.asked) > before) != tt.asks {
				t.Errorf("%s %s: %s, asked %q", name, protocol, got, w.asked)
			}
		}
	}
}

// TestWhatIsOffered: the form names what a yes for the session would hold for, and has no
// such choice where it is asked each time.
func TestWhatIsOffered(t *testing.T) {
	w := newWorld(t, settings{checker: here(t), answer: yes})
	w.call("bash", fetchA)
	if !strings.Contains(w.forms[0], "fetch from a.example") || !strings.Contains(w.asked[0], "for: fetch from a.example.") || !strings.Contains(w.asked[0], "once.") {
		t.Errorf("%s\n%s", w.asked[0], w.forms[0])
	}
	w.call("bash", forced)
	if w.forms[1] != "map[properties:map[] type:object]" || strings.Contains(w.asked[1], "session") {
		t.Errorf("%s\n%s", w.asked[1], w.forms[1])
	}
}

// TestUnknownChoice: a value that was not offered is a no, and so is the session where
// that was not offered or is no longer.
func TestUnknownChoice(t *testing.T) {
	for name, tt := range map[string]struct {
		args   string
		choice any
		before func(l *ledger)
		want   answer
	}{
		"offered":              {fetchA, "session", nil, session},
		"once":                 {fetchA, "once", nil, once},
		"another":              {fetchA, "always", nil, refused},
		"no text":              {fetchA, true, nil, refused},
		"null":                 {fetchA, nil, nil, refused},
		"several":              {fetchA, []any{"session"}, nil, refused},
		"not offered":          {forced, "session", nil, refused},
		"a secret was read":    {pushX, "session", func(l *ledger) { l.read(t, "cat .env") }, refused},
		"something was loaded": {pushX, "session", func(l *ledger) { l.read(t, "curl -o a.sh https://a.example/a.sh") }, refused},
	} {
		p := judging()
		c := &toolCall{tool: "mcp__one__bash", args: []byte(tt.args)}
		v, err := p.judge(t.Context(), c, unanswered)
		if err != nil || v.token == "" {
			t.Fatalf("%s: %v %+v", name, err, v)
		}
		if tt.before != nil {
			tt.before(&p.ledger)
		}
		said := mcp.InputResponseMap{confirmKey: &mcp.ElicitResult{Action: "accept", Content: map[string]any{choiceKey: tt.choice}}}
		other := &toolCall{tool: c.tool, args: []byte(`{"command":"git push origin y"}`)}
		if got := p.answered(v.token, said, other); got != unanswered {
			t.Errorf("%s: an answer to another call counts as %d", name, got)
		}
		if got := p.answered(v.token, said, c); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
		if got := len(p.ledger.past.Agreed()) > 0; got != (tt.want == session) {
			t.Errorf("%s: remembered %q", name, p.ledger.past.Agreed())
		}
		if got := p.answered(v.token, said, c); got != unanswered {
			t.Errorf("%s: an answer counted twice", name)
		}
	}
}

// TestYesForTheSessionInATask: the session of the traverser, which asks too, remembers it
// as the proxy does.
func TestYesForTheSessionInATask(t *testing.T) {
	answer := forever
	w := newWorld(t, settings{answer: func(string) string { return answer }, edit: func(o *Options) { withPolicy(policy(t))(o); o.Checker.Schemas = here(t).Schemas }})
	w.plan("gbt_start", `{"task":"one"}`)
	w.call("bash", fetchA)
	answer = "decline"
	for _, args := range []string{fetchA, `{"command":"curl https://a.example/y"}`} {
		if got := w.call("bash", args); got != "run" || len(w.asked) != 1 {
			t.Errorf("%s, asked %q", got, w.asked)
		}
	}
	if got := w.call("bash", `{"command":"curl https://b.example/y"}`); got == "run" {
		t.Error("another destination passed")
	}
	answer = "accept"
	w.call("bash", secret)
	answer = "decline"
	if got := w.call("bash", fetchA); got == "run" {
		t.Error("passed after a secret was read")
	}
}

// here is a checker whose user says that the test server's shell is this machine's.
func here(t *testing.T) *gates.Checker {
	t.Helper()
	var none *call.Schemas
	schemas, err := none.WithServers([]call.Server{{Name: "one", Touches: call.TouchesMachine}})
	if err != nil {
		t.Fatal(err)
	}
	return &gates.Checker{Schemas: schemas}
}

// judging is a proxy without servers, in the places of the test worlds.
func judging() *Proxy {
	p := &Proxy{opts: Options{Checker: &gates.Checker{}, State: func() gates.State { return gates.State{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1} }}}
	p.opts.defaults()
	return p
}

// read notes that a command line has run.
func (l *ledger) read(t *testing.T, line string) {
	t.Helper()
	var st gates.State
	l.past.Before(&st)
	st.Cwd, st.Roots = "/w", []string{"/w"}
	k := &gates.Checker{}
	gc := k.Context(gates.Request{Tool: "mcp__one__bash", Args: []byte(`{"command":"` + line + `"}`)}, st)
	l.ran(&gc)
}
