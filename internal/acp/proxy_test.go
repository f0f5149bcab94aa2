package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// world is an editor and an agent with the proxy between them, begun with a session
// "s" in /w.
type world struct {
	t                  *testing.T
	editor, agent      *bufio.Reader
	toProxyE, toProxyA io.Writer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	eIn, eToP := io.Pipe()
	aIn, aToP := io.Pipe()
	toE, pToE := io.Pipe()
	toA, pToA := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	p := Proxy{Checker: &gates.Checker{}, State: gates.State{Home: "/home/u", UID: 1000, GID: 1000, Naming: scope.Naming{}, Exists: func(string) bool { return false }}}
	go func() { defer close(done); _ = p.Run(ctx, eIn, pToE, aIn, pToA) }()
	t.Cleanup(func() {
		stop()
		for _, c := range []io.Closer{eToP, aToP, toE, toA} {
			c.Close()
		}
		<-done
	})
	w := &world{t: t, editor: bufio.NewReader(toE), agent: bufio.NewReader(toA), toProxyE: eToP, toProxyA: aToP}
	w.says(w.toProxyE, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`)
	w.hears(w.agent, "session/new")
	w.says(w.toProxyA, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
	w.hears(w.editor, `"sessionId":"s"`)
	return w
}

func (w *world) says(to io.Writer, line string) {
	w.t.Helper()
	if _, err := io.WriteString(to, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// hears reads one line, which must hold a text.
func (w *world) hears(from *bufio.Reader, want string) message {
	w.t.Helper()
	got := make(chan string, 1)
	go func() { s, _ := from.ReadString('\n'); got <- s }()
	select {
	case s := <-got:
		if !strings.Contains(s, want) {
			w.t.Fatalf("heard %s, want %s", s, want)
		}
		m, err := parse([]byte(s))
		if err != nil {
			w.t.Fatal(err)
		}
		return m
	case <-time.After(5 * time.Second):
		w.t.Fatalf("heard nothing, want %s", want)
	}
	return nil
}

const options = `"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"ever","name":"Always","kind":"allow_always"},{"optionId":"no","name":"No","kind":"reject_once"}]`

func permission(id, kind, input string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"t","kind":"` + kind + `","rawInput":` + input + `},` + options + `}}`
}

// TestPermission: what the agent asks about passes, is asked with gbt's reason, or is
// answered with its own No.
func TestPermission(t *testing.T) {
	w := newWorld(t)
	w.says(w.toProxyA, permission("1", "execute", `{"command":"ls"}`))
	if m := w.hears(w.editor, "request_permission"); strings.Contains(string(m["params"]), "gbt") {
		t.Errorf("an approved call: %s", m["params"])
	}
	w.says(w.toProxyA, permission("2", "execute", `{"command":"curl https://a.example/x"}`))
	if m := w.hears(w.editor, "gbt: this call fetches from the network"); !strings.Contains(string(m["params"]), `"ever"`) {
		t.Errorf("an answer that may be remembered: %s", m["params"])
	}
	w.says(w.toProxyA, permission("3", "read", `{"file_path":"/home/u/.ssh/id_rsa"}`))
	if m := w.hears(w.editor, "gbt: this call reads secrets"); strings.Contains(string(m["params"]), `"ever"`) {
		t.Errorf("an answer that must not be remembered: %s", m["params"])
	}
	for id, bad := range map[string]string{
		"4": permission("4", "execute", `{"command":"rm -rf /"}`), "5": permission("5", "execute", `{"command":"gbt approvals approve x"}`),
		"6": strings.Replace(permission("6", "execute", `{"command":"ls"}`), `"sessionId":"s"`, `"sessionId":"other"`, 1),
	} {
		w.says(w.toProxyA, bad)
		if m := w.hears(w.agent, `"optionId":"no"`); string(m["id"]) != id {
			t.Errorf("answered %s", m["id"])
		}
	}
	// Gemini CLI gives no raw input: the command is the title.
	titled := func(title string) string {
		return strings.Replace(strings.Replace(permission("8", "execute", "{}"), `"rawInput":{}`, `"locations":[]`, 1), `"title":"t"`, `"title":"`+title+`"`, 1)
	}
	w.says(w.toProxyA, titled("echo hi > ok.txt"))
	if m := w.hears(w.editor, "request_permission"); strings.Contains(string(m["params"]), "gbt") {
		t.Errorf("approved by its title: %s", m["params"])
	}
	w.says(w.toProxyA, titled("rm -rf /etc"))
	w.hears(w.agent, `"optionId":"no"`)
	w.says(w.toProxyA, titled("it's prose"))
	if m := w.hears(w.editor, "is not described so that it can be judged"); strings.Contains(string(m["params"]), `"ever"`) {
		t.Errorf("what is not known may be remembered: %s", m["params"])
	}
	w.says(w.toProxyA, `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":[]}`)
	w.hears(w.agent, `"outcome":"cancelled"`)
}

