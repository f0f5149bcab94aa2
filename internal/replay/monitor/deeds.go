package monitor

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// ending is how a call ended.
type ending uint8

const (
	endedUnknown ending = iota
	endedWell
	endedBad
)

// fact is what an executed call did and how it ended, as far as rules for
// outcomes ask.
type fact struct {
	ctx     gates.Context
	ran     bool
	change  bool
	list    []command
	status  ending // by exit status or the host's own error
	output  string
	stopped bool // the user stopped the run here
}

// factsOf reads the calls of a session, in the places that the log names. coded
// says whether the log marks failed calls: where it does not, a call without an
// error may have failed all the same.
func factsOf(steps []corpora.Step, k *gates.Checker, coded bool) []fact {
	out := make([]fact, len(steps))
	state := gates.State{UID: -1, GID: -1}
	for i := range steps {
		s := &steps[i]
		if s.Cwd != "" {
			state.Cwd = s.Cwd
			if len(state.Roots) == 0 {
				state.Roots = []string{s.Cwd}
			}
		}
		f := &out[i]
		f.stopped = s.Stopped
		if s.Status == corpora.StatusBlocked {
			continue
		}
		f.ran = true
		f.ctx = k.Context(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, state)
		f.status = statusOf(s, &f.ctx, coded)
		if f.ctx.Class.Family == call.FamilyShell {
			if line, ok := call.CommandOf(s.Tool, []byte(s.Args)); ok {
				f.list = commandsOf(line)
			}
		}
		f.change = f.status != endedBad && changes(&f.ctx, f.list)
		f.output = s.Result + "\n" + s.Error
	}
	return out
}

// statusOf is how a call ended by its exit status or its host's error. A command
// that was only started has not ended.
func statusOf(s *corpora.Step, c *gates.Context, coded bool) ending {
	switch {
	case s.Status != corpora.StatusExecuted, inBackground(c):
		return endedUnknown
	case s.Error != "", s.HasExit && s.ExitCode != 0:
		return endedBad
	case s.HasExit, coded:
		return endedWell
	}
	return endedUnknown
}

// inBackground says whether the call only starts its command (the argument that
// Claude Code's and OpenHands' shells have for it).
func inBackground(c *gates.Context) bool {
	for i := range c.Args {
		if strings.EqualFold(c.Args[i].Path, "run_in_background") && c.Args[i].Value == "true" {
			return true
		}
	}
	return false
}

// changes says whether a call changes the user's work: what it writes, moves or
// deletes now, in the workspace or beside it. What a builder puts out is none, nor
// what version control keeps.
func changes(c *gates.Context, list []command) bool {
	for i := range c.Effects {
		e := &c.Effects[i]
		made := e.Kind == effect.Write || e.Kind == effect.Delete
		if made && !e.Deferred && (e.Zone == effect.ZoneWorkspace || e.Zone == effect.ZoneOutside) && e.Program != "git" && !checks(list, e.Program) {
			return true
		}
	}
	return false
}

// checks says whether a program of the line tests, builds or lints.
func checks(list []command, program string) bool {
	for _, c := range list {
		if c.name == program && c.deed != "" {
			return true
		}
	}
	return false
}

// does says whether the call does one of these things.
func (f *fact) does(deeds []string) bool {
	if f.change && slices.Contains(deeds, deedChange) {
		return true
	}
	return slices.ContainsFunc(f.list, func(c command) bool { return c.deed != "" && slices.Contains(deeds, c.deed) })
}

// ended is how the commands of these deeds ended, by the call's exit status; with
// no deeds, how the call did. A line that failed says so of them only if nothing
// else in it can have.
func (f *fact) ended(deeds []string) ending {
	for _, c := range f.list {
		mine := deeds != nil && c.deed != "" && slices.Contains(deeds, c.deed)
		if mine && !c.sure || f.status == endedBad && c.sure && !mine && deeds != nil && !idle(c.name) {
			return endedUnknown
		}
	}
	return f.status
}

// idle says whether a program only prepares the line it stands in.
func idle(name string) bool {
	return slices.Contains([]string{"cd", "echo", "export", "pushd", "set", "source", "true"}, name)
}

// said is how these commands ended by what they printed. Success is believed only
// where their last lines can be seen.
func (f *fact) said(deeds []string) ending {
	e := printed(f.output)
	for _, c := range f.list {
		if e == endedWell && slices.Contains(deeds, c.deed) && !c.shown {
			return endedUnknown
		}
	}
	return e
}
