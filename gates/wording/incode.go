package wording

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file words code that stands in a call: by which of its calls gbt cannot judge it, and
// first what these plainly say by their names. It knows no grammar of any language.

// codeSays are words by which libraries of most languages call what they do, and the meaning
// that has them for commands. Words that often are about a list or a number in memory are not
// among them (drop, push, clear, apply). verbs are those of them that count in names with a dash
// (Stop-Service).
var codeSays = [...]struct{ words, as, says, verbs string }{
	{"delete remove unlink rm rmtree rmdir rf wipe destroy uninstall purge erase truncate deltree", "delete", "", ""},
	{"publish deploy upload", "publish", "", ""},
	{"post send mail sendmail smtp tweet", "send", "", ""},
	{"kill killall reboot shutdown", "kill", "", "stop restart disable"},
	{"system popen subprocess spawn exec execute eval shell sh cmd fork invoke", "exec", "starts a program or other code", ""},
	{"install download pkg", "install", "", ""},
	{"http https socket requests urllib urlopen fetch curl ftp ssh", "connect", "", ""},
}

// saidByCode is what the names of calls say, and which of them says it: the worst.
func saidByCode(chains []string) (*meaning, string) {
	for _, row := range codeSays {
		for _, c := range chains {
			if slices.ContainsFunc(partsOf(c), func(p string) bool {
				return hasField(row.words, p) || strings.Contains(c, "-") && hasField(row.verbs, p)
			}) {
				m := *meaningOf(row.as, false)
				m.command = or(row.says, m.command)
				return &m, c
			}
		}
	}
	return nil, ""
}

// chain is a name in code with those before it that it is of: FileUtils.rm_rf, Net::HTTP.post,
// file:delete, Remove-Item.
var chain = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->|:)[A-Za-z_][A-Za-z0-9_]*|-[A-Za-z][A-Za-z0-9]*)*[!?]?`)

var (
	quoted   = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	pathText = regexp.MustCompile(`["'](~?/[A-Za-z0-9._/-]+)["']`)
)

// maxChain bounds a name of code that is shown.
const maxChain = 48

// chainsOf are the names in code, texts in quotes left out. Where it has one that is called, those
// that are not called are left out, too.
func chainsOf(code string) []string {
	code = quoted.ReplaceAllString(code, `""`)
	var all, called []string
	for _, at := range chain.FindAllStringIndex(code, -1) {
		c := code[at[0]:at[1]]
		if len(c) > maxChain || secret(c) || slices.Contains(plainCalls[:], c) || at[0] > 0 && code[at[0]-1] == '$' {
			continue
		}
		rest := strings.TrimLeft(code[at[1]:], " ")
		if strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, `"`) || strings.ContainsAny(c, ".:-") {
			if !slices.Contains(called, c) {
				called = append(called, c)
			}
		}
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	if len(called) > 0 {
		return called
	}
	return all
}

// plainCalls are names that only bring other names in, or print.
var plainCalls = [...]string{
	"print", "println", "puts", "say", "printf", "echo", "cat", "format", "write", "display", "disp", "print1", "putStrLn", "show", "library", "require", "import", "using", "use", "from", "suppressMessages",
	"if", "for", "while", "return", "function", "fn", "lambda", "let", "var", "val", "const", "def", "do", "end", "in", "c", "list", "new", "str", "int", "len", "halt", "IO.puts", "IO.inspect", "io:format", "Console.WriteLine", "my", "foreach", "unless", "and", "or", "not",
}

// fieldsOnly is a template of Go's that shows fields of what is listed, as text or as JSON, perhaps as a table.
var fieldsOnly = regexp.MustCompile(`^(?:[\w \t|:,;=./@#-]|\\[tn]|\{\{-? *(?:json +)?\.[\w.]* *-?\}\})*\{\{-? *(?:json +)?\.[\w.]* *-?\}\}(?:[\w \t|:,;=./@#-]|\\[tn]|\{\{-? *(?:json +)?\.[\w.]* *-?\}\})*$`)

