package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/regions"
	"github.com/gbt-policy/gbt/internal/tasks"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/traverse"
)

// Env is where calls run: a replay environment that knows where it stands.
type Env interface {
	replay.Env
	replay.Observer
	// Examine runs a command line that judges the run, where nothing that calls did to
	// their shell reaches it.
	Examine(ctx context.Context, command string) (replay.Result, error)
	ReadFile(name string) ([]byte, error)
	// Digests are the SHA-256 of the files of the workspace, by their paths in it.
	Digests() map[string]string
}

// Options are the settings of a run. Policy, Model and Env are needed.
type Options struct {
	Policy *traverse.Policy
	Task   traverse.Task
	Model  *Model
	Env    Env
	// Calls is how many calls one macro may take; 0 for 6. Result is how many bytes
	// of a call's result the model sees; 0 for 2,000.
	Calls, Result int

	// Lock and Unlock are paths of the workspace, or endings as *.py, that add to the files
	// that no run may change if it is to be DONE, and take from them: the tests and settings
	// that judge it (completion.Judges). FILE#START-END locks lines of a file, which no call
	// of any run may change (package regions); files may mark such parts themselves.
	Lock, Unlock []string

	// Plan is followed in place of the policy's tree, where it is set: one state at a time.
	// Its checks are the task's.
	Plan *completion.Plan
	// Keep is told what a run of a plan needs to go on from here, after every change; From
	// is what it was told last by a run that did not come to its end.
	Keep func(state []byte) error
	From []byte

	// Kept keeps the run where a killed process does not take it along, and is where it
	// goes on from; nil for neither. Its Env is a Keeper then.
	Kept *tasks.Run
	// Snapshots says that those of the workspace stay when a kept run is over, so that its
	// calls can be undone.
	Snapshots bool
	Said      [][]byte // the messages of a run that goes on

	Now  func() time.Time          // the clock that the run is timed by; nil for the machine's
	Save func(record []byte) error // told the record of the run so far
	Show func(line string)         // told the spine as it grows; nil for nobody
}

// Outcome is how a run ended.
type Outcome struct {
	traverse.Outcome
	Status traverse.Status
	Err    error // why it ended before the traverser said so
}

// runner is one run.
type runner struct {
	Options
	session *traverse.Session
	began   time.Time
	tokens  int64
	n       int64 // calls so far
	record  record

	silent     int   // answers without a call
	able       bool  // one had a call
	way        way   // how answers are held to a form
	wayWorks   bool  // it did so once
	recovering bool  // the last macro was one of a recovery path
	looked     int64 // calls when the checks were run last

	plan   planState         // of a run of a plan
	before map[string]string // digests of the files before anything was done

	regions []regions.Region // locked parts of files
	broken  []regions.Region // those that a call changed

	next     traverse.Proposal // what the model wants next
	under    *traverse.Move    // the macro under way
	from     int               // the message at which it began
	resumed  bool              // it was under way when the process before this one ended
	realised bool              // a call realised it
	isLed    bool
	setup    json.RawMessage // the command's own
	mark     string          // of the workspace
	written  int             // messages that are on the disk
	drafts   []receipts.Receipt
}

