package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about command lines and code that an MCP server runs. The server may be a
// client of another machine, of a container or of a cluster, and its name does not tell:
// of what lies in the workspace there nobody here knows anything. So unless the user says
// that the server works on this machine, a line passes only if it would be harmless on
// any, and what it would do here is judged as well: who is wrong about the place must not
// lose by it.

// ownShells are the shells of hosts that are offered under the name of an MCP server: the
// adapter that speaks the Agent Client Protocol for Claude Code (zed-industries/claude-code-acp,
// src/mcp-server.ts) has the editor's terminal run the line, in the session's directory.
// In lower case, sorted.
var ownShells = [...]string{"mcp__acp__bash", "mcp__acp__bashoutput", "mcp__acp__killbash", "mcp__acp__killshell"}

// ServerOf is the MCP server that offers a tool, by its name: mcp__server__tool, or
// server/tool. It is empty for tools of the host.
func ServerOf(tool string) string {
	name := strings.ToLower(strings.TrimSpace(tool))
	if _, own := slices.BinarySearch(ownShells[:], name); own {
		return ""
	}
	if fromMCP(tool) {
		server, _, _ := strings.Cut(name[len("mcp__"):], "__")
		return server
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 && i+1 < len(name) {
		return name[:i]
	}
	return ""
}

// elsewhere is the server that a call's command line or code is handed to, where nobody
// has said that it works on this machine; empty for none.
func (b *builder) elsewhere() string {
	if b.touches() == TouchesMachine || b.touches() == TouchesRoots {
		return ""
	}
	return ServerOf(b.call.Tool)
}

// handedOver notes a command line or code that the call's server runs, and asks about it
// unless it would be harmless anywhere. judged are its effects where nothing is the
// workspace.
func (b *builder) handedOver(harmless func(anywhere *effect.Places) bool) {
	server := b.elsewhere()
	if server == "" {
		return
	}
	b.c.Elsewhere = server
	anywhere := effect.Places{Cwd: noWorkspace, Roots: []string{noWorkspace + "/root"}, Home: b.p.Home}.Normal()
	if e := (effect.Effect{Kind: effect.Spawn, Op: effect.OpRunUnknown, Resource: effect.ShellOfServer + shown(server), Program: b.call.Tool}); !harmless(&anywhere) && !slices.Contains(b.c.Effects, e) {
		b.add(e)
	}
}

// noWorkspace is a directory that lies in no root.
const noWorkspace = "/srv/elsewhere"

// harmlessLine says whether a command line only looks at what is no secret, whatever
// machine it runs on: each of its effects and each of its programs has to be known for it.
// Where the host works says which shells may read it.
func (b *builder) harmlessLine(line *shell.Line, anywhere *effect.Places) bool {
	unix, windows := shellsOf(b.call.Tool, b.p)
	if unix {
		does := line.Resolve(anywhere)
		if !onlyLook(withoutVersions(&does), true) || slices.ContainsFunc(does.Runs, func(r effect.Run) bool { return !onlyLooks(&r, does.Effects) }) {
			return false
		}
	}
	for _, sh := range windows {
		if !onlyLook(shell.AnalyzeWindows(line.Text, sh, anywhere), false) {
			return false
		}
	}
	return true
}

// withoutVersions are the effects of a line but for the starts of programs that only tell
// their version: a builder does not look for the workspace then.
func withoutVersions(does *shell.Does) []effect.Effect {
	var out []effect.Effect
	for i, e := range does.Effects {
		if e.Kind != effect.Spawn || !slices.ContainsFunc(does.Runs, func(r effect.Run) bool { return tellsVersion(r.Words) && slices.Contains(r.Effects, i) }) {
			out = append(out, e)
		}
	}
	return out
}

// tellsVersion says whether a program does no more than that.
func tellsVersion(words []string) bool {
	_, found := slices.BinarySearch(versionLines[:], strings.Join(words, " "))
	return found || len(words) == 2 && words[1] == "--version" && !strings.Contains(words[0], "/")
}

// onlyLook says whether effects are reads of what no name says to be secret, and starts of
// programs that are known, where those are judged by what they are given.
func onlyLook(list []effect.Effect, starts bool) bool {
	return !slices.ContainsFunc(list, func(e effect.Effect) bool {
		switch e.Kind {
		case effect.Read, effect.List:
			return e.Sensitive
		case effect.Spawn:
			return !starts || e.Deferred || e.Op != effect.OpRun && e.Op != effect.OpBuild && e.Op != effect.OpRunCode
		}
		return true
	})
}

// onlyLooks says whether a program leaves everything as it is. What a wrapper or a shell
// starts is a program of its own, and inline code has all its effects.
func onlyLooks(r *effect.Run, list []effect.Effect) bool {
	does := func(op effect.Op) bool {
		return slices.ContainsFunc(r.Effects, func(i int) bool { return list[i].Kind == effect.Spawn && list[i].Op == op })
	}
	if tellsVersion(r.Words) {
		return true
	}
	if does(effect.OpBuild) {
		return false
	}
	if _, code := shellCode(r.Words); code || does(effect.OpRunCode) || wrapper(base(r.Words[0])) {
		return true
	}
	if _, lists := slices.BinarySearch(listingTools[:], r.Tool); lists {
		return true
	}
	a, ok := program(r.Words[0], r.Words[1:])
	return ok && a.ReadOnly()
}

// versionLines tell a program's version without --version, and listingTools are programs
// of which the action's word says that they change something, with a subcommand that only
// shows it: what they read of secrets is an effect. From the manuals that their tables name.
// Sorted.
var (
	versionLines = [...]string{"go version", "java -version", "node -v", "npm -v", "perl -v", "php -v", "python -V", "python3 -V", "ruby -v", "ssh -V"}
	listingTools = [...]string{
		"docker images", "docker info", "docker logs", "docker port", "docker ps", "docker stats", "docker top", "docker version",
		"kubectl api-resources", "kubectl cluster-info", "kubectl describe", "kubectl get", "kubectl logs", "kubectl top", "kubectl version",
		"systemctl is-active", "systemctl is-enabled", "systemctl is-failed", "systemctl list-timers", "systemctl list-unit-files", "systemctl list-units", "systemctl status",
	}
)
