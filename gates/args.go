package gates

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"sort"
	"strconv"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Arg is one leaf of a call's arguments.
type Arg struct {
	Path   string // keys joined by dots, list positions as numbers
	Value  string // strings as they are, all else as JSON
	Origin Origin
	Source string // the tool whose result first held the value, for OriginUntrusted
	Form   string // where in that result: the path of the field that is the value, or that path and "~" for a part of a longer text
	Role   string // what the tool's schema says the argument is for, a Role's name; empty if it says nothing
}

// Origin is where an argument's value came from.
type Origin uint8

// The origins. The zero value is the agent: nothing else is known to have
// named the value.
const (
	OriginAgent Origin = iota
	OriginTask
	OriginUntrusted
)

var originNames = [...]string{"agent", "task", "untrusted"}

// String returns the origin's name in lower case.
func (o Origin) String() string { return nameOf(originNames[:], int(o)) }

// Limits on arguments. Logs of real agents stay below a tenth of them; what
// exceeds them is opaque.
const (
	maxArgBytes = 4 << 20
	maxArgs     = 1000
	maxArgDepth = 32
	maxArgPath  = 1 << 10 // one long key above many leaves would be copied for each of them
)

// flatten turns JSON arguments into sorted leaves. ok is false for what is not
// one JSON object, or one in a string, within the limits.
func flatten(raw []byte) (args []Arg, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil, true
	}
	if len(raw) > maxArgBytes || nesting(raw) > maxArgDepth {
		return nil, false
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return nil, false
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, false
	}
	if s, isString := v.(string); isString {
		var inner map[string]any
		if json.Unmarshal([]byte(s), &inner) == nil {
			v = inner
		} else {
			return []Arg{{Path: "input", Value: s}}, true
		}
	}
	ok = true
	leaves(v, "", &args, &ok)
	return args, ok
}

// nesting is an upper bound of a JSON text's depth.
func nesting(raw []byte) int {
	depth, deepest := 0, 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

func leaves(v any, path string, out *[]Arg, ok *bool) {
	if len(*out) >= maxArgs || len(path) > maxArgPath {
		*ok = false
		return
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			leaves(v[k], join(path, k), out, ok)
		}
	case []any:
		for i, e := range v {
			leaves(e, join(path, strconv.Itoa(i)), out, ok)
		}
	case string:
		*out = append(*out, Arg{Path: path, Value: v})
	default:
		b, _ := json.Marshal(v)
		*out = append(*out, Arg{Path: path, Value: string(b)})
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// first returns the value of the first of the named top-level arguments.
func (b *builder) first(keys ...string) (string, bool) {
	for _, k := range keys {
		for i := range b.c.Args {
			if b.c.Args[i].Path == k && b.c.Args[i].Value != "null" {
				return b.c.Args[i].Value, true
			}
		}
		for i := range b.c.Args {
			if b.c.Args[i].Path == k+".0" {
				return b.c.Args[i].Value, true
			}
		}
	}
	return "", false
}

func (b *builder) value(keys ...string) string {
	v, _ := b.first(keys...)
	return v
}

// payloadKeys are the arguments that hold what a call writes or sends.
var payloadKeys = [...]string{"content", "file_text", "new_str", "new_string", "body", "text", "message", "data", "payload", "html", "patch", "new_source"}

// payload describes what the call carries by size and hash. It is worked out
// once: a patch may name thousands of files, each with all of it.
func (b *builder) payload() effect.Payload {
	if b.carries == nil {
		p := b.payloadOf()
		b.carries = &p
	}
	return *b.carries
}

func (b *builder) payloadOf() effect.Payload {
	if p, ok := b.rolePayload(); ok {
		return p
	}
	v, ok := b.first(payloadKeys[:]...)
	if !ok {
		return effect.Payload{}
	}
	sum := sha256.Sum256([]byte(v))
	return effect.Payload{Known: true, Len: len(v), MIME: "text/plain", Hash: hex.EncodeToString(sum[:])}
}
