package source

import (
	"regexp"
	"strings"
	"sync"
)

// This file reads programs of languages in which a name that stands nowhere before the program is one of
// the program's own, or of a module that it brings in by name. So the modules are listed, and what
// stands before each program or is in a listed module and reaches more may not be named at all.

// closedLanguage is such a language.
type closedLanguage struct {
	lexis   lexis
	never   string                   // names that may not stand in it
	modules string                   // what may be brought in
	brings  string                   // keywords behind which that stands
	fold    bool                     // names are the same in capitals and, of Nim, with underscores
	plain   func(text string) string // the text as it is cut, empty if it is not read
	check   func(l list) bool
}

// haskellModules are modules of base, containers, text, mtl and their like (hackage.haskell.org, GHC 9.10).
const haskellModules = "Prelude Data.List Data.Char Data.Maybe Data.Either Data.Function Data.Ord Data.Bits Data.Ratio Data.Complex Data.Word Data.Int Data.IORef Data.STRef Data.Foldable Data.Traversable Data.Monoid Data.Semigroup Data.Functor Data.Functor.Identity Data.Functor.Const Data.Functor.Compose Data.Bifunctor Data.Void Data.Proxy Data.Kind Data.Coerce Data.Tuple Data.String Data.Array Data.Array.ST Data.Map " +
	"Data.Map.Strict Data.Set Data.IntMap Data.IntMap.Strict Data.IntSet Data.Sequence Data.Tree Data.Graph Data.Text Data.Text.IO Data.ByteString Data.ByteString.Char8 Data.List.NonEmpty Data.Typeable Data.Unique Data.Version Data.Fixed Data.Time.Clock Control.Monad Control.Monad.ST Control.Monad.State Control.Monad.Reader Control.Monad.Writer Control.Monad.Except Control.Applicative Control.Exception Control.Concurrent " +
	"Control.Concurrent.MVar Control.Concurrent.Chan Control.Concurrent.STM Control.Monad.STM Control.DeepSeq Control.Category Control.Arrow Text.Printf Text.Read Text.Show Numeric Numeric.Natural Debug.Trace System.IO System.Exit System.CPUTime System.Environment System.Mem GHC.Generics"

// haskellExtensions change nothing about what a program reaches (GHC User's Guide, Language extensions).
const haskellExtensions = "BangPatterns BlockArguments ConstraintKinds DataKinds DeriveFoldable DeriveFunctor DeriveGeneric DeriveTraversable DerivingStrategies DerivingVia EmptyDataDecls ExistentialQuantification FlexibleContexts FlexibleInstances FunctionalDependencies GADTs GeneralizedNewtypeDeriving ImportQualifiedPost InstanceSigs KindSignatures LambdaCase MultiParamTypeClasses MultiWayIf NamedFieldPuns NumericUnderscores OverloadedStrings ParallelListComp " +
	"PatternSynonyms PolyKinds RankNTypes RecordWildCards ScopedTypeVariables StandaloneDeriving StrictData Strict TupleSections TypeApplications TypeFamilies TypeOperators UndecidableInstances ViewPatterns"

// ocamlNever are modules that reach more, and such names that stand before each program.
const ocamlNever = "Unix UnixLabels Filename Dynlink In_channel Out_channel Obj Thread Stdlib Pervasives Marshal Callback Gc Runtime_events Toploop Topdirs Compiler Scanning CamlinternalMod CamlinternalOO CamlinternalFormat Bigarray Event Effect Str Domain Condition Mutex Semaphore external open_in open_in_bin open_in_gen open_out open_out_bin open_out_gen at_exit input_value output_value set_signal open_in_bin unsafe_get unsafe_set unsafe_blit unsafe_fill unsafe_to_string unsafe_of_string open_box_file stdlib open_temp_file"

