package card

import (
	"fmt"
	"strings"
	"unicode"
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

// escape keeps a text from being read as markup: names of tools and arguments, and
// messages of gates, are somebody else's. GitHub also links addresses, and calls people
// and teams, in text without any markup
// (https://github.github.com/gfm/#autolinks-extension-): an empty comment keeps those
// apart. What shows nothing, or turns text around, is written out.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>#|!~$", r):
			b.WriteByte('\\')
		case r < ' ':
			r = ' '
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\\u\{%x\}`, r)
			continue
		}
		b.WriteRune(r)
		if r == '@' || r == '#' {
			b.WriteString(apart)
		}
	}
	return links.Replace(b.String())
}

const apart = "<!-- -->"

var links = strings.NewReplacer("://", ":"+apart+"//", "www.", "www"+apart+".", "WWW.", "WWW"+apart+".")
