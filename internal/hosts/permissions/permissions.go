// Package permissions reads the rules of permissions in a host's settings: what its user
// wants allowed, asked about or denied, as Claude Code writes them
// (https://code.claude.com/docs/en/permissions): the lists permissions.allow, .ask and
// .deny of texts TOOL or TOOL(SPECIFIER).
//
// Parse reads a file's bytes; a Rule knows its line. MayMatch says whether a rule could be
// about a call: it errs on the side of yes. Translate makes rules of gbt's own of those
// that say what a call does, and says of the others why not.
//
// What belongs here: what is written in such lists, and what it means. What never does:
// where the files lie (package hosts), reading them, and gbt's own rules (gates/rules).
package permissions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Behavior is the list that a rule stands in.
type Behavior string

// The lists.
const (
	Allow Behavior = "allow"
	Ask   Behavior = "ask"
	Deny  Behavior = "deny"
)

// Rule is one rule of a settings file.
type Rule struct {
	Behavior Behavior
	Text     string // as it is written
	Tool     string // before the parenthesis
	Spec     string // inside it; empty where there is none
	File     string
	Line     int // counted from 1
}

// MaxSize bounds a settings file.
const MaxSize = 1 << 20

// Error is a settings file that can't be read.
type Error struct {
	File string
	Line int
	Msg  string
}

// Error names the file and the line.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// reader walks a file's tokens and knows on which line it is.
type reader struct {
	name  string
	data  []byte
	dec   *json.Decoder
	depth int
	out   []Rule
}

// Parse returns the rules of a settings file in the order in which they stand. A file
// without any has none; one that is not one JSON object, or whose lists are no lists of
// texts, or in which a key occurs twice, is an *Error: nobody knows what its user wanted.
func Parse(name string, data []byte) ([]Rule, error) {
	r := &reader{name: name, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	if len(data) > MaxSize {
		return nil, r.fault("the file is larger than a megabyte")
	}
	err := r.object(func(key string) error {
		if key != "permissions" {
			return r.skip()
		}
		return r.object(func(key string) error {
			switch b := Behavior(key); b {
			case Allow, Ask, Deny:
				return r.list(b)
			}
			return r.skip()
		})
	})
	if err == nil {
		if _, e := r.dec.Token(); e != io.EOF {
			err = r.fault("something follows the settings' object")
		}
	}
	if err != nil {
		return nil, err
	}
	return r.out, nil
}

// object walks the members of an object.
func (r *reader) object(member func(key string) error) error {
	if err := r.delim('{', "an object"); err != nil {
		return err
	}
	return r.members(member)
}

// members walks what stands in an object that has begun. Of a key that occurs twice
// nobody knows which one the host reads.
func (r *reader) members(member func(key string) error) error {
	seen := map[string]bool{}
	for r.dec.More() {
		t, err := r.token()
		if err != nil {
			return err
		}
		key, _ := t.(string) // the decoder takes nothing else for a key
		if seen[key] {
			return r.fault(fmt.Sprintf("the key %.80q occurs twice", key))
		}
		seen[key] = true
		if err := member(key); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// list reads a list of rules.
func (r *reader) list(b Behavior) error {
	if err := r.delim('[', "a list of rules"); err != nil {
		return err
	}
	for r.dec.More() {
		t, err := r.token()
		if err != nil {
			return err
		}
		text, ok := t.(string)
		if !ok {
			return r.fault("permissions." + string(b) + " holds something that is no text")
		}
		r.out = append(r.out, ruleOf(b, text, r.name, r.line()))
	}
	_, err := r.token()
	return err
}

// delim takes the beginning of an object or a list.
func (r *reader) delim(want json.Delim, what string) error {
	t, err := r.token()
	if err != nil {
		return err
	}
	if t != want {
		return r.fault("this should be " + what)
	}
	return nil
}

// maxDepth bounds how deep values lie in each other.
const maxDepth = 100

// skip takes one value, and all that is in it.
func (r *reader) skip() error {
	if r.depth++; r.depth > maxDepth {
		return r.fault("values lie too deep in each other")
	}
	defer func() { r.depth-- }()
	t, err := r.token()
	switch {
	case err != nil:
		return err
	case t == json.Delim('{'):
		return r.members(func(string) error { return r.skip() })
	case t != json.Delim('['):
		return nil
	}
	for r.dec.More() {
		if err := r.skip(); err != nil {
			return err
		}
	}
	_, err = r.token()
	return err
}

// token takes one token.
func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.broken(err)
	}
	return t, nil
}

// broken is a fault where the decoder found one.
func (r *reader) broken(err error) error {
	if s, ok := err.(*json.SyntaxError); ok {
		return &Error{r.name, r.lineAt(s.Offset), "no JSON: " + s.Error()}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return &Error{r.name, r.lineAt(int64(len(r.data))), "no JSON: it ends early"}
	}
	return r.fault("no JSON: " + err.Error())
}

// fault is one where the reader is.
func (r *reader) fault(msg string) error { return &Error{r.name, r.line(), msg} }

// line is the line of the token that was read last.
func (r *reader) line() int { return r.lineAt(r.dec.InputOffset()) }

// lineAt is the line of a byte.
func (r *reader) lineAt(at int64) int {
	return 1 + bytes.Count(r.data[:min(at, int64(len(r.data)))], []byte("\n"))
}

// ruleOf takes a rule's text apart. Tool(*) and Tool() are about all calls of the tool.
func ruleOf(b Behavior, text, file string, line int) Rule {
	r := Rule{Behavior: b, Text: text, Tool: strings.TrimSpace(text), File: file, Line: line}
	if tool, rest, ok := strings.Cut(r.Tool, "("); ok && strings.HasSuffix(rest, ")") {
		r.Tool, r.Spec = tool, strings.TrimSuffix(rest, ")")
	}
	if r.Spec == "*" {
		r.Spec = ""
	}
	return r
}
