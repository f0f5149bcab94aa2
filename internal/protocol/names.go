package protocol

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// names walks JSON that encoding/json has taken and looks at what that lets
// pass: names that are there twice, and names of fields in other letters. A
// library that does so itself makes the WebAssembly module a tenth larger; a
// fuzz test holds this to one.
type names struct {
	data []byte
	at   int
}

// exactNames says that no object of the JSON has a name twice, and that what
// becomes a struct of the type has the names of its fields to the letter.
func exactNames(data []byte, t reflect.Type) bool {
	n := names{data: data}
	return n.value(t)
}

// value passes one value; t is nil where any names will do. What stays JSON is for
// whoever reads it: a call's arguments are taken apart by package call alone.
func (n *names) value(t reflect.Type) bool {
	if t == rawMessage {
		n.skip()
		return true
	}
	t = shape(t)
	switch n.next() {
	case '{':
		return n.object(t)
	case '[':
		return n.list(t)
	case '"':
		n.pass()
	default:
		n.literal()
	}
	return true
}

// next is the next byte that is no white space.
func (n *names) next() byte {
	for n.at < len(n.data) && strings.ContainsRune(" \t\r\n", rune(n.data[n.at])) {
		n.at++
	}
	if n.at == len(n.data) {
		return 0
	}
	return n.data[n.at]
}

// skip passes one value without a look at its names.
func (n *names) skip() {
	depth := 0
	for {
		switch n.next() {
		case '"':
			n.pass()
		case '{', '[':
			depth++
			n.at++
		case '}', ']':
			depth--
			n.at++
		case ',', ':':
			n.at++
		default:
			n.literal()
		}
		if depth == 0 {
			return
		}
	}
}

// literal passes a number, true, false or null.
func (n *names) literal() {
	for n.at < len(n.data) && !strings.ContainsRune(",]} \t\r\n", rune(n.data[n.at])) {
		n.at++
	}
}

func (n *names) object(t reflect.Type) bool {
	var seen nameSet
	for n.at++; n.next() != '}'; {
		if n.next() == ',' {
			n.at++
			n.next()
		}
		name := n.text()
		of, ok := field(t, name)
		if !ok || !seen.add(name) {
			return false
		}
		n.next()
		n.at++ // the colon
		if !n.value(of) {
			return false
		}
	}
	n.at++
	return true
}

func (n *names) list(t reflect.Type) bool {
	if t != nil && t.Kind() == reflect.Slice {
		t = t.Elem()
	} else {
		t = nil
	}
	for n.at++; n.next() != ']'; {
		if n.next() == ',' {
			n.at++
		}
		if !n.value(t) {
			return false
		}
	}
	n.at++
	return true
}

// pass passes a string, and says whether something in it is escaped.
func (n *names) pass() (escaped bool) {
	for n.at++; n.data[n.at] != '"'; n.at++ {
		if n.data[n.at] == '\\' {
			escaped = true
			n.at++
		}
	}
	n.at++
	return escaped
}

// text passes a string and gives it.
func (n *names) text() string {
	from := n.at
	if !n.pass() {
		return string(n.data[from+1 : n.at-1])
	}
	var s string
	if json.Unmarshal(n.data[from:n.at], &s) != nil {
		panic("gbt: internal error: a string that was JSON is none")
	}
	return s
}

// nameSet are the names of one object, few as a rule.
type nameSet struct {
	few  []string
	many map[string]bool
}

// add is false for a name that is there.
func (s *nameSet) add(name string) bool {
	if s.many[name] || slices.Contains(s.few, name) {
		return false
	}
	if len(s.few) < 16 {
		s.few = append(s.few, name)
		return true
	}
	if s.many == nil {
		s.many = map[string]bool{}
	}
	s.many[name] = true
	return true
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	rawMessage  = reflect.TypeFor[json.RawMessage]()
)

// shape is the type that says which names there may be, nil for none: what
// reads itself knows its own.
func shape(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct && t.Kind() != reflect.Slice && t.Kind() != reflect.Map || reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	return t
}

// field is the type of a struct's field, by its name in JSON, or of a map's values.
func field(t reflect.Type, name string) (reflect.Type, bool) {
	switch {
	case t == nil || t.Kind() == reflect.Slice:
		return nil, true
	case t.Kind() == reflect.Map:
		return t.Elem(), true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name {
			return f.Type, true
		}
	}
	return nil, false
}
