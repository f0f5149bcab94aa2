package source

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads a program of C or C++ as a whole. A name that nothing here lists and that the C
// library does not export can only be the program's own, or of the headers that it includes, which
// are listed; a name that it calls in C has a body there. What the preprocessor makes is read as what
// stands in the lines of it, so nothing in these may put names together or leave a group open.

// cHeaders are headers of C, C++ and POSIX. Of what they declare, cNever may not be named.
const cHeaders = "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h omp.h pthread.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h sys/time.h sys/types.h sys/resource.h tgmath.h threads.h time.h uchar.h unistd.h wchar.h wctype.h alloca.h malloc.h " +
	"immintrin.h x86intrin.h emmintrin.h smmintrin.h nmmintrin.h arm_neon.h algorithm any array atomic barrier bit bitset bits/stdc++.h cassert ccomplex cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp cstdarg cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque " +
	"exception execution expected format forward_list functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view " +
	"strstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version"

// cUnderscored are names that begin with an underscore and only compute or say how.
const cUnderscored = "_ __ _Bool _Complex _Imaginary _Generic _Static_assert _Alignof _Alignas _Atomic _Noreturn _Thread_local __func__ __FUNCTION__ __PRETTY_FUNCTION__ __FILE__ __LINE__ __DATE__ __TIME__ __COUNTER__ __cplusplus __VA_ARGS__ __VA_OPT__ __GNUC__ __GNUC_MINOR__ __clang__ __x86_64__ __aarch64__ __i386__ __linux__ __APPLE__ __SIZEOF_INT128__ __AVX__ __AVX2__ __SSE2__ __SSE4_2__ __STDC_VERSION__ __STDC__ __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__ __int128 __int128_t __uint128_t __restrict __restrict__ " +
	"__inline __inline__ __extension__ __volatile__ __const __attribute__ __packed__ __aligned__ __unused__ __noinline__ __always_inline__ __builtin_expect __builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_clz __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl __builtin_ctzll __builtin_ffs __builtin_parity __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_unreachable __builtin_trap " +
	"__builtin_prefetch __builtin_constant_p __builtin_offsetof __builtin_types_compatible_p __builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow __builtin_va_list __gcd __lg __sync_fetch_and_add __sync_bool_compare_and_swap __sync_synchronize __atomic_load_n __atomic_store_n __atomic_fetch_add __ATOMIC_RELAXED __ATOMIC_SEQ_CST __ATOMIC_ACQUIRE __ATOMIC_RELEASE " +
	"_POSIX_C_SOURCE _GNU_SOURCE _DEFAULT_SOURCE _XOPEN_SOURCE _USE_MATH_DEFINES _1 _2 _3 _IONBF _IOLBF _IOFBF _SC_NPROCESSORS_ONLN _SC_NPROCESSORS_CONF _SC_PAGESIZE _SC_PAGE_SIZE _SC_CLK_TCK _GLIBCXX_DEBUG"

// cPragmas begin lines that only say how code is compiled.
const cPragmas = "once omp pack unroll ivdep STDC"

type cLists struct{ headers, never, calls, underscored map[string]bool }

var cSets once[cLists]

func cNames() *cLists {
	return cSets.get(func() *cLists {
		return &cLists{headers: set(cHeaders), never: set(cNever), calls: set(cCalls, cMath), underscored: set(cUnderscored)}
	})
}

var cLexis = lexis{chars: true, pairs: []string{"->", "::", "==", "!=", "<=", ">=", "&&", "||", "##", "..."}}

// cReader reads one program.
type cReader struct {
	*cLists
	list
	places *effect.Places
	plus   bool // of C++
	macros map[string]bool
	bodies map[string]bool // functions with a body, and names that are declared otherwise
}

