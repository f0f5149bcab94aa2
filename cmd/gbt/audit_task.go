package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/completion/clauses"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/traverse"
)

func auditTaskCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "task",
		Usage:     "say which rules a task's words become, and which were not understood",
		ArgsUsage: "TASK",
		Description: "TASK is a file with the task's text (- for standard input). What it forbids or bounds becomes rules over calls, which\n" +
			"only tighten: 'do not delete anything', 'only read', 'ask before sending', 'at most 50 euros', 'only change src/a.py'.\n" +
			"gbt run obeys them. No model is asked.\n\n" +
			"With --model a model is told the sentences that were not understood, without secrets, and may propose a rule of the same\n" +
			"kind for each. One that bounds less than the sentence's words, or names what they do not, is refused; the others are\n" +
			"listed as the model's. gbt run obeys such rules with --propose-rules. Write the sentence in plainer words to need none.\n\n" +
			"Exits with 1 if a sentence bounds something and no rule was made of it without a model.\n\n" +
			"Examples:\n" +
			"   gbt audit task task.txt --json\n" +
			"   gbt audit task task.txt --model http://127.0.0.1:8080/v1",
		Flags:  append(askedFlags(), &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}),
		Action: func(c *cli.Context) error { return runAuditTask(e, c) },
	}
}

// taskAudit is the JSON of gbt audit task.
type taskAudit struct {
	Rules    []traverse.Constraint `json:"constraints"`
	Unread   []string              `json:"not_understood"`
	Proposed []traverse.Constraint `json:"proposed,omitempty"` // by a model
	Refused  []string              `json:"refused,omitempty"`  // of what it proposed
}

func runAuditTask(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "audit task takes one file: gbt audit task task.txt")
	}
	ask, err := asksModel(c)
	if err != nil {
		return err
	}
	text, err := readTask(e, c.Args().First())
	if err != nil {
		return err
	}
	out := taskAudit{Rules: []traverse.Constraint{}, Unread: []string{}}
	rules, unread := traverse.Constraints(text)
	out.Rules, out.Unread = append(out.Rules, rules...), append(out.Unread, unread...)
	bad := len(unread) > 0
	if ask {
		heard, err := askClauses(c, unread)
		if err != nil {
			return err
		}
		out.Proposed, out.Refused, out.Unread = heard.Rules, heard.Refused, append([]string{}, heard.Unread...)
	}
	if err := out.print(e, c.Bool("json")); err != nil {
		return err
	}
	if bad {
		return &exitError{code: exitFindings}
	}
	return nil
}

func (a *taskAudit) print(e *env, asJSON bool) error {
	if asJSON {
		return stdoutError(json.NewEncoder(e.stdout).Encode(a))
	}
	for i := range a.Rules {
		fmt.Fprintln(e.stdout, constraintLine(&a.Rules[i]))
	}
	for i := range a.Proposed {
		fmt.Fprintln(e.stdout, constraintLine(&a.Proposed[i]))
	}
	for _, s := range a.Refused {
		fmt.Fprintf(e.stdout, "refused of what the model proposed: %s\n", s)
	}
	for _, s := range a.Unread {
		fmt.Fprintf(e.stdout, "not understood: %s\n", s)
	}
	if len(a.Rules)+len(a.Unread)+len(a.Proposed) == 0 {
		fmt.Fprintln(e.stdout, "the task forbids and bounds nothing")
	}
	return nil
}

// askClauses asks the model of the options about sentences that were not understood.
func askClauses(c *cli.Context, unread []string) (clauses.Heard, error) {
	if len(unread) == 0 {
		return clauses.Heard{}, nil
	}
	chat, keep, err := openAsked(c)
	if err != nil {
		return clauses.Heard{}, err
	}
	r, err := redact.New()
	if err != nil {
		return clauses.Heard{}, err
	}
	a := &clauses.Asker{Chat: chat, Redactor: r, Name: c.String("model-name")}
	heard, err := a.Ask(c.Context, unread)
	if errors.Is(c.Context.Err(), context.Canceled) {
		return heard, fail(exitUsage, "interrupted")
	}
	if err := errors.Join(err, keep()); err != nil {
		return heard, fail(exitInput, "the model that --model names: %v", err)
	}
	return heard, nil
}

// constraintLine is a rule for people.
func constraintLine(r *traverse.Constraint) string {
	verdict := "rejected"
	if r.Asks {
		verdict = "asks"
	}
	line := verdict + ": " + r.Does
	switch {
	case r.Most != "":
		line += " more than " + r.Most
	case r.Only:
		line += " anything but " + r.Path
	case r.Path != "":
		line += " " + r.Path
	}
	line += "  (" + r.Text + ")"
	if r.By != "" {
		line += "  [proposed by the model " + r.By + "]"
	}
	return line
}

// tellConstraints gives a task the rules of its words, with --propose-rules also those
// that the model reads in the words that were not understood, and tells all of them and
// what is left. A run that goes on has the rules that it began with, and no model is asked.
func tellConstraints(e *env, c *cli.Context, t *traverse.Task, goesOn bool) error {
	var unread []string
	t.Constraints, unread = traverse.Constraints(t.Text)
	if c.Bool("propose-rules") && !goesOn {
		heard, err := askClauses(c, unread)
		if err != nil {
			return err
		}
		t.Constraints, unread = append(t.Constraints, heard.Rules...), heard.Unread
		for _, s := range heard.Refused {
			fmt.Fprintf(e.stderr, "gbt: refused of what the model proposed: %s\n", s)
		}
	}
	for i := range t.Constraints {
		fmt.Fprintf(e.stderr, "gbt: the task's rule: %s\n", constraintLine(&t.Constraints[i]))
	}
	for _, s := range unread {
		fmt.Fprintf(e.stderr, "gbt: not understood as a rule, and not enforced: %s\n", s)
	}
	return nil
}
