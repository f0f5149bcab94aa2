package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// FuzzPackStays runs the commands that have runs with settings, rules, environment and
// options of any content, with the first stop layer as wide as they let it be: at the
// bound of the sealed pack a run has stopped, and one below it the pack has not stopped it
// (B2, B3). gbt check has no runs, so the pack gives it no reasons.
func FuzzPackStays(f *testing.F) {
	w := newDoorWorld(f)
	sealed, err := os.ReadFile(w.file)
	if err != nil {
		f.Fatal(err)
	}
	for door := range packDoors {
		f.Add(uint8(door), "pack: {steps: 1000000, wall_seconds: 1e18, tokens: 9000000000}\n", "GBT_PACK_STEPS=1000000\nBUDGET=1000000000", "")
		f.Add(uint8(door), "guardrail: {profile: observe}\nlimits: {steps: 1000000000000000000}\n", "GBT_TOKENS=1e18", "--profile observe --max-steps 1000000000000000000 --max-time 999999h")
		f.Add(uint8(door), "", "MAX_STEPS=-1", "--shadow --arm raw --strict --max-tokens 1000000000 --budget-tokens 9")
		f.Add(uint8(door), "allow pack\n", "GBT_SHADOW=1", "--shadow")
	}
	f.Fuzz(func(t *testing.T, door uint8, settings, environment, options string) {
		furnish(t, settings, environment)
		packDoors[int(door)%len(packDoors)](t, w, harmlessOptions(options))
		if now, err := os.ReadFile(w.file); err != nil || !bytes.Equal(now, sealed) {
			t.Fatalf("the policy's file changed: %v", err)
		}
	})
}

