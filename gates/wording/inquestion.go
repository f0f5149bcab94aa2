package wording

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates"
)

// This file words what is in question of a run by its words: an option or a subcommand that
// the program's table does not have, one that it has and that does more than the program's
// ordinary work, the name of a task. What such a word says of itself is told as that and as
// no more: nobody has looked what it does.

// meaning is what words of options and commands say in most programs that have them.
type meaning struct {
	words   string // sorted by nothing; one of them as a part of the word is enough
	option  string // behind "which can" and "which by its name is to"
	command string // behind "by its name it"
	note    string
	weight  uint8
	instead string
}

// meanings, the worst first: a word that has parts of several is told as the first.
var meanings = [...]meaning{
	{
		words:   "publish publishing publishes deploy deploys deployment release releases push upload uploads submit share promote trunk beta gh-deploy",
		option:  "send or release something of yours",
		command: "sends or releases something of yours",
		note:    "; what is out cannot be called back", weight: 5, instead: "Leave this to the user: say what is ready, or ask for it.",
	},
	{
		words:   "unpublish yank deprecate",
		command: "takes back what was published",
		note:    "; others may depend on it", weight: 5, instead: "Leave this to the user, or ask for it.",
	},
	{
		words:   "destroy undeploy drop wipe flush flushall nuke erase reset uninstall delete remove rm rmi purge prune clean clear",
		option:  "delete or overwrite something",
		command: "deletes something",
		note:    noUndo, weight: 4, instead: "Say what it deletes, and ask for it.",
	},
	{
		words:   "secret secrets token tokens password passwords passphrase credential credentials decrypt login logout auth keychain vault netrc cookies pass keyvault",
		option:  "show or use passwords or keys",
		command: "shows, stores or uses passwords or keys",
		note:    "; the model sees what is printed of them", weight: 3, instead: "Work without them, or tell the user which value is needed and what for.",
	},
	{
		words:   "owner owners access permission permissions member members",
		command: "shows or changes who may do what",
		note:    "; it holds until somebody changes it back", weight: 3, instead: "Leave this to the user, or say what is to change and ask for it.",
	},
	{
		words:   "exec execute eval command cmd shell sh hook hooks pager editor plugin plugins wrapper preload require import loader script compiler runner interpreter browser processor postprocessor preprocessor toolexec vettool init repl console ssh",
		option:  "run a program or load code",
		command: "runs code or a command, or opens a prompt for them",
		note:    able, weight: 2, instead: "Say what runs, and ask for it.",
	},
	{
		words:   "install add update upgrade download self-update tap sync",
		option:  "install or update something",
		command: "brings software in or changes it",
		note:    runs, weight: 2, instead: usePresent,
	},
	{
		words:   "registry proxy host hostname remote url source repo repository index server endpoint resolve connect mirror tracing listen serve bind port tunnel",
		option:  "change where it sends things or gets them from",
		command: "opens or uses a connection",
		note:    "; what is at the other end, gbt cannot tell", weight: 2, instead: "Say where it connects to and what for, and ask for it.",
	},
	{
		words:   "config configure set use default switch activate enable disable context",
		command: "changes settings",
		note:    "; they hold until somebody changes them back", weight: 1, instead: "Say which setting changes and what for, and ask for it.",
	},
}

// meaningOf is what a word says by its parts; nil where it says nothing of that kind.
func meaningOf(word string, option bool) *meaning {
	parts := partsOf(word)
	for i := range meanings {
		m := &meanings[i]
		if option && m.option == "" {
			continue
		}
		if slices.ContainsFunc(strings.Fields(m.words), func(w string) bool { return slices.Contains(parts, w) }) {
			return m
		}
	}
	return nil
}

// partsOf are the words that a name is made of, in small letters: --show-secrets,
// Pkg.add, showSecrets.
func partsOf(word string) []string {
	var b strings.Builder
	small := false
	for _, r := range word {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return append(strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), strings.ToLower(strings.TrimLeft(word, "-")))
}

// questioned words a run of which a command, an option or the whole is in question.
func (s *subject) questioned(list []*gates.Effect) clause {
	var options []string
	var others []*gates.Effect
	bare := true
	for _, e := range list {
		fields := strings.Fields(e.Resource)
		i := slices.IndexFunc(fields, func(w string) bool { return strings.HasPrefix(w, "-") && len(w) > 1 })
		bare = bare && len(fields) == 1
		if i < 1 {
			others = append(others, e)
			continue
		}
		if fields[i] == "-m" && i == 1 && len(fields) > 2 { // python -m MODULE
			return clause{what: "runs the module " + name(fields[2]) + " of " + name(fields[0]) + ", and gbt does not know what that does", note: able, weight: 1}
		}
		option, _, _ := strings.Cut(fields[i], "=")
		if h := strings.Join(fields[:i], " "); slices.Contains(interpreters[:], h) && slices.Contains(codeOptions[:], option) {
			return clause{what: "runs code that stands in the call with " + name(fields[0]) + ", which gbt cannot follow", note: able, weight: 2, instead: "Say what the code reads, changes and sends, and ask for it."}
		}
		if option = name(option); !slices.Contains(options, option) {
			options = append(options, option)
		}
	}
	head := s.shownCall(list[0])
	switch {
	case len(options) > 0:
		return s.withOptions(list[0], head, options)
	case bare:
		return clause{what: "runs " + head + ", which can start other programs or change more than gbt can tell", note: able, weight: 1}
	}
	return s.withWord(others[0], head)
}

