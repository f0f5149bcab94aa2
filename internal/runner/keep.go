package runner

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/regions"
	"github.com/gbt-policy/gbt/internal/tasks"
	"github.com/gbt-policy/gbt/traverse"
)

// A run that is kept can be killed at any point and goes on. What it knows is on the
// disk before every call and after it, in the transaction of the call's receipt. A
// call that was dispatched and has no outcome is taken back with the workspace, which
// is all that calls of a run can reach, and checked again.

// Keeper is an Env that a killed process does not take along.
type Keeper interface {
	Env
	// Keep writes the present state to the disk and names it; Reopen goes back to it.
	Keep() (mark string, err error)
	Reopen(mark string) error
}

// kept is what a run needs to go on, beside its messages.
type kept struct {
	Setup      json.RawMessage   `json:"setup,omitempty"` // the command's own
	Session    []byte            `json:"session"`
	Mark       string            `json:"mark"`
	Before     map[string]string `json:"before,omitempty"`
	Regions    []regions.Region  `json:"regions,omitempty"`
	Seconds    int64             `json:"seconds"`
	Tokens     int64             `json:"tokens"`
	N          int64             `json:"n"`
	Silent     int               `json:"silent,omitempty"`
	Able       bool              `json:"able,omitempty"`
	Way        way               `json:"way,omitempty"`
	WayWorks   bool              `json:"way_works,omitempty"`
	Recovering bool              `json:"recovering,omitempty"`
	Looked     int64             `json:"looked,omitempty"`
	Failed     bool              `json:"failed,omitempty"`
	Led        bool              `json:"led,omitempty"`
	Realised   bool              `json:"realised,omitempty"`
	Policy     string            `json:"policy"` // that gave the macro out
	Plan       *planState        `json:"plan,omitempty"`
	Next       traverse.Proposal `json:"next"`
	Undone     int               `json:"undone,omitempty"` // calls that a person took back since
	Move       []byte            `json:"move,omitempty"`   // the macro under way
	From       int               `json:"from"`             // the message at which it began
}

// Setup is what a kept run was begun with, as the command wrote it.
func Setup(data []byte) (json.RawMessage, error) {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("runner: what the run was left with: %w", err)
	}
	return k.Setup, nil
}

// MarkOf names the snapshot of the workspace that a kept run stands at; it is empty before
// the first.
func MarkOf(data []byte) (string, error) {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return "", fmt.Errorf("runner: what the run was left with: %w", err)
	}
	return k.Mark, nil
}

// Undone is what a kept run goes on from when a person has taken back what some of its
// calls did: another snapshot, and the macro under way is over.
func Undone(data []byte, mark string, calls int) ([]byte, error) {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("runner: what the run was left with: %w", err)
	}
	k.Mark, k.Undone = mark, k.Undone+calls
	return json.Marshal(k)
}

// NewKept is what a run is begun with that is to be kept.
func NewKept(setup json.RawMessage) ([]byte, error) { return json.Marshal(kept{Setup: setup}) }

// move is a Move as it is kept: what the rest of the macro needs of it.
type move struct {
	Verdict traverse.Verdict
	Macro   *traverse.Macro
	Brief   traverse.Brief
}

func encodeMove(m *traverse.Move) []byte {
	if m == nil {
		return nil
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(move{m.Verdict, m.Macro, m.Brief}); err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return b.Bytes()
}

func decodeMove(data []byte) (*traverse.Move, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var m move
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&m); err != nil {
		return nil, err
	}
	return &traverse.Move{Verdict: m.Verdict, Macro: m.Macro, Brief: m.Brief}, nil
}

// state encodes what the run needs to go on.
func (r *runner) state() ([]byte, error) {
	session, err := r.session.MarshalBinary()
	if err != nil {
		return nil, err
	}
	u := r.used()
	return json.Marshal(kept{
		Setup: r.setup, Session: session, Mark: r.mark, Before: r.before, Regions: r.regions, Seconds: u.Seconds, Tokens: u.Tokens, N: r.n, Silent: r.silent, Able: r.able,
		Way: r.way, WayWorks: r.wayWorks, Recovering: r.recovering, Looked: r.looked, Failed: r.record.failed, Led: r.isLed, Realised: r.realised, Policy: r.Policy.Digest(), Plan: r.planNow(),
		Next: r.next, Move: encodeMove(r.under), From: r.from,
	})
}

// planNow is where a run of a plan stands; nil for another run.
func (r *runner) planNow() *planState {
	if r.Plan == nil || r.plan.At == "" {
		return nil
	}
	return &r.plan
}

