package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about secrets among what package managers and version managers keep, where no word
// of a line names them. What was published everybody has; settings with logins that people put
// beside it, and addresses that clones remember, are their own.

// Installed looks for such secrets. InstalledLooker is the only one; programs that embed the runtime do
// not link it.
type Installed interface {
	shows(c *Context, out []string, r, lister *effect.Run, listed []string, left *int) []string
	logins(c *Context, dir string, out []string) []string
	tool(c *Context, left *int)
}

// InstalledLooker is State.Installed of hosts that see the file system.
func InstalledLooker() Installed { return installedLooker{} }

type installedLooker struct{}

// shows adds the secrets that a run is given by a pattern, as a whole directory that it copies or packs,
// or by a program that found them and runs it: lister, which listed some.
func (installedLooker) shows(c *Context, out []string, r, lister *effect.Run, listed []string, left *int) []string {
	program := path.Base(r.Words[0])
	if tellsNone(program) {
		return out
	}
	takes := copies(program) || packs(program)
	var given []string
	for _, i := range r.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Read || e.Sensitive || strings.Contains(e.Resource, "…") {
			continue
		}
		if e.Glob && lister != nil && lister != r && shell.Gives(lister.Words) {
			for _, s := range listed {
				if mark.Under(s, path.Dir(e.Resource)) {
					given = append(given, s)
				}
			}
		}
		if !c.ownBeside(e) {
			continue
		}
		found, all := []string{e.Resource}, true
		if e.Glob {
			found, all = c.filesOf(e.Resource, left)
		}
		if !all && (names.MayFind(path.Base(e.Resource)) || c.places.MayHoldLogin(e.Resource)) {
			given = append(given, e.Resource)
		}
		for _, s := range found {
			if c.secretAt(s) {
				given = append(given, s)
			}
			if takes {
				given = append(given, c.secretsBelow(s, true, left)...)
			}
		}
	}
	if !takes {
		given = c.shownOf(r, given)
	}
	return append(out, slices.DeleteFunc(given, c.places.Published)...)
}

// ownBeside says whether people's own files may lie where something is read outside the workspace unasked: beside
// packages, among skills, in what is installed by hand. A neighbour is judged by itself.
func (c *Context) ownBeside(e *Effect) bool {
	switch e.Zone {
	case effect.ZoneKept:
		return !c.places.Published(e.Resource) && !c.places.Neighbour(e.Resource)
	case effect.ZonePublic:
		return mark.Under(e.Resource, "/opt") && !mark.Under(e.Resource, "/opt/homebrew")
	}
	return false
}

// logins adds the settings of the clone in a directory outside the workspace where they hold the login with which it was
// fetched (git-config(1), remote.NAME.url and http.extraHeader).
func (installedLooker) logins(c *Context, dir string, out []string) []string {
	settings := path.Join(dir, ".git", "config")
	text, _ := c.text(settings)
	z, _, _ := c.places.Where(dir)
	if z != effect.ZoneWorkspace && z != effect.ZoneTemp && (class.Sent(text)&class.Credentials != 0 || strings.Contains(strings.ToLower(text), "extraheader")) {
		out = append(out, settings)
	}
	return out
}

// tool adds what a tool reads that takes patterns and directories: the secrets there, and what links there
// lead to. A name with a bracket may be a file's own.
func (installedLooker) tool(c *Context, left *int) {
	if c.Class.Family != call.FamilyFile || c.Class.Verb == effect.VerbSearch || c.Elsewhere != "" {
		return
	}
	t := linkedTrees{c: c, left: *left, in: map[string][]Link{}}
	var shown []string
	for i := range c.Effects {
		e := c.Effects[i]
		if e.Kind != effect.Read || e.Sensitive || !strings.HasPrefix(e.Resource, "/") || strings.Contains(e.Resource, "…") {
			continue
		}
		pattern := anyOf(e.Resource)
		found := []string{pattern}
		if _, file := c.text(e.Resource); file {
			continue
		} else if strings.ContainsAny(pattern, "*?[") {
			found, _ = c.filesOf(pattern, left)
		}
		for _, f := range found {
			if c.secretAt(f) {
				shown = append(shown, f)
			}
			to, last := t.resolve(pattern, f)
			if last && len(c.names(to)) > 0 {
				continue // a directory among what a pattern finds is not read
			}
			if to != "" && (c.exists == nil || c.exists(to)) {
				if z, _, _ := c.places.Where(to); z != effect.ZoneWorkspace && z != effect.ZoneTemp {
					c.Effects = append(slices.Clip(c.Effects), Effect{Kind: effect.Read, Op: e.Op, Zone: z, Resource: to})
				}
			}
			shown = append(shown, c.secretsBelow(f, true, left)...)
		}
	}
	c.showsSecrets(nil, slices.DeleteFunc(shown, c.places.Published))
}

// anyOf is a pattern with any text in place of what stands in braces.
func anyOf(pattern string) string {
	for {
		before, rest, open := strings.Cut(pattern, "{")
		_, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return pattern
		}
		pattern = before + "*" + after
	}
}
