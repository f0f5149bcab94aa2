package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file tells of inline code whether it is followed to its end, and whether it makes a text of
// one that does not show it.

// FollowedCode says whether all that code may do is known: every word of it, no module but the
// language's own or such as were put together with it, and nothing that runs a text.
func FollowedCode(lang, text string, places *effect.Places) bool {
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n", prog: lang}
	m.code(lang, text, data{tty: true}, false)
	m.deferAll()
	return !m.asks(0) && !m.foreign
}

// DecodingCode says whether code decodes texts; read is false where it cannot be cut into words.
func DecodingCode(lang, text string) (decodes, read bool) {
	lang = strings.TrimRight(lang, "0123456789.-")
	if lang == "perl" {
		return perlDecodes(text)
	}
	d := dialectOf(lang)
	if d == nil {
		return true, false
	}
	l := lexer{d: d, whole: true}
	if lang == "php" {
		text = trimPrefix(trimPrefix(text, "<?php"), "<?")
	}
	if l.cut(text, true); l.bad != "" {
		return true, false
	}
	c := decoded{toks: l.toks, lang: lang}
	return c.decodes(), true
}

// Names of what decodes: functions of the libraries that make a text of one that does not show it,
// and parts of such names. Those that write digits of numbers are no such functions.
const (
	decoderNames = "atob bytearray chr codecs decodeuri decodeuricomponent fromcharcode fromcodepoint gunzip gunzipsync inflate pack reverse reversed reverse! rot13 strrev strtr tr tr_s translate maketrans unescape unhexlify unpack unpack1 unquote unquote_plus textdecoder"
	encoderNames = "b16encode b32encode b64encode b2a_hex bin2hex btoa dechex encode_base64 hex hexdigest hexdigits hexlify hexversion strict_encode64 tohex urlsafe_b64encode base64_encode base64 base64url"
)

// decoderParts are parts of the names of such functions.
var decoderParts = [...]string{"b64", "base64", "hex", "rot13", "rot_13", "reverse", "decompress", "inflate", "unpack", "codecs", "translate", "fromcharcode", "a85", "b85"}

// plainEncodings are the encodings in which a text stands as it is.
const plainEncodings = "utf8 utf16 utf32 utf8sig utf16le utf16be ascii usascii latin1 iso88591 cp1252 binary"

// decoded is code that is looked through for what decodes.
type decoded struct {
	toks []token
	lang string
}

func (c *decoded) is(i int, text string) bool { return is(c.toks, i, text) }

func (c *decoded) decodes() bool {
	for i, t := range c.toks {
		switch {
		case t.kind == 's' && c.codec(i), t.kind == 'n' && c.decoder(i), t.kind == 'o' && t.text == "[" && c.stepped(i):
			return true
		}
	}
	return false
}

// codec says whether a text is the name of a codec that a text is told to be in.
func (c *decoded) codec(i int) bool {
	t := strings.TrimLeft(c.toks[i].text, "rRbBuUfF")
	if len(t) < 2 {
		return false
	}
	name := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(strings.Trim(t, "\"'`")))
	says := c.is(i-1, "(") && (c.is(i-2, "digest") || c.is(i-2, "toString")) // what it is written as
	told := c.is(i-1, "(") && c.is(i-2, "decode") || c.is(i-1, "=") && c.is(i-2, "encoding") || c.is(i-1, "encoding")
	return !says && hasWord("hex base64 base64url rot13 zlib bz2 zip uu quopri punycode unicodeescape rawunicodeescape", trimSuffix(name, "codec")) || told && !hasWord(plainEncodings, name)
}

// decoder says whether the name at i is that of a function that decodes.
func (c *decoded) decoder(i int) bool {
	name := strings.ToLower(c.toks[i].text)
	given := c.is(i+1, "=") && !c.is(i+2, "=") && (c.is(i-1, "(") || c.is(i-1, ",")) // an argument's name
	key := c.is(i+1, ":") && (c.is(i-1, "{") || c.is(i-1, ","))
	member := c.is(i-1, ".") || c.is(i-1, ">") && c.is(i-2, "-")
	switch {
	case given, key && !c.is(i+2, ":"):
		return false
	case name == "tr" || name == "tr_s" || name == "pack" || name == "bytearray":
		return c.is(i+1, "(") && (c.lang != "ruby" || member) || c.lang == "ruby" && member
	case name == "bytes": // of numbers
		return c.is(i+1, "(") && !(i+2 < len(c.toks) && c.toks[i+2].kind == 's') && c.lang == "python"
	case hasWord(decoderNames, name):
		return true
	case hasWord(encoderNames, name) && (c.lang != "perl" && c.lang != "php" || name != "hex"):
		return false
	}
	part := slices.ContainsFunc(decoderParts[:], func(p string) bool { return strings.Contains(name, p) })
	return part && (c.is(i+1, "(") || !member && !c.bound(c.toks[i].text))
}

// bound says whether the code itself gives a name its meaning.
func (c *decoded) bound(name string) bool {
	for i, t := range c.toks {
		if t.kind == 'n' && t.text == name && (c.is(i+1, "=") && !c.is(i+2, "=") || i > 0 && c.toks[i-1].kind == 'n' && hasWord("for def function const let var class", c.toks[i-1].text)) {
			return true
		}
	}
	return false
}

// stepped says whether the bracket at i takes a slice with a step.
func (c *decoded) stepped(i int) bool {
	depth, colons := 0, 0
	for j := i; j < len(c.toks); j++ {
		switch t := c.toks[j]; {
		case t.kind != 'o':
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			if depth--; depth == 0 {
				return false
			}
		case t.text == ":" && depth == 1 && c.lang == "python":
			if colons++; colons == 2 {
				return true
			}
		}
	}
	return false
}

// perlDecodes is DecodingCode for Perl, which is cut by what judges it.
func perlDecodes(text string) (decodes, read bool) {
	p := perlCode{keeps: true}
	if p.cut(withoutUses(text)); p.asked != "" {
		return true, false
	}
	return slices.ContainsFunc(p.words, func(w string) bool {
		return hasWord("tr y chr pack unpack reverse hex", w) || slices.ContainsFunc(decoderParts[:], func(part string) bool { return strings.Contains(strings.ToLower(w), part) }) && !hasWord(encoderNames, w)
	}), true
}
