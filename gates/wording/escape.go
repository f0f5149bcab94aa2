package wording

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file words what a program does beyond its own work: code that it is handed, options
// and commands of it that can run anything or that nobody knows, and variables that steer
// it. One run is one clause, however many of its words are in question.

// escapes words such effects, run by run.
func (s *subject) escapes() []clause {
	var out []clause
	done := map[string]bool{}
	for _, e := range s.effects {
		facts := s.facts(e)
		if first, _, _ := strings.Cut(e.Resource, " "); len(facts) == 0 && first != e.Program { // php artisan, npx prisma
			at := *e
			at.Program = first
			facts = s.facts(&at)
		}
		if len(facts) > 0 {
			out = append(out, facts[0])
			continue
		}
		key := e.Program + "\x00" + e.Argv
		if done[key] {
			continue
		}
		done[key] = true
		out = append(out, s.beyond(s.ofRun(e))...)
	}
	return unique(out)
}

// ofRun are the effects of the same run as one of them.
func (s *subject) ofRun(e *gates.Effect) []*gates.Effect {
	var out []*gates.Effect
	for _, o := range s.effects {
		if o.Program == e.Program && o.Argv == e.Argv {
			out = append(out, o)
		}
	}
	return out
}

// beyond words what one run does beyond its own work: what is known by its form, and then
// what is in question of its words.
func (s *subject) beyond(list []*gates.Effect) []clause {
	var out []clause
	var rest []*gates.Effect
	if x, ok := s.code(list); ok {
		out = append(out, x)
	}
	if x, ok := s.variables(list); ok {
		out = append(out, x)
	}
	for _, e := range list {
		switch r := e.Resource; {
		case strings.HasPrefix(r, inlineCode), variable(r) != "":
		case strings.HasSuffix(r, runsItsInput):
			out = append(out, s.input(e))
		case strings.Contains(r, " query "):
			out = append(out, s.statement(e))
		case strings.HasPrefix(r, "git -c "):
			key, _, _ := strings.Cut(strings.TrimPrefix(r, "git -c "), "=")
			if expires := strings.ToLower(key); strings.HasPrefix(expires, "gc.") && strings.Contains(expires, "expire") {
				out = append(out, clause{what: "has git keep less of what was lost (" + name(key) + ")", note: "; what nothing names any more then goes for good", weight: 7, instead: leaveOut("the setting")})
				continue
			}
			out = append(out, clause{what: "changes git's setting " + name(key) + ", which can name programs or files that git uses", note: able, weight: 2, instead: leaveOut("the setting")})
		case loadsModule.MatchString(r):
			x := loadsModule.FindStringSubmatch(r)
			out = append(out, clause{what: "loads the module " + name(x[2]) + " into " + name(x[1]) + ", code that gbt has not read", note: able, weight: 2, instead: "Say what the module is for, and ask for this run."})
		case strings.Contains(r, onTheEnvironment) || strings.HasSuffix(r, " another environment"):
			out = append(out, s.onEnvironment(e))
		case runsFile.MatchString(r):
			m := runsFile.FindStringSubmatch(r)
			out = append(out, clause{what: "runs what stands in " + where(s.c, m[2]) + " with " + name(m[1]) + ", which gbt has not read", note: able, weight: 2, instead: "Show what that file does and ask for this run."})
		default:
			rest = append(rest, e)
		}
	}
	if len(s.effects) > len(rest) {
		rest = slices.DeleteFunc(rest, s.valueOfOption)
	}
	if len(rest) > 0 && len(out) == 0 {
		if x := s.questioned(rest); x.what != "" || len(s.d.Reasons) <= len(s.effects) {
			x.what = or(x.what, "runs "+s.shownCall(rest[0])+" with words of which gbt cannot tell what they do")
			out = append(out, x)
		}
	}
	return out
}

const (
	inlineCode   = "inline code of "
	runsItsInput = " runs its input"
)

// runsFile is what gbt says of a program that is handed a file of statements.
var runsFile = regexp.MustCompile(`^(\S+) runs ([^ ]*[./][^ ]*)$`)

// loadsModule is what gbt says of a module that an interpreter is told to load.
var loadsModule = regexp.MustCompile(`^(lua|node|perl|ruby) loads (\S+)$`)

// code words code that stands in the call, with what it uses that nobody can judge.
func (s *subject) code(list []*gates.Effect) (clause, bool) {
	lang, found := "", false
	var uses []string
	for _, e := range list {
		rest, ok := strings.CutPrefix(e.Resource, inlineCode)
		if !ok {
			continue
		}
		first, what, _ := strings.Cut(rest, " ")
		lang, found = first, true
		if u, ok := strings.CutPrefix(what, "uses "); ok && !slices.Contains(uses, u) {
			uses = append(uses, u)
		}
	}
	if !found {
		return clause{}, false
	}
	return s.inCode(list[0], name(lang), s.spelledOut(list[0], uses), ", which gbt cannot follow", true), true
}

