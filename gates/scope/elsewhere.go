package scope

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// inShell stands between a name and the MCP server in whose shell it is meant.
const inShell = " in the " + effect.ShellOfServer

// there are names of what a call does in the shell of an MCP server. What hangs on what a
// file of this machine holds is not known there.
func there(c *gates.Context, names []string) []string {
	out := slices.Clone(names)
	for i, name := range out {
		if strings.Contains(name, Unchanged) || strings.Contains(name, Exactly) || strings.Contains(name, Plainly) || strings.Contains(name, Holding) || strings.Contains(name, Saying) {
			return nil
		}
		out[i] = name + inShell + c.Elsewhere
	}
	return out
}

// line names the whole command line of a call, in the directory that it names: a yes is for
// exactly that. A line with a part that only the run time knows, or with a secret in it, is
// asked about each time.
func line(c *gates.Context) []string {
	list := c.Runs()
	if c.Command == "" || len(list) == 0 || len(c.Command) > maxExact || class.Sent(c.Command)&class.Credentials != 0 || strings.ContainsAny(c.Command, "$`") {
		return nil
	}
	for i := range list {
		if r := &list[i]; r.Given || Computed(r.Words) {
			return nil
		}
	}
	words := []string{c.Command}
	if places := c.Places(); c.Cwd != places.Cwd {
		words = append(words, "in "+c.Cwd)
	}
	return exactly(words)
}
