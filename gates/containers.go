package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// ownContainer says whether a command only stops or deletes containers that the session is
// known to have made (Flow.Own), or starts a container of an image that it built from its
// workspace and gives it no more than the workspace.
func (c *Context) ownContainer(e *Effect) bool {
	if e.Op != effect.OpContainer || e.Deferred || len(c.Flow.Own) == 0 {
		return false
	}
	run := c.runOf(c.indexOf(e))
	if run == nil || run.Given {
		return false
	}
	if starts := len(run.Words) > 1 && isAmong(run.Words[1:min(3, len(run.Words))], "run"); starts && !e.Named {
		return false // it is given more, or does what nobody knows
	}
	return c.madeContainers(run)
}

// dropsOwn says whether dropdb deletes a database that the session is known to have made, where the
// call says nothing of another server than createdb's did.
func (c *Context) dropsOwn(e *Effect) bool {
	run := c.runOf(c.indexOf(e))
	return e.Program == "dropdb" && !e.Deferred && c.Elsewhere == "" && run != nil && !run.Given && !run.Contained && c.madeContainers(run)
}

// madeContainers says whether all containers that a run names are the session's.
func (c *Context) madeContainers(run *effect.Run) bool {
	named, ok := shell.ContainersOf(run)
	return ok && !slices.ContainsFunc(named, func(n string) bool { return !isAmong(c.Flow.Own, n) })
}

// ofOwnContainer says whether a read is that of a run which looks at containers that the session is
// known to have made: what it gave them it knows.
func (c *Context) ofOwnContainer(i int) bool {
	if len(c.Flow.Own) == 0 || c.Effects[i].Zone != effect.ZoneCaller {
		return false
	}
	run := c.runOf(i)
	return run != nil && !run.Given && isAmong(run.Words, "inspect") && c.madeContainers(run)
}
