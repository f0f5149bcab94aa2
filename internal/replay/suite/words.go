package suite

import (
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Bounds of what words say of a call: all of it is in its context.
const (
	maxSaid  = 3
	maxValue = 60
)

// say words a call: its tool, what it does, and which of its values are somebody
// else's.
func say(c *gates.Context) string {
	out := []string{}
	for i := range c.Effects {
		if e := &c.Effects[i]; len(out) < maxSaid && (e.High() || !c.High()) {
			out = append(out, deed(e))
		}
	}
	text := "`" + c.ToolName() + "`"
	if len(out) > 0 {
		text += " " + strings.Join(out, ", ")
	}
	return text + given(c.Args)
}

// deed words one effect.
func deed(e *gates.Effect) string {
	what := verb(e)
	if e.Resource != "" {
		what += " " + value(e.Resource)
	}
	if e.Zone != effect.ZoneUnknown {
		what += " (" + e.Zone.String() + ")"
	}
	return what
}

var verbs = map[effect.Kind]string{
	effect.Opaque: "does what cannot be told:", effect.Read: "reads", effect.List: "lists", effect.Write: "writes",
	effect.Delete: "deletes", effect.Spawn: "runs", effect.Setting: "changes", effect.Signal: "signals",
}

func verb(e *gates.Effect) string {
	switch e.Op {
	case effect.OpFetch:
		return "fetches from"
	case effect.OpSend:
		return "sends to"
	case effect.OpListen:
		return "listens at"
	}
	if v, ok := verbs[e.Kind]; ok {
		return v
	}
	return "connects to"
}

// given names the arguments that came from what tools returned.
func given(args []gates.Arg) string {
	out := ""
	n := 0
	for i := range args {
		a := &args[i]
		if a.Origin != call.OriginUntrusted || n == maxSaid {
			continue
		}
		n++
		out += "; " + a.Path + " = " + value(a.Value) + " comes from "
		if a.Source == "" {
			out += "outside"
		} else {
			out += "what `" + a.Source + "` returned"
		}
	}
	return out
}

// value cuts a value to what fits a line. Marks of what only the run time knows
// are no characters to print.
func value(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return '*'
		}
		return r
	}, s)
	if r := []rune(s); len(r) > maxValue {
		return string(r[:maxValue]) + "…"
	}
	return s
}
