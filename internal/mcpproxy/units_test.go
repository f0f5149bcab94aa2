package mcpproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func TestOfferedNames(t *testing.T) {
	for _, tt := range []struct {
		name  string
		names map[string][]string
		want  string
	}{
		{"alone", map[string][]string{"a": {"x", "y"}}, "x=a/x y=a/y"},
		{"of two", map[string][]string{"a": {"x", "y"}, "b": {"y"}}, "x=a/x a__y=a/y b__y=b/y"},
		{"the proxy's own", map[string][]string{"a": {"gbt_plan", "GBT_start"}}, "a__gbt_plan=a/gbt_plan a__GBT_start=a/GBT_start"},
		{"made to look like another's", map[string][]string{"a": {"y"}, "b": {"y", "a__y", "A__z", "mcp__a__y"}}, "a__y=a/y b__y=b/y"},
		{"that looks the same", map[string][]string{"a": {"read_file"}, "b": {"Read-Fi1e"}}, "a__read_file=a/read_file b__Read-Fi1e=b/Read-Fi1e"},
		{"of another script", map[string][]string{"a": {"read_file"}, "b": {"re\u0430d_file"}}, "read_file=a/read_file b__re_d_file=b/re\u0430d_file"},
		{"with its own server's", map[string][]string{"a": {"a__y"}}, "a__y=a/a__y"},
		{"odd characters", map[string][]string{"a": {"x y", "x/y", ""}}, "a__x_y=a/x y a__x_y_2=a/x/y a___=a/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, o := range offeredNames([]string{"a", "b"}, tt.names) {
				got = append(got, o.name+"="+o.server+"/"+o.own)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
		})
	}
}

func TestParseServers(t *testing.T) {
	vars := map[string]string{"TOKEN": "t0"}
	lookup := func(n string) (string, bool) { v, ok := vars[n]; return v, ok }
	for _, tt := range []struct{ name, in, want string }{
		{"both kinds, sorted", `{"mcpServers":{"web":{"type":"http","url":"https://h/mcp","headers":{"A":"Bearer ${TOKEN}"}},"fs":{"command":"npx","args":["-y","${DIR:-.}"],"env":{"K":"v"},"cwd":"/w"}}}`,
			`[{fs [npx -y .] /w [K=v]  map[]} {web []  [] https://h/mcp map[A:Bearer t0]}]`},
		{"as VS Code has it", `{"servers":{"a":{"command":"x"}}}`, `[{a [x]  []  map[]}]`},
		{"disabled", `{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","disabled":true}}}`, `[{a [x]  []  map[]}]`},
		{"variable not set", `{"mcpServers":{"a":{"command":"${NONE}"}}}`, "the variable NONE is not set"},
		{"neither", `{"mcpServers":{"a":{}}}`, "give either a command or a url"},
		{"both", `{"mcpServers":{"a":{"command":"x","url":"http://h"}}}`, "give either a command or a url"},
		{"old transport", `{"mcpServers":{"a":{"type":"sse","url":"http://h"}}}`, `type "sse" is not spoken here`},
		{"name that splits", `{"mcpServers":{"a__b":{"command":"x"}}}`, `server "a__b"`},
		{"none", `{"mcpServers":{}}`, "no MCP server in it"},
		{"not JSON", `mcpServers: {}`, "not a file of MCP servers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := ParseServers([]byte(tt.in), lookup)
			got := fmt.Sprint(list)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestLinks: a symbolic link inside the workspace does not make what it leads to
// inside.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	if err := os.Symlink("/etc", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	opts := Options{Checker: &gates.Checker{}, State: func() gates.State { return gates.State{Cwd: root, Roots: []string{root}, UID: -1, GID: -1} }}
	p := &Proxy{opts: opts}
	for at, want := range map[string]gates.Disposition{"a": gates.Approved, "link/a": gates.ApprovedWithConstraints} {
		v, err := p.judge(t.Context(), &toolCall{tool: "mcp__s__write_file", args: []byte(`{"path":"` + root + "/" + at + `","content":"x"}`)}, unanswered)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.decision.Disposition; got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}
