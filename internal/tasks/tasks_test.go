package tasks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/stores/sqlite"
	. "github.com/gbt-policy/gbt/internal/tasks"
)

// world is a book with a clock that stands still until it is moved.
type world struct {
	t    testing.TB
	db   stores.Database
	book *Book
	now  time.Time
}

// databases are all kinds: what one is held to, the others are.
var databases = map[string]func(name string) (stores.Database, error){
	"bbolt":  func(name string) (stores.Database, error) { return stores.OpenBolt(name) },
	"sqlite": func(name string) (stores.Database, error) { return sqlite.Open(name) },
}

func each(t *testing.T, do func(t *testing.T, w *world)) {
	for kind := range databases {
		t.Run(kind, func(t *testing.T) { do(t, newWorld(t, kind)) })
	}
}

func newWorld(t testing.TB, kind string) *world {
	w := &world{t: t, now: time.Unix(1_700_000_000, 0)}
	w.open(kind, filepath.Join(t.TempDir(), "s.db"))
	return w
}

func (w *world) open(kind, name string) {
	w.t.Helper()
	var err error
	if w.db, err = databases[kind](name); err != nil {
		w.t.Fatal(err)
	}
	if w.book, err = Open(w.db, Options{Now: func() time.Time { return w.now }}); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { w.book.Close() })
}

