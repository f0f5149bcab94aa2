package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says what was there before the session and is as it was: programs that a
// package manager installed for the workspace, and the lock files that pin them. What the
// session made, changed or brought there is its own word and proves nothing.

// settled is effect.Places.Settled, nil where the host does not look.
func (s *State) settled() func(path string) bool {
	if s.Exists == nil {
		return nil
	}
	exists, flow := s.Exists, s.Flow
	return func(path string) bool { return exact(path) && !flow.touched(path) && exists(path) }
}

// settledText is effect.Places.SettledText, nil where the host does not look.
func (s *State) settledText() func(path string) string {
	if s.Text == nil {
		return nil
	}
	read, flow := s.Text, s.Flow
	return func(path string) string {
		if !exact(path) || flow.touched(path) {
			return ""
		}
		text, _ := read(path)
		return text
	}
}

// textOf is effect.Places.TextOf, nil where the host does not look.
func (s *State) textOf() func(path string) (string, bool) {
	if s.Text == nil {
		return nil
	}
	read := s.Text
	return func(path string) (string, bool) {
		if !exact(path) {
			return "", false
		}
		return read(path)
	}
}

// namesBelow is effect.Places.NamesBelow, nil where the host does not look.
func (s *State) namesBelow() func(dir, characters string) bool {
	if s.Names == nil {
		return nil
	}
	list := s.Names
	return func(dir, characters string) bool {
		left := maxWholesale
		w := walk{list: list, left: &left, whole: true, visit: func(dir, base string, deep bool) course {
			switch {
			case !effect.PlainName(base, characters):
				return found
			case deep && !apart(dir, base):
				return into
			}
			return next
		}}
		if !exact(dir) {
			return false
		}
		odd, over := w.below(dir)
		return !odd && !over
	}
}

// touched says whether the session wrote a file, or something that it lies below, that lies
// below it, or that leads there.
func (f *Flow) touched(path string) bool {
	at := func(file string) bool { return file != "" && (mark.Under(path, file) || mark.Under(file, path)) }
	switch {
	case slices.ContainsFunc(f.Made, func(m Made) bool { return at(m.Path) }):
		return true
	case slices.ContainsFunc(f.Derived, func(d string) bool { return at(d) }):
		return true
	case slices.ContainsFunc(f.Unvetted, func(u string) bool {
		u = trimSuffix(trimPrefix(trimPrefix(u, project), fetches), "*")
		return u == "/" || at(u)
	}):
		return true
	}
	return slices.ContainsFunc(f.Own, func(own string) bool {
		if rest, ok := cutPrefix(own, changed); ok {
			own, _, _ = cutAt(rest, "\x00")
		}
		return at(trimSuffix(own, "/"))
	})
}
