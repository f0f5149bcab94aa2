package gates

import (
	"cmp"
	"slices"
	"strings"
)

// maxReasons bounds the reasons kept: the worst ones. The strictest disposition
// always counts.
const maxReasons = 16

// Object adds a reason in its place: the strictest come first, and of equally
// strict ones those about what can't be undone and leaves the machine. People read
// the first line of a question, and nothing that an agent adds to a call may push
// the worst of it down or out. It changes no disposition.
func (d *Decision) Object(r Reason) {
	if i := d.place(&r); i < maxReasons {
		d.Reasons = slices.Insert(d.Reasons, i, r)
		d.Reasons = d.Reasons[:min(len(d.Reasons), maxReasons)]
	}
}

// place is where a reason belongs; at maxReasons it is not kept.
func (d *Decision) place(r *Reason) int {
	i := len(d.Reasons)
	for i > 0 && worse(r, &d.Reasons[i-1]) {
		i--
	}
	return i
}

func worse(a, b *Reason) bool {
	return cmp.Or(cmp.Compare(a.Disposition, b.Disposition), cmp.Compare(harm(a.Rule), harm(b.Rule))) < 0
}

// harm orders the guardrail's rules by what is left to do once it has happened,
// from nothing to everything: what has left cannot be called back, what is deleted
// may have a copy, what is read has harmed nobody yet.
func harm(rule string) int {
	switch rule {
	case "flow/remote-shell", "flow/exfiltration":
		return 0
	case "egress/send", "content/unasked", "flow/secret", "flow/turned", "flow/harmful":
		return 1
	case "protected/delete", "protected/device":
		return 2
	case "workspace/delete", "workspace/discard", "workspace/overwrite":
		return 3
	case "record/write":
		return 4
	case "protected/write", "spawn/setting", "egress/listen":
		return 5
	case "flow/unvetted", "spawn/escape", "spawn/denied", "spawn/guard":
		return 6
	case "workspace/move", "workspace/write", "spawn/signal":
		return 8
	case "sensitive/read":
		return 11
	case "egress/fetch":
		return 12
	case "workspace/read":
		return 13
	case "workspace/list", "spawn/interactive":
		return 14
	}
	switch {
	case strings.HasPrefix(rule, "gate/"), strings.HasPrefix(rule, "content/"):
		return 7 // somebody was harmed by a call like it
	case strings.HasPrefix(rule, "spawn/"):
		return 9 // what it does is not known, but that it runs is
	}
	return 10
}
