package call

// Limits that tests of decisions hold.
const (
	MaxPatched    = maxPatched
	MaxPath       = maxPath
	MaxSQLEffects = maxSQLEffects
)

// ChangingVerbs are the words of tool names whose verb changes something.
func ChangingVerbs() []string {
	var out []string
	for _, e := range verbWords {
		if e.verb.Record().Changes() {
			out = append(out, e.word)
		}
	}
	return out
}

// Nouns are the nouns of tool names.
func Nouns() []string {
	var out []string
	for _, e := range nounWords {
		out = append(out, e.word)
	}
	return out
}