func cComputes(text string, plus bool, places *effect.Places) bool {
	if splices(text) || strings.IndexByte(text, '\r') >= 0 || strings.Contains(text, "??") || strings.Contains(text, "<%") || strings.Contains(text, "%:") || strings.Contains(text, "<:<:") {
		return false
	}
	text, ok := withoutComments(strings.ReplaceAll(text, "\\\n", ""), plus)
	if !ok {
		return false
	}
	r := cReader{cLists: cNames(), places: places, plus: plus, macros: map[string]bool{}, bodies: map[string]bool{}}
	var code strings.Builder
	var replaced []string
	dead := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !strings.HasPrefix(trimmed, "#") {
			code.WriteString(line)
			continue
		}
		code.WriteByte('\n')
		body, ok := r.directive(strings.TrimSpace(trimmed[1:]), &dead)
		if !ok {
			return false
		}
		replaced = append(replaced, body)
	}
	if dead != 0 {
		return false
	}
	tokens, ok := cLexis.cut(code.String(), 0)
	if !ok {
		return false
	}
	r.list = tokens
	r.declare()
	if !r.reads(false) {
		return false
	}
	for _, body := range replaced {
		if r.list, ok = cLexis.cut(body, 0); !ok || !r.reads(true) {
			return false
		}
	}
	return true
}

// splices says whether a line goes on in the next although blanks stand before its end (gcc's manual, Initial
// processing).
func splices(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if bare := strings.TrimRight(line, " \t\f\v"); len(bare) < len(line) && strings.HasSuffix(bare, "\\") {
			return true
		}
	}
	return false
}

// separates says whether the quote at i stands within a number (C++14), where it begins no character.
func separates(text string, i int) bool {
	from := i
	for from > 0 && (nameByte(text[from-1]) || text[from-1] == '\'') {
		from--
	}
	return i+1 < len(text) && nameByte(text[i+1]) && text[from] >= '0' && text[from] <= '9'
}

// withoutComments is source without its comments, a blank for each.
func withoutComments(text string, plus bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return "", false
			}
			b.WriteByte(' ')
			i += n + 4
		case text[i] == '"' || text[i] == '\'' && (i == 0 || !nameByte(text[i-1])):
			n := 1
			for n < len(rest) && rest[n] != rest[0] && rest[n] != '\n' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			if n >= len(rest) || rest[n] != rest[0] || i > 0 && rest[0] == '"' && text[i-1] == 'R' {
				return "", false
			}
			b.WriteString(rest[:n+1])
			i += n + 1
		case text[i] == '\'': // between digits
			if !plus || !separates(text, i) {
				return "", false
			}
			i++
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String(), true
}

// directive judges a line of the preprocessor; body is what it defines, as code.
func (r *cReader) directive(line string, dead *int) (body string, ok bool) {
	word := line[:cLexis.nameLen(line)]
	rest := strings.TrimSpace(line[len(word):])
	switch word {
	case "include":
		name, after, closed := strings.Cut(strings.TrimPrefix(rest, "<"), ">")
		return "", closed && strings.HasPrefix(rest, "<") && strings.TrimSpace(after) == "" && r.headers[name]
	case "if", "ifdef", "ifndef":
		*dead++
		return "", true
	case "else", "elif":
		return "", *dead > 0
	case "endif":
		*dead--
		return "", *dead >= 0
	case "pragma":
		first, more, _ := strings.Cut(rest, " ")
		return "", hasWord(cPragmas, first) || first == "GCC" && (strings.HasPrefix(more, "optimize") || strings.HasPrefix(more, "target") || strings.HasPrefix(more, "diagnostic") || strings.HasPrefix(more, "unroll"))
	case "error", "warning", "":
		return "", true
	case "define":
		return r.defines(rest)
	}
	return "", false
}

