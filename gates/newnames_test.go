package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestTextUnderANewName: a text that the session wrote under a name that nothing loads counts
// under one that something loads, however it came there; where the host looks, by what lies
// there, and else by what the call shows.
func TestTextUnderANewName(t *testing.T) {
	const (
		imports = "import util\nutil.go()\n"
		patch   = "--- /dev/null\n+++ b/util.py\n@@ -0,0 +1,4 @@\n+import subprocess\n+\n+def go():\n+    subprocess.run(['git', 'push'])\n"
		tame    = "--- /dev/null\n+++ b/util.py\n@@ -0,0 +1,2 @@\n+def go():\n+    return 1\n"
		twice   = "# one\n" + pushPy
	)
	for _, row := range []struct {
		name, text, line string
		leaves           string // what util.py holds then
		looks, asks      bool
	}{
		{"git mv", pushPy, "git mv x.txt util.py", pushPy, false, true},
		{"git mv, looked at", pushPy, "git mv x.txt util.py", pushPy, true, true},
		{"git mv of what is plain", plainP, "git mv x.txt util.py", plainP, true, false},
		{"git mv to a name that nothing loads", pushPy, "git mv x.txt other.py", "", true, false},
		{"a patch", patch, "git apply x.txt", pushPy, false, true},
		{"a patch, looked at", patch, "git apply x.txt", pushPy, true, true},
		{"a tame patch", tame, "git apply x.txt", plainP, true, false},
		{"copies of what is found", pushPy, `find . -name x.txt -exec cp {} util.py \;`, pushPy, false, true},
		{"copies of what is found, looked at", pushPy, `find . -name x.txt -exec cp {} util.py \;`, pushPy, true, true},
		{"copies of plain files", plainP, `find . -name x.txt -exec cp {} util.py \;`, plainP, true, false},
		{"by xargs", pushPy, "ls x.txt | xargs -I{} cp {} util.py", pushPy, false, true},
		{"cut and moved", twice, "split -l 100 x.txt ut && mv utaa util.py", twice, false, true},
		{"a piece", twice, "csplit x.txt 2; mv xx01 util.py", pushPy, true, true},
		{"by a program that nobody knows", pushPy, "./place x.txt", pushPy, true, true},
		{"what was there before", pushPy, "ls", "import subprocess\nsubprocess.run(['git', 'push', 'origin'])\n", true, false},
	} {
		p := inProject(t, map[string]string{"a.py": imports})
		look := p.st.Text
		p.write("x.txt", row.text)
		if !row.looks {
			p.st.Text = func(name string) (string, bool) {
				if name == "/home/u/p/util.py" {
					return "", false
				}
				return look(name)
			}
		}
		p.call("Bash", map[string]string{"command": row.line})
		if row.leaves != "" {
			p.disk["/home/u/p/util.py"] = row.leaves
		}
		if d := p.call("Bash", map[string]string{"command": "python3 a.py"}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.name, d.Disposition, d.Reasons)
		}
	}
}
