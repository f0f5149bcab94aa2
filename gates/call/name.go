package call

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Words splits a tool's name into lower-case words, without the namespaces
// that hosts put before it: "mcp__mail__sendMessage" gives send, message.
func Words(tool string) []string {
	tool = strings.TrimSpace(tool)
	// Name lowers the name, which hides changes of case, and may change
	// the length of a name that is not ASCII: cut the original where it can.
	bare := Name(tool)
	if i := len(tool) - len(bare); i >= 0 {
		return words(tool[i:])
	}
	return words(bare)
}

// VerbOf returns what a word of a tool's name says the tool does, if it is a
// verb that tool names use.
func VerbOf(word string) (effect.Verb, bool) {
	e, ok := find(verbWords[:], word, func(e verbEntry) string { return e.word })
	if !ok {
		return effect.VerbUnknown, false
	}
	return verbWords[e].verb, true
}

// maxKept is how many bytes of a name that a call brings along are kept: more than
// the 128 characters that MCP advises tools to stay within (specification
// 2025-11-25, Tools, Tool Names).
const maxKept = 200

// Kept is a name as memories and traces keep it: whole, or where it is longer than
// 200 bytes its beginning with a digest of all of it, so that it still tells two
// apart. Calls are decided on by their whole names.
func Kept(name string) string {
	if len(name) <= maxKept {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return strings.ToValidUTF8(name[:maxKept], "") + "…" + hex.EncodeToString(sum[:8])
}
