package mcpproxy

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/traverse"
)

// toolCall is one call under judgement.
type toolCall struct {
	tool  string // mcp__server__tool
	args  []byte
	hints gates.Hints

	tokens int64 // that the host says the run has used so far; 0 if it does not

	defined json.RawMessage // the tool's definition now
	change  *change         // how it differs from its pin, nil if it does not
}

// hash names a call to the byte, with the definition that the user is asked about
// where that has changed.
func (c *toolCall) hash() string {
	if c.change == nil {
		return callHash(c.tool, c.args)
	}
	return callHash(c.tool, slices.Concat(c.args, []byte{0}, c.defined))
}

// ruling is what became of it.
type ruling struct {
	decision  gates.Decision
	id        string
	run       *run // the traverser's session that it belongs to, nil for none
	confirmed bool
	token     string // asks for a confirmation
	retry     *traverse.Retry
	context   *gates.Context // what was decided on, for its texts; may be nil
}

// texts are what the user and the model are told.
func (v *ruling) texts() wording.Texts { return wording.Of(v.context, &v.decision) }

func (v *ruling) allowed() bool { return v.decision.Disposition == gates.Approved }

// judge decides on a call. said is what the user has just answered about exactly this
// call. What is approved is noted as run.
func (p *Proxy) judge(ctx context.Context, c *toolCall, said answer) (*ruling, error) {
	l := &p.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	r := p.run
	st := p.opts.State()
	l.past.Before(&st)
	k := *p.opts.Checker
	k.Strict = k.Strict || r == nil // no place in the tree: the gates of all
	gc := p.context(&k, gates.Request{Tool: c.tool, Args: c.args, Hints: c.hints}, st)
	v := &ruling{decision: k.Check(&gc, nil), run: r, context: &gc}
	if p.opts.Content != nil {
		p.opts.Content(ctx, &gc, &v.decision)
	}
	if c.change != nil {
		p.redefined(&v.decision, c.change)
	}
	r.told(c.tokens)
	v.retry = r.check(c, &v.decision, said)
	v.confirmed = said.agreed() && v.decision.Disposition >= gates.ApprovedWithConstraints
	if v.confirmed && !v.allowed() {
		v.decision.Disposition, v.decision.Would = gates.Approved, gates.Approved
	}
	v.id = v.decision.ID(&gc, p.opts.Digest)
	if v.decision.Disposition == gates.ApprovedWithConstraints {
		v.token, v.decision.Offer = l.offer(c.hash(), &gc, &v.decision)
	}
	if p.opts.Log != nil {
		if err := p.opts.Log(Event{c.tool, c.args, &gc, &v.decision, v.id, v.confirmed}); err != nil {
			return nil, err
		}
	}
	p.record(&Part{Op: "check", Tool: c.tool, Args: c.args, Disposition: v.decision.Disposition.String(), ID: v.id})
	if v.confirmed && c.change != nil {
		p.repin(c.tool, c.defined)
	}
	if v.allowed() {
		l.ran(&gc)
	}
	l.past.Stopped(&v.decision)
	return v, nil
}

// run is one task under the traverser. Its session is used under the ledger's
// lock only.
type run struct {
	session *traverse.Session
	now     func() time.Time
	began   time.Time
	tokens  int64
}

func (r *run) used() traverse.Usage {
	return traverse.Usage{Seconds: int64(r.now().Sub(r.began) / time.Second), Tokens: r.tokens}
}

// told notes how many tokens the run is said to have used. No number takes an earlier one
// back.
func (r *run) told(tokens int64) {
	if r != nil {
		r.tokens = max(r.tokens, tokens)
	}
}

// tokensKey is the name under which a host may say in the _meta of a call how many tokens
// its run has used so far: MCP itself has no place for it.
const tokensKey = "gbt/tokens"

func tokensOf(meta map[string]any) int64 {
	n, _ := meta[tokensKey].(float64)
	return int64(min(max(n, 0), 1<<62))
}

func (r *run) call(c *toolCall) traverse.Call {
	return traverse.Call{Tool: c.tool, Args: c.args, Hints: c.hints, Used: r.used()}
}

// check lets the session tighten a decision. It says how to go on where the
// session stops the call.
func (r *run) check(c *toolCall, d *gates.Decision, said answer) *traverse.Retry {
	if r == nil {
		return nil
	}
	a := r.session.Check(r.call(c))
	if a.Token != "" && said.agreed() && d.Disposition >= gates.ApprovedWithConstraints && r.confirm(a.Token, said) {
		a = r.session.Check(r.call(c))
	}
	tighten(d, &a.Decision)
	return a.Retry
}

// confirm tells the session what the user agreed to. It may have a question of its own
// that is asked each time.
func (r *run) confirm(token string, said answer) bool {
	return said == session && r.session.ConfirmSession(token) || r.session.Confirm(token)
}

// tighten takes over what another decision is stricter about.
func tighten(d, by *gates.Decision) {
	for _, x := range by.Reasons {
		same := func(y gates.Reason) bool { return x.Rule == y.Rule && x.Message == y.Message }
		if !slices.ContainsFunc(d.Reasons, same) {
			d.Object(x)
		}
	}
	d.Missing = append(d.Missing, by.Missing...)
	d.Gates = append(d.Gates, by.Gates...)
	slices.Sort(d.Gates)
	d.Gates = slices.Compact(d.Gates)
	d.Disposition = min(d.Disposition, by.Disposition)
	d.Would = min(d.Would, by.Would)
	d.LibraryRejected = d.LibraryRejected || by.LibraryRejected
}

// observe tells of a call that ran.
func (p *Proxy) observe(c *toolCall, v *ruling, output, fault string) {
	text := output
	if text == "" {
		text = fault
	}
	p.ledger.returned(c.tool, c.args, text)
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	if fault == "" && v.context != nil {
		p.ledger.past.Establish(v.context, output)
	}
	p.record(&Part{Op: "observe", Tool: c.tool, Args: c.args, Text: output, Fault: fault})
	if v.run == nil {
		return
	}
	v.run.session.Observe(v.run.call(c), traverse.Result{Output: []byte(output), Error: fault, Used: v.run.used()})
}

// record tells whoever keeps runs.
func (p *Proxy) record(part *Part) {
	if p.opts.Record != nil {
		p.opts.Record(part)
	}
}
