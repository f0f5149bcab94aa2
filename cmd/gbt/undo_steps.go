package main

import (
	"io/fs"
	"path/filepath"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/internal/undo"
)

// history is what the workspace was before and after each call.
func (u *chosenCalls) history() (*workspace.History, error) {
	if u.task.Kind != "run" {
		return nil, nil
	}
	mark, err := u.mark()
	if err != nil {
		return nil, err
	}
	return workspace.OpenHistory(u.held(), mark)
}

func (u *chosenCalls) mark() (string, error) {
	data, err := u.book.Data(u.task.ID)
	if err != nil {
		return "", err
	}
	return runner.MarkOf(data)
}

// steps are the calls of the run as steps of an undo journal: each from the snapshot
// before it to the one before the next.
func (u *chosenCalls) steps(h *workspace.History, root string) []undo.Past {
	var calls []*receipts.Receipt
	for _, r := range u.chain {
		if r.Kind == receipts.Call && h.Has(r.Mark) {
			calls = append(calls, r)
		}
	}
	var out []undo.Past
	for i, r := range calls {
		next := ""
		if i+1 < len(calls) {
			next = calls[i+1].Mark
		}
		s := undo.Past{Step: undo.Step{ID: callStep(r), Time: r.Time * 1e6, Session: u.task.ID, Agent: "gbt run", What: r.Tool, Outside: outsideTier(r), Tier: undo.CopyFS}}
		list, err := h.Changes(r.Mark, next)
		if err != nil {
			continue // its marks are those of the history
		}
		for _, ch := range list {
			s.Changes = append(s.Changes, undo.Change{Path: filepath.Join(root, ch.Path), Before: entryOf(&ch.Before), After: entryOf(&ch.After)})
		}
		out = append(out, s)
	}
	return out
}

// callStep names the step of a call in the journal.
func callStep(r *receipts.Receipt) string { return r.ID[:min(len(r.ID), 12)] }

// outsideTier says of a call that is not local why no snapshot takes it back.
func outsideTier(r *receipts.Receipt) []string {
	switch r.Tier {
	case effect.TierReversible.String():
		return nil
	case effect.TierCompensable.String():
		return []string{r.Tool + " (" + r.Tier + "): what it did beside files needs a step of its own to be made good"}
	}
	return []string{r.Tool + " (" + r.Tier + "): what left the workspace cannot be taken back"}
}

func entryOf(s *workspace.State) undo.Entry {
	const bits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	switch {
	case s.Absent():
		return undo.Entry{}
	case s.Link != "":
		return undo.Entry{Kind: undo.Link, To: s.Link}
	case s.Mode.IsDir():
		return undo.Entry{Kind: undo.Dir, Mode: uint32(s.Mode & bits)}
	}
	return undo.Entry{Kind: undo.File, Mode: uint32(s.Mode & bits), Size: s.Size, Time: s.Time.UnixNano(), Ref: "b" + s.Blob}
}
