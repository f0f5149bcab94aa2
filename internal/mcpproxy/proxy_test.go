package mcpproxy

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

func rawArgs(s string) json.RawMessage { return json.RawMessage(s) }

const (
	free     = `{"name":"a"}`
	inside   = `{"path":"/w/a.txt","content":"x"}`
	outside  = `{"path":"/srv/a.txt","content":"x"}`
	transfer = `{"recipient":"XX12SAMPLE000000042","amount":5}`
)

func yes(string) string { return "accept" }

// TestForwarding: what may run reaches its server with the very bytes that were
// judged, and its answer comes back.
func TestForwarding(t *testing.T) {
	w := newWorld(t, settings{edit: func(o *Options) { o.Aloud = true }})
	if got := w.call("read_note", `{"name":"a", "deep":{"b":[1,2.50]}}`); !strings.Contains(got, "pay to XX12") {
		t.Errorf("read_note: %s", got)
	}
	if got := w.call("get_fault", free); got != "error: it broke" {
		t.Errorf("get_fault: %s", got)
	}
	if got := w.reached(); !strings.Contains(got, `one read_note {"name":"a","deep":{"b":[1,2.50]}}`) {
		t.Errorf("the server saw %s", got)
	}
	if got := w.stderr.String(); !strings.Contains(got, "gbt: server one: hello?[31m from one\n") {
		t.Errorf("stderr %q", got)
	}
}

// TestStopped: a call that may not run is answered with the reason and what
// would be allowed, and no server hears of it.
func TestStopped(t *testing.T) {
	for _, tt := range []struct{ name, tool, args, want string }{
		{"rejected", "bash", `{"command":"rm -rf /"}`, "cannot be confirmed"},
		{"needs the user", "write_file", outside, "Write it in the workspace"},
		{"annotation raises the risk", "read_wall", free, "deletes something"},
		{"name given twice", "write_file", `{"path":"/w/a","path":"/etc/passwd"}`, "have a name twice"},
		{"name given twice, escaped", "write_file", `{"path":"/w/a","\u0070ath":"/etc/passwd"}`, "have a name twice"},
		{"names in two letter cases", "write_file", `{"path":"/w/a","PATH":"/etc/passwd"}`, "letter case"},
		{"names in two letter cases, below", "write_file", `{"path":"/w/a","more":[{"s":1,"\u017f":2}]}`, "letter case"},
		{"not an object", "write_file", `["/w/a"]`, "not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, settings{})
			got := w.call(tt.tool, tt.args)
			if !strings.HasPrefix(got, "error: gbt stopped this call: ") || !strings.Contains(got, tt.want) {
				t.Errorf("answer %s", got)
			}
			if w.reached() != "" {
				t.Errorf("the server saw %s", w.reached())
			}
		})
	}
}

// TestConsent: the user is asked about exactly one call, in the way that the
// client's protocol version has; the same call asks again.
func TestConsent(t *testing.T) {
	for _, protocol := range []string{"", "2025-06-18"} {
		for _, action := range []string{"accept", "decline", "cancel"} {
			t.Run(action+" "+protocol, func(t *testing.T) {
				w := newWorld(t, settings{protocol: protocol, answer: func(string) string { return action }})
				for n := 1; n <= 2; n++ {
					got := w.call("write_file", outside)
					if action == "accept" && got != "written" || action != "accept" && !strings.Contains(got, "did not agree") {
						t.Errorf("answer %s", got)
					}
					if len(w.asked) != n {
						t.Fatalf("asked %d times after %d calls", len(w.asked), n)
					}
				}
				if !strings.Contains(w.asked[0], "/srv/a.txt") || !strings.Contains(w.asked[0], "mcp__one__write_file") {
					t.Errorf("question %s", w.asked[0])
				}
				if got := strings.Count(w.reached(), "write_file"); (got == 2) != (action == "accept") || got == 1 {
					t.Errorf("%d calls reached the server", got)
				}
			})
		}
	}
}