// Run carries out a task until it is DONE or at a STALL. The error is set only
// where nothing could be done or nothing could be recorded.
func Run(ctx context.Context, opts Options) (Outcome, error) {
	if opts.Calls <= 0 {
		opts.Calls = 6
	}
	if opts.Result <= 0 {
		opts.Result = 2000
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Show == nil {
		opts.Show = func(string) {}
	}
	r := &runner{Options: opts, began: opts.Now()}
	r.record = record{Task: opts.Task.Text, Model: opts.Model.Name, Policy: opts.Policy.Digest()}
	if err := r.open(ctx); err != nil {
		return Outcome{}, fmt.Errorf("runner: %w", err)
	}
	out := r.end(r.drive(ctx))
	out.Status = r.session.Status()
	out.Status.Used = r.used()
	r.record.outcome = &out
	if err := r.log(); err != nil {
		return out, fmt.Errorf("runner: %w", err)
	}
	return out, nil
}

// start begins a run that has done nothing yet.
func (r *runner) start(ctx context.Context) error {
	if err := r.Env.Reset(ctx, &corpora.Episode{Task: r.Task.Text}); err != nil {
		return err
	}
	r.next = traverse.Proposal{Text: r.Task.Text}
	return r.begin(ctx)
}

func (r *runner) save() error {
	if err := r.commit(tasks.Change{}); err != nil {
		return err
	}
	return r.log()
}

// log tells the record of the run so far.
func (r *runner) log() error {
	if r.Save == nil {
		return nil
	}
	data, err := r.record.encode(r.session.Status())
	if err != nil {
		return err
	}
	return r.Save(data)
}

// drive runs the model freely, and leads it once that turns out to be no use.
func (r *runner) drive(ctx context.Context) Outcome {
	if r.Plan != nil {
		return r.planned(ctx)
	}
	if r.Model.Calls != CallsConstrained && !r.isLed {
		if out, again := r.loop(ctx); !again {
			return out
		}
		r.Show("the model calls no tools: its answers are held to one call each from now on")
	}
	r.isLed = true
	return r.led(ctx)
}

// silences is how many answers without a call, from the beginning, end the hope
// that the model will call tools by itself. One may be a plan.
const silences = 2

// loop realises macro after macro. again says that the model must be led instead.
func (r *runner) loop(ctx context.Context) (out Outcome, again bool) {
	for {
		if ctx.Err() != nil {
			r.session.Interrupt()
			return stall("interrupted", ctx.Err()), false
		}
		m := r.underWay()
		if m == nil {
			m = r.propose(r.next)
		}
		if m.Verdict == traverse.Stall {
			return stall(m.Reason, nil), false
		}
		if out := r.macro(ctx, m, ""); out != nil {
			return *out, r.n == 0 && noTools(out.Err) && r.Model.Calls == CallsAuto
		}
		r.under = nil
		if err := r.save(); err != nil {
			return stall("log", err), false
		}
		if !r.able && r.silent >= silences && r.Model.Calls == CallsAuto {
			return Outcome{}, true
		}
	}
}

// propose asks for the next macro, which is under way from then on.
func (r *runner) propose(p traverse.Proposal) *traverse.Move {
	p.Used = r.used()
	m := r.session.Propose(p)
	r.show(&m)
	r.under, r.from, r.realised, r.next = &m, len(r.record.messages), false, traverse.Proposal{}
	return &m
}

// noTools says that an endpoint refused a request because of its tools.
func noTools(err error) bool {
	return errors.Is(err, errRefused) && strings.Contains(err.Error(), "tool")
}

func stall(why string, err error) Outcome {
	return Outcome{Outcome: traverse.Outcome{Reason: why}, Err: err} // its end is a stall
}

// broken is the end of a run because something around it failed.
func broken(ctx context.Context, why string, err error) *Outcome {
	if ctx.Err() != nil {
		why = "interrupted"
	}
	out := stall(why, err)
	return &out
}

func (r *runner) show(m *traverse.Move) {
	line := m.Verdict.String()
	if m.Macro != nil {
		line += ": " + m.Macro.Desc
	}
	if m.Reason != "" {
		line += " (" + m.Reason + ")"
	}
	r.Show(line)
}

// macro lets the model realise one macro, or what is left of one. more is shown behind
// the brief. It returns the end of the run, if this is it; what the model wants next
// stands in r.next.
func (r *runner) macro(ctx context.Context, m *traverse.Move, more string) *Outcome {
	talk, list, made := r.soFar(m, more)
	for made < r.Calls || len(list) > 0 {
		if len(list) == 0 {
			reply, out := r.ask(ctx, talk)
			if out != nil {
				return out
			}
			talk, list = append(talk, *reply), reply.Calls
		}
		if len(list) == 0 {
			r.silent++
			return nil
		}
		r.able = true
		for i, c := range list {
			if c.Function.Name == finishTool {
				if r.Plan != nil { // the checks run now, as after every step
					r.record.messages = append(r.record.messages, message{Role: "tool", CallID: c.ID, Content: "The checks run now."})
					return nil
				}
				return r.finish(ctx, c)
			}
			answer, _, err := r.call(ctx, c, made+i < r.Calls)
			if err != nil {
				return broken(ctx, "environment", err)
			}
			talk = append(talk, answer.cut(r.Result))
			if out := r.over(); out != nil {
				return out
			}
		}
		made, list = made+len(list), nil
	}
	return nil
}

// ask lets the model answer, freely.
func (r *runner) ask(ctx context.Context, talk []message) (*message, *Outcome) {
	reply, tokens, err := r.Model.chat(ctx, talk, r.Model.free())
	if r.tokens += tokens; err != nil {
		return nil, broken(ctx, "model", err)
	}
	reply.Calls = reply.calls(fmt.Sprintf("call-%d", r.n+1))
	r.record.messages = append(r.record.messages, reply)
	if words := strings.TrimSpace(reply.Content); words != "" {
		r.next = traverse.Proposal{Text: words}
	}
	return &reply, nil
}

// over is the end of a run whose session has stopped, or nil: nothing more runs, so
// nothing more is asked for.
func (r *runner) over() *Outcome {
	if out := r.regionsEnd(); out != nil {
		return out
	}
	why := r.session.Status().Stopped
	if why == "" {
		return nil
	}
	out := stall(why, nil)
	return &out
}

// cut bounds what the model sees of a result.
func (m message) cut(n int) message {
	if len(m.Content) > n {
		m.Content = strings.ToValidUTF8(m.Content[:n], "") + "\n[" + strconv.Itoa(len(m.Content)-n) + " more bytes]"
	}
	m.Error = nil
	return m
}

// ran is what became of a call.
type ran struct{ did, failed, inMacro bool }

// call checks a call and runs it if it may. The answer is in the record then, and on
// the disk.
func (r *runner) call(ctx context.Context, c toolCall, room bool) (message, ran, error) {
	if r.next.Text == "" && r.next.Tool == "" {
		r.next = traverse.Proposal{Tool: c.Function.Name, Args: []byte(c.Function.Args)}
	}
	switch {
	case !slices.Contains(toolNames, c.Function.Name):
		return r.refuse(&c, "There is no tool "+strconv.Quote(c.Function.Name)+".", nil)
	case !room:
		return r.refuse(&c, "Too many calls for one step.", nil)
	}
	r.n++
	tc := traverse.Call{Tool: c.Function.Name, Args: []byte(c.Function.Args), Env: r.place(), Time: r.n, Used: r.used()}
	a := r.session.Check(tc)
	if why := stopped(&c, &a); why != "" {
		r.session.Observe(tc, traverse.Result{Blocked: true, Used: r.used()})
		r.Show("stopped: " + c.Function.Name + " " + c.Function.Args)
		return r.refuse(&c, why, &a)
	}
	broken, unsure := r.foresee(&a.Context)
	if why := stopsRegion(broken); why != "" {
		r.session.Observe(tc, traverse.Result{Blocked: true, Used: r.used()})
		r.Show("stopped: " + c.Function.Name + " " + c.Function.Args)
		return r.refuse(&c, why, nil)
	}
	key, err := r.dispatch(&c, &a)
	if err != nil {
		return message{}, ran{}, err
	}
	res, err := r.guarded(ctx, replay.Call{Index: int(r.n) - 1, Tool: c.Function.Name, Args: c.Function.Args}, unsure)
	if err != nil {
		return message{}, ran{}, err
	}
	answer, fault := answerOf(&c, &res)
	r.session.Observe(tc, traverse.Result{Output: []byte(res.Text), Error: fault, Deltas: deltas(res.Deltas), Used: r.used()})
	out := ran{did: true, failed: fault != "", inMacro: a.InMacro}
	r.realised = r.realised || out.realises(r.under)
	r.record.messages = append(r.record.messages, answer)
	return answer, out, r.outcome(key, &answer)
}

// answerOf is what came of a call, and the fault in it.
func answerOf(c *toolCall, res *replay.Result) (answer message, fault string) {
	answer = message{Role: "tool", CallID: c.ID, Content: res.Text}
	if fault = res.Error; fault != "" {
		answer.Content = strings.TrimSpace(res.Text + "\nerror: " + fault)
	} else if res.HasExit && res.ExitCode != 0 {
		fault = "exit status " + strconv.Itoa(res.ExitCode)
		answer.Content = strings.TrimSpace(res.Text + "\n" + fault)
	}
	return answer, fault
}

// realises says whether a call realised the macro under way.
func (x ran) realises(m *traverse.Move) bool {
	return x.did && !x.failed && (m == nil || m.Macro == nil || x.inMacro)
}

// refuse answers a call that does not run; a is what was decided, if anything was.
func (r *runner) refuse(c *toolCall, why string, a *traverse.Answer) (message, ran, error) {
	answer := message{Role: "tool", CallID: c.ID, Content: why, Error: &fault{Type: "approval", Message: why}}
	r.record.messages = append(r.record.messages, answer)
	d := receipts.Receipt{Kind: receipts.Stopped, Tool: c.Function.Name, Payload: []byte(c.Function.Args), Reason: why}
	if a != nil {
		d.Decision, d.Tier, d.Reason = a.ID, a.Tier.String(), a.Disposition.String()
	}
	return answer, ran{}, r.commit(tasks.Change{Drafts: []receipts.Receipt{d}})
}

// stopped says why a call does not run, or nothing: what was decided, and what the
// tool's arguments would be. The decision comes first and for every call, so that
// this front end says what all others say; the tool's own schema only stops more.
func stopped(c *toolCall, a *traverse.Answer) string {
	want := malformed(c.Function.Name, c.Function.Args)
	if a.Allowed() {
		if want != "" {
			want = "This call was stopped: " + want
		}
		return want
	}
	why := "This call was stopped: " + a.Disposition.String() + "."
	if a.Retry != nil {
		why = a.Retry.Feedback
	} else {
		why += " " + wording.Of(&a.Context, &a.Decision).Model
	}
	return strings.TrimSpace(why + " " + want)
}

// finish runs the completion checks and asks the session whether that is the end.
func (r *runner) finish(ctx context.Context, c toolCall) *Outcome {
	if _, err := r.check(ctx); err != nil {
		return broken(ctx, "environment", err)
	}
	if err := r.checkMined(ctx); err != nil {
		return broken(ctx, "environment", err)
	}
	end := r.session.Finish()
	answer := message{Role: "tool", CallID: c.ID, Content: end.End().String()}
	if !end.Again {
		if end.End() == traverse.Stalled {
			answer.Content += ": " + end.Reason
		}
		r.record.messages = append(r.record.messages, answer)
		return &Outcome{Outcome: end}
	}
	answer.Content = "Not done: " + missing(&end)
	if end.Feedback != "" {
		answer.Content += ". " + end.Feedback
	}
	r.record.messages = append(r.record.messages, answer)
	r.next = traverse.Proposal{Text: "meet what is missing: " + missing(&end)}
	return nil
}

func commandArgs(command string) string {
	b, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return string(b)
}

func (r *runner) used() traverse.Usage {
	return traverse.Usage{Seconds: int64(r.Now().Sub(r.began) / time.Second), Tokens: r.tokens}
}

// place is where the next call runs.
func (r *runner) place() *traverse.Env {
	st := r.Env.State()
	return &traverse.Env{Cwd: st.Cwd, Home: st.Home, Roots: st.Roots, Links: st.Links, UID: st.UID, GID: st.GID, Tools: toolNames}
}

// deltas are observed changes as the session has them. A process that merely ran
// changed nothing.
func deltas(in []corpora.Delta) []traverse.Delta {
	out := []traverse.Delta{}
	for _, d := range in {
		kind := effect.DeltaNone
		switch d.Kind {
		case corpora.DeltaFileCreate, corpora.DeltaFileModify:
			kind = effect.DeltaWrite
		case corpora.DeltaFileDelete:
			kind = effect.DeltaDelete
		case corpora.DeltaTest, corpora.DeltaInterpreter:
			kind = effect.DeltaRun
		}
		if kind != effect.DeltaNone {
			out = append(out, traverse.Delta{Kind: kind, Resource: d.Resource})
		}
	}
	return out
}
