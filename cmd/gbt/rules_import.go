package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/hosts/permissions"
)

func rulesImportCommand(e *env) *cli.Command {
	with := importable()
	return &cli.Command{
		Name: "import", Usage: "make rules of what you chose in a host's settings", ArgsUsage: "HOST",
		Description: "Reads permissions.allow, .ask and .deny of the host's settings (\"don't ask again\") and shows for each which rules of gbt's\n" +
			"it becomes, what these also let pass, and what is left out and why: rules that let anything run, those about what gbt does\n" +
			"not ask about, and what its rules cannot say. Nothing is written without --yes. Hosts: " + strings.Join(with, ", ") + ".\n\n" +
			"Examples:\n   gbt rules import " + with[0] + "\n   gbt rules import " + with[0] + " --project --yes\n   gbt rules import " + with[0] + " --user --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "user", Usage: "your own settings, into your own rules"},
			&cli.BoolFlag{Name: "project", Usage: "the project's settings, shared and local, into the project's rules (the default)"},
			&cli.BoolFlag{Name: "dry-run", Usage: "write nothing (as without --yes)"},
			&cli.BoolFlag{Name: "yes", Usage: "write the rules"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error { return importRules(e, c) },
	}
}

// importable are the hosts of which it is known where they keep what their user chose.
func importable() []string {
	return hosts.NamesOf(func(h *hosts.Host) bool { return h.Prompts != nil })
}

// importedRule is what becomes of one rule of a host's.
type importedRule struct {
	Host   string     `json:"rule"` // as it stands in the settings
	List   string     `json:"list"`
	File   string     `json:"file"`
	Line   int        `json:"line"`
	Rules  []ruleJSON `json:"rules"`
	Reason string     `json:"left_out,omitempty"`
	Note   string     `json:"narrower,omitempty"` // what the rule of gbt's does not stop
}

func importRules(e *env, c *cli.Context) error {
	h, ok := hosts.Lookup(c.Args().First())
	switch {
	case c.NArg() == 1 && !ok:
		return fail(exitUsage, "%q is not a host; use one of %s", c.Args().First(), strings.Join(importable(), ", "))
	case c.NArg() != 1:
		return fail(exitUsage, "name one host, as in gbt rules import %s", importable()[0])
	case h.Prompts == nil:
		return fail(exitUsage, "nobody knows where %s keeps what its user chose", h.Title)
	case c.Bool("user") && c.Bool("project"):
		return fail(exitUsage, "give --user or --project, not both")
	case c.Bool("yes") && c.Bool("dry-run"):
		return fail(exitUsage, "give --yes or --dry-run, not both")
	}
	name, root, err := rulesFile(c)
	if err != nil {
		return err
	}
	chosen, err := chosenIn(&h.Prompts.Choices, root, c.Bool("user"))
	if err != nil {
		return err
	}
	out := []importedRule{}
	for i := range chosen {
		out = append(out, importRule(&chosen[i], name, root, !c.Bool("user")))
	}
	n, err := markThere(out, name)
	if err != nil {
		return err
	}
	if c.Bool("yes") {
		if err := writeImported(out, name, !c.Bool("user")); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return printJSON(e, map[string]any{"imported": out})
	}
	return printImported(e, out, name, n, c.Bool("yes"))
}

// markThere marks the rules that stand in the file already, or twice in the list, and
// counts the others: those that are written.
func markThere(list []importedRule, file string) (n int, err error) {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fail(exitInput, "%v", err)
	}
	there := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		there[strings.TrimSpace(line)] = true
	}
	for i := range list {
		for k := range list[i].Rules {
			r := &list[i].Rules[k]
			if r.There = there[r.Rule]; !r.There {
				n++
			}
			there[r.Rule] = true
		}
	}
	return n, nil
}

