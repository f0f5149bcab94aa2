package shell

import (
	"fmt"
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file compares what a script did with what the reader foresaw.

// foreseen is what the reader says of a script.
type foreseen struct {
	does   Does
	places effect.Places
	asks   bool // something in it makes the guard ask, whatever the rest is
}

// foresee reads a script as a host that sees the files which lie there.
func foresee(s *script) foreseen {
	there := map[string]bool{}
	for _, f := range workFiles {
		for full := s.root + "/" + f; len(full) >= len(s.root); full = path.Dir(full) {
			there[full] = true
		}
	}
	p := effect.Places{Cwd: s.root + "/w", Home: s.root + "/h", There: func(full string) bool { return there[full] }}.Normal()
	line := s.line
	if s.shell == "sh" {
		line = "sh -c '" + strings.ReplaceAll(line, "'", `'\''`) + "'"
	}
	f := foreseen{does: Parse(line).Resolve(&p), places: p}
	f.asks = f.why() != ""
	return f
}

// why is the first thing for which the guard asks whatever the rest is. Programs that nobody knows, and
// what other shells would do, are asked about as well, but hide nothing.
func (f *foreseen) why() string {
	for _, e := range f.does.Effects {
		if e.Kind == effect.Opaque && !strings.HasPrefix(e.Resource, "fish ") && !strings.HasPrefix(e.Resource, "zsh ") || e.Op == effect.OpEscape && !strings.Contains("X= Y= Z= ", e.Resource[:min(2, len(e.Resource))]) {
			return e.Op.String() + ": " + e.Resource
		}
	}
	return ""
}

// missed is what a script did that the reader did not foresee. Where it asks by itself, nothing is.
func (f *foreseen) missed(s *script) (list []string) {
	if f.asks {
		return nil
	}
	made := map[string]bool{}
	for _, r := range s.ran {
		made[r.file] = true
	}
	for _, r := range s.ran {
		if r.argv == nil {
			if !f.touches(effect.Write, r.file) {
				list = append(list, r.String())
			}
			continue
		}
		for _, what := range f.missing(r, made) {
			list = append(list, fmt.Sprintf("%s (%s)", r, what))
		}
	}
	return list
}

// missing is what a program did that was not foreseen.
func (f *foreseen) missing(r ran, made map[string]bool) (list []string) {
	kind := effect.Read
	switch r.argv[0] {
	case "rm":
		kind = effect.Delete
	case "cat":
	case "touch", "mkdir":
		kind = effect.Write
	case "ranfile":
		if !f.runsFile(r.argv[1]) {
			return []string{"run " + r.argv[1]}
		}
		return nil
	case "curl":
		kind = effect.Network
	case "git":
		if !f.runs(r) {
			return []string{"no such run"}
		}
		return nil
	default:
		return nil
	}
	for _, w := range r.argv[1:] {
		switch full := f.places.Resolve(r.cwd, w); {
		case strings.HasPrefix(w, "-") || w == "" || strings.HasPrefix(full, "/dev/") || strings.HasPrefix(full, "/proc/"):
		case kind == effect.Network:
			if !f.asksFor(w) {
				list = append(list, w)
			}
		case !f.touches(kind, full) && !(made[full] && f.touches(effect.Write, full)): // it may remove what it has made
			list = append(list, full)
		}
	}
	return list
}

// touches says whether an effect is on that path, on any, or on one that counts for the same.
func (f *foreseen) touches(kind effect.Kind, full string) bool {
	z, sens, prot := f.places.Where(full)
	for i := range f.does.Effects {
		e := &f.does.Effects[i]
		if e.Kind != kind && !(kind == effect.Delete && e.Kind == effect.Write) { // what the script made itself, it may remove
			continue
		}
		switch {
		case e.Resource == full, e.Zone == effect.ZoneUnknown, e.Zone == effect.ZoneCaller && kind != effect.Read:
			return true
		case e.Kind != kind:
		case e.Op == effect.OpRemoveTree && mark.Under(full, e.Resource):
			return true
		case e.Zone == effect.ZoneWorkspace && z == e.Zone && (!sens || e.Sensitive) && (!prot || e.Protected): // which one of the workspace's is the same to the guard
			return true
		case e.Protected && kind != effect.Read && (e.Glob || e.Zone == z && z != effect.ZoneWorkspace): // about which the guard asks, whatever it is
			return true
		case e.Glob && (e.Zone == z || e.Protected) && pathLike(e.Resource, full):
			return true
		}
	}
	return false
}

// pathLike says whether a path may be what a resource with dots for what is not known stands for.
func pathLike(resource, full string) bool {
	pattern := strings.NewReplacer("…", "\x00", "*", "\x02", "?", "\x03").Replace(resource)
	return mark.Match(pattern, full) || resource == full
}

func (f *foreseen) asksFor(url string) bool {
	for i := range f.does.Effects {
		if e := &f.does.Effects[i]; e.Kind == effect.Network && (e.Resource == url || strings.Contains(e.Resource, "…")) {
			return true
		}
	}
	return false
}

func (f *foreseen) runsFile(full string) bool {
	for i := range f.does.Effects {
		e := &f.does.Effects[i]
		if e.Kind == effect.Spawn && e.Op == effect.OpRunFile && (e.Resource == full || e.Zone == effect.ZoneUnknown || strings.Contains(e.Resource, "…") && pathLike(e.Resource, full)) {
			return true
		}
	}
	return false
}

// runs says whether a program is among those that the reader lists, with its words and where it is.
func (f *foreseen) runs(r ran) bool {
	for i := range f.does.Runs {
		run := &f.does.Runs[i]
		if len(run.Words) == 0 || path.Base(run.Words[0]) != r.argv[0] {
			continue
		}
		all, may := true, false
		for k, w := range run.Words {
			may = may || strings.IndexByte(w, mark.Unknown) >= 0 || w == string(rune(mark.Caller)) // which may be no word at all
			all = all && (may || k < len(r.argv) && (r.argv[k] == "" || mark.Match(w, r.argv[k])))
		}
		if all && (may || len(run.Words) == len(r.argv)) {
			return true
		}
	}
	return false
}

// exact says whether all that the reader foresaw was done.
func (f *foreseen) exact(s *script) bool {
	if f.asks {
		return false
	}
	did := map[string]bool{}
	for _, r := range s.ran {
		did[r.file] = true
		for _, w := range r.argv {
			did[f.places.Resolve(r.cwd, w)], did[w] = true, true
		}
	}
	for i := range f.does.Effects {
		e := &f.does.Effects[i]
		if e.Kind == effect.Delete && !did[e.Resource] {
			return false
		}
	}
	return true
}
