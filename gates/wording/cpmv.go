package wording

import (
	"path"
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

// unpacksInto begins what an unpacker does in a directory.
const unpacksInto = "unpacks an archive into "

// unpacks says whether a write stands for what an archive holds (internal/gates/shell, unpack.go).
func (s *subject) unpacks(e *gates.Effect) bool {
	r := s.runOf(e)
	return r != nil && path.Base(e.Resource) == "unpacked" && !slices.ContainsFunc(r.Words, func(w string) bool { return strings.HasSuffix(w, "unpacked") })
}

// unpacked words such writes by their directories.
func (s *subject) unpacked(list []*gates.Effect) []clause {
	var dirs []*gates.Effect
	note := ""
	for _, e := range list {
		dir := *e
		dir.Resource = path.Dir(e.Resource)
		if !s.c.IsNew(dir.Resource) {
			note = "; files of the same names that are there now are replaced, and gbt keeps no copy"
		}
		dirs = append(dirs, &dir)
	}
	return []clause{{what: unpacksInto + s.files(dirs) + placeOf(list[0].Zone), note: note, weight: byZone(list[0]) + 1}}
}

// replacesMoved says whether a move puts a file in the place of one that is there.
func (s *subject) replacesMoved(e *gates.Effect) bool {
	return s.c != nil && e.Op == effect.OpMove && s.c.IsFile(e.Resource) && !slices.ContainsFunc(s.d.Effects, func(f gates.Effect) bool { return f.Kind == effect.Delete && f.Resource == e.Resource })
}
