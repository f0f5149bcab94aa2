package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestListedNames: what is written to names that a listing prints passes as long as none of
// them is a file that must not be changed without review.
func TestListedNames(t *testing.T) {
	disk := map[string]string{
		".git/config": "[core]\n", "src/a.py": "print(1)\n", "src/a.c": "int x;\n", "README.md": "x\n", "package.json": "{}\n", "docs/a.yml": "a: 1\n",
		".github/workflows/ci.yml": "on: push\n", ".claude/hooks/check.rb": "puts 1\n", "node_modules/x/.npmrc": "a=b\n",
	}
	for line, asks := range map[string]bool{
		"git ls-files '*.py' | xargs black -q":                   false,
		"git ls-files '*.json' | xargs prettier --write":         false,
		"git ls-files src | xargs sed -i s/a/b/":                 false,
		"git ls-files | grep '\\.py$' | xargs black -q":          false,
		"git ls-files | grep -E '\\.(c|h)$' | xargs touch":       false,
		"find . -name '*.md' | xargs sed -i s/a/b/":              false,
		"for f in $(git ls-files '*.py'); do black \"$f\"; done": false,

		"git ls-files | xargs sed -i s/a/b/":                          true,
		"git ls-files '*.yml' | xargs sed -i s/a/b/":                  true,
		"git ls-files | grep -E '\\.(c|yml)$' | xargs touch":          true,
		"git ls-files | grep -v '\\.py$' | xargs sed -i s/a/b/":       true,
		"git ls-files '*.rb' | xargs rubocop -a":                      true,
		"git ls-files .github | xargs sed -i s/a/b/":                  true,
		"find . -name '*.yml' | xargs sed -i s/a/b/":                  true,
		"find . -name '*.yml' -exec sed -i s/a/b/ {} +":               true,
		"find . -name config | xargs sed -i s/a/b/":                   true,
		"find . -type f | xargs sed -i s/a/b/":                        true,
		"find . -type f -not -name '*.py' | xargs sed -i s/a/b/":      true,
		"for f in $(git ls-files '*.yml'); do sed -i s/a/b/ $f; done": true,
	} {
		p := inProject(t, disk)
		if d := p.call("Bash", map[string]string{"command": line}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
	// Without what lies there by these names, they may be changed.
	delete(disk, ".github/workflows/ci.yml")
	delete(disk, ".claude/hooks/check.rb")
	for _, line := range []string{"git ls-files | xargs sed -i s/a/b/", "git ls-files '*.yml' | xargs sed -i s/a/b/", "git ls-files '*.rb' | xargs rubocop -a"} {
		if d := inProject(t, disk).call("Bash", map[string]string{"command": line}); d.Disposition != gates.Approved {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