// TestConsentNotForAnother: an answer given for one call says nothing about
// another, a rejected call cannot be confirmed, and an answer counts once.
func TestConsentNotForAnother(t *testing.T) {
	w := newWorld(t, settings{answer: yes})
	raw := mcp.NewClient(&mcp.Implementation{Name: "raw", Version: "1"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
	})
	near, far := mcp.NewInMemoryTransports()
	go w.proxy.Run(context.Background(), far)
	c, err := raw.Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	agree := mcp.InputResponseMap{confirmKey: &mcp.ElicitResult{Action: "accept"}}
	tool := "write_file"
	ask := func(args, state string) *mcp.CallToolResult {
		p := &mcp.CallToolParams{Name: tool, Arguments: rawArgs(args), RequestState: state}
		if state != "" {
			p.InputResponses = agree
		}
		res, err := c.CallTool(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	first := ask(outside, "")
	if !first.NeedsInput() {
		t.Fatalf("no question: %s", resultText(first))
	}
	if res := ask(`{"path":"/srv/b.txt","content":"x"}`, first.RequestState); !res.NeedsInput() {
		t.Errorf("another call ran with the answer: %s", resultText(res))
	}
	if res := ask(outside, "guessed"); !res.NeedsInput() {
		t.Errorf("an invented state counted: %s", resultText(res))
	}
	tool = "bash"
	if res := ask(`{"command":"rm -rf /"}`, first.RequestState); !res.IsError {
		t.Errorf("a rejected call ran: %s", resultText(res))
	}
	tool = "write_file"
	if res := ask(outside, first.RequestState); resultText(res) != "written" {
		t.Errorf("the confirmed call did not run: %s", resultText(res))
	}
	if res := ask(outside, first.RequestState); !res.NeedsInput() {
		t.Errorf("an answer counted twice: %s", resultText(res))
	}
	if got := strings.Count(w.reached(), "write_file"); got != 1 {
		t.Errorf("%d calls reached the server", got)
	}
}

// TestConfirmationFile: where the client cannot ask, the user creates the file
// that standard error names; it is used up by the call. The agent never sees its
// name, so it cannot create it.
func TestConfirmationFile(t *testing.T) {
	if got := newWorld(t, settings{}).call("write_file", outside); !strings.Contains(got, "nobody can agree here") {
		t.Errorf("without a directory: %s", got)
	}
	dir := t.TempDir()
	w := newWorld(t, settings{edit: func(o *Options) { o.Confirmations = dir }})
	got := w.call("write_file", outside)
	name := w.fileToAgree(dir)
	if strings.Contains(got, filepath.Base(name)) || strings.Contains(got, dir) {
		t.Fatalf("the agent was told how to agree: %s", got)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.call("write_file", `{"path":"/srv/b.txt","content":"x"}`); !strings.HasPrefix(got, "error") {
		t.Errorf("another call ran: %s", got)
	}
	if got := w.call("write_file", outside); got != "written" {
		t.Errorf("the confirmed call: %s", got)
	}
	if got := w.call("write_file", outside); !strings.HasPrefix(got, "error") {
		t.Errorf("a file counted twice: %s", got)
	}
}

// fileToAgree is the last file that standard error names.
func (w *world) fileToAgree(dir string) string {
	w.Helper()
	said := w.stderr.String()
	i := strings.LastIndex(said, "create the file ")
	if i < 0 {
		w.Fatalf("standard error: %s", said)
	}
	name, _, _ := strings.Cut(said[i+len("create the file "):], "\n")
	if filepath.Dir(name) != dir {
		w.Fatalf("%s is not in %s", name, dir)
	}
	return name
}

// TestMerge: a name of one server stays, a name of several is offered for each,
// and nobody is offered under the proxy's own names.
func TestMerge(t *testing.T) {
	w := newWorld(t, settings{servers: []string{"two", "one"}})
	var names []string
	for tool, err := range w.client.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	for _, want := range []string{"one__read_note", "two__read_note", "only_one_read", "only_two_read", "one__gbt_start"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not offered: %v", want, names)
		}
	}
	for _, not := range []string{"read_note", "gbt_start"} {
		if slices.Contains(names, not) {
			t.Errorf("%s is offered: %v", not, names)
		}
	}
	if got := w.call("two__read_note", free); !strings.HasSuffix(got, "says two") {
		t.Errorf("two__read_note: %s", got)
	}
	if got := w.call("one__read_note", free); !strings.HasSuffix(got, "says one") {
		t.Errorf("one__read_note: %s", got)
	}
	p, err := w.client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "two__greet"})
	if err != nil || p.Messages[0].Content.(*mcp.TextContent).Text != "greetings from two" {
		t.Errorf("prompt: %v %v", p, err)
	}
}

// TestServerFails: a server that crashes or hangs costs its own call, and is
// there again for the next.
func TestServerFails(t *testing.T) {
	w := newWorld(t, settings{servers: []string{"one", "two"}, edit: func(o *Options) { o.Timeout = 2 * time.Second }})
	began := time.Now()
	hang := make(chan string)
	go func() { hang <- w.call("one__get_hang", free) }()
	if got := w.call("one__get_crash", free); !strings.Contains(got, "the MCP server one ended before it answered") {
		t.Errorf("crash: %s", got)
	}
	if got := w.call("two__read_note", free); !strings.HasSuffix(got, "says two") {
		t.Errorf("the other server: %s", got)
	}
	if got := <-hang; !strings.Contains(got, "the MCP server one") {
		t.Errorf("hang, crashed meanwhile: %s", got)
	}
	time.Sleep(restartAfter - min(time.Since(began), restartAfter))
	if got := w.call("one__read_note", free); !strings.HasSuffix(got, "says one") {
		t.Errorf("after the crash: %s", got)
	}
	if got := w.call("one__get_hang", free); !strings.Contains(got, "did not answer within 2s") {
		t.Errorf("hang: %s", got)
	}
	if got := w.call("one__read_note", free); !strings.HasSuffix(got, "says one") {
		t.Errorf("after the hang: %s", got)
	}
}