// codeOf are the words of the run of an effect that are code.
func (s *subject) codeOf(e *gates.Effect) string {
	r := s.runOf(e)
	if r == nil {
		return ""
	}
	var out []string
	for _, w := range r.Words[1:] {
		if fieldsOnly.MatchString(w) {
			continue
		}
		if strings.ContainsAny(w, "([{; \n") && !strings.Contains(w, "://") || strings.ContainsAny(w, "(") {
			out = append(out, w)
		}
	}
	if len(out) == 0 && s.c != nil {
		return hereDocument(s.c.Command)
	}
	return strings.Join(out, "\n")
}

// hereDocument is the text of the one here-document of a command line; empty for none or several.
func hereDocument(line string) string {
	before, after, ok := strings.Cut(line, "<<")
	first, text, lines := strings.Cut(after, "\n")
	end := strings.Trim(strings.TrimPrefix(firstOf(strings.Fields(first)), "-"), "'\"\\")
	if !ok || !lines || end == "" || strings.Contains(before, "\n") {
		return ""
	}
	text, rest, _ := strings.Cut(text, "\n"+end)
	if strings.Contains(rest, "<<") {
		return ""
	}
	return text
}

// input words what a program is handed on its input, with the names in it where it stands in the
// call.
func (s *subject) input(e *gates.Effect) clause {
	if text := s.codeOf(e); text != "" && s.c != nil && text == hereDocument(s.c.Command) {
		return s.inCode(e, languageOf(or(e.Program, firstOf(strings.Fields(e.Resource)))), chainsOf(text), ", which gbt cannot follow", false)
	}
	return clause{what: "gives " + s.shownCall(e) + " on its input what it is to run, which gbt has not read or cannot judge", note: able, weight: 2, instead: "Say what stands there and what it changes, and ask for this run."}
}

// spelledOut are the names of what code uses as they stand there, with what they are of: where
// FileUtils is in question, FileUtils.rm_rf.
func (s *subject) spelledOut(e *gates.Effect, uses []string) []string {
	code := s.codeOf(e)
	if code == "" && s.c != nil {
		code = s.c.Command
	}
	chains := chainsOf(code)
	var out []string
	for _, u := range uses {
		best := u
		for _, c := range chains {
			if len(c) > len(best) && slices.Contains(strings.FieldsFunc(c, func(r rune) bool { return strings.ContainsRune(".:->!?", r) }), u) {
				best = c
			}
		}
		if !slices.ContainsFunc(out, func(o string) bool {
			return o == best || strings.HasPrefix(o, best+".") || strings.HasPrefix(o, best+":")
		}) {
			out = append(out, best)
		}
	}
	return out
}

// inCode words code of a language, or of a program, with the names in it that are in
// question. read says whether gbt reads the language, so that others would do.
func (s *subject) inCode(e *gates.Effect, of string, uses []string, not string, read bool) clause {
	m, worst := saidByCode(uses)
	if m == nil && read {
		m, worst = saidByCode(actedOn(chainsOf(s.codeOf(e))))
	}
	if m != nil {
		uses = append([]string{worst}, slices.DeleteFunc(slices.Clone(uses), func(u string) bool { return u == worst })...)
	}
	names := make([]string, 0, 2)
	for _, u := range uses[:min(len(uses), 2)] {
		names = append(names, strings.Trim(name(u), "“”"))
	}
	with := ""
	if len(names) > 0 {
		with = " that uses " + strings.Join(names, " and ")
		if len(uses) > len(names) {
			with = " that uses " + strings.Join(names, ", ") + " and more"
		}
	}
	x := suggestion{m: m}
	if word, query := saidInTexts(s.codeOf(e)); query != "" {
		x.query = query
	} else if word != "" && (m == nil || m.weight < seriousWeight) {
		x.m, _ = worstOf([]string{word}, false, false, seriousWeight)
		with += " (" + name(word) + ")"
	}
	if r := s.runOf(e); r != nil {
		s.objects(&x, r.Words[1:])
		for _, t := range pathText.FindAllStringSubmatch(s.codeOf(e), -1) {
			if s.c != nil && s.outsideAt(t[1]) && !strings.Contains(x.on, where(s.c, s.resolved(t[1]))) {
				x.on += " with " + where(s.c, s.resolved(t[1])) + " (outside the workspace)"
				break
			}
		}
	}
	shown := of + " code in this call" + with
	if out, ok := x.byName(shown, not); ok {
		if x.m != nil && x.query == "" && x.trial == "" && len(names) > 0 {
			by := ", which by its name "
			if len(uses) > 1 {
				by = ", and by these names "
			}
			out.what = "runs " + shown + by + x.does() + x.on
		}
		if len(names) > 0 && read {
			out.instead = "Write it without " + strings.Join(names, " and ") + ", or say what the code reads, changes and sends and ask for it."
		}
		if out.weight < 2 {
			out.weight = 2
		}
		return out
	}
	out := clause{what: "runs " + shown + x.on + not, note: able, weight: 2, instead: "Say what the code reads, changes and sends, and ask for it."}
	if len(names) > 0 && read {
		out.instead = "Write it without " + strings.Join(names, " and ") + ", or say what the code reads, changes and sends and ask for it."
	}
	return out
}

