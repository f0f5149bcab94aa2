package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
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

// listsArchive judges python -m zipfile and tarfile where they list an archive or test it
// (docs.python.org/3.13/library/zipfile.html and tarfile.html, Command-Line Interface).
func (m *machine) listsArchive(args []string) bool {
	if len(args) > 0 && (args[0] == "-v" || args[0] == "--verbose") {
		args = args[1:]
	}
	if len(args) != 2 {
		return false
	}
	switch args[0] {
	case "-l", "--list", "-t", "--test":
		m.spawn(effect.OpRun, "python")
		m.read(args[1])
		return true
	}
	return false
}

// traced judges python -m trace: its options, and the script or module that it runs
// (docs.python.org/3.13/library/trace.html).
func (m *machine) traced(args []string, in data, want bool) data {
	for i := 0; i < len(args); i++ {
		name, value, attached := cutAt(args[i], "=")
		valued := name == "-f" || name == "--file" || name == "-C" || name == "--coverdir" || name == "--ignore-module" || name == "--ignore-dir"
		if valued && !attached {
			if i++; i == len(args) {
				break
			}
			value = args[i]
		}
		switch {
		case name == "-f" || name == "--file" || name == "-C" || name == "--coverdir":
			m.write(value, effect.OpCreate)
		case valued:
		case name == "--module" && i+1 < len(args):
			return m.pythonModule(args[i+1], args[i+2:], in, want)
		case mark.Among(traceFlags, strings.TrimLeft(name, "-")) && name[0] == '-':
		case strings.HasPrefix(name, "-"):
			m.escape("python -m trace " + name)
			return unknown
		default:
			return m.interpretScript("python", args[i], args[i+1:], in, want)
		}
	}
	m.escape("python -m trace")
	return unknown
}

// traceFlags are the options of python -m trace without a value. Sorted.
const traceFlags = "R T c count g l listfuncs m missing no-report r report s summary t timing trace trackcalls"

// unittest judges python -m unittest: tests by their files, modules or a directory, which it
// loads (python3 -m unittest --help and discover --help, 3.13).
func (m *machine) unittest(args []string) data {
	was := m.prog
	m.prog = "python"
	defer func() { m.prog = was }()
	for i := 0; i < len(args); i++ {
		name, value, attached := cutAt(args[i], "=")
		switch name {
		case "discover", "-v", "--verbose", "-q", "--quiet", "-f", "--failfast", "-c", "--catch", "-b", "--buffer", "--locals", "-h", "--help":
			continue
		case "-k", "-p", "--pattern", "--durations":
			if !attached {
				i++
			}
			continue
		case "-s", "--start-directory", "-t", "--top-level-directory":
			if !attached {
				if i++; i == len(args) {
					continue
				}
				value = args[i]
			}
		default:
			if value = args[i]; strings.HasPrefix(value, "-") {
				m.escape("python -m unittest " + value)
				continue
			}
		}
		m.script(value)
	}
	m.build()
	return unknown
}

// servesHere judges python -m http.server, which lists and sends the files of a directory to
// whoever asks; false where others than this machine can (docs.python.org/3/library/http.server.html,
// 3.13: without --bind it listens to all addresses).
func (m *machine) servesHere(args []string) bool {
	bind, dir := "", "."
	for i := 0; i < len(args); i++ {
		name, value, attached := cutAt(args[i], "=")
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
	if _, rest, ok := cutAt(addr, "://"); ok {
		addr = rest
	}
	if addr == "::1" || strings.HasPrefix(addr, "[::1]") {
		return true
	}
	host, port, _ := cutAt(addr, ":")
	return (host == "localhost" || host == "127.0.0.1") && strings.Trim(port, "0123456789") == ""
}
