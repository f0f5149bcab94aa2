package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/internal/completion/draft"
	"github.com/gbt-policy/gbt/internal/redact"
)

func planCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:        "plan",
		Usage:       "write plans that gbt run --plan can follow",
		Subcommands: []*cli.Command{planDraftCommand(e)},
	}
}

func planDraftCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "draft",
		Usage:     "let a model draft a plan with executable checks, for a person to read",
		ArgsUsage: "TASK",
		Description: "TASK is a file with the task's text (- for standard input). The model is any OpenAI-compatible endpoint. It is told the\n" +
			"task, at most 200 names of files in --dir (no contents; neither names of files that hold secrets nor what git and package\n" +
			"managers keep), and the form of a plan. Secrets are taken out of what it is told.\n\n" +
			"Nothing of its answer is believed. It is read as a person's plan is, unknown fields refused; the guard judges what each\n" +
			"check would execute, by --policy or --config if given, and nothing runs unless all pass without a question; then every\n" +
			"check must be executable and fail on a copy of --dir (default: an empty workspace) in a sandbox, and all that the task\n" +
			"names must stand in one, as gbt audit plan has it. What is wrong goes back to the model, three times at most.\n\n" +
			"Only a plan without a fault is written. --unfinished writes the last one all the same, with its faults in it, and gbt run\n" +
			"refuses it until they are taken out. Nothing is run of a plan here: read the file, then gbt run --plan.\n\n" +
			"Exits with 0 if a plan was written, with 1 if no draft was valid, with 5 if the model or --dir can't be asked.\n\n" +
			"Examples:\n" +
			"   gbt plan draft task.txt --model http://127.0.0.1:8080/v1 --dir . -o plan.yaml\n" +
			"   gbt plan draft - --model https://host/v1 --model-name NAME --unfinished -o plan.yaml < task.txt",
		Flags: append(append(guardFlags(), askedFlags()...),
			&cli.StringFlag{Name: "dir", Usage: "the task is about a copy of `DIR` (default: an empty workspace)"},
			&cli.IntFlag{Name: "max-tokens", Usage: "most tokens of one answer (default: 2048)"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the plan to `FILE`, which must not exist"},
			&cli.BoolFlag{Name: "unfinished", Usage: "write the last draft with its faults if none was valid"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		),
		Action: func(c *cli.Context) error { return runPlanDraft(e, c) },
	}
}

// planDraft is the JSON of gbt plan draft.
type planDraft struct {
	Valid    bool           `json:"valid"`
	Written  bool           `json:"written"`
	Model    string         `json:"model"`
	Answers  int            `json:"answers"`
	States   int            `json:"states"`
	Checks   int            `json:"checks"`
	Problems []auditProblem `json:"problems"`
}

func runPlanDraft(e *env, c *cli.Context) error {
	name, dir, err := draftUsage(c)
	if err != nil {
		return err
	}
	task, err := readTask(e, c.Args().First())
	if err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(task) == "":
		return fail(exitUsage, "the task has no words")
	case len(task) > draft.MaxTask:
		fmt.Fprintf(e.stderr, "gbt: the model is told the first %d bytes of the task; the audit looks at all of it\n", draft.MaxTask)
	}
	chat, keep, err := openAsked(c)
	if err != nil {
		return err
	}
	d, err := planDrafter(e, c, chat, name, task, dir)
	if err != nil {
		return err
	}
	files, more, err := listing(dir)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	r, err := d.Draft(c.Context, task, files, more)
	if c.Context.Err() != nil {
		return fail(exitUsage, "interrupted")
	}
	if err := errors.Join(err, keep()); err != nil {
		return draftError(err)
	}
	return writeDraft(e, c, r, name)
}

// draftError keeps an exit status that the audit gave.
func draftError(err error) error {
	if x, ok := errors.AsType[*exitError](err); ok {
		return x
	}
	return fail(exitInput, "%v", err)
}

