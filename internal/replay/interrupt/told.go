package interrupt

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// told is what git tells of files in a log, where the hook reads the repository's index:
// which ones it holds, which ones differ from it, and which ones are in conflict.
type told struct {
	top      string
	held     map[string]bool // by git, at some time of the session
	others   map[string]bool // changed, or not held, before the session wrote to them
	written  map[string]bool // by the session since it last committed
	conflict map[string]bool
	git      map[string]bool   // directories in which git ran, or that it made
	clones   map[string]string // where the session cloned from, by directory (effect.Remote)
	repos    map[string]bool   // directories in which a call of the session made a repository
	there    map[string]bool   // files that a tool read or a call wrote without an error, and the directories above them
}

// Lines in which git tells of a file: those of git diff, of --stat, of commit, and of
// status in its short and its long form (git-status(1), git-diff(1)).
var (
	heldRE     = regexp.MustCompile(`(?m)^(?:diff --git a/\S+ b/(\S+)| (\S+)\s+\|\s+(?:\d+ [+-]*|Bin .*)| create mode \d+ (\S+))$`)
	changedRE  = regexp.MustCompile(`(?m)^(?:[ MARC][MD] (\S+)|M[ MD] (\S+)|\s+modified:\s+(\S+))$`)
	unknownRE  = regexp.MustCompile(`(?m)^\?\? (\S+)$`)
	conflictRE = regexp.MustCompile(`(?m)^(?:CONFLICT \([^)]*\): Merge conflict in (\S+)|(?:UU|AA|AU|UA|DU|UD) (\S+)|\s+both (?:modified|added):\s+(\S+))$`)
)

// toldBy collects the files that git ever holds in a session; what it tells of their
// state comes with the steps.
func toldBy(e *corpora.Episode, top string) *told {
	t := &told{top: top, held: map[string]bool{}, others: map[string]bool{}, written: map[string]bool{}, conflict: map[string]bool{}, git: map[string]bool{}, clones: map[string]string{}, repos: map[string]bool{}, there: map[string]bool{}}
	for i := range e.Steps {
		if strings.Contains(e.Steps[i].Args, "git") {
			t.each(heldRE, e.Steps[i].Result, func(file string) { t.held[file] = true })
			t.each(changedRE, e.Steps[i].Result, func(file string) { t.held[file] = true })
		}
	}
	return t
}

// each calls f for the file of each match.
func (t *told) each(re *regexp.Regexp, text string, f func(file string)) {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		if name := strings.TrimSuffix(strings.Join(m[1:], ""), "/"); name != "" {
			f(path.Join(t.top, name))
		}
	}
}

// step takes in a call that ran, with what it wrote and what came back.
func (t *told) step(s *corpora.Step, c *gates.Context) {
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind == effect.Write || e.Kind == effect.Delete {
			t.written[e.Resource] = true
			if e.Program == "git" {
				t.git[e.Resource] = true
			}
		}
	}
	t.ran(c)
	t.made(s, c)
	t.saw(s, c)
	if s.Status == corpora.StatusExecuted && s.Error == "" {
		t.cloned(c)
	}
	if !strings.Contains(s.Args, "git") {
		return
	}
	other := func(file string) {
		if !t.written[file] {
			t.others[file] = true
		}
	}
	t.each(changedRE, s.Result, other)
	t.each(unknownRE, s.Result, other)
	t.each(conflictRE, s.Result, func(file string) { t.conflict[file] = true })
	if strings.Contains(s.Args, "git commit") && strings.Contains(s.Result, "] ") {
		clear(t.written)
		clear(t.others)
		clear(t.conflict)
	}
}

// ran notes the directories in which a call ran git.
func (t *told) ran(c *gates.Context) {
	for _, r := range c.Runs() {
		if path.Base(r.Words[0]) != "git" {
			continue
		}
		dir := r.Cwd
		if len(r.Words) > 2 && r.Words[1] == "-C" {
			if dir = r.Words[2]; !path.IsAbs(dir) {
				dir = path.Join(r.Cwd, dir)
			}
		}
		t.git[dir] = true
	}
}

