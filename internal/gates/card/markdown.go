package card

import (
	"fmt"
	"strings"
)

// Markdown is a card for a report or a pull request.
func (c *Card) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s `%.12s`\n\n**%s** %s.\n\n", strings.ToUpper(c.kind()[:1])+c.kind()[1:], c.ID, escape(c.Says), strings.ToUpper(c.Scope[:1])+escape(c.Scope[1:]))
	for _, r := range c.rows() {
		if !r.calls {
			fmt.Fprintf(&b, "- %s: %s\n", r.label, escape(strings.Join(r.lines, " ")))
			continue
		}
		fmt.Fprintf(&b, "- %s: %s\n", r.label, escape(r.lines[0]))
		for _, l := range r.lines[1:] {
			fmt.Fprintf(&b, "  - %s\n", escape(strings.TrimPrefix(l, "- ")))
		}
	}
	b.WriteString("\n")
	return []byte(b.String())
}

// escape keeps a text from being read as markup: names of tools and arguments are
// somebody else's.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>#|!~$", r):
			b.WriteByte('\\')
		case r < ' ':
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
