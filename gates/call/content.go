package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// content sorts what the call writes, runs and sends. A tool that sends has one
// payload for all it sends to (payload), so the classes are the call's and not an
// effect's.
func (b *builder) content() class.Set {
	var out class.Set
	for i := range b.c.Written {
		if w := &b.c.Written[i]; w.Known {
			out |= class.File(w.Path, w.Text, b.p)
		}
	}
	sends := b.sends()
	for i := range b.c.Args {
		switch a := &b.c.Args[i]; {
		case a.Role == effect.RoleCode.String():
			out |= class.Code(b.codeLanguage(a.Path), a.Value, b.p)
		case a.Role == effect.RolePayload.String() && len(b.c.Written) == 0:
			out |= class.Sent(a.Value)
		case sends && (a.Role == effect.RoleURLSend.String() || a.Role == effect.RoleURLFetch.String()):
			out |= class.Sent(a.Value)
		}
	}
	for _, text := range b.ran {
		out |= class.Code(b.codeLanguage(""), text, b.p)
	}
	if sends && b.c.Command != "" {
		out |= class.Sent(b.c.Command)
	}
	return out
}

// sends says whether something leaves the machine with the call; what it fetches
// carries an address out.
func (b *builder) sends() bool {
	for i := range b.c.Effects {
		if e := &b.c.Effects[i]; e.Kind == effect.Network && (e.Op == effect.OpSend || e.Op == effect.OpFetch) {
			return true
		}
	}
	return false
}

// codeLanguage is the language of the code that an argument holds, or, without
// one, of all that a tool runs.
func (b *builder) codeLanguage(at string) string {
	if b.schema != nil && at != "" {
		return b.langOf(at)
	}
	switch Name(b.call.Tool) {
	case "node", "javascript", "js_repl":
		return "node"
	}
	if lang := b.value("language", "lang", "runtime"); lang != "" {
		return strings.ToLower(lang)
	}
	return "python"
}