// furnish makes an empty directory the home and what the command is started in, with
// settings and variables of any content.
func furnish(t *testing.T, settings, environment string) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, dir)
	}
	for line := range strings.Lines(environment) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		own := strings.HasPrefix(name, "GBT_") || slices.Contains([]string{"BUDGET", "MAX_STEPS", "PACK", "TOKENS", "LIMITS", "OPENAI_API_KEY"}, name)
		if own && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" && strings.IndexByte(value, 0) < 0 {
			t.Setenv(name, value)
		}
	}
	for _, name := range []string{"gbt.yaml", ".gbt/rules", "gbt/rules"} {
		os.MkdirAll(".gbt", 0o755)
		os.MkdirAll("gbt", 0o755)
		if err := os.WriteFile(name, []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// elsewhere are options that name another policy, server or place, or that print and end.
var elsewhere = regexp.MustCompile(`^-{1,2}(policy|servers|stdio|model|listen|store|dir|output|log|runs|git|plan|token-file|no-token|otlp|ui|help|h|version|v|config|trust|seen)(=|$)`)

// harmlessOptions are the words of a text as options that name no place outside.
func harmlessOptions(text string) []string {
	var out []string
	for w := range strings.FieldsSeq(text) {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=_,.:-") == "" && !strings.Contains(w, "..") && !elsewhere.MatchString(w) && w != "--" && w != "-" {
			out = append(out, w)
		}
	}
	return out
}

var packDoors = []func(t *testing.T, w *doorWorld, options []string){packServe, packMCP, packRun, packCheck}

// layer1 are the reasons of the first stop layer, which may stop a run before the pack.
var layer1 = []string{"wallclock", "max-steps", "plateau", "target"}

// stays says of a run that came to a bound what is wrong with how it stands.
func stays(t *testing.T, c *stopCase, stopped string) {
	t.Helper()
	switch {
	case c.want == "" && strings.HasPrefix(stopped, gates.PackPrefix):
		t.Errorf("%s: stopped by %s", c.name, stopped)
	case c.want != "" && stopped != c.want && !slices.Contains(layer1, stopped):
		t.Errorf("%s: stopped by %q, want %s", c.name, stopped, c.want)
	}
}

func packServe(t *testing.T, w *doorWorld, options []string) {
	var in []string
	for i := range stopCases {
		for _, l := range stopCases[i].wire(1e18) {
			in = append(in, strings.NewReplacer(`"id":"s"`, fmt.Sprintf(`"id":"s%d"`, i), `"session":"s"`, fmt.Sprintf(`"session":"s%d"`, i), `"id":999`, fmt.Sprintf(`"id":"end %d"`, i)).Replace(l))
		}
	}
	var out, errs bytes.Buffer
	line := append([]string{"gbt", "serve", "--stdio", "--policy", w.file}, options...)
	if run(line, strings.NewReader(strings.Join(in, "\n")+"\n"), &out, &errs) == exitUsage {
		return
	}
	ended := 0
	for l := range bytes.Lines(out.Bytes()) {
		var n int
		var head struct{ ID any }
		if json.Unmarshal(l, &head) == nil {
			if id, ok := head.ID.(string); ok && strings.HasPrefix(id, "end ") {
				fmt.Sscanf(id, "end %d", &n)
				stays(t, &stopCases[n], stoppedIn(t, l))
				ended++
			}
		}
	}
	if ended != len(stopCases) {
		t.Errorf("%v: %d of %d runs are told of: %s%s", options, ended, len(stopCases), out.String(), errs.String())
	}
}

func packMCP(t *testing.T, w *doorWorld, options []string) {
	up := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return doorServer("bash", came{}, new(string)) }, nil))
	defer up.Close()
	if err := os.WriteFile("servers.json", []byte(`{"mcpServers":{"tools":{"url":"`+up.URL+`"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range stopCases {
		c := &stopCases[i]
		if c.seconds > 0 { // the command's clock is the machine's
			continue
		}
		near, far := io.Pipe()
		back, answers := io.Pipe()
		ended := make(chan int, 1)
		go func() {
			line := append([]string{"gbt", "mcp", "--policy", w.file, "--servers", "servers.json", "--max-steps", "1000000000000000000", "--max-time", "2000000h"}, options...)
			ended <- run(line, near, answers, io.Discard)
			answers.Close()
			near.Close()
		}()
		client := &lineClient{t: t, in: far, out: bufio.NewReader(back)}
		first := client.send("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
		if !strings.Contains(first, `"result"`) { // it did not begin
			far.Close()
			<-ended
			return
		}
		io.WriteString(far, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		client.send("tools/call", `{"name":"gbt_start","arguments":{"task":"zzz"}}`)
		var last string
		for k := range c.steps {
			_, n := c.used(k)
			last = client.send("tools/call", fmt.Sprintf(`{"name":"gbt_plan","arguments":{"next":"step %d","tokens":%d}}`, k, n))
		}
		far.Close()
		<-ended
		_, after, _ := strings.Cut(last, `"structuredContent":`)
		var in struct{ Stopped string }
		if err := json.NewDecoder(strings.NewReader(after)).Decode(&in); err != nil {
			t.Fatalf("%s: %v", last, err)
		}
		stays(t, c, in.Stopped)
	}
}

func packRun(t *testing.T, w *doorWorld, options []string) {
	for i := range stopCases {
		c := &stopCases[i]
		if c.tokens == 0 { // it makes its steps and times itself
			continue
		}
		asked := 0
		model := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
			if asked++; asked > 1 { // the model goes away
				out.WriteHeader(400)
				return
			}
			io.WriteString(out, strings.Replace(modelCalls("bash", `{"command":"ls"}`), `{"choices"`, fmt.Sprintf(`{"usage":{"total_tokens":%d},"choices"`, c.tokens), 1))
		}))
		var out, errs bytes.Buffer
		line := append([]string{"gbt", "run", "--policy", w.file, "--model", model.URL, "--task", "zzz", "--store", "none", "--max-steps", "1000000000000000000", "--max-time", "2000000h"}, options...)
		code := run(line, strings.NewReader(""), &out, &errs)
		model.Close()
		if code == exitUsage {
			return
		}
		_, stopped, ok := strings.Cut(strings.TrimSpace(out.String()), "STALL: ")
		if !ok || !strings.Contains(out.String(), fmt.Sprintf("tokens %d,", c.tokens)) {
			t.Fatalf("%v: %s%s", options, out.String(), errs.String())
		}
		stays(t, c, stopped)
	}
}

func packCheck(t *testing.T, w *doorWorld, options []string) {
	var in strings.Builder
	for i := range 60 {
		fmt.Fprintf(&in, `{"id":%d,"session":1,"tool":"Bash","args":{"command":"echo %d > f%d"},"cwd":"/w"}`+"\n", i, i, i)
	}
	var out bytes.Buffer
	run(append([]string{"gbt", "check", "--policy", w.file}, options...), strings.NewReader(in.String()), &out, io.Discard)
	if strings.Contains(out.String(), gates.PackPrefix) {
		t.Errorf("%v: %s", options, out.String())
	}
}