// TestRestartIsAskedFirst: what a server says of its tools when it is started again
// holds for the call that started it.
func TestRestartIsAskedFirst(t *testing.T) {
	w := newWorld(t, settings{})
	if got := w.call("read_twice", free); got != "read" {
		t.Fatalf("at first: %s", got)
	}
	w.call("get_crash", free)
	time.Sleep(restartAfter)
	if got := w.call("read_twice", free); !strings.Contains(got, "did not run; make it again") {
		t.Errorf("started again: %s", got)
	}
	if got := w.call("read_twice", free); !strings.Contains(got, "deletes something") {
		t.Errorf("judged again: %s", got)
	}
	if n := strings.Count(w.reached(), "one read_twice"); n != 1 {
		t.Errorf("%d calls reached the server", n)
	}
	if got := w.call("read_note", free); !strings.HasSuffix(got, "says one") {
		t.Errorf("another tool: %s", got)
	}
}

// TestServerNeverStarts: a server that does not speak is left out, and one alone
// is an error.
func TestServerNeverStarts(t *testing.T) {
	short := func(o *Options) { o.Start = 700 * time.Millisecond }
	w := newWorld(t, settings{servers: []string{"mute", "one"}, more: []Server{{Name: "none", Command: []string{"/no/such/program"}}}, edit: short})
	if got := w.call("read_note", free); !strings.HasSuffix(got, "says one") {
		t.Errorf("the other server: %s", got)
	}
	if got := w.stderr.String(); !strings.Contains(got, "MCP server mute: ") || !strings.Contains(got, "MCP server none: ") {
		t.Errorf("stderr %s", got)
	}
	_, err := New(t.Context(), Options{Checker: &gates.Checker{}, Servers: []Server{{Name: "none", Command: []string{"/no/such/program"}}}})
	if err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("error %v", err)
	}
}

// TestStreamableHTTP: the same over HTTP on both sides.
func TestStreamableHTTP(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	back := httptest.NewServer(mcp.NewStreamableHTTPHandler(always(testServer("web", log)), nil))
	defer func() { back.CloseClientConnections(); back.Close() }()
	for _, protocol := range []string{"", "2025-06-18"} {
		w := newWorld(t, settings{more: []Server{{Name: "web", URL: back.URL}}})
		front := httptest.NewServer(w.proxy.Handler())
		w.client = w.connect(&mcp.StreamableClientTransport{Endpoint: front.URL}, settings{answer: yes, protocol: protocol})
		if got := w.call("read_note", free); !strings.HasSuffix(got, "says web") {
			t.Errorf("%q read_note: %s", protocol, got)
		}
		if got := w.call("bash", `{"command":"rm -rf /"}`); !strings.Contains(got, "gbt stopped this call: rejected") {
			t.Errorf("%q rejected: %s", protocol, got)
		}
		if got := w.call("write_file", outside); got != "written" || len(w.asked) != 1 {
			t.Errorf("%q consent: %s, asked %d times", protocol, got, len(w.asked))
		}
		w.client.Close()
		front.CloseClientConnections() // event streams never end by themselves
		front.Close()
	}
}

