package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

const rulesExamples = "Examples:\n" +
	"   gbt allow 'git push origin *'\n" +
	"   gbt deny 'git push when not tests passed'\n" +
	"   gbt ask 'git push when branch = main'\n" +
	"   gbt deny 'end when not tests passed'\n" +
	"   gbt allow fetch docs.example.org\n" +
	"   gbt allow read '~/notes/**' --user\n" +
	"   gbt allow tool linear/create_issue"

// ruleCommand is gbt allow, gbt ask or gbt deny.
func ruleCommand(e *env, verb rules.Verb, usage string) *cli.Command {
	return &cli.Command{
		Name:      verb.String(),
		Usage:     usage,
		ArgsUsage: "WHAT [when FACTS]",
		Description: "Writes one rule into the project's .gbt/rules, or with --user into your own file, which every front end reads: the hook,\n" +
			"gbt check, explain, mcp, serve, run and eval interruptions. WHAT is a command, in which * stands for what may vary, or read,\n" +
			"write or delete with a path, fetch or send with a host, run with a program, tool with a tool's name or SERVER/TOOL, end (of the\n" +
			"agent's turn; deny alone). FACTS are\n" +
			rules.FactsHelp + ", with not, joined by and.\n\n" +
			"A rule is bound to what a call does: quotes and wrappers change nothing, and a forced push, another destination or\n" +
			"a second command are not what you allowed. It answers questions; what is rejected stays rejected. Deny goes before ask, ask\n" +
			"before allow. Before it writes, it says which calls near the rule pass too. More in docs/rules.md.\n\n" + rulesExamples,
		Flags:  ruleFlags(),
		Action: func(c *cli.Context) error { return runRule(e, c, verb) },
	}
}

func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "user", Usage: "your own rules, for all projects"},
		&cli.BoolFlag{Name: "project", Usage: "the rules of the project (the default)"},
		&cli.BoolFlag{Name: "dry-run", Usage: "say what the rule would do and write nothing"},
		&cli.BoolFlag{Name: "list", Usage: "print the rules that are there"},
		&cli.BoolFlag{Name: "remove", Usage: "take the rule out of the file"},
		&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
	}
}

// ruleJSON is what gbt allow, ask and deny print with --json.
type ruleJSON struct {
	Rule    string   `json:"rule"`
	File    string   `json:"file"`
	Written bool     `json:"written"`
	Passes  []string `json:"also_lets_pass"`
	Stays   []string `json:"still_asks"`
	There   bool     `json:"there,omitempty"`  // it stood in the file before
	Leaves  string   `json:"leaves,omitempty"` // what its pattern names and it does not cover
}

func runRule(e *env, c *cli.Context, verb rules.Verb) error {
	if c.Bool("list") {
		return listRules(e, c)
	}
	if c.Bool("user") && c.Bool("project") {
		return fail(exitUsage, "give --user or --project, not both")
	}
	args := c.Args().Slice()
	if i := slices.IndexFunc(args, func(a string) bool { return strings.ContainsAny(a, " \t") }); i >= 0 && len(args) > 1 {
		return fail(exitUsage, "%q is one of %d arguments and has blanks: quote the whole line once, as in gbt %s 'git push origin *', with double quotes in it around what is one word", args[i], len(args), verb)
	}
	text := verb.String() + " " + ruleLine(args)
	r, err := rules.ParseRule(text)
	if err != nil {
		return fail(exitUsage, "%q is no rule: %v; put it in quotes, as in gbt %s 'git push origin *'", text, err, verb)
	}
	name, root, err := rulesFile(c)
	if err != nil {
		return err
	}
	out := ruleJSON{Rule: text, File: name, Passes: []string{}, Stays: []string{}}
	if !c.Bool("remove") && verb == rules.Allow {
		out.Passes, out.Stays = nearRule(r, root)
		out.Leaves = r.Leaves()
		if err := letsNothing(r, root, &out); err != nil {
			return err
		}
	}
	if !c.Bool("dry-run") {
		if err := changeRules(name, text, c.Bool("remove"), !c.Bool("user")); err != nil {
			return err
		}
		out.Written = true
	}
	if c.Bool("json") {
		return printJSON(e, out)
	}
	return printRule(e, c, &out)
}

// ruleLine is a rule as it stands in the file: the one argument, or several, of which none
// has blanks.
func ruleLine(args []string) string {
	if len(args) == 1 {
		return strings.TrimSpace(args[0])
	}
	words := make([]string, len(args))
	for i, a := range args {
		if words[i] = a; strings.ContainsAny(a, "\"'") {
			words[i] = scope.Quote([]string{a})
		}
	}
	return strings.Join(words, " ")
}

// rulesFile is the file that the flags name, and the project's root.
func rulesFile(c *cli.Context) (name, root string, err error) {
	cwd, err := os.Getwd()
	if err != nil {
		return "", "", fail(exitInput, "%v", err)
	}
	root = projectRoot(cwd)
	if !c.Bool("user") {
		return rulebook.ProjectFile(root), root, nil
	}
	if name = rulebook.UserFile(); name == "" {
		return "", "", fail(exitInput, "nobody knows your home directory: set XDG_CONFIG_HOME")
	}
	return name, root, nil
}

// projectRoot is the nearest directory above with a repository or with rules; where there
// is none the directory itself.
func projectRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		for _, mark := range []string{".git", rulebook.Project} {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil {
				return at
			}
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// changeRules writes a rule into a file or takes it out. A project's file whose allow
// rules nobody accepted is not touched: to add one would accept the others unread.
func changeRules(name, text string, remove, project bool) error {
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(exitInput, "%v", err)
	}
	f := rules.Parse(name, old)
	for i := range f.Rules {
		if project && f.Rules[i].Verb == rules.Allow && !rulebook.Accepted(name, old) {
			return fail(exitUsage, "%s has rules that you have not accepted, such as %q: read them, then run gbt rules trust", name, f.Rules[i].Text)
		}
	}
	var kept []string
	found := false
	for line := range strings.Lines(string(old)) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == text {
			if found = true; remove {
				continue
			}
		}
		kept = append(kept, line)
	}
	switch {
	case remove && !found:
		return fail(exitUsage, "%s has no rule %q; gbt rules lists them", name, text)
	case !remove && !found:
		kept = append(kept, text)
	}
	data := []byte(strings.Join(kept, "\n") + "\n")
	if err := rulebook.Replace(name, data); err != nil {
		return cannotWrite(name, err)
	}
	if !project {
		return nil
	}
	if err := rulebook.Accept(name, data); err != nil {
		return fail(exitInput, "what you accepted could not be noted: %v", err)
	}
	return nil
}

func printRule(e *env, c *cli.Context, r *ruleJSON) error {
	word := "wrote"
	switch {
	case c.Bool("dry-run"):
		word = "would write"
	case c.Bool("remove"):
		word = "removed"
	}
	fmt.Fprintf(e.stdout, "%s %s: %s\n", word, r.File, visible(r.Rule))
	for _, p := range r.Passes {
		fmt.Fprintf(e.stdout, "this also lets pass: %s\n", visible(p))
	}
	for _, s := range r.Stays {
		fmt.Fprintf(e.stdout, "still asks or is stopped: %s\n", visible(s))
	}
	if r.Leaves != "" {
		fmt.Fprintf(e.stdout, "note: %s\n", r.Leaves)
	}
	if x, err := rules.ParseRule(r.Rule); err == nil && x.AboutEnds() && !c.Bool("remove") {
		fmt.Fprintln(e.stdout, "a coding agent's hook asks for it once gbt hook install was run after this")
	}
	return nil
}
