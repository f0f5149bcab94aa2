package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// goneBy words calls that go by what the session itself changed: where they connect to, or
// what they start.
func (s *subject) goneBy() []clause {
	var connect []*gates.Effect
	var out []clause
	for _, e := range s.effects {
		if e.Kind == effect.Network && !s.byClient(e) {
			connect = append(connect, e)
			continue
		}
		out = append(out, clause{what: "runs " + s.alike(e) + ", " + s.changes(e), note: "; it can do whatever you can", weight: 2})
	}
	if len(connect) > 0 {
		part := *s
		part.effects = connect
		list := part.connects()
		for i := range list {
			list[i].note = strings.TrimSuffix(strings.TrimSuffix(list[i].note, "; nothing of yours is sent"), "; sends a request and no files")
		}
		out = append(list, out...)
	}
	return unique(out)
}

// alike names what goes by the same change as an effect: one question stands for all of the
// call that runs code which the session brought in, and the last of it may be what matters.
func (s *subject) alike(e *gates.Effect) string {
	list := []string{words(argvOf(e), 3)}
	if s.c == nil {
		return list[0]
	}
	own := s.indexOf(e)
	by := s.c.Turned(own)
	if len(by) == 0 || by[0][0] != "code" && by[0][0] != "over" {
		return list[0]
	}
	for i := range s.d.Effects {
		if i == own || !slices.Equal(s.c.Turned(i), by) {
			continue
		}
		if x := words(argvOf(&s.d.Effects[i]), 3); !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return join(list)
}

// byClient says whether what was changed is a client's own settings.
func (s *subject) byClient(e *gates.Effect) bool {
	if s.c == nil {
		return false
	}
	list := s.c.Turned(s.indexOf(e))
	return len(list) > 0 && strings.HasPrefix(list[0][0], "client")
}

func (s *subject) indexOf(e *gates.Effect) int {
	return slices.IndexFunc(s.d.Effects, func(x gates.Effect) bool { return x == *e })
}

func argvOf(e *gates.Effect) string {
	if e.Argv != "" {
		return e.Argv
	}
	if e.Program != "" {
		return e.Program
	}
	return e.Resource
}

// changes says what of that which an effect goes by was changed.
func (s *subject) changes(e *gates.Effect) string {
	if s.c == nil {
		return "which goes by what this session changed"
	}
	var list []string
	kind := ""
	for _, t := range s.c.Turned(s.indexOf(e)) {
		if kind == "" {
			kind = t[0]
		}
		what := name(t[1])
		if kind == "names" {
			what = where(s.c, t[1])
			if t[2] != "" {
				what += ": " + name(t[2])
			}
		} else if kind == "code" || kind == "over" {
			what = name(t[2])
		} else if t[2] != "" && kind != "config" && kind != "dotgit" {
			what += " = " + name(t[2])
		}
		if !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	return kindOfChange(kind) + " (" + shorten(strings.Join(list, ", "), 2*maxObject) + ")"
}

// kindOfChange says what a kind of change does to a call.
func kindOfChange(kind string) string {
	kind, _, _ = strings.Cut(kind, ":")
	switch kind {
	case "send", "fetch":
		return "after this session changed where that leads or what runs on the way"
	case "git":
		return "which now starts what this session set"
	case "hook":
		return "which now starts hooks that this session changed"
	case "names":
		return "which brings in dependencies that this session wrote or changed"
	case "client":
		return "which goes by settings that this session changed"
	case "config":
		return "where the repository's own configuration may start programs"
	case "code":
		return "with code of another branch or of a pull request, which this session brought in"
	case "over":
		return "with files of somebody else's, which this session unpacked or copied over the workspace"
	case "dotgit":
		return "where settings or hooks of the repository are others since files were unpacked or copied over it"
	}
	return "which goes by what this session changed"
}
