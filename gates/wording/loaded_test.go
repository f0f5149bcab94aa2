package wording_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/wording"
)

// TestLoaded: a run that asks for what it loads names that file, and one that asks for the
// file it starts names no other.
func TestLoaded(t *testing.T) {
	for _, tt := range []struct{ util, main, has, without string }{
		{"import subprocess\nsubprocess.run(['git', 'push'])\n", "import util\nprint(1)\n", "Runs a.py with what it loads: util.py, which", ""},
		{"print(2)\n", "import util, subprocess\nsubprocess.run(['git', 'push'])\n", "Runs a.py, which this session wrote", "util.py"},
	} {
		st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}
		var c gates.Context
		for _, x := range []struct{ tool, key, value, text string }{
			{"Write", "file_path", "/w/util.py", tt.util}, {"Write", "file_path", "/w/a.py", tt.main}, {"Bash", "command", "python3 a.py", ""},
		} {
			args, err := json.Marshal(map[string]string{x.key: x.value, "content": x.text})
			if err != nil {
				t.Fatal(err)
			}
			c = gates.NewContext(gates.Request{Tool: x.tool, Args: args}, st)
			st.Flow = c.After()
		}
		d := (&gates.Checker{}).Check(&c, nil)
		said := wording.Of(&c, &d).Person
		if d.Disposition != gates.ApprovedWithConstraints || !strings.HasPrefix(said, tt.has) || tt.without != "" && strings.Contains(said, tt.without) {
			t.Errorf("%v %q, want %q", d.Disposition, said, tt.has)
		}
	}
}

// TestUsesUnknown: a run that asks for a package names it, and who brings it in.
func TestUsesUnknown(t *testing.T) {
	for _, tt := range []struct{ file, text, line, has string }{
		{"/w/a.py", "import frobcloud\nfrobcloud.drop()\n", "python3 a.py", "Runs a.py, which this session wrote and which uses frobcloud, a package that gbt does not know; it can"},
		{"/w/a.js", "require('@frob/cloud').drop()\n", "sh run.sh", "Runs run.sh with what it loads: a.js, which this session wrote or changed and which uses @frob/cloud, a package that gbt does not know; it can"},
	} {
		st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}
		st.Exists = func(path string) bool { return path == tt.file || path == "/w/run.sh" }
		st.Names = func(string) []string { return nil }
		st.Text = func(path string) (string, bool) {
			if path == "/w/run.sh" {
				return "node a.js\n", true
			}
			return tt.text, path == tt.file
		}
		var c gates.Context
		for _, x := range []struct{ tool, key, value string }{{"Write", "file_path", tt.file}, {"Bash", "command", tt.line}} {
			args, err := json.Marshal(map[string]string{x.key: x.value, "content": tt.text})
			if err != nil {
				t.Fatal(err)
			}
			c = gates.NewContext(gates.Request{Tool: x.tool, Args: args}, st)
			st.Flow = c.After()
		}
		d := (&gates.Checker{}).Check(&c, nil)
		if said := wording.Of(&c, &d).Person; d.Disposition != gates.ApprovedWithConstraints || !strings.HasPrefix(said, tt.has) {
			t.Errorf("%v %q, want %q", d.Disposition, said, tt.has)
		}
	}
}
