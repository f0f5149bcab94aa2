package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges one effect by its kind.

// judge applies the rule families to one effect.
func (g *Guardrail) judge(c *Context, e *Effect) (string, Disposition) {
	switch e.Kind {
	case effect.Read, effect.List:
		return g.judgeRead(c, e)
	case effect.Write:
		return g.judgeWrite(c, e)
	case effect.Delete:
		return g.judgeDelete(c, e)
	case effect.Spawn:
		return g.judgeSpawn(c, e)
	case effect.Network:
		if g.Profile != ProfileStrict && c.onLocalPage(e) {
			return "", Approved
		}
		rule, disp := g.judgeNetwork(c, e)
		if disp == Approved && e.Op == effect.OpSend && !g.lists(e) && c.LeadsTo(e) != "" {
			return "egress/send", ApprovedWithConstraints
		}
		return rule, disp
	case effect.Setting:
		if g.Profile != ProfileStrict && c.ownContainer(e) {
			return "", Approved
		}
		return "spawn/setting", ApprovedWithConstraints
	case effect.Signal:
		if g.Profile != ProfileStrict && c.stopsOwn(e) {
			return "", Approved
		}
		return "spawn/signal", ApprovedWithConstraints
	}
	switch e.Op {
	case effect.OpNone:
		return "opaque/tool", ApprovedWithConstraints
	case effect.OpUnparsed:
		if c.Doubt != "" && e.Resource == c.Doubt {
			return "opaque/arguments", RevisionRequired
		}
		return "opaque/unparsed", RevisionRequired
	}
	if strings.HasPrefix(e.Resource, call.UnlistedArgument) {
		return "opaque/argument", ApprovedWithConstraints
	}
	return "opaque/computed", ApprovedWithConstraints
}

func (g *Guardrail) judgeRead(c *Context, e *Effect) (string, Disposition) {
	if matchesAny(g.Sensitive, c, e, false) {
		return "sensitive/read", ApprovedWithConstraints
	}
	if e.Kind == effect.List && e.Op != effect.OpList && e.Op != effect.OpSearch {
		return "", Approved
	}
	if e.Sensitive {
		return "sensitive/read", ApprovedWithConstraints
	}
	switch e.Zone {
	case effect.ZoneWorkspace, effect.ZoneTemp, effect.ZoneStream, effect.ZoneCaller:
		return "", Approved
	case effect.ZoneKept:
		if g.Profile != ProfileStrict && !c.ReachesSecrets(e) {
			return "", Approved
		}
	case effect.ZoneRecord:
		if g.Profile == ProfileStrict {
			return "workspace/read", ApprovedWithConstraints
		}
		return "", Approved
	case effect.ZonePublic:
		return "", Approved
	case effect.ZoneHome, effect.ZoneOutside:
		if e.Kind == effect.List && e.Zone == effect.ZoneHome || g.Profile != ProfileStrict && c.otherClone != nil && c.otherClone(c, e) {
			return "", Approved
		}
	case effect.ZoneSystem, effect.ZoneDevice:
		if e.Kind == effect.List && e.Program == "ls" && !mark.Under(e.Resource, "/root") {
			return "", Approved // names that everybody may list, as find may
		}
	}
	if e.Kind == effect.List && e.Op == effect.OpSearch && e.Zone != effect.ZoneUnknown && e.Zone != effect.ZoneKept {
		return "", Approved
	}
	if e.Kind == effect.List {
		return "workspace/list", ApprovedWithConstraints
	}
	return "workspace/read", ApprovedWithConstraints
}

// serialLines begin the names of serial lines: of Linux (Documentation/admin-guide/devices.txt,
// majors 4, 166, 188, 204 and 216; by-id links of udev) and of macOS (IOKit's dial-in and call-out devices).
var serialLines = [...]string{"/dev/ttyS", "/dev/ttyUSB", "/dev/ttyACM", "/dev/ttyAMA", "/dev/rfcomm", "/dev/serial/", "/dev/cu.", "/dev/tty."}

