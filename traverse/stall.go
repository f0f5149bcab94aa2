package traverse

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// The bounds of a stall (003 §I.4, requirement K1).
const (
	idleSteps  = 3 // macro steps in a row without a change
	gateBlocks = 3 // blocks of one high-risk family
	gateWindow = 5 // among this many checks
)

// stallState is what stalls are told by.
type stallState struct {
	idle      int
	reads     []int32  // states of macros that only read, since the last change
	proposals []string // canonical proposals since the last progress, hashed
	window    []string // the families that the last checks blocked, "" for those they let pass
}

// progress judges the macro that ends. A change is progress. In the default
// profile so is a macro that the tree expects to read only, the first time
// since the last change: most tasks begin with several such macros, and the
// literal rule calls the third of them a stall (gbt eval traverse counts both).
func (s *Session) progress() {
	m, st := &s.macro, &s.stall
	state := s.guard.pos.State()
	switch {
	case m.changed:
		st.reads = nil
	case !s.literal() && m.calls > 0 && state >= 0 && s.readOnly(state) && !slices.Contains(st.reads, state):
		st.reads = append(st.reads, state)
	default:
		st.idle++
		return
	}
	st.idle, st.proposals = 0, nil
}

func (s *Session) readOnly(state int32) bool {
	x := &s.p.view.States[state]
	return x.Delta == effect.DeltaNone && !x.Generic
}

// stalled says why the run is stuck, and remembers the proposal.
func (s *Session) stalled(pr *Proposal, key string) string {
	st := &s.stall
	c := canonical(pr, key, s.p.checker)
	loop := c != "" && slices.Contains(st.proposals, c)
	if c != "" && !loop {
		st.proposals = append(st.proposals, c)
	}
	switch {
	case st.idle >= idleSteps:
		return "no-delta"
	case st.looping():
		return "gate-loop"
	case loop:
		return "plan-loop"
	}
	return ""
}

// looping reports whether one family was blocked too often of late.
func (st *stallState) looping() bool {
	for i, f := range st.window {
		n := 0
		for _, g := range st.window[i:] {
			if f != "" && f == g {
				n++
			}
		}
		if n >= gateBlocks {
			return true
		}
	}
	return false
}

// checked notes the outcome of a check: the family of a high-risk call that was
// blocked, or that it was not.
func (st *stallState) checked(c *gates.Context, blocked bool) {
	family := ""
	if blocked {
		family = c.Class.Family.String()
		for i := range c.Effects {
			if c.Effects[i].High() {
				family += "/" + c.Effects[i].Kind.String()
				break
			}
		}
	}
	st.window = append(st.window, family)
	if len(st.window) > gateWindow {
		st.window = st.window[len(st.window)-gateWindow:]
	}
}

// canonical is the form in which proposals compare: a call by its action, its
// tool and the arguments of its context, which has no words for people, with the
// blanks of a command line folded; words in lower case without punctuation and
// without the words that only say that something comes next.
func canonical(pr *Proposal, key string, k *gates.Checker) string {
	h := sha256.New()
	if key != "" {
		if pr.Tool == "" {
			return "" // an action alone names no equivalent call
		}
		h.Write([]byte("call\x00" + key + "\x00" + strings.ToLower(pr.Tool) + "\x00"))
		c := k.Context(gates.Request{Tool: pr.Tool, Args: pr.Args}, gates.State{})
		for i := range c.Args {
			a := &c.Args[i]
			value := a.Value
			if a.Role == effect.RoleCommand.String() {
				value = foldBlanks(value)
			}
			h.Write([]byte(a.Path + "\x00" + value + "\x00"))
		}
		if len(c.Args) == 0 { // none, or some that cannot be read
			h.Write(canonicalJSON(pr.Args))
		}
		return hex.EncodeToString(h.Sum(nil)[:16])
	}
	words := strings.FieldsFunc(strings.ToLower(pr.Text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	n := 0
	for _, w := range words {
		if !slices.Contains(fillers[:], w) {
			n++
			h.Write([]byte(w + " "))
		}
	}
	if n == 0 {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// foldBlanks makes one blank of several outside quotes, and none at the ends.
func foldBlanks(line string) string {
	var b strings.Builder
	quote, gap := byte(0), false
	for i := 0; i < len(line); i++ {
		c := line[i]
		if quote == 0 && (c == ' ' || c == '\t') {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(line):
			b.WriteByte(c)
			i++
			c = line[i]
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
		b.WriteByte(c)
	}
	return strings.TrimRight(b.String(), "\n")
}

// fillers are words that announce a step without saying which.
var fillers = [...]string{"a", "again", "an", "and", "i", "ill", "just", "let", "ll", "me", "next", "now", "ok", "okay", "please", "so", "the", "then", "to", "will"}

func canonicalJSON(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return bytes.TrimSpace(raw)
	}
	out, err := json.Marshal(v) // keys sorted
	if err != nil {
		return raw
	}
	return out
}

// stallOut answers a stall with a way out, or with the stall itself. A shadow
// session notes both and goes on; ok is then false.
func (s *Session) stallOut(why string) (m Move, ok bool) {
	s.stats.Stalls++
	s.stall = stallState{}
	s.step.Stall = why
	var path *route
	if s.p.arm.recovers() {
		path = s.plan()
	}
	if path != nil {
		s.stats.Recoveries++
		s.step.Recovery = path.step(s.p)
	}
	switch {
	case s.task.Shadow && path == nil:
		s.step.would(Stall)
		return Move{}, false
	case s.task.Shadow:
		s.step.would(Recover)
		return Move{}, false
	case path == nil:
		s.stopped = "stall:" + why
		return s.move(Stall, why, nil, nil), true
	}
	s.lose("recovery")
	s.adopt(path, why)
	return s.nextRecovery()
}
