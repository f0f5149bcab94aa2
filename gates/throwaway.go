package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about repositories in temporary directories that the session made. It may delete
// them with all that is in them, so what git throws away there, in their files, branches, stashes
// and records, is no more than that. What counts is which repository git finds: its work tree and
// its own directory have to lie in what the session made, where links lead, and nothing may say
// that it works on another one. Where the line itself makes the repository, it has to be certain
// that what follows runs there.

// ThrowAway says whether an effect of a call, by its index, loses or changes nothing but what lies in
// such a repository. It is State.ThrowAway of hosts that look at repositories.
func ThrowAway(c *Context, n int) bool {
	e := &c.Effects[n]
	if c.ref == nil || c.exists == nil || c.after || e.Deferred || e.Sensitive && e.Kind != effect.Write || c.Elsewhere != "" || len(c.runs) >= shell.MaxRuns || c.asksForTemp() || c.handsGitOn() {
		return false
	}
	if e.Kind == effect.Delete && e.Program != "git" {
		return c.bornHere(e)
	}
	found := false
	for k := range c.runs { // equal effects of several runs are one
		if r := &c.runs[k]; slices.Contains(r.Effects, n) {
			if found = c.plainGit(r) && c.staysInOwn(k, e); !found {
				return false
			}
		}
	}
	return found
}

// bornHere says whether a deletion takes plain temporary files alone that were made, and last written,
// while calls of the session ran, of whatever names below one that begins with no dot.
func (c *Context) bornHere(e *Effect) bool {
	if below := effect.Temporary(e.Resource); e.Op != effect.OpRemove && e.Op != effect.OpRemoveTree || e.Glob || below == "" || strings.HasPrefix(below, ".") || c.output == nil {
		return false
	}
	return !c.standsIn(e.Resource) && c.at(e.Resource) == FoundTemporary && !c.putBefore(e, e.Resource) && c.output(c, e)
}

// staysInOwn says whether run k reaches no repository but the session's.
func (c *Context) staysInOwn(k int, e *Effect) bool {
	if e.Kind == effect.Network {
		return c.connectsOwn(k, e)
	}
	if !shell.GitStays(&c.runs[k]) {
		return false
	}
	l := lineBefore{c: c, k: k}
	return l.inOwn(c.dirOf(&c.runs[k]))
}

// plainGit says whether a run of git goes by no variables that the call sets and that may lead it
// elsewhere.
func (c *Context) plainGit(r *effect.Run) bool {
	return !r.Contained && !r.Background && (!r.Given || r.Whole || c.nested == 0 && !shell.SetsPlaces(c.Command)) && !slices.ContainsFunc(r.Values, shell.SetsOther)
}

// handsGitOn says whether the call gives another program a git to run, maybe in another directory.
func (c *Context) handsGitOn() bool {
	return slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		if len(r.Words) == 0 {
			return true
		}
		switch path.Base(r.Words[0]) {
		case "bash", "command", "echo", "nice", "printf", "sh", "time", "timeout":
			return false
		case "git":
			return slices.ContainsFunc(r.Words, func(w string) bool { return strings.Contains(w, "each") })
		}
		return slices.ContainsFunc(r.Words[1:], func(w string) bool { return path.Base(w) == "git" || strings.Contains(w, "git ") })
	})
}

// lineBefore looks at what a line does before its run k, or beside it where it goes round.
type lineBefore struct {
	c *Context
	k int

	dir, top string // where git runs, and the entry of the directory for temporary files which that is or lies in
	gone     bool   // the directory is not there when the line begins, or the line takes it away
	made     string // the directory, or one in which it lies, that the line makes then
	mayFail  bool   // that may fail, and the line goes on
	undone   bool   // the line takes away what belongs to a repository

	brings []string // where git runs before that may bring files, links among them
}

