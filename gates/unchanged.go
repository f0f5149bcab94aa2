package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Unchanged is a digest of what an unvetted file holds that an effect runs, and of its
// state on disk where the host tells: it is another one as soon as anybody writes there.
// It is empty where the session does not know all that the file holds, where the call
// writes to it, and where something else that nobody vetted may run with it.
func (c *Context) Unchanged(e *Effect) string {
	if e.Kind != effect.Spawn || e.Op != effect.OpRunFile || e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp {
		return ""
	}
	if slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == e.Resource }) {
		return ""
	}
	for _, u := range c.Flow.Unvetted {
		if own := strings.TrimPrefix(u, project); own != e.Resource && runsUnvetted([]string{u}, e) {
			return ""
		}
	}
	i := slices.IndexFunc(c.Flow.Made, func(m Made) bool { return m.Path == e.Resource })
	if i < 0 || !c.Flow.Made[i].Known || shell.ScriptLanguage(e.Resource, c.Flow.Made[i].Text) == "" {
		return ""
	}
	state := ""
	if c.stamp != nil {
		if state = c.stamp(e.Resource); state == "" {
			return ""
		}
	}
	sum := sha256.Sum256([]byte(c.Flow.Made[i].Text + "\x00" + state))
	return hex.EncodeToString(sum[:16])
}