// variable is the name of a variable that an effect sets; empty for other effects.
func variable(resource string) string {
	first, _, _ := strings.Cut(resource, " ")
	key, _, ok := strings.Cut(first, "=")
	if !ok || key == "" || strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return ""
	}
	return key
}

// variables words what is set in front of a program that it goes by.
func (s *subject) variables(list []*gates.Effect) (clause, bool) {
	var names []string
	for _, e := range list {
		key := variable(e.Resource)
		if key == "" || slices.Contains(names, name(key)) {
			continue
		}
		names = append(names, name(key))
	}
	if len(names) == 0 {
		return clause{}, false
	}
	x := clause{what: "sets " + join(names) + " for what it runs", note: able, weight: 1, instead: leaveOut(names...)}
	if to := s.given(); to != "" {
		x.what = "runs " + to + " with " + join(names) + " set by this call"
	}
	x.what += ", which can change what it does and which programs run"
	if says := s.suggests(list[0]); says.serious() {
		if y, ok := says.byName(s.shownBy(list[0], says), ", with "+join(names)+" set by this call, which can change what it does and which programs run"); ok {
			return y, true
		}
	}
	return x, true
}

// given is the one program for which variables are set by the call itself; empty where they
// are set for more.
func (s *subject) given() string {
	if s.c == nil {
		return ""
	}
	var given []string
	for _, r := range s.c.Runs() {
		if r.Given && len(r.Words) > 0 {
			given = append(given, shownWords(r.Words, nil))
		}
	}
	if len(given) != 1 {
		return ""
	}
	return given[0]
}

// statement words a statement that a database is to run, and where that is.
func (s *subject) statement(e *gates.Effect) clause {
	_, query, _ := strings.Cut(e.Resource, " query ")
	at, with := "in a database", s.shownCall(e)
	if verb, _, _ := strings.Cut(query, " "); strings.HasSuffix(with, " "+verb) {
		with = name(e.Program)
	}
	for _, o := range s.beside(e) {
		if o.Kind == effect.Network && o.Net.Domain+o.Net.IP != "" {
			at = "in the database at " + s.destination(o)
		}
	}
	shown := words(query, statementWords(query))
	if strings.EqualFold(shown, "shutdown") {
		return clause{what: "stops the server of the database" + s.atMachine(e) + ", with " + with, note: "; all that use it fail until it is started again", weight: 5, instead: "Say which database that is and who uses it, and ask for it."}
	}
	if slices.Contains(controllers[:], e.Program) {
		return clause{what: "sends the command " + shown + " to a running program, with " + with, note: "; it can change what that does, or write files", weight: 3, instead: "Say what this does to the program and ask for it."}
	}
	if !changes(query) {
		return clause{what: "runs a statement " + at + " with " + with + " of which gbt cannot tell that it only reads (" + shown + ")", note: "; it may change or delete data", weight: 3, instead: "Use a statement that only reads, or say what this one does and ask for it."}
	}
	return clause{what: "runs a statement " + at + " with " + with + " that can change or delete data (" + shown + ")", note: noUndo, weight: 4, instead: "Use a statement that only reads, or say which data this one changes and ask for it."}
}

// changes says whether one of the statements of a text begins as those that write do.
func changes(query string) bool {
	for statement := range strings.SplitSeq(strings.ToLower(query), ";") {
		if first := strings.Fields(statement); len(first) > 0 && (slices.Contains(changing[:], first[0]) || first[0] == "with" || strings.HasPrefix(first[0], "db.")) {
			return true
		}
	}
	return false
}

// changing are first words of statements, and commands of servers, that write.
var changing = [...]string{
	"alter", "append", "attach", "call", "config", "copy", "create", "debug", "decr", "del", "delete", "drop", "exec", "execute", "expire", "export", "flushall", "flushdb", "grant", "hset", "import", "incr", "insert", "install", "load",
	"lpush", "merge", "migrate", "rename", "replace", "restore", "revoke", "rpush", "sadd", "set", "shutdown", "truncate", "unlink", "update", "upsert", "vacuum", "zadd",
}

// controllers send commands to running programs that are no databases.
var controllers = [...]string{"jcmd"}

// onTheEnvironment is what gbt says between such a run and the environment that it works on.
const onTheEnvironment = " on the environment "

// onEnvironment words a run that works on the database of an environment other than developers'.
func (s *subject) onEnvironment(e *gates.Effect) clause {
	_, env, ok := strings.Cut(e.Resource, onTheEnvironment)
	where := "an environment that is not the developers'"
	if env = strings.TrimLeft(env, "-"); ok && env != "" && (strings.ToLower(env) == env || !strings.Contains(env, ".")) { // and no module's name
		where = name(env)
	}
	if env == "localhost" || env == "127.0.0.1" || env == "[::1]" { // nobody else's, but it may be another one than developers have there
		return clause{what: "changes a database of this machine (" + env + "), with " + s.shownCall(e), note: "; what is changed or dropped there may be lost", weight: 5, instead: "Say which database that is and what changes in it, and ask for it."}
	}
	return clause{what: "changes the database of " + where + ", with " + s.shownCall(e), note: "; others may use it, and what is changed or dropped there may be lost", weight: 5, instead: "Say which database that is and what changes for those who use it, and ask for it; or name a local one."}
}

