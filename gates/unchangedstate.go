package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about programs whose text nobody knows: those that the session downloaded or unpacked.

// UnchangedState is a digest of what is known of such a program that an effect runs, short of its text:
// its state on disk where the host tells, and all that the session holds which nobody vetted, each with
// its state. It is empty where the file is a link or not there, and where the call does more to files
// than the run by. What calls do between two runs, MayChange says.
func UnchangedState(c *Context, e *Effect, by *effect.Run) string {
	if e.Kind != effect.Spawn || e.Op != effect.OpRunFile || !exact(e.Resource) || e.Glob {
		return ""
	}
	places := c.unvettedPlaces()
	if !slices.ContainsFunc(places, func(p string) bool { return p != "" && mark.Under(e.Resource, p) }) || slices.Contains(places, "") {
		return ""
	}
	for i := range c.Effects {
		if !slices.Contains(by.Effects, i) && c.alters(&c.Effects[i], places, e.Resource) {
			return ""
		}
	}
	sum := sha256.New()
	state := func(file string) (s string) {
		if c.stamp != nil {
			s = c.stamp(file)
		}
		io.WriteString(sum, file+"\x00"+s+"\x00")
		return s
	}
	if state(e.Resource) == "" && c.stamp != nil {
		return ""
	}
	for i, u := range c.Flow.Unvetted {
		io.WriteString(sum, u+"\x00")
		state(places[i])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// MayChange says whether a call may change what runs of such a program go by: the program, what lies
// where it was unpacked to, or a file of the workspace. Sources that were vetted are no news to a
// builder that takes what it depends on out of its manifests alone, and the program's own runs are what
// was agreed to.
func MayChange(c *Context, program string) bool {
	places := c.unvettedPlaces()
	return c.Doubt != "" || c.Elsewhere != "" || slices.Contains(places, "") ||
		slices.ContainsFunc(c.Effects, func(e Effect) bool { return c.alters(&e, places, program) }) ||
		slices.ContainsFunc(c.runs, func(r effect.Run) bool {
			return !leavesCode(&r) && c.places.Resolve(r.Cwd, r.Words[0]) != program
		})
}

// unvettedPlaces are where what nobody vetted lies, one for each entry of the flow; empty for one that
// may lie anywhere.
func (c *Context) unvettedPlaces() (places []string) {
	for _, u := range c.Flow.Unvetted {
		for _, kind := range [...]string{project, fetches, within} {
			u = trimPrefix(u, kind)
		}
		if u == "." || !exact(u) {
			u = ""
		}
		places = append(places, trimSuffix(trimSuffix(u, "/"), "/unpacked"))
	}
	return places
}

func (c *Context) alters(e *Effect, places []string, program string) bool {
	switch e.Kind {
	case effect.Read, effect.List, effect.Network, effect.Signal:
		return false
	case effect.Spawn:
		return e.Op != effect.OpRun && e.Op != effect.OpBuild && !(e.Op == effect.OpRunFile && e.Resource == program)
	case effect.Write, effect.Delete:
	default:
		return true
	}
	full := c.places.Resolve(c.Cwd, e.Resource)
	if e.Zone == effect.ZoneStream {
		return false
	}
	if !exact(full) || slices.ContainsFunc(places, func(p string) bool { return mark.Under(full, p) || mark.Under(p, full) }) || mark.Under(program, full) {
		return true
	}
	if e.Zone == effect.ZoneTemp {
		return false
	}
	return e.Kind == effect.Delete || e.Op != effect.OpCreate && e.Op != effect.OpModify || !mark.Among(builders, path.Base(program)) || !mark.Among(builtEndings, path.Ext(full))
}

// Builders that take what a build depends on out of their manifests alone, and endings of sources that they
// build (their manuals). Sorted.
const (
	builders     = "cargo cmake go gradle gradlew make meson mvn mvnw ninja"
	builtEndings = ".c .cc .cpp .cxx .go .java .kt .rs"
)
