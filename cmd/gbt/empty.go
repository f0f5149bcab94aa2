package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// mayBeEmpty are the options whose text may be empty: what somebody said, and
// what a page holds.
var mayBeEmpty = []string{"task", "untrusted"}

// refuseEmpty makes every command refuse an option that is given without a value,
// as --trust "$KEY" is where KEY is not set: it would be taken for an option left
// out, and an unsigned policy for a trusted one.
func refuseEmpty(commands []*cli.Command) {
	for _, c := range commands {
		refuseEmpty(c.Subcommands)
		before, flags := c.Before, c.Flags
		c.Before = func(ctx *cli.Context) error {
			for _, f := range flags {
				if name := f.Names()[0]; ctx.IsSet(name) && emptyValue(ctx, f) && !slices.Contains(mayBeEmpty, name) {
					return fail(exitUsage, "%s is empty: name a value or leave it out", spelled(f))
				}
			}
			if before != nil {
				return before(ctx)
			}
			return nil
		}
	}
}

// spelled is an option as a command line has it: --output or -o.
func spelled(f cli.Flag) string {
	var out []string
	for _, name := range f.Names() {
		out = append(out, strings.Repeat("-", min(2, len(name)))+name)
	}
	return strings.Join(out, " or ")
}

func emptyValue(ctx *cli.Context, f cli.Flag) bool {
	switch f := f.(type) {
	case *cli.StringFlag:
		return ctx.String(f.Name) == ""
	case *cli.StringSliceFlag:
		return slices.Contains(ctx.StringSlice(f.Name), "")
	case *cli.PathFlag:
		return ctx.Path(f.Name) == ""
	}
	return false
}
