package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// waits judges what wait-on waits for: a file, an address that it asks for its state, a port,
// a socket, or a command line that it runs until it succeeds (wait-on --help, 9.5.1).
func (m *machine) waits(args []string) {
	for _, a := range args {
		kind, rest, _ := strings.Cut(a, ":")
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
			m.url(effect.OpProbe, strings.TrimSuffix(kind, "-get")+":"+rest, "http")
		case kind == "file" || kind == "socket":
			m.path(effect.List, effect.OpStat, rest)
		default:
			m.path(effect.List, effect.OpStat, a)
		}
	}
}
