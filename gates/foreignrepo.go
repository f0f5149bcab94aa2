package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about repositories whose own configuration starts programs: git and hg do
// what it says whichever subcommand runs, and look only at who owns the files. That of the
// workspace and of the projects beside it is its owner's. What came with an archive or a
// copy is whoever's packed it, and what lies elsewhere is read, where the host can. What git
// clones has a configuration that git wrote.

// Kinds of what stands in Flow.Turned for that.
const (
	turnBrought = "brought" // a directory into which files of others were unpacked or copied
	turnConfig  = "config"  // a configuration that may start something; in no Flow, for the question alone
	turnSettled = "settled" // one that people agreed to, with a digest of it
)

// unpackers write trees of files that nobody has seen. treeCopiers do it if they are told to
// take directories.
var (
	unpackers   = "7z 7za 7zr 7zz ar aws az bsdtar cpio docker gcloud gsutil jar kubectl oras pax podman rar rclone tar unar unrar unzip"
	treeCopiers = [...]string{"cp", "ditto", "gcp", "install", "mv", "rsync", "scp", "sftp"}
)

// broughtAt is the directory into which effect i brings a tree of somebody else's; empty
// where it does not. A copy of what lies in the workspace is the workspace's.
func (c *Context) broughtAt(i int) string {
	e := &c.Effects[i]
	if e.Kind != effect.Write || e.Op != effect.OpCreate && e.Op != effect.OpModify && e.Op != effect.OpMove || !strings.HasPrefix(e.Resource, "/") {
		return ""
	}
	dir := trimSuffix(e.Resource, "/unpacked")
	if !exact(dir) {
		dir = path.Dir(dir[:markOf(dir)] + "x")
	}
	unpacks := mark.Among(unpackers, e.Program)
	_, copies := slices.BinarySearch(treeCopiers[:], e.Program)
	switch {
	case unpacks:
		return dir
	case copies && c.takesTree(i):
		return dir
	}
	return ""
}

// takesTree says whether the run that has effect i copies a directory from elsewhere.
func (c *Context) takesTree(i int) bool {
	r := c.runOf(i)
	if r == nil {
		return true
	}
	trees := path.Base(r.Words[0]) == "mv" || slices.ContainsFunc(r.Words[1:], func(w string) bool {
		return w == "--recursive" || w == "--archive" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "arR")
	})
	sources := 0
	for _, k := range r.Effects {
		e := &c.Effects[k]
		source := e.Kind == effect.Read || e.Kind == effect.Write && e.Op == effect.OpMove && k < i
		if e.Kind == effect.Network || source && (e.Zone != effect.ZoneWorkspace || c.inline != nil && c.inline.others(c, e, c.Flow.Unvetted)) {
			return trees
		}
		if source {
			sources++
		}
	}
	return trees && sources == 0
}

// turnsOfTrees notes where the call brings trees of others.
func (c *Context) turnsOfTrees() []turn {
	var out []turn
	for i := range c.Effects {
		if at := c.broughtAt(i); at != "" {
			out = append(out, turn{kind: turnBrought, what: at})
		}
	}
	return out
}

// startsOthers are the runs of git and hg that may start what a repository's own
// configuration names, where that is somebody else's.
func (c *Context) startsOthers() []use {
	var out []use
	for k := range c.runs {
		r := &c.runs[k]
		prog := path.Base(r.Words[0])
		if len(r.Effects) == 0 || prog != "git" && prog != "hg" && prog != "jj" {
			continue
		}
		sub, args := shell.GitSubcommand(append([]string{"git"}, r.Words[1:]...))
		switch sub {
		case "", "clone", "config", "help", "init", "ls-remote", "version":
			continue
		}
		dir := c.repositoryDir(r, prog)
		if !exact(dir) || isAmong(c.Roots, dir) {
			continue
		}
		if entry := c.mayStart(dir, prog, sub, args, r.Effects[0]); entry != "" {
			out = append(out, use{at: r.Effects[0], kind: turnConfig, entries: []string{entry}})
		}
	}
	return out
}

// repositoryDir is the directory in which a run looks for its repository (git(1), -C; hg(1)
// and jj(1), -R).
func (c *Context) repositoryDir(r *effect.Run, prog string) string {
	if prog == "git" {
		return c.dirOf(r)
	}
	dir := r.Cwd
	for i, w := range r.Words[1:] {
		name, value, with := cutAt(w, "=")
		switch {
		case (w == "-R" || w == "--repository" || w == "--cwd") && i+2 < len(r.Words):
			dir = c.places.Resolve(dir, r.Words[i+2])
		case with && (name == "--repository" || name == "--cwd"):
			dir = c.places.Resolve(dir, value)
		case strings.HasPrefix(w, "-R") && len(w) > 2:
			dir = c.places.Resolve(dir, w[2:])
		}
	}
	return dir
}

