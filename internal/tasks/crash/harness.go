//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/tasks"
)

type options struct {
	points    int
	kind, dir string
	disk      string // kind of a file system of its own; empty for none
	seed      uint64
	self      string
	stderr    io.Writer
}

// result counts. Points are deaths of the worker; all else is what was found.
type result struct {
	Kind       string
	Seed       uint64
	Points     int
	ByFault    map[string]int
	Tasks      int // carried out to the end
	Resumed    int // points after which the task went on and ended as if nothing had been
	Effects    int
	Doubled    int
	Unreceived int // effects without a receipt
	Unapproved int // effects that the policy in force had not let pass
	Skipped    int // steps that neither ran nor were stopped
	Problems   []string
	Took       time.Duration
}

func (r *result) good() bool {
	return r.Resumed == r.Points && r.Doubled+r.Unreceived+r.Unapproved+r.Skipped+len(r.Problems) == 0
}

func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "store %s, seed %d: %d points in %d tasks, %s\n", r.Kind, r.Seed, r.Points, r.Tasks, r.Took.Round(time.Second))
	for _, f := range slices.Sorted(maps.Keys(r.ByFault)) {
		fmt.Fprintf(w, "  %-12s %d\n", f, r.ByFault[f])
	}
	fmt.Fprintf(w, "resumed correctly %d/%d; effects %d: doubled %d, without receipt %d, unapproved %d; steps skipped %d\n",
		r.Resumed, r.Points, r.Effects, r.Doubled, r.Unreceived, r.Unapproved, r.Skipped)
	for _, p := range r.Problems {
		fmt.Fprintln(w, "  "+p)
	}
}

// faults are the places of death and how often a worker comes there at most before
// the harness gives up on it: those that come once a life are drawn with 1.
var faults = []struct {
	name string
	most int
}{
	{"claimed", 1}, {"settled", 1}, {"consented", 3}, {"dispatched", 8}, {"done", 8}, {"committed", 8},
	{"in-tx", 20}, {"torn", 20}, {"full", 20}, {"time", 0},
}

// run is one harness at work.
type run struct {
	options
	result
	rng    *rand.Rand
	ledger *ledger
	where  string // folder
	disk   *disk
	store  string
	task   string
	died   int // points in this task
	broken bool
}

