package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// steering is what a guarded file decides later, told by one of the names on its path.
type steering struct{ name, what string }

// guarded are the names by kind of what they steer. What is not here is said in general.
var guarded = [...]steering{
	{".git/hooks", "which git runs at its next commits, merges or pushes"},
	{".husky", "which git runs at its next commits, merges or pushes"},
	{".pre-commit-config.yaml", "which git runs at its next commits"},
	{".git", "git's own data and settings of this repository"},
	{".gitconfig", "settings of git, which can name programs that git runs"},
	{".gitmodules", "which says where code of submodules comes from"},
	{".github/workflows", "which runs on GitHub with the repository's rights"},
	{".gitlab-ci.yml", "which runs on GitLab with the repository's rights"},
	{".circleci", "which the build service runs with the repository's rights"},
	{".vscode", "settings of an editor, which can run programs"},
	{".idea", "settings of an editor, which can run programs"},
	{".devcontainer", "settings of the container that an editor starts"},
	{".npmrc", "settings of npm, which can name programs, registries and tokens"},
	{".envrc", "which direnv runs when somebody enters the directory"},
	{".ssh", "which decides who may log in here, and where ssh goes"},
	{".mcp.json", "settings of agents: which programs they start as tools"},
	{".github/hooks", "settings of agents: which programs they start by themselves"},
	{".github/copilot", "settings of agents: which programs they start by themselves"},
	{"crontab", "which runs by the clock"},
	{"cron.d", "which runs by the clock"},
	{"launchagents", "which runs at every login"},
	{"autostart", "which runs at every login"},
	{"systemd", "which the system starts by itself"},
}

// profiles are files that a shell runs when it starts.
var profiles = [...]string{".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", "config.fish"}

// steers says why a file is guarded, or what a file outside the workspace does; empty
// where its name says nothing.
func (s *subject) steers(e *gates.Effect) string {
	p := strings.ToLower(e.Resource)
	for _, elem := range strings.Split(p, "/") {
		for _, n := range profiles {
			if elem == n {
				return "which every new shell runs"
			}
		}
	}
	for i := range guarded {
		if strings.Contains(p, "/"+guarded[i].name+"/") || strings.HasSuffix(p, "/"+guarded[i].name) {
			return guarded[i].what
		}
	}
	for _, n := range names.AgentSettings {
		if strings.Contains(p, "/"+n+"/") || strings.HasSuffix(p, "/"+n) {
			return s.agent(e) + s.ownNamed(e)
		}
	}
	if s.c != nil && slices.Contains(s.c.Roots, e.Resource) {
		return "with the settings and hooks in it"
	}
	if s.rule == "protected/write" && e.Zone != effect.ZoneDevice {
		return "a file that gbt guards because it decides what runs later or what may be done"
	}
	return ""
}

// ownNamed says which scripts of the session's a change of an agent's settings or texts names: it may run them by
// itself from then on.
func (s *subject) ownNamed(e *gates.Effect) string {
	if s.rule != "protected/write" || s.c == nil {
		return ""
	}
	for _, w := range s.c.Written() {
		if w.Path != e.Resource || !w.Known {
			continue
		}
		for i := range s.c.Flow.Made {
			file := s.c.Flow.Made[i].Path
			if file != e.Resource && strings.Contains(w.Text, file[strings.LastIndexByte(file, '/')+1:]) && slices.Contains(scriptEndings[:], file[strings.LastIndexByte(file, '.')+1:]) {
				return "; it names " + where(s.c, file) + ", which this session wrote or changed"
			}
		}
	}
	return ""
}

// scriptEndings are endings of scripts that an agent may be told to run.
var scriptEndings = [...]string{"sh", "py", "js", "mjs", "ts", "rb"}

// notes says whether a file lies where agents note for themselves what they are told in later
// sessions of one project.
func (s *subject) notes(e *gates.Effect) bool {
	if s.c == nil || s.rule != "workspace/write" && s.rule != "protected/write" {
		return false
	}
	below, ok := strings.CutPrefix(e.Resource, s.c.Home+"/.")
	return ok && strings.HasSuffix(below, ".md") && strings.Contains(below, "/projects/") && strings.Contains(below, "/memory/")
}

// agent says what a file among the settings of a coding agent is to it, as hosts lay them
// out (internal/hosts): settings name programs, texts are followed, and a script is run
// where a setting or a text says so.
func (s *subject) agent(e *gates.Effect) string {
	if s.notes(e) {
		return "notes that a coding agent is told in later sessions of a project"
	}
	outside := ""
	switch {
	case s.rule == "workspace/write" && e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp && s.c != nil && s.c.Home != "" && strings.HasPrefix(e.Resource, s.c.Home+"/."):
		outside = " in every project"
	case s.rule != "protected/write":
		return ""
	}
	base := strings.ToLower(e.Resource[strings.LastIndexByte(e.Resource, '/')+1:])
	switch ext := base[strings.LastIndexByte(base, '.')+1:]; {
	case strings.Contains(base, "settings") && !strings.HasPrefix(base, "settings"):
		return "a file named as settings of a coding agent are" + outside + ", which name programs that it runs by itself, and what it may do"
	case strings.Contains(base, "settings") || strings.Contains(base, "config") || strings.Contains(base, "hooks.") || base == "opencode.json":
		return "settings of a coding agent" + outside + ": they name programs that it runs by itself, and what it may do"
	case outside != "" && strings.Contains(e.Resource, "/projects/") && ext == "md":
		return "among what a coding agent keeps of a project's sessions"
	case ext == "md" || ext == "mdc" || ext == "txt":
		return "instructions that a coding agent follows" + outside
	case slices.Contains(scriptEndings[:], ext):
		return "a script beside a coding agent's settings, which it may run by itself"
	}
	if outside != "" {
		return "among what a coding agent keeps for itself"
	}
	return "settings or instructions of a coding agent, which can change what it runs and may do"
}