// defines judges a definition: it puts no names together, leaves no group open, and what it is given is no
// function's name.
func (r *cReader) defines(rest string) (body string, ok bool) {
	n := cLexis.nameLen(rest)
	name := rest[:n]
	if n == 0 || r.never[name] || r.calls[name] || strings.Contains(rest, "##") {
		return "", false
	}
	body = rest[n:]
	var params []string
	if strings.HasPrefix(body, "(") {
		list, after, closed := strings.Cut(body[1:], ")")
		if !closed {
			return "", false
		}
		for p := range strings.SplitSeq(list, ",") {
			if p = strings.TrimSpace(p); p != "..." && p != "" {
				params = append(params, p)
			}
		}
		body = after
	}
	r.macros[name] = true
	body = strings.ReplaceAll(body, "#", " ")
	tokens, ok := cLexis.cut(body, 0)
	if !ok {
		return "", false
	}
	l, depth := list(tokens), 0
	for i, t := range tokens {
		if t.kind == 'o' {
			switch t.text {
			case "(", "{", "[":
				depth++
			case ")", "}", "]":
				if depth--; depth < 0 {
					return "", false
				}
			}
		}
		if t.kind != 'n' {
			continue
		}
		for _, p := range params {
			if t.text == p && (l.is(i+1, "(") || l.at(i+1).kind == 'n') {
				return "", false
			}
			r.bodies[p] = true
		}
	}
	return body, depth == 0
}

// declare notes what the program defines and declares.
func (r *cReader) declare() {
	for i, t := range r.list {
		if t.kind != 'n' || r.calls[t.text] {
			continue
		}
		before := r.at(i - 1)
		typed := before.kind == 'n' && !hasWord("return else case goto throw new delete sizeof and or not", before.text) || before.text == "*" || before.text == "&" || before.text == ">"
		switch {
		case r.is(i+1, "(") && r.body(i+1) && before.text != "." && before.text != "->", typed && !r.is(i+1, "("), r.is(i+1, ")", "(") && before.text == "*":
			r.bodies[t.text] = true
		case r.is(i-1, "*") && r.is(i-2, "(") && r.is(i+1, ")"), r.plus && typed && before.text != "*" && before.text != "&":
			r.bodies[t.text] = true
		}
	}
}

// body says whether a group in parentheses at i is followed by a body.
func (r *cReader) body(i int) bool {
	depth := 0
	for ; i < len(r.list); i++ {
		switch {
		case r.is(i, "("):
			depth++
		case r.is(i, ")"):
			if depth--; depth == 0 {
				for i++; hasWord("const noexcept override final", r.at(i).text); i++ {
				}
				return r.is(i, "{") || r.plus && (r.is(i, ":") || r.is(i, "->"))
			}
		}
	}
	return false
}

// reads says whether all names are known, and nothing is called that is no name; of a macro's body where
// replaced is set.
func (r *cReader) reads(replaced bool) bool {
	for i, t := range r.list {
		switch {
		case t.kind == 'n' && !r.plain(i, replaced):
			return false
		case t.kind == 'o' && t.text == "(" && r.is(i-1, ")") && !r.afterGroup(i-1), t.kind == 'o' && t.text == "(" && r.is(i-1, "]") && !r.plus:
			return false
		case r.is(i, "(", "*", ")", "("), r.is(i, "goto", "*"):
			return false
		case t.text == "__attribute__" && t.kind == 'n':
			for k := i + 1; k <= r.end(i+1); k++ {
				if r.at(k).kind == 's' || r.at(k).kind == 'n' && !hasWord(cAttributes, strings.Trim(r.at(k).text, "_")) {
					return false
				}
			}
		case r.is(i, "[", "["):
			for k := i + 2; k < len(r.list) && !r.is(k, "]"); k++ {
				if r.at(k).kind == 'n' && (hasWord(cAttributing, r.at(k).text) || r.macros[r.at(k).text]) {
					return false
				}
			}
		case t.kind == 'o' && t.text == "\\", t.kind == 'n' && t.text == "main" && r.tellsAll(i+1):
			return false
		case t.kind == 'n' && r.macros[t.text] && r.is(i+1, "(") && r.at(r.end(i+1)+1).kind == 'n' && !r.at(r.end(i+1)+1).head && r.at(r.end(i+1)+2).text == "(":
			return false // what two of them make stands side by side
		}
	}
	return true
}

