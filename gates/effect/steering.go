package effect

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// steering are the commands of gbt by which a person says what passes, each with the
// subcommands that only show something, or the one flag without which it only shows. An agent that could run them would answer the
// questions about itself. Sorted by name.
var steering = [...]struct {
	name  string
	shows []string
	flag  string
	bare  bool // by itself it only shows
}{
	{name: "allow"}, {name: "approvals", shows: []string{"list", "show"}}, {name: "ask"}, {name: "consent", shows: []string{"list", "show"}, bare: true}, {name: "deny"}, {name: "hook"},
	{name: "log", flag: "write"}, {name: "rules", bare: true}, {name: "sessions", shows: []string{"export", "list", "show", "verify"}},
}

// Steering returns the command of gbt that words run if it decides what the guard lets
// pass, as "gbt approvals", or nothing. It is what a spawn of it has as its program.
func Steering(argv []string) string {
	if len(argv) == 0 || !isGuard(argv[0]) {
		return ""
	}
	var words []string
	for _, a := range argv[1:] {
		if !strings.HasPrefix(a, "-") {
			words = append(words, a)
		}
	}
	if len(words) == 0 {
		return ""
	}
	for i := range steering {
		if s := &steering[i]; s.name == words[0] {
			// A flag between them may take the word for its value.
			if s.bare && (len(argv) == 2 || len(argv) == 3 && argv[2] == "--json") && argv[1] == s.name || len(argv) > 2 && argv[1] == s.name && slices.Contains(s.shows, argv[2]) || s.flag != "" && !mayHaveFlag(argv[1:], s.flag) {
				return ""
			}
			return steeringPrefix + s.name
		}
	}
	return ""
}

// mayHaveFlag says whether words have a flag, or one of them is known to the run time only.
func mayHaveFlag(words []string, flag string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		return w != name && name == flag || mark.Has(w)
	})
}

const steeringPrefix = "gbt "

// Steers says whether a spawn's program is one that Steering named. No program that is
// found by its name has a space in it.
func Steers(program string) bool { return strings.HasPrefix(program, steeringPrefix) }

func isGuard(word string) bool {
	base := word[strings.LastIndexAny(word, `/\\`)+1:]
	return strings.EqualFold(strings.TrimSuffix(strings.ToLower(base), ".exe"), "gbt")
}
