package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/gbt-policy/gbt/internal/approvals"
	"github.com/gbt-policy/gbt/internal/hosts"
)

func approvalsCommand(e *env) *cli.Command {
	queue := &cli.StringFlag{Name: "queue", Usage: "the queue in `DIR`, as the hook's --approvals names it"}
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}
	hold := &cli.DurationFlag{Name: "for", Value: approvals.Hold, Usage: "let the yes hold for `TIME`, at most " + approvals.MaxHold.String()}
	yes := &cli.BoolFlag{Name: "yes", Usage: "do not ask once more"}
	return &cli.Command{
		Name:  "approvals",
		Usage: "answer what a coding agent that can't ask was stopped for",
		Description: "Codex, Gemini CLI, opencode and others can't ask about a call. The hook blocks it there, puts it into a queue and names it to\n" +
			"the agent; after your yes exactly that call passes once, when the agent tries it again. A yes ends after a while, and what the\n" +
			"guard rejects is never asked. Without a subcommand: asks one after the other on a terminal, else lists them.\n\n" +
			"Approving needs a terminal of your own: agents have none, and the guard stops them from running this.\n\n" +
			"Examples:\n   gbt approvals\n   gbt approvals list --json\n   gbt approvals approve 1a2b3c4d5e6f --for 1h\n   gbt approvals deny 1a2b3c4d5e6f",
		Flags:  []cli.Flag{queue, asJSON, hold},
		Action: func(c *cli.Context) error { return runApprovals(e, c) },
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "what waits, and what was answered lately", Description: examples("gbt approvals list --json"), Flags: []cli.Flag{queue, asJSON}, Action: func(c *cli.Context) error { return listApprovals(e, c) }},
			{Name: "show", Usage: "one call in full", ArgsUsage: "ID", Description: examples("gbt approvals show 1a2b3c4d5e6f"), Flags: []cli.Flag{queue, asJSON}, Action: func(c *cli.Context) error { return showApproval(e, c) }},
			{Name: "approve", Usage: "let exactly these calls pass, each once", ArgsUsage: "ID...", Description: examples("gbt approvals approve 1a2b3c4d5e6f --for 1h"), Flags: []cli.Flag{queue, hold, yes}, Action: func(c *cli.Context) error { return approveCalls(e, c) }},
			{Name: "deny", Usage: "say no to calls", ArgsUsage: "ID...", Description: examples("gbt approvals deny 1a2b3c4d5e6f"), Flags: []cli.Flag{queue}, Action: func(c *cli.Context) error { return denyCalls(e, c) }},
		},
	}
}

