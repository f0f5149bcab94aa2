package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// waits judges what wait-on waits for: a file, an address that it asks for its state, a port,
// a socket, or a command line that it runs until it succeeds (wait-on --help, 9.5.1).
func (m *machine) waits(args []string) {
	for _, a := range args {
		kind, rest, _ := cutAt(a, ":")
		switch {
		case strings.HasPrefix(a, "-") || strings.Trim(a, "0123456789") == "":
		case kind == "command":
			m.sourceOut(rest, data{tty: true}, false)
		case kind == "tcp":
			if strings.Trim(rest, "0123456789") == "" {
				rest = "localhost:" + rest
			}
			m.url(effect.OpProbe, "tcp://"+rest, "")
		case kind == "http" || kind == "https" || kind == "http-get" || kind == "https-get":
			m.url(effect.OpProbe, trimSuffix(kind, "-get")+":"+rest, "http")
		case kind == "file" || kind == "socket":
			m.path(effect.List, effect.OpStat, rest)
		default:
			m.path(effect.List, effect.OpStat, a)
		}
	}
}

// onlyOpens says whether a subshell does nothing but open connections, which end with it:
// that is how bash asks whether a port is open (bash(1), Redirection, /dev/tcp).
func onlyOpens(stmts []*syntax.Stmt) bool {
	if len(stmts) != 1 || len(stmts[0].Redirs) == 0 || stmts[0].Background || stmts[0].Coprocess {
		return false
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && len(call.Assigns) == 0 && call.Args[0].Lit() == "exec" && !slices.ContainsFunc(stmts[0].Redirs, func(r *syntax.Redirect) bool {
		return r.N == nil || r.N.Value < "3" || r.Op != syntax.RdrInOut && r.Op != syntax.RdrIn && r.Op != syntax.RdrOut || !strings.HasPrefix(r.Word.Lit(), "/dev/tcp/")
	})
}

// opensOnly takes the connections since effect n for looks at whether somebody listens.
func (m *machine) opensOnly(n int) {
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.Network && (e.Op == effect.OpConnect || e.Op == effect.OpSend) {
			e.Op, e.Net.Scheme = effect.OpProbe, ""
		}
	}
}
