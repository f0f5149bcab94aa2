package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/receipts/chainfile"
	"github.com/gbt-policy/gbt/internal/undo"
)

// receiptLog is where receipts of calls are kept, or nil: with -receipts, and with -undo
// unless -receipts none says otherwise (requirement Z2).
func (c *config) receiptLog() (*chainfile.Log, error) {
	switch {
	case c.receipts == "none" || c.receipts == "" && !c.undoes():
		return nil, nil
	case c.receipts == "" || c.receipts == "auto":
		dir, err := chainfile.DefaultDir()
		return &chainfile.Log{Dir: dir, Wait: c.timeout / 4, NoSync: c.unsynced}, err
	}
	dir, err := absolute(c.receipts)
	return &chainfile.Log{Dir: dir, Wait: c.timeout / 4, NoSync: c.unsynced}, err
}

// taken is what is remembered of the workspace before a call.
type taken struct {
	step string
	tier undo.Tier
}

// receipt writes that a call is let through, or stopped, before the host hears it. It names no
// argument of the call: they may hold secrets, and taking those out is too slow here.
func (c *config) receipt(p *policy, s *session, in *hosts.Input, ctx *gates.Context, d *gates.Decision, t taken) error {
	log, err := c.receiptLog()
	if log == nil || err != nil || c.host.Probed(in) {
		return err
	}
	r := receipts.Receipt{Kind: receipts.Call, Key: callKey(in), Tool: ctx.Tool, Tier: d.Tier.String(), Payload: effectsOf(ctx), Decision: d.ID(ctx, p.digest), Policy: p.digest,
		Snapshot: receipts.AuditOnly, Mark: t.step, Reversal: receipts.NotReversed}
	switch {
	case !c.mayRun(in, d):
		r.Kind, r.Key, r.Snapshot, r.Mark, r.Reversal = receipts.Stopped, "", "", "", ""
		r.Reason = d.Disposition.String()
	case d.Disposition == gates.ApprovedWithConstraints:
		r.Reason = "the user is asked"
	}
	if r.Kind == receipts.Call && t.step != "" {
		r.Snapshot = receipts.Snapshot(t.tier.String())
		if t.tier != undo.AuditOnly && d.Tier == effect.TierReversible {
			r.Reversal = receipts.Reversible
		}
	}
	return log.Append(s.name, c.began(ctx), func(func(string) string) []receipts.Receipt { return []receipts.Receipt{r} })
}

// receiptOfEnd writes what became of an end, with the literal results of the checks: how each
// ended, and the SHA-256 of all that it printed.
func (c *config) receiptOfEnd(s *session, v *endVerdict, word string) error {
	log, err := c.receiptLog()
	if log == nil || err != nil {
		return err
	}
	type result struct {
		Exit   int    `json:"exit"`
		SHA256 string `json:"sha256"`
	}
	out := struct {
		End    string   `json:"end"`
		Lacks  []string `json:"lacks,omitempty"`
		Checks []result `json:"checks,omitempty"`
	}{End: word}
	for _, l := range v.lacks {
		out.Lacks = append(out.Lacks, l.code)
	}
	for _, r := range v.ran {
		out.Checks = append(out.Checks, result{r.exit, r.sum})
	}
	payload, err := json.Marshal(&out)
	if err != nil {
		return err
	}
	r := receipts.Receipt{Kind: receipts.Check, Reason: "the agent ended its turn: " + word, Payload: payload}
	return log.Append(s.name, receipts.Receipt{Reason: c.host.Name}, func(func(string) string) []receipts.Receipt { return []receipts.Receipt{r} })
}

// unreceipted says what becomes of a call whose receipt could not be written: who asked for
// receipts gets none without one, and who asked for undo alone is told.
func (c *config) unreceipted(err error, stderr io.Writer) error {
	if err == nil || c.receipts != "" {
		return err
	}
	fmt.Fprintf(stderr, "gbt: this call has no receipt: %v\n", err)
	return nil
}

// began is the first receipt of a session.
func (c *config) began(ctx *gates.Context) receipts.Receipt {
	payload, err := json.Marshal(map[string]string{"host": c.host.Name, "workspace": workspaceOf(ctx.Roots)})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // maps of strings always can be
	}
	return receipts.Receipt{Reason: c.host.Name, Payload: payload}
}

// maxEffects bounds the effects that a receipt names.
const maxEffects = 16

// effectsOf says what a call does by kinds alone.
func effectsOf(ctx *gates.Context) []byte {
	type shown struct {
		Op   string `json:"op"`
		Kind string `json:"kind"`
		Zone string `json:"zone"`
	}
	var out struct {
		Programs []string `json:"programs,omitempty"`
		Effects  []shown  `json:"effects"`
		More     bool     `json:"more,omitempty"`
	}
	out.Programs, out.Effects = programsOf(ctx), []shown{}
	for i := range ctx.Effects {
		e := &ctx.Effects[i]
		x := shown{e.Op.String(), e.Kind.String(), e.Zone.String()}
		switch {
		case slices.Contains(out.Effects, x):
		case len(out.Effects) == maxEffects:
			out.More = true
		default:
			out.Effects = append(out.Effects, x)
		}
	}
	data, err := json.Marshal(&out)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return data
}

// outcome writes what the host tells of a call that has a receipt.
func (c *config) outcome(s *session, e *hosts.Event) error {
	log, err := c.receiptLog()
	if log == nil || err != nil || c.host.Probed(&e.Input) {
		return err
	}
	r := receipts.Receipt{Kind: receipts.Outcome, Payload: fmt.Appendf(nil, `{"succeeded":%v}`, e.Succeeded)}
	if e.Declined {
		r = receipts.Receipt{Kind: receipts.Settled, Fate: receipts.NotRun, Reason: "the user declined"}
	}
	return log.Append(s.name, receipts.Receipt{Reason: c.host.Name}, func(call func(string) string) []receipts.Receipt {
		if r.Of = call(callKey(&e.Input)); r.Of == "" {
			return nil // begun before there were receipts
		}
		return []receipts.Receipt{r}
	})
}
