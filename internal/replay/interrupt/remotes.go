package interrupt

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/effect"
)

// remoteRE finds the lines in which git tells the address of a remote of the repository
// that it runs in: git remote -v, and the first line of what fetch and push print. So does
// gh where it prints the page of what it made.
var remoteRE = regexp.MustCompile(`(?m)^(?:(?:To|From) (\S+)|[\w.-]+\t(\S+) \((?:fetch|push)\)|(https://[\w.-]+/[\w.-]+/[\w.-]+)/pull/\d+)\s*$`)

// remotesTold are the remotes of the repository of a session, which the hook reads in its
// configuration and a log shows where git told them, with how often it did. They were
// there before the session: no call adds one unasked.
func remotesTold(e *corpora.Episode) map[string]int {
	out := map[string]int{}
	for i := range e.Steps {
		for _, m := range remoteRE.FindAllStringSubmatch(e.Steps[i].Result, -1) {
			if r := effect.Remote(m[1] + m[2] + m[3]); r != "" {
				out[r]++
			}
		}
	}
	return out
}

// Known is what logs tell of the repositories that sessions began in: a session in which
// git tells nothing is in the same repository as another that began in the same place, or
// in that one of its directory's name.
// The zero value knows nothing.
type Known struct {
	remotes map[string]map[string]int // by the directory of the main work tree
	named   map[string]map[string]int // by the name of a repository
}

// Learn takes in what a session tells.
func (k *Known) Learn(e *corpora.Episode) {
	told := remotesTold(e)
	if len(told) == 0 {
		return
	}
	for r, n := range told {
		count(&k.remotes, mainTree(firstDir(e)), r, n)
		count(&k.named, path.Base(r), r, n)
	}
}

func count(table *map[string]map[string]int, key, r string, n int) {
	if *table == nil {
		*table = map[string]map[string]int{}
	}
	if (*table)[key] == nil {
		(*table)[key] = map[string]int{}
	}
	(*table)[key][r] += n
}

// of are the remotes of a session's repository, the one that was told most often first.
func (k *Known) of(e *corpora.Episode) []string {
	told := remotesTold(e)
	if k != nil {
		dir := mainTree(firstDir(e))
		maps.Copy(told, k.remotes[dir])
		if len(told) == 0 {
			maps.Copy(told, k.named[path.Base(dir)])
		}
	}
	return slices.SortedFunc(maps.Keys(told), func(a, b string) int {
		if told[a] != told[b] {
			return told[b] - told[a]
		}
		return strings.Compare(a, b)
	})
}

// firstDir is the directory that a session began in.
func firstDir(e *corpora.Episode) string {
	for i := range e.Steps {
		if dir := e.Steps[i].Cwd; dir != "" {
			return dir
		}
	}
	return ""
}

// mainTree is the main work tree of a directory that lies in a linked one, by where
// people and hosts make those: the log does not show git's own word, which the hook reads.
func mainTree(dir string) string {
	for _, made := range [...]string{"/.worktrees/", "/.claude/worktrees/", "/worktrees/"} {
		if main, _, ok := strings.Cut(dir, made); ok {
			return main
		}
	}
	return dir
}

// unknownRemote stands for the address of a remote that no log tells.
const unknownRemote = "origin"

// repository is what the hook reads of the repository that a session runs in: one remote
// called origin, which is what git calls the one that was cloned, and the branch that the
// log has beside a call. Of a clone that the session made elsewhere the call says the remote.
func (w *walk) repository(dir string) (effect.Repository, bool) {
	if !slices.ContainsFunc(w.at.Roots, func(r string) bool { return within(dir, r) }) {
		if w.told != nil {
			for clone, from := range w.told.clones {
				if within(dir, clone) {
					return effect.Repository{Remotes: []effect.NamedRemote{{Name: "origin", Fetch: from}}, Fetches: "origin", Sends: "origin"}, true
				}
			}
		}
		return effect.Repository{}, false
	}
	at := unknownRemote
	if len(w.at.Remotes) > 0 {
		at = w.at.Remotes[0]
	}
	pushes := w.branch
	if pushes == "" {
		pushes = "*"
	}
	return effect.Repository{Remotes: []effect.NamedRemote{{Name: "origin", Fetch: at}}, Branch: w.branch, Fetches: "origin", Sends: "origin", Pushes: pushes, Default: "main"}, true
}

// within says whether a path is a directory or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