func (w *world) create(id string) {
	w.t.Helper()
	if _, err := w.book.Create(New{ID: id, Kind: "run", Title: "a task", Policy: "p1", Data: []byte("start")}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) claim(id, owner, policy string) *Run {
	w.t.Helper()
	r, err := w.book.Claim(id, Claim{Owner: owner, Policy: policy})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) receipts(id string) (out []*receipts.Receipt) {
	w.t.Helper()
	if err := w.book.Receipts(id, func(r *receipts.Receipt) error { out = append(out, r); return nil }); err != nil {
		w.t.Fatal(err)
	}
	return out
}

func kinds(list []*receipts.Receipt) string {
	var out []string
	for _, r := range list {
		s := string(r.Kind)
		if r.Kind == receipts.State {
			s = r.From + ">" + r.To
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func (w *world) sound() {
	w.t.Helper()
	list, err := w.book.Verify()
	for _, r := range list {
		err = errors.Join(err, r.Err)
	}
	if err != nil {
		w.t.Error(err)
	}
}

// TestTransitions holds the table to the one of requirement Z4, pair by pair.
func TestTransitions(t *testing.T) {
	want := "queued>running queued>cancelled running>paused running>succeeded running>failed running>cancelled running>zombie " +
		"paused>running paused>cancelled zombie>running zombie>cancelled"
	var got []string
	for _, from := range States() {
		for _, to := range States() {
			if May(from, to) {
				got = append(got, string(from)+">"+string(to))
			}
		}
	}
	a, b := strings.Fields(want), got
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Errorf("ways %v", got)
	}
	if May("", Running) || May(Running, "") || !State("").Ended() {
		t.Error("the zero state has ways")
	}
}

// TestLife: a task from its beginning to its end, and the receipts of it.
func TestLife(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		if _, err := w.book.Create(New{ID: "a"}); !errors.Is(err, ErrExists) {
			t.Errorf("made twice: %v", err)
		}
		if _, err := w.book.Get("b"); !errors.Is(err, ErrNotFound) {
			t.Errorf("never made: %v", err)
		}
		r := w.claim("a", "me", "p1")
		if string(r.Data()) != "start" {
			t.Errorf("began with %q", r.Data())
		}
		if _, err := w.book.Claim("a", Claim{Owner: "you", Policy: "p1"}); !errors.Is(err, ErrOwned) {
			t.Errorf("claimed twice: %v", err)
		}
		key, err := r.Dispatch(Call{Tool: "bash", Tier: LocalTier, Args: []byte(`{"command":"ls"}`), Decision: "d1", Snapshot: receipts.CopyFS, Mark: "m"}, Change{Data: []byte("dispatched")})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Outcome(key, map[string]any{"exit": 0}, Change{Data: []byte("observed"), Steps: 3, Parts: [][]byte{[]byte("one"), []byte("two")}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Outcome(key, nil, Change{}); err == nil {
			t.Error("a second outcome of one call was taken")
		}
		if err := r.Commit(Change{To: Paused, Reason: "interrupted"}); err != nil {
			t.Fatal(err)
		}
		if err := r.Commit(Change{To: Succeeded}); !errors.Is(err, ErrChanged) {
			t.Errorf("a commit after the run was given up: %v", err)
		}
		r = w.claim("a", "me again", "p1")
		if string(r.Data()) != "observed" || r.Task().Steps != 3 || r.Task().Calls != 1 {
			t.Errorf("came back with %q, %+v", r.Data(), r.Task())
		}
		if parts, err := w.book.Parts("a"); err != nil || fmt.Sprintf("%s", parts) != "[one two]" {
			t.Errorf("parts %s %v", parts, err)
		}
		if err := r.Commit(Change{To: Succeeded, Reason: "DONE"}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.book.Claim("a", Claim{Owner: "x"}); !errors.Is(err, ErrTransition) {
			t.Errorf("claimed after its end: %v", err)
		}
		list := w.receipts("a")
		if got := kinds(list); got != "created queued>running call outcome running>paused paused>running running>succeeded" {
			t.Errorf("receipts %s", got)
		}
		c := list[2]
		if c.Tier != LocalTier || c.Reversal != receipts.Reversible || c.Snapshot != receipts.CopyFS || c.Key != key || c.Key != c.ID || c.Decision != "d1" || c.Policy != "p1" || string(c.Payload) != `{"command":"ls"}` || c.Time != w.now.UnixMilli() {
			t.Errorf("the call's receipt is %+v", c)
		}
		if list[3].Of != c.ID || string(list[3].Payload) != `{"exit":0}` {
			t.Errorf("the outcome's receipt is %+v", list[3])
		}
		w.sound()
	})
}

// TestNoClaimOutsideTheLocalTier: whatever snapshot there is, only what is local is
// called reversible.
func TestNoClaimOutsideTheLocalTier(t *testing.T) {
	for _, tier := range []string{"externally-irreversible", "runtime-compensable", "", LocalTier} {
		for _, s := range []receipts.Snapshot{"", receipts.AuditOnly, receipts.CopyFS, receipts.COW} {
			c := Call{Tier: tier, Snapshot: s}
			r := c.Draft()
			if want := tier == LocalTier && (s == receipts.CopyFS || s == receipts.COW); (r.Reversal == receipts.Reversible) != want || r.Snapshot == "" {
				t.Errorf("%q with snapshot %q: %+v", tier, s, r)
			}
		}
	}
}

// TestReap: silent for exactly as long as allowed is alive, a moment longer is a
// zombie; a beat keeps it alive; only a zombie is somebody else's.
func TestReap(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		r := w.claim("a", "me", "p1")
		reap := func(want int) {
			t.Helper()
			if got, err := w.book.Reap(); len(got) != want || err != nil {
				t.Errorf("reaped %v %v, want %d", got, err, want)
			}
		}
		w.now = w.now.Add(time.Minute)
		reap(0)
		if err := r.Beat(); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(time.Minute)
		reap(0)
		w.now = w.now.Add(time.Millisecond)
		reap(1)
		reap(0)
		if err := r.Commit(Change{Data: []byte("x")}); !errors.Is(err, ErrChanged) {
			t.Errorf("a zombie committed: %v", err)
		}
		if _, err := w.book.Add("a", []receipts.Receipt{{Kind: receipts.Call}}); err == nil {
			t.Error("a call was added later")
		}
		if _, err := w.book.Add("a", []receipts.Receipt{{Kind: receipts.Undo, Of: "x", Reversal: receipts.Irrecoverable}}); err != nil {
			t.Error(err)
		}
		r = w.claim("a", "you", "p1")
		w.now = w.now.Add(time.Hour) // nobody reaps, somebody claims
		w.claim("a", "she", "p1")
		if err := r.Commit(Change{Data: []byte("x")}); !errors.Is(err, ErrChanged) {
			t.Errorf("who was taken over from committed: %v", err)
		}
		if got := kinds(w.receipts("a")); got != "created queued>running running>zombie undo zombie>running running>zombie zombie>running" {
			t.Errorf("receipts %s", got)
		}
		w.sound()
	})
}

// TestGone: one that is known to be gone is not waited for.
func TestGone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		w.claim("a", "me", "p1")
		if _, err := w.book.Claim("a", Claim{Owner: "you", Policy: "p1", Gone: true}); err != nil {
			t.Error(err)
		}
		if got := kinds(w.receipts("a")); got != "created queued>running running>zombie zombie>running" {
			t.Errorf("receipts %s", got)
		}
	})
}

