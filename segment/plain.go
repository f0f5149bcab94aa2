package segment

import (
	_ "embed" // the words that policies may have
	"strings"
	"sync"
)

// plainText are plain words of office and computer work: kinds of things,
// properties and deeds. No name stands in it, and none may be added: what a policy
// shows of the logs' words is held to this list.
//
//go:embed plain.txt
var plainText string

var plainWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(plainText) {
		out[w] = true
	}
	return out
})

// Plain returns the base form of a plain word in lower case: "files" is "file".
func Plain(word string) (string, bool) {
	if !plainWords()[word] {
		word = strings.TrimSuffix(word, "s")
	}
	return word, plainWords()[word]
}
