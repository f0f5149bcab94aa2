package shell

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// journal runs journalctl(1): it opens a pager unless told not to, and some
// options remove logs.
func (m *machine) journal(args []string, want bool) data {
	if !want && len(args) == 0 {
		m.spawn(effect.OpInteractive, "journalctl")
	}
	for _, a := range args {
		if mark.Has(a) {
			m.escape("journalctl " + a)
		}
	}
	opts, _ := journalOptions.read(args)
	for _, o := range opts {
		switch o.name {
		case "vacuum-files", "vacuum-size", "vacuum-time", "rotate", "flush", "relinquish-var", "smart-relinquish-var", "setup-keys":
			m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpWipe, Zone: effect.ZoneSystem, Protected: true, Resource: "system journal"})
		case "i", "file", "D", "directory", "root", "image":
			m.escape("journalctl " + o.word)
		case "cursor-file":
			m.write(o.value, effect.OpCreate)
		}
	}
	m.spawn(effect.OpRun, "journalctl")
	return unknown
}