// withOptions words options: those that the table has, of which it is known that they do more
// than the ordinary, come first.
func (s *subject) withOptions(e *gates.Effect, head string, options []string) clause {
	var known, strange []string
	for _, o := range options {
		if s.isUnlisted(e, o) {
			strange = append(strange, o)
		} else {
			known = append(known, o)
		}
	}
	x := clause{note: able, weight: 1, instead: leaveOut(options...)}
	if len(known) == 0 {
		x.what = "runs " + head + " with " + join(strange) + ", " + plural(len(strange), "an option", "options") + " that gbt does not know"
		x.note = "; " + plural(len(strange), "it", "they") + " may change what runs, or what is written and sent where"
		if m := meaningOf(strange[0], true); m != nil && len(strange) == 1 {
			x.what += " and that by its name can " + m.option
			x.note, x.weight = m.note, m.weight
		}
		return x
	}
	x.what = "runs " + head + " with " + join(known)
	if m := s.sameMeaning(known); m != nil {
		x.what += ", which can " + m.option
		x.note, x.weight = m.note, m.weight
	} else {
		x.what += ", which can change what it runs, reads, shows or writes"
	}
	if len(strange) > 0 {
		x.what += "; and with " + join(strange) + ", which gbt does not know"
	}
	return x
}

// sameMeaning is what all of some options say by their names; nil where they differ.
func (s *subject) sameMeaning(options []string) *meaning {
	first := meaningOf(options[0], true)
	for _, o := range options[1:] {
		if meaningOf(o, true) != first {
			return nil
		}
	}
	return first
}

// isUnlisted says whether the table of the program of an effect does not have a word.
func (s *subject) isUnlisted(e *gates.Effect, word string) bool {
	r := s.runOf(e)
	return r != nil && slices.ContainsFunc(r.Unlisted, func(u string) bool { return name(u) == word })
}

// withWord words a command, the name of a task or a value.
func (s *subject) withWord(e *gates.Effect, head string) clause {
	fields := strings.Fields(e.Resource)
	word := fields[len(fields)-1]
	strange := s.isUnlisted(e, name(word))
	if !commandWord(word) && !(strange && longCommand(word)) {
		if m := s.nameOf(e, word); m != nil && strings.HasSuffix(head, " "+word) {
			return clause{what: "runs " + head + ": by its name it " + m.command, note: m.note, weight: m.weight, instead: m.instead}
		}
		if strings.Contains(head, word) {
			return clause{what: "runs " + head + ", and gbt does not know what that does", note: able, weight: 1}
		}
		return clause{what: "runs " + head + " with a value of which gbt cannot tell what it does", note: able, weight: 1, instead: "Leave that value out, or say what it is for and ask for this call."}
	}
	what := "runs " + head
	switch last := head[strings.LastIndexByte(head, ' ')+1:]; {
	case last == word:
	case strange || s.follows(e, word):
		what += " " + word
	default: // of tox -e publish, clojure -X:deploy
		what = "runs " + word + " with " + head
	}
	m := s.nameOf(e, word)
	switch {
	case m != nil && strange:
		return clause{what: what + ", a command that gbt does not know: by its name it " + m.command, note: m.note, weight: m.weight, instead: m.instead}
	case m != nil:
		return clause{what: what + ": by its name it " + m.command, note: m.note, weight: m.weight, instead: m.instead}
	case strange:
		return clause{what: what + ", a command that gbt does not know", note: able, weight: 1, instead: "Say what it does and changes, and ask for it."}
	}
	return clause{what: what + ", and gbt does not know what that does", note: able, weight: 1}
}

// looks are words by which commands only list, show or describe what the word before them names.
var looks = [...]string{"list", "ls", "show", "status", "info", "view", "describe", "-l", "--list"}

// nameOf is what a command says by its name; nil where another word of the run says that it
// looks at such a thing and no more (jupyter server list).
func (s *subject) nameOf(e *gates.Effect, word string) *meaning {
	if r := s.runOf(e); r != nil && slices.ContainsFunc(r.Words[1:], func(w string) bool { return slices.Contains(looks[:], w) }) {
		return nil
	}
	return meaningOf(word, false)
}

// follows says whether a word stands right behind the program's name.
func (s *subject) follows(e *gates.Effect, word string) bool {
	r := s.runOf(e)
	return r != nil && len(r.Words) > 1 && r.Words[1] == word
}

// longCommand says whether a word is a command of several short words with dashes.
func longCommand(w string) bool {
	return plainWord(w) && !slices.ContainsFunc(strings.FieldsFunc(w, func(r rune) bool { return r == '-' || r == ':' || r == '.' }), func(p string) bool { return !commandWord(p) })
}