// TestListChanged: what a server offers later is offered later.
func TestListChanged(t *testing.T) {
	w := newWorld(t, settings{})
	w.call("get_more", free)
	for range 100 {
		if w.call("read_late", free) == "late" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("read_late never came")
}

// TestChangedListIsAskedFirst: between a server's word that its tools changed and
// its new list, no call goes out that was judged by the old one. The word is put
// in the test's own mouth: when the server's arrives is up to the machine, and
// either way the call must not run.
func TestChangedListIsAskedFirst(t *testing.T) {
	w := newWorld(t, settings{})
	if got := w.call("read_twice", free); got != "read" {
		t.Fatalf("at first: %s", got)
	}
	w.call("get_worse", free)
	w.proxy.mu.Lock()
	w.proxy.ups[0].changes++
	w.proxy.mu.Unlock()
	if got := w.call("read_twice", free); !strings.Contains(got, "did not run; make it again") && !strings.Contains(got, "deletes something") {
		t.Errorf("changed: %s", got)
	}
	for range 100 { // its list may be on the way once more
		got := w.call("read_twice", free)
		if strings.Contains(got, "deletes something") {
			break
		}
		if !strings.Contains(got, "did not run; make it again") {
			t.Fatalf("judged again: %s", got)
		}
	}
	if n := strings.Count(w.reached(), "one read_twice"); n != 1 {
		t.Errorf("%d calls reached the server", n)
	}
	if got := w.call("read_note", free); !strings.HasSuffix(got, "says one") {
		t.Errorf("another tool: %s", got)
	}
}

// TestChangesWhileListed: a server whose tools change while they are listed is not
// called, and an older list does not take the place of a newer one.
func TestChangesWhileListed(t *testing.T) {
	w := newWorld(t, settings{})
	u := w.proxy.ups[0]
	w.proxy.mu.Lock()
	session := u.offers.by
	u.changes = 5
	u.offers.changes = 5
	w.proxy.mu.Unlock()
	if why := w.proxy.unsaid(u, session); why != "" {
		t.Errorf("listed: %s", why)
	}
	w.proxy.mu.Lock()
	u.changes, u.offers.changes, u.offers.tools = 6, 7, nil
	w.proxy.mu.Unlock()
	if why := w.proxy.unsaid(u, session); !strings.Contains(why, "did not run") {
		t.Errorf("changed: %q", why)
	}
	if err := w.proxy.refresh(t.Context(), u); err != nil || u.offers.changes != 7 || u.offers.tools != nil {
		t.Errorf("an older list: %v, %d", err, u.offers.changes)
	}
}

// TestResources: reading a resource is judged too.
func TestResources(t *testing.T) {
	w := newWorld(t, settings{})
	r, err := w.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///w/plan.txt"})
	if err != nil || r.Contents[0].Text != "content of file:///w/plan.txt" {
		t.Errorf("%v %v", r, err)
	}
	_, err = w.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///root/.ssh/id_rsa"})
	if err == nil || !strings.Contains(err.Error(), "may hold passwords") {
		t.Errorf("a secret: %v", err)
	}
	if strings.Contains(w.reached(), "id_rsa") {
		t.Errorf("the server saw %s", w.reached())
	}
}

// gated is a checker of the apps profile with one gate.
func gated(t *testing.T, expr string) *gates.Checker {
	t.Helper()
	canonical, program, err := lang.Compile(expr)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := gates.NewLibrary([]gates.Gate{{ID: "g", Scope: "global", Disposition: "rejected", Expr: canonical, Message: "the recipient was not named by the user", Program: program}})
	if err != nil {
		t.Fatal(err)
	}
	return &gates.Checker{Guardrail: gates.Guardrail{Profile: gates.ProfileApps}, Library: lib}
}

// TestProvenance: a value that a tool's result brought in is known to be from
// there, for every client of the proxy; the user's own words are the user's.
func TestProvenance(t *testing.T) {
	k := gated(t, `ctx.args.all(a, a.path != "recipient" || a.origin != "untrusted")`)
	w := newWorld(t, settings{checker: k})
	if got := w.call("send_money", transfer); !strings.Contains(got, "egress/send") {
		t.Errorf("before anybody named it: %s", got)
	}
	w.call("read_note", free)
	if got := w.call("send_money", transfer); !strings.Contains(got, "the recipient was not named by the user") {
		t.Errorf("after it was read: %s", got)
	}
	near, far := mcp.NewInMemoryTransports()
	go w.proxy.Run(context.Background(), far)
	w.client = w.connect(near, settings{})
	if got := w.call("send_money", transfer); !strings.Contains(got, "not named by the user") {
		t.Errorf("after connecting again: %s", got)
	}
	named := newWorld(t, settings{checker: k, edit: func(o *Options) { o.Task = "pay 5 to XX12SAMPLE000000042" }})
	named.call("read_note", free)
	if got := named.call("send_money", transfer); got != "sent" {
		t.Errorf("named by the user: %s", got)
	}
}

// TestLog: every decision is told before anything is done, and nothing is done if
// it cannot be written down.
func TestLog(t *testing.T) {
	var events []Event
	var fault error
	w := newWorld(t, settings{answer: yes, edit: func(o *Options) {
		o.Log = func(e Event) error { events = append(events, e); return fault }
	}})
	w.call("read_note", free)
	w.call("write_file", outside)
	w.call("write_file", `{"a":1,"a":2}`)
	var got []string
	for _, e := range events {
		got = append(got, e.Tool+" "+e.Decision.Disposition.String())
	}
	want := []string{"mcp__one__read_note approved", "mcp__one__write_file approved_with_constraints", "mcp__one__write_file approved", "mcp__one__write_file revision_required"}
	if !slices.Equal(got, want) || !events[2].Confirmed || events[1].Confirmed {
		t.Errorf("events %q", got)
	}
	before := w.reached()
	fault = os.ErrClosed
	if got := w.call("read_note", free); !strings.Contains(got, "could not be logged") || w.reached() != before {
		t.Errorf("with a broken log: %s", got)
	}
}
