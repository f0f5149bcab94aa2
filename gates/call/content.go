package call

import (
	"slices"
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
		case a.Role == effect.RolePayload.String() && len(b.c.Written) == 0,
			sends && (a.Role == effect.RoleURLSend.String() || a.Role == effect.RoleURLFetch.String()):
			out |= class.Sent(a.Value)
		}
	}
	for _, text := range b.ran {
		out |= class.Code(b.codeLanguage(""), text, b.p)
	}
	switch {
	case sends && b.c.Command != "":
		out |= class.Sent(b.c.Command)
	case b.handsOver():
		out |= class.Sent(b.handed())
	}
	return out
}

// handsOver says whether the tool is an application's that gets its arguments, and
// does something with them: whoever it belongs to gets what they hold.
func (b *builder) handsOver() bool {
	switch b.c.Class.Family {
	case FamilyFile, FamilyShell, FamilyCode, FamilySQL, FamilyAgent:
		return false
	}
	return slices.ContainsFunc(b.c.Effects, func(e effect.Effect) bool {
		return e.Kind == effect.Write || e.Kind == effect.Opaque || e.Kind == effect.Network && e.Op == effect.OpSend
	})
}

// handed are the values that such a tool gets, together: a list of people is one
// of several values. To whom something goes is not what goes there, and a secret
// that is set has an effect of its own.
func (b *builder) handed() string {
	var out strings.Builder
	for i := range b.c.Args {
		switch a := &b.c.Args[i]; a.Role {
		case effect.RoleRecipient.String(), effect.RoleSecret.String():
		default:
			out.WriteString(a.Value)
			out.WriteByte('\n')
			if out.Len() > class.MaxRead {
				return out.String()
			}
		}
	}
	return out.String()
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
	case "node", "javascript", "js_repl", "repl":
		return "node"
	}
	if lang := b.value("language", "lang", "runtime"); lang != "" {
		return strings.ToLower(lang)
	}
	return "python"
}

// codeLanguages are the languages that code is judged in. Where neither the tool's name
// nor the call says which it is, that is every one that its text has signs of: the same
// words are nothing in one and start a program in another.
func (b *builder) codeLanguages(text string) []string {
	lang := b.codeLanguage("")
	if lang != "python" || b.value("language", "lang", "runtime") != "" || slices.ContainsFunc(Words(b.call.Tool), saysPython) {
		return []string{lang}
	}
	out := []string{lang}
	if slices.ContainsFunc(scriptSigns[:], func(sign string) bool { return strings.Contains(text, sign) }) {
		out = append(out, "node")
	}
	if strings.Contains(text, "`") {
		out = append(out, "perl") // a line in back quotes runs in it, in Ruby and in PHP
	}
	return out
}

// scriptSigns are parts of texts in JavaScript (ECMA-262, the modules of Node.js) that
// start, load or reach something, or that only it has. One too many costs nothing
// where the text does nothing in it.
var scriptSigns = [...]string{"require", "import(", "from '", "from \"", "process.", "Deno", "Bun.", "globalThis", "const ", "let ", "=>", "function", "fs.", "child_process", "await "}

func saysPython(w string) bool {
	switch w {
	case "python", "ipython", "jupyter", "py":
		return true
	}
	return false
}