// ledger answers from a table.
type ledger map[string]receipts.Fate

func (l ledger) Settle(p Pending) (receipts.Fate, json.RawMessage, error) {
	return l[p.Tool], json.RawMessage(`{"found":true}`), nil
}

// TestSettle: what was dispatched and has no outcome is settled before anything else
// is dispatched.
func TestSettle(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		r := w.claim("a", "me", "p1")
		for _, tool := range []string{"did", "did not", "who knows"} {
			if _, err := r.Dispatch(Call{Tool: tool}, Change{}); err != nil {
				t.Fatal(err)
			}
		}
		r, err := w.book.Claim("a", Claim{Owner: "you", Policy: "p1", Gone: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Dispatch(Call{Tool: "more"}, Change{}); !errors.Is(err, ErrUnsettled) {
			t.Errorf("dispatched before it was settled: %v", err)
		}
		known := ledger{"did": receipts.Ran, "did not": receipts.NotRun}
		var out []Settlement
		settle := func(l Ledger) error {
			out = nil
			return r.Settle(l, func(s Settlement) (Change, error) {
				out = append(out, s)
				return Change{Data: fmt.Append(nil, "after ", s.Tool)}, nil
			})
		}
		if err := settle(known); !errors.Is(err, ErrUnsettled) || len(out) != 2 || out[0].Fate != receipts.Ran || string(out[0].Outcome) != `{"found":true}` || out[1].Fate != receipts.NotRun {
			t.Errorf("%+v %v", out, err)
		}
		if _, err := r.Dispatch(Call{Tool: "more"}, Change{}); !errors.Is(err, ErrUnsettled) {
			t.Errorf("dispatched though one is unknown: %v", err)
		}
		if err := settle(known); !errors.Is(err, ErrUnsettled) || len(out) != 0 {
			t.Errorf("asked again: %+v %v", out, err)
		}
		if err := r.Commit(Change{To: Paused, Reason: "unsettled"}); err != nil {
			t.Fatal(err)
		}
		left := w.mustGet("a").Pending
		if len(left) != 1 || left[0].Tool != "who knows" || !left[0].Asked {
			t.Fatalf("waiting for a person: %+v", left)
		}
		if err := w.book.Say("a", left[0].Receipt, receipts.FateUnknown, "ann"); err == nil {
			t.Error("a person said nothing, and it was taken")
		}
		if err := w.book.Say("a", left[0].Receipt, receipts.Ran, "ann"); err != nil {
			t.Fatal(err)
		}
		if err := w.book.Say("a", "another", receipts.NotRun, "bob"); err == nil {
			t.Error("said of a call that is none")
		}
		r = w.claim("a", "me", "p1")
		if string(r.Data()) != "after did not" {
			t.Errorf("goes on from %q", r.Data())
		}
		if err := settle(nil); err != nil || len(out) != 1 || out[0].Fate != receipts.Ran {
			t.Errorf("%+v %v", out, err)
		}
		if _, err := r.Dispatch(Call{Tool: "more"}, Change{}); err != nil {
			t.Error(err)
		}
		if got := kinds(w.receipts("a")); got != "created queued>running call call call running>zombie zombie>running settled settled unknown running>paused consent paused>running settled call" {
			t.Errorf("receipts %s", got)
		}
		w.sound()
	})
}

