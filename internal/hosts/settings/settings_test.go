package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

func options(scope Scope) Options {
	return Options{Scope: scope, Project: "/p", Home: "/h", Config: "/h/.config", Hook: "/opt/gbt hook/gbt-hook", Args: []string{"-state", "auto"}}
}

func fileOf(t testing.TB, host string, o Options) File {
	t.Helper()
	list, err := For(host, o)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %v %v", host, list, err)
	}
	return list[0]
}

func install(t testing.TB, f File, old string, exists bool) string {
	t.Helper()
	out, err := f.Install([]byte(old), exists)
	if err != nil {
		t.Fatalf("%s: install into %q: %v", f.Host, old, err)
	}
	return string(out)
}

func TestPaths(t *testing.T) {
	tests := []struct {
		host  string
		scope Scope
		want  string
	}{
		{"claude-code", User, "/h/.claude/settings.json"}, {"claude-code", Project, "/p/.claude/settings.json"}, {"claude-code", Local, "/p/.claude/settings.local.json"},
		{"codex", User, "/h/.codex/hooks.json"}, {"codex", Project, "/p/.codex/hooks.json"},
		{"gemini", User, "/h/.gemini/settings.json"}, {"gemini", Project, "/p/.gemini/settings.json"},
		{"cursor", User, "/h/.cursor/hooks.json"}, {"cursor", Project, "/p/.cursor/hooks.json"},
		{"opencode", User, "/h/.config/opencode/plugins/gbt.js"}, {"opencode", Project, "/p/.opencode/plugins/gbt.js"},
		{"openhands", User, "/h/.openhands/hooks.json"}, {"openhands", Project, "/p/.openhands/hooks.json"},
	}
	for _, tt := range tests {
		if f := fileOf(t, tt.host, options(tt.scope)); filepath.ToSlash(f.Path) != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.host, tt.scope, f.Path, tt.want)
		}
	}
	for _, bad := range []Options{options(Local), options("x"), {Scope: Project, Analyzer: true}} {
		if _, err := For("codex", bad); err == nil {
			t.Errorf("codex takes %+v", bad)
		}
	}
	if _, err := For("emacs", options(User)); err == nil {
		t.Error("emacs has settings")
	}
}

