package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/internal/completion/opinion"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/internal/runner"
)

func auditCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:        "audit",
		Usage:       "look at a task or its plan before anything is done",
		Subcommands: []*cli.Command{auditPlanCommand(e), auditTaskCommand(e)},
	}
}

func auditPlanCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "plan",
		Usage:     "say what of a task no check of its plan would fail without",
		ArgsUsage: "[TASK] PLAN",
		Description: "TASK is a file with the task's text (- for standard input); without it the text is the task: of PLAN, a plan file\n" +
			"as gbt run --plan takes it. Files, identifiers, numbers with their units, ranges, wishes for tests, and rejection and\n" +
			"safety clauses of the text must stand in a check whose outcome depends on them: not in an echo, a comment, behind\n" +
			"'|| true' or in a longer name. No model is asked without --model.\n\n" +
			"With --dir every check is executed on a copy of DIR, in a sandbox: one that cannot be executed, or that passes\n" +
			"before anything is done, is told. Tests and scripts that the checks start are read there too. What the checks of a\n" +
			"plan execute that a model drafted (drafted_by) the guard judges first, by --policy or --config if given.\n\n" +
			"With --model a model says of a plan in which nothing was found whether a run could pass the checks without having\n" +
			"done the task: PASS, or FAIL with a reason; an answer of another form is a FAIL. It is for you to read, and the exit\n" +
			"status does not depend on it. The task and the checks go to that address, without secrets.\n\n" +
			"Exits with 1 if there is something to say, with 5 if the plan cannot be read.\n\n" +
			"Examples:\n" +
			"   gbt audit plan task.txt plan.yaml\n" +
			"   gbt audit plan plan.yaml --dir . --json\n" +
			"   gbt audit plan plan.yaml --model http://127.0.0.1:8080/v1",
		Flags: append(append(guardFlags(), askedFlags()...),
			&cli.StringFlag{Name: "dir", Usage: "execute the checks on a copy of `DIR`"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		),
		Action: func(c *cli.Context) error { return runAuditPlan(e, c) },
	}
}

// planAudit is the JSON of gbt audit plan.
type planAudit struct {
	Problems []auditProblem   `json:"problems"`
	Checks   []auditCheck     `json:"checks"`
	Opinion  *opinion.Opinion `json:"opinion,omitempty"` // of a model, if one was asked; decides nothing
}

type auditProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type auditCheck struct {
	ID     string `json:"id"`
	Line   int    `json:"line"`
	Passed *bool  `json:"passed,omitempty"` // before anything is done
	Exit   *int   `json:"exit_code,omitempty"`
	Digest string `json:"digest,omitempty"`
}

func runAuditPlan(e *env, c *cli.Context) error {
	if c.NArg() < 1 || c.NArg() > 2 {
		return fail(exitUsage, "audit plan takes a plan, or a task and a plan: gbt audit plan task.txt plan.yaml")
	}
	asks, err := asksModel(c)
	if err != nil {
		return err
	}
	name := c.Args().Get(c.NArg() - 1)
	p, err := readPlan(name)
	if err != nil {
		return err
	}
	taskFile, task := name, p.Task
	if c.NArg() == 2 {
		taskFile = c.Args().First()
		if task, err = readTask(e, taskFile); err != nil {
			return err
		}
	}
	if task == "" {
		return fail(exitUsage, "%s names no task: write task: into it, or give a file with the task's text", name)
	}
	dir := c.String("dir")
	if st, err := os.Stat(dir); dir != "" && (err != nil || !st.IsDir()) {
		return fail(exitUsage, "--dir %s is no directory", dir)
	}
	a := planAuditor{plan: p, name: name, task: task, taskFile: taskFile, executes: dir != "", dir: dir}
	if p.DraftedBy != "" {
		fmt.Fprintf(e.stderr, "gbt: %s was drafted by the model %s\n", name, p.DraftedBy)
		j, err := newJudge(e, c)
		if err != nil {
			return err
		}
		a.guard = guardChecks(j)
	}
	out, err := a.audit(c.Context)
	if err != nil {
		return err
	}
	if asks && len(out.Problems) == 0 {
		if out.Opinion, err = askOpinion(c, task, p); err != nil {
			return err
		}
		if out.Opinion == nil {
			fmt.Fprintf(e.stderr, "gbt: the model at %s gave no answer: no opinion\n", c.String("model"))
		}
	}
	return out.print(e, c.Bool("json"))
}

// askOpinion asks a model what it thinks of a plan in which the audit found nothing. It is
// nil where the model does not answer: nothing rests on it.
func askOpinion(c *cli.Context, task string, p *completion.Plan) (*opinion.Opinion, error) {
	r, err := redact.New()
	if err != nil {
		return nil, err
	}
	chat, keep, err := openAsked(c)
	if err != nil {
		return nil, err
	}
	o, err := opinion.Ask(c.Context, chat, c.String("model-name"), r, task, p)
	if err != nil {
		return nil, c.Context.Err()
	}
	return &o, keep()
}

