//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/tasks"
	"github.com/gbt-policy/gbt/traverse"
)

// planVariable makes this program a worker.
const planVariable = "GBT_CRASH_PLAN"

// The worker's exit codes.
const (
	exitDone     = 0
	exitBroken   = 1
	exitDiskFull = 3
	exitAsks     = 4 // the ledger forgot: a person has to say
)

// plan is what a worker is to do, and when it dies.
type plan struct {
	Kind, Name string // of the store
	Socket     string // of the ledger
	Task       string
	Policy     string
	Fault      string // a place, or in-tx, torn, full; empty for none
	Nth        int    // time that it comes there
	Seed       uint64
	Forget     bool // the ledger does not know
}

// saved is what a worker needs to go on.
type saved struct {
	Step    int    `json:"step"`
	Session []byte `json:"session"`
}

type worker struct {
	plan
	run     *tasks.Run
	ledger  *remote
	policy  *traverse.Policy
	session *traverse.Session
	step    int
	came    int
}

func work(text string) int {
	w := &worker{}
	if err := json.Unmarshal([]byte(text), &w.plan); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return exitBroken
	}
	err := w.all()
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errDiskFull):
		return exitDiskFull
	case errors.Is(err, tasks.ErrUnsettled):
		return exitAsks
	}
	fmt.Fprintln(os.Stderr, "worker:", err)
	return exitBroken
}

// at is a place where the worker may die.
func (w *worker) at(place string) {
	if w.Fault == place {
		if w.came++; w.came == w.Nth {
			die()
		}
	}
}

func (w *worker) all() error {
	db, err := openStore(w.Kind, w.Name)
	if err != nil && w.Fault == "enospc" { // SQLite makes files to open its own
		return diskFull(err)
	}
	if err != nil {
		return err
	}
	f := newFaulty(db, &w.plan)
	book, err := tasks.Open(f, tasks.Options{})
	if err != nil {
		return err
	}
	defer book.Close()
	if w.ledger, err = dial(w.Socket); err != nil {
		return err
	}
	if w.policy, err = policy(w.Policy); err != nil {
		return err
	}
	f.arm()
	if err := w.claim(book); err != nil {
		return err
	}
	for w.step < steps {
		if err := w.one(); err != nil {
			return err
		}
	}
	return w.run.Commit(tasks.Change{To: tasks.Succeeded, Data: w.save()})
}

// claim takes the task and settles what its last owner left.
func (w *worker) claim(book *tasks.Book) (err error) {
	w.run, err = book.Claim(w.Task, tasks.Claim{Owner: fmt.Sprint("worker ", os.Getpid()), Policy: w.Policy, Gone: true})
	if err != nil {
		return err
	}
	w.at("claimed")
	if len(w.run.Data()) == 0 {
		w.session = start(w.policy, w.Task)
		return nil
	}
	var s saved
	if err := json.Unmarshal(w.run.Data(), &s); err != nil {
		return err
	}
	w.step = s.Step
	if w.session, err = w.policy.Resume(s.Session); err != nil {
		return err
	}
	err = w.run.Settle(w, func(s tasks.Settlement) (tasks.Change, error) {
		w.observe(s.Fate == receipts.Ran)
		return tasks.Change{Data: w.save()}, nil
	})
	w.at("settled")
	if errors.Is(err, tasks.ErrUnsettled) {
		return errors.Join(err, w.run.Commit(tasks.Change{To: tasks.Paused, Reason: "unsettled"}))
	}
	return err
}

// Settle asks the ledger.
func (w *worker) Settle(p tasks.Pending) (receipts.Fate, json.RawMessage, error) {
	fate, err := w.ledger.ask(&entry{Op: "settle", Key: p.Key, Forget: w.Forget})
	return fate, nil, err
}

// observe tells the session what came of the step's call. What did not run is to be
// done still.
func (w *worker) observe(ran bool) {
	w.session.Observe(callOf(w.step), traverse.Result{Blocked: !ran, Output: []byte("written")})
	if ran {
		w.step++
	}
}

func (w *worker) save() []byte {
	session, err := w.session.MarshalBinary()
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	data, err := json.Marshal(saved{w.step, session})
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return data
}

// one carries out a step.
func (w *worker) one() error {
	w.session.Propose(traverse.Proposal{Text: words(w.step)})
	call := callOf(w.step)
	a := w.session.Check(call)
	if a.Token != "" && agrees(w.step) {
		token := a.Token
		w.session.Confirm(token)
		if err := w.run.Commit(tasks.Change{Data: w.save(), Drafts: []receipts.Receipt{{Kind: receipts.Consent, Consent: token, Decision: a.ID}}}); err != nil {
			return err
		}
		w.at("consented")
		a = w.session.Check(call)
	}
	if !a.Allowed() {
		return w.stop(&a)
	}
	key, err := w.run.Dispatch(tasks.Call{Tool: call.Tool, Tier: a.Tier.String(), Args: call.Args, Decision: a.ID, Consent: a.Consent}, tasks.Change{Data: w.save()})
	if err != nil {
		return err
	}
	w.at("dispatched")
	fate, err := w.ledger.ask(&entry{Op: "effect", Key: key, Step: w.step, Policy: w.Policy})
	if err != nil {
		return err
	}
	w.at("done")
	if fate != receipts.Ran {
		return fmt.Errorf("the ledger voided the key of a live worker")
	}
	w.observe(true)
	if err := w.run.Outcome(key, "written", tasks.Change{Data: w.save()}); err != nil {
		return err
	}
	w.at("committed")
	return nil
}

// stop skips a step whose call was stopped.
func (w *worker) stop(a *traverse.Answer) error {
	w.session.Observe(callOf(w.step), traverse.Result{Blocked: true})
	step := w.step
	w.step++
	return w.run.Commit(tasks.Change{Data: w.save(), Drafts: []receipts.Receipt{{
		Kind: receipts.Stopped, Decision: a.ID, Reason: a.Disposition.String(), Payload: fmt.Appendf(nil, "%d", step),
	}}})
}
