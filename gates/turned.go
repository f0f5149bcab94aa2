package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about names that come to mean something else: "origin" where its address
// was changed, "git status" where it now starts a program. A rule and a remembered yes
// follow the name, so they answer nothing until people have agreed to one call that goes
// by the change.

// Kinds of what stands in Flow.Turned: which later calls go by it. Behind the kind stand
// a blank, what was changed, and behind a zero byte what it is now.
const (
	turnSend   = "send"   // what git, and who finds repositories by it, send to
	turnFetch  = "fetch"  // what they fetch from
	turnGit    = "git"    // what git starts whatever it does
	turnHook   = "hook"   // what git starts when it changes something
	turnClient = "client" // what a client of registries goes by; its name stands behind a colon
	turnCode   = "code"   // files of a branch that is somebody else's, below a directory
	turnTree   = "tree"   // what says which directories are work trees of a repository
	turnLink   = "link"   // a symbolic link, and where it leads
	turnName   = "name"   // names of branches, since secrets were read
	turnKnown  = "known"  // a branch of somebody else's whose code people agreed to run
	turnNames  = "names"  // a manifest, and what it named before the session changed it
	turnOver   = "over"   // a directory over which files of somebody else's were brought, and where they are from
	turnDotGit = "dotgit" // a repository below such files, and a digest of what git started there before
	turnDiff   = "diff"   // a file that holds what git showed of the workspace's own repository
	turnPort   = "port"   // a port of this machine that leads to another one
	turnRef    = "ref"    // a name for what is on somebody else's branch
	turnTouch  = "touch"  // how many calls may have changed files that the session did not spell out
	turnPut    = "put"    // what was moved into a temporary directory and is more than temporary
)

// turn is an entry of Flow.Turned. Where at is set it counts for runs from there alone.
type turn struct{ kind, what, now, at string }

//go:noinline
func (t turn) String() string {
	s := t.kind + " " + t.what
	if t.now != "" || t.at != "" {
		s += "\x00" + t.now
	}
	if t.at != "" {
		s += "\x00" + t.at
	}
	return s
}

func turnOf(entry string) turn {
	kind, rest, _ := cutAt(entry, " ")
	what, rest, _ := cutAt(rest, "\x00")
	now, at, _ := cutAt(rest, "\x00")
	return turn{kind, what, now, at}
}

// Tainted says whether an episode holds what must not be trusted: secrets that it read,
// files with contents that were fetched or would not be approved, and what it changed that
// later calls go by. A branch whose code people agreed to run is none of it, nor is a file
// that was put away, nor a name for what was fetched.
func (f *Flow) Tainted() bool {
	return f.SensitiveRead || len(f.Unvetted) > 0 || slices.ContainsFunc(f.Turned, func(s string) bool {
		kind := turnOf(s).kind
		return kind != turnKnown && kind != turnPut && kind != turnNames && kind != turnBrought && kind != turnSettled && kind != turnRef && kind != turnDotGit && kind != turnDiff && kind != turnPort && kind != turnTouch
	})
}

// maxTurn bounds what an entry shows of a value.
const maxTurn = 120

// anyTurn stands for what did not fit into Flow.Turned.
const anyTurn = "*"

// turned is what the session has changed after the call. What people agreed to with this
// call is settled.
func (c *Context) turned() []string {
	out := slices.Clone(c.Flow.Turned)
	used := c.goesBy()
	for _, u := range used {
		for _, entry := range u.entries {
			switch t := turnOf(entry); {
			case u.kind == turnCode && t.now == someRequest:
			case u.kind == turnCode:
				out = with(out, turn{kind: turnKnown, what: t.now}.String())
			case u.kind == turnConfig && t.at != "":
				out = with(out, turn{kind: turnSettled, what: t.at, now: t.now}.String())
			}
		}
		out = slices.DeleteFunc(out, func(entry string) bool {
			return isAmong(u.entries, entry) || u.kind == turnSend && turnOf(entry).kind == turnFetch
		})
	}
	out = c.withoutWritten(slices.DeleteFunc(out, c.settledNames))
	for _, t := range c.turns() {
		if len(t.now) > maxTurn && t.kind != turnNames {
			t.now = t.now[:maxTurn]
		}
		if t.kind == turnRef { // a name stands for what was fetched last under it
			out = slices.DeleteFunc(out, func(entry string) bool { o := turnOf(entry); return o.kind == turnRef && o.what == t.what })
		}
		entry := t.String()
		if !slices.ContainsFunc(used, func(u use) bool { return isAmong(u.entries, entry) }) {
			out = with(out, entry)
		}
	}
	return boundedTurns(c.counted(out))
}

