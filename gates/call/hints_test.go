package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

var (
	reads     = call.Hints{ReadOnly: true}
	destroys  = call.Hints{Destructive: true}
	world     = call.Hints{OpenWorld: true}
	readsOut  = call.Hints{ReadOnly: true, OpenWorld: true}
	both      = call.Hints{ReadOnly: true, Destructive: true}
	worldKill = call.Hints{Destructive: true, OpenWorld: true}
)

// said is what the user says of two servers of the tables below.
func said(t *testing.T) *call.Schemas {
	s, err := (*call.Schemas)(nil).WithServers([]call.Server{
		{Name: "own", Touches: call.TouchesOwn}, {Name: "rooted", Touches: call.TouchesRoots},
		{Name: "api", Touches: call.TouchesHosts, Hosts: []string{"api.example.com"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestHints: annotations raise a risk wherever the arguments do not tell what a tool
// does; readOnlyHint stands in for a name that says nothing, and counts against a
// name only where the user says what the server touches.
func TestHints(t *testing.T) {
	for _, tt := range []struct {
		tool, args string
		hints      call.Hints
		want       gates.Disposition
		rule       string
	}{
		// a name that says nothing
		{"mcp__x__frobnicate", `{"a":1}`, call.Hints{}, gates.ApprovedWithConstraints, "opaque/tool"},
		{"mcp__x__frobnicate", `{"a":1}`, reads, gates.Approved, ""},
		{"mcp__x__frobnicate", `{"a":1}`, both, gates.ApprovedWithConstraints, "opaque/tool"},
		{"mcp__x__frobnicate", `{"path":"/home/u/.ssh/id_rsa"}`, reads, gates.ApprovedWithConstraints, "sensitive/read"},
		{"mcp__x__frobnicate", `{"url":"http://169.254.169.254/"}`, reads, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__frobnicate", `{"command":"rm -rf ~"}`, reads, gates.Rejected, "protected/delete"},
		{"mcp__x__frobnicate", `{"sql":"DROP TABLE t"}`, reads, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__x__frobnicate", `{"kind":"secrets"}`, reads, gates.ApprovedWithConstraints, "sensitive/read"},
		{"mcp__x__frobnicate", `{"output":"/etc/cron.d/x"}`, reads, gates.ApprovedWithConstraints, "workspace/write"},
		// a name that changes something
		{"mcp__x__update_orders", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__delete_orders", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__rooted__update_view", `{"id":"7"}`, reads, gates.Approved, ""},
		{"mcp__rooted__update_view", `{"path":"/srv/other/x"}`, reads, gates.ApprovedWithConstraints, "workspace/read"},
		{"mcp__rooted__update_view", `{"id":"7"}`, both, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__rooted__run_command", `{"command":"rm -rf ~"}`, reads, gates.Rejected, "protected/delete"},
		{"mcp__rooted__execute_sql", `{"sql":"DROP TABLE t"}`, reads, gates.ApprovedWithConstraints, "workspace/delete"},
		// a store of its own
		{"mcp__own__add_entities", `{"entities":[{"name":"a"}]}`, call.Hints{}, gates.Approved, ""},
		{"mcp__own__add_entities", `{"entities":[{"name":"a"}]}`, destroys, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__own__delete_entities", `{"names":["a"]}`, call.Hints{}, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__own__add_entities", `{"entities":[{"name":"a"}]}`, world, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__own__save_notes", `{"path":"/etc/x"}`, call.Hints{}, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__x__add_entities", `{"entities":[{"name":"a"}]}`, call.Hints{}, gates.ApprovedWithConstraints, "record/write"},
		{"own_add_entities", `{"entities":[{"name":"a"}]}`, call.Hints{}, gates.ApprovedWithConstraints, "record/write"},
		// warnings
		{"mcp__x__read_wall", `{"id":"1"}`, destroys, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__x__read_wall", `{"id":"1"}`, world, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__read_wall", `{"id":"1"}`, readsOut, gates.Approved, ""},
		{"mcp__x__update_wall", `{"id":"1"}`, worldKill, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__fs__write_file", `{"path":"a","content":"x"}`, destroys, gates.Approved, ""},
		{"mcp__fs__write_file", `{"path":"/etc/a","content":"x"}`, destroys, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__fs__write_file", `{"path":"a","content":"x"}`, world, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__fs__read_file", `{"path":"a"}`, world, gates.Approved, ""},
		{"mcp__fs__read_file", `{"path":"https://a.example/x"}`, world, gates.ApprovedWithConstraints, "egress/fetch"},
		{"mcp__fs__read_file", `{"path":"http://169.254.169.254/latest"}`, readsOut, gates.ApprovedWithConstraints, "egress/fetch"},
		{"mcp__sh__run_command", `{"command":"ls"}`, worldKill, gates.Approved, ""},
		{"mcp__sh__run_command", `{"command":"curl https://a.example"}`, worldKill, gates.ApprovedWithConstraints, "egress/fetch"},
		{"mcp__db__execute_query", `{"sql":"SELECT 1"}`, destroys, gates.Approved, ""},
		{"mcp__db__execute_query", `{"sql":"SELECT * FROM '/etc/shadow'"}`, destroys, gates.ApprovedWithConstraints, "spawn/unknown"},
		{"mcp__db__execute_query", `{}`, destroys, gates.ApprovedWithConstraints, ""},
		{"mcp__web__browser_navigate", `{"url":"http://localhost:3000/"}`, worldKill, gates.Approved, ""},
		{"mcp__web__browser_navigate", `{"url":"http://10.0.0.8/"}`, worldKill, gates.ApprovedWithConstraints, "egress/fetch"},
		{"mcp__web__browser_snapshot", `{}`, readsOut, gates.Approved, ""},
		// a name that begins with a verb that reads
		{"mcp__x__get_block_children", `{"id":"7"}`, call.Hints{}, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__get_block_children", `{"id":"7"}`, reads, gates.Approved, ""},
		{"mcp__x__get_and_block_user", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__block_user", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, "record/write"},
		// what is generated may be an answer and no more
		{"mcp__x__generate_bar_chart", `{"data":[1,2]}`, call.Hints{}, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__generate_bar_chart", `{"data":[1,2]}`, reads, gates.Approved, ""},
		{"mcp__x__generate_bar_chart", `{"data":[1,2]}`, both, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__x__generate_bar_chart", `{"data":[1,2],"output_path":"/etc/x.png"}`, reads, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__x__generate_bar_chart", `{"data":[1,2],"webhook":"https://a.example/"}`, reads, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__generate_bar_chart", `{"title":"AKIA4XQ7ZT2LNV6KPWRJ q8ZrT1vUeKf0wYx3bNh5GmLc7SdPa9JiRoXt2EuV"}`, reads, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__generate_and_publish_chart", `{"data":[1]}`, reads, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__generate_invoice", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__generate_access_token", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, ""},
		{"mcp__x__generate_api_key", `{"id":"7"}`, reads, gates.ApprovedWithConstraints, ""},
		{"mcp__x__generate_file", `{"path":"/etc/x"}`, reads, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__x__create_bar_chart", `{"data":[1,2]}`, reads, gates.ApprovedWithConstraints, "record/write"},
		// where a line runs, and what is looked at
		{"mcp__x__shell_execute", `{"command":["ls","-la"],"directory":"/w"}`, call.Hints{}, gates.Approved, ""},
		{"mcp__x__shell_execute", `{"command":["rm","-rf","."],"directory":"/home/u"}`, call.Hints{}, gates.Rejected, "protected/delete"},
		{"mcp__x__shell_execute", `{"command":["cat","id_rsa"],"directory":"/home/u/.ssh"}`, call.Hints{}, gates.ApprovedWithConstraints, "sensitive/read"},
		{"mcp__x__take_screenshot", `{}`, call.Hints{}, gates.Approved, ""},
		{"mcp__x__take_screenshot", `{"filePath":"shots/a.png"}`, call.Hints{}, gates.Approved, ""},
		{"mcp__x__take_screenshot", `{"filePath":"/home/u/.bashrc"}`, call.Hints{}, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__x__take_snapshot", `{"path":"/w/.git/hooks/pre-commit"}`, call.Hints{}, gates.ApprovedWithConstraints, "protected/write"},
		// files by another noun, and code under another name
		{"mcp__x__merge_cells", `{"filepath":"/w/b.xlsx","sheet":"a"}`, destroys, gates.Approved, ""},
		{"mcp__x__merge_cells", `{"filepath":"/etc/b.xlsx","sheet":"a"}`, destroys, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__x__add_heading", `{"filename":"/w/a.docx","text":"One"}`, call.Hints{}, gates.Approved, ""},
		{"mcp__x__add_page_break", `{"filename":"/w/a.docx"}`, call.Hints{}, gates.Approved, ""},
		{"mcp__x__add_heading", `{"filename":"a.docx","text":"One"}`, call.Hints{}, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__add_heading", `{"filename":"/srv/a.docx","text":"One"}`, call.Hints{}, gates.ApprovedWithConstraints, "workspace/write"},
		{"mcp__x__add_heading", `{"filename":"/w/.git/config","text":"One"}`, call.Hints{}, gates.ApprovedWithConstraints, "protected/write"},
		{"mcp__x__send_heading", `{"filename":"/w/a.docx","to":"a@b.example"}`, call.Hints{}, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__create_page", `{"filename":"/w/a.html","url":"https://a.example/"}`, call.Hints{}, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__merge_cells", `{"sheet":"a"}`, call.Hints{}, gates.ApprovedWithConstraints, "record/write"},
		{"mcp__x__insert_rows", `{"filepath":"/w/b.xlsx","count":1}`, call.Hints{}, gates.Approved, ""},
		{"mcp__x__insert_rows", `{"filepath":"/w/b.db","sql":"DROP TABLE t"}`, call.Hints{}, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__x__delete_rows", `{"filepath":"/w/b.xlsx","count":1}`, call.Hints{}, gates.ApprovedWithConstraints, "workspace/delete"},
		{"mcp__x__open_page", `{"url":"http://localhost:3000/","initScript":"fetch('https://a.example')"}`, call.Hints{}, gates.ApprovedWithConstraints, "egress/send"},
		{"mcp__x__list_items", `{"mapFunction":"(x) => send(x)"}`, call.Hints{}, gates.ApprovedWithConstraints, "opaque/computed"},
		{"mcp__x__list_items", `{"aggregate_function":"sum"}`, call.Hints{}, gates.Approved, ""},
		// the hosts of a server are what egress rules name
		{"mcp__api__read_wall", `{"id":"1"}`, world, gates.Approved, ""},
		{"mcp__api__read_wall", `{"url":"https://b.example/"}`, world, gates.ApprovedWithConstraints, "egress/send"},
	} {
		k := gates.Checker{Schemas: said(t), Guardrail: gates.Guardrail{Egress: []gates.Egress{{Domain: "api.example.com", Send: true}}}}
		c := k.Context(gates.Request{Tool: tt.tool, Args: []byte(tt.args), Hints: tt.hints}, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		d := k.Check(&c, nil)
		if d.Disposition != tt.want || tt.rule != "" && !hasRule(d, tt.rule) {
			t.Errorf("%s %s %+v: %v %+v", tt.tool, tt.args, tt.hints, d.Disposition, d.Reasons)
		}
	}
}

// TestHintedReadsCount: what a server fetches from elsewhere asks once a secret was
// read, although it only reads.
func TestHintedReadsCount(t *testing.T) {
	var k gates.Checker
	st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Flow: gates.Flow{SensitiveRead: true}}
	c := k.Context(gates.Request{Tool: "mcp__x__read_wall", Args: []byte(`{"id":"1"}`), Hints: readsOut}, st)
	if d := k.Check(&c, nil); d.Disposition == gates.Approved {
		t.Error("passes after a secret was read")
	}
}

// TestSchemaBeatsHints: what the user says of a tool stands against its annotations
// that reassure, and not against those that warn.
func TestSchemaBeatsHints(t *testing.T) {
	schemas, err := call.NewSchemas([]call.Schema{
		{Tool: "mcp__x__frobnicate", Family: call.FamilyApp, Verb: effect.VerbDelete, Resource: call.ResourceRecord},
		{Tool: "mcp__x__delete_view", Family: call.FamilyApp, Verb: effect.VerbRead, Resource: call.ResourceRecord},
	})
	if err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]gates.Disposition{"mcp__x__frobnicate": gates.ApprovedWithConstraints, "mcp__x__delete_view": gates.Approved} {
		k := gates.Checker{Schemas: schemas}
		c := k.Context(gates.Request{Tool: tool, Args: []byte(`{}`), Hints: reads}, gates.State{Cwd: "/w"})
		if d := k.Check(&c, nil); d.Disposition != want {
			t.Errorf("%s: %v %v", tool, d.Disposition, d.Reasons)
		}
	}
}

// TestServiceFiles: a file of a service is a record there, not a file here; and what
// is edited under a file's name is a file whatever the tool is called.
func TestServiceFiles(t *testing.T) {
	for _, tt := range []struct{ tool, args, want string }{
		{"mcp__hub__create_or_update_file", `{"owner":"a","repo":"b","path":"README.md","content":"x"}`, "write/modify mcp__hub__create_or_update_file ; write/modify /w/README.md "},
		{"mcp__x__edit_block", `{"file_path":"a.go","old_string":"a","new_string":"b"}`, "write/modify /w/a.go "},
		{"mcp__x__start_process", `{"command":"touch b"}`, "write/create /w/b ; spawn/run touch ; spawn/run_unknown shell of the MCP server x "},
		{"mcp__x__start_search", `{"path":"/w","pattern":"x"}`, ""},
		{"mcp__x__search_code", `{"q":"addClass"}`, ""},
	} {
		c := gates.NewContext(gates.Request{Tool: tt.tool, Args: []byte(tt.args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}})
		got := effectsText(c.Effects)
		var g gates.Guardrail
		if d := g.Decide(&c); tt.want != "" && got != tt.want || tt.want == "" && d.Disposition != gates.Approved {
			t.Errorf("%s %s: %s", tt.tool, tt.args, got)
		}
	}
}
