package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Limits on a hook's input. The longest tool call in the project's corpora has
// 0.3 MB; gates judges arguments of up to 4 MB.
const (
	MaxInput = 8 << 20
	maxDepth = 100
)

// InputError is input that can't be judged. Code is stable.
type InputError struct {
	Code   string
	Detail string
}

func (e *InputError) Error() string { return e.Detail + " (" + e.Code + ")" }

func bad(code, format string, args ...any) error {
	return &InputError{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// fields is the one object that a host writes.
type fields map[string]json.RawMessage

// parse accepts exactly one JSON object in valid UTF-8, without a key of its own
// that occurs twice: two readers of such text may see two calls. What its fields
// hold is for others: package call takes arguments apart, for every front end.
func parse(data []byte) (fields, error) {
	switch {
	case len(data) > MaxInput:
		return nil, bad("input/too-large", "the input has more than %d bytes", MaxInput)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, bad("input/empty", "there is no input")
	case !utf8.Valid(data):
		return nil, bad("input/utf-8", "the input is not valid UTF-8")
	}
	if err := once(data); err != nil {
		return nil, err
	}
	var f fields
	if err := json.Unmarshal(data, &f); err != nil || f == nil {
		return nil, bad("input/shape", "the input is not a JSON object")
	}
	return f, nil
}

// once checks that data is one JSON value that nests no deeper than maxDepth, and
// that repeats no key where it is an object.
func once(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	seen := map[string]bool{}
	depth, key := 0, true // key: the next text at the top is one
	for first := true; first || depth > 0; first = false {
		tok, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			return bad("input/json", "the input ends early")
		case err != nil:
			return bad("input/json", "the input is not JSON: %v", err)
		case tok == json.Delim('{') || tok == json.Delim('['):
			if depth++; depth > maxDepth {
				return bad("input/depth", "the input nests deeper than %d", maxDepth)
			}
			continue
		case tok == json.Delim('}') || tok == json.Delim(']'):
			depth--
		case depth == 1 && key:
			name, _ := tok.(string)
			if seen[name] {
				return bad("input/duplicate", "the key %.80q occurs twice", name)
			}
			seen[name], key = true, false
			continue
		}
		if depth == 1 {
			key = true
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return bad("input/json", "the input goes on after the first JSON value")
	}
	return nil
}

// text returns a string field; absent and null are the empty string.
func (f fields) text(key string) (string, error) {
	raw, ok := f[key]
	if !ok || string(raw) == "null" {
		return "", nil
	}
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", bad("input/shape", "%s is not a string", key)
	}
	return s, nil
}

// need returns a string field that must not be empty.
func (f fields) need(key string) (string, error) {
	s, err := f.text(key)
	if err == nil && s == "" {
		err = bad("input/missing", "%s is missing", key)
	}
	return s, err
}

// object returns a field that must be an object.
func (f fields) object(key string) ([]byte, error) {
	raw, ok := f[key]
	if !ok || string(raw) == "null" {
		return nil, bad("input/missing", "%s is missing", key)
	}
	if raw[0] != '{' {
		return nil, bad("input/shape", "%s is not an object", key)
	}
	return raw, nil
}

// texts returns a list of strings; absent and null are the empty list.
func (f fields) texts(key string) ([]string, error) {
	raw, ok := f[key]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var list []*string
	if raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, bad("input/shape", "%s is not a list of strings", key)
	}
	out := make([]string, 0, len(list))
	for _, s := range list {
		if s == nil {
			return nil, bad("input/shape", "%s is not a list of strings", key)
		}
		out = append(out, *s)
	}
	return out, nil
}
