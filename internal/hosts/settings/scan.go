package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// SyntaxError is text that is not the JSON a host would read.
type SyntaxError struct {
	Line int // from 1
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// node is a JSON value in a text.
type node struct {
	kind       byte // '{', '[' or 'v' for all else
	start, end int
	members    []member // of an object or, without keys, of a list
}

type member struct {
	key   string
	start int // of the key, or of a list's element
	value *node
}

func (n *node) member(key string) int {
	for i := range n.members {
		if n.members[i].key == key {
			return i
		}
	}
	return -1
}

// maxDepth bounds the nesting of a settings file.
const maxDepth = 100

type scanner struct {
	text     []byte
	pos      int
	comments bool
}

// scan parses text as one JSON object, with comments if the host strips them.
func scan(text []byte, comments bool) (*node, error) {
	s := scanner{text: text, comments: comments}
	n, err := s.value(0)
	if err != nil {
		return nil, err
	}
	if err := s.space(); err != nil {
		return nil, err
	}
	if s.pos < len(text) {
		return nil, s.fail("unexpected text after the end")
	}
	if n.kind != '{' {
		s.pos = n.start
		return nil, s.fail("not a JSON object")
	}
	return n, nil
}

func (s *scanner) fail(format string, args ...any) error {
	at := min(s.pos, len(s.text))
	return &SyntaxError{Line: 1 + bytes.Count(s.text[:at], []byte("\n")), Msg: fmt.Sprintf(format, args...)}
}

// space skips blanks and comments.
func (s *scanner) space() error {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.pos++
		case c == '/':
			if err := s.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) comment() error {
	if !s.comments {
		return s.fail("a comment, which this host does not accept")
	}
	rest := s.text[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			s.pos += i
		} else {
			s.pos = len(s.text)
		}
		return nil
	case bytes.HasPrefix(rest, []byte("/*")):
		if i := bytes.Index(rest[2:], []byte("*/")); i >= 0 {
			s.pos += i + 4
			return nil
		}
	}
	return s.fail("a comment without an end")
}

func (s *scanner) value(depth int) (*node, error) {
	if err := s.space(); err != nil {
		return nil, err
	}
	if s.pos >= len(s.text) {
		return nil, s.fail("a value is missing")
	}
	if depth > maxDepth {
		return nil, s.fail("nested too deeply")
	}
	switch c := s.text[s.pos]; c {
	case '{', '[':
		return s.container(c, depth)
	case '"':
		start := s.pos
		_, err := s.str()
		return &node{kind: 'v', start: start, end: s.pos}, err
	}
	return s.scalar()
}

// scalar reads a number, true, false or null.
func (s *scanner) scalar() (*node, error) {
	start := s.pos
	for s.pos < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,:]}[{\"/"), s.text[s.pos]) < 0 {
		s.pos++
	}
	if word := s.text[start:s.pos]; !json.Valid(word) {
		s.pos = start
		return nil, s.fail("%.20q is not a JSON value", s.text[start:min(len(s.text), start+20)])
	}
	return &node{kind: 'v', start: start, end: s.pos}, nil
}

func (s *scanner) str() (string, error) {
	start := s.pos
	for s.pos++; s.pos < len(s.text) && s.text[s.pos] != '\n'; s.pos++ {
		switch s.text[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			var out string
			if err := json.Unmarshal(s.text[start:s.pos], &out); err != nil {
				return "", s.fail("a string that is not valid JSON")
			}
			return out, nil
		}
	}
	s.pos = start
	return "", s.fail("a string without an end")
}

func (s *scanner) container(open byte, depth int) (*node, error) {
	n := &node{kind: open, start: s.pos}
	closing := byte('}')
	if open == '[' {
		closing = ']'
	}
	s.pos++
	for {
		if err := s.space(); err != nil {
			return nil, err
		}
		if s.pos < len(s.text) && s.text[s.pos] == closing && len(n.members) == 0 {
			break
		}
		if err := s.member(n, depth); err != nil {
			return nil, err
		}
		if err := s.space(); err != nil {
			return nil, err
		}
		if s.pos >= len(s.text) || s.text[s.pos] != ',' && s.text[s.pos] != closing {
			return nil, s.fail("a comma or %q is missing", closing)
		}
		if s.text[s.pos] == closing {
			break
		}
		s.pos++
	}
	s.pos++
	n.end = s.pos
	return n, nil
}

func (s *scanner) member(n *node, depth int) error {
	m := member{start: s.pos}
	if n.kind == '{' {
		if s.pos >= len(s.text) || s.text[s.pos] != '"' {
			return s.fail("a key is missing")
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if n.member(key) >= 0 {
			return s.fail("the key %q occurs twice", key)
		}
		m.key = key
		if err := s.space(); err != nil {
			return err
		}
		if s.pos >= len(s.text) || s.text[s.pos] != ':' {
			return s.fail("a colon is missing")
		}
		s.pos++
	}
	v, err := s.value(depth + 1)
	m.value = v
	n.members = append(n.members, m)
	return err
}
