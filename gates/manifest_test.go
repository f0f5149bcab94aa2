package gates

import "testing"

// TestDependenciesFromAddresses: a dependency that the session takes from an address
// asks before it is installed, and before nothing else.
func TestDependenciesFromAddresses(t *testing.T) {
	for _, tt := range []struct {
		file, text, run string
		asks            bool
	}{
		{"pyproject.toml", "[project]\ndependencies = [\"a @ git+https://h.example/a\"]\n", "uv sync", true},
		{"pyproject.toml", "[project]\ndependencies = [\"a @ git+ssh://git@h.example/a\"]\n", "uv lock", true},
		{"package.json", "{\n  \"dependencies\": {\n    \"a\": \"git+https://h.example/a.git\"\n  }\n}\n", "npm ci", true},
		{"package.json", "{\n  \"dependencies\": {\n    \"a\": \"git+https://h.example/a.git\"\n  }\n}\n", "npm run lint", false},
		{"package.json", "{\n  \"repository\": {\n    \"url\": \"git+https://h.example/a.git\"\n  }\n}\n", "npm ci", false},
		{"pyproject.toml", "[project]\ndependencies = [\"a >= 1\"]\n", "uv sync", false},
		{"docs/a.md", "pip install git+https://h.example/a\n", "uv sync", false},
	} {
		if got := !chainApproved([]Request{chainPlain(tt.file, tt.text), chainBash(tt.run)}); got != tt.asks {
			t.Errorf("%s, then %s: asks %v", tt.file, tt.run, got)
		}
	}
}
