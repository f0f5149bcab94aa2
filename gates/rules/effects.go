package rules

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// covers says whether an allow rule answers a question about one effect.
func (r *Rule) covers(c *gates.Context, d *gates.Decision, reason *gates.Reason) bool {
	e := &d.Effects[reason.Effect]
	family, _, _ := strings.Cut(reason.Rule, "/")
	if e.Deferred || e.Loses || family == "opaque" && reason.Rule != "opaque/tool" || gbtsOwn(e) || c.IsOwn(e) {
		return false
	}
	if c.Elsewhere != "" { // what a rule says is about this machine
		named := r.what == c.Tool || strings.Contains(r.what, "/") && !strings.HasSuffix(r.what, "/*")
		return r.kind == "tool" && reason.Rule == "spawn/elsewhere" && named && r.namesTool(c)
	}
	switch r.kind {
	case "command":
		return r.coversRun(c, reason, e)
	case "tool":
		return c.Command == "" && r.isTool(c) && !e.Sensitive && !isProtected(c, e, reason.Rule)
	case "run":
		return e.Kind == effect.Spawn && (e.Op == effect.OpRunUnknown || e.Op == effect.OpRunFile) && e.Program == r.what && plainRun(c, reason.Effect)
	}
	return r.isKind(e) && r.names(c, reason, e)
}

// gbtsOwn says whether an effect is on gbt itself or on what it keeps: no rule lets an
// agent change the rules.
func gbtsOwn(e *gates.Effect) bool {
	if e.Program == "gbt" || strings.HasPrefix(e.Program, "gbt-hook") {
		return true
	}
	if e.Kind == effect.Read || e.Kind == effect.List {
		return false
	}
	base := path.Base(e.Resource)
	return strings.Contains(e.Resource, "/.gbt") || strings.Contains(e.Resource, "/gbt/") || e.Kind != effect.Network && isProgram(base)
}

// isProgram says whether a file's name is that of gbt's own programs.
func isProgram(base string) bool {
	base = strings.TrimSuffix(strings.ToLower(base), ".exe")
	return base == "gbt-hook" || base == "gbt"
}

// isProtected says whether an effect changes a file that decides what runs later or what
// an agent may do, or the system's, or a directory that holds such: what a star stands for is not what the
// person had before their eyes, so only a rule that names the file itself is about it.
func isProtected(c *gates.Context, e *gates.Effect, rule string) bool {
	if e.Kind != effect.Write && e.Kind != effect.Delete {
		return false
	}
	inside := e.Zone == effect.ZoneWorkspace || e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneKept // elsewhere every file is marked
	return inside && e.Protected || e.Zone == effect.ZoneSystem || e.Zone == effect.ZoneDevice || strings.HasPrefix(rule, "protected/") || guarded(c, e.Resource) || e.Glob && names.GuardedGlob(strings.TrimPrefix(e.Resource, "/")) ||
		names.GuardedBelow(path.Base(e.Resource), atRoot(c, e.Resource)) != ""
}

// atRoot says whether a path lies directly in a workspace root.
func atRoot(c *gates.Context, p string) bool { return slices.Contains(c.Roots, path.Dir(p)) }

