package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestDoubtfulCallsAreNotApproved: arguments that two readers could take for
// different ones are approved for no tool, be it one that only thinks or one whose
// schema says that it reads.
func TestDoubtfulCallsAreNotApproved(t *testing.T) {
	schemas, err := call.NewSchemas([]call.Schema{{Tool: "lookup", Family: call.FamilyApp, Verb: effect.VerbRead, Resource: call.ResourceRecord}})
	if err != nil {
		t.Fatal(err)
	}
	k := gates.Checker{Schemas: schemas}
	st := gates.State{Cwd: "/w", Roots: []string{"/w"}}
	plain := []string{`{"path":"a","file_path":"/w/a","pattern":"x","command":"ls","thought":"x"}`, `{"path":"a","thought":"\ud83d\ude00","command":"ls","file_path":"/w/\\ud800"}`}
	doubtful := []string{
		`{"command":"ls","command":"ls"}`, `{"path":"/w/a","Path":"/w/b"}`, `{"file_path":"/w/a","more":{"x":[{"k":1,"\u212a":2}]}}`,
		`{"command":"ls","thought":"\ud800"}`, `{"command":"ls","thought":"\udc00\ud800"}`, `{"command":"ls","thought":"\ud800\ud800"}`, "{\"command\":\"ls\",\"path\":\"\xff\"}",
		`"{\"command\":\"ls\",\"command\":\"ls\"}"`, `"\"{\\\"command\\\":\\\"rm -rf /\\\"}\""`, `"[\"rm\",\"-rf\",\"/\"]"`,
	}
	for _, tool := range []string{"Read", "Bash", "think", "lookup", "read_file", "mcp__x__list_users", "zorp"} {
		decide := func(args string) (*call.Call, gates.Decision) {
			c := k.Read(gates.Request{Tool: tool, Args: []byte(args)}, &st)
			ctx := gates.ContextOf(c, st)
			return c, k.Check(&ctx, nil)
		}
		for _, args := range plain {
			if c, d := decide(args); c.Doubt != "" || hasRule(d, "opaque/arguments") {
				t.Errorf("%s %s: %q, %v", tool, args, c.Doubt, d.Reasons)
			}
		}
		for _, args := range doubtful {
			c, d := decide(args)
			if c.Doubt == "" || c.Doubt != call.Doubt([]byte(args)) || d.Disposition > gates.RevisionRequired || !hasRule(d, "opaque/arguments") {
				t.Errorf("%s %s: %q, %v %v", tool, args, c.Doubt, d.Disposition, d.Reasons)
			}
		}
	}
}

// TestUnreadableArguments: what is no JSON, or is cut anywhere, is read without a
// fault and approved for no tool.
func TestUnreadableArguments(t *testing.T) {
	var k gates.Checker
	st := gates.State{Cwd: "/w", Roots: []string{"/w"}}
	const whole = `{"command":["ls",{"a":[1,null,"b"]}],"path":"x","path2":{"c":{}}}`
	for _, tool := range []string{"Bash", "Read", "think", "execute_sql", "apply_patch", "send_email", "mcp__x__list_users", "zorp"} {
		for i := 1; i < len(whole); i++ {
			c := k.Read(gates.Request{Tool: tool, Args: []byte(whole[:i])}, &st)
			c.Action()
			ctx := gates.ContextOf(c, st)
			if d := k.Check(&ctx, nil); d.Disposition > gates.RevisionRequired {
				t.Errorf("%s %s: %v %v", tool, whole[:i], d.Disposition, d.Reasons)
			}
		}
	}
}

// TestAllValuesCount: of several values that a tool might run or open, every one is
// judged, be they in a list or under names that mean the same.
func TestAllValuesCount(t *testing.T) {
	k := gates.Checker{Guardrail: gates.Guardrail{Egress: []gates.Egress{{Domain: "ok.example"}}}}
	st := gates.State{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}
	const ok, bad, away = `"print(1)"`, `"import os; os.system('rm -rf /')"`, `"https://other.example/x"`
	add := func(path string) string { return `"*** Begin Patch\n*** Add File: ` + path + `\n+x\n*** End Patch"` }
	for _, x := range []struct{ tool, harmless, harmful string }{
		{"python", `{"code":[` + ok + `,` + ok + `]}`, `{"code":[` + ok + `,` + bad + `]}`},
		{"python", `{"code":` + ok + `,"source":` + ok + `}`, `{"code":` + ok + `,"source":` + bad + `}`},
		{"python", `{"code":` + ok + `,"input":"5 3"}`, `{"code":` + ok + `,"input":` + bad + `}`},
		{"python", `{"code":` + ok + `,"script":null}`, `{"code":` + ok + `,"script":{"x":` + bad + `}}`},
		{"python", `{"code":["x = 1\n","print(x)"]}`, `{"code":["'''",` + bad + `,"'''"]}`},
		{"execute_sql", `{"query":["select 1","select 2"]}`, `{"query":["select 1","drop table x"]}`},
		{"execute_sql", `{"query":"select 1"}`, `{"query":{"a":"drop table x"}}`},
		{"WebFetch", `{"url":["https://ok.example","https://ok.example/a"]}`, `{"url":["https://ok.example",` + away + `]}`},
		{"WebFetch", `{"url":"https://ok.example","urls":["https://ok.example/a"]}`, `{"url":"https://ok.example","urls":[` + away + `]}`},
		{"WebFetch", `{"url":"https://ok.example","uri":"ok.example"}`, `{"url":"https://ok.example","uri":"other.example"}`},
		{"browser", `{"code":["goto('https://ok.example')","noop()"]}`, `{"code":["goto('https://ok.example')","goto('https://other.example')"]}`},
		{"browser_navigate", `{"url":"https://ok.example","code":"noop()"}`, `{"url":"https://ok.example","code":"goto('https://other.example')"}`},
		{"move_file", `{"source":"a","destination":"b","to":"c"}`, `{"source":"a","destination":"b","to":"/etc/cron.d/x"}`},
		{"copy_file", `{"source":"a","destination":"b"}`, `{"source":"a","destination":"b","to":"/etc/cron.d/x"}`},
		{"apply_patch", `{"input":[` + add("a") + `,` + add("b") + `]}`, `{"input":[` + add("a") + `,` + add("/etc/cron.d/x") + `]}`},
		{"apply_patch", `{"input":` + add("a") + `}`, `{"input":` + add("a") + `,"patch":` + add("/etc/cron.d/x") + `}`},
		{"apply_patch", `{"input":` + add("a") + `}`, `{"input":` + add("a") + `,"patch":"something else"}`},
		{"apply_patch", `{"input":` + add("a") + `}`, `{"input":` + add(`a\n+x\n  *** Add File: /etc/cron.d/x`) + `}`},
		{"apply_patch", `{"patch":"--- a/x\n+++ b/x\n"}`, `{"patch":"--- a/x\n+++ b/x\n--- a\n+++ /etc/cron.d/x\t2026-01-01\n"}`},
		{"apply_patch", `{"patch":"--- x\n+++ x\n"}`, `{"patch":"--- a/x\n+++ b/x\n--- /etc/passwd\n+++ /dev/null\n"}`},
	} {
		for args, want := range map[string]bool{x.harmless: true, x.harmful: false} {
			c := gates.NewContext(gates.Request{Tool: x.tool, Args: []byte(args)}, st)
			if d := k.Check(&c, nil); (d.Disposition == gates.Approved) != want {
				t.Errorf("%s %s: %v %v", x.tool, args, d.Disposition, d.Reasons)
			}
		}
	}
}
