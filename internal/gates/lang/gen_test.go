package lang

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Values are drawn from small pools, so that expressions and contexts often
// speak of the same thing.
var (
	somePaths   = []string{"", "/", "/etc", "/etc/ssh", "/etcetera", "/repo", "/repo/a.go", "/tmp/x"}
	someDomains = []string{"", "example.com", "api.example.com", "notexample.com", "com"}
	someWords   = []string{"", "a", "b", "ab", "bash", "send_mail", "cat /etc/ssh | curl", "KELVIN \u212a", "not \xff utf-8", "\ufffd", "ünï"}
	someKinds   = []string{"read", "write", "delete", "network", "opaque", "run", "send", "workspace", "untrusted", "agent", "x"}
)

func pick(t *rapid.T, from []string) string { return rapid.SampledFrom(from).Draw(t, "value") }

func literal(s string) string { return quote(strings.ToValidUTF8(s, "\ufffd")) }

// drawExpr draws the text of a boolean expression, valid in the subset.
func drawExpr(t *rapid.T, depth int, vars []string) string {
	if depth > 0 {
		switch rapid.IntRange(0, 7).Draw(t, "form") {
		case 0, 1:
			return "(" + drawExpr(t, depth-1, vars) + pick(t, []string{" && ", " || "}) + drawExpr(t, depth-1, vars) + ")"
		case 2:
			return "!(" + drawExpr(t, depth-1, vars) + ")"
		case 3, 4, 5:
			if len(vars) < 2 {
				return drawQuantifier(t, depth, vars)
			}
		}
	}
	return drawAtom(t, vars)
}

func drawQuantifier(t *rapid.T, depth int, vars []string) string {
	list := pick(t, append(fieldsOf("ctx", program.Strings), fieldsOf("ctx", program.Objects)...))
	kind := map[string]string{"args": "a", "effects": "e", "history": "h"}[list]
	if kind == "" {
		kind = "s"
	}
	name := fmt.Sprint(kind, "v", len(vars))
	return fmt.Sprintf("ctx.%s.%s(%s, %s)", list, pick(t, []string{"exists", "all"}), name, drawExpr(t, depth-1, append(vars[:len(vars):len(vars)], name)))
}

// somePools are the values that a field is compared with, where they are not
// words.
var somePools = map[string][]string{
	"family": {"shell", "file"}, "verb": {"execute"}, "tier": {"local-reversible"}, "cwd": somePaths, "origin": someKinds, "type": someKinds, "op": someKinds, "zone": someKinds,
	"resource": append([]string{"process"}, somePaths...), "scheme": {"https"}, "domain": someDomains, "ip": {"::1"}, "payload.mime": {"text/plain"}, "payload.hash": {"00"},
}

// fieldsOf lists the fields of a type that the object has which a variable, or
// ctx, stands for: all there are, so that a new one is tried too.
func fieldsOf(variable string, typ program.Type) []string {
	of := map[byte]program.Object{'c': program.Context, 'a': program.Arg, 'e': program.Effect, 'h': program.Record, 's': program.Text}[variable[0]]
	var names []string
	for _, info := range fields {
		if info.Type == typ && info.Of == of {
			names = append(names, info.Name)
		}
	}
	return names
}

// drawField draws a field of ctx or of a variable, and constants to compare it
// with.
func drawField(t *rapid.T, vars []string) (field string, values []string) {
	v := pick(t, append([]string{"ctx"}, vars...))
	if v[0] == 's' {
		return v, append(append([]string{}, somePaths...), someKinds...)
	}
	n := pick(t, fieldsOf(v, program.String))
	if pool := somePools[n]; pool != nil {
		return v + "." + n, pool
	}
	return v + "." + n, someWords
}

func drawAtom(t *rapid.T, vars []string) string {
	f, values := drawField(t, vars)
	c := literal(pick(t, values))
	switch rapid.IntRange(0, 14).Draw(t, "atom") {
	case 0, 1:
		return f + pick(t, []string{" == ", " != ", " < ", " <= ", " > ", " >= "}) + c
	case 2:
		return c + pick(t, []string{" == ", " < ", " >= "}) + f
	case 3:
		g, _ := drawField(t, vars)
		return f + pick(t, []string{" == ", " != ", " < "}) + g
	case 4:
		return f + " in [" + c + ", " + literal(pick(t, values)) + "]"
	case 5:
		return f + pick(t, []string{".startsWith(", ".endsWith(", ".contains("}) + c + ")"
	case 6:
		return f + ".under(" + pick(t, []string{`"/"`, `"/etc"`, `"/etc/ssh"`, "ctx.cwd"}) + ")"
	case 7:
		return f + ".domainUnder(" + pick(t, []string{`"example.com"`, `"api.example.com"`, `"com"`, "ctx.cwd"}) + ")"
	case 8:
		return f + ".matches(" + literal(pick(t, []string{"^a", "(?i)kelvin", "b+$", "ca[tn] /etc", "x|send_|bash", "", "(?i)SEND", "ssh", ".", "\ufffd", "(ab|bash)+", "(?i)K"})) + ")"
	case 9:
		return pick(t, []string{f, c}) + " in ctx." + pick(t, fieldsOf("ctx", program.Strings))
	case 10:
		return "size(" + f + ")" + pick(t, []string{" == ", " < ", " >= "}) + pick(t, []string{"0", "1", "4", "size(ctx.tool)", "-1"})
	case 11:
		return "size(ctx." + pick(t, append(fieldsOf("ctx", program.Strings), fieldsOf("ctx", program.Objects)...)) + ") " + pick(t, []string{"== 1", "> 0", "in [0, 2]"})
	}
	return drawOther(t, vars)
}

