package main

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/tasks"
	"github.com/gbt-policy/gbt/traverse"
)

// noStore is the value of --store that keeps nothing.
const noStore = "none"

// keptRun is a run of gbt run in its book; nil for one that is not kept.
type keptRun struct {
	book   *tasks.Book
	run    *tasks.Run
	id     string
	setup  *setup
	said   [][]byte
	output string // where the result goes; empty for nowhere
	unlock func() error
	stop   func() // the heartbeat
}

// setup is what a run was begun with: its task, and the options to resume it with.
type setup struct {
	Task  string              `json:"task"`
	Dir   string              `json:"dir,omitempty"`
	Flags map[string][]string `json:"flags"`
}

// fileFlags name files: they are kept as absolute names, because a run may be resumed
// from another directory.
var fileFlags = []string{"policy", "trust", "seen", "log", "output", "plan"}

// setupOf notes the options that were given.
func setupOf(c *cli.Context) (*setup, error) {
	s := &setup{Task: c.String("task"), Flags: map[string][]string{}}
	if dir := c.String("dir"); dir != "" {
		var err error
		if s.Dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
	}
	for _, f := range runFlags() {
		name := f.Names()[0]
		if !c.IsSet(name) {
			continue
		}
		values := []string{fmt.Sprint(c.Value(name))}
		if _, list := f.(*cli.StringSliceFlag); list {
			values = c.StringSlice(name)
		}
		if slices.Contains(fileFlags, name) {
			for i, v := range values {
				if v == "off" && name == "seen" {
					continue
				}
				full, err := filepath.Abs(v)
				if err != nil {
					return nil, err
				}
				values[i] = full
			}
		}
		s.Flags[name] = values
	}
	return s, nil
}

// apply sets the options that a resume does not say itself.
func (s *setup) apply(c *cli.Context) error {
	given := map[string]bool{}
	for name := range s.Flags {
		given[name] = c.IsSet(name)
	}
	for _, name := range sortedFlags(s.Flags) {
		for _, v := range s.Flags[name] {
			if given[name] {
				continue
			}
			if err := c.Set(name, v); err != nil {
				return fmt.Errorf("--%s %s: %w", name, v, err)
			}
		}
	}
	return nil
}

func sortedFlags(m map[string][]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// beginKept makes the session of a new run and takes it.
func beginKept(e *env, c *cli.Context, p *traverse.Policy) (*keptRun, error) {
	if c.String("store") == noStore || c.String("git") != "" { // a history in git is what its run goes on from
		return nil, nil
	}
	b, err := openBook(c, true)
	if err != nil {
		return nil, fail(exitInput, "%v; --store none keeps nothing", err)
	}
	s, err := setupOf(c)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	data, err := runner.NewKept(text)
	if err != nil {
		return nil, err
	}
	id := "run-" + rand.Text()
	if _, err := b.Create(tasks.New{ID: id, Kind: "run", Title: cmp.Or(s.Task, c.String("plan")), Policy: p.Digest(), Data: data, Payload: beats(b)}); err != nil {
		return nil, errors.Join(sessionError(err), b.Close())
	}
	return takeKept(e, b, id, p, s)
}

// beats are the settings of the heartbeat, for the receipt.
func beats(b *tasks.Book) []byte {
	o := b.Options()
	return fmt.Appendf(nil, `{"heartbeat_seconds":%g,"reaper_seconds":%g,"stale_seconds":%g}`, o.Beat.Seconds(), o.Reap.Seconds(), o.Stale.Seconds())
}

// takeKept takes a session and its folder. The folder's lock is given back by the
// system when a process ends, however it ends: whoever gets it knows that the last
// owner is gone, and need not wait until it is stale.
func takeKept(e *env, b *tasks.Book, id string, p *traverse.Policy, s *setup) (k *keptRun, err error) {
	k = &keptRun{book: b, id: id, setup: s, unlock: func() error { return nil }, stop: func() {}}
	defer func() {
		if err != nil {
			err = errors.Join(err, k.close())
		}
	}()
	folder := folderOf(b, id)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return k, fail(exitInput, "the session's folder: %v", err)
	}
	unlock, err := stores.Lock(filepath.Join(folder, "lock"))
	if errors.Is(err, stores.ErrBusy) {
		return k, fail(exitUsage, "session %s: a live process runs it", id)
	}
	if err != nil {
		return k, fail(exitInput, "%v", err)
	}
	k.unlock = unlock
	if k.run, err = b.Claim(id, tasks.Claim{Owner: owner(), Policy: p.Digest(), Gone: true}); err != nil {
		return k, sessionError(err)
	}
	if k.said, err = b.Parts(id); err != nil {
		return k, sessionError(err)
	}
	fmt.Fprintf(e.stderr, "gbt: session %s\n", id)
	k.stop = k.beat(e)
	return k, nil
}