func (w *world) mustGet(id string) *Task {
	w.t.Helper()
	task, err := w.book.Get(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return task
}

// TestAnotherPolicy: the policy in force changes with its receipt, and calls after it
// carry it.
func TestAnotherPolicy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		r := w.claim("a", "me", "p1")
		if err := r.Commit(Change{To: Paused}); err != nil {
			t.Fatal(err)
		}
		r = w.claim("a", "me", "p2")
		if _, err := r.Dispatch(Call{Tool: "x"}, Change{}); err != nil {
			t.Fatal(err)
		}
		list := w.receipts("a")
		if got := kinds(list); got != "created queued>running running>paused paused>running policy call" || list[4].From != "p1" || list[4].To != "p2" || list[5].Policy != "p2" || list[2].Policy != "p1" {
			t.Errorf("receipts %s %+v", got, list[4])
		}
	})
}

// TestCancelStopsTheRun: who runs it is told before the next dispatch.
func TestCancelStopsTheRun(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		r := w.claim("a", "me", "p1")
		if _, err := w.book.Cancel("a", "ann"); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Dispatch(Call{Tool: "x"}, Change{}); !errors.Is(err, ErrChanged) {
			t.Errorf("dispatched after it was cancelled: %v", err)
		}
		if _, err := w.book.Cancel("a", "ann"); !errors.Is(err, ErrTransition) {
			t.Errorf("cancelled twice: %v", err)
		}
		if err := w.book.Remove("a"); err != nil {
			t.Error(err)
		}
		if _, err := w.book.Get("a"); !errors.Is(err, ErrNotFound) {
			t.Errorf("removed: %v", err)
		}
		w.create("b")
		if err := w.book.Remove("b"); err == nil {
			t.Error("one that is not over was removed")
		}
		w.sound()
	})
}

