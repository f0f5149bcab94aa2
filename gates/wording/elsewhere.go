package wording

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// inShell says in whose shell a line runs that an MCP server is handed.
func inShell(server string) string {
	return " in the shell of the MCP server " + name(server) + ", which may be another machine"
}

// elsewhere words a line or code that would not be harmless on every machine.
func (s *subject) elsewhere(e *gates.Effect) clause {
	server, _ := e.Elsewhere()
	what := "runs this command line" + inShell(server)
	if s.c != nil && s.c.Command == "" {
		what = "has the MCP server " + name(server) + " run this, maybe on another machine"
	}
	return clause{what: what, note: "; gbt does not know what is there", weight: 8}
}

// placed says in the first clause where all of it may happen, unless another says it.
func placed(c *gates.Context, list []clause) []clause {
	if c != nil && c.Elsewhere != "" && len(list) > 0 && !list[0].own && !slices.ContainsFunc(list, func(x clause) bool { return x.rule == "spawn/elsewhere" }) {
		list[0].what += "," + inShell(c.Elsewhere)
	}
	return list
}
