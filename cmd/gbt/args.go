package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves flags in front of the other arguments of the command they
// follow, so that "gbt import logs -o out" works as people write it: the flag
// package stops at the first argument that is no flag. Everything after "--"
// stays where it is.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	cmd := &cli.Command{Flags: app.Flags, Subcommands: app.Commands}
	out := args[:1:1]
	rest := args[1:]
	for len(rest) > 0 {
		next := findCommand(cmd.Subcommands, rest[0])
		if next == nil {
			break
		}
		out, rest, cmd = append(out, rest[0]), rest[1:], next
	}
	var flags, others []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if flag, value, ok := attached(cmd, arg); ok {
			flags = append(flags, flag, value)
			continue
		}
		switch {
		case arg == "--":
			others = append(append(others, arg), rest...)
			rest = nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			others = append(others, arg)
		default:
			flags = append(flags, arg)
			if takesValue(cmd, arg) && len(rest) > 0 {
				flags, rest = append(flags, rest[0]), rest[1:]
			}
		}
	}
	return append(append(out, flags...), others...)
}

func findCommand(list []*cli.Command, name string) *cli.Command {
	for _, c := range list {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// takesValue says whether the argument is a flag whose value is the next one.
func takesValue(cmd *cli.Command, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range cmd.Flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}

// attached splits a flag of one letter from the value written behind it, as in
// -j1: the flag package knows only -j 1 and -j=1.
func attached(cmd *cli.Command, arg string) (flag, value string, ok bool) {
	if len(arg) < 3 || arg[0] != '-' || arg[1] == '-' || arg[2] == '=' || takesValue(cmd, arg) || !takesValue(cmd, arg[:2]) {
		return "", "", false
	}
	return arg[:2], arg[2:], true
}