// statementBeside is the clause of a statement that a connection is made for.
func (s *subject) statementBeside(e *gates.Effect) (clause, bool) {
	if e.Op != effect.OpConnect {
		return clause{}, false
	}
	for _, o := range s.beside(e) {
		if o.Kind == effect.Spawn && strings.Contains(o.Resource, " query ") {
			return s.statement(o), true
		}
	}
	return clause{}, false
}

// statementWords is how many words of a statement are shown: what it does, and in SQL to
// which table.
func statementWords(query string) int {
	fields := strings.Fields(strings.ToUpper(query))
	if len(fields) > 2 && slices.Contains([]string{"FROM", "INTO", "TABLE", "DATABASE", "INDEX", "VIEW", "SCHEMA", "KEYSPACE", "ROLE", "USER", "FUNCTION", "COLLECTION"}, fields[1]) {
		return 3
	}
	return 2
}

// codeOptions are options of interpreters by which code is handed over as a word.
var codeOptions = [...]string{"-e", "-E", "--eval", "-eval", "--execute", "-c", "-r", "--cmd", "-expression"}

// interpreters are programs with such options that gbt reads no code of.
var interpreters = [...]string{"Rscript", "R", "elixir", "iex", "mix run", "julia", "tsx", "ts-node", "bun", "deno", "octave", "lua", "luajit", "erl", "swipl", "ghc", "groovy", "scala", "clojure", "clj", "nbb", "racket", "guile", "sbcl", "jrunscript", "emacs", "kotlinc", "nvim", "runghc", "vi", "vim"}

// leaveOut is the way on where words of the call are in question.
func leaveOut(words ...string) string {
	return "Leave out " + join(words) + ", or say what " + plural(len(words), "it is", "they are") + " for and ask for this call."
}

// shownCall is what a run is called: its program with the words behind it that say what it
// is to do, as far as they may be shown.
func (s *subject) shownCall(e *gates.Effect) string {
	if r := s.runOf(e); r != nil && len(r.Words) > 0 {
		return shownWords(r.Words, strings.Fields(e.Resource))
	}
	return shownWords(strings.Fields(or(e.Program, e.Resource)), nil)
}

// runOf is the run that an effect is of, if it is known.
func (s *subject) runOf(e *gates.Effect) *effect.Run {
	if s.c == nil {
		return nil
	}
	n, runs := s.indexOf(e), s.c.Runs()
	if i := slices.IndexFunc(runs, func(r effect.Run) bool { return slices.Contains(r.Effects, n) }); i >= 0 {
		return &runs[i]
	}
	return nil
}

// beside are the effects of the run that an effect is of.
func (s *subject) beside(e *gates.Effect) []*gates.Effect {
	r := s.runOf(e)
	if r == nil {
		return nil
	}
	var out []*gates.Effect
	for _, i := range r.Effects {
		if i < len(s.d.Effects) {
			out = append(out, &s.d.Effects[i])
		}
	}
	return out
}

// shownWords shows a program with its command, and with a file or another word that gbt
// itself speaks of. It ends before an option, because what follows may be its argument.
func shownWords(argv, told []string) string {
	if len(argv) == 0 {
		return "a program"
	}
	out := []string{shownProgram(argv[0])}
	if len(argv) > 2 && argv[1] == "-m" && strings.HasPrefix(out[0], "python") && plainWord(argv[2]) {
		out, argv = append(out, "-m", name(argv[2])), argv[2:]
	}
	for i, w := range argv[1:] {
		file := plainWord(w) && strings.Contains(w, "/")
		if i > 1 || !file && !commandWord(w) || i > 0 && !file && !slices.Contains(told, w) {
			break
		}
		out = append(out, name(w))
	}
	return strings.Join(out, " ")
}

// shownProgram is a program by its name, with the scope of a package.
func shownProgram(w string) string {
	if strings.HasPrefix(w, "@") {
		return name(w)
	}
	return name(path.Base(w))
}

// plainWord says whether a word is a name or a file that may be shown: no option, no
// sentence, nothing that looks like a secret.
func plainWord(w string) bool {
	return w != "" && len(w) <= maxObject/2 && w[0] != '-' && !secret(w) &&
		strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:@+") == ""
}

// maxShort is how long a word with digits may be that is a command.
const maxShort = 4

// commandWord says whether a word has the form of a program's command (migrate:fresh), as
// passwords seldom have.
func commandWord(w string) bool {
	signs := "abcdefghijklmnopqrstuvwxyz-:."
	if len(w) <= maxShort {
		signs += "0123456789" // s3, ec2
	}
	return plainWord(w) && len(w) <= secretParts && strings.Trim(w, signs) == ""
}
