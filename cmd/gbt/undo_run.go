package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/undo"
)

// runUndone takes back calls that have receipts.
func runUndone(e *env, c *cli.Context, u *chosenCalls) error {
	defer u.book.Close()
	if c.Bool("by-hand") {
		return u.byHand(e)
	}
	if len(u.calls) == 0 {
		fmt.Fprintf(e.stderr, "gbt: no call of %s is left to take back\n", u.task.ID)
		return nil
	}
	unlock, err := u.lock()
	if err != nil {
		return err
	}
	defer unlock()
	root, err := u.root()
	if err != nil {
		return fail(exitInput, "the result of %s: %v", u.task.ID, err)
	}
	h, err := u.history()
	if root == "" || h == nil {
		return u.nothing(e, c, err)
	}
	j, err := undo.Open(undo.Options{Dir: undo.DirFor(filepath.Join(folderOf(u.book, u.task.ID), "undo"), root), Root: root})
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	defer j.Close()
	if err := j.Import(u.steps(h, root), func(ref string) (io.ReadCloser, error) { return h.Content(ref[1:]) }); err != nil {
		return fail(exitInput, "%v", err)
	}
	return u.takeBack(e, c, j, root)
}

// lock keeps others from the session's folder, whoever goes on with the run before all.
func (u *chosenCalls) lock() (func() error, error) {
	folder := folderOf(u.book, u.task.ID)
	if _, err := os.Stat(folder); err != nil {
		return func() error { return nil }, nil
	}
	unlock, err := stores.Lock(filepath.Join(folder, "lock"))
	if errors.Is(err, stores.ErrBusy) {
		return nil, fail(exitUsage, "session %s: a live process runs it; gbt sessions cancel %s ends it", u.task.ID, u.task.ID)
	}
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	return unlock, nil
}

// takeBack plans, asks, and undoes.
func (u *chosenCalls) takeBack(e *env, c *cli.Context, j *undo.Journal, root string) error {
	want := undo.Selection{}
	for _, r := range u.calls {
		want.Steps = append(want.Steps, callStep(r))
	}
	if u.undo != "" {
		want.Steps = []string{u.undo}
	}
	steps, err := j.Select(want)
	if err != nil {
		return fail(exitUsage, "%v", err)
	}
	if !u.task.State.Ended() && !c.Bool("dry-run") { // what a call that nobody saw the end of did goes first, as with resume
		mark, err := u.mark()
		if err == nil {
			err = workspace.Return(u.held(), mark)
		}
		if err != nil {
			return fail(exitInput, "%v", err)
		}
	}
	p, g, err := agreedPlan(e, c, j, root, steps)
	if p == nil || err != nil {
		return err
	}
	return u.apply(e, c, j, p, g)
}

// apply writes that an undo begins, does it, and writes what came of it: one that is
// killed between leaves the word of its beginning in the chain.
func (u *chosenCalls) apply(e *env, c *cli.Context, j *undo.Journal, p *undo.Plan, g *undoGuard) error {
	began := make([]receipts.Receipt, 0, len(u.calls))
	for _, r := range u.calls {
		began = append(began, receipts.Receipt{Kind: receipts.Undo, Of: r.ID, Reversal: receipts.Reversible, Reason: "an undo begins, by " + who()})
	}
	t, err := u.book.Add(u.task.ID, began)
	if err != nil {
		return sessionError(err)
	}
	u.task = t
	r, err := j.Apply(p, g.allow)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	if err := u.note(u.undone(j, p, r)); err != nil {
		return err
	}
	return printUndone(e, c, j, r)
}

// undone makes the receipts of what came of an undo.
func (u *chosenCalls) undone(j *undo.Journal, p *undo.Plan, r *undo.Report) []receipts.Receipt {
	out := make([]receipts.Receipt, 0, len(u.calls))
	for _, call := range u.calls {
		d := receipts.Receipt{Kind: receipts.Undo, Of: call.ID, Mark: r.ID, Reversal: receipts.Externally, Reason: "gbt undo took it back"}
		if u.undo != "" {
			d.Reversal, d.Reason = receipts.Reversible, "its undo was taken back"
			out = append(out, d)
			continue
		}
		i := slices.IndexFunc(p.Steps, func(s undo.Step) bool { return s.ID == callStep(call) })
		if i < 0 {
			d.Reversal, d.Mark, d.Reason = receipts.NotReversed, "", "no snapshot of it is there"
		} else {
			d.Reversal, d.Reason = standing(j, &p.Steps[i], r, d.Reason)
		}
		out = append(out, d)
	}
	return out
}

// standing is where the reversal of a step stands after an undo (requirement Z3).
func standing(j *undo.Journal, s *undo.Step, r *undo.Report, good string) (receipts.Reversal, string) {
	var stays []string
	lost := len(s.Outside) > 0
	stays = append(stays, s.Outside...)
	for _, l := range r.Left {
		if slices.ContainsFunc(s.Changes, func(c undo.Change) bool { return c.Path == l.Path }) {
			stays = append(stays, j.Rel(l.Path)+": "+l.Why)
			lost = lost || l.Lost
		}
	}
	switch {
	case lost:
		return receipts.Irrecoverable, "left: " + strings.Join(stays, "; ")
	case len(stays) > 0:
		return receipts.Reversible, "left: " + strings.Join(stays, "; ")
	}
	return receipts.Externally, good
}

// note writes the receipts. A run that waits goes on from the workspace as it is now.
func (u *chosenCalls) note(drafts []receipts.Receipt) error {
	if u.task.State.Ended() {
		_, err := u.book.Add(u.task.ID, drafts)
		return sessionError(err)
	}
	data, err := u.book.Data(u.task.ID)
	if err != nil {
		return sessionError(err)
	}
	mark, err := u.mark()
	if err == nil {
		mark, err = workspace.Remark(u.held(), mark)
	}
	if err == nil {
		data, err = runner.Undone(data, mark, len(drafts))
	}
	if err == nil {
		_, err = u.book.Amend(u.task.ID, u.task.Rev, data, drafts)
	}
	return sessionError(err)
}

// nothing reports calls of which no snapshot is there.
func (u *chosenCalls) nothing(e *env, c *cli.Context, err error) error {
	why := "gbt did not run it and kept no snapshot: whoever ran it has to take it back; then say so with --by-hand"
	if u.task.Kind == "run" {
		why = "no snapshot of it is left"
		if slices.ContainsFunc(u.chain, func(r *receipts.Receipt) bool { return r.Kind == receipts.Dropped }) {
			why = "its run had no --output, so nothing of its workspace is left"
		} else if err != nil {
			why += ": " + err.Error()
		}
	}
	out := undoJSON{Left: []leftJSON{}, Outside: []string{}}
	drafts := make([]receipts.Receipt, 0, len(u.calls))
	for _, r := range u.calls {
		reason := why
		if o := outsideTier(r); len(o) > 0 {
			reason = o[0]
		}
		out.Outside = append(out.Outside, r.ID+" "+r.Tool+": "+reason)
		drafts = append(drafts, receipts.Receipt{Kind: receipts.Undo, Of: r.ID, Reversal: receipts.Irrecoverable, Reason: reason})
	}
	if !c.Bool("dry-run") {
		if _, err := u.book.Add(u.task.ID, drafts); err != nil {
			return sessionError(err)
		}
	}
	if c.Bool("json") {
		if err := printJSON(e, out); err != nil {
			return err
		}
		return &exitError{code: exitFindings}
	}
	for _, o := range out.Outside {
		fmt.Fprintf(e.stdout, "  no undo   %s\n", o)
	}
	return &exitError{code: exitFindings}
}