// drawOther draws integers, flags and constants.
func drawOther(t *rapid.T, vars []string) string {
	op := pick(t, []string{" == ", " != ", " < ", " <= ", " > ", " >= "})
	n := pick(t, []string{"0", "1", "-1", "443", "1024", "9223372036854775807", "-9223372036854775808"})
	v := pick(t, append([]string{"ctx"}, vars...))
	flags, ints := fieldsOf(v, program.Bool), fieldsOf(v, program.Int)
	switch {
	case v[0] == 's':
		return "true"
	case len(flags) > 0 && rapid.Bool().Draw(t, "flag"):
		return v + "." + pick(t, flags)
	case v != "ctx":
		return v + "." + pick(t, ints) + op + n
	}
	return pick(t, append([]string{n + op + "ctx." + pick(t, ints), "ctx.uid in [0, 1, -1]", "false", "ctx.high == false", "ctx.high != ctx.flow.sensitive_read"}, "ctx."+pick(t, ints)+op+n))
}

// drawContext draws a context; lists are short.
func drawContext(t *rapid.T) *gates.Context {
	n := func(name string) int { return rapid.IntRange(0, 3).Draw(t, name) }
	c := &gates.Context{
		Tool: pick(t, append([]string{"Bash", "mcp__srv__Send_Mail"}, someWords...)), Cwd: pick(t, somePaths), UID: rapid.IntRange(-1, 1).Draw(t, "uid"), GID: n("gid"),
		Flow: gates.Flow{SensitiveRead: rapid.Bool().Draw(t, "sensitive")},
	}
	c.Class = call.Classify(pick(t, []string{"bash", "read_file", "?"}))
	for range n("roots") {
		c.Roots = append(c.Roots, pick(t, somePaths))
	}
	for range n("derived") {
		c.Flow.Derived = append(c.Flow.Derived, pick(t, somePaths))
		c.Flow.Unvetted = append(c.Flow.Unvetted, pick(t, someKinds))
	}
	for range n("args") {
		c.Args = append(c.Args, gates.Arg{Path: pick(t, someWords), Value: pick(t, someWords), Origin: call.Origin(rapid.IntRange(0, 2).Draw(t, "origin")), Source: pick(t, someWords), Role: pick(t, someWords)})
	}
	for range n("effects") {
		c.Effects = append(c.Effects, drawEffect(t))
	}
	for range n("history") {
		c.History = append(c.History, gates.Record{Kind: drawKind(t), Op: effect.Op(rapid.IntRange(0, int(effect.NumOps)-1).Draw(t, "op")), Resource: pick(t, somePaths), Time: int64(n("time"))})
	}
	return c
}

func drawKind(t *rapid.T) effect.Kind {
	return effect.Kind(rapid.IntRange(0, int(effect.NumKinds)-1).Draw(t, "kind"))
}

func drawEffect(t *rapid.T) gates.Effect {
	flag := func() bool { return rapid.Bool().Draw(t, "flag") }
	return gates.Effect{
		Kind: drawKind(t), Op: effect.Op(rapid.IntRange(0, int(effect.NumOps)-1).Draw(t, "op")), Zone: effect.Zone(rapid.IntRange(0, int(effect.NumZones)-1).Draw(t, "zone")),
		Sensitive: flag(), Protected: flag(), Glob: flag(), Deferred: flag(), Resource: pick(t, somePaths), Program: pick(t, someWords), Argv: pick(t, someWords), Parent: pick(t, someWords),
		Net:     effect.Net{Scheme: pick(t, []string{"", "https"}), Domain: pick(t, someDomains), IP: pick(t, []string{"", "::1"}), Port: rapid.SampledFrom([]uint16{0, 1, 443, 1024, 65535}).Draw(t, "port")},
		Payload: effect.Payload{Known: flag(), Len: rapid.SampledFrom([]int{0, 1, 443}).Draw(t, "len"), MIME: pick(t, []string{"", "text/plain"})},
	}
}
