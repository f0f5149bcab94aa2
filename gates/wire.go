package gates

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// wire walks one value to bytes or from them, so that the order of keys is
// written down once. After a failure a reading walk goes on with zero values;
// lists end there, so it ends in linear time.
type wire struct {
	out     []byte
	in      []byte
	pos     int
	reading bool
	failed  bool
}

// lit walks bytes that always stand there. Not inlined, for the size of programs.
//
//go:noinline
func (w *wire) lit(s string) {
	if !w.reading {
		w.out = append(w.out, s...)
		return
	}
	if w.failed || len(w.in)-w.pos < len(s) || string(w.in[w.pos:w.pos+len(s)]) != s {
		w.failed = true
		return
	}
	w.pos += len(s)
}

// next says whether c follows, and passes it. Not inlined, for the size of programs.
//
//go:noinline
func (w *wire) next(c byte) bool {
	if w.failed || w.pos >= len(w.in) || w.in[w.pos] != c {
		return false
	}
	w.pos++
	return true
}

func (w *wire) bool(p *bool) {
	switch {
	case !w.reading && *p:
		w.lit("true")
	case !w.reading:
		w.lit("false")
	default:
		if *p = w.pos < len(w.in) && w.in[w.pos] == 't'; *p {
			w.lit("true")
		} else {
			w.lit("false")
		}
	}
}

func wireInt[T ~int | ~int64 | ~uint16](w *wire, p *T) {
	if !w.reading {
		w.out = strconv.AppendInt(w.out, int64(*p), 10)
		return
	}
	end := w.pos
	for end < len(w.in) && end-w.pos < 20 && (w.in[end] == '-' || w.in[end] >= '0' && w.in[end] <= '9') {
		end++
	}
	n, err := strconv.ParseInt(string(w.in[w.pos:end]), 10, 64)
	if err != nil || int64(T(n)) != n {
		w.failed = true
		return
	}
	w.pos, *p = end, T(n)
}

// wireEnum walks a value of a closed set by its name; n is their number. Names
// of a set have no letters that need escapes.
func wireEnum[T interface {
	~uint8
	String() string
}](w *wire, p *T, n T) {
	if !w.reading {
		w.out = append(append(append(w.out, '"'), (*p).String()...), '"')
		return
	}
	name := w.word()
	for v := T(0); v < n; v++ {
		if v.String() == name {
			*p = v
			return
		}
	}
	w.failed = true
}

// word reads a string without escapes.
func (w *wire) word() string {
	if !w.next('"') {
		w.failed = true
		return ""
	}
	n := bytes.IndexByte(w.in[w.pos:], '"')
	if n < 0 {
		w.failed = true
		return ""
	}
	s := string(w.in[w.pos : w.pos+n])
	w.pos += n + 1
	return s
}

func wireList[T any](w *wire, p *[]T, elem func(*wire, *T)) {
	w.lit("[")
	if !w.reading {
		for i := range *p {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			elem(w, &(*p)[i])
		}
		w.out = append(w.out, ']')
		return
	}
	if w.next(']') {
		return
	}
	for !w.failed {
		var v T
		elem(w, &v)
		*p = append(*p, v)
		if w.next(']') {
			return
		}
		w.lit(",")
	}
}

const hexDigits = "0123456789abcdef"

func (w *wire) str(p *string) {
	if w.reading {
		*p = w.readStr()
		return
	}
	w.out = appendString(w.out, *p)
}

// appendString writes a string, with what has to be escaped.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = appendEscape(append(dst, s[done:i]...), c)
		i += size
		done = i
	}
	return append(append(dst, s[done:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c < ' ':
		dst = append(dst, `\u00`...)
	default: // a byte that is not UTF-8: PEP 383
		dst = append(dst, `\udc`...)
	}
	return append(dst, hexDigits[c>>4], hexDigits[c&15])
}

// readStr reads a string. It takes any escape that str may have written; that
// str would have written it just so is for the caller to compare.
func (w *wire) readStr() string {
	if !w.next('"') {
		w.failed = true
		return ""
	}
	var b strings.Builder
	for !w.failed && w.pos < len(w.in) {
		n := bytes.IndexAny(w.in[w.pos:], `"\`)
		if n < 0 {
			break
		}
		if w.in[w.pos+n] == '"' {
			b.Write(w.in[w.pos : w.pos+n])
			w.pos += n + 1
			return b.String()
		}
		b.Write(w.in[w.pos : w.pos+n])
		w.pos += n + 1
		b.WriteByte(w.unescape())
	}
	w.failed = true
	return ""
}

func (w *wire) unescape() byte {
	rest := w.in[w.pos:]
	switch {
	case len(rest) > 0 && (rest[0] == '"' || rest[0] == '\\'):
		w.pos++
		return rest[0]
	case len(rest) >= 5 && rest[0] == 'u':
		n, err := strconv.ParseUint(string(rest[3:5]), 16, 8)
		if pre := string(rest[1:3]); err == nil && (pre == "00" || pre == "dc") {
			w.pos += 5
			return byte(n)
		}
	}
	w.failed = true
	return 0
}
