package names

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// guardedNames are elements of workspace paths whose change runs code later, without
// being named by who runs it, or changes what an agent may do. What a build or a test
// run loads (package.json, Makefile, pyproject.toml) is not here: people edit it all
// day, and it is judged by what it holds when something runs it. They are common
// knowledge without a source, but for those that package hosts/settings names:
//
//   - hooks of git, and of husky, pre-commit, lefthook and overcommit
//   - CI: GitLab, CircleCI, Buildkite, Travis, Jenkins, Azure, Drone, Woodpecker,
//     Cirrus, Bitbucket
//   - gbt's own rules
//   - editors, agents, environments: VS Code, Vim and Neovim ('exrc'), Emacs (directory
//     variables), aider, Continue, Windsurf, development
//     containers, direnv, Gitpod
//   - package managers and build tools: npm, Yarn, pnpm, Bun, Maven, Bazel, rustup (a
//     path to a toolchain), Ansible
//   - shells, interpreters and debuggers, which read them where they start: bash, zsh,
//     Python's site and pdb, gdb, lldb, ghci, Pry, R
//
// Sorted.
var guardedNames = [...]string{
	".aider.conf.yml", ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".bazelrc", ".buildkite", ".circleci", ".cirrus.star", ".cirrus.yml", ".claude", ".codex",
	".continue", ".copilot", ".cursor", ".devcontainer", ".devcontainer.json", ".dir-locals-2.el", ".dir-locals.el", ".drone.yml", ".envrc", ".exrc", ".factory", ".gbt", ".gdbinit", ".gemini", ".ghci", ".git",
	".gitconfig", ".gitlab-ci.yml", ".gitmodules", ".gitpod.yml", ".husky", ".idea", ".lefthook-local.json", ".lefthook-local.toml", ".lefthook-local.yaml", ".lefthook-local.yml",
	".lefthook.json", ".lefthook.jsonc", ".lefthook.toml", ".lefthook.yaml", ".lefthook.yml", ".lldbinit", ".mcp.json", ".mvn", ".npmrc", ".nvim.lua", ".nvimrc", ".opencode",
	".openhands", ".overcommit.yml", ".pdbrc", ".pnpmfile.cjs", ".pre-commit-config.yaml", ".pre-commit-config.yml", ".profile", ".pryrc", ".rprofile", ".ssh", ".travis.yml", ".vimrc",
	".vscode", ".windsurf", ".woodpecker.yml", ".yarnrc", ".yarnrc.yml", ".zed", ".zlogin", ".zprofile", ".zshenv", ".zshrc", "ansible.cfg", "azure-pipelines.yml",
	"bitbucket-pipelines.yml", "bunfig.toml", "jenkinsfile", "lefthook-local.json", "lefthook-local.toml", "lefthook-local.yaml", "lefthook-local.yml", "lefthook.json",
	"lefthook.jsonc", "lefthook.toml", "lefthook.yaml", "lefthook.yml", "opencode.json", "opencode.jsonc", "rust-toolchain", "rust-toolchain.toml", "sitecustomize.py",
	"usercustomize.py",
}

// AgentSettings are the names under which coding agents look for their settings, in a project and in
// a home.
var AgentSettings = [...]string{".claude", ".codex", ".cursor", ".gemini", ".opencode", ".openhands", ".continue", ".windsurf", ".aider.conf.yml", "opencode.json"}

// Agent says whether a program is a coding agent: it has the name of the directory of its settings.
func Agent(program string) bool { return slices.Contains(AgentSettings[:], "."+program) }

// guardedPair is a name that is guarded below another one.
type guardedPair struct {
	dir, name string
	root      bool // only where dir is in the root
}

