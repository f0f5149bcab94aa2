package runner

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/regions"
	"github.com/gbt-policy/gbt/replay"
)

// This file keeps calls from changing the locked parts of files (package regions). A call
// that spells out what a file will hold is judged before it runs. One that changes such a
// file in a way that only shows when it has run, runs with a way back, and is taken back.
// One that nobody saw coming is found afterwards, and ends the run.

// maxRegionFile bounds the files that are looked into for locked parts, in bytes.
const maxRegionFile = 1 << 20

// lockRegions takes the locked parts of the workspace, before anything is done.
func (r *runner) lockRegions() error {
	for _, name := range slices.Sorted(maps.Keys(r.before)) {
		if slices.ContainsFunc(r.Unlock, func(p string) bool { return unlocks(p, name) }) {
			continue
		}
		if text, ok := r.textOf(name); ok && len(text) <= maxRegionFile {
			r.regions = append(r.regions, regions.Marked(name, text)...)
		}
	}
	for _, entry := range r.Lock {
		span, ok, err := regions.ParseSpan(entry)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		span.File = path.Clean(span.File)
		text, there := r.textOf(span.File)
		if !there {
			return fmt.Errorf("the locked part %s: there is no such file of text", entry)
		}
		region, err := span.Take(text)
		if err != nil {
			return fmt.Errorf("the locked part %w", err)
		}
		r.regions = append(r.regions, region)
	}
	return nil
}

// unlocks says whether a person named a file, a folder or an ending as one that may change.
func unlocks(pattern, name string) bool {
	pattern = path.Clean(pattern)
	ok, _ := path.Match(pattern, path.Base(name)) // a pattern that is none fits nothing
	return ok || pattern == name || strings.HasPrefix(name, pattern+"/")
}

// textOf is what a file of the workspace holds now.
func (r *runner) textOf(name string) (text string, ok bool) {
	data, err := r.Env.ReadFile(name)
	return string(data), err == nil && utf8.Valid(data)
}

// regionFiles are the files that have locked parts.
func (r *runner) regionFiles() []string {
	var out []string
	for i := range r.regions {
		if name := r.regions[i].File; !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (r *runner) regionsOf(name string) []regions.Region {
	return slices.DeleteFunc(slices.Clone(r.regions), func(x regions.Region) bool { return x.File != name })
}

// brokenRegions are the locked parts that files do not have any more.
func (r *runner) brokenRegions() []regions.Region {
	var out []regions.Region
	for _, name := range r.regionFiles() {
		text, _ := r.textOf(name) // a file that is gone has none of them
		out = append(out, regions.Broken(r.regionsOf(name), text)...)
	}
	return out
}

// foresee says which locked parts a call will break, as far as it says so itself. unsure
// means that it changes a file with such parts in a way that does not show before.
func (r *runner) foresee(c *gates.Context) (broken []regions.Region, unsure bool) {
	root := c.Cwd
	if len(c.Roots) > 0 {
		root = c.Roots[0]
	}
	for _, name := range r.regionFiles() {
		full := path.Join(root, name)
		list := r.regionsOf(name)
		for i := range c.Effects {
			e := &c.Effects[i]
			if !touches(e, full) {
				continue
			}
			text, known := r.result(c, full, name)
			switch {
			case e.Kind == effect.Delete && !e.Glob:
				broken = append(broken, list...)
			case !known:
				unsure = true
			default:
				broken = append(broken, regions.Broken(list, text)...)
			}
		}
	}
	return broken, unsure
}

// touches says whether an effect may change or remove a file.
func touches(e *gates.Effect, full string) bool {
	switch {
	case e.Kind == effect.Opaque:
		return true
	case e.Kind != effect.Write && e.Kind != effect.Delete:
		return false
	case e.Glob || e.Zone == effect.ZoneUnknown:
		return true
	}
	return e.Resource == full || strings.HasPrefix(full, strings.TrimSuffix(e.Resource, "/")+"/")
}

// result is what a file will hold after a call, if the call spells it out.
func (r *runner) result(c *gates.Context, full, name string) (text string, known bool) {
	for _, w := range c.Written() {
		switch {
		case w.Path != full:
		case !w.Known || w.Net:
			return "", false
		case !w.Part:
			text, known = w.Text, true
		case w.Old == "":
			return "", false
		default:
			old, ok := r.textOf(name)
			if !ok || strings.Count(old, w.Old) != 1 {
				return "", false
			}
			text, known = strings.Replace(old, w.Old, w.Text, 1), true
		}
	}
	return text, known
}

// lockedReason is why a run ends that changed a locked part.
const lockedReason = "locked-region"

// stopsRegion says why a call that may run otherwise does not, or nothing.
func stopsRegion(broken []regions.Region) string {
	if len(broken) == 0 {
		return ""
	}
	return "This call was stopped: rejected. It would change a locked part of " + broken[0].String() + ". Leave these lines, and the marks around them, as they are."
}

// guarded executes a call. One that unsure is said of is taken back where it broke a
// locked part; where any other did, the run is over.
func (r *runner) guarded(ctx context.Context, call replay.Call, unsure bool) (replay.Result, error) {
	if len(r.regions) == 0 {
		return r.Env.Execute(ctx, call)
	}
	var at replay.Mark
	if unsure {
		var err error
		if at, err = r.Env.Checkpoint(ctx); err != nil {
			return replay.Result{}, err
		}
	}
	res, err := r.Env.Execute(ctx, call)
	if err != nil {
		return res, err
	}
	broken := r.brokenRegions()
	switch {
	case len(broken) == 0:
		return res, nil
	case unsure:
		r.Show("taken back: " + call.Tool + " " + call.Args)
		return replay.Result{Error: "This call was taken back: rejected. It changed a locked part of " + broken[0].String() + ". Leave these lines, and the marks around them, as they are."}, r.Env.Restore(ctx, at)
	}
	r.broken = broken
	return res, nil
}

// regionsEnd is the end of a run that broke a locked part; nil for none.
func (r *runner) regionsEnd() *Outcome {
	if len(r.broken) == 0 {
		return nil
	}
	out := stall(lockedReason, fmt.Errorf("a call changed a locked part of %s", r.broken[0].String()))
	return &out
}
