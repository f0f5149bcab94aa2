package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
)

func initCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a commented gbt.yaml with the default settings",
		ArgsUsage: "[FILE]",
		Description: "Writes gbt.yaml into the current directory, or FILE. An existing file stays as it is.\n\n" +
			"Example:\n   gbt init && gbt distill logs/ --config gbt.yaml -o policy.gbt",
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "force", Usage: "overwrite an existing file"}},
		Action: func(c *cli.Context) error { return runInit(e, c) },
	}
}

func runInit(e *env, c *cli.Context) error {
	name := "gbt.yaml"
	if c.NArg() > 0 {
		name = c.Args().First()
	}
	if _, err := os.Lstat(name); err == nil && !c.Bool("force") {
		return fail(exitUsage, "%s exists: give another name, or --force to overwrite it", name)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(exitInput, "%v", err)
	}
	if err := writeFile(name, distill.DefaultYAML, 0o644); err != nil {
		return fail(exitInput, "%v", err)
	}
	fmt.Fprintf(e.stderr, "gbt: wrote %s\n", name)
	return nil
}
