package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file finds the calls that go by what the session changed before.

// use is an effect of a call that goes by entries of Flow.Turned.
type use struct {
	at      int
	kind    string
	entries []string
}

// goesBy are the effects of the call that go by what the session changed.
func (c *Context) goesBy() []use {
	out := c.goesByNamesOfLine(append(append(c.checksOut(), c.runsBranchOfLine()...), c.startsOthers()...))
	if len(c.Flow.Turned) == 0 {
		return out
	}
	for i := range c.runs {
		if r := &c.runs[i]; len(r.Effects) > 0 {
			out = append(out, c.startsOver(r)...)
			for _, u := range c.runGoesBy(r) {
				if u.entries = hereOnly(u.entries, c.dirOf(r)); len(u.entries) > 0 {
					out = append(out, u)
				}
			}
		}
	}
	out = c.goesByNames(out)
	for i := range c.Effects {
		if e := &c.Effects[i]; c.runsFound(i) {
			out = c.use(out, i, turnCode, func(t turn) bool { return runsBelow(e, t.what) })
			out = c.use(out, i, turnOver, func(t turn) bool { return runsBelow(e, t.what) })
		}
	}
	return out
}

// hereOnly leaves out what counts for another repository.
func hereOnly(entries []string, cwd string) []string {
	return slices.DeleteFunc(entries, func(s string) bool {
		at := turnOf(s).at
		return at != "" && !mark.Under(cwd, at) && !mark.Under(at, cwd)
	})
}

// turnsOfCode are the changes of a run that bring in code of somebody else's.
func (c *Context) turnsOfCode(r *effect.Run) []turn {
	if len(r.Effects) == 0 {
		return nil
	}
	return append(append(c.turnsOfBranch(r), c.turnsOfRefs(r)...), c.turnsOver(r)...)
}

// runsBranchOfLine are the effects that run what the same line took from somebody else's
// branch, or brought over the workspace, before.
func (c *Context) runsBranchOfLine() []use {
	var out []use
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Effects) == 0 {
			continue
		}
		for _, t := range c.turnsOfCode(r) {
			if t.kind != turnCode && t.kind != turnOver {
				continue
			}
			for i := r.Effects[len(r.Effects)-1] + 1; i < len(c.Effects); i++ {
				if c.runsFound(i) && runsBelow(&c.Effects[i], t.what) {
					out = append(out, use{at: i, kind: t.kind, entries: []string{t.String()}})
				}
			}
		}
	}
	return out
}

// runsFound says whether an effect runs code that it finds in files.
func (c *Context) runsFound(i int) bool {
	e := &c.Effects[i]
	return e.Kind == effect.Spawn && (e.Op == effect.OpBuild || e.Op == effect.OpRunFile) && !c.checksOnly(i)
}

// use adds an effect that goes by entries of a kind, if there are any.
func (c *Context) use(out []use, at int, kind string, is func(turn) bool) []use {
	u := use{at: at, kind: kind}
	for _, entry := range c.Flow.Turned {
		if t := turnOf(entry); t.kind == kind && (t.what == anyTurn || is == nil || is(t)) {
			u.entries = append(u.entries, entry)
		}
	}
	if len(u.entries) > 0 {
		out = append(out, u)
	}
	return out
}

func (c *Context) runGoesBy(r *effect.Run) []use {
	var out []use
	prog := path.Base(r.Words[0])
	if i := c.connectionOf(r); i >= 0 {
		kind := turnSend
		if op := c.Effects[i].Op; op == effect.OpFetch || op == effect.OpProbe {
			kind = turnFetch
		}
		switch prog {
		case "git", "gh", "glab", "hub", "git-lfs":
			out = c.use(out, i, kind, nil)
		case "ssh", "scp", "sftp", "rsync", "mosh", "autossh":
			out = c.use(out, i, kind, func(t turn) bool { return strings.Contains(t.what, ".ssh/") })
		}
	}
	if sub, args := shell.GitSubcommand(r.Words); sub != "" && sub != "config" {
		out = c.use(out, r.Effects[0], turnGit, func(t turn) bool { return c.reaches(r, t.at) })
		if !shell.ReadsOnly(sub, args) {
			out = c.use(out, r.Effects[0], turnHook, nil)
		}
	}
	if len(clientFiles[prog]) > 0 && !configures(r.Words[1:]) {
		out = c.use(out, r.Effects[0], turnClient+":"+prog, nil)
	}
	return out
}

// reaches says whether a run of git goes by the settings of a directory of the workspace
// that is no work tree's repository: it works there, or is told of it by name.
func (c *Context) reaches(r *effect.Run, dir string) bool {
	if dir == "" || !c.inWorkspace(dir) {
		return true // bound to a repository elsewhere
	}
	told := strings.Contains(c.Command, "GIT_DIR") || slices.ContainsFunc(r.Words, func(w string) bool { return strings.HasPrefix(w, "--git-dir") })
	return mark.Under(c.dirOf(r), dir) || told && strings.Contains(c.Command, path.Base(dir))
}

// connectionOf is the connection that a run opens, or negative.
func (c *Context) connectionOf(r *effect.Run) int {
	for _, i := range r.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Network && e.Op != effect.OpListen && !loopback(e.Net) {
			return i
		}
	}
	return -1
}

// changedMeaning asks about the calls that go by what the session changed.
func (c *Context) changedMeaning(d *Decision) {
	var asked []string // one question about a change is enough
	for _, u := range c.goesBy() {
		if e := &c.Effects[u.at]; (u.kind == turnSend || u.kind == turnFetch) && c.throwAway != nil && (e.Op == effect.OpSend || strings.HasPrefix(e.Resource, "/")) && c.throwAway(c, u.at) {
			continue // where it leads is known
		}
		news := missingFrom(asked, u.entries)
		asked = append(asked, news...)
		if len(news) > 0 && !slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "flow/turned" && r.Effect == u.at }) {
			d.add("flow/turned", ApprovedWithConstraints, u.at, &c.Effects[u.at])
		}
	}
}

func missingFrom(have, list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return isAmong(have, s) })
}

// Turned is what the session changed that effect i of the call goes by, for people: a
// kind, what was changed and what it is now.
func (c *Context) Turned(i int) [][3]string {
	var out [][3]string
	for _, u := range c.goesBy() {
		for _, entry := range u.entries {
			t := turnOf(entry)
			if t.kind == turnNames {
				t.now = c.newNames(t)
			}
			if u.at == i && !slices.Contains(out, [3]string{t.kind, t.what, t.now}) {
				out = append(out, [3]string{t.kind, t.what, t.now})
			}
		}
	}
	return out
}
