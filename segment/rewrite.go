package segment

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
)

// maxRewrite bounds the arguments that are written anew. Longer ones hold
// files and data, whose commands are read by their head alone.
const maxRewrite = 8 << 10

// seedOf hashes a call's content and place with FNV-1a.
func seedOf(tool, args string, i int) uint64 {
	h := fnv.New64a()
	h.Write([]byte{byte(i), byte(i >> 8), byte(i >> 16)})
	h.Write([]byte(tool))
	h.Write([]byte(args))
	return h.Sum64()
}

// rewrite writes a call's arguments anew without changing what the call does:
// members in another order, other white space, and a command line in a wrapping
// that runs it just the same. ok is false for arguments that are no JSON object.
func rewrite(tool, args string, seed uint64) (string, bool) {
	if len(args) > maxRewrite {
		return "", false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &members) != nil {
		return "", false
	}
	if cmd, ok := call.CommandOf(tool, []byte(args)); ok {
		wrapMember(members, cmd, seed)
	}
	return join(members, seed), true
}

// wrapMember wraps the member that holds the command line. What is typed into
// a running program is no command line and stays.
func wrapMember(members map[string]json.RawMessage, cmd string, seed uint64) {
	if typed := string(members["is_input"]); typed == "true" || typed == `"true"` {
		return
	}
	for _, key := range keysOfMembers(members) {
		var s string
		if json.Unmarshal(members[key], &s) == nil && s == cmd {
			wrapped, err := json.Marshal(wrap(s, seed))
			if err == nil {
				members[key] = wrapped
			}
			return
		}
	}
}

// wrap gives a command line another form with the same effect: a group, a
// subshell, a conditional that always holds, a null command before it, a
// comment after it (POSIX.1-2024, Shell Command Language, §2.3, §2.9.4, §2.15).
// A compound command must hold a command, which an empty line or a comment is
// not; the line break before what closes it ends a here-document.
func wrap(cmd string, seed uint64) string {
	switch seed % 5 {
	case 0:
		return "{ :\n" + cmd + "\n}"
	case 1:
		return "( :\n" + cmd + "\n)"
	case 2:
		return "if true; then :\n" + cmd + "\nfi"
	case 3:
		return ":\n" + cmd
	}
	return cmd + "\n# done\n"
}

func keysOfMembers(members map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(members))
	for k := range members {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// join writes the members, backwards for every other seed, with white space
// that JSON allows (RFC 8259 §2).
func join(members map[string]json.RawMessage, seed uint64) string {
	keys := keysOfMembers(members)
	if seed&1 == 1 {
		slices.Reverse(keys)
	}
	var b strings.Builder
	b.WriteString("{ ")
	for i, k := range keys {
		if i > 0 {
			b.WriteString(" ,\n\t")
		}
		name, err := json.Marshal(k)
		if err != nil {
			return "{}" // a string always encodes
		}
		b.Write(name)
		b.WriteString(" : ")
		b.Write(members[k])
	}
	b.WriteString(" }")
	return b.String()
}
