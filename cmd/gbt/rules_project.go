package main

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/rules"
	guards "github.com/gbt-policy/gbt/internal/gates/names"
)

// Settings of a project may come with somebody else's repository. What they allow of files
// is taken over for the project's own files alone, and not for those that hold secrets or
// decide what runs: one writes such a rule with gbt allow.

// notOfProject says why a rule that allows something is not made of a project's settings;
// empty where it may be.
func notOfProject(r *rules.Rule, root string) string {
	switch kind, what := r.What(); kind {
	case "read", "write", "delete":
		return notItsFile(what, root, kind != "read")
	case "command":
		return notItsFiles(what, root)
	}
	return ""
}

const byHand = "; if you want it, write it yourself with gbt allow"

// notItsFile is notOfProject for one path of a rule, which may be a pattern.
func notItsFile(p, root string, changes bool) string {
	home, _ := os.UserHomeDir()
	root, full := filepath.ToSlash(root), p
	switch {
	case p == "~" || strings.HasPrefix(p, "~/"):
		full = filepath.ToSlash(home) + p[1:]
	case !strings.HasPrefix(p, "/"):
		full = root + "/" + p
	}
	full = path.Clean(full)
	rel, inside := strings.CutPrefix(full, strings.TrimSuffix(root, "/")+"/")
	switch {
	case guards.Sensitive(full) || guards.SensitiveGlob(full):
		return "from a project's settings no allow is taken of files that hold secrets" + byHand
	case !inside && full != root:
		return "from a project's settings no allow is taken of files outside the project" + byHand
	case changes && (guards.Guarded(rel) || guards.GuardedGlob(rel) || guards.GuardedBelow(path.Base(rel), !strings.Contains(rel, "/")) != ""):
		return "from a project's settings no allow is taken of protected files, which decide what runs or what an agent may do" + byHand
	}
	return ""
}

// notItsFiles is notOfProject for a command: of every file that it reads or changes, as
// the analyser of calls has them.
func notItsFiles(line, root string) string {
	args, err := json.Marshal(map[string]string{"command": strings.ReplaceAll(line, "*", "SOMETHING")})
	if err != nil {
		return err.Error()
	}
	home, _ := os.UserHomeDir()
	c := (&gates.Checker{}).Context(gates.Request{Tool: "bash", Args: args}, gates.State{Cwd: root, Roots: []string{root}, Home: home, UID: -1, GID: -1})
	for i := range c.Effects {
		e := &c.Effects[i]
		changes := e.Kind == effect.Write || e.Kind == effect.Delete
		if !changes && e.Kind != effect.Read && e.Kind != effect.List {
			continue
		}
		switch {
		case e.Sensitive:
			return notItsFile("/etc/shadow", root, changes)
		case e.Zone == effect.ZoneHome || e.Zone == effect.ZoneOutside || e.Zone == effect.ZoneSystem || e.Zone == effect.ZoneKept:
			return notItsFile("/", root, changes)
		case changes && e.Zone == effect.ZoneWorkspace && e.Protected:
			return notItsFile(".git/hooks", root, changes)
		}
	}
	return ""
}