func TestFresh(t *testing.T) {
	want := map[string]string{
		"claude-code": `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' claude-code -state auto || exit 2",
            "timeout": 10,
            "onFailure": "block"
          }
        ]
      }
    ],
    "PostToolUse": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' claude-code -after -state auto",
            "timeout": 10
          }
        ]
      }
    ],
    "PostToolUseFailure": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' claude-code -after -state auto",
            "timeout": 10
          }
        ]
      }
    ],
    "UserPromptSubmit": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' claude-code -after -state auto",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`,
		"gemini": `{
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' gemini -state auto || exit 2",
            "timeout": 10000
          }
        ]
      }
    ],
    "AfterTool": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' gemini -after -state auto",
            "timeout": 10000
          }
        ]
      }
    ],
    "BeforeAgent": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/gbt hook/gbt-hook' gemini -after -state auto",
            "timeout": 10000
          }
        ]
      }
    ]
  }
}
`,
		"cursor": `{
  "version": 1,
  "hooks": {
    "preToolUse": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -ask-later -state auto",
        "timeout": 10,
        "failClosed": true
      }
    ],
    "beforeShellExecution": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -state auto",
        "timeout": 10,
        "failClosed": true
      }
    ],
    "beforeMCPExecution": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -state auto",
        "timeout": 10,
        "failClosed": true
      }
    ],
    "beforeReadFile": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -state auto",
        "timeout": 10,
        "failClosed": true
      }
    ],
    "postToolUse": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -after -state auto",
        "timeout": 10,
        "failClosed": false
      }
    ],
    "postToolUseFailure": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -after -state auto",
        "timeout": 10,
        "failClosed": false
      }
    ],
    "afterShellExecution": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -after -state auto",
        "timeout": 10,
        "failClosed": false
      }
    ],
    "afterMCPExecution": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -after -state auto",
        "timeout": 10,
        "failClosed": false
      }
    ],
    "beforeSubmitPrompt": [
      {
        "command": "'/opt/gbt hook/gbt-hook' cursor -after -state auto",
        "timeout": 10,
        "failClosed": false
      }
    ]
  }
}
`,
	}
	claude := strings.Replace(want["claude-code"], ",\n            \"onFailure\": \"block\"", "", 1)
	without := func(event string) string {
		i := strings.Index(claude, ",\n    \""+event+"\"")
		j := i + strings.Index(claude[i:], "\n    ]") + len("\n    ]")
		return claude[:i] + claude[j:]
	}
	claude = without("PostToolUseFailure")
	want["openhands"] = strings.ReplaceAll(claude, "claude-code", "openhands")
	claude = without("UserPromptSubmit")
	want["codex"] = strings.ReplaceAll(claude, "claude-code", "codex")
	for host, text := range want {
		said, err := json.Marshal(saying(t, host) + quote(options(Project).Hook) + " " + host)
		if err != nil {
			t.Fatal(err)
		}
		end := strings.NewReplacer(`\u003e`, ">", `\u0026`, "&").Replace(strings.Trim(string(said), `"`))
		text = strings.ReplaceAll(text, OrBlock, end+OrBlock)
		f := fileOf(t, host, options(Project))
		if got := install(t, f, "", false); got != text {
			t.Errorf("%s: got\n%s", host, got)
		}
		// What versions before OrBlock and the words before it installed goes too.
		for _, old := range []string{strings.ReplaceAll(text, end, ""), strings.ReplaceAll(text, end+OrBlock, "")} {
			if _, keep, err := f.Uninstall([]byte(old)); keep || err != nil {
				t.Errorf("%s: an older installation stays: %v", host, err)
			}
		}
	}
}

// originals are files as people and hosts write them.
var originals = []string{
	`{}`, "{}\n", "{\n}\n", "{ }", "{\n\n  \n}",
	"{\n  \"a\": 1\n}\n", "{\"a\":1}", "{ \"a\" : 1 }", "{\r\n\t\"a\": [1,\r\n2]\r\n}\r\n",
	"{\n    \"hooks\": {},\n    \"b\": \"\\u00e9 é <>\"\n}", "{\"hooks\":{\"EVENT\":[]}}", "{\n  \"hooks\": {\n    \"EVENT\": [\n    ]\n  }\n}\n",
	"{\n  \"hooks\": {\n    \"EVENT\": [{\"matcher\": \"x\", \"hooks\": [{\"type\": \"command\", \"command\": \"./mine\"}]}]\n  },\n  \"z\": null\n}\n",
	"{\n  \"hooks\": {\n    \"EVENT\": [\n      {\n        \"command\": \"./mine\"\n      }\n    ],\n    \"Other\": []\n  }\n}\n",
	"{\n\t\"permissions\": {\"deny\": [\"Read(.env)\"]},\n\t\"hooks\": {\n\t\t\"Stop\": []\n\t}\n}\n",
	"  {\"a\": {\"hooks\": {}}, \"hooks\" :\n{ \"Stop\":[ ] } }  ",
}

var commented = []string{
	"// top\n{\n  // first\n  \"a\": 1, // one\n  \"b\": {/* nothing */} // two\n  // last\n}\n// end",
	"{/* c */}", "{\n  \"hooks\": { // ours\n    \"EVENT\": [ // list\n      {\"command\": \"x // no comment\"} /* , */ // tail\n    ]\n  }\n}",
	"{\"a\": \"/* no */ // comment\" /*,*/ }",
}