// actedOn are names that say what is done and to what, as few do that are about a list in memory:
// delete_object.
func actedOn(chains []string) []string {
	return slices.DeleteFunc(chains, func(c string) bool {
		last := c[strings.LastIndexAny(c, ".:>")+1:]
		return len(partsOf(last)) < 3 && !slices.Contains(plainlyActs[:], last) // the parts and the whole
	})
}

// plainlyActs are such names of one word, which lists in memory do not have.
var plainlyActs = [...]string{"delete", "unlink", "destroy", "rmtree", "truncate", "upload", "publish", "deploy", "sendmail"}

// saidInTexts is what a text in quotes says that is a statement that changes data, or looks like a
// command line that does something serious.
func saidInTexts(code string) (word, query string) {
	for _, q := range quoted.FindAllString(code, -1) {
		text := q[1 : len(q)-1]
		if writingStatement.MatchString(text) {
			return "", words(text, statementWords(text))
		}
		if word == "" {
			word = lineIn(text, false)
		}
	}
	return word, ""
}

// codeHanded says whether a run is handed code by an option, and gives the names in it.
func (s *subject) codeHanded(e *gates.Effect) ([]string, bool) {
	r := s.runOf(e)
	if r == nil {
		return nil, false
	}
	for i, w := range r.Words[1:] {
		option := w
		if _, value, ok := strings.Cut(w, "="); ok {
			option, w = w[:len(w)-len(value)-1], value
		} else if i+2 < len(r.Words) {
			w = r.Words[i+2]
		}
		if (option == "eval" || strings.HasPrefix(option, "-")) && (strings.HasPrefix(w, "(") || slices.Contains(codeOptions[:], option) || slices.ContainsFunc(partsOf(option), func(p string) bool { return slices.Contains(codeNames[:], p) })) && strings.ContainsAny(w, "( \n;[") && !writingStatement.MatchString(w) {
			if !strings.ContainsAny(w, "(\n;={[") && takesLine(option) && (option != "-c" || lineIn(w, true) != "") {
				return nil, false
			}
			if !strings.ContainsAny(w, "(\n;={[") {
				return firstNames(w), true
			}
			return chainsOf(w), true
		}
	}
	return nil, false
}

// codeNames are parts of the names of options whose value is code in most programs.
var codeNames = [...]string{"eval", "expr", "expression", "exec", "execute", "command", "code", "batch"}

// firstNames are the first name of a text that calls nothing in brackets, and the second where
// that says something: pkg install.
func firstNames(text string) []string {
	fields := strings.Fields(text)
	if len(fields) == 0 || !commandLike(fields[0]) {
		return nil
	}
	if len(fields) > 1 && commandLike(fields[1]) {
		if m, _ := saidByCode(fields[1:2]); m != nil {
			return []string{fields[0] + " " + fields[1]}
		}
	}
	return fields[:1]
}

