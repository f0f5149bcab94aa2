// Package keeps is the one table of which programs, and which subcommands of git, only look, and of what
// others of them leave as it is: [Git] and [Program] answer for a single fact.
//
// Each fact is a purpose: what it is that a reader of calls needs to know nothing to have happened to. Words
// have it where the manuals say so (git(1) and the manuals of its subcommands; the manuals of programs), and
// where what they do beside has an effect of its own. Where two readers need the same, they ask for the same
// fact; where a word is left out of one that it could have, nobody needed it.
//
// What belongs here: that a program or a subcommand of git leaves something as it is, by its name alone. What
// never does: what it does with which words (the tables of internal/gates/shell), what makes it another one
// (an option, a variable, where it runs), builtins as a shell's script uses them (internal/gates/shell, taken.go),
// and under which action a call is kept (gates/call).
//
// All functions are safe for concurrent use.
package keeps

// row is a word and all facts that it has.
type row[F GitFact | Fact] struct {
	name  string
	facts F
}

// has says whether a word of a sorted table has a fact.
func has[F GitFact | Fact](table []row[F], name string, fact F) bool {
	low, high := 0, len(table)
	for low < high {
		switch mid := (low + high) / 2; {
		case table[mid].name == name:
			return table[mid].facts&fact != 0
		case table[mid].name < name:
			low = mid + 1
		default:
			high = mid
		}
	}
	return false
}
