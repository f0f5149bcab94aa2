package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file allows inline code of Clojure, Erlang and Haskell of which each name is one of a
// list: functions that compute and print. Nothing of it is evaluated: a name that is not listed,
// a sign by which such languages call something else (a reader's macro, a command of the
// prompt, a method) or a text that cannot be read plainly asks.

// namedLanguage is what such code may be made of.
type namedLanguage struct {
	name    string
	inNames string // signs that names may hold beside letters, digits and underscores
	between string // the sign between a module and what is its own
	signs   string // signs that may stand between names
	words   string // names, with their modules
	modules string // of each of these modules anything
	texts   string // signs that no text may hold: code or names of functions stand behind them
}

// namedLanguages: from the manuals of Clojure 1.12 (clojure.core), Erlang/OTP 27 (erlang, io, lists, string and
// maps of its libraries) and GHC 9 (Prelude of base).
var namedLanguages = [...]namedLanguage{
	{
		name: "clojure", inNames: "-?!*<>=+'", between: "/", signs: "()[]{},:/+-*<>=",
		words: "* + - / < > = <= >= == clojure-version* clojure-version println print prn pr str format inc dec quot rem mod max min abs count first second rest next last nth take drop take-while drop-while map mapv filter filterv remove reduce range repeat " +
			"sort sort-by reverse distinct frequencies group-by partition interleave interpose concat conj cons assoc dissoc get get-in keys vals merge zipmap into vec vector list set hash-map sorted-map if when cond let do and or not nil true false nil? empty? even? odd? zero? pos? neg? " +
			"every? some apply identity comp partial name keyword symbol type subs int long double float rationalize bit-and bit-or bit-xor zero? string? number? map? vector?",
		modules: "clojure.string clojure.set",
	},
	{
		name: "erlang", between: ":", signs: "()[]{},.;+-*/=<>|:",
		words: "io:format io:put_chars io:fwrite erlang:system_info erlang:halt halt init:stop erlang:memory erlang:display length hd tl abs round trunc element tuple_size byte_size size integer_to_list list_to_integer float_to_list atom_to_list lists:sum lists:seq lists:sort lists:reverse lists:max lists:min lists:nth lists:last lists:usort lists:zip lists:concat " +
			"string:join string:uppercase string:lowercase string:split string:trim string:length maps:get maps:keys maps:values maps:size math:pi math:sqrt math:pow",
	},
	{
		name: "haskell", inNames: "'", between: ".", signs: "()[],+-*/=<>.$&^!",
		words: "print putStrLn putStr show map filter foldr foldl sum product length reverse zip zipWith take drop head tail last init null elem maximum minimum even odd div mod quot rem abs sqrt fromIntegral floor ceiling round truncate pi exp log sin cos tan words unwords lines unlines concat concatMap replicate takeWhile dropWhile " +
			"sort sortBy sortOn nub group groupBy intercalate transpose isPrefixOf isSuffixOf isInfixOf partition foldl' toUpper toLower ord chr isDigit isAlpha fromMaybe mapMaybe catMaybes span all any and or not fst snd flip const id lookup mapM_ let in if then else True False Just Nothing Left Right maybe either gcd lcm compare max min succ pred negate signum mconcat mempty fmap pure otherwise",
		modules: "Data.List Data.Char Data.Maybe Data.Bits Data.Ratio",
	},
	{
		name: "scheme", inNames: "-?!*<>=+/", between: "\x00", signs: "()+-*/<>=", texts: "~",
		words: "* + - / < > = <= >= display displayln newline write print println quotient remainder modulo expt exact->inexact sqrt abs max min gcd lcm floor ceiling round truncate number->string string->number string-append string-length substring string-upcase string-downcase list cons car cdr cadr null? pair? length append reverse map filter " +
			"for-each foldl foldr fold iota range let let* lambda if cond else begin when unless not and or even? odd? zero? positive? negative? equal? eq? number? string? vector vector-ref version",
	},
	{
		name: "lisp", inNames: "-*<>=+/%", between: "\x00", signs: "()+-*/<>=", texts: "~",
		words: "* + - / < > = <= >= 1+ 1- print princ prin1 terpri progn let let* list cons car cdr first second third rest length append reverse if when unless cond and or not mod rem expt sqrt abs max min floor ceiling round gcd lcm evenp oddp zerop null equal eq eql string-upcase string-downcase t nil quit exit " +
			"lisp-implementation-version lisp-implementation-type message emacs-version concat number-to-string string-to-number upcase downcase",
	},
	{
		name: "octave", between: "\x00", signs: "()[],;:+-*/^.<>=&|", texts: "",
		words: "disp display printf num2str mat2str inv det rank trace eye zeros ones rand size numel length sum prod mean median std var min max abs sqrt exp log log2 log10 sin cos tan asin acos atan floor ceil round mod rem sort unique find any all cumsum cumprod linspace isempty transpose norm eig lu qr svd polyfit polyval roots kron cross dot " +
			"pi Inf NaN true false version",
	},
	{
		name: "swift", between: ":", signs: "()[]{},;:+-*/<>=.%!?&|$", texts: "",
		words: "import Foundation print debugPrint let var for in if else while switch case default break continue where guard return nil true false Int Int64 UInt8 Double Float String Bool Character Array Dictionary Set map filter reduce sorted sort count first last min max abs isEmpty contains reversed joined separator split " +
			"uppercased lowercased capitalized trimmingCharacters whitespaces hasPrefix hasSuffix enumerated zip stride from to through by append removeLast keys values compactMap flatMap forEach prefix suffix dropFirst dropLast allSatisfy indices shuffled random pow sqrt sin cos tan exp log floor ceil round rounded pi infinity isNaN description " +
			"ProcessInfo processInfo arguments processorCount activeProcessorCount physicalMemory operatingSystemVersionString systemUptime Date timeIntervalSince1970 MemoryLayout size alignment self utf8 unicodeScalars isMultiple of radix bitWidth",
	},
	{
		name: "jvm", between: "\x00", signs: "()[]{},;+-*/<>=.%", texts: "$",
		words: "println print List Array Map Set Seq Vector listOf mapOf setOf arrayOf sum max min map filter size length toInt toLong toDouble reverse reversed sorted take drop mkString joinToString first last head tail isEmpty contains zip distinct count average to until val var it true false null if else abs sqrt " +
			"toUpperCase toLowerCase uppercase lowercase trim split repeat",
	},
}