// approvalJSON is a request as gbt approvals prints it.
type approvalJSON struct {
	ID      string          `json:"id"`
	State   string          `json:"state"`
	From    string          `json:"from"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	Cwd     string          `json:"cwd"`
	Asks    []string        `json:"asks"`
	Says    string          `json:"says,omitempty"`
	Asked   time.Time       `json:"asked"`
	Expires time.Time       `json:"expires"`
}

func approvalOf(x *approvals.Entry) approvalJSON {
	return approvalJSON{x.ID, string(x.State), x.Door, x.Tool, x.Args, x.Cwd, x.Asks, x.Says, x.Asked, x.Expires}
}

func queueOf(c *cli.Context) (approvals.Queue, error) {
	if dir := c.String("queue"); dir != "" {
		return approvals.Dir(dir), nil
	}
	dir, err := approvals.DefaultDir()
	if err != nil {
		return nil, fail(exitUsage, "%v; name one with --queue", err)
	}
	return dir, nil
}

func listApprovals(e *env, c *cli.Context) error {
	q, err := queueOf(c)
	if err != nil {
		return err
	}
	list, err := q.List(time.Now())
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	if c.Bool("json") {
		out := struct {
			Approvals []approvalJSON `json:"approvals"`
		}{[]approvalJSON{}}
		for i := range list {
			out.Approvals = append(out.Approvals, approvalOf(&list[i]))
		}
		return printJSON(e, out)
	}
	for i := range list {
		x := &list[i]
		fmt.Fprintf(e.stdout, "%s  %-8s  %s  %s\n", x.ID, x.State, x.Door, summaryOf(x))
	}
	if len(list) == 0 {
		fmt.Fprintln(e.stderr, "gbt: nothing waits for an answer")
	}
	return nil
}

// maxSummary is how much of a call a line of the list shows.
const maxSummary = 120

// summaryOf is the call's longest text in one line: a command, a path, a content.
func summaryOf(x *approvals.Entry) string {
	var args map[string]any
	text := string(x.Args)
	if json.Unmarshal(x.Args, &args) == nil {
		for _, key := range []string{"command", "cmd", "file_path", "filePath", "path", "url"} {
			if s, ok := args[key].(string); ok && s != "" {
				text = s
				break
			}
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxSummary {
		text = string(r[:maxSummary]) + "..."
	}
	return x.Tool + ": " + text
}

func showApproval(e *env, c *cli.Context) error {
	q, x, err := findApproval(c)
	if err != nil || q == nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e, approvalOf(&x))
	}
	printApproval(e, &x)
	return nil
}

func findApproval(c *cli.Context) (approvals.Queue, approvals.Entry, error) {
	if c.NArg() != 1 {
		return nil, approvals.Entry{}, fail(exitUsage, "name one request, as gbt approvals list prints it")
	}
	q, err := queueOf(c)
	if err != nil {
		return nil, approvals.Entry{}, err
	}
	x, err := q.Find(c.Args().First(), time.Now())
	if err != nil {
		return nil, x, fail(exitUsage, "%s: %v; gbt approvals list shows what waits", c.Args().First(), err)
	}
	return q, x, nil
}

// printApproval shows a call in full: who approves it must have seen it.
func printApproval(e *env, x *approvals.Entry) {
	fmt.Fprintf(e.stdout, "%s  %s  asked %s by %s, in %s\n", x.ID, x.State, x.Asked.Local().Format(time.DateTime), x.Door, x.Cwd)
	var args map[string]any
	if json.Unmarshal(x.Args, &args) != nil {
		fmt.Fprintf(e.stdout, "  %s %s\n", x.Tool, x.Args)
	} else {
		fmt.Fprintf(e.stdout, "  %s\n", x.Tool)
		for _, k := range sortedNames(args) {
			v, ok := args[k].(string)
			if !ok {
				b, _ := json.Marshal(args[k]) // it was decoded from JSON
				v = string(b)
			}
			fmt.Fprintf(e.stdout, "    %s: %s\n", k, strings.ReplaceAll(v, "\n", "\n      "))
		}
	}
	if x.Says != "" {
		for line := range strings.Lines(x.Says) {
			fmt.Fprintf(e.stdout, "  %s\n", visible(strings.TrimSuffix(line, "\n")))
		}
		return
	}
	for _, a := range x.Asks { // a file of before
		rule, words, _ := strings.Cut(a, ": ")
		fmt.Fprintf(e.stdout, "  it %s [%s]\n", words, rule)
	}
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for k := range m {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// person refuses whoever is not one: approving takes a terminal, and none in which an
// agent runs its commands.
func person(e *env) error {
	f, ok := e.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return fail(exitUsage, "approving takes a person at a terminal, and standard input is none")
	}
	for _, name := range hosts.Names() {
		if h, _ := hosts.Lookup(name); h.ShellEnv != "" && os.Getenv(h.ShellEnv) != "" {
			return fail(exitUsage, "this is a shell of %s (%s is set): approve in a terminal of your own", h.Title, h.ShellEnv)
		}
	}
	return nil
}

func approveCalls(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "name what you approve, as gbt approvals list prints it")
	}
	if err := person(e); err != nil {
		return err
	}
	q, err := queueOf(c)
	if err != nil {
		return err
	}
	in := bufio.NewReader(e.stdin)
	for _, id := range c.Args().Slice() {
		x, err := q.Find(id, time.Now())
		if err != nil {
			return fail(exitUsage, "%s: %v; gbt approvals list shows what waits", id, err)
		}
		printApproval(e, &x)
		if !c.Bool("yes") && x.State == approvals.Pending {
			fmt.Fprintf(e.stderr, "Let exactly this call pass, once, within %v? [y/N] ", c.Duration("for"))
			if s, _ := in.ReadString('\n'); !isYes(s) {
				fmt.Fprintln(e.stderr, "gbt: not approved")
				continue
			}
		}
		if err := approve(e, q, id, c.Duration("for")); err != nil {
			return err
		}
	}
	return nil
}

func approve(e *env, q approvals.Queue, id string, hold time.Duration) error {
	x, err := q.Approve(id, hold, time.Now())
	if err != nil {
		return fail(exitUsage, "%s: %v", id, err)
	}
	fmt.Fprintf(e.stderr, "gbt: %s passes once until %s; let the agent try it again\n", x.ID, x.Expires.Local().Format(time.TimeOnly))
	return nil
}

func denyCalls(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "name what you deny, as gbt approvals list prints it")
	}
	q, err := queueOf(c)
	if err != nil {
		return err
	}
	for _, id := range c.Args().Slice() {
		x, err := q.Deny(id, time.Now())
		if err != nil {
			return fail(exitUsage, "%s: %v; gbt approvals list shows what waits", id, err)
		}
		fmt.Fprintf(e.stderr, "gbt: %s is denied; the agent is told so when it tries it again\n", x.ID)
	}
	return nil
}

// runApprovals asks one after the other where a person can answer.
func runApprovals(e *env, c *cli.Context) error {
	if c.NArg() > 0 {
		return fail(exitUsage, "%q is no subcommand of approvals; use list, show, approve or deny", c.Args().First())
	}
	if c.Bool("json") || person(e) != nil {
		return listApprovals(e, c)
	}
	q, err := queueOf(c)
	if err != nil {
		return err
	}
	list, err := q.List(time.Now())
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	list = slices.DeleteFunc(list, func(x approvals.Entry) bool { return x.State != approvals.Pending })
	if len(list) == 0 {
		fmt.Fprintln(e.stderr, "gbt: nothing waits for an answer")
	}
	in := bufio.NewReader(e.stdin)
	for i := range list {
		if err := askPerson(e, q, &list[i], in, c.Duration("for")); errors.Is(err, errQuit) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

var errQuit = errors.New("the person has had enough")

// askPerson takes one answer: nothing but yes is a yes.
func askPerson(e *env, q approvals.Queue, x *approvals.Entry, in *bufio.Reader, hold time.Duration) error {
	printApproval(e, x)
	fmt.Fprintf(e.stderr, "[y] let it pass once within %v  [n] no  [s] later  [q] quit: ", hold)
	s, err := in.ReadString('\n')
	switch answer := strings.ToLower(strings.TrimSpace(s)); {
	case isYes(answer):
		return approve(e, q, x.ID, hold)
	case answer == "n" || answer == "no":
		if _, err := q.Deny(x.ID, time.Now()); err != nil {
			return fail(exitUsage, "%s: %v", x.ID, err)
		}
		fmt.Fprintf(e.stderr, "gbt: %s is denied\n", x.ID)
	case answer == "q" || err != nil:
		return errQuit
	}
	return nil
}

func isYes(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return s == "y" || s == "yes"
}
