package fixes

import (
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/traverse/failure"
	"github.com/gbt-policy/gbt/internal/tree/merge"
)

// The most that is kept of one episode: failures, and actions between one and the next try.
const (
	maxFalls = 64
	maxWith  = 8
)

// Look finds the failures of an episode: how each failed, what was done before the check was
// tried again, and what came of that.
func Look(e *corpora.Episode) []merge.Fall {
	l := &looker{open: map[string]int{}, row: map[string]int32{}}
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Status == corpora.StatusExecuted {
			l.step(s)
		}
	}
	return l.falls
}

type looker struct {
	falls []merge.Fall
	open  map[string]int   // failures that were not tried again yet, by check
	row   map[string]int32 // failures in a row, by action
}

func (l *looker) step(s *corpora.Step) {
	act := call.ActionOf(s.Tool, s.Args)
	if !failure.Counts(act) {
		return
	}
	class, failed := failure.Of(FaultOf(s), []byte(s.Result))
	check := failure.CheckOf(s.Tool, []byte(s.Args), act)
	if i, ok := l.open[check]; ok {
		f := &l.falls[i]
		f.Again, f.Passed = true, !failed
		if len(f.With) == 0 {
			f.With = []string{act.Key} // in another form, and nothing else
		}
		delete(l.open, check)
	}
	if !failed {
		l.row[act.Key] = 0
		for _, i := range l.open {
			if f := &l.falls[i]; len(f.With) < maxWith && !slices.Contains(f.With, act.Key) {
				f.With = append(f.With, act.Key)
			}
		}
		return
	}
	l.row[act.Key]++
	if len(l.falls) < maxFalls {
		l.open[check] = len(l.falls)
		l.falls = append(l.falls, merge.Fall{Action: act.Key, Class: class, Row: l.row[act.Key]})
	}
}

// FaultOf is the error of a recorded call, as a session is told of it.
func FaultOf(s *corpora.Step) string {
	if s.Error == "" && s.HasExit && s.ExitCode != 0 {
		return "exit status " + strconv.Itoa(s.ExitCode)
	}
	return s.Error
}

// ActionOf is the action of a recorded call; empty where it teaches nothing of failures.
func ActionOf(s *corpora.Step) string {
	if act := call.ActionOf(s.Tool, s.Args); failure.Counts(act) {
		return act.Key
	}
	return ""
}

// Failed is the class of a recorded call that failed; empty where it did not, or teaches
// nothing.
func Failed(s *corpora.Step) string {
	if ActionOf(s) == "" {
		return ""
	}
	class, _ := failure.Of(FaultOf(s), []byte(s.Result))
	return class
}
