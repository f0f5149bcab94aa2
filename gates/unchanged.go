package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Unchanged is a digest of what an unvetted file holds that an effect runs or loads, of all
// other unvetted files that the call's runs load, and of their state on disk where the host
// tells: it is another one as soon as anybody writes there, or another file counts. It is
// empty where the session does not know all that they hold, where the call writes to them,
// and where something else that nobody vetted may run with them.
func (c *Context) Unchanged(e *Effect) string {
	if e.Kind != effect.Spawn || e.Op != effect.OpRunFile || e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp {
		return ""
	}
	for _, u := range c.Flow.Unvetted {
		if own := trimPrefix(u, project); own != e.Resource && runsUnvetted([]string{u}, e) {
			return ""
		}
	}
	others, ok := c.followed()
	if !ok {
		return ""
	}
	held, ok := c.held(e.Resource)
	if !ok {
		return ""
	}
	for _, file := range others {
		text, ok := c.held(file)
		if !ok {
			return ""
		}
		if file != e.Resource {
			held += "\x00" + file + "\x00" + text
		}
	}
	sum := sha256.Sum256([]byte(held))
	return hex.EncodeToString(sum[:16])
}

// UnchangedAll is a digest of the unvetted files that a build, a test run or a task loads
// (Loads) and of all else that the session wrote, with their state on disk, and of how many calls
// may have changed another file: what the files do may hang on any of it. It is empty where one of
// these is not known, where the call does more to files than the run by, and where no file is loaded.
//
//go:noinline
func (c *Context) UnchangedAll(by *effect.Run) string {
	files, ok := c.followed()
	if !ok || len(files) == 0 {
		return ""
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; c.touches(e.Kind, e.Op, e.Resource) && !slices.Contains(by.Effects, i) {
			return ""
		}
	}
	var shown []string // what programs printed into temporary files; each that is started counts below
	for i := range c.Flow.Made {
		if file := c.Flow.Made[i].Path; !isAmong(files, file) {
			if !c.inWorkspace(file) {
				shown = append(shown, file)
			}
			files = append(files, file)
		}
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, file := range files {
		text, ok := c.kept(file)
		if !ok && slices.Contains(shown, file) {
			continue
		}
		if !ok {
			return ""
		}
		io.WriteString(sum, file+"\x00"+text+"\x00")
	}
	io.WriteString(sum, c.touchCount())
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// touchCount says how often calls of the session may have changed files that it did not spell out.
func (c *Context) touchCount() string {
	for _, entry := range c.Flow.Turned {
		if t := turnOf(entry); t.kind == turnTouch {
			return t.now
		}
	}
	return ""
}

// counted counts the call in Flow.Turned, if it may have changed such files: by an effect that names
// them, or by a program of which it is not known that it leaves them as they are.
func (c *Context) counted(out []string) []string {
	made := c.made()
	changes := false
	for i := range c.Effects {
		e := &c.Effects[i]
		r := c.runOf(i)
		tests := e.Op == effect.OpRunFile && r != nil && checks(r) // a test runner's own operand
		changes = changes || !tests && c.touches(e.Kind, e.Op, e.Resource) && !slices.ContainsFunc(made, func(m Made) bool { return m.Path == e.Resource })
	}
	if !changes && !slices.ContainsFunc(c.runs, func(r effect.Run) bool { return !leavesCode(&r) }) {
		return out
	}
	n, _ := strconv.Atoi(c.touchCount())
	out = slices.DeleteFunc(out, func(entry string) bool { return turnOf(entry).kind == turnTouch })
	return append(out, turn{kind: turnTouch, what: "files", now: strconv.Itoa(n + 1)}.String())
}

// leavesCode says whether a run is known to leave the files that code loads as they are, beside those
// that its effects name: a program that looks, one of git's that leaves the work tree, or a check.
func leavesCode(r *effect.Run) bool {
	if path.Base(r.Words[0]) == "git" {
		return keepsTree(r)
	}
	return keeps.Program(path.Base(r.Words[0]), keeps.Modules) || checks(r)
}

// checkers are runs that compile, test or check code and write beside it (go help test; The Cargo Book; the
// manuals of pytest, Jest and Vitest), and rewriting begins options by which some of them change it.
var (
	checkers  = [...]string{"cargo build", "cargo check", "cargo test", "go build", "go test", "go vet", "jest", "pytest", "vitest"}
	rewriting = [...]string{"--fix", "--snapshot-update", "--update", "--write", "-u"}
)

// checks says whether a run is one of checkers, by words that do not have it change code.
func checks(r *effect.Run) bool {
	words := slices.Clone(r.Words)
	words[0] = path.Base(words[0])
	return slices.ContainsFunc(checkers[:], func(c string) bool { return words[0] == c || len(words) > 1 && words[0]+" "+words[1] == c }) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(rewriting[:], func(p string) bool { return strings.HasPrefix(w, p) })
		})
}