// inOwn says whether the repository that git finds from a directory is the session's own.
func (l *lineBefore) inOwn(dir string) bool {
	c := l.c
	below := effect.Temporary(dir)
	if below == "" || !exact(dir) || !visible(below) || strings.Contains(c.Command, "umask") || c.unpackedAbove(dir) != "" {
		return false
	}
	first, _, _ := cutAt(below, "/")
	l.dir, l.top, l.gone = dir, dir[:len(dir)-len(below)]+first, !c.exists(dir)
	last := l.k
	round := repeats(c.Command)
	if round {
		last = len(c.runs)
	}
	for i := range last {
		if i != l.k && !l.follows(&c.runs[i], c.runs[i].Effects, round) {
			return false
		}
	}
	for i := range c.Effects {
		if c.runOf(i) == nil && !l.follows(&effect.Run{Words: noWords[:]}, []int{i}, true) { // redirections
			return false
		}
	}
	if l.linksHere() {
		return false
	}
	switch {
	case !l.gone:
		l.made = dir
		return c.ownRepo(dir) && (!l.undone || l.freeAbove(true))
	case l.made == "" || l.mayFail && !shell.AllOrNothing(c.Command):
		return false
	}
	return l.freeAbove(shell.AllOrNothing(c.Command))
}

// linksHere says whether something that git brings on the line may stand at the directory as a link:
// it lies in a work tree, and is no repository of its own before.
func (l *lineBefore) linksHere() bool {
	if len(l.brings) == 0 || !l.gone && l.c.exists(l.dir+"/.git") {
		return false
	}
	for at := path.Dir(l.dir); mark.Under(at, l.top); at = path.Dir(at) {
		if slices.Contains(l.brings, at) || l.c.exists(at+"/.git") {
			return true
		}
	}
	return false
}

// noWords are those of what no program does.
var noWords = [...]string{""}

// follows takes in the effects of a run of the line; false where it may put another repository there.
func (l *lineBefore) follows(r *effect.Run, effects []int, round bool) bool {
	c := l.c
	isGit := path.Base(r.Words[0]) == "git"
	clones, makes := shell.GitMakes(r)
	if isGit && shell.GitLinks(r) { // one of the session's own repositories
		at := len(c.runs)
		for k := range c.runs {
			if &c.runs[k] == r {
				at = k
			}
		}
		before := lineBefore{c: c, k: at}
		makes, clones = at < l.k && before.inOwn(c.dirOf(r)), true
		if !makes {
			return false
		}
	}
	if isGit && !(c.plainGit(r) && (makes || shell.GitTame(r))) {
		return false
	}
	if isGit && !makes {
		l.brings = append(l.brings, c.dirOf(r))
	}
	for _, n := range effects {
		e := &c.Effects[n]
		at := e.Resource
		near := mark.Under(at, l.top) || mark.Under(l.dir, at)
		switch {
		case e.Kind == effect.Opaque:
			return false
		case e.Kind == effect.Delete && isGit && !(exact(at) && mark.Under(l.dir, at)):
		case e.Kind == effect.Delete:
			if e.Zone == effect.ZoneUnknown || !strings.HasPrefix(at, "/") {
				return false
			}
			l.undone = l.undone || c.layout(at) || !exact(at)
			if at = at[:markOf(at)]; mark.Has(at) || strings.Contains(at, "…") {
				return false
			}
			if mark.Under(l.dir, trimSuffix(at, "/")) || !exact(e.Resource) && strings.HasPrefix(l.dir, at) {
				if l.gone, l.made = true, ""; round {
					return false
				}
			}
		case e.Kind != effect.Write || e.Zone == effect.ZoneStream:
		case isGit && makes && e.Op == effect.OpCreate:
			if !exact(at) || mark.Under(l.top, at) && at != l.top || !l.takes(at, clones) {
				return false
			}
		case isGit:
		case !exact(at):
			return false
		case !near:
		case e.Program == "mkdir" || e.Program == "mktemp":
			if slices.ContainsFunc(r.Words, func(w string) bool { return strings.HasPrefix(w, "-m") || strings.HasPrefix(w, "--m") }) || !l.takes(at, false) {
				return false
			}
		case e.Program == "cp":
			if !c.copiesRepo(r) || !l.takes(at, true) || l.made != "" && l.made != l.dir {
				return false
			}
		case !writesText(e.Program) && e.Program != "sed" || e.Op != effect.OpCreate && e.Op != effect.OpModify || c.layout(at):
			return false
		}
	}
	return true
}

// repeats says whether a line may run a part of itself several times, or beside the rest.
func repeats(line string) bool {
	return goesRound(strings.NewReplacer("()", "", "function ", "").Replace(line))
}

