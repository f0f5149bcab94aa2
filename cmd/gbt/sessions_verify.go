package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/receipts/chainfile"
	"github.com/gbt-policy/gbt/internal/tasks"
)

func verifySessions(e *env, c *cli.Context, b *tasks.Book) error {
	type finding struct {
		ID       string `json:"id"`
		Receipts int64  `json:"receipts"`
		Head     string `json:"head"`
		Problem  string `json:"problem,omitempty"`
	}
	var list []tasks.Report
	var err error
	if b != nil {
		list, err = b.Verify()
	}
	for _, s := range hookSessions(c) {
		r := tasks.Report{ID: s.id, Err: s.err}
		if n := len(s.list); n > 0 {
			r.Head = receipts.Head{Count: s.list[n-1].Seq, Hash: s.list[n-1].Hash}
		}
		list = append(list, r)
	}
	lost, lostErr := goneReceipts(c)
	list, err = append(list, lost...), errors.Join(err, lostErr)
	out := struct {
		Sessions []finding `json:"sessions"`
		Problem  string    `json:"problem,omitempty"`
		Good     bool      `json:"good"`
	}{Sessions: []finding{}, Good: err == nil}
	if err != nil {
		out.Problem = err.Error()
	}
	n := int64(0)
	for _, r := range list {
		f := finding{ID: r.ID, Receipts: r.Head.Count, Head: r.Head.Hash}
		if r.Err != nil {
			f.Problem, out.Good = r.Err.Error(), false
		}
		n += r.Head.Count
		out.Sessions = append(out.Sessions, f)
	}
	if c.Bool("json") {
		if err := printJSON(e, out); err != nil {
			return err
		}
	} else {
		for _, f := range out.Sessions {
			if f.Problem != "" {
				fmt.Fprintln(e.stdout, f.Problem)
			}
		}
		if out.Problem != "" {
			fmt.Fprintln(e.stdout, out.Problem)
		}
		if out.Good {
			fmt.Fprintf(e.stdout, "%s, %s: all as they were written\n", count(len(list), "session"), count(int(n), "receipt"))
		}
	}
	if !out.Good {
		return &exitError{code: exitFindings}
	}
	return nil
}

// goneReceipts reports chains of the hook of which nothing is left.
func goneReceipts(c *cli.Context) (out []tasks.Report, err error) {
	log := hookLog(c)
	if log == nil {
		return nil, nil
	}
	list, err := log.Gone()
	for _, g := range list {
		out = append(out, tasks.Report{ID: g.Session, Err: fmt.Errorf("receipts of %s: %w: the whole file is gone, of a session that began %s", g.Session, chainfile.ErrTampered, g.Since.Local().Format(time.DateTime))})
	}
	return out, err
}

func pruneSessions(e *env, c *cli.Context, b *tasks.Book) error {
	if c.Duration("older-than") < 0 {
		return fail(exitUsage, "--older-than is below zero")
	}
	before := time.Now().Add(-c.Duration("older-than")).UnixMilli()
	if err := pruneHooks(e, c, before); err != nil || b == nil {
		return err
	}
	list, _, err := b.List()
	if err != nil {
		return err
	}
	for _, t := range list {
		if !t.State.Ended() || t.Updated > before {
			continue
		}
		if !c.Bool("dry-run") {
			if err := errors.Join(b.Remove(t.ID), removeFolder(b, t.ID)); err != nil {
				return err
			}
		}
		fmt.Fprintf(e.stdout, "%s  %s  %s\n", t.ID, t.State, t.Title)
	}
	return nil
}

// pruneHooks removes receipts of the hook.
func pruneHooks(e *env, c *cli.Context, before int64) error {
	for _, h := range hookSessions(c) {
		s := h.session()
		if h.err != nil || s.Updated.UnixMilli() > before {
			continue
		}
		if !c.Bool("dry-run") {
			if err := hookLog(c).Remove(h.id); err != nil {
				return fail(exitInput, "%v", err)
			}
		}
		fmt.Fprintf(e.stdout, "%s  hook  %s\n", h.id, s.Title)
	}
	return pruneGone(e, c, before)
}

// pruneGone forgets receipts of the hook that are not there any more.
func pruneGone(e *env, c *cli.Context, before int64) error {
	log := hookLog(c)
	if log == nil {
		return nil
	}
	list, err := log.Gone()
	if err != nil {
		return fail(exitFindings, "%v", err)
	}
	for _, g := range list {
		if g.Since.UnixMilli() > before {
			continue
		}
		if !c.Bool("dry-run") {
			if err := log.Remove(g.Session); err != nil {
				return fail(exitInput, "%v", err)
			}
		}
		fmt.Fprintf(e.stdout, "%s  hook  gone\n", g.Session)
	}
	return nil
}
