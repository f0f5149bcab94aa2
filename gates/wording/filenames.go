package wording

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file shows files, patterns and what is not known of them by name.

// file shows one file, pattern or what is not known.
func (s *subject) file(e *gates.Effect) string {
	switch p := e.Resource; {
	case p == unknown || p == "":
		return "files whose names are known only when it runs"
	case e.Program == "find" && (e.Glob || strings.HasPrefix(p, unknown+"/")):
		return s.found(p)
	case e.Zone == effect.ZoneWorkspace && strings.HasPrefix(p, unknown+"/") && !strings.Contains(p[len(unknown):], unknown):
		return "files of the workspace that match " + where(s.c, strings.TrimPrefix(p, unknown+"/"))
	case strings.HasPrefix(p, unknown+"/") && !strings.Contains(p[len(unknown):], unknown) && s.enters() != "":
		return where(s.c, path.Join(s.enters(), p[len(unknown):])) + " (or that of this directory, if there is no " + where(s.c, s.enters()) + ")"
	case strings.Contains(p, unknown):
		return where(s.c, p) + " (… is known only when it runs)"
	case e.Glob && e.Op == effect.OpRemoveTree && path.Base(p) != "*" && strings.Count(p, "/*/") == 1 && strings.HasSuffix(p, "/*/"+path.Base(p)):
		if dir := where(s.c, strings.TrimSuffix(p, "/*/"+path.Base(p))); dir != "the whole workspace" {
			return "files below " + dir + " that match " + quote(clean(path.Base(p)))
		}
		return "files of the workspace that match " + clean(path.Base(p))
	case e.Glob:
		return "all files that match " + where(s.c, p)
	default:
		return where(s.c, p)
	}
}

// placesUnsaid is placesOf for files of which what shows them does not say it, or why it is not known.
func (s *subject) placesUnsaid(list []*gates.Effect) string {
	if len(list) == 1 && strings.Contains(s.file(list[0]), " (") {
		return ""
	}
	return placesOf(list)
}

// goes is where a line goes to another directory.
var goes = regexp.MustCompile(`(?:^|[\s;&|({])(?:cd|pushd|popd)\s`)

// entering is the start of a line that goes to a directory for what is behind &&, and only there.
var entering = regexp.MustCompile(`^\s*cd\s+("[^"$\\` + "`" + `]+"|'[^']+'|[A-Za-z0-9_./+@-]+)\s*&&`)

// enters is the directory that the line goes to at its start, if it goes to no other: what comes
// later works there, or where the line began if there is none. Empty for none.
func (s *subject) enters() string {
	if s.c == nil || len(goes.FindAllString(s.c.Command, 2)) != 1 {
		return ""
	}
	m := entering.FindStringSubmatch(s.c.Command)
	if m == nil {
		return ""
	}
	return s.resolved(strings.Trim(m[1], `"'`))
}

// found words what find deletes or reads by itself: a directory, and behind it what stands
// for any path below, and a name.
func (s *subject) found(p string) string {
	dir, rest, _ := strings.Cut(p, "/*")
	of := ""
	if base := path.Base(p); rest != "" && base != "*" {
		of = " by the name " + quote(clean(base))
	} else if path.Base(dir) != dir && rest == "" && base != "*" {
		dir, of = path.Dir(p), " by the name "+quote(clean(base))
	}
	switch dir {
	case "":
		dir = "the whole file system"
	case unknown:
		dir = "the workspace"
	default:
		if dir = where(s.c, dir); dir == "the whole workspace" {
			dir = "the workspace"
		}
	}
	return "all that find finds in " + dir + of
}

// worstFirst puts whole trees and patterns before files.
func worstFirst(list []*gates.Effect) []*gates.Effect {
	list = slices.Clone(list)
	weight := func(e *gates.Effect) int {
		w := int(byZone(e)) * 4
		if e.Op == effect.OpRemoveTree {
			w += 2
		}
		if e.Glob {
			w++
		}
		return w
	}
	slices.SortStableFunc(list, func(a, b *gates.Effect) int { return weight(b) - weight(a) })
	return list
}

// common is the directory that holds all paths, if it is more than the root.
func common(paths []string) string {
	dir := path.Dir(paths[0])
	for _, p := range paths {
		for dir != "/" && dir != "." && !strings.HasPrefix(p, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	if dir == "/" || dir == "." {
		return ""
	}
	return dir
}
