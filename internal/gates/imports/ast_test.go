package imports

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAgainstPython has Python's own parser read the same programs. Every module that it
// finds is found here, and every use of a name that loads what the text does not name is
// refused; where it refuses a program, nothing is asked. The programs are put together at
// random from pieces that stand at the edges of strings, comments and statements, and are
// those of Python's own library, which also say how many are refused for nothing.
func TestAgainstPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no python3 on this machine: nothing compared")
		return
	}
	n := 20000
	if testing.Short() {
		n = 4000
	}
	programs := drawnPrograms(n)
	drawn := len(programs)
	programs = append(programs, library(t, python)...)
	said := pythonSays(t, python, programs)
	valid, refused := 0, 0
	for i, text := range programs {
		if said[i] == nil {
			continue
		}
		got := Read("python", text)
		if i < drawn {
			valid++
		} else if got.Why != "" {
			refused++
		}
		if got.Why != "" {
			continue
		}
		for _, m := range said[i].modules {
			if !slices.Contains(got.Modules, m) {
				t.Errorf("%.300q: Python imports %s, and %v are found", text, m, got.Modules)
			}
		}
		if said[i].hidden {
			t.Errorf("%.300q: loads what it does not name, and is read", text)
		}
	}
	t.Logf("%d programs drawn, %d of them valid; %d of the library, %d refused", drawn, valid, len(programs)-drawn, refused)
	if valid < n/50 || len(programs) == drawn {
		t.Errorf("%d of %d programs are valid, and %d are of the library: too few to compare", valid, n, len(programs)-drawn)
	}
}

type pythonReading struct {
	modules []string
	hidden  bool
}

func pythonSays(t *testing.T, python string, programs []string) []*pythonReading {
	t.Helper()
	var in, out, errs bytes.Buffer
	for _, p := range programs {
		if err := json.NewEncoder(&in).Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, "testdata/second.py")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	var said []*pythonReading
	for line := range bytes.Lines(out.Bytes()) {
		var two []json.RawMessage
		if err := json.Unmarshal(line, &two); err != nil {
			t.Fatal(err)
		}
		if two == nil {
			said = append(said, nil)
			continue
		}
		r := new(pythonReading)
		if json.Unmarshal(two[0], &r.modules) != nil || json.Unmarshal(two[1], &r.hidden) != nil {
			t.Fatalf("answer %s", line)
		}
		said = append(said, r)
	}
	if len(said) != len(programs) {
		t.Fatalf("%d answers to %d programs", len(said), len(programs))
	}
	return said
}

// pieces are what random programs are put together from.
var pieces = []string{
	"import os", "import a.b as c", "import a, os", "from a import b", "from a.b import (c,\n d)", "from . import a", "from .. a import *", "x", "=", " ", " ", "\n", "\n", "\n", ";", ":", "if 1:", "(", ")", "[", "]", "{", "}",
	"'", "\"", "'''", `"""`, "f'", `f"`, `f"""`, "rf'", "rb'", "u'", "\\", "\\\n", "#", "# c\n", "\r", "\r\n", "\t", "\f", "!r", "!", "{{", "}}", "{x}", "{x:", "{x!r:>{", "exec(x)", "eval", "getattr(x, ", "'n'", "y)", "__import__(", "'os')",
	"__import__", ".", ",", "+", "lambda: ", "x.__dict__", "vars(x)", "1", "0x1", "1if x else 2", " if ", " else ", "pass", "'a' 'b'", `\N{DASH}`, "é", "lazy ", "def f(): ", "return ", "yield from x", "compile=1", "f(exec=1)", "@", "->",
	"# c\r", "#\rimport os", `f"{`, `f'a{`, `}"`, `}'`, "{eval}", "{exec(x)}", `f"{exec(x)}"`, "'''{", "f'''{", "}'''", "{{{exec(x)}}}", "{x:{exec(x)}}", `rf'\{exec(x)}'`, "def exec(): pass",
	"import os; x = 'a'", "x = 'import os'", "x = f'{x}'", "y = [\n1,\n2]", "try:\n  import a\nexcept: pass",
}

// drawnPrograms puts programs together, the same ones each time. Half of them are lines
// that are likely to be valid.
func drawnPrograms(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	var out []string
	for i := range n {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if i%2 == 0 {
				b.WriteString([]string{"\n", " ", ";", "", "\n\n"}[r.IntN(5)])
			}
		}
		out = append(out, b.String())
	}
	return out
}

// library are the files of Python's own library that are short enough to be read.
func library(t *testing.T, python string) []string {
	t.Helper()
	dir, err := exec.Command(python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, pattern := range []string{"*.py", "*/*.py"} {
		files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), pattern))
		for _, name := range files {
			if data, err := os.ReadFile(name); err == nil && len(data) <= maxText && len(out) < 700 {
				out = append(out, string(data))
			}
		}
	}
	return out
}
