package logs

import (
	"unicode/utf8"

	"github.com/valyala/fastjson"
)

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