// Leaves says which calls an allow rule leaves to be asked about although its pattern names
// them; empty where there are none.
func (r *Rule) Leaves() string {
	if r.Verb != Allow || r.kind != "write" && r.kind != "delete" {
		return ""
	}
	switch p := "/" + r.what; {
	case strings.Contains(p, "/.gbt"), strings.Contains(p, "/gbt/"), isProgram(path.Base(p)):
		return "no rule covers gbt's own programs, rules, log and memory"
	case strings.ContainsAny(p, `*?[\`), strings.HasSuffix(p, "/"):
		return "a star stands for no protected file (what a host, a shell, git or CI loads unasked, the system's files), and no directory that holds one: name such a file itself"
	}
	return ""
}

// isKind says whether an effect is of the kind that a rule names. Sending to a place
// includes fetching from it, reading a file its name.
func (r *Rule) isKind(e *gates.Effect) bool {
	switch r.kind {
	case "read":
		return e.Kind == effect.Read || e.Kind == effect.List
	case "write":
		return e.Kind == effect.Write
	case "delete":
		return e.Kind == effect.Delete
	case "fetch":
		return e.Kind == effect.Network && (e.Op == effect.OpFetch || e.Op == effect.OpProbe)
	case "send":
		return e.Kind == effect.Network && e.Op != effect.OpListen
	}
	return false
}

// names says whether an allow rule names what an effect is on.
func (r *Rule) names(c *gates.Context, reason *gates.Reason, e *gates.Effect) bool {
	if e.Kind == effect.Network {
		return r.namesPlace(e) && !computedRun(c, reason.Effect)
	}
	if e.Zone == effect.ZoneUnknown || e.Zone == effect.ZoneCaller || e.Op == effect.OpWipe || strings.Contains(e.Resource, "…") || e.Glob && !strings.HasSuffix(r.what, "/**") {
		return false
	}
	pattern := r.path(c)
	if strings.ContainsAny(pattern, `*?[\`) && (e.Sensitive || isProtected(c, e, reason.Rule)) {
		return false
	}
	return pathMatch(pattern, e.Resource)
}

// namesPlace says whether an allow rule names the place that a connection goes to: a host
// at the port of its scheme, or HOST:PORT, without a login that the address brings along.
func (r *Rule) namesPlace(e *gates.Effect) bool {
	if e.Login() {
		return false
	}
	if host, port, ok := strings.Cut(strings.ToLower(r.what), ":"); ok && !strings.ContainsAny(port, ":/") {
		return hostOf(e) == host && strconv.Itoa(int(e.Net.Port)) == port
	}
	return e.Net.UsualPort() && r.namesHost(e)
}

// namesHost says whether a rule names the place that a connection goes to: a host, or
// with a path behind it a repository.
func (r *Rule) namesHost(e *gates.Effect) bool {
	want := strings.ToLower(r.what)
	if strings.Contains(want, "/") {
		return like(strings.ToLower(e.Resource), strings.ReplaceAll(want, "*", varies))
	}
	host := hostOf(e)
	if rest, ok := strings.CutPrefix(want, "*."); ok {
		return strings.HasSuffix(host, "."+rest)
	}
	return host != "" && host == want
}

// hostOf is the host that a connection goes to, empty where it is not known.
func hostOf(e *gates.Effect) string {
	if e.Net.Domain != "" || e.Net.IP != "" {
		return e.Net.Domain + e.Net.IP
	}
	if host, _, ok := strings.Cut(e.Resource, "/"); ok && strings.Contains(host, ".") && !strings.HasPrefix(host, ".") {
		return strings.ToLower(host)
	}
	return ""
}

// path is the pattern of a rule about files, as an absolute path: below the first
// workspace root where it is relative.
func (r *Rule) path(c *gates.Context) string {
	p := r.what
	switch {
	case p == "~" || strings.HasPrefix(p, "~/"):
		p = c.Home + p[1:]
	case !strings.HasPrefix(p, "/"):
		root := "/"
		if len(c.Roots) > 0 {
			root = c.Roots[0]
		}
		p = root + "/" + p
	}
	if strings.HasSuffix(p, "/") {
		p += "**"
	}
	return path.Clean(p)
}

// literal is the part of a pattern in front of its first star.
func literal(pattern string) string {
	before, _, _ := strings.Cut(pattern, "*")
	return strings.TrimSuffix(before, "/")
}

// guarded says whether a path is, or lies in, what something loads unasked.
func guarded(c *gates.Context, p string) bool {
	for _, root := range c.Roots {
		if rest, ok := strings.CutPrefix(p, root+"/"); ok {
			return names.Guarded(rest)
		}
	}
	return names.Guarded(strings.TrimPrefix(p, "/"))
}

// isTool says whether a call is of the tool that a rule names: by its whole name, or as
// SERVER/TOOL for one of an MCP server.
func (r *Rule) isTool(c *gates.Context) bool {
	return !(c.Class.Family == call.FamilyShell && r.Verb == Allow) && r.namesTool(c)
}

// namesTool says whether a rule has the name of a call's tool.
func (r *Rule) namesTool(c *gates.Context) bool {
	server, tool, ok := strings.Cut(r.what, "/")
	if !ok {
		return r.what == c.Tool || r.what == c.ToolName()
	}
	name := strings.TrimPrefix(c.Tool, "mcp__")
	for _, sep := range [...]string{"__", "/", "."} {
		if rest, ok := strings.CutPrefix(name, server+sep); ok && (tool == "*" || rest == tool) {
			return true
		}
	}
	return false
}
