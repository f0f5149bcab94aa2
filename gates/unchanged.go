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
		if own := strings.TrimPrefix(u, project); own != e.Resource && runsUnvetted([]string{u}, e) {
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
// (Loads) and of all else that the session wrote, with their state on disk, and of the last call
// that may have changed a file: what the files do may hang on any of it. It is empty where one of
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
	for i := len(c.History) - 1; i >= 0; i-- {
		if r := &c.History[i]; !isAmong(files, r.Resource) && c.touches(r.Kind, r.Op, r.Resource) {
			io.WriteString(sum, r.Resource+"\x00"+strconv.FormatInt(r.Time, 10))
			break
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
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
		!slices.ContainsFunc(c.Flow.Unvetted, func(u string) bool { return strings.TrimPrefix(u, project) != file && path.Ext(u) == path.Ext(file) })
}
