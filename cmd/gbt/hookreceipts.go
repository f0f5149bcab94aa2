package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/receipts/chainfile"
	"github.com/gbt-policy/gbt/internal/tasks"
	"github.com/gbt-policy/gbt/internal/undo"
)

// Receipts of the hook stand in files of lines, because it can open no database. Here they
// are read beside those of the database.

func receiptsFlag() cli.Flag {
	return &cli.StringFlag{Name: "receipts", Usage: "the `DIR` of the hook's receipts (default: in gbt's state directory; with --store, none)"}
}

// hookLog is where the hook keeps receipts; nil where only a database was named.
func hookLog(c *cli.Context) *chainfile.Log {
	dir := c.String("receipts")
	if dir == "" && !c.IsSet("store") {
		dir, _ = chainfile.DefaultDir()
	}
	if dir == "" {
		return nil
	}
	return &chainfile.Log{Dir: dir}
}

// hookSession is a chain of the hook's.
type hookSession struct {
	id   string
	list []*receipts.Receipt
	err  error // why it is not what was written
}

// hookSessions reads all chains.
func hookSessions(c *cli.Context) []hookSession {
	log := hookLog(c)
	if log == nil {
		return nil
	}
	ids, err := log.Sessions()
	var out []hookSession
	for _, id := range ids {
		s := hookSession{id: id}
		s.list, s.err = log.Read(id)
		out = append(out, s)
	}
	if err != nil {
		out = append(out, hookSession{id: log.Dir, err: err})
	}
	return out
}

// place is the host and the workspace of a session, as its first receipt says.
func (s *hookSession) place() (host, workspace string) {
	var p struct{ Host, Workspace string }
	if len(s.list) > 0 {
		json.Unmarshal(s.list[0].Payload, &p) // what can't be read is empty
	}
	return p.Host, p.Workspace
}

// session is the chain as gbt sessions prints it.
func (s *hookSession) session() sessionJSON {
	host, dir := s.place()
	out := sessionJSON{ID: s.id, Kind: "hook", Title: strings.TrimSpace(host + " " + dir)}
	for _, r := range s.list {
		if r.Kind == receipts.Call {
			out.Calls++
		}
	}
	if n := len(s.list); n > 0 {
		last := s.list[n-1]
		out.Created, out.Updated = time.UnixMilli(s.list[0].Time).UTC(), time.UnixMilli(last.Time).UTC()
		out.Policy, out.Receipts, out.Head = last.Policy, last.Seq, last.Hash
	}
	return out
}

// hookSessionOf reads one chain.
func hookSessionOf(c *cli.Context, id string) (*hookSession, error) {
	log := hookLog(c)
	if log == nil {
		return nil, tasks.ErrNotFound
	}
	list, err := log.Read(id)
	if errors.Is(err, os.ErrNotExist) || err != nil && !errors.Is(err, chainfile.ErrTampered) {
		return nil, tasks.ErrNotFound
	}
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	return &hookSession{id: id, list: list}, nil
}

// hookSteps finds the steps of the undo journal that names of the hook's receipts or
// sessions stand for, and their workspace. ok is false where not all names are of those.
func hookSteps(c *cli.Context) (steps []string, root string, ok bool, err error) {
	all := hookSessions(c)
	for _, name := range c.Args().Slice() {
		found := false
		for i := range all {
			s := &all[i]
			for _, r := range s.list {
				if r.Mark == "" || r.Kind != receipts.Call && r.Kind != receipts.Undo || s.id != name && (len(name) < minReceipt || !strings.HasPrefix(r.ID, name)) {
					continue
				}
				if s.id == name && (r.Kind == receipts.Undo || receipts.Standing(s.list)[r.ID] == receipts.Externally) {
					found = true
					continue
				}
				_, dir := s.place()
				if root != "" && dir != root {
					return nil, "", false, fail(exitUsage, "%s and %s: take back what was done to one workspace at a time", root, dir)
				}
				found, root = true, dir
				if !slices.Contains(steps, r.Mark) {
					steps = append(steps, r.Mark)
				}
			}
		}
		if !found {
			return nil, "", false, nil
		}
	}
	return steps, root, true, nil
}

// noteHooks writes receipts of an undo into the chains of the calls that it took back. all
// are the steps as they were before it.
func noteHooks(c *cli.Context, j *undo.Journal, p *undo.Plan, r *undo.Report, all []undo.Step) error {
	log := hookLog(c)
	if log == nil {
		return nil
	}
	undone := map[string]bool{} // undos that were taken back
	for i := range p.Steps {
		if p.Steps[i].Undo {
			undone[p.Steps[i].ID] = true
		}
	}
	drafts := map[string][]receipts.Receipt{}
	add := func(s *undo.Step, d receipts.Receipt) {
		chain := chainfile.Name(s.Agent, s.Session)
		list, err := log.Read(chain)
		if err != nil {
			return // it has no receipts, or gbt sessions verify says what is wrong with them
		}
		i := slices.IndexFunc(list, func(x *receipts.Receipt) bool { return x.Kind == receipts.Call && x.Mark == s.ID })
		if i >= 0 {
			d.Of = list[i].ID
			drafts[chain] = append(drafts[chain], d)
		}
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		d := receipts.Receipt{Kind: receipts.Undo, Mark: r.ID}
		d.Reversal, d.Reason = standing(j, s, r, "gbt undo took it back")
		add(s, d)
	}
	for i := range all {
		if undone[all[i].UndoneBy] {
			add(&all[i], receipts.Receipt{Kind: receipts.Undo, Mark: r.ID, Reversal: receipts.Reversible, Reason: "its undo was taken back"})
		}
	}
	var errs []error
	for _, chain := range slices.Sorted(maps.Keys(drafts)) {
		errs = append(errs, log.Append(chain, receipts.Receipt{}, func(func(string) string) []receipts.Receipt { return drafts[chain] }))
	}
	return errors.Join(errs...)
}

// undoPlaceOf is where the journal of a workspace that a receipt names lies.
func undoPlaceOf(c *cli.Context, root string) (base string, err error) {
	if base = c.String("journals"); base == "" {
		base, err = undo.DefaultBase()
	}
	if err == nil {
		base, err = filepath.Abs(base)
	}
	if err != nil {
		return "", fail(exitInput, "%v", err)
	}
	if _, ok := undo.Find(base, root); !ok {
		return "", fail(exitInput, "nothing is remembered of %s any more: its journal is gone", root)
	}
	return base, nil
}