// languageOf is what code that a program is handed is called.
func languageOf(program string) string { return name(path.Base(program)) }

// What stands in front of a path or an address in code that is read or fetched there.
var (
	reading  = regexp.MustCompile(`(?i)(?:open|read\w*|load\w*|slurp|listdir|scandir|walk|glob|cat|source|include|require)[!?]?\s*\(?\s*["']$`)
	fetching = regexp.MustCompile(`(?i)(?:get\w*|urlopen|urlretrieve|fetch\w*|open|read\w*|download\w*|curl|head)[!?]?\s*\(?\s*(?:URI\s*\(\s*)?["']$`)
)

// sending are words of code that sends something where it fetches.
var sending = regexp.MustCompile(`(?i)\b(?:post|put|patch|delete|body|method)\b`)

// onlyNamed says whether a path or an address of an effect stands inside of code, also of a
// here-document, or of a longer value and no reading call in front of it: then nobody knows that it is used.
func (s *subject) onlyNamed(e *gates.Effect, use *regexp.Regexp) bool {
	r := s.runOf(e)
	if r == nil || e.Resource == "" || strings.Contains(e.Resource, unknown) {
		return false
	}
	texts := r.Words[1:]
	if at := strings.Index(s.c.Command, "<<"); at >= 0 && !slices.ContainsFunc(texts, func(w string) bool { return strings.Contains(w, e.Resource) }) {
		if nl := strings.IndexByte(s.c.Command[at:], '\n'); nl >= 0 && !strings.Contains(s.c.Command[:at+nl], e.Resource) {
			texts = []string{s.c.Command[at+nl:]}
		}
	}
	inside := false
	for _, w := range texts {
		_, value, _ := strings.Cut(w, "=")
		if w == e.Resource || value == e.Resource || strings.TrimRight(w, "/") == e.Resource {
			return false
		}
		for from := 0; ; {
			i := strings.Index(w[from:], e.Resource)
			if i < 0 {
				break
			}
			if !strings.ContainsAny(w, "(){}\"'; \n") || use.MatchString(w[:from+i]) && !(use == fetching && sending.MatchString(w)) {
				return false
			}
			inside, from = true, from+i+len(e.Resource)
		}
	}
	return inside
}

// namedInCode parts what is read from what is named in code alone.
func (s *subject) namedInCode(list []*gates.Effect) (read, named []*gates.Effect) {
	for _, e := range list {
		if s.rule == "workspace/read" && s.onlyNamed(e, reading) {
			named = append(named, e)
		} else {
			read = append(read, e)
		}
	}
	return read, named
}

// usedDevices parts what programs read that only read from devices that others are handed.
func (s *subject) usedDevices(list []*gates.Effect) (read, used []*gates.Effect) {
	for _, e := range list {
		if e.Zone == effect.ZoneDevice && e.Program != "" && !slices.Contains(readers[:], e.Program) && s.rule == "workspace/read" {
			used = append(used, e)
		} else {
			read = append(read, e)
		}
	}
	return read, used
}

// readers are programs that only read what they are given.
var readers = [...]string{"cat", "cmp", "dd", "file", "head", "hexdump", "less", "od", "sha256sum", "strings", "tail", "xxd"}

// besidesWrites are the effects of a rule about reading without those of what the call deletes
// or changes, which another rule tells.
func (s *subject) besidesWrites() []*gates.Effect {
	out := slices.DeleteFunc(slices.Clone(s.effects), func(e *gates.Effect) bool {
		return slices.ContainsFunc(s.d.Reasons, func(r gates.Reason) bool {
			if r.Effect < 0 || r.Effect >= len(s.d.Effects) {
				return false
			}
			o := &s.d.Effects[r.Effect]
			return o.Resource == e.Resource && (o.Kind == effect.Delete || o.Kind == effect.Write) && s.runOf(o) == s.runOf(e) && s.runOf(e) != nil
		})
	})
	return out
}