// cAttributes are attributes that name no function and no section, and words that they are given; cAttributing begin
// those that may.
const (
	cAttributes  = "aligned always_inline const cold deprecated fallthrough flatten format hot malloc may_alias noinline nonnull noreturn packed printf pure returns_nonnull scanf unused used vector_size warn_unused_result"
	cAttributing = "gnu clang using msvc"
)

// tellsAll says whether main, of which the parameters stand at i, is given the environment.
func (r *cReader) tellsAll(i int) bool {
	commas, end := 0, r.end(i)
	for k := i; k < end; k++ {
		if r.is(k, ",") {
			commas++
		}
	}
	return r.is(i, "(") && commas > 1
}

// end is where a group in parentheses ends that begins at i.
func (r *cReader) end(i int) int {
	depth := 0
	for ; i < len(r.list); i++ {
		if r.is(i, "(") {
			depth++
		} else if r.is(i, ")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// afterGroup says whether the group in parentheses that ends at i belongs to a keyword, is a type that a
// value is made to, or the name of a pointer that is declared.
func (r *cReader) afterGroup(i int) bool {
	depth, from := 0, i
	for ; i >= 0; i-- {
		if r.is(i, ")") {
			depth++
		} else if r.is(i, "(") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	before := r.at(i - 1)
	switch {
	case hasWord("if while for switch sizeof catch return alignof operator noexcept", before.text):
		return true
	case r.is(i+1, "*") && r.at(i+2).kind == 'n' && i+3 == from: // int (*f)(int)
		return before.kind == 'n'
	case r.is(i-1, "]") && r.plus, r.is(i, "(", ")") && before.text == "operator": // a function without a name, operator()
		return true
	}
	for k := i + 1; k < from; k++ { // a cast
		if t := r.at(k); t.kind != 'n' && t.text != "*" && t.text != "<" && t.text != ">" && t.text != "::" && t.text != "," {
			return false
		}
	}
	return i+1 < from && before.kind != 'n' && before.text != ")" && before.text != "]"
}

// plain says whether the name at i is known.
func (r *cReader) plain(i int, replaced bool) bool {
	t, before := r.list[i].text, r.at(i-1)
	member := before.kind == 'o' && (before.text == "." || before.text == "->")
	switch {
	case r.never[t]:
		return member && r.plus || member && !r.is(i+1, "(") || r.opens(i)
	case t[0] == '_':
		return r.underscored[t] || strings.HasPrefix(t, "_mm") || strings.HasPrefix(t, "_MM_") || strings.HasPrefix(t, "__mmask") || strings.HasPrefix(t, "__m") && len(t) > 3 && t[3] >= '0' && t[3] <= '9' || strings.HasPrefix(t, "__PRI") || r.macros[t]
	case !r.is(i+1, "(") || r.calls[t] || r.macros[t] || r.bodies[t] || r.plus || replaced:
		return true
	}
	return member // a pointer to a function in a structure
}

// opens says whether a file is opened by a literal name, which the program may read or write.
func (r *cReader) opens(i int) bool {
	t := r.list[i].text
	switch {
	case t == "fopen" && r.at(i+2).kind == 's' && r.is(i+3, ",") && r.at(i+4).kind == 's' && r.is(i+5, ")") && r.is(i+1, "("):
		mode := strings.Trim(r.at(i+4).text, "bt")
		return (mode == "r" || mode == "w" || mode == "a") && mayTouch(r.at(i+2).text, mode != "r", r.places)
	case t == "random_device":
		return r.at(i+1).kind == 'n' && (r.is(i+2, ";") || r.is(i+2, "{", "}")) || r.is(i+1, "{", "}") || r.is(i+1, "(", ")")
	case t == "read" || t == "write":
		return r.is(i+1, "(") && r.is(i+3, ",") && hasWord("0 1 2 STDIN_FILENO STDOUT_FILENO STDERR_FILENO", r.at(i+2).text)
	}
	return false
}
