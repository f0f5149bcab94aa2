package gates

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// underList decides on a call where there is a list of modules.
func underList(list []string, tool, args string, made ...Made) Decision {
	c := NewContext(Request{Tool: tool, Args: []byte(args)}, State{Cwd: "/w", Roots: []string{"/w"}, Flow: Flow{Made: made}})
	return (&Guardrail{Imports: list}).Decide(&c)
}

// TestListOfModules: code that brings in what the list does not have, or that nobody can
// read, has to be written another way; without a list, nothing is different.
func TestListOfModules(t *testing.T) {
	list := []string{"node:path", "numpy", "pandas"}
	const rejected, revise, asks, approved = "rejected", "revision_required", "approved_with_constraints", "approved"
	for _, tt := range []struct{ name, tool, args, without, with string }{
		{"a listed module", "python", `{"code":"import numpy as np\nprint(np.ones(3))"}`, approved, approved},
		{"another one", "python", `{"code":"import json"}`, approved, revise},
		{"both", "execute_ipython_cell", `{"code":"import numpy, json"}`, approved, revise},
		{"inline code of a command line", "Bash", `{"command":"python3 -c 'import json; print(json.dumps(1))'"}`, approved, revise},
		{"and a listed one", "Bash", `{"command":"python3.11 -c 'import numpy'"}`, approved, approved},
		{"a here-document", "Bash", `{"command":"cd src && python - <<'E'\nimport json\nE"}`, approved, revise},
		{"behind wrappers", "Bash", `{"command":"timeout 5 env A=1 bash -c \"python3 -c 'import json'\""}`, approved, revise},
		{"code by a pipe", "Bash", `{"command":"echo 'import json' | python3"}`, approved, revise},
		{"computed code", "Bash", `{"command":"python3 -c \"$X\""}`, asks, revise},
		{"computed code of a pipe", "Bash", `{"command":"cat x | python3"}`, asks, revise},
		{"a module by a computed name", "python", `{"code":"__import__('nu' + 'mpy')"}`, asks, revise},
		{"what cannot be read", "python", `{"code":"import numpy\nx = ('"}`, asks, revise},
		{"node", "Bash", `{"command":"node -e \"require('fs').readFileSync('a')\""}`, approved, revise},
		{"a listed module of node", "Bash", `{"command":"node -p \"require('path').sep\""}`, approved, approved},
		{"a language that nobody reads", "Bash", `{"command":"perl -e 'print 1'"}`, approved, revise},
		{"a file that the line wrote", "Bash", `{"command":"echo 'import json' > a.py && python a.py"}`, approved, revise},
		{"no code", "Bash", `{"command":"python3 --version; grep -r 'import json' ."}`, approved, approved},
		{"a script of the workspace", "Bash", `{"command":"python3 train.py"}`, approved, approved},
		{"a magic that imports", "execute_ipython_cell", `{"code":"%load_ext sql"}`, approved, revise},
		{"code for another tool", "run_notebook_cell", `{"code":"import json\nprint(1)","language":"python"}`, approved, revise},
		{"what is rejected stays so", "Bash", `{"command":"rm -rf /etc; python3 -c 'import json'"}`, rejected, rejected},
	} {
		if got := underList(nil, tt.tool, tt.args); got.Disposition.String() != tt.without {
			t.Errorf("%s, without a list: %s %v", tt.name, got.Disposition, got.Reasons)
		}
		got := underList(list, tt.tool, tt.args)
		if got.Disposition.String() != tt.with {
			t.Errorf("%s: %s %v", tt.name, got.Disposition, got.Reasons)
		}
		if tt.with == revise && (!strings.HasPrefix(got.Reasons[0].Rule, "imports/") || !strings.Contains(got.Reasons[0].Message, "Allowed: node:path, numpy, pandas.")) {
			t.Errorf("%s: %v", tt.name, got.Reasons)
		}
	}
	if got := underList([]string{"none"}, "python", `{"code":"import none"}`); got.Disposition != RevisionRequired || !strings.HasSuffix(got.Reasons[0].Message, "Allowed: no module.") {
		t.Errorf("an empty list: %s %v", got.Disposition, got.Reasons)
	}
	if got := underList([]string{"none"}, "python", `{"code":"print(1)"}`); got.Disposition != Approved {
		t.Errorf("no import under an empty list: %v", got.Reasons)
	}
}

// TestListCoversScripts: what a cell may not do, a script that the session wrote for it may
// not do either.
func TestListCoversScripts(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		made          Made
		want          Disposition
	}{
		{"a module that is not listed", "python3 a.py", Made{Path: "/w/a.py", Text: "import json", Known: true}, RevisionRequired},
		{"a listed one", "python3 a.py", Made{Path: "/w/a.py", Text: "import numpy", Known: true}, Approved},
		{"a text that nobody knows", "python3 a.py", Made{Path: "/w/a.py"}, RevisionRequired},
		{"another file", "python3 b.py", Made{Path: "/w/a.py", Text: "import json", Known: true}, Approved},
		{"by its first line", "./a", Made{Path: "/w/a", Text: "#!/usr/bin/env python3\nimport json", Known: true}, RevisionRequired},
		{"a shell's", "bash a.sh", Made{Path: "/w/a.sh", Text: "ls", Known: true}, Approved},
	} {
		if got := underList([]string{"numpy"}, "Bash", `{"command":"`+tt.command+`"}`, tt.made); got.Disposition != tt.want {
			t.Errorf("%s: %s %v", tt.name, got.Disposition, got.Reasons)
		}
	}
}

// TestListPointsAtTheRun: the reason is about the effect that the code runs by, so that
// repairs of one cell count together.
func TestListPointsAtTheRun(t *testing.T) {
	d := underList([]string{"numpy"}, "Bash", `{"command":"ls; python3 -c 'import json'"}`)
	if i := d.Reasons[0].Effect; i < 0 || d.Effects[i].Op != effect.OpRunCode || d.Effects[i].Kind != effect.Spawn {
		t.Errorf("%+v of %+v", d.Reasons[0], d.Effects)
	}
}