// SerialLine says whether a path names a serial line: no disk, and nothing that keeps what is written.
func SerialLine(device string) bool {
	return exact(device) && slices.ContainsFunc(serialLines[:], func(s string) bool { return strings.HasPrefix(device, s) && len(device) > len(s) })
}

func (g *Guardrail) judgeWrite(c *Context, e *Effect) (string, Disposition) {
	if g.Profile == ProfileStrict && e.Zone != effect.ZoneStream {
		return "workspace/write", ApprovedWithConstraints
	}
	if d := c.Takes(e); e.Protected && d.Known && !d.Guarded && (len(d.Others) == 0 || c.deletesBy("git")) && g.Profile != ProfileStrict {
		return "", Approved // what is thrown away with it is judged by itself
	}
	if matchesAny(g.Protected, c, e, e.Op == effect.OpMove || e.Op == effect.OpChmod || e.Op == effect.OpChown) {
		return "protected/write", ApprovedWithConstraints
	}
	switch e.Zone {
	case effect.ZoneStream:
		return "", Approved
	case effect.ZoneWorkspace, effect.ZoneTemp:
		switch {
		case e.Protected && (g.Profile == ProfileStrict || !c.setsUpOwn(e)):
			return "protected/write", ApprovedWithConstraints
		case c.takesForeign(e):
			return "workspace/move", ApprovedWithConstraints
		case len(c.Replaces(e)) > 0:
			return "workspace/overwrite", ApprovedWithConstraints
		}
		return "", Approved
	case effect.ZoneKept:
		if !e.Protected && (e.Op == effect.OpCreate || e.Op == effect.OpModify) && !(e.Named && c.exists != nil && c.exists(e.Resource)) {
			return "", Approved
		}
	case effect.ZonePublic:
		if e.Op == effect.OpLink {
			return "", Approved
		}
	case effect.ZoneDevice:
		if SerialLine(e.Resource) {
			return "protected/device", ApprovedWithConstraints // a board that is worked on, or anything else at its other end
		}
		return "protected/device", Rejected
	case effect.ZoneRecord:
		if c.ownRecord(e) {
			return "", Approved
		}
		return "record/write", ApprovedWithConstraints
	case effect.ZoneHome, effect.ZoneOutside:
		if e.Named && (c.exists == nil || !c.exists(e.Resource)) {
			return "", Approved
		}
	}
	return "workspace/write", ApprovedWithConstraints
}

func (g *Guardrail) judgeDelete(c *Context, e *Effect) (string, Disposition) {
	if matchesAny(g.Protected, c, e, true) {
		return "protected/delete", Rejected
	}
	if e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp && effect.TooWide(everyFile(e.Resource), c.Home) {
		return "protected/delete", Rejected
	}
	switch e.Zone {
	case effect.ZoneWorkspace:
		own, others := c.undoes(g, e)
		if g.Profile != ProfileStrict && !others && (own || !e.Protected && (regenerable(e.Resource) || losesNothing(e) || c.deletesOwn(e) || c.madeAgain(e) || c.output != nil && c.output(c, e) || c.eachFound(e)) || e.Protected && (c.forgetsOwn(e) || c.dropsOwnTree(e))) {
			return "", Approved
		}
		if e.Op == effect.OpWipe {
			return "workspace/discard", ApprovedWithConstraints
		}
		return "workspace/delete", ApprovedWithConstraints
	case effect.ZoneTemp:
		if g.Profile != ProfileStrict && (losesNothing(e) || c.deletesOwn(e) || c.notThereYet(e) || c.temporary(e) || c.eachFound(e)) {
			return "", Approved
		}
		return "workspace/delete", ApprovedWithConstraints
	case effect.ZoneSystem, effect.ZonePublic, effect.ZoneDevice:
		return "protected/delete", Rejected
	case effect.ZoneHome, effect.ZoneOutside:
		if strings.Count(trimSuffix(e.Resource, "/*"), "/") <= 1 {
			return "protected/delete", Rejected
		}
	}
	if g.Profile != ProfileStrict && c.dropsNoTree(e) {
		return "", Approved
	}
	return "workspace/delete", ApprovedWithConstraints
}

