//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/stores/sqlite"
)

// die ends this process as kill -9 does, at once and without any cleaning up.
func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // it is not to go on for even a moment
}

func openStore(kind, name string) (stores.Database, error) {
	switch kind {
	case "bbolt":
		return stores.OpenBolt(name)
	case "sqlite":
		return sqlite.Open(name)
	}
	return nil, fmt.Errorf("no kind of store %q: bbolt or sqlite", kind)
}

// errDiskFull says that the store could not write. The worker stops there.
var errDiskFull = errors.New("the disk is full")

// faulty is a database whose transactions break off.
type faulty struct {
	stores.Database
	plan  *plan
	rng   *rand.Rand
	armed bool
	n     int
}

func newFaulty(db stores.Database, p *plan) *faulty {
	return &faulty{Database: db, plan: p, rng: rand.New(rand.NewPCG(p.Seed, 7))}
}

// arm lets faults come from now on: what opens the book is no part of a task.
func (f *faulty) arm() { f.armed = true }

// Update implements stores.Database.
func (f *faulty) Update(do func(stores.Tx) error) error {
	if f.armed {
		f.n++
	}
	if f.plan.Fault == "enospc" {
		return diskFull(f.Database.Update(do))
	}
	due := f.armed && f.n >= f.plan.Nth
	switch {
	case due && f.plan.Fault == "in-tx":
		return f.Database.Update(func(tx stores.Tx) error {
			if err := do(tx); err != nil {
				return err
			}
			die()
			return nil
		})
	case due && f.plan.Fault == "torn":
		return f.torn(do)
	case due && f.plan.Fault == "full":
		return f.full(do)
	}
	return f.Database.Update(do)
}

// diskFull says of what fails where the disk is full that it does.
func diskFull(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errDiskFull, err)
}

// full lets all writes beyond a random offset of a file fail. Where the transaction
// needs none, the next one is tried.
func (f *faulty) full(do func(stores.Tx) error) error {
	signal.Ignore(syscall.SIGXFSZ) // an error of the write instead
	size := int64(0)
	for _, data := range f.files() {
		size = max(size, int64(len(data)))
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	now := old
	now.Cur = uint64(f.rng.Int64N(size + 4096))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &now); err != nil {
		return err
	}
	failed := f.Database.Update(do)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	return diskFull(failed)
}

// files are those of the store, but for what SQLite makes anew when it opens.
func (f *faulty) files() map[string][]byte {
	names, err := filepath.Glob(f.plan.Name + "*")
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	out := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, ".key") || strings.HasSuffix(name, "-shm") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			panic("gbt: internal error: " + err.Error())
		}
		out[name] = data
	}
	return out
}

// torn carries out the transaction, puts on the disk what a power cut in the middle
// of its commit would have left there, and dies before anybody hears that it was
// committed.
func (f *faulty) torn(do func(stores.Tx) error) error {
	before := f.files()
	if err := f.Database.Update(do); err != nil {
		return err
	}
	after := f.files()
	var err error
	if f.plan.Kind == "bbolt" {
		err = f.tornPages(f.plan.Name, before, after)
	} else {
		err = f.tornLog(before, after)
	}
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	die()
	return nil
}

const page = 4096

// changed are the pages of a file that differ.
func changed(a, b []byte) (out []int) {
	for at := 0; at < len(b); at += page {
		end := min(at+page, len(b))
		if at >= len(a) || string(a[at:min(end, len(a))]) != string(b[at:end]) {
			out = append(out, at)
		}
	}
	return out
}

// tornPages is bbolt's commit broken off: it writes pages that nothing points to,
// syncs, and writes one of the two pages of meta data (0 and 1), by which they count.
// So either some of the pages are there, the last of them in part, and the meta page
// is the old one; or all are there, and the meta page is in part.
func (f *faulty) tornPages(name string, before, after map[string][]byte) error {
	a, b := before[name], after[name]
	out := make([]byte, len(b))
	copy(out, a)
	var meta, data []int
	for _, at := range changed(a, b) {
		if at < 2*page {
			meta = append(meta, at)
		} else {
			data = append(data, at)
		}
	}
	f.rng.Shuffle(len(data), func(i, k int) { data[i], data[k] = data[k], data[i] })
	keep := f.rng.IntN(len(data) + 2)
	for i, at := range data[:min(keep, len(data))] {
		n := page
		if i == keep-1 {
			n = 512 * f.rng.IntN(9) // sectors are whole
		}
		copy(out[at:min(at+n, len(out))], b[at:])
	}
	if keep > len(data) {
		for _, at := range meta {
			n := f.rng.IntN(81) // a meta page's 80 bytes, which lie in one sector: harder than any disk
			copy(out[at:at+n], b[at:])
		}
	}
	return os.WriteFile(name, out, 0o600)
}

// tornLog is SQLite's commit broken off: the write-ahead log grows by the changed
// pages, is synced, and by then it counts; what is moved from it into the database
// comes after.
func (f *faulty) tornLog(before, after map[string][]byte) error {
	name := f.plan.Name
	if pages := changed(before[name], after[name]); len(pages) > 0 {
		out := make([]byte, len(after[name]))
		copy(out, before[name])
		f.rng.Shuffle(len(pages), func(i, k int) { pages[i], pages[k] = pages[k], pages[i] })
		for _, at := range pages[:f.rng.IntN(len(pages)+1)] {
			copy(out[at:min(at+page, len(out))], after[name][at:])
		}
		return os.WriteFile(name, out, 0o600)
	}
	log := name + "-wal"
	a, b := before[log], after[log]
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	cut := first + f.rng.IntN(len(b)-first+1)
	out := append([]byte(nil), b[:cut]...)
	if cut < len(a) {
		out = append(out, a[cut:]...)
	}
	return os.WriteFile(log, out, 0o600)
}
