package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
)

// This file is about files that are not there: a program reads nothing of them.

// ifThere takes reads of secrets that the host does not see for what they are, reads of
// nothing: of files that a program reads by itself if they are there, and of those that a line
// names which does nothing but read.
func (c *Context) ifThere() {
	own, reads, looked := false, false, false
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Read || !e.Sensitive {
			continue
		}
		nothing := e.Named && (c.exists == nil || !c.exists(e.Resource)) || c.ofOwnContainer(i)
		if !nothing && c.nothingAt(e) {
			if !looked {
				reads, looked = c.onlyReads(), true
			}
			nothing = reads
		}
		if nothing {
			if !own {
				c.Effects, own = slices.Clone(c.Effects), true
			}
			c.Effects[i].Sensitive = false
		}
	}
}

// nothingAt says whether the host sees that there is nothing where an effect would read, in a
// directory that is there (FoundNothing), nor there in another root: where there are several, a
// host may not say in which of them a line runs.
func (c *Context) nothingAt(e *Effect) bool {
	if c.found == nil || e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneHome || e.Op == effect.OpEnv || !exact(e.Resource) || c.found(e.Resource) != FoundNothing {
		return false
	}
	below, relative := cutPrefix(e.Resource, trimSuffix(c.Cwd, "/")+"/")
	return !relative || !slices.ContainsFunc(c.Roots, func(root string) bool { return c.found(path.Join(root, below)) != FoundNothing })
}

// onlyReads says whether a line of a shell of this machine does nothing but read, at once, and
// nothing of the session's runs beside it: what is not there when the host looks is not
// there when the line runs either.
func (c *Context) onlyReads() bool {
	if c.Elsewhere != "" || c.Class.Family != call.FamilyShell || len(c.runs) == 0 || len(c.written) > 0 || waits(c.Command) ||
		slices.ContainsFunc(c.Flow.Own, func(s string) bool { return strings.HasPrefix(s, begun) }) {
		return false
	}
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case e.Kind == effect.Read && c.endsAtOnce(e), e.Kind == effect.List, e.Kind == effect.Write && e.Zone == effect.ZoneStream:
		case e.Kind == effect.Spawn && e.Op == effect.OpRun && e.Parent == "" && keeps.Program(e.Program, keeps.Ends):
		default:
			return false
		}
	}
	if c.inBackground() {
		return false // it may wait as long as it likes for the calls that come next
	}
	return !slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		return r.Cwd != c.Cwd || strings.Contains(r.Words[0], "/") || r.Given || r.Contained || r.Background || follows(r.Words)
	})
}

// endsAtOnce says whether what an effect reads has an end that does not have to come first: files
// and directories that the host sees, and no terminal, device or pipe that has a name.
func (c *Context) endsAtOnce(e *Effect) bool {
	switch e.Zone {
	case effect.ZoneStream:
		return e.Resource == "/dev/null"
	case effect.ZoneWorkspace, effect.ZoneHome, effect.ZoneTemp:
		return e.Glob || !exact(e.Resource) || c.found(e.Resource) != FoundUnknown || c.stamp != nil && c.stamp(e.Resource) != "" || c.names != nil && len(c.names(e.Resource)) > 0
	}
	return false
}

// follows says whether tail is told to wait for what will be there (tail(1), -f, -F, --retry).
func follows(words []string) bool {
	return path.Base(words[0]) == "tail" && slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.HasPrefix(w, "--") || strings.HasPrefix(w, "-") && strings.ContainsAny(w, "fF")
	})
}

// waits says whether a line may wait for a file to come, or goes up the directories, where
// a link may lead elsewhere than its words say (bash(1), Compound Commands).
func waits(line string) bool {
	return slices.ContainsFunc([]string{"..", "while", "until", "select", "<("}, func(s string) bool { return strings.Contains(line, s) })
}
