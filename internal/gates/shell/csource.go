package shell

import (
	"slices"
	"strings"
)

// This file judges a source of C or C++ outside the workspace, where nobody reviews it: by
// the headers that it includes and the names that it uses. A name is one of the language and
// of the listed headers that only computes or prints, or the source itself declares it; what
// is called is listed or defined there. Everything else may do anything.

// cHeaders are headers of the C and C++ libraries (ISO/IEC 9899:2018, 7; ISO/IEC 14882:2020,
// tables 24 and 25). What they declare beside the listed functions is in no list of names.
const cHeaders = "assert.h complex.h ctype.h errno.h float.h inttypes.h iso646.h limits.h math.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h time.h wchar.h algorithm array bit bitset cassert cctype cfloat chrono climits cmath complex concepts cstddef cstdint cstdio cstdlib cstring ctime deque " +
	"initializer_list iomanip iostream istream iterator limits list map memory numbers numeric optional ostream queue random ranges ratio set span sstream stack stdexcept string string_view tuple type_traits typeinfo unordered_map unordered_set utility valarray variant vector compare"

// cWords are keywords and types, without those that name what is defined elsewhere or give
// another name to what is (extern, asm, decltype, typeof).
const cWords = "auto bool break case catch char class const constexpr continue default delete do double else enum explicit false float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register restrict return short signed sizeof static static_assert static_cast " +
	"struct switch template this throw true try typedef typename union unsigned virtual void volatile while wchar_t _Bool _Complex FILE size_t ssize_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intmax_t uintmax_t intptr_t uintptr_t time_t clock_t va_list div_t main " +
	"char8_t char16_t char32_t consteval constinit co_return final requires concept using std"

// cEffects are functions of those headers, with what POSIX and GNU add to them, that reach files,
// programs or the environment: a source that declares one of such a name may still call the
// library's (ISO/IEC 9899:2018, 7.21 and 7.22; stdio.h and stdlib.h of POSIX.1-2017; glibc 2.36).
const cEffects = "remove rename renameat renameat2 fopen freopen fdopen fmemopen open_memstream popen pclose tmpfile tmpnam tempnam ctermid fopencookie mkstemp mkstemps mkostemp mkostemps mkdtemp mktemp " +
	"system getenv secure_getenv setenv unsetenv putenv clearenv realpath posix_openpt grantpt unlockpt ptsname getpt atexit at_quick_exit quick_exit on_exit setvbuf setbuf setlocale rpmatch canonicalize_file_name"

// cTypes are those of them that are types, or stand before the name of one that is declared.
const cTypes = "auto bool char const constexpr double float int long short signed static unsigned void volatile wchar_t _Bool FILE size_t ssize_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intmax_t uintmax_t intptr_t uintptr_t time_t clock_t va_list class enum namespace struct typename union restrict register inline"

// cCalls are functions and macros that only compute, print or read what the program is given.
// What takes a function is called with one of the source's own (cCallbacks).
const cCalls = "printf puts putchar putc fprintf sprintf snprintf vprintf vfprintf vsnprintf fputs fputc fflush scanf sscanf getchar getc fgets fgetc perror malloc calloc realloc free abs labs llabs div exit abort atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof rand srand " +
	"strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strspn strcspn strtok strdup strerror memcpy memmove memset memcmp memchr qsort bsearch isalpha isdigit isalnum isspace isupper islower ispunct isprint isxdigit toupper tolower assert offsetof va_start va_end va_arg va_copy " +
	"sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot fabs fabsf sqrtf sinf cosf powf expf logf floor ceil round lround llround trunc rint nearbyint fmod remainder fma fmin fmax isnan isinf isfinite signbit copysign ldexp frexp modf tgamma lgamma erf erfc " +
	"time clock difftime stdin stdout stderr errno EOF NULL alignof alignas _Alignof _Static_assert"