// mayStart names what a repository's configuration may start for a run in a directory whose
// first effect is at; empty where that is its owner's, or known to start nothing.
func (c *Context) mayStart(dir, prog, sub string, args []string, at int) string {
	for i := range at {
		if to := c.broughtAt(i); to != "" && mark.Under(dir, to) {
			return turn{kind: turnConfig, what: "what is unpacked or copied to " + c.shortPath(to)}.String()
		}
	}
	brought := c.unpackedAbove(dir)
	if brought == "" && c.ownRepository(dir) {
		return ""
	}
	if c.text == nil || c.exists == nil {
		if brought != "" && !isAmong(c.Roots, brought) {
			return turn{kind: turnConfig, what: "what was unpacked or copied to " + c.shortPath(brought)}.String()
		}
		return ""
	}
	config, hooks, root := c.configOf(dir, prog)
	switch {
	case config == "", isAmong(c.Roots, root):
		return ""
	case brought == "" || !mark.Under(root, brought):
		if c.ownRepository(dir) || c.ownRepository(config) {
			return ""
		}
	}
	text, ok := c.text(config)
	what := ""
	switch {
	case !ok && c.exists(config) || len(text) > maxPlain:
		what = "a configuration that cannot be read"
	case prog == "hg":
		what = shell.HgConfigStarts(text)
	case prog == "jj":
		what = strings.TrimSpace(text)
	default:
		if what = shell.GitConfigStarts(text); what == "" && c.names != nil {
			if what = shell.GitHookStarts(c.names(hooks), sub, args); what != "" {
				what = "the hook " + what
			}
		}
	}
	if len(what) > maxTurn {
		what = what[:maxTurn]
	}
	settled := turn{kind: turnSettled, what: config, now: configDigest(text + "\x00" + what)}.String()
	if what == "" || isAmong(c.Flow.Turned, settled) {
		return ""
	}
	return turn{kind: turnConfig, what: what + " of " + c.shortPath(config), now: configDigest(text + "\x00" + what), at: config}.String()
}

// ownRepository says whether a path lies where the repositories are those of the workspace's
// owner.
func (c *Context) ownRepository(file string) bool {
	return c.inWorkspace(file) || c.places.Neighbour(file)
}

func configDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}

// unpackedAbove is the directory above another, or itself, into which an earlier call
// brought a tree; empty for none.
func (c *Context) unpackedAbove(dir string) string {
	for _, entry := range c.Flow.Turned {
		if t := turnOf(entry); t.kind == turnBrought && (t.what == anyTurn || mark.Under(dir, t.what)) {
			return t.what
		}
	}
	return ""
}

// maxAbove bounds how far a repository is looked for.
const maxAbove = 40

// configOf is the configuration of the repository that a directory belongs to, its directory
// of hooks, and where its files lie (gitrepository-layout(5)); empty where there is none.
func (c *Context) configOf(dir, prog string) (config, hooks, root string) {
	for range maxAbove {
		at := path.Join(dir, "."+prog)
		switch {
		case prog == "hg" && c.exists(at):
			return at + "/hgrc", "", dir
		case prog == "jj" && c.exists(at):
			return at + "/repo/config.toml", "", dir
		case prog == "git" && c.exists(at):
			config, hooks = c.gitConfigAt(at, dir)
			return config, hooks, dir
		case prog == "git" && c.exists(dir+"/HEAD") && c.exists(dir+"/config"):
			return dir + "/config", dir + "/hooks", dir
		}
		if dir == "/" {
			break
		}
		dir = path.Dir(dir)
	}
	return "", "", ""
}

// gitConfigAt is the configuration of .git, which may be a file that names the repository.
func (c *Context) gitConfigAt(at, dir string) (config, hooks string) {
	if text, ok := c.text(at); ok {
		to, names := cutPrefix(strings.TrimSpace(text), "gitdir: ")
		if !names {
			return at, at
		}
		at = c.places.Resolve(dir, to)
		if i := strings.Index(at, "/worktrees/"); i > 0 {
			at = at[:i]
		}
	}
	if c.exists(at + "/commondir") {
		return at + "/commondir", at // it names another; what it says is no configuration
	}
	return at + "/config", at + "/hooks"
}