// commit writes what the run knows now, with receipts of what happened.
func (r *runner) commit(c tasks.Change) error {
	if r.Kept == nil {
		return nil
	}
	err := r.fill(&c)
	if err == nil {
		err = r.Kept.Commit(c)
	}
	return r.keptUntil(err)
}

// keptUntil notes that all messages are on the disk.
func (r *runner) keptUntil(err error) error {
	if err != nil {
		return fmt.Errorf("the run's store: %w", err)
	}
	r.written, r.drafts = len(r.record.messages), nil
	return nil
}

// fill adds what every change has.
func (r *runner) fill(c *tasks.Change) (err error) {
	if r.mark, err = r.Env.(Keeper).Keep(); err != nil {
		return err
	}
	if c.Data, err = r.state(); err != nil {
		return err
	}
	for _, m := range r.record.messages[r.written:] {
		data, err := json.Marshal(m)
		if err != nil {
			return err
		}
		c.Parts = append(c.Parts, data)
	}
	c.Drafts, c.Steps = append(r.drafts, c.Drafts...), r.session.Status().Steps
	return nil
}

// dispatch writes that a call runs now.
func (r *runner) dispatch(c *toolCall, a *traverse.Answer) (key string, err error) {
	if r.Kept == nil {
		return "", nil
	}
	var change tasks.Change
	if err := r.fill(&change); err != nil {
		return "", r.keptUntil(err)
	}
	key, err = r.Kept.Dispatch(tasks.Call{
		Tool: c.Function.Name, Args: []byte(c.Function.Args), Tier: tierOf(a), Decision: a.ID, Consent: a.Consent, Snapshot: receipts.CopyFS, Mark: r.mark,
	}, change)
	return key, r.keptUntil(err)
}

// tierOf is the tier of a call of a run (requirement Z1). Nothing leaves the sandbox,
// but what would anywhere else is not called local.
func tierOf(a *traverse.Answer) string { return a.Tier.String() }

// outcome writes what came of a call.
func (r *runner) outcome(key string, answer *message) error {
	if r.Kept == nil {
		return nil
	}
	var c tasks.Change
	err := r.fill(&c)
	if err == nil {
		err = r.Kept.Outcome(key, map[string]any{"output": answer.Content}, c)
	}
	return r.keptUntil(err)
}

// checked makes the receipt of a completion check that was executed. It is written
// with what comes next.
func (r *runner) checked(id string, res *completion.Result) {
	if r.Kept == nil {
		return
	}
	payload, err := json.Marshal(map[string]any{"check": id, "passed": res.Passed, "evidence": res.Evidence})
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	r.drafts = append(r.drafts, receipts.Receipt{Kind: receipts.Check, Payload: payload, Reason: res.Why})
}

// open starts the run, or goes on with it.
func (r *runner) open(ctx context.Context) error {
	if r.Kept == nil {
		return r.start(ctx)
	}
	var k kept
	if err := json.Unmarshal(r.Kept.Data(), &k); err != nil {
		return fmt.Errorf("what the run was left with: %w", err)
	}
	r.setup = k.Setup
	if len(k.Session) > 0 {
		return r.goOn(&k)
	}
	if err := r.start(ctx); err != nil {
		return err
	}
	return r.commit(tasks.Change{})
}

// goOn takes a run up where its last process left it, under the policy now in force.
func (r *runner) goOn(k *kept) (err error) {
	if r.session, err = r.Policy.Resume(k.Session); err != nil {
		return err
	}
	r.Task = r.session.Task()
	r.began = r.Now().Add(-time.Duration(k.Seconds) * time.Second) // only the time that it ran counts
	r.tokens, r.n, r.silent, r.able, r.way, r.wayWorks = k.Tokens, k.N, k.Silent, k.Able, k.Way, k.WayWorks
	r.recovering, r.looked, r.record.failed, r.isLed, r.before = k.Recovering, k.Looked, k.Failed, k.Led, k.Before
	r.regions = k.Regions
	r.realised, r.next, r.from, r.mark = k.Realised, k.Next, k.From, k.Mark
	if k.Plan != nil {
		r.plan = *k.Plan
		if r.Plan != nil && r.plan.At == completion.Done {
			r.plan.At = r.Plan.States[len(r.Plan.States)-1].ID // its checks decide again
		}
		if r.Plan == nil || r.Plan.State(r.plan.At) == nil {
			return errors.New("the plan is another one now: give the one that the run was begun with")
		}
	}
	if r.under, err = decodeMove(k.Move); err != nil {
		return fmt.Errorf("the macro under way: %w", err)
	}
	for _, data := range r.Said {
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			return fmt.Errorf("a message: %w", err)
		}
		r.record.messages = append(r.record.messages, m)
	}
	r.written = len(r.record.messages)
	if err := r.Env.(Keeper).Reopen(k.Mark); err != nil {
		return err
	}
	if err := r.Kept.Settle(taken{k.Mark}, r.settled); err != nil {
		return err
	}
	r.resumed = r.under != nil
	switch {
	case k.Policy != r.Policy.Digest():
		return r.abandon("another policy is in force")
	case k.Undone > 0:
		return r.abandon(fmt.Sprintf("the user took back what %d calls did", k.Undone))
	case r.Plan != nil: // the checks of its state decide how it goes on
		return r.abandon("the run was interrupted")
	}
	return nil
}

