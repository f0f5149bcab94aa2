package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file says which commands no build and no test has a reason for: a file that
// holds one asks before whatever loads it.

// severe says whether a command that a build runs unasked is rejected, or reaches
// beyond the project in a way that no build does: it sends by a plain client, reads
// the user's secrets, deletes or steers what belongs to the user, loses what nobody
// has committed or others have pushed, or runs what anybody may have written.
func (c *Context) severe(line string) bool {
	e, rejected := c.startedBy(line)
	return rejected || runsAddress(e, line) || overwritesOthers(e, line) || slices.ContainsFunc(e, severeEffect) || slices.ContainsFunc(e, losesWork)
}

// severeElsewhere is severe for a command that may work in a directory that the code
// around it has chosen, as tests of what uses git do: what it loses there is theirs.
func (c *Context) severeElsewhere(line string) bool {
	e, rejected := c.startedBy(line)
	return rejected || runsAddress(e, line) || slices.ContainsFunc(e, severeEffect)
}

// startedBy are the effects of a command line, and whether it is rejected.
func (c *Context) startedBy(line string) ([]Effect, bool) {
	places := c.placesIn(c.Cwd)
	line = strings.ReplaceAll(line, "$@", "target") // make's and Bazel's word for what a rule makes
	script := Context{Effects: shell.AnalyzeCode("sh", line, &places)}
	var g Guardrail
	return script.Effects, g.Decide(&script).Disposition == Rejected || runsFetched(&script)
}

func severeEffect(e Effect) bool {
	switch e.Kind {
	case effect.Network:
		return (e.Op == effect.OpSend || e.Op == effect.OpConnect) && !loopback(e.Net) && mark.Among(plainClients, e.Program)
	case effect.Read:
		return e.Sensitive && outside(e.Zone)
	case effect.Delete:
		return outside(e.Zone)
	case effect.Write:
		return e.Zone == effect.ZoneHome && e.Protected
	case effect.Setting:
		return e.Op == effect.OpPersist || e.Op == effect.OpSchedule || e.Op == effect.OpAccount
	case effect.Spawn:
		return e.Op == effect.OpRunFile && e.Zone == effect.ZoneTemp || e.Op == effect.OpEscape && strings.HasPrefix(e.Resource, "gpg --export-secret") // gpg(1)
	}
	return false
}

// outside says whether a place is known and belongs to no project. Not inlined, for the size of programs.
//
//go:noinline
func outside(z effect.Zone) bool {
	return z != effect.ZoneWorkspace && z != effect.ZoneTemp && z != effect.ZoneUnknown && z != effect.ZoneCaller
}

// losesWork says whether git takes changes away that nobody has committed.
func losesWork(e Effect) bool {
	return e.Program == "git" && (e.Kind == effect.Delete || e.Op == effect.OpEscape && strings.HasPrefix(e.Resource, "git reset --hard"))
}

// ownDirectory are what libraries call the directory that a command works in, and one
// that a test makes for itself.
var ownDirectory = [...]string{".Dir = ", "cwd", "chdir", "current_dir", "TempDir", "tempdir", "tmp_path", "tmpdir", "mkdtemp", "mktmpdir", "directory("}

// elsewhere says whether code chooses the directories that its commands work in.
func elsewhere(text string) bool {
	return slices.ContainsFunc(ownDirectory[:], func(d string) bool { return strings.Contains(text, d) })
}

// severeStarts says whether what code starts is severe.
func (c *Context) severeStarts(text string) bool {
	if elsewhere(text) {
		return slices.ContainsFunc(atMost(started(text)), c.severeElsewhere)
	}
	return c.severeOne(started(text))
}

// plainClients are programs that send what they are given to any address. Sorted.
const plainClients = "curl ftp http https lftp nc ncat netcat rsync scp sftp socat telnet wget xh"

// runsAddress says whether a command that asks as a whole is given an address: it
// runs or installs what lies there.
func runsAddress(effects []Effect, line string) bool {
	if !strings.Contains(line, "://") {
		return false
	}
	return slices.ContainsFunc(effects, func(e Effect) bool {
		return e.Kind == effect.Spawn && e.Op == effect.OpEscape && e.Program != "git"
	})
}

// overwritesOthers says whether git push replaces or deletes what others have, or
// sends to an address instead of a remote of the project (git-push(1)).
func overwritesOthers(effects []Effect, line string) bool {
	_, rest, ok := cutAt(line, "push")
	if !ok || !slices.ContainsFunc(effects, func(e Effect) bool { return e.Kind == effect.Network && e.Program == "git" && e.Op == effect.OpSend }) {
		return false
	}
	for _, w := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\n;&|'\"", r) }) {
		switch {
		case strings.HasPrefix(w, "--force"), w == "--mirror", w == "--delete", w == "--prune", strings.Contains(w, "://"), len(w) > 1 && (w[0] == '+' || w[0] == ':'):
			return true
		case w[0] == '-' && !strings.HasPrefix(w, "--") && strings.ContainsAny(w, "fd"):
			return true
		}
	}
	return false
}

// unnamed is a text without the tasks whose names say that they reach beyond the
// workspace: who runs one is asked for its name. One that runs without being named is
// kept: the first of a file, one that something else in it names, and what package
// managers run before and after others.
func unnamed(text string) string {
	var b strings.Builder
	skip, first := false, true
	for line := range strings.Lines(text) {
		if target, needs, ok := cutAt(line, ":"); ok && target != "" && !strings.ContainsAny(target[:1], " \t#.") && !strings.HasPrefix(needs, "=") {
			skip = !first && asksByName(target) && !needed(text, strings.TrimSpace(target))
			first = false
		} else if strings.TrimSpace(line) != "" && line[0] != '\t' {
			skip = false
		}
		key, _, ok := cutAt(strings.TrimSpace(line), `":`)
		if skip && line[0] == '\t' || ok && strings.HasPrefix(key, `"`) && asksByName(key[1:]) && !lifecycle(key[1:]) && strings.Count(text, " "+key[1:]) == 0 {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// lifecycle says whether npm may run a script by itself: prepublish at every install
// (npm's scripts(7)).
func lifecycle(script string) bool {
	return strings.HasPrefix(script, "pre") || strings.HasPrefix(script, "post")
}

// asksByName says whether a task's name asks when it is run.
func asksByName(name string) bool { return name != "" && shell.Outward(name) }

// needed says whether anything of a makefile but a target's own rule names it.
func needed(text, target string) bool {
	own := false
	for line := range strings.Lines(text) {
		if line[0] != '\t' && strings.TrimSpace(line) != "" {
			name, _, _ := cutAt(line, ":")
			own = strings.TrimSpace(name) == target
		}
		if !own && !strings.HasPrefix(line, ".PHONY") && isAmong(strings.FieldsFunc(line, notInTarget), target) {
			return true
		}
	}
	return false
}

// notInTarget says whether a character ends the name of a target.
func notInTarget(c rune) bool {
	return strings.ContainsRune(" \t\n:=;&|()\"'", c)
}
