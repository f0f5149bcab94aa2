package wording

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// clause is one thing that happens, and what a rule says about it.
type clause struct {
	rule    string
	what    string // begins with a verb: "deletes a.txt"
	note    string // what a person should know about it, with what stands between; may be empty
	instead string // a sentence for the model
	weight  uint8  // how bad it is
	strict  gates.Disposition
	own     bool   // what is a sentence of whoever wrote the rule
	base    string // of a connection: what, without what a rule adds to it
}

// subject is what the clauses of one rule are about.
type subject struct {
	c       *gates.Context // nil where nobody knows it
	d       *gates.Decision
	rule    string
	effects []*gates.Effect
	lines   []command // of the command line, if the call has one
}

// clauses are what a decision objects to, the strictest first and then the worst: one for
// each thing that a rule objects to, however often it does.
func clauses(c *gates.Context, d *gates.Decision) []clause {
	var out []clause
	done := map[string]bool{}
	s := subject{c: c, d: d, lines: commandsOf(c)}
	for _, r := range strictestFirst(d.Reasons) {
		if r.Effect < 0 || r.Effect >= len(d.Effects) {
			x := written(&r)
			x.strict = r.Disposition
			out = append(out, x)
			continue
		}
		if done[r.Rule] {
			continue
		}
		done[r.Rule] = true
		s.rule, s.effects = r.Rule, effectsOf(d, r.Rule)
		list := s.clauses()
		for i := range list {
			if list[i].strict = r.Disposition; strings.HasPrefix(r.Rule, "flow/") || strings.HasPrefix(r.Rule, "content/") {
				list[i].weight += flows
			}
		}
		if dir := s.scratch(); dir != "" {
			for i := range list {
				list[i].what = strings.ReplaceAll(list[i].what, "your uncommitted changes", "uncommitted changes in "+dir+" (outside the workspace)")
				list[i].what = strings.ReplaceAll(list[i].what, "in this clone", "in the clone "+dir+" (outside the workspace)")
			}
		}
		out = append(out, list...)
	}
	weighs := !slices.ContainsFunc(out, func(x clause) bool { return x.own }) // nobody can weigh those
	slices.SortStableFunc(out, func(a, b clause) int {
		if a.strict != b.strict || !weighs {
			return int(a.strict) - int(b.strict)
		}
		return int(b.weight) - int(a.weight)
	})
	return placed(c, distinct(out))
}

// flows is how much worse something is because of what the session did before.
const flows = 10

// scratch is the directory outside the workspace in which all that a rule objects to runs;
// empty where that is not so.
func (s *subject) scratch() string {
	if s.c == nil {
		return ""
	}
	dir, places := "", s.c.Places()
	for _, e := range s.effects {
		i := slices.IndexFunc(s.d.Effects, func(x gates.Effect) bool { return x == *e })
		run := slices.IndexFunc(s.c.Runs(), func(r effect.Run) bool { return slices.Contains(r.Effects, i) })
		if run < 0 || !path.IsAbs(s.c.Runs()[run].Cwd) {
			return ""
		}
		at := s.c.Runs()[run].Cwd
		if z, _, _ := places.Where(at); z == effect.ZoneWorkspace || z == effect.ZoneUnknown || z == effect.ZoneCaller || dir != "" && dir != at {
			return ""
		}
		dir = at
	}
	if dir == "" {
		return ""
	}
	return where(s.c, dir)
}

// strictestFirst sorts reasons that somebody added at the end.
func strictestFirst(list []gates.Reason) []gates.Reason {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b gates.Reason) int { return int(a.Disposition) - int(b.Disposition) })
	return list
}

// distinct leaves out what was said before, and that something is sent or fetched where
// another rule says so with what is worse about it.
func distinct(list []clause) []clause {
	var out []clause
	for i := range list {
		x := &list[i]
		said := slices.ContainsFunc(out, func(y clause) bool { return x.what == y.what })
		worse := (x.rule == "egress/send" || x.rule == "egress/fetch") && x.base != "" && slices.ContainsFunc(list, func(y clause) bool {
			return x.base == y.base && (strings.HasPrefix(y.rule, "flow/") || y.rule == "content/unasked")
		})
		if !said && !worse {
			out = append(out, *x)
		}
	}
	return out
}

// written is a reason about the whole call, in the words of whoever wrote the rule.
func written(r *gates.Reason) clause {
	text := strings.TrimSuffix(strings.TrimSpace(clean(r.Message)), ".")
	if text == "" {
		text = "The rule " + clean(r.Rule) + " stops it"
	}
	return clause{rule: r.Rule, what: text, own: true}
}

func effectsOf(d *gates.Decision, rule string) []*gates.Effect {
	var out []*gates.Effect
	for i := range d.Reasons {
		if r := &d.Reasons[i]; r.Rule == rule && r.Effect >= 0 && r.Effect < len(d.Effects) {
			out = append(out, &d.Effects[r.Effect])
		}
	}
	return out
}

// clauses words the effects that one rule objects to, the worst first.
func (s *subject) clauses() []clause {
	out := s.worded()
	if len(out) > 0 && !strings.Contains(out[0].what+out[0].note, "a key") && s.keyed() {
		out[0].what += "; there is something like a password or a key in this call"
		out[0].weight += 3
	}
	for i := range out {
		x := &out[i]
		x.rule = s.rule
		if x.instead == "" {
			x.instead = gates.Instead(s.rule)
		}
	}
	slices.SortStableFunc(out, func(a, b clause) int { return int(b.weight) - int(a.weight) })
	return out
}

func (s *subject) worded() []clause {
	family, kind, _ := strings.Cut(s.rule, "/")
	switch family {
	case "workspace":
		switch kind {
		case "read", "list":
			return s.reads()
		case "delete":
			return s.deletes()
		case "discard":
			return s.discards()
		case "move":
			return s.takes()
		case "overwrite":
			return s.replaces()
		}
		return s.writes()
	case "protected":
		if kind == "delete" {
			return s.deletes()
		}
		return s.writes()
	case "sensitive":
		return s.secrets()
	case "egress", "content", "flow":
		switch kind {
		case "unvetted":
			return s.runs()
		case "harmful":
			return s.harms()
		case "turned":
			return s.goneBy()
		}
		return s.connects()
	case "spawn":
		return s.starts()
	case "record":
		return s.records()
	}
	return s.unclear()
}

// each words one effect after the other and leaves out what was said.
func (s *subject) each(word func(e *gates.Effect) clause) []clause {
	var out []clause
	for _, e := range s.effects {
		x := word(e)
		if !slices.ContainsFunc(out, func(y clause) bool { return y.what == x.what }) {
			out = append(out, x)
		}
	}
	return out
}

// byZone is how bad it is to change something there: what the workspace holds is looked
// after, what lies elsewhere is the person's own.
func byZone(e *gates.Effect) uint8 {
	switch e.Zone {
	case effect.ZoneTemp:
		return 0
	case effect.ZoneWorkspace, effect.ZoneRecord, effect.ZoneStream, effect.ZoneKept:
		return 1
	}
	return 3
}
