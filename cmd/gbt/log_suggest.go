package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// suggestTimes is how often people agreed before a rule is suggested, unless they say.
const suggestTimes = 3

// suggestedRule is a suggestion with what else the rule lets pass.
type suggestedRule struct {
	decisions.Suggestion
	Passes []string `json:"also_lets_pass"`
}

// suggestJSON is what gbt log --suggest prints with --json.
type suggestJSON struct {
	File        string          `json:"file"`
	Written     bool            `json:"written"`
	Suggestions []suggestedRule `json:"suggestions"`
}

func suggestFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "suggest", Usage: "print the rules that answer what you agreed to at least 3 times, or as often as the number behind it says, and never declined"},
		&cli.BoolFlag{Name: "write", Usage: "with --suggest: write them into the file, as gbt allow does"},
		&cli.BoolFlag{Name: "project", Usage: "with --suggest: of this project, for its rules (the default)"},
		&cli.BoolFlag{Name: "user", Usage: "with --suggest: of two projects or more, for your own rules"},
	}
}

// suggestRules is gbt log --suggest.
func suggestRules(e *env, c *cli.Context) error {
	times, err := suggestWanted(c)
	if err != nil {
		return err
	}
	name, root, err := rulesFile(c)
	if err != nil {
		return err
	}
	l, list, _, err := entries(c)
	if err != nil {
		return err
	}
	w := decisions.Wanted{Times: times, Places: 2}
	if !c.Bool("user") {
		w.Places, w.In = 1, inProject(root)
	}
	out := suggestJSON{File: name, Suggestions: usable(decisions.Suggest(list, w), root)}
	if c.Bool("write") {
		for _, s := range out.Suggestions {
			if err := changeRules(name, s.Rule, false, !c.Bool("user")); err != nil {
				return err
			}
			out.Written = true
		}
	}
	if c.Bool("json") {
		return printJSON(e, out)
	}
	fmt.Fprintf(e.stderr, "gbt: %s\n", l.Dir)
	return printSuggested(e, &out, times)
}

// suggestWanted reads the number behind --suggest and checks the flags.
func suggestWanted(c *cli.Context) (times int, err error) {
	if c.Bool("user") && c.Bool("project") {
		return 0, fail(exitUsage, "give --user or --project, not both")
	}
	switch c.NArg() {
	case 0:
		return suggestTimes, nil
	case 1:
		if times, err = strconv.Atoi(c.Args().First()); err == nil && times > 0 {
			return times, nil
		}
	}
	return 0, fail(exitUsage, "--suggest takes how often you agreed at least, as in gbt log --suggest 5")
}

// inProject says of a workspace whether the rules of a project are read there.
func inProject(root string) func(string) bool {
	place := func(root string) string { return resolved(filepath.Join(root, ".gbt")) }
	known := map[string]bool{}
	return func(dir string) bool {
		is, ok := known[dir]
		if !ok {
			is = dir != "" && place(projectRoot(dir)) == place(root)
			known[dir] = is
		}
		return is
	}
}

// usable leaves out what is no rule, and what already stands where it counts.
func usable(list []decisions.Suggestion, root string) []suggestedRule {
	var there []string
	for _, f := range rulebook.Open([]string{root}).Files {
		for _, r := range listedOf(f) {
			if r.Counts {
				there = append(there, r.Rule)
			}
		}
	}
	out := []suggestedRule{}
	for _, s := range list {
		r, err := rules.ParseRule(s.Rule)
		if err != nil || r.Verb != rules.Allow || visible(s.Rule) != s.Rule || slices.Contains(there, s.Rule) {
			continue
		}
		passes, _ := nearRule(r, root)
		out = append(out, suggestedRule{s, passes})
	}
	return out
}

// printSuggested prints the rules as they stand in a file, with what speaks for them.
func printSuggested(e *env, out *suggestJSON, times int) error {
	var b bytes.Buffer
	for _, s := range out.Suggestions {
		fmt.Fprintf(&b, "# asked %d, yes %d, no 0 in %s, last %s: %s\n", s.Asked, s.Yes, sessionsOf(s.Sessions), s.Last.Local().Format("2006-01-02"), visible(firstLine(s.Example)))
		for _, p := range s.Passes {
			fmt.Fprintf(&b, "# this also lets pass: %s\n", visible(p))
		}
		fmt.Fprintln(&b, s.Rule)
	}
	_, err := e.stdout.Write(b.Bytes())
	switch n := len(out.Suggestions); {
	case n == 0:
		fmt.Fprintf(e.stderr, "gbt: no rule to suggest: none answers what you agreed to at least %d times here and never declined\n", times)
	case out.Written:
		fmt.Fprintf(e.stderr, "gbt: wrote %d of %d to %s\n", n, n, out.File)
	default:
		fmt.Fprintf(e.stderr, "gbt: --write adds them to %s\n", out.File)
	}
	return stdoutError(err)
}

func sessionsOf(n int) string { return count(n, "session") }
