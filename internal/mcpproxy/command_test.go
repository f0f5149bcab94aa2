package mcpproxy

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestNoise: what a server writes to standard output beside messages is told with
// its standard error, and the messages around it arrive as they are.
func TestNoise(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":4,"result":{"a":"` + strings.Repeat("x", 70<<10) + `"}}`
	for _, tt := range []struct {
		line string
		pass bool
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, true},
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`, true},
		{`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"a"}}`, true},
		{`[{"jsonrpc":"2.0","id":1,"result":{}}]`, true},
		{`{"jsonrpc":"1.0","id":2,"result":{}}`, true}, // wrong, and somebody waits for it
		{long, true},
		{"Server is ready", false},
		{"  ", false},
		{"[INFO] started", false},
		{"{broken", false},
		{`"text"`, false},
		{`{"level":30,"msg":"started"}`, false},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`, false},
		{"listening " + strings.Repeat("x", 70<<10) + `{"jsonrpc":"2.0","id":1,"result":{}}`, false},
	} {
		var logs bytes.Buffer
		after := `{"jsonrpc":"2.0","id":9,"result":{}}` + "\n"
		s := &served{in: bufio.NewReaderSize(iotest.HalfReader(strings.NewReader(tt.line+"\n"+after)), 64<<10), logs: &logs}
		got, err := io.ReadAll(s)
		want, told := after, tt.line+"\n"
		if tt.pass {
			want, told = tt.line+"\n"+after, ""
		}
		if err != nil || string(got) != want || logs.String() != told {
			t.Errorf("%.60s: %.200s, told %.60q, %v", tt.line, got, logs.String(), err)
		}
	}
}

// TestNoisyServer: a server that greets on standard output serves all the same.
func TestNoisyServer(t *testing.T) {
	w := newWorld(t, settings{servers: []string{"noisy"}})
	if got := w.call("read_twice", "{}"); got != "read" {
		t.Errorf("a call of a noisy server: %s", got)
	}
}

// TestServersMayAsk: servers are spoken to in a version in which they can ask by
// requests, and one that knows only a newer one in that.
func TestServersMayAsk(t *testing.T) {
	newest := mcp.SupportedProtocolVersions()[0]
	for name, want := range map[string]string{"one": asks, "newest": newest} {
		w := newWorld(t, settings{servers: []string{name}})
		if got := w.proxy.ups[0].session.InitializeResult().ProtocolVersion; got != want || want == newest && newest <= asks {
			t.Errorf("%s is spoken to in %s", name, got)
		}
		if got := w.call("read_twice", "{}"); got != "read" {
			t.Errorf("a call of %s: %s", name, got)
		}
	}
}
