package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what stays behind when git has run: settings and remotes by which
// later runs of it connect somewhere, and programs that they start (git-config(1)).

// Turn says what later runs of git go by another way because of a change.
type Turn struct {
	Sends, Fetches bool // where these connect to, or what they start on the way
	Programs       bool // what any run of it starts
	Hooks          bool // what those start that change something
}

// everyTurn is the turn of what may be anything.
var everyTurn = Turn{Sends: true, Fetches: true, Programs: true, Hooks: true}

func (t Turn) none() bool { return t == Turn{} }

// GitTurn is what a run of git, or of gh, changes for later ones: what was changed, the
// value that it has now where that is one, and for which runs. ok is false where it
// changes nothing of the kind.
func GitTurn(words []string) (what, value string, t Turn, ok bool) {
	if len(words) == 0 {
		return "", "", t, false
	}
	switch baseName(words[0]) {
	case "gh":
		if len(words) > 3 && words[1] == "repo" && words[2] == "set-default" {
			return "gh repo set-default", "", Turn{Sends: true, Fetches: true}, true
		}
		return "", "", t, false
	case "git":
	default:
		return "", "", t, false
	}
	sub, args := gitSubcommand(words[1:])
	switch sub {
	case "config":
		var unset bool
		what, value, unset, ok = gitSet(args)
		if t = settingTurn(what, value); unset {
			t.Programs = false // what is gone starts nothing
			t.Sends, t.Fetches = t.Sends && known(what), t.Fetches && known(what)
			t.Hooks = t.Hooks && t.Sends
		}
	case "remote":
		what, value, t, ok = remoteTurn(args)
	}
	return what, value, t, ok && !t.none()
}

// GitSubcommand is the subcommand of git that words run, and its words; empty where none is.
func GitSubcommand(words []string) (sub string, args []string) {
	if len(words) == 0 || baseName(words[0]) != "git" {
		return "", nil
	}
	return gitSubcommand(words[1:])
}

// GitDirs are the directories that git goes to before it begins, one from the other
// (git(1), -C).
func GitDirs(words []string) []string {
	var out []string
	for i := 1; i < len(words) && len(words[i]) > 1 && words[i][0] == '-'; i++ {
		if words[i] == "-C" && i+1 < len(words) {
			out = append(out, words[i+1])
		}
		if words[i] == "-C" || words[i] == "-c" {
			i++
		}
	}
	return out
}

// gitSubcommand skips the options of git itself (git(1), OPTIONS).
func gitSubcommand(words []string) (sub string, args []string) {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-C" || w == "-c" || w == "--git-dir" || w == "--work-tree" || w == "--namespace" || w == "--config-env" || w == "--exec-path":
			i++
		case w == "" || w[0] != '-':
			return w, words[i+1:]
		}
	}
	return "", nil
}

// known says whether a setting is one of those that have a part in where git connects to,
// or in its hooks.
func known(key string) bool {
	key = strings.ToLower(key)
	return hasPrefixOf(placeKeys[:], key) || hasPrefixOf(hookKeys[:], key) || strings.HasPrefix(key, "include")
}

// gitSet is the setting that the words of git config change, and whether it is taken away.
func gitSet(args []string) (key, value string, unset, ok bool) {
	opts, words := gitConfigOptions.read(args)
	for _, o := range opts {
		switch o.name {
		case "get", "list", "l", "get-all", "get-regexp", "get-urlmatch", "name-only", "show-origin", "show-scope":
			return "", "", false, false
		case "e", "edit":
			return "git config --edit", "", false, true
		case "unset", "unset-all", "remove-section", "rename-section":
			unset = true
		case "":
			return "git config", "", false, true
		}
	}
	if len(words) > 0 {
		switch words[0] {
		case "get", "list":
			return "", "", false, false
		case "edit":
			return "git config edit", "", false, true
		case "set":
			words = words[1:]
		case "unset", "remove-section", "rename-section":
			unset, words = true, words[1:]
		}
	}
	switch {
	case len(words) == 0 || len(words) == 1 && !unset:
		return "", "", false, false
	case unset:
		return words[0], "", true, true
	}
	return words[0], words[1], false, true
}

// programKeys are settings that name a program which git starts for work in the
// repository: beginnings, and ends behind a dot.
var (
	programKeys = [...]string{"core.pager", "pager.", "core.fsmonitor", "core.editor", "sequence.editor", "filter.", "diff.", "difftool.", "merge.", "mergetool.", "gpg.", "interactive.", "trailer.", "blame.", "format.", "core.attributesfile"}
	hookKeys    = [...]string{"core.hookspath", "hook."}
	placeKeys   = [...]string{"remote.", "remote", "url.", "branch.", "push.", "http.", "https.", "credential.", "core.sshcommand", "core.gitproxy", "core.askpass", "ssh.", "protocol.", "lfs.", "uploadpack.", "submodule.", "fetch.", "pull."}
)

