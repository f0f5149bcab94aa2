package gates

import (
	"path"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// This file is about secrets that no name tells: keystore.properties, config/local.yml.

// showers are programs that show what stands in the files that they are given.
var showers = [...]string{"awk", "base64", "bat", "cat", "cut", "egrep", "fgrep", "gawk", "grep", "head", "hexdump", "jq", "less", "more", "nl", "od", "paste", "rev", "rg", "sed", "sort", "strings", "tac", "tail", "tr", "uniq", "xxd", "yq"}

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
		if e.Kind != effect.Read || e.Op != effect.OpRead && e.Op != effect.OpSearch || e.Sensitive || e.Zone != effect.ZoneWorkspace || e.Glob || !exact(e.Resource) || !c.showsFile(i) || c.wrote(e.Resource) {
			continue
		}
		text, ok := c.text(e.Resource)
		if ok && class.File(e.Resource, text, &c.places)&class.Credentials != 0 && !c.places.Tracked(e.Resource) {
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

// showsFile says whether what an effect reads is shown: by a tool that reads files, or by a
// program that does nothing else with it.
func (c *Context) showsFile(i int) bool {
	if c.Class.Family == call.FamilyFile {
		return true
	}
	r := c.runOf(i)
	return c.Class.Family == call.FamilyShell && r != nil && isAmong(showers[:], path.Base(r.Words[0]))
}
