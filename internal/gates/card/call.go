package card

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Call is a call as a person reads it.
type Call struct {
	Says  string `json:"says"`            // "send_money: recipient out of text in read_file; amount (5) chosen by the agent"
	Times int    `json:"times"`           // calls on record that read the same
	Where string `json:"where,omitempty"` // the episode and the steps of the first of them
}

// maxParts is how many arguments or effects of a call are said; chosen by reading
// cards of the example logs.
const maxParts = 3

// Describe says a recorded call in words. Most of its values are digests: it says
// where they came from, which is what gates ask about.
func Describe(c *gates.Context) string {
	parts := argumentParts(c)
	if doesItsOwn(c.Class.Family) {
		parts = effectParts(c)
	}
	return withParts(c.ToolName(), parts)
}

func withParts(tool string, parts []string) string {
	if len(parts) == 0 {
		return tool
	}
	more := ""
	if n := len(parts) - maxParts; n > 0 {
		more = fmt.Sprintf("; and %d more", n)
		parts = parts[:maxParts]
	}
	return tool + ": " + strings.Join(parts, "; ") + more
}

// doesItsOwn says of which tools the effects tell more than the arguments: their
// argument is a program.
func doesItsOwn(f call.Family) bool {
	return f == call.FamilyShell || f == call.FamilyCode || f == call.FamilySQL
}

// argumentParts words the arguments, those that came from one place together and
// those that anybody but the agent gave first: text of a tool, a field of one, the
// task.
func argumentParts(c *gates.Context) []string {
	args := slices.Clone(c.Args)
	slices.SortStableFunc(args, func(a, b gates.Arg) int { return cmp.Compare(doubt(&b), doubt(&a)) })
	var places []string
	of := map[string][]string{}
	for i := range args {
		place, name := placeOf(&args[i]), named(c, &args[i])
		if of[place] == nil {
			places = append(places, place)
		}
		if !slices.Contains(of[place], name) {
			of[place] = append(of[place], name)
		}
	}
	out := make([]string, len(places))
	for i, place := range places {
		out[i] = enumerate(of[place]) + " " + place
	}
	return out
}

// doubt orders arguments by who gave them, and then by where they lead.
func doubt(a *gates.Arg) int {
	n := 0
	switch {
	case a.Origin == call.OriginUntrusted && strings.Contains(a.Form, "~"):
		n = 6
	case a.Origin == call.OriginUntrusted:
		n = 4
	case a.Origin == call.OriginTask:
		n = 2
	}
	if a.Role != "" && a.Role != effect.RolePayload.String() {
		n++
	}
	return n
}

// placeOf says where an argument's value came from.
func placeOf(a *gates.Arg) string {
	switch {
	case a.Origin == call.OriginUntrusted && strings.Contains(a.Form, "~"):
		return "out of text in " + a.Source
	case a.Origin == call.OriginUntrusted:
		return "from a field of " + a.Source
	case a.Origin == call.OriginTask:
		return "named by the task"
	}
	return "chosen by the agent"
}

// named is an argument's name, with its value where redaction left something that
// a person can use.
func named(c *gates.Context, a *gates.Arg) string {
	value := valueWord(a.Value)
	if role, _ := effect.ParseRole(a.Role); role == effect.RoleURLFetch || role == effect.RoleURLSend {
		for i := range c.Effects {
			if e := &c.Effects[i]; e.Resource == a.Value && e.Net.Domain != "" {
				value = e.Net.Domain
			}
		}
	}
	if value == "" || strings.HasPrefix(a.Role, "payload") {
		return baseName(a.Path)
	}
	return baseName(a.Path) + " (" + value + ")"
}

// enumerate joins names, and counts those that are too many to read.
func enumerate(names []string) string {
	if len(names) > maxNames {
		names = append(slices.Clone(names[:maxNames-1]), fmt.Sprintf("%d more", len(names)-maxNames+1))
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// maxNames is how many arguments that came from one place are named.
const maxNames = 4

// baseName is an argument's path without positions in lists.
func baseName(path string) string {
	var out []string
	for _, p := range strings.Split(path, ".") {
		if strings.Trim(p, "0123456789") != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, ".")
}

// valueWord says what a person can still know of a redacted value; empty for
// nothing. What redaction left as it was is shown.
func valueWord(v string) string {
	kind, rest, digested := strings.Cut(v, ":")
	switch {
	case v == "" || strings.HasPrefix(v, "name-") || digested && (kind == "text" || kind == "word"):
		return ""
	case strings.Contains(v, "://"):
		_, rest, _ := strings.Cut(v, "://")
		host, _, _ := strings.Cut(rest, "/")
		return host[strings.LastIndexByte(host, '@')+1:]
	case digested && kind == "mail":
		_, domain, _ := strings.Cut(rest, "@")
		return "somebody at " + domain
	case strings.Contains(v, "/"):
		return plainPath(v)
	}
	return v
}

// plainPath is a path without the digests that stand for names in it.
func plainPath(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		if strings.HasPrefix(s, "name:") || strings.HasPrefix(s, "name-") {
			parts[i] = "…"
		}
	}
	return strings.TrimPrefix(strings.Join(parts, "/"), "/{workspace}/")
}

// verbs are what effects are called; one without an entry goes by its kind.
var (
	verbs = map[effect.Op]string{
		effect.OpCreate: "creates", effect.OpSend: "sends to", effect.OpFetch: "fetches from", effect.OpMove: "moves", effect.OpSearch: "searches",
		effect.OpInstall: "installs", effect.OpListen: "waits for calls at", effect.OpPrivilege: "gets rights with",
	}
	kindVerbs = map[effect.Kind]string{
		effect.Read: "reads", effect.List: "lists", effect.Write: "changes", effect.Delete: "removes", effect.Spawn: "runs",
		effect.Network: "connects to", effect.Setting: "sets", effect.Signal: "signals",
	}
)

// effectParts words what a call does, the worst first.
func effectParts(c *gates.Context) []string {
	list := slices.Clone(c.Effects)
	slices.SortStableFunc(list, func(a, b effect.Effect) int { return cmp.Compare(weight(&b), weight(&a)) })
	var out []string
	for i := range list {
		if part := effectPart(&list[i]); !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// weight orders effects by how much a reader wants to know of them.
func weight(e *effect.Effect) int {
	n := map[effect.Kind]int{effect.Opaque: 6, effect.Network: 5, effect.Delete: 4, effect.Write: 3, effect.Setting: 3, effect.Signal: 3, effect.Spawn: 2}[e.Kind]
	if e.Sensitive || e.Protected && changes(e.Kind) {
		n += 8
	}
	return n
}

func effectPart(e *effect.Effect) string {
	verb := cmp.Or(verbs[e.Op], kindVerbs[e.Kind])
	if e.Kind == effect.Opaque {
		return "does what only its run shows"
	}
	what := cmp.Or(valueWord(e.Resource), "something")
	if e.Kind == effect.Network && e.Net.Domain != "" {
		what = e.Net.Domain
	}
	switch {
	case e.Sensitive:
		what += " (secret)"
	case e.Protected && changes(e.Kind):
		what += " (protected)"
	}
	return verb + " " + what
}

// changes says of which effects it matters that their resource is protected.
func changes(k effect.Kind) bool { return k == effect.Write || k == effect.Delete }
