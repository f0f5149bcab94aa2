package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestFlagsFirst(t *testing.T) {
	app := &cli.App{Commands: []*cli.Command{
		{Name: "import", Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}}, &cli.BoolFlag{Name: "json"},
		}},
		{Name: "eval", Subcommands: []*cli.Command{{Name: "coverage", Flags: []cli.Flag{&cli.BoolFlag{Name: "json"}}}}},
	}}
	for _, c := range []struct{ name, args, want string }{
		{"a flag after an argument", "gbt import logs -o out", "gbt import -o out logs"},
		{"a switch between arguments", "gbt import a --json b", "gbt import --json a b"},
		{"a value with an equals sign", "gbt import a --output=x b", "gbt import --output=x a b"},
		{"standard input is an argument", "gbt import - --json", "gbt import --json -"},
		{"nothing moves past two dashes", "gbt import a -- --json", "gbt import a -- --json"},
		{"subcommands", "gbt eval coverage p.gbt logs --json", "gbt eval coverage --json p.gbt logs"},
		{"a value behind a letter", "gbt import a -oout b", "gbt import -o out a b"},
		{"unknown flags are left to the parser", "gbt import a --odd b", "gbt import --odd a b"},
		{"no command", "gbt --version", "gbt --version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Fields(c.args)
			if got := flagsFirst(app, args); !slices.Equal(got, strings.Fields(c.want)) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !slices.Equal(args, strings.Fields(c.args)) {
				t.Error("the arguments themselves were changed")
			}
		})
	}
}
