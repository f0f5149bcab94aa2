package review

import (
	"fmt"
	"strings"
	"testing"
)

// TestCards: cards are written with their kind, what is lost first, as many as there is
// room for, and a gate without a card has none; a comment in a pull request holds them.
func TestCards(t *testing.T) {
	c := &Changes{}
	for i := range 30 {
		c.Gates.Added = append(c.Gates.Added, Gate{ID: fmt.Sprintf("a%02d", i)})
		c.Gates.Removed = append(c.Gates.Removed, Gate{ID: fmt.Sprintf("r%02d", i)})
	}
	c.Gates.Changed = []Change{{Name: "c00.message"}, {Name: "c00.evidence"}, {Name: "none.message"}}
	long := strings.Repeat("words ", 2000)
	c.Show(func(id string, old bool) *Card {
		if id == "none" || old != strings.HasPrefix(id, "r") {
			return nil
		}
		return &Card{Says: "Stops " + id + ".", Text: []byte("gate " + id + "\n"), Markdown: []byte("### " + id + " " + long + "\n")}
	})
	if n := len(c.Cards.Added) + len(c.Cards.Removed); n != 60 || len(c.Cards.Changed) != 1 {
		t.Fatalf("%d cards, and %d of changed gates", n, len(c.Cards.Changed))
	}
	text := string(c.Text())
	for _, want := range []string{"GATES REMOVED, a card each (30)\n  gate r00\n", "  gate a09\n\nand 20 more; gbt gates show has all\n", "gates changed, a card each (1)\n  gate c00\n", "+ Stops a00."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Index(text, "gate r00") > strings.Index(text, "gate a00") || strings.Contains(text, "gate a10") {
		t.Errorf("order or number:\n%s", text)
	}
	page := string(c.Markdown())
	if len(page) > 65_536 || !strings.Contains(page, "### r00 ") || !strings.Contains(page, "### c00 ") || strings.Contains(page, "### r01 ") {
		t.Errorf("Markdown of %d bytes", len(page))
	}
}