// TestEdits: installing keeps the meaning and every byte of what was there,
// installing again changes nothing, and removing gives the file back.
func TestEdits(t *testing.T) {
	n := 0
	for _, host := range hosts.Names() {
		f := fileOf(t, host, options(Project))
		if f.whole != nil {
			continue
		}
		list := originals
		if f.comments {
			list = append(append([]string{}, originals...), commented...)
		}
		for _, old := range list {
			for _, e := range f.entries {
				n++
				old := strings.ReplaceAll(old, "EVENT", e.path[len(e.path)-1])
				if f.skeleton != "" {
					old = strings.Replace(old, "{", `{"version": 1 , "was": 0,`, 1)
					if strings.Trim(old[strings.Index(old, ",\"was\"")+1:], " \r\n\t}") == "" || json.Unmarshal([]byte(old), new(any)) != nil {
						continue // was empty: there is no comma to add
					}
				}
				roundTrip(t, f, old)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d edits tried", n)
	}
}

func roundTrip(t *testing.T, f File, old string) {
	t.Helper()
	once := install(t, f, old, true)
	if twice := install(t, f, once, true); twice != once {
		t.Errorf("%s: %q: installed twice:\n%s\nonce:\n%s", f.Host, old, twice, once)
	}
	sameBut(t, f, old, once)
	found, _, err := f.Find([]byte(once))
	if err != nil || len(found) != len(f.entries) {
		t.Errorf("%s: %q: found %v, %v", f.Host, old, found, err)
	}
	back, keep, err := f.Uninstall([]byte(once))
	if err != nil || !keep || string(back) != old {
		t.Errorf("%s: after uninstall %q (%v, %v), want %q\ninstalled: %s", f.Host, back, keep, err, old, once)
	}
	again, _, err := f.Uninstall([]byte(old))
	if err != nil || string(again) != old {
		t.Errorf("%s: uninstall of nothing changes %q", f.Host, old)
	}
	// With other arguments, in place.
	o := options(Project)
	o.Args = []string{"-profile", "strict"}
	f = fileOf(t, f.Host, o)
	other := install(t, f, once, true)
	if strings.Contains(other, "-state") || strings.Count(other, "strict") != len(f.entries) {
		t.Errorf("%s: not brought up to date:\n%s", f.Host, other)
	}
	if back, _, err := f.Uninstall([]byte(other)); err != nil || string(back) != old {
		t.Errorf("%s: after an update, uninstall gives %q, want %q", f.Host, back, old)
	}
}

// sameBut checks by another decoder that only our elements were added.
func sameBut(t *testing.T, f File, old, now string) {
	t.Helper()
	var a, b map[string]any
	if err := json.Unmarshal(strip([]byte(old)), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(strip([]byte(now)), &b); err != nil {
		t.Fatalf("%s: not JSON any more: %s", f.Host, now)
	}
	for _, e := range f.entries {
		hooks, _ := a["hooks"].(map[string]any)
		if f.host.Settings.Bare {
			hooks = a
		} else if hooks == nil {
			hooks = map[string]any{}
			a["hooks"] = hooks
		}
		event := e.path[len(e.path)-1]
		list, _ := hooks[event].([]any)
		var v any
		raw, _ := json.Marshal(e.value)
		_ = json.Unmarshal(raw, &v)
		hooks[event] = append(list, v)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if !bytes.Equal(x, y) {
		t.Errorf("%s:\n got %s\nwant %s", f.Host, y, x)
	}
}

func TestFreshFilesGoAgain(t *testing.T) {
	for _, host := range hosts.Names() {
		for _, analyzer := range []bool{false, host == "openhands"} {
			o := options(Project)
			o.Analyzer = analyzer
			f := fileOf(t, host, o)
			text := install(t, f, "", false)
			if again := install(t, f, text, true); again != text {
				t.Errorf("%s: installed twice differs", host)
			}
			if _, keep, err := f.Uninstall([]byte(text)); keep || err != nil {
				t.Errorf("%s: a file that was made stays (%v)", host, err)
			}
			if found, off, err := f.Find([]byte(text)); err != nil || off || len(found) == 0 {
				t.Errorf("%s: found %v %v %v", host, found, off, err)
			}
			if f.whole == nil {
				if _, keep, _ := f.Uninstall([]byte(strings.Replace(text, "{", "{\n  \"mine\": 1,", 1))); !keep {
					t.Errorf("%s: a file with other settings goes", host)
				}
			} else if _, err := f.Install([]byte("// mine"), true); !errors.Is(err, ErrForeign) {
				t.Errorf("%s: a file of somebody else is replaced (%v)", host, err)
			} else if _, keep, _ := f.Uninstall([]byte("// mine")); !keep {
				t.Errorf("%s: a file of somebody else goes", host)
			}
		}
	}
}

// TestOthersStay: what a user made of the file since stays.
func TestOthersStay(t *testing.T) {
	f := fileOf(t, "claude-code", options(Project))
	text := install(t, f, "{}", true)
	moved := strings.Replace(text, `"PreToolUse": [`, `"PreToolUse": [{"hooks":[{"type":"command","command":"gbt-hook codex"}]},`, 1)
	back, _, err := f.Uninstall([]byte(moved))
	if err != nil || !strings.Contains(string(back), "gbt-hook codex") || strings.Contains(string(back), "claude-code") {
		t.Errorf("got %s, %v", back, err)
	}
	odd := strings.Replace(text, "-state auto", "-state auto || true", 1)
	if found, _, err := f.Find([]byte(odd)); err != nil || len(found) != len(f.entries) || plain(found, "PreToolUse") {
		t.Errorf("a hook whose exit code is thrown away: %+v, %v", found, err)
	}
	double := strings.Replace(text, `"PreToolUse": [`, `"PreToolUse": [{"hooks":[{"type":"command","command":"gbt-hook claude-code"}]},`, 1)
	once := install(t, f, double, true)
	if n := strings.Count(once, "claude-code -"); n != len(f.entries) {
		t.Errorf("%d hooks of ours after installing over two:\n%s", n, once)
	}
}

// plain says whether a hook of the event is plain.
func plain(list []Installed, event string) bool {
	i := slices.IndexFunc(list, func(in Installed) bool { return in.Event == event })
	return i < 0 || list[i].Plain
}

func TestRefusesWhatDoesNotParse(t *testing.T) {
	tests := []struct {
		host, text string
		line       int
	}{
		{"claude-code", "", 1}, {"claude-code", "{\n\"a\": 1,\n}", 3}, {"claude-code", "{\n// no\n}", 2}, {"gemini", "{\n/* no", 2}, {"claude-code", "[]", 1},
		{"claude-code", "{\n\"a\": 1\n\"b\": 2}", 3}, {"claude-code", "{\"a\": 1} x", 1}, {"claude-code", "{\"a\": 1, \"a\": 2}", 1}, {"claude-code", "{\"a\": tru}", 1},
		{"claude-code", "{\n\n\"hooks\": []}", 3}, {"claude-code", "{\"hooks\": {\n\"PreToolUse\": {}}}", 2}, {"claude-code", "{\"a\": \"x\n\"}", 1}, {"claude-code", "{\"a\" 1}", 1},
		{"cursor", "{}", 1}, {"claude-code", strings.Repeat("[", 1000), 1}, {"claude-code", "{\"a\": \"\\x\"}", 1}, {"claude-code", "\ufeff{}", 1}, {"claude-code", "{,}", 1}, {"claude-code", "{\"a\":}", 1},
	}
	for _, tt := range tests {
		f := fileOf(t, tt.host, options(Project))
		_, err := f.Install([]byte(tt.text), true)
		var se *SyntaxError
		if !errors.As(err, &se) || se.Line != tt.line {
			t.Errorf("%s: %.40q: %v, want line %d", tt.host, tt.text, err, tt.line)
		}
	}
}

func TestWords(t *testing.T) {
	for _, s := range []string{"gbt-hook", "", "a b", "it's", `"`, "$x", `a\b`, "é", "a\tb", "~"} {
		words, ok := Words("x " + quote(s) + " y")
		if !ok || len(words) != 3 || words[1] != s {
			t.Errorf("%q is read back as %q", s, words)
		}
	}
	for line, want := range map[string]bool{
		"gbt-hook codex": true, "/a/gbt-hook codex -x": true, `"C:\bin\gbt-hook.exe" codex`: false, `'C:\bin\gbt-hook.exe' codex`: true,
		"gbt-hook gemini": false, "gbt-hook": false, "gbt-hook codex; true": false, "gbt-hook codex || true": false, "gbt-hook codex || exit 2": true, "gbt-hook codex || exit 2; ls": false, "gbt-hook codex || exit 20": false,
		"gbt-hook codex" + saying(t, "codex") + "gbt-hook codex || exit 2": true, "gbt-hook codex" + saying(t, "codex") + "gbt-hook codex": false,
		"gbt-hook codex" + saying(t, "codex") + "gbt-hook codex; ls || exit 2": false, "gbt-hook codex; ls" + saying(t, "codex") + "gbt-hook codex || exit 2": false,
		"gbt-hook codex || exit 0 || exit 2": false, "gbt-hook codex| | exit 2": false, "echo gbt-hook codex": false, "": false, "gbt-hook 'codex": false,
	} {
		if got := IsHook(line, "codex"); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// FuzzEdit holds any text to: refused, or edited into JSON of the same
// meaning that gives its bytes back.
func FuzzEdit(f *testing.F) {
	for _, s := range append(append([]string{}, originals...), commented...) {
		f.Add(strings.ReplaceAll(s, "EVENT", "BeforeTool"))
	}
	gemini := fileOf(f, "gemini", options(Project))
	f.Fuzz(func(t *testing.T, old string) {
		if strings.Contains(old, "gbt-hook") {
			return
		}
		out, err := gemini.Install([]byte(old), true)
		if err != nil {
			if out != nil {
				t.Fatal("text and an error")
			}
			return
		}
		if !json.Valid(strip([]byte(old))) || !json.Valid(strip(out)) {
			t.Fatalf("%q edited to %q: not JSON", old, out)
		}
		back, keep, err := gemini.Uninstall(out)
		if err != nil || keep && string(back) != old {
			t.Fatalf("%q comes back as %q, %v\n%s", old, back, err, out)
		}
	})
}

// TestPlugin runs the opencode plugin where there is a node.
func TestPlugin(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("no node on this machine: the plugin was not run")
		return
	}
	run := func(args ...string) string {
		o := options(Project)
		o.Hook, o.Args = "/bin/sh", nil
		text := strings.Replace(string(fileOf(t, "opencode", o).whole), `["/bin/sh","opencode"]`, string(mustJSON(args)), 1)
		text = strings.Replace(text, "LIMIT = 10000", "LIMIT = 700", 1)
		script := text + `
const hooks = await GbtHook({directory: "/w/d", worktree: "/w"});
try {
  await hooks["tool.execute.before"]({tool: "bash", sessionID: "s", callID: "c"}, {args: {command: "ls"}});
  console.log("ran");
  await hooks["tool.execute.after"]({tool: "bash", sessionID: "s", callID: "c", args: {command: "ls"}}, {output: "out"});
} catch (e) { console.log("blocked: " + e.message); }
`
		cmd := exec.Command(node, "--input-type=module", "-")
		cmd.Stdin = strings.NewReader(script)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	sh := func(script string) string { return run("/bin/sh", "-c", script) }
	tests := map[string]string{
		sh(`cat >/dev/null; echo '{"decision":"allow"}'`):                       "ran",
		sh(`cat >/dev/null; echo '{"decision":"deny","reason":"why"}'; exit 2`): "blocked: why",
		sh(`cat >/dev/null; echo '{"decision":"allow"}'; exit 1`):               "blocked: gbt: the hook failed; the call is blocked",
		sh(`exit 0`):                "blocked: gbt: the hook failed; the call is blocked",
		sh(`echo null`):             "blocked: gbt: the hook failed; the call is blocked",
		sh(`echo oops >&2; exit 3`): "blocked: oops",
		sh(`kill -9 $$`):            "blocked: gbt: the hook failed; the call is blocked",
		sh(`exec sleep 5`):          "blocked: gbt: the hook took too long; the call is blocked",
		sh(`cat >&2; exit 2`):       `blocked: {"event":"tool.execute.before","tool":"bash","args":{"command":"ls"},"sessionID":"s","callID":"c","directory":"/w/d","worktree":"/w"}`,
		run("/nonexistent/gbt-hook", "opencode")[:44]: "blocked: gbt: the hook could not be started;",
	}
	// The result is handed on, and what the hook makes of it changes nothing.
	noted := filepath.Join(t.TempDir(), "noted")
	script := `case "$1" in -after) cat >"$0"; exit 2;; esac; cat >/dev/null; echo '{"decision":"allow"}'`
	tests[run("/bin/sh", "-c", script, noted)] = "ran"
	data, err := os.ReadFile(noted)
	if want := `{"event":"tool.execute.after","tool":"bash","args":{"command":"ls"},"output":"out","sessionID":"s","callID":"c","directory":"/w/d","worktree":"/w"}`; string(data) != want {
		t.Errorf("noted %s, %v", data, err)
	}
	for got, want := range tests {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// saying is what stands behind a host's hook.
func saying(t *testing.T, host string) string {
	t.Helper()
	h, ok := hosts.Lookup(host)
	if !ok {
		t.Fatal(host)
	}
	return orSay(&h.Settings)
}

// TestApproveEntry: the event at which the host's own questions are answered is written
// where that is asked for, goes with an installation without it, and is given back by an
// uninstall that knows nothing of it. One registered by hand stays.
func TestApproveEntry(t *testing.T) {
	o := options(Project)
	o.Approve, o.Args = true, append(o.Args, "-approve")
	with, without := fileOf(t, "claude-code", o), fileOf(t, "claude-code", options(Project))
	for _, old := range []string{"", "{}", `{"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`, "{\n  \"a\": 1\n}\n"} {
		asked := install(t, with, old, old != "")
		if strings.Count(asked, `"PermissionRequest"`) != 1 || strings.Count(asked, "-approve") != 5 {
			t.Errorf("%q: installed\n%s", old, asked)
		}
		if twice := install(t, with, asked, true); twice != asked {
			t.Errorf("%q: installed twice\n%s", old, twice)
		}
		if got, want := install(t, without, asked, true), install(t, without, old, old != ""); got != want {
			t.Errorf("%q: installed again without it\n%s\nwant\n%s", old, got, want)
		}
		for _, f := range []File{with, without} {
			if back, keep, err := f.Uninstall([]byte(asked)); err != nil || string(back) != old || keep != (old != "") {
				t.Errorf("%q: uninstalled %q %v %v", old, back, keep, err)
			}
		}
	}
	byHand := `{"hooks": {"PermissionRequest": [{"matcher": "*", "hooks": [{"type": "command", "command": "gbt-hook claude-code"}]}]}}`
	if got := install(t, without, byHand, true); !strings.Contains(got, `"command": "gbt-hook claude-code"`) {
		t.Errorf("what was registered by hand is gone:\n%s", got)
	}
	if _, err := For("codex", o); err == nil || !strings.Contains(err.Error(), "sandbox") {
		t.Errorf("codex takes it: %v", err)
	}
}