// maxTask bounds a task's text in bytes.
const maxTask = 1 << 20

func readTask(e *env, name string) (string, error) {
	in := e.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", fail(exitInput, "%v", err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxTask+1))
	if err != nil || len(data) > maxTask {
		return "", fail(exitInput, "%s: %v", name, errors.Join(err, errors.New("a task's text is at most 1 MiB")))
	}
	return string(data), nil
}

// planAuditor is a plan with what it is looked at against.
type planAuditor struct {
	plan           *completion.Plan
	name           string // of its file
	task, taskFile string
	executes       bool // on a copy of dir, or in an empty workspace where that is empty
	dir            string
	guard          runner.Guard // of a plan that a model drafted
}

// audit says what is wrong with a plan. Persons' plans and models' go through it alike.
func (a *planAuditor) audit(ctx context.Context) (*planAudit, error) {
	p := a.plan
	out := &planAudit{Problems: []auditProblem{}, Checks: []auditCheck{}}
	checks, void := p.Checks(), map[string]bool{}
	if a.executes {
		w, err := workspace.New(ctx, workspace.Options{Snapshot: func(*corpora.Episode) (string, error) { return a.dir, nil }})
		if err != nil {
			return nil, fail(exitInput, "%v", err)
		}
		defer w.Close()
		tried, problems, read, err := runner.TryPlan(ctx, w, p, a.task, a.guard)
		if err == nil && len(problems) == 0 && p.DraftedBy != "" {
			problems, err = a.holds(ctx)
		}
		if x, ok := errors.AsType[*completion.CheckError](err); ok && ctx.Err() == nil {
			problems, read, err = append(problems, completion.Problem{Line: x.Line, Code: "check-not-executable", Text: x.Error(), Check: x.ID}), checks, nil
		}
		if err != nil {
			return nil, fail(exitInput, "%v", err)
		}
		checks = read
		for _, t := range tried {
			out.Checks = append(out.Checks, auditCheck{ID: t.ID, Line: p.Line(t.ID), Passed: &t.Result.Passed, Exit: t.Result.Evidence.Exit, Digest: t.Result.Evidence.Digest})
		}
		for _, x := range problems {
			void[x.Check] = void[x.Check] || x.Code == "check-cannot-fail"
			out.Problems = append(out.Problems, auditProblem{a.name, x.Line, 0, x.Code, x.Text})
		}
	} else {
		for i := range checks {
			out.Checks = append(out.Checks, auditCheck{ID: checks[i].ID, Line: p.Line(checks[i].ID)})
		}
	}
	for _, g := range completion.Audit(a.task, checks, func(id string) bool { return void[id] }) {
		line, col := g.Line, g.Col
		if a.taskFile == a.name { // the text stands in the plan, from its own first line on
			line, col = p.TaskLine()+g.Line-1, 0
		}
		out.Problems = append(out.Problems, auditProblem{a.taskFile, line, col, "uncovered:" + g.Code(), g.Message()})
	}
	return out, nil
}

// holds says which commands of a model's plan that are said to hold do so where there is
// nothing. They are not seen to fail anywhere else.
func (a *planAuditor) holds(ctx context.Context) ([]completion.Problem, error) {
	w, err := workspace.New(ctx, workspace.Options{})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return runner.TryHolds(ctx, w, a.plan, a.task)
}

// guardChecks lets the guard judge what the checks of a model's plan execute, as calls of
// one session in the sandbox. No rule of a person lets one pass there: they were made for
// other calls.
func guardChecks(j *judge) runner.Guard {
	var past episode.Memory
	n := int64(0)
	return func(place gates.State, tool string, args []byte) string {
		past.Before(&place)
		c := j.checker.Context(gates.Request{Tool: tool, Args: args}, place)
		d := j.checker.Check(&c, nil)
		if d.Disposition != gates.Approved {
			return strings.TrimSpace(d.Disposition.String() + ". " + wording.Of(&c, &d).Model)
		}
		n++
		past.Ran(&c, n)
		return ""
	}
}

func (a *planAudit) print(e *env, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetIndent("", "  ")
		if err := enc.Encode(a); err != nil {
			return stdoutError(err)
		}
	} else {
		for _, x := range a.Problems {
			at := fmt.Sprintf("%s:%d", x.File, x.Line)
			if x.Column > 0 {
				at += fmt.Sprintf(":%d", x.Column)
			}
			fmt.Fprintf(e.stdout, "%s: %s: %s\n", at, x.Code, x.Message)
		}
		if len(a.Problems) == 0 {
			fmt.Fprintf(e.stdout, "%d checks cover all that the task names\n", len(a.Checks))
		}
		if o := a.Opinion; o != nil {
			verdict := "FAIL"
			if o.Pass {
				verdict = "PASS"
			}
			fmt.Fprintf(e.stdout, "opinion of the model %s, which decides nothing: %s\n", o.Model, strings.TrimSuffix(verdict+": "+o.Reason, ": "))
		}
	}
	if len(a.Problems) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}