// boundedTurns keeps a list within maxFlow without forgetting that there was more.
func boundedTurns(list []string) []string {
	if len(list) <= maxFlow {
		return list
	}
	var out []string
	for _, entry := range list {
		out = with(out, turn{kind: turnOf(entry).kind, what: anyTurn}.String())
	}
	return out
}

// turns are the changes that the call makes.
func (c *Context) turns() []turn {
	var out []turn
	for i := range c.runs {
		out = append(append(out, c.turnsOfRun(&c.runs[i])...), c.turnsOfCode(&c.runs[i])...)
		out = append(append(out, c.turnsOfName(&c.runs[i])...), c.turnsOfEditor(&c.runs[i])...)
		out = append(out, c.turnsOfPorts(&c.runs[i])...)
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Write || e.Kind == effect.Delete {
			out = append(append(append(out, c.turnsOfFile(e)...), c.turnsOfMove(i)...), c.turnsOfManifest(i)...)
		}
	}
	return append(append(append(out, c.turnsOfTrees()...), c.ownDiffs()...), c.exportedTurns()...)
}

func (c *Context) turnsOfRun(r *effect.Run) []turn {
	if what, now, t, ok := shell.GitTurn(r.Words); ok && !c.sameRemote(r, what, now) && !c.startsVetted(now, t) {
		return c.inOneRepository(r, turnsOf(t, what, now))
	}
	if prog := path.Base(r.Words[0]); len(clientFiles[prog]) > 0 && configures(r.Words[1:]) && !tameSettings(lastSetting(r.Words)) {
		var out []turn
		for _, p := range clientsOf(clientFiles[prog][0], "") {
			out = append(out, turn{kind: turnClient + ":" + p, what: prog + " config"})
		}
		return out
	}
	return nil
}

// inOneRepository binds changes of a repository that is not the workspace's to it.
func (c *Context) inOneRepository(r *effect.Run, list []turn) []turn {
	all := isAmong(r.Words, "--global") || isAmong(r.Words, "--system") || path.Base(r.Words[0]) != "git"
	if all {
		return list
	}
	return c.bound(list, c.dirOf(r))
}

// bound binds changes to a repository, if it is known and not the workspace's.
func (c *Context) bound(list []turn, dir string) []turn {
	if !exact(dir) || dir == c.Home || slices.ContainsFunc(c.Roots, func(root string) bool { return mark.Under(dir, root) }) {
		return list
	}
	for i := range list {
		list[i].at = dir
	}
	return list
}

// repositoryAbove is the work tree whose repository a file belongs to, or nothing.
func repositoryAbove(file string) string {
	if i := strings.Index(file+"/", "/.git/"); i > 0 {
		return file[:i]
	}
	return ""
}

// dirOf is the directory in which a run does its work.
func (c *Context) dirOf(r *effect.Run) string {
	dir := r.Cwd
	if path.Base(r.Words[0]) == "git" {
		for _, d := range shell.GitDirs(r.Words) {
			dir = c.places.Resolve(dir, d)
		}
	}
	return dir
}

// sameRemote says whether a remote is given the address that it has, in another form.
func (c *Context) sameRemote(r *effect.Run, what, now string) bool {
	name, ok := cutPrefix(what, "remote ")
	if !ok || c.places.Repo == nil || effect.Remote(now) == "" {
		return false
	}
	repo, known := c.places.Repo(c.dirOf(r))
	fetch, _ := repo.At(name, false)
	push, _ := repo.At(name, true)
	return known && fetch == effect.Remote(now) && push == fetch
}

// startsVetted says whether a setting does no more than name a program that may run
// anyway.
func (c *Context) startsVetted(now string, t shell.Turn) bool {
	return t == shell.Turn{Programs: true} && c.vetted(&effect.Written{Path: "x.sh", Text: now, Known: true}) && !c.startsHarm(now)
}