// keepsTree says whether a run of git leaves the files of a work tree as they are.
func keepsTree(r *effect.Run) bool {
	w := slices.DeleteFunc(slices.Clone(r.Words[1:]), func(s string) bool { return s == "-q" || s == "--no-pager" })
	switch {
	case len(w) == 0:
		return true
	case w[0] == "stash" || w[0] == "worktree":
		return len(w) > 1 && isAmong([]string{"list", "show"}, w[1])
	case len(w) == 3 && (w[0] == "checkout" && w[1] == "-b" || w[0] == "switch" && w[1] == "-c"):
		return true // a branch where the session stands
	}
	return keeps.Git(w[0], keeps.GitTree)
}

// touches says whether an effect may change what a later build or test run loads.
func (c *Context) touches(kind effect.Kind, op effect.Op, resource string) bool {
	switch kind {
	case effect.Read, effect.List:
		return false
	case effect.Spawn:
		return op != effect.OpRun && op != effect.OpBuild
	case effect.Write:
		z, _, _ := c.places.Where(c.places.Resolve(c.Cwd, resource))
		return z != effect.ZoneTemp && z != effect.ZoneStream
	}
	return true
}

// maxCounted bounds the unvetted files that one yes is for.
const maxCounted = 16

// followed are the unvetted files that the call's runs start and load, sorted; ok is false
// where they are more than one yes is for, or one of them counts however it is followed.
func (c *Context) followed() (files []string, ok bool) {
	_, unvetted := c.nobodyVetted()
	for range maxCounted {
		i, file := c.loads(unvetted, files, nil)
		if i < 0 {
			slices.Sort(files)
			return files, true
		}
		if isAmong(files, file) {
			return nil, false
		}
		files = append(files, file)
	}
	return nil, false
}

// Loads are the files that runs of the call load and that the session wrote or changed so
// that nobody vetted them, as far as they can be followed: for people, and no part of what
// gates may read. A file that a run starts itself is none. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Loads() []string {
	files, _ := c.followed()
	return files
}

// held is what a file of code of the session holds, with its state on disk; ok is false
// where nobody knows, and where the call writes to it.
func (c *Context) held(file string) (text string, ok bool) {
	if text, ok = c.kept(file); !ok {
		return "", false
	}
	code, _, _ := strings.Cut(text, "\x00")
	return text, shell.ScriptLanguage(file, code) != "" || c.onlyScript(file)
}

// kept is what a file holds before and after the call, with its state on disk behind a zero
// byte; ok is false where nobody knows.
func (c *Context) kept(file string) (text string, ok bool) {
	if slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file }) {
		return "", false
	}
	if _, changed, _ := c.left(file); changed {
		return "", false
	}
	text, known := c.before(file)
	if !known && c.text != nil { // a part of it was there before the session, or it came from elsewhere
		text, known = c.holdsNow(file)
	}
	if !known {
		return "", false
	}
	state := ""
	if c.stamp != nil {
		if state = c.stamp(file); state == "" {
			return "", false
		}
	}
	return text + "\x00" + state, true
}

// onlyScript says whether a file is a script of which nobody reads what it loads, and the session
// wrote no other in its language that it could load.
func (c *Context) onlyScript(file string) bool {
	return shell.ScriptEnding(file) && !slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return m.Path != file && path.Ext(m.Path) == path.Ext(file) }) &&
		!slices.ContainsFunc(c.Flow.Unvetted, func(u string) bool { return trimPrefix(u, project) != file && path.Ext(u) == path.Ext(file) })
}
