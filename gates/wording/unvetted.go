package wording

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// This file words runs of files that nobody vetted: how they came to be, and what in them is
// asked about, on which line.

// runs words files that run though nobody vetted what they hold.
func (s *subject) runs() []clause {
	return s.each(func(e *gates.Effect) clause {
		file := where(s.c, e.Resource)
		if !path.IsAbs(e.Resource) {
			file = s.shownCall(e)
		}
		x := clause{note: able, weight: byZone(e)}
		loaded := ""
		if s.c != nil {
			loaded = s.loaded(e.Resource)
		}
		uses := s.uses(e)
		if uses == "" && loaded == "" {
			if what, note := s.inFile(e); what != "" {
				uses, x.note = what, note
			}
		}
		if uses == "" && loaded != "" {
			for _, f := range s.c.Loads() {
				if uses = s.doubted(f); uses != "" {
					break
				}
			}
		}
		uses = or(uses, "gbt cannot follow")
		switch {
		case loaded != "":
			x.what = "runs " + file + " with what it loads: " + loaded + ", which this session wrote or changed and " + uses
		case !path.IsAbs(e.Resource):
			x.what = "runs " + file + " on code that this session downloaded or wrote and " + uses
			if r := s.runOf(e); r != nil && r.Contained {
				x.what = "runs " + file + " in a container, with what this session downloaded or wrote if its files are mounted there: " + uses
				if uses == "gbt cannot follow" {
					x.what = "runs " + file + " in a container, with code that this session downloaded or wrote and gbt cannot follow if it is mounted there"
				}
				x.note, x.weight = "; gbt cannot see what it does in there", min(x.weight, 1)
			}
		default:
			x.what = "runs " + file + ", which this session " + s.came(e.Resource) + " and " + uses
		}
		return x
	})
}

// came says how a file that nobody vetted came to be what it is.
func (s *subject) came(file string) string {
	if s.c == nil {
		return "downloaded or changed"
	}
	i := slices.IndexFunc(s.c.Flow.Made, func(m gates.Made) bool { return m.Path == file })
	switch {
	case i >= 0 && s.c.Flow.Made[i].Known:
		return "wrote"
	case i >= 0 && !slices.Contains(s.c.Flow.Unvetted, "project:"+file):
		return "changed"
	}
	return "downloaded or changed"
}

// doubted words the first line of a file that gbt objects to; empty where none is known.
func (s *subject) doubted(file string) string {
	if line, what := s.c.FirstDoubt(file); line > 0 {
		return "whose line " + strconv.Itoa(line) + " " + what
	}
	return ""
}

// inFile says the worst of what a file does that gbt would ask about by itself, with what a
// person should know about that; empty where nothing of it is known.
func (s *subject) inFile(e *gates.Effect) (what, note string) {
	if s.c == nil {
		return "", ""
	}
	if doubt := s.doubted(e.Resource); doubt != "" {
		return doubt, able
	}
	script, d := s.c.AsCall(e.Resource)
	if script == nil {
		return "", ""
	}
	list := clauses(script, d)
	if len(list) == 0 {
		return "", ""
	}
	what = list[0].what
	if lang, rest, ok := strings.Cut(what, " code in this call that "); ok && strings.HasPrefix(lang, "runs ") {
		what = rest
	}
	what = strings.ReplaceAll(what, " in this call", "")
	if len(list) > 1 {
		what += ", and more"
	}
	if line := lineOfRule(script, d, list[0].rule); line > 0 {
		return "whose line " + strconv.Itoa(line) + " " + what, list[0].note
	}
	return "a part of which " + what, list[0].note
}

// lineOfRule is the line of a script's text in which what a rule objects to stands, 0 where that is
// not plain.
func lineOfRule(script *gates.Context, d *gates.Decision, rule string) int {
	for _, r := range d.Reasons {
		if r.Rule == rule && r.Effect >= 0 && r.Effect < len(script.Effects) {
			text, ahead := script.Command, 0
			if _, code, ok := strings.Cut(text, " - <<'"); ok { // the first line starts the interpreter
				text, ahead = code, 1
			}
			return max(gates.LineOf(text, &script.Effects[r.Effect])-ahead, 0)
		}
	}
	return 0
}

// harms words a run that does harm by a file of the project, whoever wrote that.
func (s *subject) harms() []clause {
	return s.each(func(e *gates.Effect) clause {
		x := clause{what: "runs " + s.shownCall(e) + ", which does harm outside the project by a file of it", note: able, weight: 3,
			instead: "Say what that file does, and ask for this run."}
		if s.c == nil {
			return x
		}
		file, script, d := s.c.Harm()
		if file == "" {
			return x
		}
		x.what = "runs " + s.shownCall(e) + ", which by " + where(s.c, file) + " does harm outside the project"
		if script != nil {
			if list := clauses(script, d); len(list) > 0 {
				x.what, x.note = "runs "+s.shownCall(e)+", which by "+where(s.c, file)+" "+strings.ReplaceAll(list[0].what, " in this call", ""), list[0].note
			}
		}
		return x
	})
}
