package scope

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// This file names connections of which only the program is known: where they go, its settings
// and its words say. One name for all that a cloud's program does would let a yes to the lines
// of one log cover the rows of every table.

// account says whether an effect goes where a program's own settings, or words that nobody took
// for an address, lead it.
func account(e *gates.Effect) bool {
	rest, ok := strings.CutPrefix(e.Resource, e.Program)
	return ok && e.Program != "" && e.Net.Domain+e.Net.IP == "" && (rest == "" || strings.HasPrefix(rest, " as "))
}

// ofAccount names such a connection by the words of the run, and by its directory where that is not
// the call's own: what is sent from there is something else.
func ofAccount(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	words := Quote(slices.Concat(by.Words[:1], withoutAmounts(by.Words[1:])))
	if class.Sent(words)&class.Credentials != 0 || len(words) > maxExact {
		return nil
	}
	if dir := dirOf(c, by); dir != c.Cwd {
		words += " in " + dir
	}
	return []string{e.Op.String() + direction(e) + e.Resource + byWords + words}
}

// byWords stands in such a name before the words, and exactly before those of a line.
const (
	byWords    = " by the words "
	exactlyRun = "run exactly "
)

// Spelled says whether a name spells out words of the command line, or arguments of a tool, which are no
// part of what is logged.
func Spelled(name string) bool {
	return strings.HasPrefix(name, exactlyRun) || strings.Contains(name, byWords) || strings.HasPrefix(name, ofRecord) || strings.HasPrefix(name, newRecords)
}

// direction is the word between what is done and where it goes.
func direction(e *gates.Effect) string {
	if e.Op == effect.OpFetch || e.Op == effect.OpProbe {
		return " from "
	}
	return " to "
}

// amounts are options that say how much of the same is shown and since when, in the manuals of
// the clouds' programs; plainAmounts are those of them without a value. Sorted.
var (
	amounts      = []string{"--end-time", "--limit", "--max-items", "--page-size", "--since", "--start-time"}
	plainAmounts = []string{"--follow", "--no-cli-pager", "--no-paginate"}
)

// withoutAmounts are words without those options and their values.
func withoutAmounts(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		name, _, given := strings.Cut(words[i], "=")
		switch {
		case slices.Contains(plainAmounts, words[i]), given && slices.Contains(amounts, name):
		case slices.Contains(amounts, words[i]) && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			i++
		default:
			out = append(out, words[i])
		}
	}
	return out
}
