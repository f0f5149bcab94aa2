package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/redact"
)

func checkCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "decide on tool calls before they run",
		Description: "Reads calls from standard input, one JSON object a line, and answers in the same order, one JSON object a line:\n\n" +
			"   {\"id\":1,\"tool\":\"Bash\",\"args\":{\"command\":\"rm -rf /\"},\"cwd\":\"/work\"}\n" +
			"   {\"id\":1,\"disposition\":\"rejected\",\"reasons\":[...],\"effects\":[...],\"tier\":...,\"decision_id\":...}\n\n" +
			"Fields of a call: id (any JSON value, echoed), tool, args, and optionally cwd, home, roots, links, task (the user's own\n" +
			"text), untrusted (texts from outside), annotations (of an MCP tool), uid, gid, session, result, confirmation, for_session\n" +
			"and repeat.\n" +
			"links maps the symbolic links on the call's paths to where they lead; without it paths are taken as they are written.\n" +
			"Calls of one session share their history: what was approved, or approved under a condition, counts as run. Other\n" +
			"fields are ignored. An answer approved_with_constraints has a confirmation: with the user's consent send the same\n" +
			"call again with it. It holds for exactly this call, once, in this run. Where it also has a template and the user says\n" +
			"so, {\"repeat\":{\"template\",\"count\"}} beside the confirmation covers up to 20 further calls like it in the session: the\n" +
			"same line, or the same tool and arguments but for the agent's own words in a message. Where it has an offer and the user\n" +
			"agrees to that, for_session true beside the confirmation remembers it: what it names is not asked about again in the\n" +
			"session, until that reads secrets.\n" +
			"A line {\"observe\":{\"tool\",\"result\"},\"session\"} tells what a call returned, and has no answer: values that first\n" +
			"appeared in results are known as such from then on.\n" +
			"With --shell a call is {\"id\",\"command\",\"cwd\"}. Without --root the call's cwd is the workspace root.\n" +
			"Of a call without cwd, roots and --root the rules count (gbt rules) of the project in which gbt check was started.\n" +
			"A line that cannot be read is answered with rejected and costs only itself.\n\n" +
			"Without --policy the global guardrail decides, with the settings of --config if given.\n\n" +
			"Examples:\n" +
			"   echo '{\"id\":1,\"command\":\"git status\"}' | gbt check --shell\n" +
			"   gbt check --policy policy.gbt --trust team.pub --root \"$PWD\" --log decisions.jsonl < calls.jsonl",
		Flags: append(checkerFlags(),
			&cli.BoolFlag{Name: "shell", Usage: "lines hold a command instead of a tool and arguments"},
			&cli.StringFlag{Name: "log", Usage: "append every decision to `FILE`, secrets replaced by digests"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if a call was not approved"},
		),
		Action: func(c *cli.Context) error { return runCheck(e, c) },
	}
}

// checkRun is one run of gbt check.
type checkRun struct {
	judge    *judge
	shell    bool
	in       *bufio.Reader
	out      *bufio.Writer
	log      *decisionLog
	line     int
	bad      int // lines that could not be read
	stopped  int // calls that were not approved
	sessions map[string]*session
	asked    *confirmations
}

func runCheck(e *env, c *cli.Context) (err error) {
	if c.NArg() > 0 {
		return fail(exitUsage, "check reads calls from standard input: gbt check < calls.jsonl")
	}
	j, err := newJudge(e, c)
	if err != nil {
		return err
	}
	r := &checkRun{judge: j, shell: c.Bool("shell"), in: bufio.NewReaderSize(logs.Interruptible(c.Context, e.stdin), 64<<10), out: bufio.NewWriterSize(e.stdout, 64<<10), sessions: map[string]*session{}, asked: newConfirmations()}
	if name := c.String("log"); name != "" {
		d, err := redact.New()
		if err != nil {
			return err
		}
		if r.log, err = openDecisionLog(name, d); err != nil {
			return fail(exitInput, "%v", err)
		}
		defer func() { err = errors.Join(err, r.log.Close()) }()
	}
	if err := r.lines(c); err != nil {
		return err
	}
	if r.bad > 0 {
		fmt.Fprintf(e.stderr, "gbt: %d of %d lines could not be read; each is answered with rejected\n", r.bad, r.line)
	}
	if c.Bool("exit-code") && r.stopped > 0 {
		return &exitError{code: exitFindings} // the answers say why
	}
	return nil
}

