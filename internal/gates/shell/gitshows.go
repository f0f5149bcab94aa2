package shell

import (
	"regexp"
	"slices"
	"strings"
)

// This file is about runs of git that print settings, among them the addresses of remotes: an
// address may hold a password.

// GitShows says which settings a run of git prints (git-config(1), git-remote(1)), nil for none,
// and whether it goes by those of the repository and by those of the user.
func GitShows(words []string) (prints func(key string) bool, repository, user bool) {
	sub, args := GitSubcommand(words)
	url := func(key string) bool {
		return strings.HasPrefix(key, "remote.") && strings.HasSuffix(key, "url") || strings.HasPrefix(key, "url.")
	}
	switch sub {
	case "remote":
		if containsAny(args, "-v", "--verbose", "show", "get-url") {
			return url, true, true
		}
	case "ls-remote":
		if containsAny(args, "--get-url") {
			return url, true, true
		}
	case "config":
		if containsAny(args, "--name-only", "set", "unset", "--unset", "--add", "--replace-all", "edit", "-e", "--edit") {
			return nil, false, false
		}
		return configShows(args), !containsAny(args, "--global", "--system"), !containsAny(args, "--local", "--worktree", "--system")
	}
	return nil, false, false
}

// configShows says which settings git config prints.
func configShows(args []string) func(string) bool {
	var words []string
	regular := containsAny(args, "--get-regexp", "--regexp")
	for i, a := range args {
		switch {
		case a == "-l" || a == "--list" || a == "list" && i == 0:
			return func(string) bool { return true }
		case a == "" || a[0] == '-' || i > 0 && containsAny(args[i-1:i], "-f", "--file", "--type", "--default", "--blob"):
		case a == "get" && len(words) == 0:
		default:
			words = append(words, a)
		}
	}
	switch {
	case len(words) == 0 || len(words) > 1 && !regular && !containsAny(args, "--get", "--get-all", "--get-urlmatch", "get"):
		return nil // one that sets
	case regular:
		re, err := regexp.Compile("(?i)" + words[0])
		return func(key string) bool { return err != nil || re.MatchString(key) }
	case containsAny(args, "--get-urlmatch"):
		return func(key string) bool {
			return strings.HasPrefix(key, strings.ToLower(words[0])) || strings.HasSuffix(key, words[0][strings.LastIndexByte(words[0], '.')+1:])
		}
	}
	return func(key string) bool { return strings.EqualFold(key, words[0]) }
}

var (
	// urlPassword is an address with a password, or with a name that is long enough to be a token.
	urlPassword = regexp.MustCompile(`://(?:[^/@\s:]*:[^/@\s]+|[^/@\s:]{16,})@`)
	secretKey   = regexp.MustCompile(`(?:extraheader|password|passwd|pass|token|secret|apikey|cookie)$`)
)

// GitSecret says whether a configuration of git holds a setting that is printed and is a
// credential: an address with a password or a token in it, a header that is sent along, or what
// a tool keeps under the name of one. A password of which only the name of a variable stands
// there is none.
func GitSecret(text string, prints func(key string) bool) bool {
	section := ""
	return slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
		line = strings.Trim(line, " \t\r")
		if m := gitHeader.FindStringSubmatch(line); m != nil {
			if section = strings.ToLower(m[1]); m[2] != "" {
				section += "." + m[2]
			}
			return urlPassword.MatchString(m[2]) && prints(section+".insteadof")
		}
		key, value, ok := strings.Cut(line, "=")
		key = section + "." + strings.ToLower(strings.Trim(key, " \t"))
		value = strings.Trim(value, " \t\"")
		if !ok || value == "" || !prints(key) {
			return false
		}
		return urlPassword.MatchString(value) || secretKey.MatchString(key) && !strings.HasPrefix(value, "$") && !strings.HasPrefix(value, "!")
	})
}
