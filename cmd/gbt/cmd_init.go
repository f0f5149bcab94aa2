package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

func initCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a commented gbt.yaml with the default settings",
		ArgsUsage: "[FILE]",
		Description: "Writes gbt.yaml into the current directory, or FILE. An existing file stays as it is.\n\n" +
			"With --guard it writes a policy without logs instead, policy.gbt or FILE: the guardrail with the settings of --config or of\n" +
			"gbt.yaml here, for the hook and everything else that reads policies. It is unsigned; gbt sign signs it.\n\n" +
			"Examples:\n   gbt init && gbt distill logs/ --config gbt.yaml -o policy.gbt\n   gbt init && gbt init --guard && gbt hook install claude-code --policy policy.gbt",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "force", Usage: "overwrite an existing file"},
			&cli.BoolFlag{Name: "guard", Usage: "write a policy of the settings alone, without logs"},
			&cli.StringFlag{Name: "config", Usage: "with --guard: read the settings from `FILE` (default: gbt.yaml, where it is)"},
		},
		Action: func(c *cli.Context) error { return runInit(e, c) },
	}
}

func runInit(e *env, c *cli.Context) error {
	name := "gbt.yaml"
	if c.Bool("guard") {
		name = "policy.gbt"
	} else if c.String("config") != "" {
		return fail(exitUsage, "--config needs --guard")
	}
	if c.NArg() > 0 {
		name = c.Args().First()
	}
	if _, err := os.Lstat(name); err == nil && !c.Bool("force") {
		return fail(exitUsage, "%s exists: give another name, or --force to overwrite it", name)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(exitInput, "%v", err)
	}
	data := distill.DefaultYAML
	if c.Bool("guard") {
		var err error
		if data, err = guardPolicy(e, c); err != nil {
			return err
		}
	}
	if err := writeFile(name, data, 0o644); err != nil {
		return fail(exitInput, "%v", err)
	}
	fmt.Fprintf(e.stderr, "gbt: wrote %s\n", name)
	if !c.Bool("guard") {
		acceptWritten(e, name, data)
	}
	return nil
}

// acceptWritten accepts settings that gbt itself has just written, where it is known whose
// they are.
func acceptWritten(e *env, name string, data []byte) {
	abs, err := filepath.Abs(name)
	if err == nil {
		err = rulebook.Accept(abs, data)
	}
	if err != nil {
		fmt.Fprintf(e.stderr, "gbt: %s is read with --config only: %v\n", name, err)
	}
}

// guardPolicy is a policy of the settings alone.
func guardPolicy(e *env, c *cli.Context) ([]byte, error) {
	if _, err := os.Lstat("gbt.yaml"); err == nil && c.String("config") == "" {
		if err := c.Set("config", "gbt.yaml"); err != nil {
			return nil, err
		}
		fmt.Fprintln(e.stderr, "gbt: with the settings of gbt.yaml")
	}
	cfg, err := readConfigFile(c)
	if err != nil {
		return nil, err
	}
	p, err := cfg.GuardOnly()
	if err != nil {
		return nil, fail(exitUsage, "%v", err)
	}
	data, err := artifacts.Encode(p)
	if err != nil {
		return nil, fail(exitUsage, "%v", err)
	}
	return data, nil
}
