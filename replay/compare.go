package replay

import "strings"

// same says whether two results count as equal.
func (o *Options) same(a, b string) bool {
	a, b = trimEnd(a), trimEnd(b)
	if a == b {
		return true
	}
	return o.Loose && digitsOut(a) == digitsOut(b)
}

func trimEnd(s string) string { return strings.TrimRight(s, " \t\r\n") }

// digitsOut writes every run of digits as one "#".
func digitsOut(s string) string {
	var b strings.Builder
	in := false
	for _, r := range s {
		digit := r >= '0' && r <= '9'
		if !digit {
			b.WriteRune(r)
		} else if !in {
			b.WriteByte('#')
		}
		in = digit
	}
	return b.String()
}
