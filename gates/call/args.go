package call

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Arg is one leaf of a call's arguments.
type Arg struct {
	Path   string // keys joined by dots, list positions as numbers
	Value  string // strings as they are, all else as JSON
	Origin Origin
	Source string // the tool whose result first held the value, for OriginUntrusted
	Form   string // where in that result: the path of the field that is the value, and "=" in a record that the task selected, or that path and "~" for a part of a longer text
	Number string // how an amount compares with the numbers of the task: none, same, sum, less, more or other; empty for what is no amount
	Link   string // where the addresses in words that are sent come from: text, agent, field, followed or task; empty for words without any
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
	NumOrigins
)

var originNames = [NumOrigins]string{"agent", "task", "untrusted"}

// String returns the origin's name in lower case.
func (o Origin) String() string { return nameOf(originNames[:], int(o)) }

// Limits on arguments. Logs of real agents stay below a tenth of them; what
// exceeds them is opaque.
const (
	// MaxArgBytes is the longest text of arguments that is read.
	MaxArgBytes = 4 << 20
	maxArgs     = 1000
	maxArgDepth = 32
	maxArgPath  = 1 << 10 // one long key above many leaves would be copied for each of them
)

// flatten turns arguments into leaves, sorted by path. ok is false for what
// exceeds the limits.
func (d *document) flatten() (args []Arg, ok bool) {
	if d.kind == stringValue {
		return []Arg{{Path: "input", Value: d.text}}, true
	}
	ok = true
	leaves(&d.value, "", &args, &ok)
	return args, ok
}

func leaves(v *value, path string, out *[]Arg, ok *bool) {
	if len(*out) >= maxArgs || len(path) > maxArgPath {
		*ok = false
		return
	}
	switch v.kind {
	case objectValue:
		for _, i := range v.sorted() {
			leaves(&v.items[i], join(path, v.names[i]), out, ok)
		}
	case listValue:
		for i := range v.items {
			leaves(&v.items[i], join(path, strconv.Itoa(i)), out, ok)
		}
	default:
		*out = append(*out, Arg{Path: path, Value: v.text})
	}
}

// sorted are the positions of an object's values by their names, of each name
// the last.
func (v *value) sorted() []int {
	at := make([]int, len(v.names))
	for i := range at {
		at[i] = i
	}
	sort.SliceStable(at, func(i, j int) bool { return v.names[at[i]] < v.names[at[j]] })
	out := at[:0]
	for k, i := range at {
		if k+1 == len(at) || v.names[at[k+1]] != v.names[i] {
			out = append(out, i)
		}
	}
	return out
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// first returns the value of the first of the named top-level arguments. Not inlined, for the size of programs.
//
//go:noinline
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

// all returns every value that a top-level argument holds: of a list all items, of an
// object all members. plain says that it is one value, or a list of some.
func (b *builder) all(key string) (values []string, plain bool) {
	plain = true
	for i := range b.c.Args {
		a := &b.c.Args[i]
		if top, below, in := strings.Cut(a.Path, "."); top == key && a.Value != "null" {
			values = append(values, a.Value)
			plain = plain && (!in || strings.Trim(below, "0123456789") == "")
		}
	}
	return values, plain
}

//go:noinline
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
