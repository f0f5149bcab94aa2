package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about secrets that are read among all files of a directory, where no word of
// a line names them: by a search that goes through it, or by what is given a list of all its
// files. What the host sees there tells whether there are any, and whether they are shown.

// Bounds of what is looked at for one call: names, and secrets that are told of.
const (
	maxWholesale = 5000
	maxToldOf    = 4
)

// wholesale adds reads of secrets to the effects of a call that shows something of them.
func (c *Context) wholesale() {
	if c.names == nil || c.text == nil {
		return
	}
	left := maxWholesale
	c.showsSecrets(nil, c.toolShows(&left))
	if c.installed != nil {
		c.installed.tool(c, &left)
	}
	if !slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		return len(r.Words) > 0 && (looksThrough(path.Base(r.Words[0])) || c.installed != nil && copies(path.Base(r.Words[0]))) || c.readsSome(&r)
	}) {
		return
	}
	var listed []string    // secrets among the names that stand in the line's pipe or list
	var told []string      // and among all names that the line has listed so far
	var lister *effect.Run // the run that listed last
	taken := carried{c: c, left: &left}
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Words) == 0 {
			continue
		}
		words := r.Words
		grep, tracked := asGrep(words)
		if grep != nil {
			words = grep
		}
		search, searches := shell.SearchOf(words)
		var shown []string
		if path.Base(words[0]) == "diff" {
			shown = c.diffShows(r, &left)
		}
		switch l, lists := shell.Lists(r.Words); {
		case lists:
			listed = c.secretsListed(r, &l, &left)
			told, lister = append(told, listed...), r
		case searches && search.Walks:
			shown = append(shown, c.searchShows(r, &search, tracked, &left)...)
		case len(listed) > 0 && searches && len(search.Operands) == 0:
			left := func(s string) bool { return isAmong(listed, s) && !search.Picks(s) }
			told = slices.DeleteFunc(slices.Clone(told), left)
			listed = slices.DeleteFunc(slices.Clone(listed), left)
		case c.readsListed(r) && !tellsNone(path.Base(r.Words[0])):
			shown = c.shownOf(r, c.namesGiven(r, listed, told, &left))
		}
		shown = append(shown, c.patternShows(r, &left)...)
		if c.installed != nil {
			shown = c.installed.shows(c, shown, r, lister, listed, &left)
		}
		shown = append(shown, c.shownOf(r, taken.note(r))...)
		if packs(path.Base(r.Words[0])) && !c.writesFile(r) {
			for _, i := range r.Effects {
				if e := &c.Effects[i]; e.Kind == effect.Read && exact(e.Resource) {
					shown = append(shown, c.secretsBelow(e.Resource, true, &left)...)
				}
			}
		}
		if len(shown) > 0 {
			c.runs = slices.Clone(c.runs)
			c.showsSecrets(&c.runs[k], shown)
		}
	}
}

// showsSecrets adds reads of secrets to the effects of a call, and to those of a run of its, if
// there is one.
func (c *Context) showsSecrets(r *effect.Run, shown []string) {
	if len(shown) == 0 {
		return
	}
	c.Effects = slices.Clone(c.Effects)
	for _, s := range shown[:min(len(shown), maxToldOf)] {
		z, _, _ := c.places.Where(s)
		e := Effect{Kind: effect.Read, Op: effect.OpRead, Zone: z, Sensitive: true, Resource: s}
		if r != nil {
			e.Program = path.Base(r.Words[0])
			r.Effects = append(slices.Clip(r.Effects), len(c.Effects))
		}
		c.Effects = append(c.Effects, e)
	}
}

// looksThrough says whether a program may go through all files of a directory.
func looksThrough(program string) bool {
	switch program {
	case "diff", "git", "grep", "egrep", "fgrep", "ggrep", "rg", "ag", "find", "gfind", "fd", "fdfind", "ls", "gls":
		return true
	}
	return packs(program)
}

// packs says whether a program makes an archive, which may be its output. Not inlined, for the size of programs.
//
//go:noinline
func packs(program string) bool {
	switch program {
	case "tar", "gtar", "bsdtar", "zip", "cpio":
		return true
	}
	return false
}

// writesFile says whether a run writes a file. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) writesFile(r *effect.Run) bool {
	return slices.ContainsFunc(r.Effects, func(i int) bool {
		e := &c.Effects[i]
		return e.Kind == effect.Write && e.Zone != effect.ZoneStream
	})
}

func operandsOr(list []string, other string) []string {
	if len(list) == 0 {
		return []string{other}
	}
	return list
}

// readsListed says whether a run reads files whose names only a list tells. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) readsListed(r *effect.Run) bool {
	return slices.ContainsFunc(r.Effects, func(i int) bool {
		e := &c.Effects[i]
		return e.Kind == effect.Read && strings.HasPrefix(e.Resource, "…")
	})
}

// tellsNone says whether a program prints nothing of what its files hold but numbers and
// digests (the manuals of the coreutils, file(1)).
func tellsNone(program string) bool {
	switch program {
	case "wc", "file", "stat", "du", "ls", "cksum", "sum", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "shasum", "md5", "touch", "chmod", "basename", "dirname":
		return true
	}
	return false
}

// withoutMarks are the words of a run that were there before a list gave it names.
func withoutMarks(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w != "" && w[0] < ' ' || firstByte(w, mark.Inside) >= 0 })
}

// secretsBelow are the files with the names of secrets in a directory, and below it where the
// search goes down; not among installed packages and in git's own directory.
func (c *Context) secretsBelow(dir string, deep bool, left *int) []string {
	var out []string
	w := walk{list: c.names, left: left, visit: func(dir, base string, isDir bool) course {
		switch {
		case isDir && deep && !apart(dir, base):
			return into
		case isDir && deep && base == ".git" && c.installed != nil:
			out = c.installed.logins(c, dir, out)
		case !isDir && c.secretAt(path.Join(dir, base)):
			out = append(out, path.Join(dir, base))
		}
		return next
	}}
	w.below(dir)
	return out
}