// taken is the ledger of calls in a workspace: it was put back to before them.
type taken struct{ mark string }

// Settle implements tasks.Ledger.
func (t taken) Settle(tasks.Pending) (receipts.Fate, json.RawMessage, error) {
	data, err := json.Marshal(map[string]string{"workspace put back to": t.mark})
	return receipts.NotRun, data, err
}

// settled tells the session what became of the call that was under way. One that a
// person says ran is answered; one that did not is checked and made again.
func (r *runner) settled(s tasks.Settlement) (c tasks.Change, err error) {
	if open := r.unanswered(); len(open) > 0 {
		f := open[0].Function
		tc := traverse.Call{Tool: f.Name, Args: []byte(f.Args), Env: r.place(), Time: r.n, Used: r.used()}
		if s.Fate == receipts.Ran {
			r.session.Observe(tc, traverse.Result{Used: r.used()})
			r.record.messages = append(r.record.messages, message{Role: "tool", CallID: open[0].ID, Content: "It ran. What it said is lost."})
		} else {
			r.session.Observe(tc, traverse.Result{Blocked: true, Used: r.used()})
		}
	}
	err = r.fill(&c)
	r.written = len(r.record.messages)
	return c, err
}

// unanswered are the calls of the newest answer of the model that have no result.
func (r *runner) unanswered() []toolCall {
	list, n := r.record.messages, 0
	for i := len(list) - 1; i >= 0; i-- {
		switch list[i].Role {
		case "tool":
			n++
		case "assistant":
			return list[i].Calls[min(n, len(list[i].Calls)):]
		default:
			return nil
		}
	}
	return nil
}

// abandon ends the macro under way: another policy than the one that gave it out is in
// force, or a plan goes on from its state. Calls that were not made yet are none.
func (r *runner) abandon(why string) error {
	for _, c := range r.unanswered() {
		why := "Not run: " + why + "."
		r.record.messages = append(r.record.messages, message{Role: "tool", CallID: c.ID, Content: why, Error: &fault{Type: "approval", Message: why}})
	}
	r.under, r.resumed = nil, false
	if r.next.Text == "" && r.next.Tool == "" {
		r.next = traverse.Proposal{Text: r.Task.Text}
	}
	return r.commit(tasks.Change{})
}

// underWay is the macro that was under way when the last process ended, once.
func (r *runner) underWay() *traverse.Move {
	if !r.resumed {
		return nil
	}
	r.resumed = false
	r.Show("going on")
	return r.under
}

// soFar is what the model was shown of a macro, the calls that it made and that have
// no result yet, and how many have one.
func (r *runner) soFar(m *traverse.Move, more string) (talk []message, open []toolCall, made int) {
	talk = []message{{Role: "system", Content: systemPrompt}, {Role: "user", Content: m.Brief.String() + more}}
	if r.from >= len(r.record.messages) {
		return talk, nil, 0
	}
	for _, x := range r.record.messages[r.from:] {
		if x.Role == "tool" {
			made++
			x = x.cut(r.Result)
		}
		talk = append(talk, x)
	}
	return talk, r.unanswered(), made
}

// end says in the store how the run ended. What failed around it can be resumed;
// DONE alone is a success.
func (r *runner) end(out Outcome) Outcome {
	to, why := tasks.Failed, out.End().String()
	switch {
	case out.Done():
		to = tasks.Succeeded
	case out.Reason == "interrupted" || out.Reason == "model" || out.Reason == "environment" || out.Reason == "log":
		to = tasks.Paused
	}
	if out.Reason != "" {
		why += ": " + out.Reason
	}
	if errors.Is(out.Err, tasks.ErrChanged) {
		out.Reason = "cancelled"
		return out
	}
	c := tasks.Change{To: to, Reason: why}
	if to.Ended() && r.Kept != nil && !r.Snapshots { // the command removes the workspace with the run's end
		c.Drafts = []receipts.Receipt{{Kind: receipts.Dropped, Reason: "the workspace is removed"}}
	}
	if err := r.commit(c); err != nil {
		out.Err = errors.Join(out.Err, err)
	}
	return out
}
