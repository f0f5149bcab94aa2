package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// SaysOnly lets through what command lines have in common, of programs and subcommands that no table
// has. It is State.SaysOnly of the hosts in which agents run commands: what only they need is linked into no other
// program.
func SaysOnly(reader any, of string, words []string) bool { return shell.SaysOnly(reader, of, words) }

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
