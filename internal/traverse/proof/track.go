package proof

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/tree"
)

// State is what calls have shown of a check so far.
type State struct {
	Shown bool
	Seen  []int // of a check that every value of a kind must be used: those that were
}

// Words reports whether an action says something and does nothing: a call of it shows
// nothing.
func Words(action string) bool {
	return action == "finish" || action == "think" || action == "chat" || action == "noop" || action == "cd"
}

// Track takes a call into what is known of a check of the kind call. words says that the
// call is no more than that. It reports whether anything was learned.
func (n *Names) Track(p *tree.Proof, c *Call, words bool, st *State) bool {
	if p.Kind != tree.ProofCall || words && p.Subject == Any || p.Subject != Any && p.Subject != c.Tool {
		return false
	}
	if m := everyRE.FindStringSubmatch(p.Value); m != nil {
		return n.trackEvery(p, c, m[1], st)
	}
	if Fresh(p, c) {
		st.Shown = n.Shows(p, c)
		return true
	}
	if lasting(p) {
		st.Shown = !c.Failed && (p.Place == "" || returned(c.Output))
		return true
	}
	if st.Shown || !n.Shows(p, c) {
		return false
	}
	st.Shown = true
	return true
}

// Fresh reports whether what a call shows of a check holds only as long as nothing changes: a
// value that a tool read and did not make. The last such call answers, and it must have come
// after the last change.
func Fresh(p *tree.Proof, c *Call) bool {
	return c.Reads && strings.HasPrefix(p.Place, Result)
}

// lasting says whether the last call answers a check, whatever the ones before it did.
func lasting(p *tree.Proof) bool {
	return p.Value == "" && (p.Subject == Any || p.Place == strings.TrimSuffix(Result, "."))
}

// returned says whether a result holds something.
func returned(output []byte) bool {
	return !slices.Contains([]string{"", "[]", "{}", "null", "None", `""`, "no output"}, strings.TrimSpace(string(output[:min(len(output), 64)])))
}

func (n *Names) trackEvery(p *tree.Proof, c *Call, kind string, st *State) bool {
	if c.Failed || st.Shown {
		return false
	}
	text := c.Args
	if p.Place == strings.TrimSuffix(Result, ".") {
		text = c.Output
	}
	before := len(st.Seen)
	for _, i := range n.uses(kind, unescaped(text[:min(len(text), maxBytes)])) {
		if !slices.Contains(st.Seen, i) {
			st.Seen = append(st.Seen, i)
			for k := len(st.Seen) - 1; k > 0 && st.Seen[k-1] > i; k-- { // no sort, for the size of programs
				st.Seen[k-1], st.Seen[k] = i, st.Seen[k-1]
			}
		}
	}
	st.Shown = len(n.every(kind)) > 0 && len(st.Seen) == len(n.every(kind))
	return len(st.Seen) > before || st.Shown
}

// unescaped is JSON's text without the escapes that would stand between words.
func unescaped(b []byte) string {
	return strings.NewReplacer(`\n`, " ", `\t`, " ", `\"`, `"`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\/`, "/").Replace(string(b))
}
