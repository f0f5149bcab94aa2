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
		{"settings with a cache", []Request{chainPlain("setup.cfg", "[mypy]\ncache_dir = /tmp/c\n"), chainBash("mypy src")}, false},
		{"one of the project's", []Request{chainPlain("e.tf", "data \"external\" \"a\" { program = [\"sh\", \"scripts/x.sh\"] }\n"), chainBash("terraform validate")}, false},
	} {
		if got := !chainApproved(tt.calls); got != tt.asks {
			t.Errorf("%s: asks %v", tt.name, got)
		}
	}
}