// cppNames are names of the namespace std that only compute or print, and members of what
// they name.
const cppNames = "cout cerr clog cin endl flush setw setprecision setfill fixed hex dec boolalpha string string_view to_string stoi stol stoll stod stof getline vector array list deque map set multimap multiset unordered_map unordered_set pair tuple make_pair make_tuple get tie optional nullopt " +
	"stack queue priority_queue span bitset valarray complex initializer_list unique_ptr make_unique move forward swap exchange sort stable_sort reverse unique find count accumulate iota copy fill max min max_element min_element minmax clamp lower_bound " +
	"upper_bound binary_search next_permutation rotate distance advance next prev begin end size swap_ranges gcd lcm midpoint numeric_limits is_same is_same_v is_integral enable_if_t decay_t conditional_t remove_reference_t true_type false_type less greater plus hash " +
	"exception runtime_error logic_error invalid_argument out_of_range chrono steady_clock system_clock high_resolution_clock duration duration_cast milliseconds microseconds nanoseconds seconds now time_since_epoch ostringstream istringstream stringstream ostream istream " +
	"numbers pi bit_cast popcount countl_zero countr_zero memory_order setbase left right showpoint noshowpoint ws"

// cppMembers are members of those that are called.
const cppMembers = "push_back emplace_back pop_back push_front pop_front push pop top front back begin end cbegin cend rbegin rend size empty clear resize reserve insert emplace erase find count contains at data c_str str substr append length capacity find_first_of find_last_of rfind compare starts_with ends_with first second get reset value " +
	"value_or has_value what count time_since_epoch swap fill min max epsilon lowest quiet_NaN infinity real imag rdbuf precision width good eof fail assign max_size lower_bound upper_bound equal_range merge splice sort reverse unique release use_count lock test set flip to_ulong to_string any none all"

// cCallbacks are those of both lists that take a function: from which argument on.
var cCallbacks = map[string]int{"qsort": 3, "bsearch": 4, "sort": 2, "stable_sort": 2, "accumulate": 3, "lower_bound": 3, "upper_bound": 3, "binary_search": 3, "min_element": 2, "max_element": 2, "unique": 2, "next_permutation": 2, "max": 2, "min": 2, "minmax": 2, "clamp": 3, "iota": 3, "merge": 4}

// cNever are other spellings of signs (ISO/IEC 14882:2020, table 1).
const cNever = "and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq"

// cToken is a token of C: kind n for a name, s for a text, d for a number, o for a sign.
type cToken struct {
	kind byte
	text string
}

// CReaches says whether a source of C or C++ may reach what its text does not show: other
// programs, files, the network, or code that is defined elsewhere.
func CReaches(text string) bool {
	tokens, ok := cTokens(text)
	if !ok || len(text) > maxText {
		return true
	}
	r := cReader{tokens: tokens}
	r.declare()
	for i := range tokens {
		if tokens[i].kind == 'n' && (!r.plain(i) || hasWord(cNever, tokens[i].text) || !r.callsBack(i)) {
			return true
		}
		if tokens[i].text == "(" && i > 0 && (tokens[i-1].text == "]" && !hasBody(tokens, i) || tokens[i-1].text == ")" && !r.afterGroup(i-1)) {
			return true // a call of what an expression gives
		}
		if tokens[i].kind == 'n' && tokens[i].text == "main" && takesThree(tokens[i+1:]) {
			return true // the third is the environment
		}
	}
	return false
}

// takesThree says whether a function has more than two parameters.
func takesThree(tokens []cToken) bool {
	commas := 0
	for i := range tokens {
		switch t := tokens[i].text; {
		case i == 0 && t != "(", t == "{", t == ";":
			return commas > 1
		case t == ",":
			commas++
		}
	}
	return false
}

