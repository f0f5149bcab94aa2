package gates

import "strings"

// Words splits a tool's name into lower-case words, without the namespaces
// that hosts put before it: "mcp__mail__sendMessage" gives send, message.
func Words(tool string) []string {
	tool = strings.TrimSpace(tool)
	// bareName lowers the name, which hides changes of case, and may change
	// the length of a name that is not ASCII: cut the original where it can.
	bare := bareName(tool)
	if i := len(tool) - len(bare); i >= 0 {
		return words(tool[i:])
	}
	return words(bare)
}

// VerbOf returns what a word of a tool's name says the tool does, if it is a
// verb that tool names use.
func VerbOf(word string) (Verb, bool) {
	e, ok := find(verbWords[:], word, func(e verbEntry) string { return e.word })
	if !ok {
		return VerbUnknown, false
	}
	return verbWords[e].verb, true
}
