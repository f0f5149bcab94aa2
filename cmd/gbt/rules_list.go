package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

func rulesCommand(e *env) *cli.Command {
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}
	return &cli.Command{
		Name:  "rules",
		Usage: "list the rules that hold here, and accept those that came with the project",
		Description: "Without a subcommand: prints the rules of the project and your own, which of them count, and lines that cannot be read.\n" +
			"What a project's .gbt/rules allows counts only once you accepted the file as it is, since it may have come with a\n" +
			"repository; what it denies or asks always counts.\n\n" +
			"Examples:\n   gbt rules\n   gbt rules --json\n   gbt rules trust\n   gbt rules import claude-code --dry-run",
		Flags:  []cli.Flag{asJSON},
		Action: func(c *cli.Context) error { return listRules(e, c) },
		Subcommands: []*cli.Command{
			rulesImportCommand(e),
			{Name: "trust", Usage: "accept the project's rules, and gbt.yaml here, as they are", Description: examples("gbt rules", "gbt rules trust"), Action: func(*cli.Context) error { return trustRules(e) }},
		},
	}
}

// listedRule is a rule as gbt rules prints it.
type listedRule struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Counts bool   `json:"counts"`
	Why    string `json:"why,omitempty"` // it does not count, or is no rule
}

func listRules(e *env, c *cli.Context) error {
	cwd, err := os.Getwd()
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	list, faults := []listedRule{}, []rules.Fault{}
	for _, f := range rulebook.Open([]string{projectRoot(cwd)}).Files {
		list, faults = append(list, listedOf(f)...), append(faults, f.Faults...)
	}
	if c.Bool("json") {
		if err := printJSON(e, map[string]any{"rules": list}); err != nil {
			return err
		}
		return unread(faults)
	}
	if len(list) == 0 {
		fmt.Fprintln(e.stderr, "gbt: there are no rules here; gbt allow, gbt ask and gbt deny write them")
	}
	for _, r := range list {
		mark := ""
		if r.Why != "" {
			mark = "  (" + r.Why + ")"
		}
		fmt.Fprintf(e.stdout, "%s:%d: %s%s\n", r.File, r.Line, visible(r.Rule), visible(mark))
	}
	return unread(faults)
}

// unread is the finding that lines are no rules: what they were to deny is not known.
func unread(faults []rules.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	does := "every call asks"
	if !slices.ContainsFunc(faults, func(f rules.Fault) bool { return !f.Safe }) {
		does = "no allow of its file counts"
	}
	return fail(exitFindings, "%s; %s until each line can be read (%s)", visible(faults[0].Error()), does, count(len(faults), "line"))
}

func listedOf(f *rules.File) []listedRule {
	var out []listedRule
	for i := range f.Rules {
		r := &f.Rules[i]
		x := listedRule{Rule: r.Text, File: f.Name, Line: r.Line, Counts: true}
		switch {
		case r.Verb == rules.Allow && f.Untrusted:
			x.Counts, x.Why = false, "does not count: not accepted, see gbt rules trust"
		case r.Verb == rules.Allow && len(f.Faults) > 0:
			x.Counts, x.Why = false, "does not count: a line of the file cannot be read"
		}
		out = append(out, x)
	}
	for i := range f.Faults {
		out = append(out, listedRule{File: f.Name, Line: f.Faults[i].Line, Why: "no rule: " + f.Faults[i].Why})
	}
	return out
}

func trustRules(e *env) error {
	cwd, err := os.Getwd()
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	found, err := acceptConfig(e)
	if err != nil {
		return err
	}
	name := rulebook.ProjectFile(projectRoot(cwd))
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && found {
		return nil
	} else if errors.Is(err, fs.ErrNotExist) {
		return fail(exitInput, "there is no %s to accept; gbt allow writes one", name)
	} else if err != nil {
		return fail(exitInput, "%v", err)
	}
	f := rules.Parse(name, data)
	if len(f.Faults) > 0 {
		return fail(exitInput, "%v", f.Faults[0].Error())
	}
	if err := rulebook.Accept(name, data); err != nil {
		return fail(exitInput, "%v", err)
	}
	for _, r := range listedOf(f) {
		fmt.Fprintf(e.stdout, "accepted: %s\n", visible(r.Rule))
	}
	return nil
}
