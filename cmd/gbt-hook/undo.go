package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/undo"
)

// undoNames bounds the workspaces that are looked at before every call: looking at more
// names takes longer than people wait (a microsecond or two for each).
const undoNames = 400_000

// openUndo opens the workspace's journal; nil where none is kept.
func (c *config) openUndo(roots []string) (*undo.Journal, string, error) {
	root := workspaceOf(roots)
	if !c.undoes() || root == "" {
		return nil, "", nil
	}
	base, err := c.undoBase()
	if err != nil {
		return nil, "", err
	}
	dir := undo.DirFor(base, root)
	j, err := undo.Open(undo.Options{Dir: dir, Root: root, Limit: c.timeout / 4, MaxNames: undoNames})
	return j, dir, err
}

func (c *config) undoes() bool { return c.undo != "" && c.undo != "none" }

// undoBase is the directory of all journals, or empty.
func (c *config) undoBase() (string, error) {
	switch {
	case !c.undoes():
		return "", nil
	case c.undo == "auto":
		return undo.DefaultBase()
	}
	return absolute(c.undo)
}

// workspaceOf is the first root by its real path: gbt undo finds it by that.
func workspaceOf(roots []string) string {
	if len(roots) == 0 || roots[0] == effect.UnknownRoot {
		return ""
	}
	real, err := filepath.EvalSymlinks(roots[0])
	if err != nil {
		return ""
	}
	return real
}

// remember looks at the workspace before a call that may change it. A call that could not
// be remembered runs all the same: what it changes can then not be undone, and gbt undo
// says of the journal why.
func (c *config) remember(in *hosts.Input, ctx *gates.Context) (taken, error) {
	if harmless(ctx) {
		return taken{}, nil
	}
	j, dir, err := c.openUndo(ctx.Roots)
	if j == nil {
		return taken{}, err
	}
	defer j.Close()
	id, err := j.Before(undo.Call{
		Session: in.Session, Agent: c.host.Name, What: whatOf(ctx), Outside: outsideOf(ctx), Paths: pathsOf(ctx), Silent: !c.host.Reports,
	})
	if err != nil {
		return taken{}, err
	}
	return taken{id, j.Tier()}, os.WriteFile(c.undoKey(dir, in), []byte(id), 0o600)
}

// undoKey is the file that says which step a call's is.
func (c *config) undoKey(dir string, in *hosts.Input) string {
	return filepath.Join(dir, "call-"+digest(in.Session+"\x00"+callKey(in)))
}

// remembered looks at the workspace after the call.
func (c *config) remembered(in *hosts.Input, ctx *gates.Context) error {
	if harmless(ctx) {
		return nil
	}
	j, dir, err := c.openUndo(ctx.Roots)
	if j == nil {
		return err
	}
	defer j.Close()
	id, err := os.ReadFile(c.undoKey(dir, in))
	if errors.Is(err, os.ErrNotExist) {
		return nil // begun before the hook was there, or by another call with the same key
	}
	if err == nil {
		err = errors.Join(j.After(string(id)), os.Remove(c.undoKey(dir, in)))
	}
	return err
}

// endSteps looks once more where the user speaks: calls of which no word came have ended, and
// what changes from now on may be the user's.
func (c *config) endSteps(roots []string, in *hosts.Input) error {
	j, _, err := c.openUndo(roots)
	if j == nil {
		return err
	}
	defer j.Close()
	return j.End(in.Session)
}

// harmless says that a call changes no file: it only reads.
func harmless(ctx *gates.Context) bool {
	if ctx.Class.Family == call.FamilyShell || ctx.Doubt != "" {
		names, known := changesOf(ctx)
		return known && len(names) == 0
	}
	return !slices.ContainsFunc(ctx.Effects, func(e gates.Effect) bool {
		return e.Kind != effect.Read && e.Kind != effect.List && e.Kind != effect.Network
	})
}

// pathsOf are the names that a call changes, where it can change no others.
func pathsOf(ctx *gates.Context) []string {
	names, known := changesOf(ctx)
	if !known {
		return nil
	}
	return names
}

// whatOf says what a call does without any of its arguments: they may hold secrets.
func whatOf(ctx *gates.Context) string {
	programs := programsOf(ctx)
	if len(programs) == 0 {
		return ctx.Tool
	}
	return ctx.Tool + ": " + strings.Join(programs, ", ")
}

// programsOf are the programs that a call runs, six at most.
func programsOf(ctx *gates.Context) []string {
	var programs []string
	for i := range ctx.Effects {
		if p := ctx.Effects[i].Program; p != "" && !slices.Contains(programs, p) {
			programs = append(programs, p)
		}
	}
	return programs[:min(len(programs), 6)]
}

// outsideOf says what of a call no snapshot of the workspace covers.
func outsideOf(ctx *gates.Context) []string {
	var out []string
	for i := range ctx.Effects {
		e := &ctx.Effects[i]
		if e.Kind == effect.Read || e.Kind == effect.List || e.Op == effect.OpFetch || e.Tier() == effect.TierReversible {
			continue
		}
		if e.Kind == effect.Spawn && e.Zone == effect.ZoneWorkspace {
			continue // what the workspace's own program changes there is looked at
		}
		what := strings.TrimSpace(e.Op.String() + " " + e.Program + " " + e.Net.Domain + e.Net.IP)
		if !slices.Contains(out, what) {
			out = append(out, what)
		}
	}
	return out
}