// takes notes that the line makes a directory, if that is where git runs later or lies above it.
func (l *lineBefore) takes(at string, mayFail bool) bool {
	switch {
	case mayFail && mark.Under(l.dir, at) && l.dir != at:
		return false // what a clone or a copy brings may be a link there
	case !l.gone || l.made == l.dir && !l.mayFail:
	case mark.Under(at, l.dir): // with those above it
		l.made, l.mayFail = l.dir, mayFail
	case mark.Under(l.dir, at) && l.made == "":
		l.made, l.mayFail = at, true
	}
	return true
}

// freeAbove says whether no repository but the session's lies above the directory, and nothing
// that may be no directory stands in its way, unless the line ends there.
func (l *lineBefore) freeAbove(sure bool) bool {
	c := l.c
	there := false
	for at := path.Dir(l.made); ; at = path.Dir(at) {
		own := c.ownEntry(at)
		if (c.exists(at+"/.git") || c.exists(at+"/HEAD")) && !(own && c.ownRepo(at)) {
			return false
		}
		if !sure && !there && c.exists(at) && len(at) >= len(l.top) && !own {
			return false // it may be a file
		}
		if there = there || c.exists(at); at == "/" {
			return true
		}
	}
}

// ownEntry says whether the session made a directory before the call, or one in which it lies.
func (c *Context) ownEntry(dir string) bool {
	dir = trimPrefix(dir, "/private")
	return slices.ContainsFunc(c.Flow.Own, func(own string) bool {
		own = trimPrefix(trimSuffix(own, "/"), "/private")
		return own != "" && own[0] == '/' && effect.Temporary(own) != "" && mark.Under(dir, own)
	})
}

// ownRepo says whether git finds no repository from a directory but one that lies with its work
// tree in what the session made, or none at all.
func (c *Context) ownRepo(dir string) bool {
	if !c.ownEntry(dir) {
		return false
	}
	repo := c.ref(dir, "refs/heads/main", nil).Repo
	at := dir
	for ; !c.exists(at+"/.git") && !c.exists(at+"/HEAD"); at = path.Dir(at) {
		if at == "/" {
			return repo == ""
		}
	}
	return repo != "" && c.ownEntry(at) && c.ownEntry(repo) && c.unpackedAbove(repo) == "" && c.soundRepo(repo)
}

// soundRepo says whether nothing in a repository's own directory leads elsewhere: no link, no
// second name for its files, no other work tree and no other file of settings.
func (c *Context) soundRepo(repo string) bool {
	if c.text != nil {
		text, ok := c.text(repo + "/config")
		if text = strings.ToLower(text); !ok || len(text) > maxPlain || strings.Contains(text, "worktree") || strings.Contains(text, "include") {
			return false
		}
	}
	if c.stamp != nil && strings.HasSuffix(c.stamp(repo+"/HEAD"), Linked) {
		return false
	}
	return c.linksIn == nil || len(c.linksIn(repo))+len(c.linksIn(repo+"/refs"))+len(c.linksIn(repo+"/refs/heads")) == 0 && !slices.ContainsFunc(c.linksIn(path.Dir(repo)), func(l Link) bool { return l.From == repo })
}

// copiesRepo says whether a run of cp makes a copy of directories whose repositories, if they have
// any, lie in them whole.
func (c *Context) copiesRepo(r *effect.Run) bool {
	for _, w := range r.Words[1:] {
		if len(w) > 1 && w[0] == '-' && strings.Trim(w, "-rRapvfTn") != "" {
			return false
		}
	}
	for _, n := range r.Effects {
		e := &c.Effects[n]
		if e.Kind != effect.Read {
			continue
		}
		from := e.Resource
		if !exact(from) || c.layout(from) || c.exists(from+"/.git") && (c.ref(from, "refs/heads/main", nil).Repo != from+"/.git" || !c.soundRepo(from+"/.git")) {
			return false
		}
	}
	return true
}

// layout says whether a path is one by which git finds a repository, or what it consists of.
func (c *Context) layout(file string) bool {
	return strings.Contains(file+"/", ".git/") || isAmong([]string{"HEAD", "commondir", "config", "gitdir"}, path.Base(file))
}