// cTokens cuts source into tokens; ok is false where it holds what cannot be read plainly.
func cTokens(text string) (out []cToken, ok bool) {
	if strings.Contains(text, "??") || strings.Contains(text, "\\\n") || strings.Contains(text, "<%") || strings.Contains(text, "%:") {
		return nil, false
	}
	fresh := true // nothing but blanks stands before on the line
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			fresh, i = true, i+1
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case strings.HasPrefix(text[i:], "//"):
			i += lineLen(text[i:])
			continue
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return nil, false
			}
			i += end + 4
			continue
		case c == '#':
			n := lineLen(text[i:])
			if !fresh {
				return nil, false
			}
			rest, ok := cDirective(text[i+1 : i+n])
			if !ok {
				return nil, false
			}
			more, ok := cTokens(rest[nameLen(rest):])
			if !ok {
				return nil, false
			}
			if rest != "" {
				out = append(out, cToken{'o', cMacro}, cToken{'n', rest[:nameLen(rest)]}, cToken{'o', ";"})
			}
			out, i = append(out, more...), i+n
			continue
		case c == '"' || c == '\'':
			end := i + 1
			for end < len(text) && text[end] != c && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) || text[end] != c || i > 0 && text[i-1] == 'R' {
				return nil, false
			}
			out, i = append(out, cToken{'s', text[i : end+1]}), end+1
		case '0' <= c && c <= '9':
			n := 1
			for i+n < len(text) && (isNameByte(text[i+n]) || text[i+n] == '.' || text[i+n] == '\'') {
				n++
			}
			out, i = append(out, cToken{'d', text[i : i+n]}), i+n
		case isNameByte(c):
			n := nameLen(text[i:])
			out, i = append(out, cToken{'n', text[i : i+n]}), i+n
		case c >= 0x80 || c == '\\' || c == '@' || c == '$' || c == '`':
			return nil, false
		default:
			n := 1
			if two := text[i:min(i+2, len(text))]; two == "->" || two == "::" || two == "&&" || two == "||" || two == "==" || two == "<=" || two == ">=" || two == "!=" {
				n = 2
			}
			out, i = append(out, cToken{'o', text[i : i+n]}), i+n
		}
		fresh = false
	}
	return out, true
}

// lineLen is the length of a text up to the end of its first line.
func lineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// cDirective judges a line of the preprocessor; rest is what it defines, as code.
func cDirective(line string) (rest string, ok bool) {
	line = strings.TrimSpace(line)
	word := line[:nameLen(line)]
	rest = strings.TrimSpace(line[len(word):])
	switch word {
	case "include":
		name, _, _ := cutAt(strings.TrimPrefix(rest, "<"), ">")
		return "", strings.HasPrefix(rest, "<") && hasWord(cHeaders, name)
	case "define":
		return rest, nameLen(rest) > 0 && !strings.Contains(rest, "#") && !strings.HasPrefix(rest[nameLen(rest):], "(")
	case "pragma":
		return "", rest == "once"
	}
	return "", false
}

// cReader says what the names of a source are.
type cReader struct {
	tokens   []cToken
	declared []string
	defined  []string // functions, outside of all braces
	members  []string // functions in braces
	types    []string // outside of all braces
	macros   []string
}

//go:noinline
func (r *cReader) at(i int) cToken {
	if i < 0 || i >= len(r.tokens) {
		return cToken{}
	}
	return r.tokens[i]
}

// typed says whether the token at i can be the end of a type: what stands before a name that
// is declared.
func (r *cReader) typed(i int) bool {
	t := r.at(i)
	switch t.text {
	case "*", "&":
		return r.typed(i - 1)
	case ">":
		return r.plus() && r.angle(i)
	}
	return t.kind == 'n' && t.text[0] != '_' && !isAmong(r.macros, t.text) && (hasWord(cTypes, t.text) || !hasWord(cWords, t.text) && !hasWord(cCalls, t.text))
}

// angle says whether an angle closes at i that was opened behind a name.
func (r *cReader) angle(i int) bool {
	depth := 0
	for ; i > 0; i-- {
		switch r.tokens[i].text {
		case ">":
			depth++
		case "<":
			if depth--; depth == 0 {
				return r.at(i-1).kind == 'n'
			}
		case ";", "{", "}", "(", ")":
			return false
		}
	}
	return false
}

// declare notes the names that the source declares as variables, fields, parameters and
// types, and those that it defines as functions.
func (r *cReader) declare() {
	for i, t := range r.tokens {
		if t.text == cMacro {
			r.macros = append(r.macros, r.at(i+1).text)
		}
	}
	enum, depth := false, 0 // between the braces of an enumeration
	for i, t := range r.tokens {
		switch {
		case t.text == "{":
			depth++
		case t.text == "}":
			enum, depth = false, depth-1
		case t.text == ";":
			enum = false
		case t.text == "enum":
			enum = true
		case t.kind != 'n' || hasWord(cWords, t.text) || hasWord(cCalls, t.text):
		case hasWord(cEffects, t.text): // of C++ it may be another of that name
		case enum && (r.at(i-1).text == "{" || r.at(i-1).text == ","):
			r.declared = append(r.declared, t.text)
		case r.at(i+1).text == "(" && hasBody(r.tokens, i+1):
			r.members = append(r.members, t.text)
			if depth == 0 && r.typed(i-1) {
				r.defined = append(r.defined, t.text)
			}
		case (r.at(i+1).text != "(" || r.at(i-1).text == ">") && r.typed(i-1), r.at(i-1).text == cMacro:
			r.declared = append(r.declared, t.text)
			if depth == 0 && r.plus() && (r.at(i-1).text == "struct" || r.at(i-1).text == "class") {
				r.types = append(r.types, t.text)
			}
		case r.at(i-1).text == "," && r.at(i+1).text != "(" && isAmong([]string{"=", ";", ",", "["}, r.at(i+1).text) && r.list(i-1):
			r.declared = append(r.declared, t.text)
		}
	}
}

