package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about files that are not there: a program reads nothing of them.

// ifThere takes reads of secrets that the host does not see for what they are, reads of
// nothing: of files that a program reads by itself if they are there, and of those that a line
// names which does nothing but read.
func (c *Context) ifThere() {
	own, reads := false, c.onlyReads()
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Read || !e.Sensitive {
			continue
		}
		if e.Named && (c.exists == nil || !c.exists(e.Resource)) || reads && c.nothingAt(e) {
			if !own {
				c.Effects, own = slices.Clone(c.Effects), true
			}
			c.Effects[i].Sensitive = false
		}
	}
}

// nothingAt says whether the host sees that there is nothing where an effect would read, in a
// directory that is there (FoundNothing).
func (c *Context) nothingAt(e *Effect) bool {
	return (e.Zone == effect.ZoneWorkspace || e.Zone == effect.ZoneHome) && e.Op != effect.OpEnv && exact(e.Resource) && c.found(e.Resource) == FoundNothing
}

// lookers are programs that end when they have read and printed, and change and start nothing
// but where the line sends what they print (their manual pages; for tail see follows).
var lookers = [...]string{"[", "basename", "bat", "cat", "cd", "cmp", "cut", "diff", "dirname", "echo", "egrep", "false", "fgrep", "file", "grep", "head", "ls", "nl", "od", "printf", "pwd", "stat", "tac", "tail", "test", "tr", "true", "uniq", "wc"}

// onlyReads says whether a line of a shell of this machine does nothing but read, at once, and
// nothing of the session's runs beside it: what is not there when the host looks is not
// there when the line runs either.
func (c *Context) onlyReads() bool {
	if c.found == nil || c.Elsewhere != "" || c.Class.Family != call.FamilyShell || len(c.runs) == 0 || len(c.written) > 0 || waits(c.Command) ||
		slices.ContainsFunc(c.Flow.Own, func(s string) bool { return strings.HasPrefix(s, begun) }) {
		return false
	}
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case e.Kind == effect.Read, e.Kind == effect.List, e.Kind == effect.Write && e.Zone == effect.ZoneStream:
		case e.Kind == effect.Spawn && e.Op == effect.OpRun && e.Parent == "" && slices.Contains(lookers[:], e.Program):
		default:
			return false
		}
	}
	return !slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		return r.Cwd != c.Cwd || r.Given || r.Contained || r.Background || follows(r.Words)
	})
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
