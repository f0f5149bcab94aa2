package main

import (
	"path/filepath"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// What a call changes is known of file tools, and of command lines that are read to the end
// and run nothing but programs that change no file beside those that they name. Of all else,
// everything is looked at: a program may do what its arguments don't say. Where this is
// wrong about a call, the next look at everything puts what it changed down to somebody else.
// Not among such programs are git, which writes its index when it looks, those that keep backups
// or parts under other names (cp, mv, ln, split), and those that run others.

// writers are those of these programs (keeps.Others) that change files that they name, and nothing
// beside; the empty one is the shell with its redirections.
var writers = []string{"", "chmod", "mkdir", "rm", "rmdir", "tee", "touch"}

// changesOf are the names that a call changes. known is false where there may be others.
func changesOf(ctx *gates.Context) (names []string, known bool) {
	shell := ctx.Class.Family == call.FamilyShell
	if ctx.Doubt != "" || !shell && ctx.Class.Family != call.FamilyFile {
		return nil, false
	}
	for i := range ctx.Effects {
		e := &ctx.Effects[i]
		switch {
		case e.Kind == effect.Read || e.Kind == effect.List:
		case shell && e.Kind == effect.Spawn && e.Op == effect.OpRun && keeps.Program(e.Program, keeps.Others):
		case shell && !slices.Contains(writers, e.Program):
			return nil, false
		case namesOne(e):
			names = append(names, e.Resource)
		default:
			return nil, false
		}
	}
	return names, true
}

// namesOne says that an effect changes one name of the workspace and says which.
func namesOne(e *gates.Effect) bool {
	return (e.Kind == effect.Write || e.Kind == effect.Delete && e.Op != effect.OpRemoveTree) && e.Zone == effect.ZoneWorkspace && !e.Glob &&
		filepath.IsAbs(e.Resource) && !mark.Has(e.Resource)
}
