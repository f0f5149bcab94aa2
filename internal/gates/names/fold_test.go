package names

import (
	"strings"
	"testing"
)

// spellings are ways to write a name so that a file system of macOS or Windows
// opens the same file.
func spellings(name string) []string {
	out := []string{
		strings.ToUpper(name), strings.ToUpper(name[:2]) + name[2:], name + ".", name + " ", name + ". .", name + "::$DATA", name + ":stream",
		name[:1] + "\u200c" + name[1:], name + "\ufeff", strings.ReplaceAll(name, "s", "\u017f"), strings.ReplaceAll(name, "k", "\u212a"),
	}
	if letters, _, _ := strings.Cut(strings.TrimLeft(name, "."), "."); len(letters) > 2 {
		short := letters[:min(6, len(letters))]
		out = append(out, short+"~1", strings.ToUpper(short)+"~12", letters[:2]+"7D29~1")
	}
	return out
}

func TestGuardedInEverySpelling(t *testing.T) {
	n := 0
	for _, name := range guardedNames {
		for _, s := range append(spellings(name), name) {
			for _, path := range []string{s, s + "/x", "a/" + s, "a/b/" + s + "/c"} {
				n++
				if !Guarded(path) {
					t.Errorf("%q is not guarded", path)
				}
			}
		}
	}
	for _, p := range guardedPairs {
		if path := "a/" + p.dir + "/" + p.name; Guarded(path) == p.root {
			t.Errorf("%q: %v", path, p.root)
		}
		for _, dir := range append(spellings(p.dir), p.dir) {
			for _, name := range append(spellings(p.name), p.name) {
				n++
				if path := dir + "/" + name; !Guarded(path) || !Guarded(path+"/x") {
					t.Errorf("%q is not guarded", path)
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d paths", n)
	}
}

func TestNearNamesAreNotGuarded(t *testing.T) {
	for _, path := range []string{
		"git", ".gitignore", ".gitattributes", ".GITIGNORE", "src/Git/x.go", ".github/README.md", ".github", "docs/.github/workflows.md", "workflows/ci.yml",
		"a~1", "backup~1/x", "file~", "x.go~", "main.go:12", "notes. txt", ".github/workflow", "gitlog~1", "opencode", "Sitecustomize", "a.git",
		"package.json", "pyproject.toml", "Makefile", "Dockerfile", "tsconfig.json", "Cargo.toml", "Cargo.lock", "go.mod", "CMakeLists.txt", "build.gradle", "gradle.properties",
		"gradle/libs.versions.toml", ".cargo/audit.toml", "cargo/config.toml", "tools/x.go", "a/tools/bazel", "pnpm-workspace.yaml", ".editorconfig", ".eslintrc.json", ".prettierrc",
		".nvmrc", ".python-version", "AGENTS.md", "CLAUDE.md", ".dockerignore", "setup.cfg", "pytest.ini", ".github/dependabot.yml", ".github/CODEOWNERS", "model.pth",
	} {
		if Guarded(path) {
			t.Errorf("%q is guarded", path)
		}
	}
}

func TestSensitiveInEverySpelling(t *testing.T) {
	for _, name := range []string{".env", ".netrc", "id_rsa", "credentials.json", "server.pem", "shadow", ".npmrc", "prod.env"} {
		for _, s := range []string{name, strings.ToUpper(name), name + ".", name + " ", name + "::$DATA", name[:1] + "\u200d" + name[1:]} {
			if !Sensitive("/w/" + s) {
				t.Errorf("%q is not sensitive", s)
			}
		}
	}
	for _, dir := range []string{"/home/u/.SSH/x", "/home/u/.Aws/x", "/Users/u/library/keychains/x", "/home/u/.config/bravesoftware/x"} {
		if !Sensitive(dir) {
			t.Errorf("%q is not sensitive", dir)
		}
	}
	for _, name := range []string{"Env", "environment", "sam", "Keys", "PEM", "id_rsa.pub"} {
		if Sensitive("/w/" + name) {
			t.Errorf("%q is sensitive", name)
		}
	}
}

func TestGuardedGlobs(t *testing.T) {
	star := string(rune(2))
	for _, path := range []string{".g" + star + "/hooks/x", "a/.v" + star + "e/x", ".GI" + star + "/x", ".github/work" + star, ".gith" + star + "/workflows/x", "a" + star + "/.git/x", ".github/workflows/" + star} {
		if !GuardedGlob(path) {
			t.Errorf("%q is not guarded", path)
		}
	}
	for _, path := range []string{star + ".go", "src/" + star, ".github/" + star, ".eslint" + star, star + "/workflows/x"} {
		if GuardedGlob(path) {
			t.Errorf("%q is guarded", path)
		}
	}
}
