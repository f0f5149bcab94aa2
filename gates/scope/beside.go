package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file adds to the name of a connection what a run does beside it.

// Beside are the options that may change what the run starts, loads, reads or sends, and the files of the
// workspace that it writes over or that something loads unasked: a yes to an address says nothing of
// curl -K FILE, git clone -u COMMAND and -o package.json.
func (Naming) Beside(c *gates.Context, e *gates.Effect, by *effect.Run) (more string, ok bool) {
	if len(by.Telling) > 0 {
		more = " with " + Quote(by.Telling)
	}
	if files := filled(c, e, by); len(files) > 0 {
		more += " into " + Quote(files)
	}
	return more, class.Sent(more)&class.Credentials == 0 && len(more) <= maxExact
}

// filled are the files of the workspace that a run of a call writes which are not plain targets; where it
// fetches, those that the rest of the call writes, too: it may write there what came in.
func filled(c *gates.Context, e *gates.Effect, by *effect.Run) (files []string) {
	for k := range c.Effects {
		x := &c.Effects[k]
		if x.Kind == effect.Write && x.Zone == effect.ZoneWorkspace && !slices.Contains(files, x.Resource) && !plainTarget(c, x) && (e.Op == effect.OpFetch || slices.Contains(by.Effects, k)) {
			files = append(files, x.Resource)
		}
	}
	if program := path.Base(by.Words[0]); program == "curl" || program == "wget" {
		if _, saves, named := withoutFile(append([]string{program}, by.Words[1:]...)); saves && !named {
			_, rest, _ := takenApart(e.Resource)
			rest, _, _ = strings.Cut(rest, "?")
			places := c.Places()
			x := gates.Effect{Resource: places.Resolve(by.Cwd, path.Base(rest))} // as the address calls it
			if x.Zone, _, _ = places.Where(x.Resource); !slices.Contains(files, x.Resource) && (x.Zone != effect.ZoneWorkspace || !plainTarget(c, &x)) {
				files = append(files, x.Resource)
			}
		}
	}
	return files
}

// plainTarget says whether a file that is written is a new one, or one that the session made, by a name
// that nothing loads unasked.
func plainTarget(c *gates.Context, e *gates.Effect) bool {
	file, places := e.Resource, c.Places()
	if e.Glob || unplaced(e) || names.Guarded(file) || guarded(file) || shell.Loaded(file) != shell.NotLoaded {
		return false
	}
	own := slices.Contains(c.Flow.Unvetted, file) || slices.ContainsFunc(c.Flow.Made, func(m gates.Made) bool { return m.Path == file })
	return own || places.There == nil || !places.There(file)
}
