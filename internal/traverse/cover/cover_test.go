package cover

import (
	"strings"
	"testing"
)

func TestNamed(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Fix src/parser.py, then tidy up.", "file:src/parser.py"},
		{"e.g. see https://example.org/a.py and mail to a@b.py", ""},
		{"use Node.js 18 and Python 3.11", ""},
		{"Write `parse_date` and eval_arith(s) in dates.py", "identifier:parse_date identifier:eval_arith file:dates.py"},
		{"print 42", "number:42"},
		{"the limit is 10 MB", "number:10mb"},
		{"between 1 and 100 items", "range:1-100"},
		{"at most 50 euros", "number:50euro"},
		{"at most three retries", "number:3"},
		{"two files", ""},
		{"see issue #12 of 2024-05-01, section 3", ""},
		{"1. First\n2. Second", ""},
		{"reject negative numbers", "rejection"},
		{"make the tests pass", "tests"},
		{"JavaScript and GitHub", ""},
	} {
		var got []string
		for _, p := range Named(tt.text) {
			got = append(got, p.Code())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, strings.Join(got, " "), tt.want)
		}
	}
	if p := Named("one\nfix ä.py")[0]; p.Line != 2 || p.Col != 5 {
		t.Errorf("place %d:%d", p.Line, p.Col)
	}
}

// TestRead: only what a command line's status depends on counts.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		line string
		want bool // a.py decides
	}{
		{"python a.py", true},
		{"python a.py | grep -x 42", true},
		{"echo 3 | python a.py | grep 9", true},
		{"echo a.py", false},
		{"echo a.py | grep a", true},
		{"python a.py || true", false},
		{"python a.py || exit 1", true},
		{"python a.py; true", false},
		{"set -e; python a.py; true", true},
		{"python a.py | tail -5", false},
		{"set -o pipefail; python a.py | tail -5", true},
		{"ls # a.py", false},
		{"python a.py &", false},
		{"touch a.py", false},
		{"if test -f a.py; then exit 0; fi", false},
		{"if test -f a.py; then true; else exit 1; fi", true},
		{"out=$(python a.py); test \"$out\" = 5", true},
		{"python a.py > out; diff out want", true},
		{"python a.py > other; diff out want", false},
		{"bash -c 'python a.py'", true},
		{"bash -c 'python a.py || true'", false},
		{"timeout 5 python a.py", true},
		{"test a.py = a.py", false},
		{"test -f a.py", true},
		{"[ $(python a.py) = 5 ]", true},
		{"! grep -q x a.py", true},
		{"! true", false},
		{"python -c \"print('a.py')\"", false},
		{"python - <<E\nimport a # a.py\nassert open('a.py')\nE", true},
		{"for f in a.py; do python $f; done", true},
		{"exit 0; python a.py", false},
		{"not ( a command", false},
		{"export X=a.py", false},
		{"cd src && python a.py", true},
	} {
		r := Read(tt.line)
		if got := (&covering{text: r.Text}).names("a.py"); got != tt.want {
			t.Errorf("%q: %v, want %v (%q, %s)", tt.line, got, tt.want, r.Text, r.Why)
		}
	}
	if got := strings.Join(Read("env X=1 timeout 9 python3 -m pytest -q && npm test").Programs, " "); got != "npm pytest python3" {
		t.Errorf("programs %q", got)
	}
}

func TestAudit(t *testing.T) {
	for _, tt := range []struct{ name, task, check, want string }{
		{"its own name", "fix a.py", "python a.py", ""},
		{"a longer name", "fix a.py", "python data.py", "file:a.py"},
		{"another directory", "fix src/a.py", "python lib/a.py", "file:src/a.py"},
		{"the directory it goes to", "fix src/a.py", "cd src && python a.py", ""},
		{"a module", "fix src/a.py", "python -c 'from src.a import f; assert f(1) == 2'", ""},
		{"a pattern", "fix src/a.py", "python -m py_compile src/*.py", ""},
		{"an identifier in part", "write `add`", "python -c 'from x import add_one; assert add_one(1)'", "identifier:add"},
		{"an identifier", "write `add`", "python -c 'from x import add; assert add(1)'", ""},
		{"tests by a test builtin", "make the tests pass", "test -f out", "tests"},
		{"tests by make", "make the tests pass", "make test", ""},
		{"tests by go", "make the tests pass", "go test ./...", ""},
		{"rejection", "reject 0", "python -c 'f(1)'", "rejection number:0"},
		{"rejection by status", "must reject bad input", "! ./run bad", ""},
		{"a unit", "within 500 ms", "./bench --max 500ms", ""},
		{"a unit in another size", "within 500 ms", "./bench --max 0.5", ""},
		{"a wrong unit", "within 500 ms", "./bench --max 500s", "number:500ms"},
		{"one end of a range", "values from 1 to 100", "./f 1", "range:1-100"},
		{"both ends of a range", "values from 1 to 100", "./f 1 100", ""},
		{"both ends from outside", "values from 1 to 100", "! ./f 0 && ! ./f 101", ""},
		{"a number in a word", "print 42", "./show42", "number:42"},
	} {
		var got []string
		for _, g := range Audit(tt.task, []Check{{ID: "c", Command: tt.check}}) {
			got = append(got, g.Code())
			if g.Message() == "" {
				t.Errorf("%s: no message", tt.name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, strings.Join(got, " "), tt.want)
		}
	}
	if g := Audit("write hello.py", []Check{{ID: "c", Command: "python hellopy.py"}}); len(g) != 1 || g[0].Near != "hellopy.py" {
		t.Errorf("near: %+v", g)
	}
	if g := Audit("write hello.py", []Check{{ID: "c", Command: "echo hello.py"}}); len(g) != 1 || g[0].Idle != "c" {
		t.Errorf("idle: %+v", g)
	}
	if g := Audit("write hello.py", []Check{{ID: "c", Command: "python hello.py", Void: true}}); len(g) != 1 {
		t.Errorf("void: %+v", g)
	}
}

func FuzzAudit(f *testing.F) {
	f.Add("fix a.py between 1 and 5 ms", "if x; then y; fi | z || true <<E\nE")
	f.Fuzz(func(t *testing.T, task, command string) {
		for _, g := range Audit(task, []Check{{ID: "c", Command: command}}) {
			if g.Line < 1 || g.Col < 1 || g.Message() == "" {
				t.Errorf("%+v", g)
			}
		}
	})
}
