package logs

import (
	"strings"
	"unicode/utf8"

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

// appendJSON appends v as compact JSON. It differs from fastjson's MarshalTo
// in that the result is always valid JSON: fastjson escapes strings by Go's
// rules and passes NaN and malformed numbers through; here those become
// strings. Of repeated keys the last one counts, as in every JSON parser that
// agents use.
func appendJSON(b []byte, v *fastjson.Value) []byte {
	switch v.Type() {
	case fastjson.TypeObject:
		o, _ := v.Object()
		return appendObject(b, o)
	case fastjson.TypeArray:
		a, _ := v.Array()
		b = append(b, '[')
		for i, x := range a {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, x)
		}
		return append(b, ']')
	case fastjson.TypeString:
		s, _ := v.StringBytes()
		return appendString(b, s)
	case fastjson.TypeNumber:
		n := len(b)
		b = v.MarshalTo(b)
		if validNumber(b[n:]) {
			return b
		}
		word := string(b[n:])
		return appendString(b[:n], word)
	}
	return v.MarshalTo(b)
}

// appendObject is the object case of appendJSON. Repeated keys are looked for
// pairwise, which is cheapest for the handful of keys that objects have, and
// through a map when there are many.
func appendObject(b []byte, o *fastjson.Object) []byte {
	var few [32][]byte
	keys := few[:0]
	o.Visit(func(k []byte, _ *fastjson.Value) { keys = append(keys, k) })
	repeated := repeatedKeys(keys)
	b = append(b, '{')
	i, first := 0, true
	o.Visit(func(k []byte, v *fastjson.Value) {
		i++
		if repeated != nil && repeated[i-1] {
			return
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, k), ':')
		b = appendJSON(b, v)
	})
	return append(b, '}')
}

// repeatedKeys marks the keys that come again later; nil if none does.
func repeatedKeys(keys [][]byte) map[int]bool {
	var out map[int]bool
	mark := func(i int) {
		if out == nil {
			out = map[int]bool{}
		}
		out[i] = true
	}
	if len(keys) > 32 {
		last := make(map[string]int, len(keys))
		for i, k := range keys {
			if j, ok := last[string(k)]; ok {
				mark(j)
			}
			last[string(k)] = i
		}
		return out
	}
	for i, k := range keys {
		for _, later := range keys[i+1:] {
			if string(later) == string(k) {
				mark(i)
				break
			}
		}
	}
	return out
}

// appendString appends s as a JSON string, escaping only what JSON demands.
// Bytes that are not UTF-8 become U+FFFD.
func appendString[T string | []byte](b []byte, s T) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			_, n := decodeRune(s, i)
			if n > 1 {
				i += n
				continue
			}
			b = append(append(b, s[start:i]...), "\uFFFD"...)
			i++
			start = i
			continue
		}
		b = appendEscape(append(b, s[start:i]...), c)
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func decodeRune[T string | []byte](s T, i int) (rune, int) {
	end := min(len(s), i+utf8.UTFMax)
	return utf8.DecodeRuneInString(string(s[i:end]))
}

func appendEscape(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// validNumber says whether b is a number by RFC 8259, section 6.
func validNumber(b []byte) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(b) && '0' <= b[i] && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(b) && b[i] == '-' {
		i++
	}
	zero := i < len(b) && b[i] == '0'
	from := i
	if !digits() || zero && i > from+1 {
		return false
	}
	if i < len(b) && b[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(b)
}
