package shell

import (
	"regexp"
	"slices"
	"strings"
)

// This file is about runs of git that print settings, among them the addresses of remotes: an
// address may hold a password.

// GitShown is what a run of git prints of settings.
type GitShown struct {
	Prints           func(key string) bool // nil for none
	Repository, User bool                  // whether it goes by those of the repository, and of the user
	File             string                // the one file that it reads instead
	Includes         bool                  // and what files are included
}

// GitShows says which settings a run of git prints (git-config(1), git-remote(1), git-var(1),
// git-ls-remote(1)).
func GitShows(words []string) GitShown {
	sub, args := GitSubcommand(words)
	all := GitShown{Repository: true, User: true, Includes: true}
	url := func(key string) bool {
		return strings.HasPrefix(key, "remote.") && strings.HasSuffix(key, "url") || strings.HasPrefix(key, "url.")
	}
	switch sub {
	case "remote":
		opts, operands := gitRemoteOptions.read(args)
		if len(operands) > 0 && (operands[0] == "show" || operands[0] == "get-url") || slices.ContainsFunc(opts, func(o option) bool { return o.name == "v" || o.name == "verbose" }) {
			all.Prints = url
		}
	case "ls-remote":
		opts, operands := gitLsRemoteOptions.read(args)
		named := func(list ...string) bool {
			return slices.ContainsFunc(opts, func(o option) bool { return contains(o.name, list...) })
		}
		if named("get-url") || len(operands) == 0 && !named("q", "quiet") { // it says where it looks
			all.Prints = url
		}
	case "var":
		if ContainsAny(args, "-l") {
			all.Prints = func(string) bool { return true }
		}
	case "config":
		return configShows(args)
	}
	return all
}

// gitRemoteOptions and gitLsRemoteOptions are the options of git remote and git ls-remote that
// matter here, or that one of those could be cut short to.
var (
	gitRemoteOptions   = getopt{valued: "tm", longs: "verbose", first: true}
	gitLsRemoteOptions = getopt{valued: "o", longs: "branches exit-code get-url heads quiet refs server-option= sort= symref tags upload-pack="}
)

// configShows says what git config prints, in its older form by options and its newer by words.
func configShows(args []string) GitShown {
	out := GitShown{Repository: true, User: true, Includes: true}
	opts, words := gitConfigOptions.read(args)
	list, gets, regular, match, names := false, false, false, false, false
	for _, o := range opts {
		switch o.name {
		case "l", "list":
			list = true
		case "get", "get-all":
			gets = true
		case "get-regexp", "regexp":
			gets, regular = true, true
		case "get-urlmatch", "url":
			gets, match = true, true
		case "name-only":
			names = true
		case "f", "file", "blob":
			out.Repository, out.User, out.Includes, out.File = false, false, false, o.value
		case "global":
			out.Repository = false
		case "local", "worktree":
			out.User = false
		case "system":
			out.Repository, out.User = false, false
		case "add", "replace-all", "unset", "unset-all", "remove-section", "rename-section", "e", "edit", "get-color", "get-colorbool":
			return out
		}
	}
	if len(words) > 0 && !list && !gets || regular || match {
		switch first := words[:min(1, len(words))]; {
		case ContainsAny(first, "set", "unset", "remove-section", "rename-section", "edit"):
			return out
		case ContainsAny(first, "list"):
			list = true
		case ContainsAny(first, "get"):
			gets, words = true, words[1:]
		}
	}
	switch {
	case names && (list || regular) || !list && len(words) == 0 || !list && !gets && len(words) > 1: // names alone, or one that sets
	case list:
		out.Prints = func(string) bool { return true }
	case regular:
		re, err := regexp.Compile("(?i)" + words[0])
		out.Prints = func(key string) bool { return err != nil || re.MatchString(key) }
	case match:
		section, name, _ := cutAt(strings.ToLower(words[0]), ".")
		out.Prints = func(key string) bool {
			return strings.HasPrefix(key, section+".") && strings.HasSuffix(key, name)
		}
	default:
		out.Prints = func(key string) bool { return strings.EqualFold(key, words[0]) }
	}
	return out
}

var (
	// urlPassword is an address with a password, or with a name that is long enough to be a token.
	urlPassword = regexp.MustCompile(`://(?:[^/@\s:]*:[^/@\s]+|[^/@\s:]{16,})@`)
	// helperSecret is a password that a helper itself prints (git-credential(1), the output format).
	helperSecret = regexp.MustCompile(`(?i)(?:password|token|secret)=[^\s"'$]`)
	secretKey    = regexp.MustCompile(`(?:extraheader|password|passwd|pass|token|secret|apikey|cookie)$`)
)

// GitSecret says whether a configuration of git holds a setting that is printed and is a
// credential: an address with a password or a token in it, a header that is sent along, or what
// a tool keeps under the name of one. A password of which only the name of a variable stands
// there is none.
func GitSecret(text string, prints func(key string) bool) bool {
	for _, t := range settingsOf(text) {
		if prints(t.key) && (urlPassword.MatchString(t.value) || urlPassword.MatchString(t.key) || helperSecret.MatchString(t.value) ||
			secretKey.MatchString(t.key) && t.value != "" && !strings.HasPrefix(t.value, "$") && !strings.HasPrefix(t.value, "!")) {
			return true
		}
	}
	return false
}

// GitIncludes are the files that a configuration of git includes, under a condition or not.
func GitIncludes(text string) []string {
	var out []string
	for _, t := range settingsOf(text) {
		if strings.HasPrefix(t.key, "include") && strings.HasSuffix(t.key, ".path") && t.value != "" {
			out = append(out, t.value)
		}
	}
	return out
}

// configured is a setting: its key with section and subsection, and its value.
type configured struct{ key, value string }

// settingsOf reads a configuration of git, where the first setting of a section may stand on its
// line (git-config(1), Syntax).
func settingsOf(text string) []configured {
	var out []configured
	section := ""
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if m := gitSection.FindStringSubmatch(line); m != nil {
			if section = strings.ToLower(m[1]); m[2] != "" {
				section += "." + m[2]
			}
			line = line[len(m[0]):]
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := cutAt(line, "=")
		out = append(out, configured{section + "." + strings.ToLower(strings.TrimSpace(key)), strings.Trim(value, " \t\"")})
	}
	return out
}

var gitSection = regexp.MustCompile(`^\[[ \t]*([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\][ \t]*`)
