package logs

import (
	"strings"

	"github.com/valyala/fastjson"
)

// str copies the string at key; anything else is "".
func str(v *fastjson.Value, key string) string {
	return string(v.GetStringBytes(key))
}

// boolAt is the boolean at key and whether there is one.
func boolAt(v *fastjson.Value, key string) (value, ok bool) {
	x := v.Get(key)
	if x == nil {
		return false, false
	}
	switch x.Type() {
	case fastjson.TypeTrue:
		return true, true
	case fastjson.TypeFalse:
		return false, true
	}
	return false, false
}

// scalar is the string, number or boolean at key as text; "" for the rest.
func scalar(v *fastjson.Value, key string) string {
	return scalarOf(v.Get(key))
}

func scalarOf(x *fastjson.Value) string {
	if x == nil {
		return ""
	}
	switch x.Type() {
	case fastjson.TypeString:
		b, _ := x.StringBytes()
		return string(b)
	case fastjson.TypeNumber, fastjson.TypeTrue, fastjson.TypeFalse:
		return string(x.MarshalTo(nil))
	}
	return ""
}

// isSet says whether key is there with a value other than null.
func isSet(v *fastjson.Value, key string) bool {
	x := v.Get(key)
	return x != nil && x.Type() != fastjson.TypeNull
}

// text is the words of a content field: a string as it is, the text parts of
// a content list joined by newlines, any other value as JSON text.
func text(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	switch v.Type() {
	case fastjson.TypeNull:
		return ""
	case fastjson.TypeString:
		b, _ := v.StringBytes()
		return string(b)
	case fastjson.TypeArray:
		a, _ := v.Array()
		return partsText(a)
	case fastjson.TypeObject:
		if t, ok := partText(v); ok {
			return t
		}
	}
	return string(appendJSON(nil, v))
}

// partsText joins the text of a list of content parts; one of an unknown type
// stands in it as JSON. A list that has no known part at all is data, and kept
// as JSON.
func partsText(a []*fastjson.Value) string {
	var out []string
	found := len(a) == 0
	for _, p := range a {
		t, ok := partText(p)
		switch {
		case p.Type() == fastjson.TypeString:
			t, ok = string(p.GetStringBytes()), true
		case !ok:
			t = string(appendJSON(nil, p))
		}
		found = found || ok
		if t != "" || p.Type() == fastjson.TypeString {
			out = append(out, t)
		}
	}
	if found {
		return strings.Join(out, "\n")
	}
	return jsonList(a)
}

func jsonList(a []*fastjson.Value) string {
	b := []byte{'['}
	for i, p := range a {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, p)
	}
	return string(append(b, ']'))
}

// argsText is v as the text of one JSON object. Strings that hold an object
// are unwrapped, with the nested parser that the caller owns.
func (rd *reader) argsText(v *fastjson.Value) string {
	if v == nil {
		return "{}"
	}
	switch v.Type() {
	case fastjson.TypeNull:
		return "{}"
	case fastjson.TypeObject:
		rd.buf = appendJSON(rd.buf[:0], v)
		if len(rd.buf) == 2 {
			return "{}"
		}
		return string(rd.buf)
	case fastjson.TypeString:
		b, _ := v.StringBytes()
		return rd.argsString(string(b))
	}
	rd.buf = append(appendJSON(append(rd.buf[:0], `{"input":`...), v), '}')
	return string(rd.buf)
}

// argsString is the text of arguments as one JSON object.
func (rd *reader) argsString(s string) string {
	t := strings.TrimSpace(s)
	if t == "" {
		return "{}"
	}
	if t[0] == '{' && len(t) <= maxNested {
		if v, err := rd.nested.Parse(t); err == nil {
			rd.buf = appendJSON(rd.buf[:0], v)
			return string(rd.buf)
		}
	}
	return rd.args1("input", s)
}

// maxNested bounds the JSON text inside a string that is parsed: fastjson
// copies the rest of its input into each error, which for a large hostile text
// costs far more than the text.
const maxNested = 1 << 20

// args1 is the arguments object with one string member.
func (rd *reader) args1(key, value string) string {
	rd.buf = appendMember(append(rd.buf[:0], '{'), key, value)
	rd.buf = append(rd.buf, '}')
	return string(rd.buf)
}

func appendMember(b []byte, key, value string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = appendString(b, key)
	b = append(b, ':')
	return appendString(b, value)
}
