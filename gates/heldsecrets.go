package gates

import (
	"path"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about secrets that no name tells: keystore.properties, config/local.yml.

// showers are programs that show what stands in the files that they are given.
const showers = "awk base64 bat batcat cat column comm cut diff egrep expand fgrep fmt fold gawk grep head hexdump join jq less more nl od paste pr rev rg sed sort strings tac tail tee tr unexpand uniq xxd yq"

// heldSecrets takes the read of a file of the workspace for one of a secret where the file holds
// credentials (package class) and git does not hold it: what is committed, everybody of the
// project has. What the session wrote itself it knows.
func (c *Context) heldSecrets() {
	if c.text == nil || c.places.Tracked == nil || c.Elsewhere != "" {
		return
	}
	var held []int
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Read || e.Op != effect.OpRead && e.Op != effect.OpSearch || e.Sensitive || e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneKept || e.Glob || !exact(e.Resource) || c.wrote(e.Resource) {
			continue
		}
		open := e.Zone == effect.ZoneKept && c.places.Open(e.Resource)
		if !open && (e.Zone == effect.ZoneKept && !c.places.Neighbour(e.Resource) || !c.showsFile(i)) {
			continue // what was published, what the host keeps of the session, and what is not shown
		}
		text, ok := c.text(e.Resource)
		if ok && class.File(e.Resource, text, &c.places)&class.Credentials != 0 && (open || !c.places.Tracked(e.Resource)) {
			held = append(held, i)
		}
	}
	if len(held) == 0 {
		return
	}
	c.Effects = append([]Effect(nil), c.Effects...)
	for _, i := range held {
		c.Effects[i].Sensitive = true
	}
}

// ownWords takes the read of a file that is called as a secret (.envrc, .env.test) for none where
// the session wrote all that it holds, and that is no credentials: it is told nothing that it did
// not say itself. Where secrets were read before, some of it may be one.
func (c *Context) ownWords() {
	if c.text == nil || c.Flow.SensitiveRead || c.Elsewhere != "" {
		return
	}
	own := false
	for i := range c.Effects {
		e := &c.Effects[i]
		file := e.Resource
		if name, ok := cutPrefix(file, "git "); ok && e.Program == "git" {
			file = c.addedFrom(i, name)
		}
		if e.Kind != effect.Read || !e.Sensitive || e.Zone != effect.ZoneWorkspace || e.Glob || !exact(file) || !c.saidItself(file) {
			continue
		}
		if !own {
			c.Effects, own = append([]Effect(nil), c.Effects...), true
		}
		c.Effects[i].Sensitive = false
	}
}

// addedFrom is the file that git takes in under a name, empty where anything says that it works
// in another directory than the line does. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) addedFrom(i int, name string) string {
	if r := c.runOf(i); r != nil && len(r.Words) > 2 && r.Words[0] == "git" && r.Words[1] == "add" && len(r.Sets)+len(r.Values) == 0 {
		return c.places.Resolve(r.Cwd, name)
	}
	return ""
}

// saidItself says whether a file holds what the session wrote and nothing else, as the host sees
// it, which is no credentials; what the call itself changes may be anything.
func (c *Context) saidItself(file string) bool {
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Write && (e.Glob || !exact(e.Resource) || mark.Under(file, e.Resource) || mark.Under(e.Resource, file)) {
			return false
		}
	}
	text, ok := c.text(file)
	for _, m := range c.Flow.Made {
		if m.Path == file {
			return ok && m.Known && m.Text == text && class.File(file, text, &c.places)&class.Credentials == 0
		}
	}
	return false
}

// showsFile says whether what an effect reads is shown: by a tool that reads files, or by a
// program that does nothing else with it.
func (c *Context) showsFile(i int) bool {
	if c.Class.Family == call.FamilyFile {
		return true
	}
	r := c.runOf(i)
	if r == nil && len(c.runs) > 0 { // a redirection
		r = &c.runs[len(c.runs)-1]
	}
	return c.Class.Family == call.FamilyShell && r != nil && len(r.Words) > 0 && mark.Among(showers, path.Base(r.Words[0]))
}

// HoldsSecret says whether a file that is named holds credentials, as far as somebody looks.
func (c *Context) HoldsSecret(e *Effect) bool {
	if c.text == nil || !exact(e.Resource) {
		return false
	}
	text, ok := c.text(e.Resource)
	return ok && class.File(e.Resource, text, &c.places)&class.Credentials != 0
}