// callsBack says whether what a listed function is given as a function is one of the source's
// own: a name there is that of one.
func (r *cReader) callsBack(i int) bool {
	from, ok := cCallbacks[r.tokens[i].text]
	if !ok || r.at(i+1).text != "(" {
		return true
	}
	depth, arg := 0, 0
	for i++; i < len(r.tokens); i++ {
		switch t := r.tokens[i]; {
		case t.text == "(" || t.text == "[" || t.text == "{":
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}":
			if depth--; depth == 0 {
				return true
			}
		case t.text == "," && depth == 1:
			arg++
		case t.kind == 'n' && depth == 1 && arg >= from && !isAmong(r.defined, t.text) && !hasWord("std greater less int double long string", t.text):
			return false
		}
	}
	return false
}

// list says whether the comma at i stands between names of one declaration, which begins with
// a type and holds no call.
func (r *cReader) list(i int) bool {
	for i--; i >= 0; i-- {
		switch t := r.tokens[i]; {
		case t.text == ";" || t.text == "{" || t.text == "}":
			return r.at(i+1).kind == 'n' && hasWord(cTypes, r.at(i+1).text)
		case t.text == "(" || t.text == ")":
			return false
		}
	}
	return false
}

// hasBody says whether a group in parentheses that begins at i is followed by a brace.
func hasBody(tokens []cToken, i int) bool {
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				for i++; i < len(tokens) && (tokens[i].text == "const" || tokens[i].text == "noexcept" || tokens[i].text == "override"); i++ {
				}
				return i < len(tokens) && tokens[i].text == "{"
			}
		}
	}
	return false
}

// afterGroup says whether the group in parentheses that ends at i belongs to a keyword, or is
// a type that a value is made to.
func (r *cReader) afterGroup(i int) bool {
	depth, types, some := 0, true, false
	for ; i >= 0; i-- {
		switch t := r.tokens[i]; {
		case t.text == ")":
			depth++
		case t.text == "(":
			if depth--; depth == 0 {
				return types && some || hasWord("if while for switch sizeof catch", r.at(i-1).text)
			}
		case t.kind == 'n' && hasWord(cTypes, t.text):
			some = true
		case t.text != "*":
			types = false
		}
	}
	return false
}

// plain says whether the name at i is known.
func (r *cReader) plain(i int) bool {
	name, before := r.tokens[i].text, r.at(i-1).text
	called := r.at(i+1).text == "("
	member := before == "." || before == "->"
	switch {
	case name == "using":
		next := r.at(i + 1).text
		return next == "namespace" || next == "std"
	case hasWord(cWords, name), hasWord(cCalls, name) && !member:
		return true
	case hasWord(cppNames, name) && !member && r.plus():
		return true
	case member && !called:
		return true
	case member:
		return hasWord(cppMembers, name) || isAmong(r.members, name)
	case called && isAmong(r.defined, name), called && isAmong(r.types, name):
		return true
	case called: // a variable of a type with parameters, or where a member is defined
		return before == ">" && r.typed(i-1) || hasBody(r.tokens, i+1)
	}
	return isAmong(r.declared, name) || isAmong(r.defined, name) || isAmong(r.members, name) && before == "~" || strings.ToUpper(name) == name && name[0] != '_'
}

// cMacro stands before what a line of the preprocessor defines.
const cMacro = "#define"

// plus says whether the source is one of C++: it uses the namespace std.
func (r *cReader) plus() bool {
	return slices.ContainsFunc(r.tokens, func(t cToken) bool { return t.text == "std" })
}
