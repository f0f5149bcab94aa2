package origin

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldTask makes texts comparable that differ in letter case and white space.
func foldTask(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}

// parted puts a blank between a sentence and the next where somebody forgot it,
// so that "see www.site.example.Then write" names the site: a full stop between
// a letter or digit and a capitalised word of letters.
func parted(s string) string {
	var b strings.Builder
	from := 0
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '.' && alnum(s[i-1]) && capitalised(s[i+1:]) {
			b.WriteString(s[from : i+1])
			b.WriteByte(' ')
			from = i + 1
		}
	}
	if from == 0 {
		return s
	}
	return b.String() + s[from:]
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// capitalised says whether a text begins with such a word.
func capitalised(s string) bool {
	if s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	n := 1
	for n < len(s) && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	return n > 1 && (n == len(s) || s[n] == ' ' || s[n] == ',' || s[n] == '\n')
}

// fold makes texts comparable however they were dressed up: letter case, white
// space, percent escapes, HTML entities, full-width forms, zero-width and other
// format characters, combining marks. Zero bytes separate leaves and never
// remain.
func fold(s string) string {
	s = undress(s)
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if r = foldRune(r); r < 0 {
			continue
		}
		if r == ' ' {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		if r < utf8.RuneSelf { // nearly all are: what a rune may need is not asked
			b.WriteByte(byte(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// foldRune maps a rune, -1 for one that vanishes.
func foldRune(r rune) rune {
	switch {
	case r < 0x80:
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r <= ' ' || r == 0x7f:
			return ' '
		}
		return r
	case r >= 0xff01 && r <= 0xff5e: // full-width forms of ASCII
		return foldRune(r - 0xff01 + '!')
	case r >= 0x2010 && r <= 0x2015 || r == 0x2212: // hyphens, dashes, minus
		return '-'
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || r == utf8.RuneError || unicode.IsControl(r):
		return -1
	}
	return unicode.ToLower(r)
}

// undress resolves percent escapes and HTML entities, as often as three times:
// deeper nesting occurs in no tool that decodes.
func undress(s string) string {
	for i := 0; i < 3; i++ {
		t := s
		if strings.IndexByte(t, '%') >= 0 {
			t = unescape(t)
		}
		if strings.IndexByte(t, '&') >= 0 {
			t = html.UnescapeString(t)
		}
		if t == s {
			break
		}
		s = t
	}
	return s
}

// unescape resolves %XX and leaves other percent signs as they are.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := hex(s[i+1]), hex(s[i+2]); hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// number drops the zeros that JSON and other encoders write differently: 50.0
// and 50 are one value.
func number(s string) string {
	if len(s) == 0 || len(s) > 24 || strings.Count(s, ".") != 1 {
		return s
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && !(i == 0 && c == '-') {
			return s
		}
	}
	s = strings.TrimRight(s, "0")
	return strings.TrimSuffix(s, ".")
}

// strip keeps letters and digits.
func strip(s string) string { return string(appendBare(make([]byte, 0, len(s)), s)) }

// appendBare appends the letters and digits of s.
func appendBare(b []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if alnum(byte(r)) {
				b = append(b, byte(r))
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// indexWord finds v in s, from a position on, where no longer name, number,
// address or path goes on at either end.
func indexWord(s []byte, v string, from int) int {
	if v == "" {
		return -1
	}
	for from <= len(s) {
		i := bytes.Index(s[from:], []byte(v))
		if i < 0 {
			return -1
		}
		i += from
		if boundaryBefore(s, i) && boundaryAfter(s, i+len(v)) {
			return i
		}
		from = i + 1
	}
	return -1
}

func boundaryBefore(s []byte, i int) bool {
	if i == 0 {
		return true
	}
	r, n := utf8.DecodeLastRune(s[:i])
	if wordRune(r) {
		return false
	}
	if !joiner(r) {
		return true
	}
	before, _ := utf8.DecodeLastRune(s[:i-n])
	return i == n || !wordRune(before)
}

func boundaryAfter(s []byte, i int) bool {
	if i == len(s) {
		return true
	}
	r, n := utf8.DecodeRune(s[i:])
	if wordRune(r) {
		return false
	}
	if !joiner(r) {
		return true
	}
	after, _ := utf8.DecodeRune(s[i+n:])
	return i+n == len(s) || !wordRune(after)
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// joiner is punctuation that holds one name together: evil-bank.com does not
// name bank.com, 2024-05-13 does not name 13.
func joiner(r rune) bool { return strings.ContainsRune("-.@:/+#%&=?~\\", r) }
