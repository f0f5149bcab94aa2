package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/receipts"
	storenames "github.com/gbt-policy/gbt/internal/stores/named"
	"github.com/gbt-policy/gbt/internal/tasks"
)

// Calls of gbt run, gbt serve and gbt mcp have receipts in a database. What a call of
// gbt run changed is taken back from the snapshots of its workspace; of the others, the
// report says why nothing can be.

// chosenCalls are the calls of one session that are to be taken back.
type chosenCalls struct {
	book  *tasks.Book
	task  *tasks.Task
	chain []*receipts.Receipt
	calls []*receipts.Receipt
	undo  string // the step of an undo that is to be taken back itself; else empty
}

// minReceipt is how many digits of a receipt's id name it.
const minReceipt = 6

// findCalls looks for names in the database. ok is false where none is there, or nothing
// in it has one of the names.
func findCalls(e *env, c *cli.Context) (*chosenCalls, bool, error) {
	name := c.String("store")
	if name == "" {
		var err error
		if name, err = storenames.Default(); err != nil || !storenames.Exists(name) {
			return nil, false, nil
		}
	}
	b, err := openBook(c, false)
	if err != nil && !c.IsSet("store") { // the names may be those of steps
		fmt.Fprintf(e.stderr, "gbt: receipts are not looked at: %v\n", err)
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	u := &chosenCalls{book: b}
	for _, name := range c.Args().Slice() {
		err := u.find(name)
		if errors.Is(err, tasks.ErrNotFound) {
			return nil, false, errors.Join(b.Close())
		}
		if err != nil {
			return nil, false, errors.Join(sessionError(err), b.Close())
		}
	}
	return u, true, nil
}

// find adds what a name stands for: a session, or a receipt by its id or the beginning
// of it.
func (u *chosenCalls) find(name string) error {
	list, _, err := u.book.List()
	if err != nil {
		return err
	}
	for _, t := range list {
		if t.ID == name {
			return u.session(t)
		}
	}
	if len(name) < minReceipt {
		return tasks.ErrNotFound
	}
	found := 0
	for _, t := range list {
		err := u.book.Receipts(t.ID, func(r *receipts.Receipt) error {
			if strings.HasPrefix(r.ID, name) {
				found++
				return u.receipt(t, r)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if found > 1 {
		return fail(exitUsage, "%s is the beginning of %d receipts: give more of it", name, found)
	}
	if found == 0 {
		return tasks.ErrNotFound
	}
	return nil
}

// open notes the session that all names must be of.
func (u *chosenCalls) open(t *tasks.Task) error {
	if u.task != nil && u.task.ID != t.ID {
		return fail(exitUsage, "%s and %s: take the calls of one session back at a time", u.task.ID, t.ID)
	}
	if u.task == nil {
		u.task = t
		return u.book.Receipts(t.ID, func(r *receipts.Receipt) error { u.chain = append(u.chain, r); return nil })
	}
	return nil
}

// session chooses all calls of a session that nobody took back yet.
func (u *chosenCalls) session(t *tasks.Task) error {
	if err := u.open(t); err != nil {
		return err
	}
	now := receipts.Standing(u.chain)
	for _, r := range u.chain {
		if r.Kind == receipts.Call && now[r.ID] != receipts.Externally && !u.notRun(r.ID) {
			u.choose(r)
		}
	}
	return nil
}

func (u *chosenCalls) choose(r *receipts.Receipt) {
	if !slices.ContainsFunc(u.calls, func(x *receipts.Receipt) bool { return x.ID == r.ID }) {
		u.calls = append(u.calls, r)
	}
}

// receipt chooses the call that a receipt speaks of, or what an undo took back.
func (u *chosenCalls) receipt(t *tasks.Task, r *receipts.Receipt) error {
	if err := u.open(t); err != nil {
		return err
	}
	switch {
	case r.Kind == receipts.Undo && r.Mark != "":
		u.undo = r.Mark
		for _, x := range u.chain {
			if x.Kind == receipts.Undo && x.Mark == r.Mark {
				u.choose(u.call(x.Of))
			}
		}
		return nil
	case r.Kind == receipts.Outcome || r.Kind == receipts.Settled || r.Kind == receipts.Unknown:
		r = u.call(r.Of)
	case r.Kind != receipts.Call:
		return fail(exitUsage, "receipt %s is of kind %s: name one of a call", r.ID, r.Kind)
	}
	if u.notRun(r.ID) {
		return fail(exitUsage, "the call %s did not run: there is nothing to take back", r.ID)
	}
	u.choose(r)
	return nil
}

// call is the receipt of a call; chains hold one for every receipt that speaks of one.
func (u *chosenCalls) call(id string) *receipts.Receipt {
	for _, r := range u.chain {
		if r.ID == id {
			return r
		}
	}
	return &receipts.Receipt{ID: id}
}

// notRun says that a call turned out not to have run.
func (u *chosenCalls) notRun(id string) bool {
	return slices.ContainsFunc(u.chain, func(r *receipts.Receipt) bool {
		return r.Kind == receipts.Settled && r.Of == id && r.Fate == receipts.NotRun
	})
}

// root is where what the calls did can be taken back: the result of a run that is over, or
// the workspace of one that waits.
func (u *chosenCalls) root() (string, error) {
	if u.task.Kind != "run" {
		return "", nil
	}
	if !u.task.State.Ended() {
		return u.held("base", "work"), nil
	}
	s, err := setupIn(u.book, u.task.ID)
	if err != nil || len(s.Flags["output"]) == 0 {
		return "", err
	}
	return filepath.EvalSymlinks(s.Flags["output"][0])
}

func (u *chosenCalls) held(names ...string) string {
	return filepath.Join(append([]string{folderOf(u.book, u.task.ID), "workspace"}, names...)...)
}

// byHand notes that a person took calls back by other means.
func (u *chosenCalls) byHand(e *env) error {
	drafts := make([]receipts.Receipt, 0, len(u.calls))
	for _, r := range u.calls {
		drafts = append(drafts, receipts.Receipt{Kind: receipts.Undo, Of: r.ID, Reversal: receipts.Externally, Reason: "by hand, says " + who()})
	}
	if _, err := u.book.Add(u.task.ID, drafts); err != nil {
		return sessionError(err)
	}
	_, err := fmt.Fprintf(e.stdout, "noted: %d calls of %s were taken back by hand\n", len(drafts), u.task.ID)
	return stdoutError(err)
}
