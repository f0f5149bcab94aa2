package review

import (
	"fmt"
	"strings"
)

// Card is a gate as a person reads it, in the forms that a comparison is written in.
// Whoever knows gates makes it (package internal/gates/card).
type Card struct {
	Says     string // in a sentence, what it stops
	Text     []byte
	Markdown []byte
	JSON     any
}

// Cards are those of gates that only one policy has, or that are others in both.
type Cards struct {
	Added   []Shown `json:"added"`
	Removed []Shown `json:"removed"`
	Changed []Shown `json:"changed"`
}

// Shown is the card of a gate.
type Shown struct {
	ID   string `json:"id"`
	Card any    `json:"card"`

	card *Card
}

// Show puts cards beside the changes: of says what the new policy's gates are (old is
// false), and what the old one's were. A gate that it has no card of has none.
func (c *Changes) Show(of func(id string, old bool) *Card) {
	list := func(ids []string, old bool) []Shown {
		out := []Shown{}
		for _, id := range ids {
			if k := of(id, old); k != nil {
				out = append(out, Shown{id, k.JSON, k})
			}
		}
		return out
	}
	c.Cards = &Cards{list(idsOf(c.Gates.Added), false), list(idsOf(c.Gates.Removed), true), list(c.ChangedGates(), false)}
}

// ChangedGates are the gates of both policies of which something is another.
func (c *Changes) ChangedGates() []string {
	var out []string
	for _, g := range c.Gates.Changed {
		id, _, _ := strings.Cut(g.Name, ".")
		if len(out) == 0 || out[len(out)-1] != id {
			out = append(out, id)
		}
	}
	return out
}

func idsOf(list []Gate) []string {
	var out []string
	for _, g := range list {
		out = append(out, g.ID)
	}
	return out
}

// mostCards is how many cards of a kind Text and Markdown write; gbt gates show has
// all.
const mostCards = 10

// mostCardText bounds the cards in Markdown, with mostMarkdown for the rest: after it
// each kind has one card.
const mostCardText = 8_000

// each calls one for the cards that are written, with a heading in front of a kind's
// first, and says how many are left out. one says whether there is room for more.
func (c *Cards) each(heading func(string), one func(*Card) bool) {
	if c == nil {
		return
	}
	for _, kind := range []struct {
		what string
		list []Shown
	}{{"GATES REMOVED", c.Removed}, {"gates added", c.Added}, {"gates changed", c.Changed}} {
		room := true
		for i, s := range kind.list {
			if i == 0 {
				heading(fmt.Sprintf("%s, a card each (%d)", kind.what, len(kind.list)))
			}
			if i == mostCards || !room {
				heading(fmt.Sprintf("and %d more; gbt gates show has all", len(kind.list)-i))
				break
			}
			room = one(s.card)
		}
	}
}

// text writes the cards for a terminal.
func (c *Cards) text(w *diffWriter) {
	c.each(func(s string) { fmt.Fprintf(w, "\n%s\n", s) }, func(k *Card) bool {
		for _, line := range strings.Split(strings.TrimRight(string(k.Text), "\n"), "\n") {
			fmt.Fprintf(w, "  %s\n", line)
		}
		return true
	})
}

// markdown is the cards for a pull request.
func (c *Cards) markdown() string {
	var b strings.Builder
	c.each(func(s string) { fmt.Fprintf(&b, "\n#### %s\n\n", s) }, func(k *Card) bool {
		b.Write(k.Markdown)
		return b.Len() < mostCardText
	})
	return b.String()
}

// says is a gate's sentence: its card's, or what its expression says.
func (c *Changes) says(g *Gate) string {
	if c.Cards != nil {
		for _, s := range c.Cards.Added {
			if s.ID == g.ID {
				return s.card.Says
			}
		}
	}
	return does[g.Disposition] + " " + calls(g.Expr) + "."
}