func harness(o options) (*result, error) {
	dir, err := os.MkdirTemp(o.dir, "gbt-crash-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	h := &run{options: o, rng: rand.New(rand.NewPCG(o.seed, 1)), where: dir}
	h.Kind, h.Seed, h.ByFault = o.kind, o.seed, map[string]int{}
	if h.ledger, err = listen(filepath.Join(dir, "ledger")); err != nil {
		return nil, err
	}
	defer h.ledger.ln.Close()
	if o.disk != "" {
		if h.disk, err = newDisk(o.disk, dir); err != nil {
			return nil, err
		}
		defer h.disk.close()
		h.Kind += " on " + o.disk
	}
	began := time.Now()
	for n := 0; h.Points < o.points; n++ {
		if err := h.one(n); err != nil {
			return nil, err
		}
	}
	h.Took = time.Since(began)
	return &h.result, nil
}

// book opens the store from this process, which is another than the worker.
func (h *run) book(do func(*tasks.Book) error) error {
	db, err := openStore(h.kind, h.store)
	if err != nil {
		return err
	}
	b, err := tasks.Open(db, tasks.Options{})
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(do(b), b.Close())
}

// one carries out a task, killing its worker on the way. A hundred lives suffice.
func (h *run) one(n int) error {
	h.store, h.task, h.died, h.broken = filepath.Join(h.where, fmt.Sprint("store", n)), fmt.Sprint("task-", n), 0, false
	if h.disk != nil {
		h.store = filepath.Join(h.disk.at, fmt.Sprint("store", n))
	}
	h.ledger.reset()
	err := h.book(func(b *tasks.Book) error {
		_, err := b.Create(tasks.New{ID: h.task, Kind: "run", Title: "forty notes", Policy: "wide"})
		return err
	})
	if err != nil {
		return err
	}
	if h.disk != nil && h.disk.hasPower() && n%4 == 0 { // what was made must be there
		if err := errors.Join(h.disk.cut(), h.disk.restore()); err != nil {
			return err
		}
		h.point("power-new")
	}
	for life := 0; ; life++ {
		if life > 200 {
			return fmt.Errorf("%s: no end after %d lives", h.task, life)
		}
		code, err := h.live(h.draw())
		if err != nil {
			return err
		}
		if code == exitBroken {
			h.problem("the worker gave up")
			break
		}
		ended, err := h.look(code)
		if err != nil {
			return err
		}
		if ended {
			break
		}
	}
	h.judge()
	files, _ := filepath.Glob(h.store + "*")
	for _, f := range files {
		os.Remove(f)
	}
	return nil
}

func (h *run) problem(format string, args ...any) {
	h.broken = true
	h.Problems = append(h.Problems, h.task+": "+fmt.Sprintf(format, args...))
}

// draw chooses how the next life ends.
func (h *run) draw() plan {
	f := faults[h.rng.IntN(len(faults))]
	if h.disk != nil {
		names := []string{"enospc", "time", "power", "power"}
		if !h.disk.hasPower() {
			names = names[:2]
		}
		f.name, f.most = names[h.rng.IntN(len(names))], 1
	}
	p := plan{Kind: h.kind, Name: h.store, Socket: filepath.Join(h.where, "ledger"), Task: h.task, Policy: "wide", Fault: f.name, Seed: h.rng.Uint64(), Nth: 1}
	if f.most > 1 {
		p.Nth += h.rng.IntN(f.most)
	}
	if h.rng.IntN(2) == 0 {
		p.Policy = "narrow"
	}
	p.Forget = h.rng.IntN(5) == 0
	return p
}

// live runs a worker to its end.
func (h *run) live(p plan) (code int, err error) {
	data, err := json.Marshal(p)
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(h.self)
	cmd.Env = append(os.Environ(), planVariable+"="+string(data))
	var said bytes.Buffer
	cmd.Stderr = &said
	if p.Fault == "enospc" {
		if err := h.disk.fill(h.rng.Int64N(48 << 10)); err != nil {
			return 0, err
		}
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	after := time.Duration(h.rng.IntN(250_000)) * time.Microsecond
	switch p.Fault {
	case "time":
		time.AfterFunc(after, func() { cmd.Process.Kill() })
	case "power":
		return h.powerFailure(cmd, after)
	}
	err = cmd.Wait()
	if p.Fault == "enospc" {
		if err := h.disk.free(); err != nil {
			return 0, err
		}
	}
	if code, err = h.exit(p.Fault, err); code == exitBroken && err == nil {
		fmt.Fprintf(h.stderr, "%s %s %d: %s", h.task, p.Fault, p.Nth, said.Bytes())
	}
	return code, err
}

// exit is how a worker ended.
func (h *run) exit(fault string, err error) (code int, _ error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return exitDone, nil
	case !errors.As(err, &exit):
		return 0, err
	}
	if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() && s.Signal() == syscall.SIGKILL {
		h.point(fault)
		return -1, nil
	}
	if exit.ExitCode() == exitDiskFull {
		h.point(fault)
		return exitDiskFull, nil
	}
	if exit.ExitCode() == exitAsks {
		return exitAsks, nil
	}
	return exitBroken, nil
}

// powerFailure cuts the power of the disk while a worker runs, if it is not faster.
func (h *run) powerFailure(cmd *exec.Cmd, after time.Duration) (code int, err error) {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return h.exit("power", err)
	case <-time.After(after):
	}
	h.ledger.darken(true)
	err = h.disk.cut()
	cmd.Process.Kill()
	<-ended
	h.ledger.darken(false)
	h.point("power")
	return -1, errors.Join(err, h.disk.restore())
}

func (h *run) point(fault string) {
	h.Points++
	h.died++
	h.ByFault[fault]++
}