// ocamlPlain are modules that only compute or print (ocaml.org/manual/5.3/stdlib.html).
const ocamlPlain = "Array ArrayLabels Bool Buffer Bytes BytesLabels Char Complex Either Float Format Fun Hashtbl In Int Int32 Int64 Lazy Lexing List ListLabels Make Map MapLabels Nativeint Option Parsing Printexc Printf Queue Random Result Scanf Seq Set Stack StdLabels String StringLabels Uchar Unit Weak"

// nimModules are modules of Nim's library that only compute (nim-lang.org/docs/lib.html, 2.2).
const nimModules = "strutils sequtils tables sets math algorithm strformat sugar times deques heapqueue options bitops unicode parseutils random hashes complex rationals stats monotimes std/strutils std/sequtils std/tables std/sets std/math std/algorithm std/strformat std/sugar std/times std/deques std/heapqueue std/options std/bitops std/unicode std/parseutils std/random std/hashes std/monotimes std/stats std/enumerate std/packedsets lists std/lists json std/json"

// zigStd are parts of Zig's library that only compute, print or wait (ziglang.org/documentation/0.15.1/std).
const zigStd = "ArrayHashMap ArrayList ArrayListUnmanaged AutoArrayHashMap AutoHashMap AutoHashMapUnmanaged BoundedArray BufMap DoublyLinkedList EnumArray EnumMap EnumSet HashMap MultiArrayList PriorityQueue Random SinglyLinkedList StaticBitSet DynamicBitSet StaticStringMap StringHashMap Thread Treap ascii array_list atomic base64 bit_set builtin compress enums fmt hash hash_map heap json log math mem meta rand simd sort time unicode"

// zigBuiltins are functions of the language that only compute (ziglang.org/documentation/0.15.1, Builtin Functions).
const zigBuiltins = "abs addWithOverflow alignCast alignOf as bitCast bitOffsetOf bitReverse bitSizeOf branchHint byteSwap clz compileError compileLog constCast ctz divExact divFloor divTrunc enumFromInt errorName exp exp2 field FieldType floatCast floatFromInt floor ceil round trunc hasDecl hasField import intCast intFromBool intFromEnum intFromFloat log log2 log10 max memcpy memset min mod mulAdd mulWithOverflow " +
	"offsetOf panic popCount prefetch ptrCast reduce rem select setEvalBranchQuota setRuntimeSafety shlExact shlWithOverflow shrExact shuffle sin cos tan sizeOf splat sqrt subWithOverflow tagName This truncate Type typeInfo typeName TypeOf unionInit Vector atomicLoad atomicStore atomicRmw cmpxchgStrong cmpxchgWeak errorFromInt intFromError volatileCast"

