package names

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// guardedNames are elements of workspace paths whose change runs code later or
// changes what an agent may do: hooks, CI pipelines, settings of editors and
// agents (package hosts/settings has where they are), direnv, pre-commit, lefthook,
// development containers (containers.dev, devcontainer.json). Where a CI service
// looks for its pipeline stands in the manual of each: CircleCI, Buildkite, Travis,
// Jenkins, Azure, Drone, Woodpecker. Start-up files of bash(1) and zsh(1). Sorted.
var guardedNames = [...]string{
	".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".buildkite", ".circleci", ".claude", ".codex", ".cursor", ".devcontainer",
	".devcontainer.json", ".drone.yml", ".envrc", ".gemini", ".git", ".gitconfig", ".gitlab-ci.yml", ".gitmodules", ".husky", ".idea", ".lefthook.yml",
	".mcp.json", ".npmrc", ".opencode", ".openhands", ".pre-commit-config.yaml", ".pre-commit-config.yml", ".profile", ".ssh", ".travis.yml", ".vscode",
	".windsurf", ".woodpecker.yml", ".zed", ".zlogin", ".zprofile", ".zshenv", ".zshrc", "azure-pipelines.yml", "jenkinsfile", "lefthook.yml",
	"opencode.json", "opencode.jsonc", "sitecustomize.py", "usercustomize.py",
}

// Guarded says whether a path relative to a workspace root must not be changed
// without review. Names count as the file system finds them, in any case.
func Guarded(rel string) bool {
	if rel == "" {
		return true
	}
	rel = Fold(rel)
	workflows := 0 // elements of .github/workflows that the path began with
	for i, s := 0, rel; s != ""; i++ {
		elem := s
		if j := strings.IndexByte(s, '/'); j >= 0 {
			elem, s = s[:j], s[j+1:]
		} else {
			s = ""
		}
		if elem = element(elem); guardedName(elem) {
			return true
		}
		if i == workflows && i < len(workflowDir) && (elem == workflowDir[i] || shortFor(elem, workflowDir[i])) {
			workflows++
		}
	}
	return workflows == len(workflowDir)
}

// workflowDir is where GitHub looks for what CI runs: at the root alone.
var workflowDir = [...]string{".github", "workflows"}

func guardedName(elem string) bool {
	if elem == "" {
		return false
	}
	if strings.IndexByte(elem, '~') > 0 {
		return slices.ContainsFunc(guardedNames[:], func(n string) bool { return shortFor(elem, n) })
	}
	switch elem[0] {
	case '.', 'a', 'j', 'l', 'o', 's', 'u':
		_, ok := slices.BinarySearch(guardedNames[:], elem)
		return ok
	}
	return false
}

// GuardedGlob says whether a pattern below a root aims at a guarded path: one of
// its elements is guarded, or can match a name that is.
func GuardedGlob(rel string) bool {
	if Guarded(rel) {
		return true
	}
	rel = Fold(rel)
	for elem := range strings.SplitSeq(rel, "/") {
		if strings.HasPrefix(elem, ".") && mark.Has(elem) && slices.ContainsFunc(guardedNames[:], func(n string) bool { return mark.Match(elem, n) }) {
			return true
		}
	}
	first, rest, below := strings.Cut(rel, "/")
	second, _, _ := strings.Cut(rest, "/")
	return below && strings.HasPrefix(first, ".") && mark.Match(first, workflowDir[0]) && len(strings.Trim(second, starMarks)) > 0 && mark.Match(second, workflowDir[1])
}

// starMarks stand for any text in a pattern: one of them alone aims at nothing.
const starMarks = string(rune(mark.Star)) + string(rune(mark.Inside))