// look compares the store with the ledger after a life, and says as a person what
// became of calls that the ledger is asked about in vain. A worker that died after its
// last commit has ended the task all the same.
func (h *run) look(code int) (ended bool, err error) {
	err = h.book(func(b *tasks.Book) error {
		list, err := b.Verify()
		for _, r := range list {
			err = errors.Join(err, r.Err)
		}
		if err != nil {
			h.problem("%v", err)
			return nil
		}
		calls := map[string]bool{}
		if err := b.Receipts(h.task, func(r *receipts.Receipt) error {
			calls[r.ID] = r.Kind == receipts.Call
			return nil
		}); err != nil {
			return err
		}
		for _, e := range h.ledger.all() {
			if !calls[e.Key] {
				h.Unreceived++
				h.problem("effect of step %d has no receipt", e.Step)
			}
		}
		t, err := b.Get(h.task)
		if err != nil {
			return err
		}
		if ended = t.State.Ended(); ended || code != exitAsks {
			return nil
		}
		for _, p := range t.Pending {
			if err := b.Say(h.task, p.Receipt, h.ledger.settle(p.Key), "the harness"); err != nil {
				return err
			}
		}
		return nil
	})
	return ended || h.broken, err
}

// judge looks at a task that has ended.
func (h *run) judge() {
	h.Tasks++
	done := h.ledger.all()
	h.Effects += len(done)
	err := h.book(func(b *tasks.Book) error {
		t, err := b.Get(h.task)
		if err != nil {
			return err
		}
		if t.State != tasks.Succeeded || len(t.Pending) > 0 {
			h.problem("it ended %s with %d calls pending", t.State, len(t.Pending))
		}
		var chain []*receipts.Receipt
		if err := b.Receipts(h.task, func(r *receipts.Receipt) error { chain = append(chain, r); return nil }); err != nil {
			return err
		}
		return h.compare(chain, done)
	})
	if err != nil {
		h.problem("%v", err)
	}
	if !h.broken {
		h.Resumed += h.died
	}
}

// compare holds the receipts of a task and what was done to each other and to what
// the policies say.
func (h *run) compare(chain []*receipts.Receipt, done []entry) error {
	calls, ran, agreed, stopped := map[string]*receipts.Receipt{}, map[string]int{}, map[string]string{}, map[int]int{}
	for _, r := range chain {
		switch r.Kind {
		case receipts.Call:
			calls[r.ID] = r
		case receipts.Outcome:
			ran[r.Of]++
		case receipts.Settled:
			if r.Fate == receipts.Ran {
				ran[r.Of]++
			}
		case receipts.Consent:
			if r.Consent != "" {
				agreed[r.Consent] = r.Policy
			}
		case receipts.Stopped:
			var step int
			if err := json.Unmarshal(r.Payload, &step); err != nil {
				return err
			}
			stopped[step]++
		}
	}
	times := map[int]int{}
	for _, e := range done {
		times[e.Step]++
		if ran[e.Key] != 1 {
			h.problem("step %d ran and has %d receipts that it did", e.Step, ran[e.Key])
		}
		delete(ran, e.Key)
		ok, err := approved(calls[e.Key], &e, agreed)
		if err != nil {
			return err
		}
		if !ok {
			h.Unapproved++
			h.problem("step %d ran unapproved under %s", e.Step, e.Policy)
		}
	}
	for key := range ran {
		h.problem("receipt %s says that a call ran, which did not", key)
	}
	for step := range steps {
		switch n := times[step] + stopped[step]; {
		case times[step] > 1:
			h.Doubled += times[step] - 1
			h.problem("step %d was done %d times", step, times[step])
		case n == 0:
			h.Skipped++
			h.problem("step %d was neither done nor stopped", step)
		case n > 1:
			h.problem("step %d was done %d times and stopped %d times", step, times[step], stopped[step])
		}
	}
	return nil
}

// approved says whether an effect was: by the policy under which it was dispatched, or
// by a yes that was given under that very policy and used once.
func approved(r *receipts.Receipt, e *entry, agreed map[string]string) (bool, error) {
	if r == nil || r.Policy != e.Policy || !strings.Contains(string(r.Payload), fmt.Sprintf("/%d.txt", e.Step)) {
		return false, nil
	}
	d, err := asks(r.Policy, e.Step)
	if err != nil {
		return false, err
	}
	switch d.String() {
	case "approved":
		return true, nil
	case "approved_with_constraints":
		under, ok := agreed[r.Consent]
		delete(agreed, r.Consent)
		return ok && under == r.Policy, nil
	}
	return false, nil
}