var closedLanguages = map[string]*closedLanguage{
	".dart": {
		lexis: lexis{line: []string{"//"}, open: "/*", close: "*/", nests: true, triple: true, single: true, hole: "${", dollar: true, raw: "r", pairs: []string{"=>", "==", "!=", "<=", ">=", "&&", "||"}},
		never: "external library augment native", brings: "import export part", modules: "dart:core dart:math dart:collection dart:convert dart:async dart:typed_data",
	},
	".hs": {
		lexis: lexis{open: "{-", close: "-}", nests: true, names: "'", chars: true, pairs: []string{"::", "->", "<-", "=>", "==", "/=", "<=", ">=", "&&", "||", "++", ">>=", "..", "$("}},
		never: "foreign readFile readFile' writeFile appendFile openFile withFile openBinaryFile withBinaryFile openTempFile openBinaryTempFile openTempFileWithDefaultPermissions openBinaryTempFileWithDefaultPermissions getEnv lookupEnv getEnvironment setEnv unsetEnv withArgs withProgName getExecutablePath executablePath interactive forkOS runInBoundThread accursedUnutterablePerformIO " +
			"inlinePerformIO mkFileHandle handleToFd unsafePerformIO unsafeInterleaveIO unsafeDupablePerformIO unsafeCoerce unsafeIOToST unsafeSTToIO unsafeThaw unsafeFreeze unsafePackCString unsafeUseAsCString",
		brings: "import", modules: haskellModules, plain: withoutPragmas, check: plainHaskell,
	},
	".ml": {
		lexis: lexis{open: "(*", close: "*)", nests: true, chars: true, prime: true, noQuotes: true, names: "'", pairs: []string{"->", "<-", ":=", "::", "[@", "[%", "{%", "{|", "|>", "##", "<>", "<=", ">=", "&&", "||"}},
		never: ocamlNever, plain: withoutQuoted, check: plainOCaml,
	},
	".nim": {
		lexis:  lexis{open: "#[", close: "]#", nests: true, line: []string{"#"}, triple: true, chars: true, prime: true, pairs: []string{"{.", ".}", "->", "=>", "==", "!=", "<=", ">="}},
		never:  "include asm cast addr unsafeaddr readfile writefile open readlines writelines staticread slurp staticexec gorge gorgeex staticexecshell lines getenv putenv execshellcmd importc importcpp importjs emit dynlib header compile link passl passc pragma codegendecl exportc parsejsonfile parsefile newfilestream loadlib newfile nimcall file reopen getfilehandle setfilepos",
		brings: "import from", modules: nimModules, fold: true, check: plainNim,
	},
	".zig": {
		lexis: lexis{line: []string{"//"}, chars: true, pairs: []string{"=>", "==", "!=", "<=", ">=", ".*", ".?", ".."}},
		never: "asm extern export usingnamespace linksection tmpDir tmpIterableDir addrspace callconv", check: plainZig,
	},
}

// fortranNever are intrinsics of GNU Fortran that reach more, and words that bring in what the text does not show
// (gcc.gnu.org/onlinedocs/gfortran, Intrinsic Procedures), and fortranModules may be used.
const (
	fortranNever   = "execute_command_line system unlink rename chdir chmod link symlnk kill signal alarm fork getenv get_environment_variable getlog hostnm umask access fget fgetc fput fputc fseek open include bind iso_c_binding c_funptr c_loc import external submodule fdate perror mclock stat lstat fstat inquire co_broadcast"
	fortranModules = "iso_fortran_env ieee_arithmetic ieee_exceptions omp_lib"
)

// closedComputes reads a program of such a language.
func closedComputes(l *closedLanguage, text string) bool {
	if l.plain != nil {
		if text = l.plain(text); text == "" {
			return false
		}
	}
	tokens, ok := l.lexis.cut(text, 0)
	if !ok || len(tokens) == 0 {
		return false
	}
	never := set(l.never)
	at := list(tokens)
	for i, t := range tokens {
		name := t.text
		if l.fold {
			name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
		}
		switch {
		case t.kind != 'n':
		case never[name], strings.HasPrefix(name, "unsafe"):
			return false
		case hasWord(l.brings, name) && (t.head || at.is(i-1, ";")) && !l.module(at, i+1):
			return false
		case hasWord(l.brings, name) && !t.head && !at.is(i-1, ";") && name != "from" && name != "part":
			return false
		}
	}
	return l.check == nil || l.check(at)
}

// module says whether what is brought in at i is listed.
func (l *closedLanguage) module(at list, i int) bool {
	if t := at.at(i); t.kind == 's' {
		for k := i + 1; k < len(at) && !at.is(k, ";"); k++ {
			if at[k].kind == 's' || at.is(k, "if") { // another file under a condition
				return false
			}
		}
		return hasWord(l.modules, t.text)
	}
	name := ""
	for ; i < len(at) && !at[i].head && !at.is(i, ";"); i++ {
		t := at[i]
		switch {
		case t.text == "qualified" && name == "", t.text == "[" || t.text == "]":
		case t.kind == 'n' && hasWord("as hiding import except qualified", t.text), t.text == "(":
			return hasWord(l.modules, name)
		case t.text == ",":
			if !hasWord(l.modules, name) {
				return false
			}
			name = ""
		default:
			name += t.text
		}
	}
	return hasWord(l.modules, name)
}

