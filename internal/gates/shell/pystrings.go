package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads the strings of inline Python (the language reference, String and
// Bytes literals, f-strings).

// strings reads constants in a row, which are one, and returns where they end.
func (p *pyReader) strings(from, to int) (pyValue, int) {
	out, i := pyTexts(pyText, ""), from
	for i < to {
		k, prefix := i, ""
		if p.toks[k].kind == 'n' && k+1 < to && p.toks[k+1].kind == 's' && len(p.toks[k].text) <= 2 && strings.Trim(p.toks[k].text, "rRbBfFuUtT") == "" {
			prefix = strings.ToLower(p.toks[k].text)
			k++
		}
		if p.toks[k].kind != 's' {
			break
		}
		v := p.constant(p.toks[k].text, prefix)
		k++
		if strings.ContainsAny(prefix, "ft") {
			v, k = p.formatted(k-1, to, strings.Contains(prefix, "r"))
		}
		out = joinValues(pyText, out, v, func(x, y string) string { return x + y })
		i = k
	}
	if i == from {
		return pyValue{}, from
	}
	return out, i
}

// constant is the value of a string.
func (p *pyReader) constant(text, prefix string) pyValue {
	n := 1
	if len(text) >= 6 && text[:3] == strings.Repeat(text[:1], 3) {
		n = 3
	}
	if len(text) < 2*n {
		return pyAnyText
	}
	return plainText(text[n:len(text)-n], strings.Contains(prefix, "r"))
}

// plainText is a text with its escapes undone, if they are the common ones.
func plainText(text string, raw bool) pyValue {
	if mark.Has(text) {
		return pyAnyText
	}
	if raw || firstByte(text, '\\') < 0 {
		return pyTexts(pyText, text)
	}
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			if i++; i >= len(text) || firstByte("nrt\\'\"", text[i]) < 0 {
				return pyAnyText
			}
		}
	}
	return pyTexts(pyText, ansiC(text))
}

// formatted is a string with expressions in it, at token i; each stands in the tokens
// after it, between braces.
func (p *pyReader) formatted(i, to int, raw bool) (pyValue, int) {
	text := p.toks[i].text
	n := 1
	if len(text) >= 6 && text[:3] == strings.Repeat(text[:1], 3) {
		n = 3
	}
	i++
	var parts []pyValue
	for i < to && p.is(i, "{") && p.toks[i].at < 0 {
		parts = append(parts, p.replacement(i+1, p.pairs[i]))
		i = p.pairs[i] + 1
	}
	var cuts []string
	if len(text) < 2*n || !splitFormat(text, &cuts) || len(cuts) != len(parts)+1 {
		return pyAnyText, i
	}
	out := pyTexts(pyText, "")
	join := func(x, y string) string { return x + y }
	for k, cut := range cuts {
		out = joinValues(pyText, out, plainText(cut, raw), join)
		if k < len(parts) {
			out = joinValues(pyText, out, parts[k], join)
		}
	}
	return out, i
}

// splitFormat cuts a formatted string, quotes and all, at its expressions.
func splitFormat(text string, cuts *[]string) bool {
	d, from := dialectOf("python"), 1
	if len(text) >= 6 && text[:3] == strings.Repeat(text[:1], 3) {
		from = 3
	}
	end := len(text) - from
	start := from
	for i := from; i < end; {
		switch {
		case text[i] == '\\':
			i += 2
		case strings.HasPrefix(text[i:], "{{"), strings.HasPrefix(text[i:], "}}"):
			return false
		case text[i] == '{':
			k, ok := d.codeEnd(text, i+1, 0, text[:from])
			if !ok {
				return false
			}
			*cuts = append(*cuts, text[start:i])
			i, start = k+1, k+1
		default:
			i++
		}
	}
	*cuts = append(*cuts, text[start:max(start, end)])
	return start <= end
}

// replacement is what stands for an expression of a formatted string.
func (p *pyReader) replacement(from, to int) pyValue {
	end := to
	for _, sign := range []string{":", "!", "="} {
		end = min(end, p.next(from, to, sign))
	}
	v := p.expr(from, end)
	if end < to && v.kind != pyNumber {
		return pyAnyText
	}
	return v.text()
}