// namedCode says whether each name of a text of inline code is known.
func namedCode(lang, text string) bool {
	var l *namedLanguage
	for i := range namedLanguages {
		if namedLanguages[i].name == lang {
			l = &namedLanguages[i]
		}
	}
	text = strings.NewReplacer(`\n`, " ", `~n`, " ", `~a`, " ", `~d`, " ", `~%`, " ").Replace(text)
	if l == nil || text == "" || text[0] == ':' || mark.Has(text) || len(text) > maxTokens || strings.Contains(text, "$(") || strings.Contains(text, `"""`) {
		return false
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case c == '"':
			end := firstByte(text[i+1:], '"')
			if end < 0 || strings.ContainsAny(text[i+1:i+1+end], `\`+l.texts) {
				return false
			}
			i += end + 2
		case c >= '0' && c <= '9':
			i += len(text[i:]) - len(strings.TrimLeft(text[i:], "0123456789."))
		case isNameByte(c) && c < 0x80:
			n, ok := l.known(text, i)
			if !ok {
				return false
			}
			i += n
		case firstByte(l.signs, c) >= 0 || firstByte(l.inNames, c) >= 0 && c != '\'':
			i++
		default:
			return false
		}
	}
	return true
}

// known reads the name at i with its module, and says whether it is listed, or a value that
// no function of the list calls.
func (l *namedLanguage) known(text string, i int) (n int, ok bool) {
	for i+n < len(text) && (isNameByte(text[i+n]) && text[i+n] < 0x80 || firstByte(l.inNames, text[i+n]) >= 0 || strings.HasPrefix(text[i+n:], ".") && i+n+1 < len(text) && isNameByte(text[i+n+1]) && l.between != ":" || l.between != "." && strings.HasPrefix(text[i+n:], l.between) && i+n+1 < len(text) && isNameByte(text[i+n+1])) {
		n++
	}
	name := text[i : i+n]
	after := strings.TrimLeft(text[i+n:], " ")
	if hasWord(l.words, name) {
		return n, true
	}
	if at := strings.LastIndex(name, l.between); at > 0 && hasWord(l.modules, name[:at]) {
		return n, true
	}
	switch l.name {
	case "erlang": // an atom or a variable that is not called
		return n, !strings.Contains(name, ":") && !strings.HasPrefix(after, "(") && !strings.HasPrefix(after, ":") && !hasWord("fun receive spawn apply", name)
	case "clojure": // a keyword
		return n, i > 0 && text[i-1] == ':' && !strings.ContainsAny(name, "/.")
	}
	if l.between == "\x00" && (strings.HasPrefix(after, "(") || i > 0 && text[i-1] == '(' && (l.name == "scheme" || l.name == "lisp")) {
		return n, false // it is called
	}
	return n, len(name) == 1
}

// namedRun runs such code, if all of it is known: nothing that the line sets or writes can steer
// it, and what the program reads before it (of the directory where it starts) is the project's.
func (m *machine) namedRun(program string, args []string) bool {
	lang, code := namedArgs(program, args)
	if lang == "" || len(m.files) > 0 || m.running > 0 && m.runs[m.running-1].Given || !namedCode(lang, code) {
		return false
	}
	for _, s := range [...]struct{ program, file string }{{"erl", ".erlang"}, {"ghc", ".ghci"}} {
		if program == s.program && (m.p.There == nil || m.p.There(m.p.Resolve(m.cwd, s.file))) {
			return false
		}
	}
	m.build()
	return true
}

// swiftRun runs code of Swift on its input or behind -e, if all of it is known (swift help run;
// swift-frontend: -e; - reads the input).
func (m *machine) swiftRun(args []string, in data) bool {
	code := ""
	switch {
	case len(args) == 2 && args[0] == "-e":
		code = args[1]
	case len(args) == 1 && args[0] == "-" && !in.tty && in.known():
		code = in.text
	}
	if !strings.Contains(code, "rint(") || len(m.files) > 0 || m.running > 0 && m.runs[m.running-1].Given || !namedCode("swift", code) {
		return false
	}
	m.spawn(effect.OpRun, "swift")
	return true
}

// namedArgs is the code in the arguments of a program of such a language, where they hold
// nothing else but what ends it or leaves its prompt out.
func namedArgs(program string, args []string) (lang, code string) {
	switch program {
	case "clj", "clojure":
		if len(args) == 3 && args[0] == "-M" {
			args = args[1:]
		}
		if len(args) == 2 && (args[0] == "-e" || args[0] == "--eval") {
			return "clojure", args[1]
		}
	case "erl":
		for len(args) > 0 && (args[0] == "-noshell" || args[0] == "-noinput") {
			args = args[1:]
		}
		end := ""
		if len(args) > 2 {
			end = strings.Join(args[2:], " ")
		}
		if len(args) > 1 && args[0] == "-eval" && (end == "" || end == "-s init stop" || end == "-s erlang halt" || end == "-noshell") {
			return "erlang", args[1]
		}
	case "ghc":
		if len(args) == 2 && args[0] == "-e" {
			return "haskell", args[1]
		}
	}
	return evaluatedArgs(program, args)
}

// evaluatedArgs is the code in the arguments of an interpreter that evaluates one text, by the
// manuals of GNU Guile, Racket, SBCL, Emacs, Octave, Scala, Groovy and Kotlin.
func evaluatedArgs(program string, args []string) (lang, code string) {
	for _, e := range [...]struct{ program, lang, option, before string }{
		{"emacs", "lisp", "--eval", "--batch -batch -Q --quick"},
		{"groovy", "jvm", "-e", ""},
		{"guile", "scheme", "-c", "-q --no-auto-compile"},
		{"kotlin", "jvm", "-e", ""},
		{"kotlinc", "jvm", "-e", ""},
		{"octave", "octave", "--eval", "--quiet -q --no-gui --norc -f --silent"},
		{"octave-cli", "octave", "--eval", "--quiet -q --norc -f --silent"},
		{"racket", "scheme", "-e", ""},
		{"sbcl", "lisp", "--eval", "--noinform --non-interactive --no-userinit --no-sysinit"},
		{"scala", "jvm", "-e", ""},
	} {
		if e.program != program {
			continue
		}
		for len(args) > 0 && hasWord(e.before, args[0]) {
			args = args[1:]
		}
		if len(args) == 2 && args[0] == e.option && (program != "emacs" || strings.HasPrefix(args[1], "(")) {
			return e.lang, args[1]
		}
	}
	return "", ""
}
