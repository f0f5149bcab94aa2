package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file is about reading in the other projects of the workspace's owner. A file that is
// named may be read if its name tells of no secrets. Who reads a whole tree, or what a
// pattern finds, names nothing: that passes where no such file is in reach.

// ReachesSecrets says whether a read in a neighbour of the workspace reaches files whose
// names say that they hold secrets, as far as somebody looks.
func (c *Context) ReachesSecrets(e *Effect) bool {
	return c.places.Neighbour(e.Resource) && c.FindsSecrets(e)
}

// FindsSecrets says whether a read outside the workspace reaches files whose names say that they hold
// secrets, as far as somebody looks.
func (c *Context) FindsSecrets(e *Effect) bool {
	tool := e.Op == effect.OpSearch && c.Class.Family == call.FamilyFile
	if e.Kind == effect.List && !tool || tool && !c.searchesContents() {
		return false
	}
	found := sought{prints: true}
	switch {
	case tool:
		found = c.toolSearch()
	case e.Kind == effect.Read:
		found = c.searchOf(e)
	}
	if !found.prints || len(found.files) > 0 && !strings.ContainsAny(e.Resource, "*?[") {
		return c.searchesSecrets(e.Resource, found, tool || c.keepsToGit(e))
	}
	if c.holds == nil || strings.Contains(e.Resource, "…") {
		return mayBeMany(e, e.Resource)
	}
	return c.holds(e.Resource, tool || c.keepsToGit(e))
}

// searchesContents says whether a tool's search prints what files hold: one for names does
// not.
func (c *Context) searchesContents() bool {
	for i := range c.Args {
		if a := &c.Args[i]; a.Path == "output_mode" {
			return a.Value == "content"
		}
	}
	words := call.Words(c.Tool)
	if c.Tool == "Grep" {
		return false // it prints names unless it is told otherwise
	}
	return slices.ContainsFunc(words, func(w string) bool { return w == "grep" || w == "search" || w == "rg" || w == "ripgrep" }) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return strings.HasPrefix(w, "file") || w == "glob" || w == "name" || w == "names" || w == "find"
		})
}

// keepsToGit says whether a search leaves out hidden files and those that git ignores
// unless it is told otherwise (the manuals of git and ripgrep).
func (c *Context) keepsToGit(e *Effect) bool {
	if e.Program != "git" && e.Program != "rg" && e.Program != "ag" {
		return false
	}
	runs := 0
	for k := range c.runs { // an effect may be that of several
		run := &c.runs[k]
		if !slices.Contains(run.Effects, c.indexOf(e)) {
			continue
		}
		if runs++; e.Program == "git" {
			if grep, tracked := asGrep(run.Words); grep != nil && !tracked {
				return false
			}
		} else if len(run.Words) == 0 || slices.ContainsFunc(run.Words[1:], looksEverywhere) {
			return false
		}
	}
	return runs > 0 || e.Program == "git"
}

// looksEverywhere says whether a word of ripgrep's or ag's may have it look into hidden files or
// those that git ignores.
func looksEverywhere(w string) bool {
	return strings.HasPrefix(w, "--no-ignore") || w == "--hidden" || w == "--unrestricted" || w == "--follow" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w[1:], "u.L") || mark.Has(w)
}

// namesOne are programs that read the files they are given and go into no directory.
const namesOne = "awk base64 bat cat cmp column cut file head jq less more nl od sed sort tac tail tr uniq wc xxd yq"

// mayBeMany says whether a path that nobody has looked at may be a directory that is read
// with all below it, or a pattern that finds secrets.
func mayBeMany(e *Effect, what string) bool {
	if strings.ContainsAny(what, "*?[…") {
		return strings.ContainsAny(path.Dir(what), "*?[") || names.MayFind(path.Base(what))
	}
	if e.Program == "" && e.Op != effect.OpSearch || mark.Among(namesOne, e.Program) {
		return false
	}
	return path.Ext(what) == ""
}