// lines answers line by line. What is answered goes out whenever there is no
// more to read at once, so that a host can wait for each answer.
func (r *checkRun) lines(c *cli.Context) error {
	for {
		if err := c.Context.Err(); err != nil {
			return fail(exitUsage, "interrupted")
		}
		line, err := readLine(r.in)
		if err == io.EOF && len(line.text) == 0 && !line.long {
			break
		}
		if err != nil && err != io.EOF {
			return cannotReadStdin(err)
		}
		r.line++
		if len(bytes.TrimSpace(line.text)) > 0 || line.long {
			if err := r.answer(c.Context, line); err != nil {
				return err
			}
		}
		if r.in.Buffered() == 0 {
			if err := r.flush(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			break
		}
	}
	return r.flush()
}

// flush writes the log before the answers: what a host acts on is on record.
func (r *checkRun) flush() error {
	if err := r.log.Flush(); err != nil {
		return fail(exitInput, "%v", err)
	}
	return r.out.Flush()
}

// maxLine bounds a line; a call's arguments have a limit of their own.
const maxLine = 32 << 20

type inputLine struct {
	text []byte
	long bool // over maxLine: text is empty
}

// readLine reads one line without its end, in memory bounded by maxLine.
func readLine(in *bufio.Reader) (inputLine, error) {
	var l inputLine
	for {
		part, err := in.ReadSlice('\n')
		if len(l.text)+len(part) > maxLine {
			l.long, l.text = true, nil
		}
		if !l.long {
			l.text = append(l.text, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		return l, err
	}
}

func (r *checkRun) answer(ctx context.Context, line inputLine) error {
	in, fault := parseCall(line, r.shell)
	if fault == nil && in.Observe != nil {
		r.session(in).observed(in.Observe)
		if err := r.log.Heard(r.judge.digest, r.line, in); err != nil {
			return fail(exitInput, "%v", err)
		}
		return nil // an observation has no answer
	}
	var a *answer
	var c *gates.Context
	if fault != nil {
		r.bad++
		a = unreadable(in.ID, r.line, fault)
		a.DecisionID = refusalID(r.judge.digest, line.text)
	} else {
		c, a = r.decide(ctx, in)
	}
	if a.Disposition != gates.Approved.String() {
		r.stopped++
	}
	if err := r.log.Add(r.judge.digest, r.line, in, c, a); err != nil {
		return fail(exitInput, "%v", err)
	}
	return a.write(r.out)
}

// decide decides on a call. An error of ours costs this call, which is not let pass, and no other.
func (r *checkRun) decide(ctx context.Context, in *callInput) (c *gates.Context, a *answer) {
	defer func() {
		if p := recover(); p != nil {
			c, a = nil, undecided(in.ID, r.line, p)
		}
	}()
	s := r.session(in)
	c, d, asked := r.judge.decide(ctx, in, s)
	a = r.judge.answer(in.ID, c, d)
	a.Content = asked
	r.asked.settle(r.judge.digest, in, c, d, a, s)
	s.after(in, c, d)
	if a.Confirmation != "" {
		a.Offer = s.past.Offered(a.Confirmation).Shown() // behind after: the call itself may end what it offers
	}
	return c, a
}

// session returns the session a call belongs to; a call that names none has
// one of its own.
func (r *checkRun) session(in *callInput) *session {
	if in.Session == "" {
		return &session{}
	}
	s := r.sessions[in.Session]
	if s == nil {
		s = &session{}
		r.sessions[in.Session] = s
	}
	return s
}
