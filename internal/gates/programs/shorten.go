package programs

import (
	"fmt"

	"github.com/gbt-policy/gbt/internal/gates/pieces"
)

// A shortener writes texts as codes of package pieces.
type shortener struct {
	// next is where a letter leads from a node, which is a beginning of pieces: the
	// node's number, and the letter in the low byte.
	next map[uint32]uint32
	code []string // of the piece that a node is, "" for a mere beginning
}

func newShortener() *shortener {
	s := &shortener{next: map[uint32]uint32{}, code: []string{""}}
	for i := range pieces.Count() {
		code, node := pieces.Code(i), uint32(0)
		text := pieces.Text(code)
		for j := range len(text) {
			at := node<<8 | uint32(text[j])
			to, ok := s.next[at]
			if !ok {
				to = uint32(len(s.code))
				s.next[at], s.code = to, append(s.code, "")
			}
			node = to
		}
		if old := s.code[node]; old == "" || len(code) < len(old) {
			s.code[node] = code
		}
	}
	return s
}

// shorten is the shortest code of a text; of equal ones that which begins with the
// longest piece.
func (s *shortener) shorten(text string) (string, error) {
	type step struct {
		cost int // bytes of the rest
		code string
		to   int
	}
	steps := make([]step, len(text)+1)
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < ' ' || text[i] >= letters {
			return "", fmt.Errorf("%q has a byte that no option has", text)
		}
		steps[i] = step{1 + steps[i+1].cost, text[i : i+1], i + 1}
		for j, node := i, uint32(0); j < len(text); {
			to, ok := s.next[node<<8|uint32(text[j])]
			if !ok {
				break
			}
			node = to
			j++
			if code := s.code[node]; code != "" && len(code)+steps[j].cost <= steps[i].cost {
				steps[i] = step{len(code) + steps[j].cost, code, j}
			}
		}
	}
	var b []byte
	for i := 0; i < len(text); i = steps[i].to {
		b = append(b, steps[i].code...)
	}
	return string(b), nil
}
