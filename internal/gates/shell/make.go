package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// makeTool runs make(1): targets of a makefile in the workspace. --eval and
// variables that name a shell run their values.
func (m *machine) makeTool(args []string) data {
	cwd := m.cwd
	dry, shows := false, false
	opts, words := makeOptions.read(args)
	for _, o := range opts {
		switch o.name {
		case "C", "directory":
			m.list(o.value)
			m.cwd = m.p.Resolve(m.cwd, o.value)
			m.moved()
		case "f", "file", "makefile":
			m.settings(o.value)
		case "I", "include-dir":
			if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, o.value)); z != effect.ZoneWorkspace {
				m.escape("make includes from " + o.value)
			}
		case "E", "eval":
			m.escape("make --eval")
		case "n", "dry-run", "just-print", "recon":
			dry = true
		case "p", "print-data-base": // its variables, those of the environment among them
			shows = true
		case "j", "l", "O":
			if firstByte(o.value, mark.Unknown) >= 0 {
				m.opaque(effect.OpComputed, "computed option of make")
			}
		case "":
			m.opaque(effect.OpComputed, "computed option of make")
		}
	}
	below := m.destdir(words)
	for _, w := range words {
		switch name, value, _ := cutAt(w, "="); {
		case below != "" && name != "DESTDIR" && installsTo(name) && strings.HasPrefix(value, "/") && strings.Trim(value, pathBytes) == "":
			m.makeVariable(name + "=" + below + value) // what is installed there goes below DESTDIR
		case firstByte(w, '=') > 0:
			m.makeVariable(w)
		case outward(w) && !dry:
			m.escape("make " + w)
		}
	}
	m.build()
	m.cwd = cwd
	if shows {
		return m.dumpEnviron()
	}
	return unknown
}

// destdir is the directory of the workspace, or a temporary one, below which make is told to
// install all that it installs (GNU Coding Standards, "DESTDIR: Support for Staged Installs");
// empty where it is told of none, of several or of one elsewhere.
func (m *machine) destdir(words []string) (dir string) {
	for _, w := range words {
		value, ok := cutPrefix(w, "DESTDIR=")
		if !ok {
			continue
		}
		if dir != "" || value == "" || mark.Has(value) || strings.Trim(value, pathBytes) != "" {
			return ""
		}
		dir = m.p.Resolve(m.cwd, value)
		if z, _, protected := m.p.Where(dir); z != effect.ZoneWorkspace && z != effect.ZoneTemp || protected || !strings.HasPrefix(value, "/") {
			return ""
		}
	}
	return dir
}

// makeVariable judges NAME=VALUE on make's command line: SHELL and the names
// of programs are run, and $(shell ...) in any value is.
func (m *machine) makeVariable(a string) {
	name, value, _ := cutAt(a, "=")
	name = strings.TrimRight(name, ":?+!")
	m.environment(name, value) // what runs under make has it, too
	switch {
	case strings.ContainsAny(value, "`$") || mark.Has(value) && firstByte(value, mark.Unknown) >= 0:
		m.escape("make " + a)
	case name == "SHELL" || name == ".SHELLFLAGS" || name == "MAKEFLAGS" || name == "MAKE" || name == "MAKEFILES":
		m.escape("make " + a)
	case strings.ContainsAny(value, ";|&") || namesShell(value) || strings.Contains(value, "-fplugin") || strings.Contains(value, "-wrapper") || strings.Contains(value, "-specs"):
		m.escape("make " + a)
	case installsTo(name) && reachesOut(value):
		m.write(value, effect.OpCreate)
	default:
		m.givenArgs([]string{name + "=" + value})
	}
}

// installsTo says whether a variable says where a build installs to (GNU Coding
// Standards, "Variables for Installation Directories" and "DESTDIR"). Not inlined, for the size of programs.
//
//go:noinline
func installsTo(name string) bool {
	switch name {
	case "DESTDIR", "PREFIX", "prefix", "exec_prefix", "bindir", "sbindir", "libdir", "sysconfdir", "datadir", "INSTALL_ROOT", "BINDIR", "LIBDIR":
		return true
	}
	return false
}

// journalOptions are those of journalctl(1) that do more than choose what is
// shown, and cursor, which begins like one of them.
var journalOptions = getopt{
	valued: "iD", attached: "bcgnoptuFMSTU", // values apart are looked at as options too: not all versions have all letters
	longs: "vacuum-files= vacuum-size= vacuum-time= rotate flush relinquish-var smart-relinquish-var setup-keys file= directory= root= image= cursor cursor-file= help no-pager version",
}