// owner names this process among all that ever ran.
func owner() string { return fmt.Sprintf("%d-%s", os.Getpid(), rand.Text()) }

func folderOf(b *tasks.Book, id string) string { return filepath.Join(b.Path()+".d", id) }

// removeFolder removes what a session kept outside of its database.
func removeFolder(b *tasks.Book, id string) error {
	folder := folderOf(b, id)
	filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(name, 0o700) // RemoveAll reports what stays closed
		}
		return nil
	})
	return os.RemoveAll(folder)
}

// clearFolder leaves of a run that is over what taking back its calls needs, or nothing
// where it has no result to take them back in.
func clearFolder(b *tasks.Book, id, output string) error {
	held := filepath.Join(folderOf(b, id), "workspace")
	if _, err := os.Lstat(output); output == "" || err != nil {
		return removeFolder(b, id)
	}
	if _, err := os.Stat(workspace.KeptDir(held)); err != nil {
		return nil // it was cleared already
	}
	data, err := b.Data(id)
	if err != nil {
		return err
	}
	mark, err := runner.MarkOf(data)
	if err == nil && mark != "" {
		err = workspace.Thin(held, mark)
	}
	return err
}

// beat tells that this process lives, and looks for those that don't, until stop.
func (k *keptRun) beat(e *env) (stop func()) {
	done, over := make(chan struct{}), sync.WaitGroup{}
	o := k.book.Options()
	over.Go(func() {
		beat, reap := time.NewTicker(o.Beat), time.NewTicker(o.Reap)
		defer beat.Stop()
		defer reap.Stop()
		for {
			var err error
			select {
			case <-done:
				return
			case <-beat.C:
				err = k.run.Beat()
			case <-reap.C:
				_, err = k.book.Reap()
			}
			if err != nil {
				fmt.Fprintf(e.stderr, "gbt: %v\n", err)
			}
		}
	})
	return sync.OnceFunc(func() { close(done); over.Wait() })
}

// workspace is where the workspace lies; empty for a temporary place.
func (k *keptRun) workspace() string {
	if k == nil {
		return ""
	}
	return filepath.Join(folderOf(k.book, k.id), "workspace")
}

// into puts the session into a run's options.
func (k *keptRun) into(o *runner.Options, output string) {
	if k != nil {
		k.output = output
		o.Kept, o.Said, o.Task.ID, o.Task.Text = k.run, k.said, k.id, k.setup.Task
		o.Snapshots = output != ""
	}
}

// from is the directory of which the workspace is a copy.
func (k *keptRun) from(dir string) string {
	if k == nil {
		return dir
	}
	return k.setup.Dir
}

// waits says whether the run is not over but can be resumed, and how.
func (k *keptRun) waits(e *env) bool {
	if k == nil {
		return false
	}
	k.stop()
	t, err := k.book.Get(k.id)
	if err != nil || !t.State.Resumable() {
		return false
	}
	fmt.Fprintf(e.stderr, "gbt: the run is %s, and its workspace is kept: gbt sessions resume %s goes on with it\n", t.State, k.id)
	return true
}

// close gives the session back, and removes the workspace of one that is over: the
// run's result is --output. What gbt undo needs stays beside it.
func (k *keptRun) close() error {
	if k == nil {
		return nil
	}
	k.stop()
	var errs []error
	switch t, err := k.book.Get(k.id); {
	case err != nil:
	case t.State.Ended():
		errs = append(errs, clearFolder(k.book, k.id, k.output))
	case t.State == tasks.Running && k.run != nil: // it could not begin or go on
		errs = append(errs, k.run.Commit(tasks.Change{To: tasks.Paused, Reason: "it could not begin"}))
	}
	return errors.Join(append(errs, k.unlock(), k.book.Close())...)
}

