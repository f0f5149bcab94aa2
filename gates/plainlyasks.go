package gates

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file judges what files hold that are no script of an interpreter: the commands that
// build files, settings and compiled code start. A command counts for what it plainly does;
// a program that is not known, or a word that only the run time knows, is the daily work of
// a project.

// plainlyAsks says whether a command does what would not be approved where it is asked for
// by itself: it sends, deletes, writes elsewhere, or is rejected. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) plainlyAsks(line, dir string) bool { return c.asksFor(line, dir, false, false) }

// taskAsks is plainlyAsks for a line that a shell is given as it stands: there it counts, too, what is
// deleted under a name that only the run tells, and a program that only make tells. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) taskAsks(line, dir string) bool { return c.asksFor(line, dir, false, true) }

// asksFor is plainlyAsks; what git loses of a work tree counts only where nobody chose
// another one.
func (c *Context) asksFor(line, dir string, elsewhere, task bool) bool {
	script := ShellContext(strings.ReplaceAll(line, "$@", "target"), State{Cwd: dir, Home: c.Home, Roots: c.Roots, Exists: c.exists, Compiled: c.places.Compiled})
	var g Guardrail
	d := g.Decide(&script)
	if d.Disposition == Approved {
		return false
	}
	for i := range d.Reasons {
		if r := &d.Reasons[i]; (plainReason(&script, r) || knownAct(&script, r)) && !(elsewhere && lostByGit(&script, r)) {
			return true
		} else if task && (r.Rule == "workspace/delete" || r.Rule == "workspace/discard" || (r.Rule == "opaque/computed" || r.Rule == "spawn/file") && strings.Contains(line, unevaluated)) {
			return true
		}
	}
	return false
}

// knownAct says whether a reason is about what a known program is known to do with such words:
// it takes away what others keep, changes the machine, ends processes, runs what lies elsewhere.
// A program that nobody knows, and a word that is in no table, count by their names alone.
func knownAct(script *Context, r *Reason) bool {
	switch r.Rule {
	case "spawn/setting", "spawn/signal":
		return true
	case "spawn/file": // a word that only the run tells may be any
		e := &script.Effects[r.Effect]
		return e.Zone != effect.ZoneUnknown && e.Zone != effect.ZoneCaller && !strings.Contains(e.Resource, "…")
	case "spawn/escape", "spawn/unknown":
	default:
		return false
	}
	e := &script.Effects[r.Effect]
	run := script.runOf(r.Effect)
	if run == nil {
		return r.Rule == "spawn/escape"
	}
	if e.Op == effect.OpEscape && e.Resource != e.Program && !strings.Contains(e.Resource, "…") && !slices.ContainsFunc(run.Unlisted, func(w string) bool { return strings.Contains(e.Resource, " "+w) }) {
		return true
	}
	return slices.ContainsFunc(run.Words[1:], asksByName)
}

// plainReason says whether a reason is about what code plainly does.
func plainReason(script *Context, r *Reason) bool {
	if r.Disposition == Rejected || r.Effect < 0 || r.Effect >= len(script.Effects) {
		return true
	}
	family, _, _ := cutAt(r.Rule, "/")
	switch family {
	case "spawn", "opaque":
		return false
	case "workspace":
		return script.Effects[r.Effect].Zone != effect.ZoneUnknown
	}
	return r.Rule != "egress/listen"
}

// lostByGit says whether a reason is about what git takes away in a work tree.
func lostByGit(script *Context, r *Reason) bool {
	if r.Effect < 0 || r.Effect >= len(script.Effects) {
		return false
	}
	e := &script.Effects[r.Effect]
	return e.Program == "git" && (e.Zone == effect.ZoneWorkspace || e.Kind == effect.Spawn)
}

// steersPlainly says whether the commands in a file without an interpreter of its own are
// such as would be approved, as far as they are plain.
func (c *Context) steersPlainly(w *effect.Written) bool {
	if len(w.Text) > maxPlain {
		return false
	}
	dir := path.Dir(w.Path)
	elsewhere := codeOf(w.Path) != "" && choosesDirectory(w.Text)
	how := shell.Loaded(w.Path)
	for _, line := range atMost(c.commandsHeld(w.Path, w.Text)) {
		if c.asksFor(line, dir, elsewhere, how == shell.Recipes || how == shell.Tasks) {
			return false
		}
	}
	return true
}