// chosenIn reads the rules of the user's settings, or of the project's.
func chosenIn(list *hosts.Choices, root string, user bool) ([]permissions.Rule, error) {
	files := list.ProjectFiles(root)
	if user {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fail(exitInput, "nobody knows your home directory: %v", err)
		}
		files = list.UserFiles(home, os.Getenv(list.HomeEnv))
	}
	var out []permissions.Rule
	for _, file := range files {
		data, err := readSettings(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fail(exitInput, "%v", err)
		}
		found, err := permissions.Parse(file, data)
		if err != nil {
			return nil, fail(exitInput, "%v; nothing was imported", err)
		}
		out = append(out, found...)
	}
	return out, nil
}

// readSettings reads a file of settings as far as one may be long; of one that is longer
// the reader of rules says so.
func readSettings(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file; nothing was imported", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, permissions.MaxSize+1))
}

// importRule translates one rule of a host's, and tries what becomes of it.
func importRule(r *permissions.Rule, file, root string, project bool) importedRule {
	out := importedRule{Host: r.Text, List: string(r.Behavior), File: r.File, Line: r.Line, Rules: []ruleJSON{}}
	texts, why := r.Translate(project)
	for _, text := range texts {
		rule, err := rules.ParseRule(text)
		if err != nil {
			why = err.Error()
			continue
		}
		x := ruleJSON{Rule: text, File: file, Passes: []string{}, Stays: []string{}}
		if rule.Verb == rules.Allow {
			if project {
				if refused := notOfProject(rule, root); refused != "" {
					why = refused
					continue
				}
			}
			if x.Passes, x.Stays = nearRule(rule, root); !useful(rule, &x) {
				why = "gbt asks about nothing that it would let pass: the call is approved as it is, or no rule may allow it"
				continue
			}
		}
		out.Rules = append(out.Rules, x)
	}
	if len(out.Rules) == 0 {
		out.Reason = why
	} else {
		out.Note = r.Narrower()
	}
	return out
}

// useful says whether a rule that allows something lets pass a call that is asked about
// without it. Which tools of servers are asked about is known only when they are called.
func useful(r *rules.Rule, x *ruleJSON) bool {
	kind, _ := r.What()
	return kind == "tool" || len(x.Passes) > 0
}

// writeImported writes the rules that were made.
func writeImported(list []importedRule, file string, project bool) error {
	for i := range list {
		for k := range list[i].Rules {
			if list[i].Rules[k].There {
				continue
			}
			if err := changeRules(file, list[i].Rules[k].Rule, false, project); err != nil {
				return err
			}
			list[i].Rules[k].Written = true
		}
	}
	return nil
}

// printImported shows what becomes of each rule; n is how many rules of gbt's are new.
func printImported(e *env, list []importedRule, file string, n int, wrote bool) error {
	made := 0
	for _, x := range list {
		fmt.Fprintf(e.stdout, "%s:%d: %s %s\n", x.File, x.Line, x.List, visible(x.Host))
		if x.Reason != "" {
			fmt.Fprintf(e.stdout, "  not imported: %s\n", x.Reason)
		}
		if x.Note != "" {
			fmt.Fprintf(e.stdout, "  narrower: %s\n", x.Note)
		}
		for _, r := range x.Rules {
			made++
			word := "would write"
			switch {
			case r.There:
				word = "there already"
			case wrote:
				word = "wrote"
			}
			fmt.Fprintf(e.stdout, "  %s: %s\n", word, visible(r.Rule))
			for _, p := range r.Passes {
				fmt.Fprintf(e.stdout, "    this also lets pass: %s\n", visible(p))
			}
		}
	}
	switch {
	case len(list) == 0:
		fmt.Fprintln(e.stderr, "gbt: these settings hold no rules of permissions")
	case made == 0:
		fmt.Fprintln(e.stderr, "gbt: nothing was written: none of these rules becomes one of gbt's")
	case n == 0:
		fmt.Fprintf(e.stderr, "gbt: nothing was written: all %d rules stand in %s already\n", made, file)
	case wrote:
		fmt.Fprintf(e.stderr, "gbt: rules written to %s: %d\n", file, n)
	default:
		fmt.Fprintf(e.stderr, "gbt: nothing was written; --yes writes %d rules to %s\n", n, file)
	}
	return nil
}