// deliver hands out the result of a run that was killed between its end and that.
func deliver(e *env, c *cli.Context, b *tasks.Book, id string, state tasks.State) error {
	held := filepath.Join(folderOf(b, id), "workspace")
	name := c.String("output")
	if _, err := os.Stat(workspace.KeptDir(held)); err != nil || name == "" {
		return fail(exitUsage, "session %s is over: it %s", id, state)
	}
	if _, err := os.Lstat(name); err != nil { // else it was handed out already
		if err := keepOutput(e, name, workspace.KeptDir(held)); err != nil {
			return cannotWrite(name, err)
		}
	}
	if err := clearFolder(b, id, name); err != nil {
		return fail(exitInput, "%v", err)
	}
	if state != tasks.Succeeded {
		return fail(exitFindings, "session %s is over: it %s; what its workspace held is in %s", id, state, name)
	}
	fmt.Fprintf(e.stderr, "gbt: the run was killed when it had ended: --log may lack its last calls, gbt sessions export %s has all\n", id)
	_, err := fmt.Fprintln(e.stdout, "DONE (checks)") // nothing else succeeds
	return stdoutError(err)
}

func resumeCommand(e *env, store cli.Flag) *cli.Command {
	flags := []cli.Flag{store,
		&cli.StringSliceFlag{Name: "ran", Usage: "say that the call of `RECEIPT`, whose outcome is not known, ran"},
		&cli.StringSliceFlag{Name: "not-run", Usage: "say that the call of `RECEIPT` did not run"},
	}
	return &cli.Command{Name: "resume", ArgsUsage: "ID", Flags: append(flags, runFlags()...),
		Usage: "go on with a run that was interrupted or killed",
		Description: "The run goes on with the options that it was begun with, unless others are given here. It obeys the policy that --policy\n" +
			"names now: calls that were not made yet are checked again under it, and what was agreed to under another one is void.\n" +
			"A call that was under way is taken back with the workspace and checked again.\n\n" +
			"Example:\n   gbt sessions resume run-4D7XKQ2M5N --policy newer.gbt",
		Action: func(c *cli.Context) error { return withBook(e, c, 1, resumeSession) }}
}

// resumeSession goes on with a run.
func resumeSession(e *env, c *cli.Context, b *tasks.Book) error {
	id := c.Args().First()
	t, err := b.Get(id)
	if err != nil {
		return err
	}
	if err := sayFates(c, b, id); err != nil {
		return err
	}
	if t.Kind != "run" {
		return fail(exitUsage, "session %s belongs to gbt serve: its host goes on with it through the server", id)
	}
	s, err := setupIn(b, id)
	if err != nil {
		return err
	}
	if err := s.apply(c); err != nil {
		return fail(exitInput, "session %s: %v", id, err)
	}
	if t.State.Ended() {
		return deliver(e, c, b, id, t.State)
	}
	if err := runFlagsUsage(c); err != nil {
		return err
	}
	policy, err := runPolicy(e, c)
	if err != nil {
		return err
	}
	book, err := openBook(c, false) // closed with the run
	if err != nil {
		return err
	}
	k, err := takeKept(e, book, id, policy, s)
	if err != nil {
		return err
	}
	return carryOut(e, c, policy, k)
}

// setupIn reads what a run was begun with.
func setupIn(b *tasks.Book, id string) (*setup, error) {
	data, err := b.Data(id)
	if err != nil {
		return nil, err
	}
	text, err := runner.Setup(data)
	if err != nil {
		return nil, err
	}
	var s setup
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fail(exitInput, "session %s: what it was begun with: %v", id, err)
	}
	return &s, nil
}

// sayFates records what a person says became of calls.
func sayFates(c *cli.Context, b *tasks.Book, id string) error {
	for flag, fate := range map[string]receipts.Fate{"ran": receipts.Ran, "not-run": receipts.NotRun} {
		for _, r := range c.StringSlice(flag) {
			if err := b.Say(id, r, fate, who()); err != nil {
				return fail(exitUsage, "--%s: %v", flag, err)
			}
		}
	}
	return nil
}
