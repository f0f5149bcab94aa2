package traverse

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// reading is a call that has been read. Check and Observe share it: what a call
// does hangs on the call and on the place it runs in, and both are in its key.
type reading struct {
	key  string // names the call to the byte, with what it runs in
	risk gates.Hints
	call *call.Call
	act  call.Action // under a name that may be kept
}

// maxReadings bounds the calls that are kept read. One that is observed later is
// read again.
const maxReadings = 8

// read reads a call, or returns what Check has read of it.
func (s *Session) read(c *Call) *reading {
	key := hashCall(c, &s.env)
	for i := range s.readings {
		if r := &s.readings[i]; r.key == key && r.risk == c.Hints {
			return r
		}
	}
	state := s.state()
	r := reading{key: key, risk: c.Hints, call: s.p.checker.Read(gates.Request{Tool: c.Tool, Args: slices.Clone(c.Args), Hints: c.Hints}, &state)}
	r.act = kept(r.call.Action())
	s.readings = last(append(s.readings, r), maxReadings)
	return &s.readings[len(s.readings)-1]
}

// state is where a call would run, and what the session has seen.
func (s *Session) state() gates.State {
	roots := s.env.Roots
	if len(roots) == 0 {
		roots = s.p.art.Guardrail.Roots
	}
	st := gates.State{Cwd: s.env.Cwd, Home: s.env.Home, Roots: roots, Links: s.env.Links, UID: s.env.UID, GID: s.env.GID, Conditions: s.p.checker.Conditions}
	s.past.Before(&st)
	return st
}

// context builds the structured context of a call.
func (s *Session) context(r *reading) gates.Context { return gates.ContextOf(r.call, s.state()) }

// kept is an action under a name that may be kept.
func kept(a call.Action) call.Action {
	a.Key = Name(a.Key)
	return a
}

// proposed is the action of a call that is only proposed.
func proposed(tool string, args []byte) call.Action { return kept(call.ActionOf(tool, string(args))) }

// hashCall names a call to the byte, with what it runs in.
func hashCall(c *Call, env *Env) string {
	b := make([]byte, 0, 512)
	b = appendParts(b, c.Tool, string(c.Args), env.Cwd, env.Home)
	b = appendParts(b, env.Roots...)
	for _, l := range env.Links {
		b = appendParts(b, l.From, l.To)
	}
	b = append(strconv.AppendInt(b, int64(env.UID), 10), ' ')
	b = append(strconv.AppendInt(b, int64(env.GID), 10), ' ')
	b = appendParts(b, env.Tools...)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// appendParts writes how many texts there are, and each behind its length, so
// that no two lists look alike.
func appendParts(b []byte, parts ...string) []byte {
	b = append(strconv.AppendInt(b, int64(len(parts)), 10), ';')
	for _, s := range parts {
		b = append(strconv.AppendInt(b, int64(len(s)), 10), ':')
		b = append(b, s...)
	}
	return b
}