// losesNothing says whether a deletion takes away empty directories alone (rmdir(1)).
func losesNothing(e *Effect) bool { return e.Program == "rmdir" && e.Op == effect.OpRemove }

// everyFile returns the directory that a pattern empties, or the path itself.
func everyFile(path string) string {
	for _, all := range [...]string{"/*", "/.*", "/**", "/?*", "/.??*"} {
		if dir, ok := cutSuffix(path, all); ok {
			return dir
		}
	}
	return path
}

// artifacts are names of directories and files that builds and test runs make
// again (the tools' manuals, and what github.com/github/gitignore has for them). Sorted.
const artifacts = ".angular .astro .coverage .dart_tool .docusaurus .eggs .gradle .hypothesis .ipynb_checkpoints .mypy_cache .next .nox .nuxt .nyc_output .output " +
	".parcel-cache .pio .pytest_cache .ruff_cache .stack-work .svelte-kit .tox .turbo .vite .zig-cache CMakeFiles DerivedData __pycache__ _build a.out " +
	"bazel-out build cmake-build-debug coverage dist dist-newstyle elm-stuff htmlcov node_modules out playwright-report storybook-static target zig-cache " +
	"zig-out"

// regenerable says whether a path is or lies below a build artefact.
func regenerable(path string) bool {
	if strings.Contains(path, "…") { // it may lead up and elsewhere
		return false
	}
	for _, elem := range strings.Split(path, "/") {
		if mark.Among(artifacts, elem) || strings.HasSuffix(elem, ".pyc") || strings.HasSuffix(elem, ".egg-info") || strings.HasSuffix(elem, ".o") && !strings.Contains(elem, "*") {
			return true
		}
	}
	return false
}

func (g *Guardrail) judgeSpawn(c *Context, e *Effect) (string, Disposition) {
	for _, n := range g.DenySpawn {
		if n == e.Program {
			return "spawn/denied", Rejected
		}
	}
	if effect.Steers(e.Program) {
		return "spawn/guard", Rejected
	}
	switch e.Op {
	case effect.OpRun, effect.OpRunCode:
		return "", Approved
	case effect.OpBuild:
		if g.Profile != ProfileStrict {
			return "", Approved
		}
	case effect.OpRunFile:
		if g.Profile != ProfileStrict && (e.Zone == effect.ZoneWorkspace || c.runsOwn(e) || c.startsShells(e)) {
			return "", Approved
		}
		return "spawn/file", ApprovedWithConstraints
	case effect.OpRunUnknown:
		if _, ok := e.Elsewhere(); ok {
			return "spawn/elsewhere", ApprovedWithConstraints
		}
		for _, n := range g.Spawn {
			if n == e.Program {
				return "", Approved
			}
		}
		return "spawn/unknown", ApprovedWithConstraints
	case effect.OpInteractive:
		return "spawn/interactive", ApprovedWithConstraints
	}
	if own, _ := c.undoes(g, e); own || e.Op == effect.OpEscape && g.Profile != ProfileStrict && (c.changesOwn(e) || c.dropsOwn(e)) {
		return "", Approved
	}
	return "spawn/escape", ApprovedWithConstraints
}

func (g *Guardrail) judgeNetwork(c *Context, e *Effect) (string, Disposition) {
	if g.Profile != ProfileStrict && e.Op != effect.OpListen && loopback(e.Net) && !controls(e) {
		return "", Approved
	}
	if g.lists(e) {
		return "", Approved
	}
	if g.Profile != ProfileStrict && (e.Named && e.Op == effect.OpFetch || refersTo(e) || c.documented(e) || c.forges != nil && c.forges(c, e)) {
		return "", Approved
	}
	if e.Op == effect.OpFetch || e.Op == effect.OpProbe {
		return "egress/fetch", ApprovedWithConstraints
	}
	if e.Op == effect.OpListen {
		return "egress/listen", ApprovedWithConstraints
	}
	return "egress/send", ApprovedWithConstraints
}