// startsHarm says whether a command of git's settings starts a file of the workspace that would not
// be approved, as it is now.
func (c *Context) startsHarm(line string) bool {
	f := follower{c: c}
	inner := f.inner(line, c.Cwd)
	return slices.ContainsFunc(inner.Effects, func(e Effect) bool {
		if e.Kind != effect.Spawn || e.Op != effect.OpRunFile || !c.inWorkspace(e.Resource) {
			return false
		}
		text, ok := f.text(e.Resource)
		return ok && !c.vetted(&effect.Written{Path: e.Resource, Text: text, Known: true})
	})
}

func turnsOf(t shell.Turn, what, now string) []turn {
	var out []turn
	for _, k := range [...]struct {
		kind string
		is   bool
	}{{turnSend, t.Sends}, {turnFetch, t.Fetches}, {turnGit, t.Programs}, {turnHook, t.Hooks}} {
		if k.is {
			out = append(out, turn{kind: k.kind, what: what, now: now})
		}
	}
	return out
}

// turnsOfFile are the changes that a write of a file makes. What git writes into its own
// files is told by its words.
func (c *Context) turnsOfFile(e *Effect) []turn {
	var out []turn
	if t, ok := shell.TurnOfFile(e.Resource); ok && e.Program != "git" && !c.plainHook(e, t) {
		out = c.bound(turnsOf(t, c.shortPath(e.Resource), ""), repositoryAbove(e.Resource))
	}
	out = append(out, c.turnsOfSettings(e)...)
	for _, p := range clientsOf(path.Base(e.Resource), path.Base(path.Dir(e.Resource))) {
		if !c.tameWrite(e) {
			out = append(out, turn{kind: turnClient + ":" + p, what: c.shortPath(e.Resource)})
		}
	}
	return append(append(out, c.turnsOfTree(e)...), c.turnsOfLink(e)...)
}

// turnsOfSettings are the changes by a file that is git's configuration where git takes its
// directory for a repository (gitrepository-layout(5)); a text that nobody knows may be any.
func (c *Context) turnsOfSettings(e *Effect) []turn {
	if path.Base(e.Resource) != "config" || !exact(e.Resource) || !c.inWorkspace(e.Resource) || e.Kind != effect.Write || e.Program == "git" || e.Op == effect.OpChmod || strings.Contains(e.Resource, "/.git/") {
		return nil
	}
	t := shell.Turn{Programs: true}
	for _, m := range c.made() {
		if m.Path == e.Resource && m.Known {
			t = shell.TurnOfSettings(m.Text)
		}
	}
	if !t.Programs && !t.Hooks {
		return nil
	}
	return []turn{{kind: turnGit, what: c.shortPath(e.Resource), at: path.Dir(e.Resource)}}
}

// plainHook says whether a hook is written, or taken away, that does nothing which would
// not be approved.
func (c *Context) plainHook(e *Effect, t shell.Turn) bool {
	if !t.Hooks || t.Fetches {
		return false
	}
	return e.Kind == effect.Delete && !e.Glob || slices.ContainsFunc(c.written, func(w effect.Written) bool {
		return w.Path == e.Resource && w.Known && !w.Part && !w.Net && c.vetted(&w) && !c.harmful(w.Path, w.Text)
	})
}

// exportedTurns are variables that a shell goes on giving to git, where the host keeps
// one shell (git(1), Environment Variables).
func (c *Context) exportedTurns() []turn {
	if !strings.Contains(c.Command, "export ") && !strings.Contains(c.Command, "declare -x") && !strings.Contains(c.Command, "set -a") && !strings.Contains(strings.ToLower(c.Command), "$env:") {
		return nil
	}
	var out []turn
	for i := range c.Effects {
		e := &c.Effects[i]
		name, value, ok := cutAt(e.Resource, "=")
		if ok && e.Kind == effect.Spawn && e.Op == effect.OpEscape && strings.HasPrefix(name, "GIT_") && !strings.Contains(name, " ") {
			out = append(out, turnsOf(shell.Turn{Sends: true, Fetches: true, Programs: true}, name, value)...)
		}
	}
	return out
}

// shortPath is how an entry names a file.
func (c *Context) shortPath(file string) string {
	for _, r := range c.Roots {
		if rest, ok := cutPrefix(file, r+"/"); ok {
			return rest
		}
	}
	if rest, ok := cutPrefix(file, c.Home+"/"); ok {
		return "~/" + rest
	}
	return file
}
