// Package mark is about paths and words of which only the run time knows a part:
// the marker bytes that stand for such parts, and what can still be said of a
// path that may hold them.
//
// What belongs here: questions that the text of a path or word answers. What
// never does: what a place or a name means (packages effect and names).
package mark

import "strings"

// Marker bytes stand in paths and words for parts that only the run time
// knows. They never occur in real arguments: the shell analysis treats a
// command that holds such bytes as opaque.
const (
	Unknown = '\x00' // computed, may be anything
	Caller  = '\x01' // supplied by the caller's environment
	Star    = '\x02' // an unquoted *
	One     = '\x03' // an unquoted ?
	Class   = '\x04' // the unquoted [ of a [...], whose rest follows
	Inside  = '\x05' // a path below a workspace root, from a listing
)

// Clean returns an absolute path without empty, dot and dot-dot elements. The
// element after a marker is not known, so dot-dot never removes one that holds
// a marker: the result keeps it and Zone treats the path as unknown.
func Clean(path string) string {
	var parts [64]string
	out := parts[:0]
	for path != "" {
		var elem string
		if i := strings.IndexByte(path, '/'); i >= 0 {
			elem, path = path[:i], path[i+1:]
		} else {
			elem, path = path, ""
		}
		switch {
		case elem == "" || elem == ".":
		case elem == "..":
			if len(out) > 0 && !Has(out[len(out)-1]) && out[len(out)-1] != ".." {
				out = out[:len(out)-1]
			} else if len(out) > 0 {
				out = append(out, elem)
			}
		default:
			out = append(out, elem)
		}
	}
	if len(out) == 0 {
		return "/"
	}
	return "/" + strings.Join(out, "/")
}

// Under says whether a clean path is dir or lies below it. Not inlined, for the size of programs.
//
//go:noinline
func Under(path, dir string) bool {
	if dir == "/" {
		return strings.HasPrefix(path, "/")
	}
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}

// Has says whether a word holds a marker of any kind. Not inlined, for the size of programs.
//
//go:noinline
func Has(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= Inside {
			return true
		}
	}
	return false
}

// Match says whether name can be what pattern, a word with markers, stands
// for. It runs in time len(pattern) * len(name).
func Match(pattern, name string) bool {
	px, nx := 0, 0
	starP, starN := -1, 0
	for nx < len(name) {
		if px < len(pattern) {
			switch c := pattern[px]; {
			case c == One:
				px++
				nx++
				continue
			case c == Class && strings.IndexByte(pattern[px:], ']') > 0:
				px += strings.IndexByte(pattern[px:], ']') + 1
				nx++
				continue
			case c <= Inside:
				starP, starN = px, nx
				px++
				continue
			case c == name[nx]:
				px++
				nx++
				continue
			}
		}
		if starP < 0 {
			return false
		}
		starN++
		px, nx = starP+1, starN
	}
	for px < len(pattern) && pattern[px] <= Inside && pattern[px] != One && pattern[px] != Class {
		px++
	}
	return px == len(pattern)
}
