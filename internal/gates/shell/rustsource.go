package shell

import (
	"strings"
)

// This file judges a source of Rust outside the workspace, where nobody reviews it. Safe Rust
// reaches what is outside of it only by the standard library (doc.rust-lang.org/std) and by
// other crates: so all modules of the one that it names must be listed, and it may name no
// other crate, no foreign code and no file.

// rustModules are modules of std, core and alloc that only compute, print or read the input.
const rustModules = "any array ascii borrow boxed cell char clone cmp collections convert default error f32 f64 fmt hash i8 i16 i32 i64 i128 io isize iter marker mem num ops option primitive rc result slice str string sync thread time u8 u16 u32 u64 u128 usize vec"

// rustMacros are macros of the library that only compute or print.
const rustMacros = "assert assert_eq assert_ne dbg debug_assert debug_assert_eq eprint eprintln format matches panic print println todo unimplemented unreachable vec write writeln"

// rustAttributes are attributes that change nothing about what the code reaches.
const rustAttributes = "allow cfg deny derive inline must_use non_exhaustive repr test warn"

// RustReaches says whether a source of Rust may reach what its text does not show.
func RustReaches(text string) bool {
	tokens, ok := rustTokens(text)
	if !ok || len(text) > maxText {
		return true
	}
	at := func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return tokens[i].text
	}
	known := []string{"std", "core", "alloc", "crate", "self", "super", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32", "u64", "u128", "usize"}
	using := false
	for i, t := range tokens {
		using = (using || t.text == "use") && t.text != ";"
		if t.kind == 'n' && (at(i-1) == "mod" || using && at(i-1) != "use") {
			known = append(known, t.text) // of a path, which is judged itself
		}
	}
	for i, t := range tokens {
		switch {
		case t.kind == 'o' && t.text == "#":
			j := i + 1
			if at(j) == "!" {
				j++
			}
			if at(j) != "[" || !hasWord(rustAttributes, at(j+1)) {
				return true
			}
		case t.kind != 'n':
		case hasWord("unsafe extern asm macro_rules macro include", t.text), at(i+1) == "!" && at(i+2) != "=" && !hasWord(rustMacros, t.text) && !hasWord("if while return in match else break", t.text):
			return true
		case t.text == "mod" && at(i+2) != "{":
			return true
		case hasWord("std core alloc", t.text):
			if at(i+1) != "::" || !rustPath(tokens, i+2) {
				return true
			}
		case at(i-1) == "use" && at(i+1) != "::":
			return true
		case at(i+1) == "::" && at(i-1) != "::" && at(i+2) != "<" && strings.ToLower(t.text) == t.text && !isAmong(known, t.text):
			return true
		}
		if t.text == "use" && at(i+1) == "::" {
			return true
		}
	}
	return false
}

// rustPath says whether all modules that stand at i of a path, or in a group there, are listed.
func rustPath(tokens []cToken, i int) bool {
	if i >= len(tokens) {
		return false
	}
	if tokens[i].text != "{" {
		if tokens[i].text == "env" {
			return i+2 < len(tokens) && tokens[i+1].text == "::" && tokens[i+2].text == "args"
		}
		return hasWord(rustModules, tokens[i].text)
	}
	depth := 0
	for ; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.text == "{":
			depth++
		case t.text == "}":
			if depth--; depth == 0 {
				return true
			}
		case depth == 1 && t.kind == 'n' && (tokens[i-1].text == "{" || tokens[i-1].text == ",") && !hasWord(rustModules, t.text), t.text == "*":
			return false
		}
	}
	return false
}

// rustTokens cuts source into tokens; ok is false where it cannot be read plainly.
func rustTokens(text string) (out []cToken, ok bool) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		case strings.HasPrefix(text[i:], "//"):
			i += lineLen(text[i:])
		case strings.HasPrefix(text[i:], "/*"):
			return nil, false // they nest
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return nil, false
			}
			out, i = append(out, cToken{'s', text[i : end+1]}), end+1
		case c == '\'':
			n := 1 + nameLen(text[i+1:])
			switch {
			case i+2 < len(text) && text[i+1] == '\\':
				end := strings.IndexByte(text[i+3:], '\'')
				if end < 0 {
					return nil, false
				}
				n = end + 4
			case i+n < len(text) && text[i+n] == '\'' || n == 1:
				end := strings.IndexByte(text[i+1:], '\'')
				if end < 0 || end > 4 {
					return nil, false
				}
				n = end + 2
			}
			out, i = append(out, cToken{'s', text[i : i+n]}), i+n
		case isNameByte(c):
			n := nameLen(text[i:])
			if rest := text[i+n:]; n <= 2 && (strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "\"")) {
				return nil, false // a raw text or name
			}
			kind := byte('n')
			if '0' <= c && c <= '9' {
				kind = 'd'
			}
			out, i = append(out, cToken{kind, text[i : i+n]}), i+n
		case c >= 0x80 || c == '\\' || c == '$' || c == '`':
			return nil, false
		default:
			n := 1
			if strings.HasPrefix(text[i:], "::") {
				n = 2
			}
			out, i = append(out, cToken{'o', text[i : i+n]}), i+n
		}
	}
	return out, true
}