// guardedPairs are where GitHub looks for what CI runs, Copilot for hooks, settings and servers
// (docs.github.com, reference of its CLI), other agents for programs that they start (docs.roocode.com, kilo.ai,
// docs.cline.bot, kiro.dev), Cargo for a runner, a linker
// and a compiler's wrapper, the Gradle Wrapper for what it downloads and runs, and
// Bazelisk for what it runs in place of Bazel: common knowledge without a source. gbt
// keeps a user's rules, what they accepted and its sessions where the XDG Base Directory
// Specification has them.
var guardedPairs = [...]guardedPair{
	{".cargo", "config.toml", false}, {".cargo", "config", false}, {".github", "hooks", true}, {".github", "workflows", true}, {".github", ".copilot"[1:], true}, {".github", "lsp.json", true}, {".github", "mcp.json", true},
	{".clinerules", "hooks", false}, {".kilocode", "mcp.json", false}, {".kiro", "hooks", false}, {".kiro", "settings", false},
	{".roo", "mcp.json", false},
	{"gradle", "wrapper", false}, {".config", "gbt", false}, {".cache", "gbt", false}, {"state", "gbt", false}, {"tools", "bazel", true}, {"tools", "bazel.bat", true},
	{"tools", "bazel.ps1", true},
}

// GuardedBelow returns a guarded name that a directory of the name may hold: who
// replaces the directory replaces that. root says that it lies in the root. A
// directory whose name begins with no dot may hold anything else.
func GuardedBelow(dir string, root bool) string {
	dir = Fold(dir)
	for i := range guardedPairs {
		if p := &guardedPairs[i]; dir == p.dir && dir[0] == '.' && (root || !p.root) {
			return p.name
		}
	}
	return ""
}

// Guarded says whether a path relative to a workspace root must not be changed
// without review. Names count as the file system finds them, in any case.
func Guarded(rel string) bool {
	if rel == "" {
		return true
	}
	rel = Fold(rel)
	last := ""
	for i, s := 0, rel; s != ""; i++ {
		elem := s
		if j := strings.IndexByte(s, '/'); j >= 0 {
			elem, s = s[:j], s[j+1:]
		} else {
			s = ""
		}
		if elem = element(elem); guardedName(elem) && !unloaded(elem, s) || guardedAfter(last, elem, i == 1) {
			return true
		} else if guardedName(elem) {
			return false // all of the rest was looked at
		}
		last = elem
	}
	return false
}

// guardedAfter says whether a name is guarded behind the one before it in a path.
func guardedAfter(dir, name string, root bool) bool {
	if dir == "" {
		return false
	}
	for i := range guardedPairs {
		p := &guardedPairs[i]
		if (root || !p.root) && (dir == p.dir || shortFor(dir, p.dir)) && (name == p.name || shortFor(name, p.name)) {
			return true
		}
	}
	return false
}

// GuardedName says whether a pattern of names can match a hidden one that is guarded.
func GuardedName(pattern string) bool {
	pattern = Fold(pattern)
	return slices.ContainsFunc(guardedNames[:], func(n string) bool { return n[0] == '.' && mark.Match(pattern, n) })
}

func guardedName(elem string) bool {
	if elem == "" {
		return false
	}
	if strings.IndexByte(elem, '~') > 0 {
		return slices.ContainsFunc(guardedNames[:], func(n string) bool { return shortFor(elem, n) })
	}
	switch elem[0] {
	case '.', 'a', 'b', 'j', 'l', 'o', 'r', 's', 'u':
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
	return guardedPairGlob(rel)
}

// guardedPairGlob says whether two elements of a pattern aim at a guarded pair: the
// first begins with a dot, and the second is not any name.
func guardedPairGlob(rel string) bool {
	elems := strings.Split(rel, "/")
	for i := 1; i < len(elems); i++ {
		dir, name := elems[i-1], elems[i]
		if !strings.HasPrefix(dir, ".") || strings.Trim(name, starMarks) == "" {
			continue
		}
		for _, p := range guardedPairs {
			if (i == 1 || !p.root) && mark.Match(dir, p.dir) && mark.Match(name, p.name) {
				return true
			}
		}
	}
	return false
}

// starMarks stand for any text in a pattern: one of them alone aims at nothing.
const starMarks = string(rune(mark.Star)) + string(rune(mark.Inside))
