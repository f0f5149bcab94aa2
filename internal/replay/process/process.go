package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/replay"
)

// Options say how to run an environment.
type Options struct {
	Command []string        // program and arguments
	Dir     string          // where it runs; empty for the present directory
	Env     []string        // NAME=value besides PATH, HOME, LANG and TMPDIR
	Config  json.RawMessage // handed to it in hello; nil for nothing
	Timeout time.Duration   // for one request; 0 for a minute
}

// Process is a running environment.
type Process struct {
	opts   Options
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	id     int
	broken error
	closed bool

	name    string
	wants   bool // the results of the log, at reset
	byState bool
	places  gates.State
	noMarks bool // it cannot checkpoint: prefixes are executed again
	prefix  *replay.Prefix
}

// Start runs the program and says hello.
func Start(ctx context.Context, opts Options) (*Process, error) {
	if len(opts.Command) == 0 {
		return nil, errors.New("no command for the environment")
	}
	if opts.Timeout == 0 {
		opts.Timeout = time.Minute
	}
	p := &Process{opts: opts, stderr: &tail{ended: make(chan struct{})}}
	p.cmd = exec.Command(opts.Command[0], opts.Command[1:]...)
	p.cmd.Dir, p.cmd.Env = opts.Dir, environ(opts.Env)
	p.cmd.WaitDelay = time.Second
	ownGroup(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(stdout, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the environment: %w", err)
	}
	go p.stderr.follow(stderr)
	if err := p.hello(ctx); err != nil {
		p.Close()
		return nil, err
	}
	p.prefix = replay.NewPrefix(bare{p})
	return p, nil
}

func environ(more []string) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "LANG", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, more...)
}

func (p *Process) hello(ctx context.Context) error {
	a, err := p.ask(ctx, request{Op: "hello", Version: version, Config: p.opts.Config})
	if err != nil {
		return err
	}
	if a.Version != version {
		return fmt.Errorf("the environment speaks version %d of the protocol, not %d", a.Version, version)
	}
	p.name, p.places, p.wants = a.Name, a.Places.state(), slices.Contains(a.Wants, wantResults)
	switch a.Verdicts.word {
	case "", "call":
	case "state":
		p.byState = true
	default:
		return fmt.Errorf("the environment reports verdicts by %q, neither call nor state", a.Verdicts.word)
	}
	return nil
}

// Name is what the environment calls itself.
func (p *Process) Name() string { return p.name }

// State is where its calls run.
func (p *Process) State() gates.State { return p.places }

// ByState says whether violations are known from Judge alone.
func (p *Process) ByState() bool { return p.byState }

// Reset brings the environment into the state before the episode's first call.
func (p *Process) Reset(ctx context.Context, ep *corpora.Episode) error {
	p.noMarks = false
	return p.prefix.Reset(ctx, ep)
}

// Execute runs one call.
func (p *Process) Execute(ctx context.Context, c replay.Call) (replay.Result, error) {
	return p.prefix.Execute(ctx, c)
}

// Checkpoint keeps the present state.
func (p *Process) Checkpoint(ctx context.Context) (replay.Mark, error) {
	if p.noMarks {
		return p.prefix.Checkpoint(ctx)
	}
	a, err := p.ask(ctx, request{Op: "checkpoint"})
	if unknownOp(err) {
		p.noMarks = true
		return p.prefix.Checkpoint(ctx)
	}
	if err != nil {
		return "", err
	}
	if a.Mark == "" {
		return "", p.breaks(errors.New("the answer to checkpoint has no mark"))
	}
	return replay.Mark(a.Mark), nil
}

// Restore returns to a kept state.
func (p *Process) Restore(ctx context.Context, m replay.Mark) error {
	if p.noMarks {
		return p.prefix.Restore(ctx, m)
	}
	_, err := p.ask(ctx, request{Op: "restore", Mark: string(m)})
	return err
}

// Judge judges the present state.
func (p *Process) Judge(ctx context.Context) (replay.Judgement, error) {
	a, err := p.ask(ctx, request{Op: "judge"})
	if unknownOp(err) && !p.byState {
		return replay.Judgement{}, nil
	}
	if err != nil {
		return replay.Judgement{}, err
	}
	var j replay.Judgement
	if j.Outcome, err = decodeOutcome(a.Outcome); err == nil {
		j.Verdicts, err = verdicts(a.Verdicts.list)
	}
	if err != nil {
		return replay.Judgement{}, p.breaks(err)
	}
	return j, nil
}

// Close ends the program: by the end of its input, or by force.
func (p *Process) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	p.in.Close()
	stop := time.AfterFunc(5*time.Second, func() { killGroup(p.cmd) })
	err := p.cmd.Wait()
	stop.Stop()
	killGroup(p.cmd) // children that outlived it
	if p.broken != nil {
		return nil // its end is the consequence of what was reported before
	}
	p.broken = errors.New("the environment is closed")
	return err
}

// bare is the process without checkpoints.
type bare struct{ p *Process }

func (b bare) Reset(ctx context.Context, ep *corpora.Episode) error {
	e := &episode{ID: ep.ID, TaskID: ep.TaskID, Group: ep.Group, Task: ep.Task, Format: ep.Format, Model: ep.Model}
	for i := range ep.Steps {
		if s := &ep.Steps[i]; b.p.wants && s.Status == corpora.StatusExecuted {
			e.Results = append(e.Results, s.Result)
		}
	}
	_, err := b.p.ask(ctx, request{Op: "reset", Episode: e})
	return err
}

func (b bare) Close() error { return b.p.Close() }

func (b bare) Execute(ctx context.Context, c replay.Call) (replay.Result, error) {
	args := json.RawMessage(c.Args)
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	if !json.Valid(args) || bytes.TrimSpace(args)[0] != '{' {
		return replay.Result{}, fmt.Errorf("the arguments of %s are no JSON object", c.Tool)
	}
	a, err := b.p.ask(ctx, request{Op: "execute", Call: &callLine{Index: c.Index, Tool: c.Tool, Args: args, Cwd: c.Cwd}})
	if err != nil {
		return replay.Result{}, err
	}
	res, err := a.Result.decode()
	if err != nil {
		return replay.Result{}, b.p.breaks(err)
	}
	return res, nil
}

// ask sends one request and reads its answer. The program is killed when ctx or
// the time for the request ends: a late answer could be taken for the next one.
func (p *Process) ask(ctx context.Context, q request) (*answer, error) {
	if p.broken != nil {
		return nil, p.broken
	}
	p.id++
	q.ID = p.id
	line, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	defer context.AfterFunc(ctx, func() { killGroup(p.cmd) })()
	if _, err = p.in.Write(append(line, '\n')); err == nil {
		line, err = readLine(p.out)
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, p.breaks(fmt.Errorf("no answer to %s in %v", q.Op, p.opts.Timeout))
	case ctx.Err() != nil:
		return nil, p.breaks(ctx.Err())
	case err != nil:
		return nil, p.breaks(fmt.Errorf("the environment ended at %s: %w", q.Op, err))
	}
	a, err := parseAnswer(line, q.ID)
	if err != nil {
		return nil, p.breaks(err)
	}
	if !a.OK {
		return nil, a.Error
	}
	return a, nil
}

func (p *Process) breaks(err error) error {
	if p.broken == nil {
		killGroup(p.cmd)
		p.broken = fmt.Errorf("environment %s: %w%s", p.opts.Command[0], err, p.stderr.said())
	}
	return p.broken
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}
