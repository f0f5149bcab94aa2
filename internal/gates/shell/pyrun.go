package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges modules of Python's library that run another program of Python, or serve
// files, when they are started with -m.

// profiled judges python -m cProfile: its options, and the script or module that it runs
// (docs.python.org/3/library/profile.html, 3.13).
func (m *machine) profiled(mod string, args []string, in data, want bool) data {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-s" || a == "--sort":
			i++
		case (a == "-o" || a == "--outfile") && i+1 < len(args):
			i++
			m.write(args[i], effect.OpCreate)
		case a == "-m" && i+1 < len(args):
			return m.pythonModule(args[i+1], args[i+2:], in, want)
		case strings.HasPrefix(a, "-"):
			m.escape("python -m " + mod + " " + a)
			return unknown
		default:
			return m.interpretScript("python", a, args[i+1:], in, want)
		}
	}
	m.escape("python -m " + mod)
	return unknown
}

// servesHere judges python -m http.server, which lists and sends the files of a directory to
// whoever asks; false where others than this machine can (docs.python.org/3/library/http.server.html,
// 3.13: without --bind it listens to all addresses).
func (m *machine) servesHere(args []string) bool {
	bind, dir := "", "."
	for i := 0; i < len(args); i++ {
		name, value, attached := strings.Cut(args[i], "=")
		switch name {
		case "-b", "--bind", "-d", "--directory", "-p", "--protocol":
			if !attached {
				if i++; i == len(args) {
					return false
				}
				value = args[i]
			}
			switch strings.TrimLeft(name, "-")[0] {
			case 'b':
				bind = value
			case 'd':
				dir = value
			}
		default:
			if args[i] == "" || strings.Trim(args[i], "0123456789") != "" {
				return false
			}
		}
	}
	z, secret, _ := m.p.Where(m.p.Resolve(m.cwd, dir))
	if !onlyHere(bind) || secret || z != effect.ZoneWorkspace && z != effect.ZoneTemp {
		return false
	}
	m.spawn(effect.OpRun, "python")
	m.list(dir)
	return true
}

// onlyHere says whether an address to listen at is one that no other machine reaches.
func onlyHere(addr string) bool {
	if _, rest, ok := strings.Cut(addr, "://"); ok {
		addr = rest
	}
	if addr == "::1" || strings.HasPrefix(addr, "[::1]") {
		return true
	}
	host, port, _ := strings.Cut(addr, ":")
	return (host == "localhost" || host == "127.0.0.1") && strings.Trim(port, "0123456789") == ""
}
