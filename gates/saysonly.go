package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// SaysOnly lets through what command lines have in common, of programs and subcommands that no table
// has. It is State.SaysOnly of the hosts in which agents run commands: what only they need is linked into no other
// program.
func SaysOnly(reader any, of string, words []string) bool {
	return !actsByName(of, words) && shell.SaysOnly(reader, of, words)
}

// actsByName says whether a program's or a subcommand's name says that it does something: where it reads its words by
// hand, it may do that whatever stands behind them. A program that is told nothing but a long option for its help or its version
// is asked for that, whatever its name.
func actsByName(of string, words []string) bool {
	var plain []string
	for _, w := range words {
		if !strings.HasPrefix(w, "-") {
			plain = append(plain, path.Base(w))
		}
	}
	if len(plain) == 1 && of != "subcommand" && strings.HasPrefix(words[len(words)-1], "--") {
		return false
	}
	return slices.ContainsFunc(plain, func(w string) bool {
		parts := strings.FieldsFunc(strings.ToLower(w), func(r rune) bool { return r < 'a' || r > 'z' })
		return slices.ContainsFunc(parts, func(part string) bool {
			switch verb, _ := call.VerbOf(part); verb {
			case effect.VerbCreate, effect.VerbDelete, effect.VerbExecute, effect.VerbSend:
				return true
			}
			return names.Acts(part)
		})
	})
}

// says is effect.Places.Says, nil where the host has nothing for it. A program that the session
// installed is what it brought, whoever agreed to that.
func (s *State) says() func(reader any, of string, words []string) bool {
	if s.SaysOnly == nil {
		return nil
	}
	says, history := s.SaysOnly, s.History
	return func(reader any, of string, words []string) bool {
		return !slices.ContainsFunc(history, func(r Record) bool {
			brought := r.Kind == effect.Network || r.Kind == effect.Setting && r.Op == effect.OpInstall || r.Kind == effect.Spawn && r.Op == effect.OpEscape
			return brought && r.Resource != words[0] && strings.Contains(r.Resource, words[0])
		}) && says(reader, of, words)
	}
}
