package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestForeignTasks: a repository that the session put into a file of tasks by hand is fetched and run
// by the runner, so it asks there, once.
func TestForeignTasks(t *testing.T) {
	for _, row := range []struct {
		file, before, after, run string
		asks                     bool
	}{
		{".pre-commit-config.yaml", "repos: []\n", "repos:\n- repo: https://github.com/acme/all\n  rev: main\n  hooks: [{id: fixer}]\n", "pre-commit run -a --color=never", true},
		{".pre-commit-config.yaml", "repos:\n- repo: https://github.com/acme/all\n  rev: v1\n", "repos:\n- repo: https://github.com/acme/all\n  rev: v2\n", "pre-commit run -a", false},
		{".pre-commit-config.yaml", "repos: []\n", "repos:\n- repo: local\n  hooks: [{id: fmt, name: fmt, language: system, entry: go vet ./...}]\n- repo: meta\n", "pre-commit run -a", false},
		{".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - id: x\n    language: python\n    entry: x\n", "repos:\n- repo: local\n  hooks:\n  - id: x\n    language: python\n    entry: x\n    additional_dependencies: [acme-x]\n", "pre-commit run x", true},
		{".pre-commit-config.yaml", "repos: []\n", "repos:\n- repo: https://github.com/acme/all\n", "pre-commit --version", false},
		{"lefthook.yml", "pre-commit: {}\n", "pre-commit: {}\nremotes:\n  - git_url: https://github.com/acme/hooks\n    configs: [a.yml]\n", "lefthook run pre-commit", true},
		{"lefthook.yml", "pre-commit: {}\n", "pre-commit:\n  commands:\n    vet:\n      run: go vet ./...\n", "lefthook run pre-commit", false},
		{"Taskfile.yml", "version: '3'\ntasks:\n  a: go vet ./...\n", "version: '3'\nincludes:\n  b: https://h.example/Taskfile.yml\ntasks:\n  a: go vet ./...\n", "task a", true},
		{"Taskfile.yml", "version: '3'\ntasks:\n  a: go vet ./...\n", "version: '3'\nincludes:\n  b: ./b\ntasks:\n  a: go vet ./...\n", "task a", false},
		{"mise.toml", "[tools]\nnode = \"20\"\n", "[tools]\nnode = \"20\"\n\"ubi:acme/kit\" = \"1\"\n", "mise run test", true},
		{"mise.toml", "[tools]\nnode = \"20\"\n", "[tools]\nnode = \"20\"\n[plugins]\nkit = \"https://github.com/acme/kit\"\n", "mise run test", true},
		{"mise.toml", "[tools]\nnode = \"20\"\n", "[tools]\nnode = \"22\"\n", "mise run test", false},
	} {
		p := inProject(t, map[string]string{row.file: row.before})
		p.write(row.file, row.after)
		for n := range 2 {
			d := p.call("Bash", map[string]string{"command": row.run})
			if (d.Disposition != gates.Approved) != (row.asks && n == 0) {
				t.Errorf("%s with %q, %s, time %d: %v %v", row.file, row.after, row.run, n+1, d.Disposition, d.Reasons)
			}
		}
	}
}
