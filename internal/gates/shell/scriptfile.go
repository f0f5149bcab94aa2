package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges a script that somebody just wrote and a program starts as it is, in a
// language of which no dialect is read (dialects.go): by what reads inline code of that
// language, or by its names (sourcenames.go). A script that nothing here can read is not judged.

// scriptStarter is a program that runs one file of source as it is, and what reads the file.
type scriptStarter struct {
	program string
	word    string // the subcommand or option with which it does; empty for every run
	ends    string // endings of such files, blank-separated, where it also takes others
	reader  string // empty where nothing does
}

// scriptStarters: from the manuals of the programs, whose tables name the operand that is run.
var scriptStarters = [...]scriptStarter{
	{program: "R", reader: "R"},
	{program: "Rscript", reader: "R"},
	{program: "clj", reader: "clojure"},
	{program: "clojure", reader: "clojure"},
	{program: "crystal", word: "run", ends: ".cr"},
	{program: "csi", reader: "scheme"},
	{program: "dart", ends: ".dart"},
	{program: "dotnet", word: "fsi", ends: ".fsx .fs"},
	{program: "dotnet", word: "run", ends: ".cs"},
	{program: "elixir", reader: "elixir"},
	{program: "emacs", reader: "lisp"},
	{program: "erb"},
	{program: "escript", reader: "erlang"},
	{program: "expect"},
	{program: "fish"},
	{program: "groovy"},
	{program: "guile", reader: "scheme"},
	{program: "java", ends: ".java"},
	{program: "julia", reader: "julia"},
	{program: "kotlin", ends: ".kts"},
	{program: "kotlinc", word: "-script", ends: ".kts"},
	{program: "m4"},
	{program: "nim", word: "r"},
	{program: "nim", word: "-r"},
	{program: "nim", word: "--run"},
	{program: "ocaml"},
	{program: "octave", reader: "octave"},
	{program: "octave-cli", reader: "octave"},
	{program: "racket", reader: "scheme"},
	{program: "runghc", reader: "haskell"},
	{program: "runhaskell", reader: "haskell"},
	{program: "sage"},
	{program: "sbcl", reader: "lisp"},
	{program: "scala", ends: ".scala .sc"},
	{program: "scala-cli", ends: ".scala .sc"},
	{program: "scilab"},
	{program: "swift", ends: ".swift"},
	{program: "tclsh"},
	{program: "wish"},
	{program: "zig", word: "run", ends: ".zig"},
}

// ScriptEnding says whether a file has an ending of such languages.
func ScriptEnding(file string) bool {
	return hasWord(".R .clj .cr .cs .dart .escript .exp .exs .fsx .groovy .hs .java .jl .kts .lisp .m .ml .nim .rkt .sc .scala .scm .swift .tcl .zig", path.Ext(file))
}

// starterOf is what starts a file as a script; words are those of the command.
func starterOf(program, file string, words []string) *scriptStarter {
	for i := range scriptStarters {
		s := &scriptStarters[i]
		if s.program == program && (s.word == "" || isAmong(words, s.word)) && (s.ends == "" || slices.ContainsFunc(strings.Fields(s.ends), func(end string) bool { return strings.HasSuffix(file, end) })) {
			return s
		}
	}
	return nil
}

// StartsScript says whether a program starts a file as a script that no dialect reads.
func StartsScript(program, file string, words []string) bool {
	return starterOf(program, file, words) != nil
}

// ReadScript judges a script that a program starts: what it does, and false where that cannot
// be read.
func ReadScript(program, file string, words []string, text string, places *effect.Places) ([]effect.Effect, bool) {
	s := starterOf(program, file, words)
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n", prog: program, cell: true, whole: true}
	if s == nil || len(text) > maxSource || !m.readScript(s.reader, text) {
		return nil, false
	}
	m.deferAll()
	return m.effects, true
}

// withoutHead is a script without the lines at its start that say what it is written in and
// which modules that only compute it uses (The Racket Guide, #lang; Haskell 2010, chapter 5).
func withoutHead(reader, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case reader == "scheme" && len(words) == 2 && words[0] == "#lang" && hasWord("racket racket/base scheme", words[1]):
		case reader == "haskell" && len(words) == 2 && words[0] == "import" && hasWord("Data.List Data.Char Data.Maybe Data.Bits Data.Ratio", words[1]):
		case reader == "haskell" && strings.Join(words, " ") == "main :: IO ()":
		case reader == "haskell" && strings.HasPrefix(line, "main = "):
			b.WriteString(line[len("main = "):])
		default:
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}

// readScript judges a script by what reads its language; false where it cannot be read.
func (m *machine) readScript(reader, text string) bool {
	switch reader {
	case "":
		return false
	case "R", "elixir":
		return m.plainCode(reader, withoutComments(trimPrefix(text, "\ufeff"), sourceComments{line: "#", quotes: "\"'"}))
	case "julia": // a single quote is also its adjoint
		return m.plainCode(reader, withoutComments(trimPrefix(text, "\ufeff"), sourceComments{line: "#", quotes: "\""}))
	case "clojure", "erlang", "haskell", "scheme", "lisp", "octave":
		if !namedCode(reader, withoutHead(reader, withoutComments(text, namedComments[reader]))) {
			return false
		}
	default:
		return false
	}
	m.spawn(effect.OpRun, m.prog)
	return true
}

// namedComments are the comments of languages that namedCode reads. Of Haskell's none is cut:
// what they hold is read as code.
var namedComments = map[string]sourceComments{
	"clojure": {line: ";", quotes: `"`},
	"erlang":  {line: "%", quotes: `"`},
	"scheme":  {line: ";", quotes: `"`},
	"lisp":    {line: ";", quotes: `"`},
	"octave":  {line: "%", quotes: `"`},
	"haskell": {line: "\x00", quotes: `"`},
}
