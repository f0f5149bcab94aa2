package lang

import "fmt"

// Error says what is wrong with a gate's text, where, and what to write
// instead.
type Error struct {
	Line, Col int // from 1, in code points
	Msg       string
	Hint      string // may be empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}
