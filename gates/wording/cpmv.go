package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file says which files a copy or a move takes to the place that a question is about.

// copiedInto is what a run copies into the directory that an effect names, which a slash at its end
// shows (cp(1), rsync(1), install(1)); empty for another effect.
func (s *subject) copiedInto(e *gates.Effect) string {
	r := s.runOf(e)
	if r == nil || !slices.Contains([]string{"cp", "rsync", "install"}, e.Program) || !strings.HasSuffix(r.Words[len(r.Words)-1], "/") || s.resolved(r.Words[len(r.Words)-1]) != e.Resource {
		return ""
	}
	var from []*gates.Effect
	for _, f := range s.beside(e) {
		if f.Kind == effect.Read && f.Resource != "" {
			from = append(from, f)
		}
	}
	if len(from) == 0 { // they come from another machine
		return ""
	}
	return s.files(from)
}

// moved are the files that the run of a move takes from elsewhere.
func (s *subject) moved(e *gates.Effect) string {
	var from []*gates.Effect
	for _, f := range s.beside(e) {
		if f.Op == effect.OpMove && f != e && f.Resource != e.Resource && !strings.HasPrefix(f.Resource, e.Resource+"/") {
			from = append(from, f)
		}
	}
	if len(from) == 0 || slices.ContainsFunc(from, func(f *gates.Effect) bool { return slices.Contains(s.effects, f) }) {
		return "files"
	}
	return s.files(from)
}
