package names

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// guardedNames are elements of workspace paths whose change runs code later or
// changes what an agent may do: hooks, CI pipelines, settings of editors and
// agents (package hosts/settings has where they are), direnv. Sorted.
var guardedNames = [...]string{
	".bash_profile", ".bashrc", ".claude", ".codex", ".cursor", ".envrc", ".gemini", ".git", ".gitconfig",
	".gitlab-ci.yml", ".gitmodules", ".husky", ".idea", ".mcp.json", ".npmrc", ".opencode", ".openhands", ".profile", ".ssh",
	".vscode", ".zshrc", "opencode.json", "opencode.jsonc", "sitecustomize.py", "usercustomize.py",
}

// Guarded says whether a path relative to a workspace root must not be changed
// without review.
func Guarded(rel string) bool {
	if rel == "" {
		return true
	}
	for s := rel; s != ""; {
		elem := s
		if i := strings.IndexByte(s, '/'); i >= 0 {
			elem, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if len(elem) == 0 || elem[0] != '.' && elem[0] != 'o' && elem[0] != 's' && elem[0] != 'u' {
			continue
		}
		if _, ok := slices.BinarySearch(guardedNames[:], elem); ok {
			return true
		}
	}
	return strings.HasPrefix(rel, ".github/workflows")
}

// GuardedGlob says whether a pattern below a root aims at a guarded path.
func GuardedGlob(rel string) bool {
	if !strings.HasPrefix(rel, ".") && !strings.Contains(rel, "/.") {
		return false
	}
	elem := rel
	if i := strings.IndexByte(rel, '/'); i >= 0 {
		elem = rel[:i]
	}
	if !mark.Has(elem) {
		return Guarded(elem)
	}
	for _, n := range guardedNames {
		if mark.Match(elem, n) {
			return true
		}
	}
	return false
}