// TestOneClaimWins: of many who claim at one time one has it.
func TestOneClaimWins(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("a")
		var wg sync.WaitGroup
		won := make([]bool, 8)
		for i := range won {
			wg.Go(func() {
				_, err := w.book.Claim("a", Claim{Owner: fmt.Sprint(i), Policy: "p1"})
				won[i] = err == nil
				if err != nil && !errors.Is(err, ErrOwned) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		n := 0
		for _, x := range won {
			if x {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d of %d have it", n, len(won))
		}
	})
}

// TestTampered: every change of what is stored that gbt did not make is found.
func TestTampered(t *testing.T) {
	get := func(tx stores.Tx, table stores.Table, key string) string {
		v, err := tx.Get(table, key)
		if err != nil || v == nil {
			t.Fatalf("%s %s: %q %v", table, key, v, err)
		}
		return string(v)
	}
	key := func(n int) string { return fmt.Sprintf("a/%016x", n) }
	rewrite := func(tx stores.Tx, drop, edit int) error { // a whole chain, as one who knows the hashes would
		var head receipts.Head
		n := 1
		for i := 1; i <= 6; i++ {
			r, err := receipts.Decode([]byte(get(tx, stores.Receipts, key(i))))
			if err != nil {
				return err
			}
			if err := tx.Delete(stores.Receipts, key(i)); err != nil {
				return err
			}
			if i == drop {
				continue
			}
			if i == edit {
				r.Payload = json.RawMessage(`{"command":"harmless"}`)
			}
			if head, err = head.Next("a", r); err != nil {
				return err
			}
			data, err := r.Encode()
			if err != nil {
				return err
			}
			if err := tx.Put(stores.Receipts, key(n), data); err != nil {
				return err
			}
			n++
		}
		var task map[string]any
		if err := json.Unmarshal([]byte(get(tx, stores.Tasks, "a")), &task); err != nil {
			return err
		}
		return tx.Put(stores.Tasks, "a", []byte(strings.Replace(get(tx, stores.Tasks, "a"), fmt.Sprint(task["head"].(map[string]any)["hash"]), head.Hash, 1)))
	}
	for what, do := range map[string]func(tx stores.Tx) error{
		"a receipt removed": func(tx stores.Tx) error { return tx.Delete(stores.Receipts, key(3)) },
		"the first removed": func(tx stores.Tx) error { return tx.Delete(stores.Receipts, key(1)) },
		"the last removed":  func(tx stores.Tx) error { return tx.Delete(stores.Receipts, key(6)) },
		"the last two removed": func(tx stores.Tx) error {
			return errors.Join(tx.Delete(stores.Receipts, key(6)), tx.Delete(stores.Receipts, key(5)))
		},
		"a word changed": func(tx stores.Tx) error {
			return tx.Put(stores.Receipts, key(3), []byte(strings.Replace(get(tx, stores.Receipts, key(3)), "rm x", "ls x", 1)))
		},
		"white space": func(tx stores.Tx) error {
			return tx.Put(stores.Receipts, key(3), []byte(get(tx, stores.Receipts, key(3))+"\n"))
		},
		"two changed places": func(tx stores.Tx) error {
			a, b := get(tx, stores.Receipts, key(3)), get(tx, stores.Receipts, key(4))
			return errors.Join(tx.Put(stores.Receipts, key(3), []byte(b)), tx.Put(stores.Receipts, key(4), []byte(a)))
		},
		"one put in twice": func(tx stores.Tx) error {
			return tx.Put(stores.Receipts, key(7), []byte(get(tx, stores.Receipts, key(6))))
		},
		"another session's": func(tx stores.Tx) error {
			return tx.Put(stores.Receipts, key(1), []byte(get(tx, stores.Receipts, "b/0000000000000001")))
		},
		"the chain made anew":   func(tx stores.Tx) error { return rewrite(tx, 0, 3) },
		"made anew without one": func(tx stores.Tx) error { return rewrite(tx, 3, 0) },
		"another state": func(tx stores.Tx) error {
			return tx.Put(stores.Tasks, "a", []byte(strings.Replace(get(tx, stores.Tasks, "a"), `"paused"`, `"queued"`, 1)))
		},
		"a call forgotten": func(tx stores.Tx) error {
			return tx.Put(stores.Tasks, "b", []byte(strings.Replace(get(tx, stores.Tasks, "b"), `"steps":0`, `"steps":1`, 1)))
		},
		"what it needs, changed": func(tx stores.Tx) error {
			return tx.Put(stores.Sessions, "a", []byte(get(tx, stores.Sessions, "a")+"x"))
		},
		"what it needs, of another": func(tx stores.Tx) error { return tx.Put(stores.Sessions, "a", []byte(get(tx, stores.Sessions, "b"))) },
		"what it needs, gone":       func(tx stores.Tx) error { return tx.Delete(stores.Sessions, "a") },
		"a task removed":            func(tx stores.Tx) error { return tx.Delete(stores.Tasks, "a") },
		"a task removed, whole": func(tx stores.Tx) error {
			return errors.Join(tx.Delete(stores.Tasks, "b"), tx.Delete(stores.Receipts, "b/0000000000000001"), tx.Delete(stores.Sessions, "b"))
		},
		"the count changed": func(tx stores.Tx) error {
			return tx.Put(stores.Meta, "census", []byte(strings.Replace(get(tx, stores.Meta, "census"), "2 ", "1 ", 1)))
		},
	} {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t, "bbolt")
			w.create("a")
			w.create("b")
			r := w.claim("a", "me", "p1")
			k, err := r.Dispatch(Call{Tool: "bash", Args: []byte(`{"command":"rm x"}`)}, Change{Data: []byte("1")})
			err = errors.Join(err, r.Outcome(k, "gone", Change{Data: []byte("2")}), r.Commit(Change{Drafts: []receipts.Receipt{{Kind: receipts.Stopped}}, To: Paused}))
			if err != nil {
				t.Fatal(err)
			}
			w.sound()
			if t.Failed() {
				return
			}
			if err := w.db.Update(do); err != nil {
				t.Fatal(err)
			}
			list, err := w.book.Verify()
			for _, r := range list {
				err = errors.Join(err, r.Err)
			}
			if err == nil {
				t.Error("it was not found")
			}
		})
	}
}

