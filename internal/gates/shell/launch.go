package shell

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// java runs java(1): a jar or a class of the workspace is a program of its own, whatever
// else names code (another class, an agent, a debugger, an argument file) needs review.
func (m *machine) java(args []string) data {
	if m.javaClass(args) {
		return unknown
	}
	for i, a := range args {
		m.javaProperty(a)
		switch {
		case len(args) == 1 && (a == "-version" || a == "--version" || a == "-help" || a == "--help" || a == "-h"):
			m.spawn(effect.OpRun, "java")
			return unknown
		case a == "-jar" && i+1 < len(args):
			m.ranDocument(m.p.Resolve(m.cwd, args[i+1]), "java")
			m.script(args[i+1])
			m.givenArgs(args[i+2:])
			return unknown
		case strings.HasSuffix(a, ".java") && a[0] != '-' && a[0] != '@':
			m.script(a) // source-file mode
			m.besideJava(a)
			m.givenArgs(args[i+1:])
			return unknown
		case !plainJava(a):
			m.escape("java " + a)
			return unknown
		}
	}
	m.escape("java")
	return unknown
}

// javaProperty judges a property that has a path or an address elsewhere: its name is
// the program's own, and says whether that is loaded or written.
func (m *machine) javaProperty(a string) {
	name, value, ok := cutAt(trimPrefix(a, "-D"), "=")
	if !ok || !strings.HasPrefix(a, "-D") {
		return
	}
	path := trimPrefix(value, "file:")
	switch {
	case !reachesOut(path):
		m.addressIn(name, value)
	case writesTo(name) && !loads(name):
		m.write(path, effect.OpCreate)
	default:
		m.settings(path)
	}
}

// plainJava says whether an option only sizes the heap, sets an ordinary
// property or switches assertions (java(1), standard and extra options).
func plainJava(a string) bool {
	if mark.Has(a) {
		return false
	}
	switch {
	case strings.HasPrefix(a, "-Xm"), strings.HasPrefix(a, "-Xs"), a == "-ea", a == "-server":
		return true
	}
	prop, ok := cutPrefix(a, "-D")
	return ok && !strings.HasPrefix(prop, "java.") && !strings.HasPrefix(prop, "com.sun.") && !strings.HasPrefix(prop, "jdk.") && !strings.HasPrefix(prop, "javax.") && !strings.HasPrefix(prop, "sun.")
}

// probes judges nc -z, which opens a connection and sends nothing; false for
// every other use of nc.
func (m *machine) probes(args []string) bool {
	scan := false
	var hosts []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case len(a) > 1 && a[0] == '-':
			flags, seconds := a[1:], ""
			if k := strings.IndexAny(flags, "wi"); k >= 0 { // the last letters of a cluster, with a value
				if flags, seconds = flags[:k], flags[k+1:]; seconds == "" {
					i++
				}
			}
			if strings.Trim(flags, "zvn46ut") != "" || strings.Trim(seconds, "0123456789.") != "" {
				return false
			}
			scan = scan || firstByte(flags, 'z') >= 0
		default:
			hosts = append(hosts, a)
		}
	}
	if !scan || len(hosts) < 2 {
		return false
	}
	m.spawn(effect.OpRun, m.prog)
	m.url(effect.OpProbe, hosts[0], "")
	return true
}

// asksPage judges nc that sends a literal request for a page to a port of this machine, as curl does
// (nc(1); RFC 9112, 3): a line that another kind of server could take for a command is none.
func (m *machine) asksPage(args []string, in data) bool {
	var words []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case (a == "-q" || a == "-w") && i+1 < len(args) && args[i+1] != "" && strings.Trim(args[i+1], "0123456789") == "":
			i++
		case len(a) > 2 && (a[:2] == "-q" || a[:2] == "-w") && strings.Trim(a[2:], "0123456789") == "", a == "-N", a == "-v", a == "-n", a == "-4":
		default:
			words = append(words, a)
		}
	}
	if len(words) != 2 || words[0] != "localhost" && words[0] != "127.0.0.1" || words[1] == "" || strings.Trim(words[1], "0123456789") != "" || !in.known() {
		return false
	}
	page := pageRequest.FindStringSubmatch(in.text)
	if page == nil {
		return false
	}
	m.spawn(effect.OpRun, m.prog)
	m.url(effect.OpFetch, "http://"+words[0]+":"+words[1]+page[1], "")
	return true
}

// pageRequest is one request for a page with what clients say of themselves.
var pageRequest = regexp.MustCompile(`^(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r?\n(?:(?:Host|User-Agent|Accept|Connection): [\w.*/:; -]*\r?\n)*(?:\r?\n)?$`)

// mixCode is the code that mix run evaluates, behind options that leave something out (mix help run).
func mixCode(args []string) string {
	if len(args) == 0 || args[0] != "run" {
		return ""
	}
	for args = args[1:]; len(args) > 0 && hasWord("--no-start --no-compile --no-deps-check --no-archives-check --no-mix-exs", args[0]); {
		args = args[1:]
	}
	if len(args) == 2 && (args[0] == "-e" || args[0] == "--eval") {
		return args[1]
	}
	return ""
}

// psOptions records that ps shows environments: BSD's flag e, which has no dash
// (ps(1), output modifiers).
func (m *machine) psOptions(args []string) {
	for i, a := range args {
		if a == "" || firstByte(a, 'e') < 0 || strings.Trim(a, "aAcefghjklmrsuvwxX") != "" {
			continue
		}
		if i > 0 && len(a) > 4 || i > 0 && len(args[i-1]) > 1 && args[i-1][0] == '-' && firstByte("oCpuUGgtsO", args[i-1][len(args[i-1])-1]) >= 0 {
			continue // the value of an option
		}
		m.environ("environment of processes")
	}
}