// haskellComment is the rest of a line behind two dashes that are no part of an operator.
var haskellComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(^|[\s\w)\]"])--+(?:[ \t\w].*)?$`) })

// haskellPragma is one of those that only say how, or one with extensions.
var haskellPragma = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{-#\s*(?:LANGUAGE\s+([\w,\s]+)|(?:INLINE|NOINLINE|UNPACK|INLINABLE)[\w\s']*)#-\}`)
})

// withoutPragmas is source of Haskell without comments at the end of lines and pragmas, all of which are known.
func withoutPragmas(text string) string {
	for _, p := range haskellPragma().FindAllStringSubmatch(text, -1) {
		for _, e := range strings.FieldsFunc(p[1], func(c rune) bool { return c == ',' || c == ' ' || c == '\n' }) {
			if !hasWord(haskellExtensions, e) {
				return ""
			}
		}
	}
	if text = haskellPragma().ReplaceAllString(text, ""); strings.Contains(text, "{-#") {
		return ""
	}
	return haskellComment().ReplaceAllString(text, "$1")
}

// withoutQuoted is source of OCaml, if it has no texts between braces.
func withoutQuoted(text string) string {
	if quotedOCaml().MatchString(text) {
		return ""
	}
	return text
}

var quotedOCaml = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{%*[\w.]*\|`) })

// plainHaskell says whether nothing stands there that makes code at the time of compiling.
func plainHaskell(l list) bool {
	for i, t := range l {
		if t.kind == 'o' && (t.text == "#" || t.text == "$(" && l.at(i+1).kind == 0) {
			return false
		}
	}
	return true
}

// plainOCaml says whether each module that is named is listed or the program's own, and nothing stands there that
// extends the language or tells the toplevel something.
func plainOCaml(l list) bool {
	own := map[string]bool{}
	for i, t := range l {
		if t.kind == 'n' && capital(t.text) && (l.is(i-1, "module") || l.is(i-1, "type") && l.is(i-2, "module") || l.is(i-1, "(") && l.is(i+1, ":")) {
			own[t.text] = true
		}
	}
	for i, t := range l {
		switch {
		case t.kind == 'o' && (t.text == "[%" || t.text == "{%" || t.text == "{|" || t.text == "[@" || t.text == "##" || t.text == "#" && t.head || t.text == "`"):
			return false
		case t.kind == 'n' && t.text == "Sys":
			if !l.is(i+1, ".") || !hasWord("argv time word_size int_size max_string_length max_array_length ocaml_version opaque_identity executable_name big_endian", l.at(i+2).text) {
				return false
			}
		case t.kind == 'n' && capital(t.text) && (l.is(i+1, ".") || l.is(i-1, "open") || l.is(i-1, "include") || l.is(i-1, "!") && l.is(i-2, "open")) && !own[t.text] && !hasWord(ocamlPlain, t.text):
			return false
		case t.kind == 'n' && capital(t.text) && l.is(i-1, "=") && l.at(i-2).kind == 'n' && l.is(i-3, "module") && !own[t.text] && !hasWord(ocamlPlain, t.text):
			return false
		}
	}
	return true
}

// plainNim says whether pragmas are none but such as say how.
func plainNim(l list) bool {
	for i, t := range l {
		if t.text == "{." && t.kind == 'o' && !hasWord("inline noinit discardable raises gcsafe pure closure noSideEffect used push pop deprecated acyclic", l.at(i+1).text) || t.text == "`" {
			return false
		}
	}
	return true
}