// TestKey: the key of one database does not open another, and one that is missing is
// not quietly made anew.
func TestKey(t *testing.T) {
	w := newWorld(t, "bbolt")
	w.create("a")
	name := w.book.Path() + ".key"
	if st, err := os.Stat(name); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the key is open to others: %v", err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := Open(w.db, Options{}); !errors.Is(err, ErrKey) {
			t.Errorf("without its key: %v", err)
		}
	}
	if err := os.WriteFile(name, []byte(strings.Repeat("ab", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(w.db, Options{}); !errors.Is(err, ErrKey) {
		t.Errorf("with another key: %v", err)
	}
}

// TestNoSecretOnDisk writes secrets in every place that takes words, changes and
// removes what it wrote, and looks for them in every byte of every file.
func TestNoSecretOnDisk(t *testing.T) {
	secrets := []string{"ghp_" + strings.Repeat("aB3dE5fG7h", 4)[:36], "AKIA" + "Z7Q2M4N6P5R3S5T7", "hunter2-" + "correct-horse"}
	text := "token " + secrets[0] + " id " + secrets[1] + " mysql -p" + secrets[2] + " " + "password=" + secrets[2]
	args, err := json.Marshal(map[string]any{"command": text, "password": secrets[2], "nested": []any{map[string]any{"api_key": secrets[2], secrets[0]: "x"}}, "long": strings.Repeat("y", 2040) + " " + secrets[0], "huge": secrets[0] + strings.Repeat(" z", 40<<10)})
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, w *world) {
		for i := range 30 { // enough that pages are freed and used again
			id := fmt.Sprint("s", i)
			if _, err := w.book.Create(New{ID: id, Title: text, Policy: "p1", Data: []byte(text), Payload: args}); err != nil {
				t.Fatal(err)
			}
			r := w.claim(id, "me", "p1")
			k, err := r.Dispatch(Call{Tool: "bash " + secrets[0], Args: args}, Change{Data: []byte(strings.Repeat(text, 20))})
			err = errors.Join(err, r.Outcome(k, text, Change{Data: []byte(text), Parts: [][]byte{args}, Drafts: []receipts.Receipt{{Kind: receipts.Stopped, Payload: []byte("no JSON: " + text), Reason: text}}}),
				r.Commit(Change{To: Failed, Reason: text}))
			if err != nil {
				t.Fatal(err)
			}
			if i%2 == 0 {
				if err := w.book.Remove(id); err != nil {
					t.Fatal(err)
				}
			}
		}
		w.sound()
		looked := 0
		files, err := filepath.Glob(w.book.Path() + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			looked += len(data)
			for _, s := range secrets {
				if strings.Contains(string(data), s) || strings.Contains(string(data), s[:len(s)-2]) {
					t.Errorf("%s holds %s...", filepath.Base(f), s[:4])
				}
			}
		}
		if looked < 100_000 {
			t.Errorf("only %d bytes in %q were looked through", looked, files)
		}
		if r := w.receipts("s1")[2]; !strings.Contains(string(r.Payload), "command") || !strings.Contains(string(r.Payload), "mysql") {
			t.Errorf("the receipt says nothing any more: %s", r.Payload)
		}
	})
}
