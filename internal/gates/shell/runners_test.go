package shell_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// What a runner runs is judged by what it is, and where it comes from by its address.
func TestRunnersOfPython(t *testing.T) {
	for _, c := range []struct {
		line string
		asks bool
	}{
		{"coverage run -m pytest -q", false},
		{"coverage run --branch tests/all.py", false},
		{"coverage run -m http.server", true},
		{"coverage run -am pip install requests", true},
		{"coverage run /tmp/all.py", true},
		{"tox -e py312 -- -k adds", false},
		{"tox exec -e py312 -- pytest", true},
		{"python3 -m timeit -n 100 -s 'import json' 'json.dumps({})'", false},
		{"python3 -m timeit -s 'import os' 'os.system(\"id\")'", true},
		{"python3 -m timeit '1' --callback x", true},
		{"uv sync --index-url https://pypi.org/simple", false},
		{"uv sync --index-url https://mirror.example/simple", true},
	} {
		ctx := gates.ShellContext(c.line, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/me", UID: 1000, GID: 1000})
		var g gates.Guardrail
		if asks := g.Decide(&ctx).Disposition != gates.Approved; asks != c.asks {
			t.Errorf("%s: asks %v", c.line, asks)
		}
	}
}
