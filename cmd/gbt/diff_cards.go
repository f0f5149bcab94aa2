package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/gates/card"
)

// showCards puts a card beside each gate that was added, removed or changed: with the
// calls on record beside its policy, and with what it does on the logs that --on names.
func showCards(e *env, c *cli.Context, changes *review.Changes, old, new policySide) error {
	var removed []string
	for _, g := range changes.Gates.Removed {
		removed = append(removed, g.ID)
	}
	shown := changes.ChangedGates()
	for _, g := range changes.Gates.Added {
		shown = append(shown, g.ID)
	}
	was, err := sideCards(e, c, old, c.String("contexts"), removed)
	if err != nil {
		return err
	}
	is, err := sideCards(e, c, new, "", shown)
	if err != nil {
		return err
	}
	changes.Show(func(id string, old bool) *review.Card {
		if old {
			return was[id]
		}
		return is[id]
	})
	return nil
}

// sideCards makes the cards of some gates of a policy, with the calls in a file or
// beside it. A gate whose text cannot be
// read has none: the comparison blames it.
func sideCards(e *env, c *cli.Context, side policySide, recorded string, ids []string) (map[string]*review.Card, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	s, err := gateSetOf(side.p, side.info)
	if err != nil {
		return nil, fail(exitInput, "%s: %v", side.file, err)
	}
	list, err := s.described(side.file, c)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(g card.Gate) bool {
		if !slices.Contains(ids, g.ID) {
			return true
		}
		_, err := card.Build(&g, nil)
		return err != nil
	})
	record, err := s.record(side.file, recorded)
	if err != nil {
		return nil, err
	}
	cards, err := s.cards(e, c, list, record)
	if err != nil {
		return nil, err
	}
	out := map[string]*review.Card{}
	for _, k := range cards {
		out[k.ID] = &review.Card{Says: k.Says, Text: k.Text(), Markdown: k.Markdown(), JSON: k}
	}
	return out, nil
}