// draftUsage checks the options, and returns the plan's file and the task's directory.
func draftUsage(c *cli.Context) (name, dir string, err error) {
	name, dir = c.String("output"), c.String("dir")
	if c.NArg() != 1 {
		return "", "", fail(exitUsage, "plan draft takes one file with the task's text: gbt plan draft task.txt --model URL -o plan.yaml")
	}
	if name == "" {
		return "", "", fail(exitUsage, "plan draft needs -o: a drafted plan is there to be read before it is run")
	}
	if _, err := os.Lstat(name); err == nil {
		return "", "", fail(exitUsage, "-o %s is there already", name)
	}
	if st, err := os.Stat(dir); dir != "" && (err != nil || !st.IsDir()) {
		return "", "", fail(exitUsage, "--dir %s is no directory", dir)
	}
	if c.IsSet("max-tokens") && c.Int("max-tokens") < 1 {
		return "", "", fail(exitUsage, "--max-tokens must be at least 1")
	}
	if err := askedUsage(c); err != nil {
		return "", "", err
	}
	return name, dir, writable(filepath.Clean(name))
}

// planDrafter is a drafter whose audit is that of gbt audit plan.
func planDrafter(e *env, c *cli.Context, chat draft.Chat, name, task, dir string) (*draft.Drafter, error) {
	r, err := redact.New()
	if err != nil {
		return nil, err
	}
	j, err := newJudge(e, c)
	if err != nil {
		return nil, err
	}
	return &draft.Drafter{
		Chat: chat, Redactor: r, Name: c.String("model-name"), Tokens: c.Int("max-tokens"),
		Audit: func(ctx context.Context, p *completion.Plan) ([]draft.Finding, error) {
			a := planAuditor{plan: p, name: name, task: task, taskFile: name, executes: true, dir: dir, guard: guardChecks(j)}
			audit, err := a.audit(ctx)
			if err != nil {
				return nil, err
			}
			var out []draft.Finding
			for _, x := range audit.Problems {
				out = append(out, draft.Finding{Line: x.Line, Code: x.Code, Text: x.Message})
			}
			return out, nil
		},
	}, nil
}

// writeDraft writes a draft if it may be, and says what is wrong with it.
func writeDraft(e *env, c *cli.Context, r *draft.Result, name string) error {
	out := planDraft{Valid: r.Valid(), Model: c.String("model-name"), Answers: r.Asked, Problems: []auditProblem{}}
	if r.Plan != nil {
		out.States, out.Checks = len(r.Plan.States), len(r.Plan.Checks())
	}
	for _, f := range r.Findings {
		out.Problems = append(out.Problems, auditProblem{File: name, Line: f.Line, Code: f.Code, Message: f.Text})
	}
	if out.Valid || c.Bool("unfinished") && r.File != nil {
		if err := writeFile(name, r.File, 0o644); err != nil {
			return err
		}
		out.Written = true
	}
	if err := out.print(e, c.Bool("json"), name); err != nil || out.Valid {
		return err
	}
	return &exitError{code: exitFindings}
}

func (d *planDraft) print(e *env, asJSON bool, name string) error {
	if asJSON {
		return printJSON(e, d)
	}
	for _, x := range d.Problems {
		fmt.Fprintf(e.stdout, "%s:%d: %s: %s\n", x.File, x.Line, x.Code, x.Message)
	}
	text := fmt.Sprintf("%s: %d states, %d checks, drafted by the model %s in %d answers: read it, then gbt run --plan %s", name, d.States, d.Checks, d.Model, d.Answers, name)
	switch {
	case d.Written && !d.Valid:
		text = fmt.Sprintf("%s: unfinished, with %d faults after %d answers; gbt run refuses it until they are mended and taken out", name, len(d.Problems), d.Answers)
	case !d.Written:
		text = fmt.Sprintf("no plan: none of %d answers was valid, and nothing was written", d.Answers)
	}
	_, err := fmt.Fprintln(e.stdout, text)
	return stdoutError(err)
}
