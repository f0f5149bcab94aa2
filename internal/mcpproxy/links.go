package mcpproxy

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// maxRounds bounds how often a context is built again because its paths led
// through symbolic links.
const maxRounds = 5

// linksOf are the symbolic links that the paths of a context lead through on this
// machine, as they are now: for a path, its longest part that exists, and where
// that really is. A server elsewhere has other files; then there is nothing here.
func linksOf(c *gates.Context) []gates.Link {
	var out []gates.Link
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Zone == effect.ZoneRecord || !strings.HasPrefix(e.Resource, "/") {
			continue
		}
		at := e.Resource
		if i := strings.IndexFunc(at, func(r rune) bool { return r <= mark.Inside }); i >= 0 {
			at = path.Dir(at[:i] + "x") // what a pattern stands for is not walked
		}
		for path.Dir(at) != at {
			if _, err := os.Lstat(at); err == nil {
				break
			}
			at = path.Dir(at)
		}
		if real, err := filepath.EvalSymlinks(at); err == nil && real != at && path.Dir(at) != "/" {
			out = append(out, gates.Link{From: at, To: real})
		}
	}
	return out
}

// context builds the context of a call, with the links that its paths have.
func (p *Proxy) context(k *gates.Checker, gc gates.Request, st gates.State) gates.Context {
	c := k.Context(gc, st)
	for range maxRounds {
		more := linksOf(&c)
		if len(more) == 0 {
			break
		}
		st.Links = append(st.Links, more...)
		c = k.Context(gc, st)
	}
	return c
}