func use(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"sessionId":"s",` + params + `}}`
}

// answers answers the question that gbt asked the editor.
func (w *world) answers(result string) {
	w.t.Helper()
	m := w.hears(w.editor, "session/request_permission")
	w.says(w.toProxyE, string(must(message{"jsonrpc": must("2.0"), "id": m["id"], "result": json.RawMessage(result)})))
}

// TestUses: files and terminals of the editor are judged, and asked about with its own
// question; only an option that allows lets them through.
func TestUses(t *testing.T) {
	w := newWorld(t)
	w.says(w.toProxyA, use("1", "fs/write_text_file", `"path":"/w/a","content":"x"`))
	w.hears(w.editor, "fs/write_text_file")
	w.says(w.toProxyA, use("2", "terminal/create", `"command":"rm","args":["-rf","/"]`))
	w.hears(w.agent, `"error"`)
	w.says(w.toProxyA, use("3", "fs/write_text_file", `"path":"/w/a","Path":"/w/b","content":"x","path":"/home/u/.bashrc"`))
	w.answers(`{"outcome":{"outcome":"selected","optionId":"reject_once"}}`)
	w.hears(w.agent, "the user did not consent")
	for _, no := range []string{`{"outcome":{"outcome":"cancelled"}}`, `{"outcome":{"outcome":"selected","optionId":"yes"}}`, `{}`, `null`, `[]`, `{"outcome":{"outcome":"selected"}}`} {
		w.says(w.toProxyA, use("4", "fs/read_text_file", `"path":"/home/u/.ssh/id_rsa"`))
		w.answers(no)
		w.hears(w.agent, "the user did not consent")
	}
	w.says(w.toProxyA, use("5", "fs/read_text_file", `"path":"/home/u/.ssh/id_rsa"`))
	w.answers(`{"outcome":{"outcome":"selected","optionId":"allow_always"}}`) // was not offered
	w.hears(w.agent, "the user did not consent")
	w.says(w.toProxyA, use("6", "terminal/create", `"command":"curl","args":["https://a.example/1"],"env":[{"name":"A","value":"b"}]`))
	w.answers(`{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
	w.hears(w.editor, "terminal/create")
}

// TestSessionConsent: a yes for the session settles the same effect and no other.
func TestSessionConsent(t *testing.T) {
	w := newWorld(t)
	w.says(w.toProxyA, use("1", "fs/write_text_file", `"path":"/home/u/notes/a","content":"x"`))
	w.answers(`{"outcome":{"outcome":"selected","optionId":"allow_always"}}`)
	w.hears(w.editor, "fs/write_text_file")
	w.says(w.toProxyA, use("2", "fs/write_text_file", `"path":"/home/u/notes/b","content":"x"`))
	w.hears(w.editor, "fs/write_text_file")
	w.says(w.toProxyA, use("3", "fs/write_text_file", `"path":"/home/u/other/b","content":"x"`))
	w.answers(`{"outcome":{"outcome":"cancelled"}}`)
	w.hears(w.agent, "the user did not consent")
}

// TestOffersEndWithTheSession: what the session has come to hold since the question was
// put ends what it offered, and then a yes for the session is none.
func TestOffersEndWithTheSession(t *testing.T) {
	w := newWorld(t)
	w.says(w.toProxyA, use("1", "fs/write_text_file", `"path":"/home/u/notes/a","content":"x"`))
	var first struct{ ID json.RawMessage }
	if err := json.Unmarshal(w.hears(w.editor, "session/request_permission").bytes(), &first); err != nil {
		t.Fatal(err)
	}
	w.says(w.toProxyA, use("2", "fs/read_text_file", `"path":"/home/u/.ssh/id_rsa"`))
	w.answers(`{"outcome":{"outcome":"selected","optionId":"allow_once"}}`)
	w.hears(w.editor, "fs/read_text_file")
	w.says(w.toProxyE, `{"jsonrpc":"2.0","id":`+string(first.ID)+`,"result":{"outcome":{"outcome":"selected","optionId":"allow_always"}}}`)
	w.hears(w.agent, "the user did not consent")
}

// TestTheRestPasses both ways, and what is no message ends the run.
func TestTheRestPasses(t *testing.T) {
	w := newWorld(t)
	w.says(w.toProxyA, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"x":1}}}`)
	w.hears(w.editor, `"update":{"x":1}`)
	w.says(w.toProxyE, `{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	w.hears(w.agent, "session/prompt")
	p := Proxy{Checker: &gates.Checker{}}
	if err := p.Run(context.Background(), strings.NewReader("[]\n"), io.Discard, new(forever), io.Discard); err == nil {
		t.Error("a batch passes")
	}
}

type forever struct{}

func (*forever) Read([]byte) (int, error) { select {} }
