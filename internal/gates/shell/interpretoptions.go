package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about long options of IPython that run no code by themselves: where files
// are written, and settings are loaded from.

// ipythonOptions judges the options that set what IPython's configuration may hold:
// --Class.trait=VALUE sets any of it, lines to run and extensions to load among them,
// and the short names those that follow (ipython --help-all).
func (m *machine) ipythonOptions(args []string) {
	for _, a := range args {
		body, ok := cutPrefix(a, "--")
		if !ok {
			continue
		}
		name, value, _ := cutAt(body, "=")
		switch name {
		case "config", "profile-dir", "ipython-dir", "ext", "c", "m":
			m.escape("ipython " + a)
		case "logfile", "logappend":
			m.write(value, effect.OpModify)
		default:
			if strings.Contains(name, ".") {
				m.escape("ipython " + a)
			}
		}
	}
}
