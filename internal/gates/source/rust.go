package source

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads a program of Rust. Safe Rust reaches what is outside of it only by the standard library
// (doc.rust-lang.org/std, 1.90) and by other crates: so all modules of the one that it names must be
// listed, and it may name no other crate, no foreign code and no file but by a literal name.

// rustModules are modules of std, core and alloc that only compute, print or read the input.
const rustModules = "any array ascii borrow boxed cell char clone cmp collections convert default error f32 f64 fmt future hash hint i8 i16 i32 i64 i128 io isize iter marker mem num ops option panic pin prelude primitive rc result slice str string sync task thread time u8 u16 u32 u64 u128 usize vec"

// rustSome are names of other modules that may be used.
var rustSome = map[string]string{
	"env": "args consts", "process": "exit ExitCode abort id", "net": "IpAddr Ipv4Addr Ipv6Addr SocketAddr SocketAddrV4 SocketAddrV6 AddrParseError",
}

// rustMacros are macros of the library that only compute or print.
const rustMacros = "assert assert_eq assert_ne column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne eprint eprintln file format format_args line matches module_path panic print println stringify thread_local todo unimplemented unreachable vec write writeln"

// rustAttributes change nothing about what the code reaches, and rustDerived are derived by the compiler itself.
const (
	rustAttributes = "allow cfg cold default deny derive expect inline must_use non_exhaustive repr rustfmt should_panic test warn ignore"
	rustDerived    = "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd"
)

// rustNever are words that bring in what the text does not show.
const rustNever = "unsafe extern asm global_asm include include_str include_bytes env option_env macro proc_macro concat_idents trace_macros"

var rustLexis = lexis{pairs: []string{"::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||"}}

type rustReader struct {
	list
	places *effect.Places
	known  map[string]bool // first parts of paths that are judged themselves
	macros map[string]bool
	using  map[int]bool // tokens of what is brought in
	makes  bool         // it has macros of its own, which may put together what stands apart
}

func rustComputes(text string, places *effect.Places) bool {
	text, ok := plainRust(text)
	if !ok {
		return false
	}
	tokens, ok := rustLexis.cut(text, 0)
	if !ok {
		return false
	}
	r := rustReader{list: tokens, places: places, using: map[int]bool{}, macros: set(rustMacros), known: set("std core alloc crate self super bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize")}
	using := false
	for i, t := range tokens {
		using = (using || t.kind == 'n' && t.text == "use") && t.text != ";"
		r.using[i] = using
		if t.kind == 'n' && (r.is(i-1, "mod") || using && !r.is(i-1, "use")) {
			r.known[t.text] = true // of a path, which is judged itself
		}
		if r.is(i, "macro_rules", "!") {
			r.macros[r.at(i+2).text], r.makes = true, true
		}
	}
	for i := range tokens {
		if !r.plain(i) {
			return false
		}
	}
	return true
}

// plain says whether the token at i is known with what follows it.
func (r *rustReader) plain(i int) bool {
	t := r.list[i]
	switch {
	case t.kind == 'o' && t.text == "#":
		if r.is(i+1, "!") {
			i++
		}
		return r.is(i+1, "[") && hasWord(rustAttributes, r.at(i+2).text) && (!r.is(i+2, "derive") || r.derives(i+4))
	case t.kind != 'n':
		return true
	case hasWord(rustNever, t.text) && !(t.text == "env" && r.is(i+1, "::")):
		return false
	case r.is(i+1, "!") && !r.is(i+2, "=") && !r.macros[t.text] && t.text != "macro_rules" && !hasWord("if while return in match else break", t.text):
		return false
	case r.is(i-1, "$") && t.text != "crate" && (r.is(i+1, "::") || r.is(i+1, "!") || r.is(i-2, "::")):
		return false // a path that a macro puts together
	case t.text == "mod":
		return r.is(i+2, "{")
	case t.text == "use" && r.at(i+1).kind != 'n', rustSome[t.text] != "" && r.is(i+1, "as"):
		return false
	case hasWord("std core alloc", t.text):
		return r.is(i+1, "::") && r.path(i+2)
	case r.is(i-1, "use") && !r.is(i+1, "::"):
		return false
	case r.makes && (t.text == "File" || rustSome[t.text] != "" && !r.is(i+1, "::") || t.text == "fs" && !r.is(i+1, "::")):
		return false
	case t.text == "File" && !r.is(i+1, "::") && !r.using[i] && !r.typesValue(i):
		return false // a type that stands for it, and opens by a name of its own
	case hasWord("fs File OpenOptions", t.text):
		return r.file(i)
	case rustSome[t.text] != "" && r.is(i+1, "::"):
		return r.some(i)
	}
	return !r.is(i+1, "::") || r.is(i-1, "::") || r.is(i+2, "<") || strings.ToLower(t.text) != t.text || r.known[t.text]
}

// typesValue says whether the type at i is all of the type of a value, or of what a function gives.
func (r *rustReader) typesValue(i int) bool {
	from := i - 1
	for ; r.is(from, "::") && r.at(from-1).kind == 'n'; from -= 2 {
	}
	if r.is(from, "->") {
		return r.is(i+1, "{")
	}
	for r.is(from, "mut") || r.is(from, "&") {
		from--
	}
	return r.is(from, ":") && (r.is(i+1, ",") || r.is(i+1, ")") || r.is(i+1, "=") || r.is(i+1, ";") || r.is(i+1, "}"))
}

