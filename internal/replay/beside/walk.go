package beside

import (
	"github.com/gbt-policy/gbt/corpora"
)

// Guard is somebody who asks about calls.
type Guard interface {
	// Asks says whether a call is asked about, and what a yes to it could be remembered
	// as: all of these must have been agreed to for the call to pass. None: it is asked
	// about every time.
	Asks(s *corpora.Step) (asks bool, scopes []Scope)
}

// Scope is what a yes is remembered for.
type Scope struct {
	Name    string
	Project bool // in all later sessions of the project too, not in this one only
	Agreed  bool // by an earlier yes that the guard itself remembers
}

// Count is what a guard did in one session.
type Count struct {
	Calls      int
	Asked      int
	Remembered int // with each yes remembered while the session lasts
	Kept       int // and in later sessions of the project, where the guard keeps it
}

// Memory is what was agreed to in the sessions of each project so far.
type Memory map[string]bool

// Walk puts every call of a session to a guard. Each question is answered as the log
// shows: no where the user declined the call, else yes.
func Walk(g Guard, e *corpora.Episode, m Memory) Count {
	out := Count{Calls: len(e.Steps)}
	session, project := Memory{}, projectOf(e)
	for i := range e.Steps {
		s := &e.Steps[i]
		asks, scopes := g.Asks(s)
		if !asks {
			continue
		}
		out.Asked++
		inSession, ever := len(scopes) > 0, len(scopes) > 0
		for _, x := range scopes {
			agreed := x.Agreed || session[x.Name]
			inSession = inSession && agreed
			ever = ever && (agreed || m[project+"\x00"+x.Name])
		}
		if !inSession {
			out.Remembered++
		}
		if !ever {
			out.Kept++
		}
		if s.Declined() {
			continue
		}
		for _, x := range scopes {
			session[x.Name] = true
			if x.Project {
				m[project+"\x00"+x.Name] = true
			}
		}
	}
	return out
}

// projectOf is the directory that a session began in.
func projectOf(e *corpora.Episode) string {
	for i := range e.Steps {
		if e.Steps[i].Cwd != "" {
			return e.Steps[i].Cwd
		}
	}
	return ""
}