// cloned notes where the clones of a call came from (git-clone(1)).
func (t *told) cloned(c *gates.Context) {
	for _, r := range c.Runs() {
		if r.Tool != "git clone" || len(r.Names) == 0 {
			continue
		}
		dir := strings.TrimSuffix(path.Base(r.Names[0]), ".git")
		if len(r.Names) > 1 {
			dir = r.Names[1]
		}
		if !path.IsAbs(dir) {
			dir = path.Join(r.Cwd, dir)
		}
		if from := effect.Remote(r.Names[0]); from != "" {
			t.clones[dir] = from
		}
	}
}

// initRE finds the lines in which git tells where it made a repository (git-init(1)).
var initRE = regexp.MustCompile(`(?m)^Initialized empty (?:shared )?Git repository in (/\S+?)/(?:\.git/)?$`)

// made notes where a call made repositories, as git told or as a call that ended well names them,
// and forgets those that it took away.
func (t *told) made(s *corpora.Step, c *gates.Context) {
	for i := range c.Effects {
		e := &c.Effects[i]
		for dir := range t.repos {
			if e.Kind == effect.Delete && within(dir, e.Resource) {
				delete(t.repos, dir)
			}
		}
	}
	if s.Status != corpora.StatusExecuted {
		return
	}
	for _, m := range initRE.FindAllStringSubmatch(s.Result, -1) {
		if dir := strings.TrimPrefix(m[1], "/private"); effect.Temporary(dir) != "" && strings.Contains(s.Args, dir) {
			t.repos[dir] = true
		}
	}
	for _, r := range c.Runs() {
		if s.Error != "" || r.Tool != "git clone" && r.Tool != "git init" {
			continue
		}
		for _, i := range r.Effects {
			if e := &c.Effects[i]; e.Kind == effect.Write && e.Op == effect.OpCreate && effect.Temporary(e.Resource) != "" {
				t.repos[e.Resource] = true
			}
		}
	}
}

// saw notes what is there after a call that ended well. A command's own reads say nothing: many are
// of files that may be there.
func (t *told) saw(s *corpora.Step, c *gates.Context) {
	if s.Status != corpora.StatusExecuted || s.Error != "" {
		return
	}
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case e.Kind == effect.Delete, e.Op == effect.OpMove:
			maps.DeleteFunc(t.there, func(file string, _ bool) bool { return file == e.Resource || strings.HasPrefix(file, e.Resource+"/") })
		case e.Kind == effect.Write && (e.Op == effect.OpCreate || e.Op == effect.OpModify), e.Kind == effect.Read && c.Command == "":
			for at := e.Resource; path.IsAbs(at) && at != "/" && !strings.ContainsAny(at, "*?[…"); at = path.Dir(at) {
				t.there[at] = true
			}
		}
	}
}

// exists says whether the session saw a file or wrote it, made a repository in a directory, or what
// git keeps there.
func (t *told) exists(file string) bool {
	return t.there[file] || t.repos[file] || t.repos[strings.TrimSuffix(file, "/.git")]
}

// own are the directories that the session made with a repository in them, as gates.Flow has them.
func (t *told) own() []string {
	var out []string
	for _, dir := range slices.Sorted(maps.Keys(t.repos)) {
		out = append(out, dir+"/")
	}
	return out
}

// ref is what the hook would see of the repository of a directory: which one it is, and no more.
func (t *told) ref(dir, _ string, _ []string) gates.Ref {
	for at := dir; at != "/" && at != "."; at = path.Dir(at) {
		if t.repos[at] {
			return gates.Ref{Repo: at + "/.git"}
		}
	}
	return gates.Ref{}
}

// repository says whether git ran in a directory, above it or below it.
func (t *told) repository(dir string) bool {
	for d := range t.git {
		if d == dir || strings.HasPrefix(d, dir+"/") || strings.HasPrefix(dir, d+"/") {
			return true
		}
	}
	return false
}

// found is what the hook would see at a path, as far as git told it. What lies in a
// directory for temporary files is taken for the user's own, in no repository unless git
// ran there before.
func (t *told) found(file string) gates.Found {
	switch {
	case t.conflict[file]:
		return gates.FoundConflict
	case t.held[file] && !t.others[file] && !t.written[file]:
		return gates.FoundKept
	case effect.Temporary(file) != "" && !t.repository(file):
		return gates.FoundTemporary
	}
	return gates.FoundUnknown
}