// directoryChoosers are what libraries call the directory in which a program is started.
var directoryChoosers = [...]string{".Dir = ", "current_dir(", ".directory(", "WorkingDirectory", "workingDirectory", "currentDirectory"}

// choosesDirectory says whether code chooses where the programs work that it starts, as
// tests of what uses git do. What they lose there is theirs.
func choosesDirectory(text string) bool {
	return slices.ContainsFunc(directoryChoosers[:], func(s string) bool { return strings.Contains(text, s) })
}

// commandsHeld are the command lines that a file keeps for what loads it.
func (c *Context) commandsHeld(file, text string) []string {
	switch base := path.Base(file); base {
	case "package.json", "composer.json":
		scripts := scriptsOf(text)
		if scripts == nil { // a part of one
			return literals(text)
		}
		var out []string
		for _, lines := range scripts {
			out = append(out, lines...)
		}
		return out
	}
	if path.Ext(file) == ".go" {
		return append(started(text), directives(text)...)
	}
	switch shell.Loaded(file) {
	case shell.Recipes:
		text = madeText(unnamed(text))
		return append(recipes(text), computedByMake(text)...)
	case shell.Tasks:
		return append(recipes(values(text)), commandsIn(file, text)...)
	case shell.Literals:
		if out := commandsIn(file, text); out != nil {
			return append(out, started(text)...)
		}
		return started(text)
	}
	switch codeOf(file) {
	case "r":
		return started(text)
	case "sh": // Bats, whose tests are functions with a text for their name
		return recipes(text)
	}
	return nil
}

// notebookPlain says whether the cells of a notebook, or the one that is put into it, do what
// a project's code does.
func (c *Context) notebookPlain(w *effect.Written) bool {
	dir := path.Dir(w.Path)
	cells := notebookCells(w.Text)
	if w.Part && w.Old == "" && !strings.HasPrefix(strings.TrimSpace(w.Text), "{") {
		cells = []string{w.Text}
	}
	for _, cell := range cells {
		if first, rest, ok := cutAt(strings.TrimLeft(cell, " \t\n"), "\n"); ok && strings.HasPrefix(first, "%%") {
			if !c.magicPlain(w, trimPrefix(first, "%%"), rest) {
				return false
			}
			continue
		}
		var code strings.Builder
		for line := range strings.Lines(cell) {
			t := strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(t, "!"):
				if c.plainlyAsks(strings.TrimLeft(t, "!"), dir) {
					return false
				}
			case strings.HasPrefix(t, "%"): // a magic command; what it runs is followed
			default:
				code.WriteString(line)
			}
		}
		if !c.vetted(&effect.Written{Path: w.Path + ".py", Text: code.String(), Known: true}) {
			return false
		}
	}
	return true
}

// magicPlain says whether a cell that a magic takes whole does what a project's code does
// (ipython.readthedocs.io, Cell magics).
func (c *Context) magicPlain(w *effect.Written, magic, rest string) bool {
	name, _, _ := cutAt(strings.TrimSpace(magic), " ")
	end := ""
	switch name {
	case "html", "HTML", "latex", "markdown", "svg":
		return true
	case "bash", "sh", "!", "sx", "system", "script":
		end = ".sh"
	case "capture", "prun", "time", "timeit", "python", "python3":
		end = ".py"
	case "javascript", "js":
		end = ".js"
	case "perl":
		end = ".pl"
	case "ruby":
		end = ".rb"
	default:
		return false
	}
	return c.vetted(&effect.Written{Path: w.Path + end, Text: rest, Known: true})
}

// notebookCells are the cells with code of a notebook (nbformat.readthedocs.io).
func notebookCells(text string) []string {
	var n struct {
		Cells []struct {
			Type   string `json:"cell_type"`
			Source any    `json:"source"`
		} `json:"cells"`
	}
	if json.Unmarshal([]byte(text), &n) != nil {
		return nil
	}
	var out []string
	for _, cell := range n.Cells {
		if cell.Type != "code" {
			continue
		}
		switch s := cell.Source.(type) {
		case string:
			out = append(out, s)
		case []any:
			var b strings.Builder
			for _, line := range s {
				if l, ok := line.(string); ok {
					b.WriteString(l)
				}
			}
			out = append(out, b.String())
		}
	}
	return out
}
