package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestPythonOfTheWorkspace: a directory called like a package makes that package the workspace's own
// only if Python imports it from there, and if git tracks it or the session wrote it.
func TestPythonOfTheWorkspace(t *testing.T) {
	disk := map[string]string{
		"redis/dump.rdb": "x", "stripe/charge.py": "x = 1\n", "vendored/__init__.py": "", "mine/__init__.py": "", "src/own/__init__.py": "", "src/a.py": "def f(): pass\n", "tool.py": "def f(): pass\n",
	}
	for code, asks := range map[string]bool{
		"import redis; redis.Redis().flushall()":     true,
		"from redis import Redis; Redis().flushdb()": true,
		"import stripe; stripe.refund('x')":          true,
		"from stripe import Refund; Refund.new('x')": true,
		"import vendored; vendored.go()":             true,
		"import src; src.go()":                       true,
		"import nowhere; nowhere.go()":               true,
		"import mine; mine.go()":                     false,
		"from mine import go; go()":                  false,
		"from mine.sub import go; go()":              false,
		"import own; own.go()":                       false,
		"from src.a import f; f()":                   false,
		"from src import a; a.f()":                   false,
		"import src.a; src.a.f()":                    false,
		"import tool; tool.f()":                      false,
		"import made; made.f()":                      false,
		"import redis; print(redis.__version__)":     false,
	} {
		p := inProject(t, disk)
		p.st.Tracked = func(path string) bool { return strings.Contains(path, "/mine/") || strings.Contains(path, "/own/") }
		p.write("made/__init__.py", "def f():\n    return 1\n")
		if d := p.call("Bash", map[string]string{"command": `python3 -c "` + code + `"`}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", code, d.Disposition, d.Reasons)
		}
	}
}