// plainZig says whether what a program takes of the library and of the language only computes.
func plainZig(l list) bool {
	for i, t := range l {
		switch {
		case t.kind == 'o' && t.text == "@":
			if l.at(i+1).kind != 'n' || !hasWord(zigBuiltins, l.at(i+1).text) || l.is(i+1, "import") && !(l.is(i+2, "(") && hasWord("std builtin", l.at(i+3).text) && l.at(i+3).kind == 's' && l.is(i-3, "const")) {
				return false
			}
		case t.kind == 'n' && t.text == "std" && l.is(i-1, "const") && l.is(i+1, "=", "@", "import"):
		case t.kind == 'n' && t.text == "std":
			if l.is(i-1, ".") || !l.is(i+1, ".") || !zigPart(l, i+2) {
				return false
			}
		case t.kind == 's' && l.is(i-1, "(") && l.is(i-2, "import") && !hasWord("std builtin", t.text):
			return false
		}
	}
	return !imports(l, "std", "std")
}

// zigPart says whether a part of the library at i may be used.
func zigPart(l list, i int) bool {
	switch part := l.at(i).text; part {
	case "io":
		return l.is(i+1, ".") && hasWord("getStdOut getStdIn getStdErr bufferedWriter bufferedReader fixedBufferStream Writer Reader", l.at(i+2).text)
	case "fs":
		return l.is(i+1, ".", "File", ".") && hasWord("stdout stdin stderr", l.at(i+4).text)
	case "debug":
		return l.is(i+1, ".") && hasWord("print assert panic dumpCurrentStackTrace", l.at(i+2).text)
	case "process":
		return l.is(i+1, ".") && hasWord("args argsAlloc argsFree argsWithAllocator exit", l.at(i+2).text)
	case "testing":
		return l.is(i+1, ".") && hasWord("expect expectEqual expectEqualStrings expectEqualSlices expectError expectApproxEqAbs allocator", l.at(i+2).text)
	default:
		return hasWord(zigStd, part)
	}
}

// imports says whether a module gets another name than its own.
func imports(l list, module, name string) bool {
	for i := range l {
		if l.is(i, "=", "@", "import", "(") && l.at(i+4).text == module && !l.is(i-1, name) {
			return true
		}
	}
	return false
}

var fortranLexis = lexis{line: []string{"!"}, single: true, noEscapes: true, pairs: []string{"::", "==", "/=", "<=", ">=", "=>", "**", "//"}}

// fortranHidden is a name that goes on in the next line, or a comment that is code for some compilers.
var fortranHidden = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*&|!\s*\$(?:[^o]|o[^m])|!(?:gcc|dec|dir)\$`) })

// fortranComputes reads a program of Fortran in free form.
func fortranComputes(text string) bool {
	text = strings.ToLower(text)
	if fortranHidden().MatchString(text) {
		return false
	}
	tokens, ok := fortranLexis.cut(strings.ReplaceAll(text, "&\n", "\n"), 0)
	if !ok || strings.Contains(text, "#") {
		return false
	}
	l := list(tokens)
	own := map[string]bool{}
	for i, t := range l {
		if t.kind == 'n' && (l.is(i-1, "subroutine") || l.is(i-1, "function") || l.is(i-1, "module") || l.is(i-1, "procedure")) {
			own[t.text] = true
		}
	}
	for i, t := range l {
		if t.kind != 'n' {
			continue
		}
		switch {
		case hasWord(fortranNever, t.text), strings.HasPrefix(t.text, "c_f_"):
			return false
		case l.is(i-1, "use") || l.is(i-1, "::") && l.is(i-2, "intrinsic"):
			if t.text != "intrinsic" && !hasWord(fortranModules, t.text) && !own[t.text] {
				return false
			}
		case l.is(i-1, "call") && !own[t.text] && !l.is(i+1, "%") && !hasWord("random_number random_seed random_init cpu_time system_clock date_and_time get_command_argument get_command move_alloc exit abort flush sleep omp_set_num_threads", t.text):
			return false
		}
	}
	return len(l) > 0
}
