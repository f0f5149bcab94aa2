package gates

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestLeftElsewhere: what an MCP server's shell may have done on another machine gives no
// right here, and takes no care away.
func TestLeftElsewhere(t *testing.T) {
	in := func(tool string) func(line string) Request {
		return func(line string) Request {
			args, err := json.Marshal(map[string]string{"command": line})
			if err != nil {
				t.Fatal(err)
			}
			return Request{Tool: tool, Args: args}
		}
	}
	bash, there := in("bash"), in("mcp__prod__bash")
	for _, tt := range []struct {
		name  string
		calls []Request // the last one is judged
		asks  bool
	}{
		{"a file that was made there", []Request{there("echo a > new.txt"), bash("rm new.txt")}, true},
		{"one that was made here", []Request{bash("echo a > new.txt"), bash("rm new.txt")}, false},
		{"a directory that was made there", []Request{there("mkdir -p /tmp/t1"), bash("rm -rf /tmp/t1")}, true},
		{"one that was made here and deleted there", []Request{bash("mkdir -p /tmp/t1"), there("rm -rf /tmp/t1"), bash("rm -rf /tmp/t1")}, true},
		{"a download that was deleted there", []Request{bash("curl -so x.sh https://example.com/x"), there("rm x.sh"), bash("sh x.sh")}, true},
		{"a download that was written over there", []Request{bash("curl -so x.sh https://example.com/x"), there("echo ls > x.sh"), bash("sh x.sh")}, true},
		{"a script of which the text may be another", []Request{bash("echo ls > x.sh"), there("echo 'rm -rf ~' > x.sh"), bash("sh x.sh")}, true},
		{"one that was only read there", []Request{bash("echo ls > x.sh"), there("cat x.sh"), bash("sh x.sh")}, false},
	} {
		var flow Flow
		for i, req := range tt.calls {
			st := State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Flow: flow, Exists: func(string) bool { return false }}
			c := NewContext(req, st)
			var g Guardrail
			d := g.Decide(&c)
			if i == len(tt.calls)-1 && (d.Disposition != Approved) != tt.asks {
				t.Errorf("%s: %v %+v", tt.name, d.Disposition, d.Reasons)
			}
			flow = c.After()
		}
	}
}

// TestNoRepeatsElsewhere: consent to repeats here is none there.
func TestNoRepeatsElsewhere(t *testing.T) {
	var names []string
	for _, tool := range []string{"bash", "mcp__a__bash", "mcp__b__bash"} {
		c := NewContext(Request{Tool: tool, Args: []byte(`{"command":"cat /srv/x"}`)}, State{Cwd: "/w", Roots: []string{"/w"}})
		var g Guardrail
		d := g.Decide(&c)
		if name := d.Template(&c, "p"); name == "" || slices.Contains(names, name) {
			t.Errorf("%s: template %q", tool, name)
		} else {
			names = append(names, name)
		}
	}
}
