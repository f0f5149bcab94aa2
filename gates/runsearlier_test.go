package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// asHook is such a session with what the hook brings to judge it.
func asHook(t *testing.T, disk map[string]string) *project {
	t.Helper()
	p := inProject(t, disk)
	p.st.PlainAsRun, p.st.Constants, p.st.Inline = gates.PlainAsRun, gates.OwnConstants(), gates.InlineReader()
	return p
}

// perhapsWritten are ways in which a line writes a file, FILE, that may leave what lay there.
var perhapsWritten = []string{
	"true || echo x=1 > FILE", "false && echo x=1 > FILE", "if false; then echo x=1 > FILE; fi", "if true; then :; else echo x=1 > FILE; fi", "case a in b) echo x=1 > FILE ;; esac",
	"while false; do echo x=1 > FILE; done", "f() { return; echo x=1 > FILE; }; f", "(exit; echo x=1 > FILE)", "{ echo x=1 > FILE; } < nope", "echo x=1 < nope > FILE",
	"echo x=1 > FILE &", "sh -c 'exit; echo x=1 > FILE'", "echo x=1 > t; cp -n t FILE", "echo x=1 > t; mv -n t FILE", "echo x=1 > t; mv -u t FILE", "echo x=1 > t; ln t FILE", "test -d nope && cat > FILE <<'E'\nx=1\nE",
	"set -C; echo x=1 > FILE", "cp nope FILE", "cd nope && echo x=1 > FILE",
}

// surelyWritten are ways that leave nothing of it.
var surelyWritten = []string{"echo x=1 > FILE;", "echo x=1 > FILE &&", "mkdir -p d && echo x=1 > FILE &&", "cat > FILE <<'E'\nx=1\nE\n", "echo x=1 > t; cp t FILE;", "if true; then echo x=1 > FILE;"}

// TestFilesThatALineMayNotWrite: a line that writes a file, or does not, runs what lay there before.
func TestFilesThatALineMayNotWrite(t *testing.T) {
	for _, run := range []struct{ file, text, run string }{
		{"s.sh", "ssh prod deploy\n", "bash s.sh"},
		{"s.sh", "ssh prod deploy\n", "./s.sh"},
		{"s.sh", "ssh prod deploy\n", ". ./s.sh"},
		{"n.py", "import os\nos.system('ssh prod deploy')\n", "python3 n.py"},
		{"n.py", "exec(bytes.fromhex('696d706f7274206f73').decode())\n", "python3 n.py"},
		{"n.py", "exec(bytes.fromhex('696d706f7274206f73').decode())\n", "python3 < n.py"},
		{"n.py", "exec(bytes.fromhex('696d706f7274206f73').decode())\n", "python3 -c 'import n'"},
		{"m.py", "import os\nos.system('ssh prod deploy')\n", "python3 load.py"},
	} {
		session := func() *project {
			p := asHook(t, map[string]string{"load.py": "import m\n", "src/a.py": "x = 1\n"})
			p.write(run.file, run.text)
			return p
		}
		for _, way := range perhapsWritten {
			line := strings.ReplaceAll(way, "FILE", run.file)
			if sep := "; "; strings.HasSuffix(line, "&") {
				line += " " + run.run
			} else if strings.HasSuffix(line, "E") {
				line += "\n" + run.run
			} else {
				line += sep + run.run
			}
			if d := session().call("Bash", map[string]string{"command": line}); d.Disposition == gates.Approved {
				t.Errorf("passes: %q", line)
			}
		}
		if run.file == "m.py" || strings.Contains(run.run, "-c") || strings.Contains(run.run, "<") {
			continue
		}
		for _, way := range surelyWritten {
			line := strings.ReplaceAll(way, "FILE", run.file) + " " + run.run
			if strings.HasPrefix(line, "if") {
				line += "; fi"
			}
			if d := session().call("Bash", map[string]string{"command": line}); d.Disposition != gates.Approved {
				t.Errorf("asks: %q: %+v", line, d.Reasons)
			}
		}
	}
	for _, line := range []string{"false && echo x=1 > /tmp/x/s.sh; bash /tmp/x/s.sh", "true || echo x=1 > /tmp/x/s.sh; . /tmp/x/s.sh", "false && echo x=1 > /tmp/x/s.sh; bash < /tmp/x/s.sh"} {
		p := asHook(t, nil)
		p.disk["/tmp/x/s.sh"] = "ssh prod deploy\n"
		if d := p.call("Bash", map[string]string{"command": line}); d.Disposition == gates.Approved {
			t.Errorf("passes: %q", line)
		}
	}
	if d := asHook(t, nil).call("Bash", map[string]string{"command": "mkdir -p /tmp/x && echo x=1 > /tmp/x/s.sh; bash /tmp/x/s.sh"}); d.Disposition != gates.Approved {
		t.Errorf("asks about a file that is not there: %+v", d.Reasons)
	}
}