// derives says whether all that is derived is the compiler's own.
func (r *rustReader) derives(i int) bool {
	for ; i < len(r.list) && !r.is(i, ")"); i++ {
		if t := r.list[i]; t.kind == 'n' && !hasWord(rustDerived, t.text) {
			return false
		}
	}
	return true
}

// path says whether all modules that stand at i of a path, or in a group there, are listed.
func (r *rustReader) path(i int) bool {
	if !r.is(i, "{") {
		return r.module(i)
	}
	depth := 0
	for ; i < len(r.list); i++ {
		switch t := r.list[i]; {
		case r.is(i, "{"):
			depth++
		case r.is(i, "}"):
			if depth--; depth == 0 {
				return true
			}
		case depth == 1 && t.kind == 'n' && (r.is(i-1, "{") || r.is(i-1, ",")) && !r.module(i), depth == 1 && r.is(i, "*"):
			return false
		}
	}
	return false
}

// module says whether a module of the library at i is listed, or only names of it that may be used.
func (r *rustReader) module(i int) bool {
	switch t := r.at(i).text; {
	case t == "fs":
		return (r.is(i+1, ";") || r.is(i+1, ",") || r.is(i+1, "}") || r.is(i+1, "::")) && r.file(i)
	case rustSome[t] != "":
		return !r.is(i+1, "as") && (!r.is(i+1, "::") || r.some(i))
	default:
		return hasWord(rustModules, t)
	}
}

// some says whether what is taken of such a module may be used.
func (r *rustReader) some(i int) bool {
	words := rustSome[r.at(i).text]
	if !r.is(i+2, "{") {
		return hasWord(words, r.at(i+2).text)
	}
	for i += 3; i < len(r.list) && !r.is(i, "}"); i++ {
		if t := r.list[i]; t.kind == 'n' && !hasWord(words, t.text) && t.text != "self" || t.text == "*" {
			return false
		}
	}
	return true
}

// file judges a use of std::fs: a literal name that is opened, a type, or the module as it is brought in.
func (r *rustReader) file(i int) bool {
	switch {
	case r.is(i, "OpenOptions"), r.is(i+1, "as"):
		return false
	case r.is(i, "fs", "::", "File"), r.is(i, "fs", "::", "{", "self", "}"), r.is(i, "fs", "::", "{", "File", "}"), r.is(i, "fs", "::", "{", "self", ",", "File", "}"):
		return true
	case !r.is(i+1, "::"):
		return true
	}
	call := r.at(i + 2).text
	reads := r.is(i, "fs") && hasWord("read read_to_string", call) || r.is(i, "File") && call == "open"
	writes := r.is(i, "fs") && call == "write" || r.is(i, "File") && call == "create"
	return (reads || writes) && r.is(i+3, "(") && r.at(i+4).kind == 's' && (r.is(i+5, ")") || r.is(i+5, ",")) && mayTouch(r.at(i+4).text, writes, r.places)
}

// plainRust is source without comments, lifetimes and characters, and with texts in which a backslash is none
// as plain ones.
func plainRust(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		named := i > 0 && nameByte(text[i-1])
		switch {
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
		case strings.HasPrefix(rest, "/*"):
			n := (&lexis{open: "/*", close: "*/", nests: true}).block(rest)
			if n == 0 {
				return "", false
			}
			b.WriteByte(' ')
			i += n
		case !named && rawText(rest) > 0:
			i += rawText(rest)
			b.WriteString(`""`)
		case !named && strings.HasPrefix(rest, "r#"):
			return "", false // a raw name
		case !named && (strings.HasPrefix(rest, `b"`) || strings.HasPrefix(rest, `c"`) || strings.HasPrefix(rest, "b'")):
			i++
		case text[i] == '"':
			n := 1
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			if n >= len(rest) {
				return "", false
			}
			b.WriteString(strings.ReplaceAll(rest[:n+1], "\n", " "))
			i += n + 1
		case text[i] == '\'':
			n := 1
			for n < len(rest) && nameByte(rest[n]) {
				n++
			}
			if n < len(rest) && rest[n] == '\'' && n > 1 || n == 1 {
				if n = character(rest); n == 0 {
					return "", false
				}
			}
			b.WriteByte(' ')
			i += n
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String(), true
}

// rawText is the length of a text in which a backslash is none, 0 for no such text.
func rawText(rest string) int {
	n := 0
	for n < 2 && n < len(rest) && (rest[n] == 'b' && n == 0 || rest[n] == 'c' && n == 0 || rest[n] == 'r') {
		n++
	}
	if n == 0 || rest[n-1] != 'r' {
		return 0
	}
	signs := 0
	for n+signs < len(rest) && rest[n+signs] == '#' {
		signs++
	}
	if n+signs >= len(rest) || rest[n+signs] != '"' {
		return 0
	}
	end := strings.Index(rest[n+signs+1:], `"`+strings.Repeat("#", signs))
	if end < 0 {
		return 0
	}
	return n + signs + 1 + end + 1 + signs
}
