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
