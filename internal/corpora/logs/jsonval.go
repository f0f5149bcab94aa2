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

// partsText joins the text of a list of content parts. A list that has no
// text part at all is data, and kept as JSON.
func partsText(a []*fastjson.Value) string {
	var parts []string
	found := len(a) == 0
	for _, p := range a {
		if p.Type() == fastjson.TypeString {
			found = true
			parts = append(parts, string(p.GetStringBytes()))
		} else if t, ok := partText(p); ok {
			found = true
			if t != "" {
				parts = append(parts, t)
			}
		}
	}
	if found {
		return strings.Join(parts, "\n")
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

// partText is the text of one content part: {"type":"text","text":…} and its
// relatives. Parts that hold no words (calls, images, results, thinking) are
// known, and empty.
func partText(p *fastjson.Value) (string, bool) {
	if p.Type() != fastjson.TypeObject {
		return "", false
	}
	switch kind := p.GetStringBytes("type"); string(kind) {
	case "text", "input_text", "output_text", "summary_text", "reasoning_text":
		return str(p, "text"), true
	case "":
		t := p.Get("text")
		if t == nil || t.Type() != fastjson.TypeString {
			return "", false
		}
		return str(p, "text"), true
	case "tool_use", "toolCall", "tool_call", "function_call", "tool_result", "thinking", "redacted_thinking",
		"image", "image_url", "input_image", "reasoning", "document", "server_tool_use", "file":
		return "", true
	}
	return "", false
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
