package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
)

// This file is about what a signal would reach now, as the host sees the processes of this
// machine (State.Reached): what it says of a call it says of this context.

// Process is what a host sees of a process that runs on its machine.
type Process struct {
	ID, Group int
	Name      string   // as the system calls it, cut off where the system does
	Args      []string // the words that it was started with, or that it calls itself
	Exe, Cwd  string   // the file of its program and where it works; empty where nobody can tell
	Start     Starter
}

// Starter is who started a process, as far as a host knows. The zero value is anybody.
type Starter uint8

// Who may have started a process, after the session began and as its user.
const (
	StarterUnknown Starter = iota
	StarterCall            // a shell of a call of the session, which is still above it
	StarterGone            // what a call of the session left behind when it ended
)

// Later says whether the host does not look right before the call: it has run, or is code that
// a later call may run.
func Later(c *Context) bool { return c.after || c.later }

// TextAt is what the host reads in a file before the call. there is false where it reads
// nothing, and nothing says that there is none where the host sees that in a directory that is
// there.
func TextAt(c *Context, file string) (text string, there, nothing bool) {
	if c.text == nil || !exact(file) {
		return "", false, false
	}
	text, there = c.text(file)
	return text, there, !there && c.at(file) == FoundNothing
}

// Passes says whether an effect is of those that take no time: it does not wait for another
// program, and starts none but the one that it is of.
func Passes(c *Context, e *Effect) bool {
	switch e.Kind {
	case effect.Read:
		return c.found != nil && c.endsAtOnce(e)
	case effect.Write:
		return e.Zone == effect.ZoneStream
	case effect.List, effect.Signal:
		return true
	case effect.Spawn:
		return e.Op == effect.OpRun
	}
	return false
}

// Looks says whether a run is of a program that reads, prints and ends.
func Looks(r *effect.Run) bool { return keeps.Program(r.Words[0], keeps.Ends) && !follows(r.Words) }

// GoesOn says whether a line has a loop or a function, or may wait for a file to come.
func GoesOn(line string) bool {
	return strings.Contains(line, "()") || waits(line) || slices.ContainsFunc(strings.Fields(line), func(w string) bool {
		return isAmong([]string{"for", "function", "select", "coproc"}, strings.Trim(w, ";"))
	})
}
