package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/internal/approvals"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// queue puts the question about a call into the user's queue where the host can't
// ask it, and lets the call pass if they said yes to exactly this one. The decision
// needs consent already: nothing that is rejected comes here. What goes wrong leaves
// the block as it is.
func (c *config) queue(in *hosts.Input, ctx *gates.Context, d *gates.Decision, now time.Time, stderr io.Writer) {
	dir, err := c.queueDir()
	if dir == "" && err == nil || c.host.Probed(in) {
		return
	}
	var yes bool
	var e approvals.Entry
	r := approvals.Request{Door: "hook " + c.host.Name, Tool: in.Call.Tool, Args: c.host.Retried(in), Cwd: in.State.Cwd, Asks: asks(d), Says: wording.Of(ctx, d).Person}
	if err == nil {
		yes, err = dir.Take(r, now)
	}
	if err == nil && yes {
		d.Disposition = gates.Approved
		return
	}
	if err == nil && c.ofOwnFiles(ctx, d) {
		return
	}
	if err == nil {
		e, err = dir.Ask(r, now)
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "gbt: the question was not queued: %v\n", err)
	case e.State == approvals.Denied:
		in.Queued = "The user was asked and said no. Do not try it again, in this form or another."
	default:
		in.Queued = "The user was asked: they approve it with `gbt approvals approve " + e.ID + "` in a terminal of their own. " +
			"After that make exactly this call again; until then go on with other work, and do not try it in another form."
	}
}

// queueDir is the directory of the queue, or empty where none is kept: a hook
// without a state remembers no questions either.
func (c *config) queueDir() (approvals.Dir, error) {
	switch {
	case c.approvals == "none" || c.state == "" || c.state == "none":
		return "", nil
	case c.approvals == "" || c.approvals == "auto":
		return approvals.DefaultDir()
	}
	dir, err := c.absolute(c.approvals)
	return approvals.Dir(dir), err
}

// ofOwnFiles says whether a question is about what makes this hook what it is: nobody
// hands that over in a row of other questions.
func (c *config) ofOwnFiles(ctx *gates.Context, d *gates.Decision) bool {
	own := c.ownFiles()
	for _, r := range d.Reasons {
		if r.Effect < 0 || r.Effect >= len(ctx.Effects) {
			continue
		}
		path := ctx.Effects[r.Effect].Resource
		for _, n := range own[:len(own)-len(c.protect)] {
			if path == n || strings.HasPrefix(path, n+"/") {
				return true
			}
		}
	}
	return false
}

// asks is what the decision wants consent to. A yes is compared by it; the person reads
// the sentences of package wording instead, which do not talk to a model.
func asks(d *gates.Decision) []string {
	var out []string
	for _, r := range d.Reasons {
		if r.Disposition == gates.ApprovedWithConstraints {
			out = append(out, r.Rule+": "+r.Message)
		}
	}
	return out
}