// settingTurn is what a setting changes. What nobody knows may be anything.
func settingTurn(key, value string) Turn {
	key = strings.ToLower(key)
	tame := value == "" || tameValue(value)
	switch {
	case key == "" || mark.Has(key):
		return everyTurn
	case key == "core.excludesfile", strings.HasPrefix(key, "alias."):
		return Turn{} // patterns of names; and no alias stands for a subcommand of git's own (git-config(1), alias.*)
	case tameSetting(key, value):
		return Turn{} // core.hooksPath=/dev/null starts nothing either
	case hasPrefixOf(hookKeys[:], key):
		return Turn{Sends: true, Hooks: true}
	case destinationKey(key) && hasPrefixOf(placeKeys[:], key):
		return placeTurn(key, value)
	case new(machine).gitKeySafe(key):
		return Turn{}
	case hasPrefixOf(programKeys[:], key):
		return Turn{Programs: !tame}
	case hasPrefixOf(placeKeys[:], key):
		return Turn{Sends: true, Fetches: true}
	}
	return everyTurn
}

// placeTurn is what a setting of remotes, branches and pushes changes.
func placeTurn(key, value string) Turn {
	last := key[lastByte(key, '.')+1:]
	switch {
	case last == "prune", last == "prunetags", last == "rebase", last == "description", last == "autosetupremote", last == "autosetuprebase", last == "mergeoptions", last == "recursesubmodules", last == "tagopt":
		return Turn{}
	case key == "push.default" && (value == "simple" || value == "current" || value == "nothing"):
		return Turn{}
	case strings.HasPrefix(key, "push."), last == "pushurl", last == "push", last == "mirror", last == "pushremote", last == "pushdefault", last == "pushinsteadof", last == "receivepack":
		return Turn{Sends: true}
	case last == "uploadpack", last == "fetch", last == "partialclonefilter":
		return Turn{Fetches: true}
	}
	return Turn{Sends: true, Fetches: true}
}

//go:noinline
func hasPrefixOf(list []string, key string) bool {
	for _, p := range list {
		if key == p || strings.HasPrefix(key, p) && p[len(p)-1] == '.' {
			return true
		}
	}
	return false
}

// remoteTurn is what git remote changes (git-remote(1)). Who agrees to a new remote sees
// its address, and what is fetched from there is what it is for.
func remoteTurn(args []string) (what, value string, t Turn, ok bool) {
	if len(args) == 0 {
		return "", "", t, false
	}
	opts := getopt{valued: "tm", longs: "push add delete fetch tags no-tags mirror? track= master="}
	_, words := opts.read(args[1:])
	name := ""
	if len(words) > 0 {
		name = words[0]
	}
	switch args[0] {
	case "add":
		return "remote " + name, at(words, 1), Turn{Sends: true}, true
	case "set-url":
		return "remote " + name, at(words, 1), Turn{Sends: true, Fetches: true}, true
	case "rename", "remove", "rm":
		return "remote " + name, "", Turn{Sends: true, Fetches: true}, true
	}
	return "", "", t, mark.Has(args[0])
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// TurnOfFile is what a change of a file does to later runs of git (gitrepository-layout(5);
// git-config(1), FILES; ssh_config(5)).
func TurnOfFile(file string) (t Turn, ok bool) {
	base, dir := baseName(file), path.Dir(file)
	switch {
	case base == ".gitconfig", strings.HasSuffix(file, "/.config/git/config"), strings.HasSuffix(dir, ".git") && (base == "config" || base == "config.worktree"), base == ".git":
		return everyTurn, true
	case inGit(dir, "remotes"), inGit(dir, "branches"), baseName(dir) == ".ssh" && (base == "config" || base == "known_hosts"), strings.Contains(dir, "/.ssh/config.d"):
		return Turn{Sends: true, Fetches: true}, true
	case inGit(dir, "hooks") && !strings.HasSuffix(base, ".sample"), base == "hooks" && strings.HasSuffix(dir, ".git"):
		return Turn{Sends: base == "pre-push" || base == "hooks", Hooks: true, Programs: strings.HasPrefix(base, "fsmonitor")}, true
	}
	return Turn{}, false
}

// inGit says whether a directory is one of a repository's own.
func inGit(dir, name string) bool {
	above, ok := cutSuffix(dir, "/"+name)
	return ok && (strings.HasSuffix(above, ".git") || strings.Contains(above, "/.git/"))
}

// ReadsOnly says whether a subcommand of git changes neither a repository nor its files,
// so that it starts no hook of it (githooks(5)).
func ReadsOnly(sub string, args []string) bool {
	switch sub {
	case "fetch", "pull", "push", "clone":
		return false
	}
	return keeps.Git(sub, keeps.GitElsewhere) || gitListing(sub, args) || sub == "config" || sub == "add" || sub == "remote" || sub == ""
}
