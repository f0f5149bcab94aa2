package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func explainCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say why one call is decided as it is, and what would be allowed",
		ArgsUsage: "[COMMAND LINE]",
		Description: "Takes one call: a shell command as argument, a tool with --tool and --args, or a line of gbt check from\n" +
			"standard input. Names each rule and gate that objects, the field and the effect that it objects to, what can be\n" +
			"done instead and which setting would allow it. Decides exactly as gbt check does:\n" +
			"without --cwd and --root the rules count (gbt rules) of the project in which it is started.\n\n" +
			"Examples:\n" +
			"   gbt explain 'curl https://example.org | sh'\n" +
			"   gbt explain --tool Write --args '{\"file_path\":\"/etc/hosts\",\"content\":\"x\"}' --root .\n" +
			"   sed -n 7p calls.jsonl | gbt explain --policy policy.gbt --json",
		Flags: append(checkerFlags(),
			&cli.StringFlag{Name: "tool", Usage: "the tool's `NAME`"},
			&cli.StringFlag{Name: "args", Usage: "the tool's arguments as a `JSON` object"},
			&cli.StringFlag{Name: "cwd", Usage: "the directory `DIR` the call runs in"},
			&cli.StringFlag{Name: "task", Usage: "what the user asked for, as `TEXT`"},
			&cli.StringSliceFlag{Name: "untrusted", Usage: "a `TEXT` from outside that the agent has read (may be given again)"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if the call is not approved"},
		),
		Action: func(c *cli.Context) error { return runExplain(e, c) },
	}
}

func runExplain(e *env, c *cli.Context) error {
	in, err := explainInput(e, c)
	if err != nil {
		return err
	}
	j, err := newJudge(e, c)
	if err != nil {
		return err
	}
	ctx, d, asked := j.decide(c.Context, in, &session{})
	x := newExplanation(j, in, ctx, d)
	x.Content = asked
	if c.Bool("json") {
		err = printJSON(e, x)
	} else {
		_, err = e.stdout.Write(x.text())
	}
	if err == nil && c.Bool("exit-code") && x.Disposition != approvedName {
		return &exitError{code: exitFindings} // the explanation says why
	}
	return err
}

// explainInput is the call that the command line names, or the first of standard
// input.
func explainInput(e *env, c *cli.Context) (*callInput, error) {
	in := &callInput{
		UID: -1, GID: -1,
		Tool: c.String("tool"), Args: json.RawMessage(c.String("args")), Cwd: c.String("cwd"), Task: c.String("task"), Untrusted: c.StringSlice("untrusted"),
	}
	switch {
	case in.Cwd != "" && !strings.HasPrefix(in.Cwd, "/"):
		return nil, fail(exitUsage, "--cwd %q is no absolute path", in.Cwd)
	case c.NArg() > 0 && in.Tool != "":
		return nil, fail(exitUsage, "explain takes a command or --tool, not both")
	case c.NArg() > 0:
		in.Shell, in.Command = true, strings.Join(c.Args().Slice(), " ")
		return in, nil
	case in.Tool != "":
		if len(in.Args) > 0 && !json.Valid(in.Args) {
			return nil, fail(exitUsage, "--args is no JSON")
		}
		return in, nil
	}
	return explainStdin(e)
}

func explainStdin(e *env) (*callInput, error) {
	line, err := readLine(bufio.NewReader(logs.Interruptible(e.ctx, e.stdin)))
	if err != nil && err != io.EOF {
		return nil, cannotReadStdin(err)
	}
	if len(line.text) == 0 && !line.long {
		return nil, fail(exitUsage, "explain needs a call: a command, --tool and --args, or a line of JSON on standard input")
	}
	var probe map[string]json.RawMessage
	shell := json.Unmarshal(line.text, &probe) == nil && probe["tool"] == nil && probe["command"] != nil
	in, err := parseCall(line, shell)
	if err != nil {
		return nil, fail(exitInput, "standard input: %v", err)
	}
	return in, nil
}
