package wording

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file words what is in question of a run by its words: an option or a subcommand that
// the program's table does not have, one that it has and that does more than the program's
// ordinary work, the name of a task. What such a word says of itself is told as that and as
// no more: nobody has looked what it does.

// questioned words a run of which a command, an option or the whole is in question.
func (s *subject) questioned(list []*gates.Effect) clause {
	if uses, ok := s.codeHanded(list[0]); ok {
		if m, _ := saidByCode(uses); m != nil {
			return s.inCode(list[0], s.shownCall(list[0]), uses, ", which gbt cannot follow", false)
		}
	}
	var options []string
	var others []*gates.Effect
	bare := true
	for _, e := range list {
		fields := strings.Fields(e.Resource)
		i := slices.IndexFunc(fields, func(w string) bool { return s.isOption(e, w) })
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
			uses, _ := s.codeHanded(e)
			return s.inCode(e, languageOf(fields[0]), uses, ", which gbt cannot follow", false)
		}
		if option = name(option); !slices.Contains(options, option) {
			options = append(options, option)
		}
	}
	head := s.shownCall(list[0])
	switch {
	case len(options) == 0 && path.Base(list[0].Program) == "ssh":
		return clause{} // what runs on the other machine is told with the connection
	case len(options) > 0:
		return s.withOptions(list[0], head, options)
	case bare:
		if says := s.suggests(list[0]); says.serious() {
			x, _ := says.byName(s.shownBy(list[0], says), ", of which gbt cannot tell what it starts or changes")
			return x
		}
		return clause{what: "runs " + head + ", which can start other programs or change more than gbt can tell", note: able, weight: 1}
	}
	at := 0
	for i, e := range others { // the worst of them
		if m := s.nameOf(e, lastField(e.Resource)); m != nil && (m.weight > weightOf(s.nameOf(others[at], lastField(others[at].Resource)))) {
			at = i
		}
	}
	return s.withWord(others[at], head)
}

func lastField(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

func weightOf(m *meaning) uint8 {
	if m == nil {
		return 0
	}
	return m.weight
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
	if y, ok := s.harmBeside(e, head, known, strange); ok {
		return y
	}
	if len(known) == 0 {
		x.what = "runs " + head + " with " + join(strange) + ", " + plural(len(strange), "an option", "options") + " that gbt does not know"
		if script := s.scriptBefore(e, strange[0]); script != "" {
			x.what += ", or that " + script + " takes"
			x.instead = "Say what it is for and ask for this call, or have the script read it elsewhere."
		}
		x.note = "; " + plural(len(strange), "it", "they") + " may change what runs, or what is written and sent where"
		if m := meaningOf(strange[0], true); m != nil && len(strange) == 1 {
			x.what += " and that by its name can " + m.option
			x.note, x.weight = m.note, m.weight
		}
		return x
	}
	x.what = "runs " + head + " with " + join(known)
	if len(known) == 1 && known[0] == "-Dmaven.repo.local" { // it only moves the cache (Maven, Configuring your Local Repository)
		x.what += ", another directory for what Maven downloads"
		x.note, x.instead = "; plugins that lie there already run as they are", "Use the usual one, or one in the workspace; or say why this one and ask."
	} else if m := s.sameMeaning(known); m != nil {
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

// harmBeside words a run by what its words say beside the options in question, where that is
// worse than what the options say.
func (s *subject) harmBeside(e *gates.Effect, head string, known, strange []string) (clause, bool) {
	says := s.suggests(e)
	if !says.serious() || says.m != nil && slices.ContainsFunc(slices.Concat(known, strange), func(o string) bool { return meaningOf(o, true) == says.m }) {
		return clause{}, false
	}
	if says.m != nil && !slices.Contains(strings.Fields(head), says.word) {
		head = s.shownBy(e, says)
	}
	not := " with " + join(slices.Concat(known, strange))
	switch {
	case len(known) == 0:
		not += ", " + plural(len(strange), "an option", "options") + " that gbt does not know"
	case len(strange) > 0:
		not += ", of which gbt does not know " + join(strange)
	default:
		not += ", which can change what it runs, reads, shows or writes"
	}
	x, ok := says.byName(head, not)
	return x, ok
}

// scriptBefore is the script that a run starts, where an option stands behind it and may be the
// script's own.
func (s *subject) scriptBefore(e *gates.Effect, option string) string {
	r := s.runOf(e)
	if r == nil {
		return ""
	}
	at := slices.IndexFunc(r.Words, func(w string) bool { w, _, _ = strings.Cut(w, "="); return name(w) == option })
	for i, w := range r.Words[1:max(at, 1)] {
		for _, o := range s.beside(e) {
			if o.Op == effect.OpRunFile && o.Resource == s.resolved(w) && i+1 < at {
				return where(s.c, o.Resource)
			}
		}
	}
	return ""
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
	word := lastField(e.Resource)
	strange := s.isUnlisted(e, name(word))
	if r, code := s.runOf(e), s.codeOf(e); r != nil && strings.ContainsAny(code, "({") && code != hereDocument(s.c.Command) && !slices.ContainsFunc(r.Words, func(w string) bool { return w == word || strings.HasSuffix(w, "="+word) }) {
		if uses := chainsOf(code); len(uses) > 0 && !strange {
			return s.inCode(e, head, uses, ", which gbt cannot follow", false)
		}
	}
	shown, not, instead := s.shownWord(e, head, word, strange)
	says := s.suggests(e)
	if m := s.nameOf(e, word); m != nil && !says.worse(m) {
		says.m, says.word = m, word
	} else if !says.serious() {
		says.m, says.works = nil, ""
	}
	if says.m != nil && (!slices.Contains(strings.Fields(shown), says.word) || strange && s.isOperand(e, word) && !strings.HasPrefix(shown, "python")) {
		shown = s.shownBy(e, says)
	}
	if says.m != nil && says.word == word && !strange { // a task, which says enough by its name
		not = ""
	}
	if x, ok := says.byName(shown, not); ok {
		return x
	}
	if strange {
		shown += s.filesNamed(e, shown)
	}
	return clause{what: "runs " + shown + not, note: able, weight: 1, instead: instead}
}

// shownWord shows a run with a word of it that is in question, and says what is not known of it.
func (s *subject) shownWord(e *gates.Effect, head, word string, strange bool) (shown, not, instead string) {
	const unsaid = ", and gbt does not know what that does"
	shown, not = head, unsaid
	words := strings.Fields(head)
	r := s.runOf(e)
	switch {
	case slices.ContainsFunc(words, func(w string) bool { return w == name(word) || strings.HasSuffix(w, ":"+word) }):
	case !commandLike(word):
		if strings.Contains(head, word) {
			return shown, unsaid, ""
		}
		return shown, " with a value of which gbt cannot tell what it does", "Leave that value out, or say what it is for and ask for this call."
	case strange || s.follows(e, word):
		shown += " " + name(word)
	case len(words) > 0 && path.Base(e.Program) == words[0] && s.isOperand(e, word):
		shown += " " + name(word)
	case s.nameOf(e, word) == nil && !strange:
		not = " with " + name(word) + unsaid
	default: // of tox -e publish, clojure -X:deploy
		shown = name(word) + " with " + head
	}
	switch {
	case strange && path.Ext(word) == "."+path.Base(e.Program):
		return shown, ", and gbt does not know what it does with that", ""
	case strange:
		return shown, ", a command that gbt does not know", "Say what it does and changes, and ask for it."
	case r != nil && strings.Contains(r.Tool, " ") && s.isOperand(e, word) && !slices.Contains(strings.Fields(r.Tool), word):
		return shown, ", and gbt cannot tell what " + name(word) + " does or stands for there", ""
	}
	return shown, not, ""
}

// isOperand says whether a word stands in a run by itself and not behind an option.
func (s *subject) isOperand(e *gates.Effect, word string) bool {
	r := s.runOf(e)
	if r == nil {
		return false
	}
	i := slices.Index(r.Words, word)
	return i > 0 && (i == 1 || !strings.HasPrefix(r.Words[i-1], "-") || strings.Contains(r.Words[i-1], "="))
}

// isOption says whether a word of what is in question is an option of the run, and not a word
// inside of a value.
func (s *subject) isOption(e *gates.Effect, word string) bool {
	if !strings.HasPrefix(word, "-") || len(word) < 2 {
		return false
	}
	r := s.runOf(e)
	if r == nil {
		return true
	}
	if path.Base(r.Words[0]) == "ssh" { // behind the machine's name stands what runs there
		if host := slices.IndexFunc(r.Words[1:], func(w string) bool { return strings.ContainsAny(w, ".@") && !strings.HasPrefix(w, "-") }); host >= 0 && !slices.ContainsFunc(r.Words[1:host+1], func(w string) bool { return strings.HasPrefix(w, word) }) {
			return false
		}
	}
	spaced := slices.ContainsFunc(r.Words[1:], func(w string) bool { return strings.Contains(w, " "+word) })
	return !spaced || slices.ContainsFunc(r.Words[1:], func(w string) bool { return strings.HasPrefix(w, word) })
}

// valueOfOption says whether what is in question is a word behind an option that the program's
// table does not have: it may be that option's value, and then it is no command.
func (s *subject) valueOfOption(e *gates.Effect) bool {
	if s.c == nil {
		return false
	}
	word := lastField(e.Resource)
	return slices.ContainsFunc(s.c.Runs(), func(r effect.Run) bool {
		i := slices.Index(r.Words, word)
		return i > 1 && slices.Contains(r.Unlisted, r.Words[i-1]) && strings.HasPrefix(r.Words[i-1], "-") && path.Base(r.Words[0]) == e.Program
	})
}

// looks are words by which commands only list, show or describe what the word before them names.
var looks = [...]string{"list", "ls", "show", "status", "info", "view", "describe", "-l", "--list"}

// nameOf is what a command says by its name; nil where another word of the run says that it
// looks at such a thing and no more (jupyter server list).
func (s *subject) nameOf(e *gates.Effect, word string) *meaning {
	if r := s.runOf(e); r != nil && slices.ContainsFunc(r.Words[1:], func(w string) bool { return slices.Contains(looks[:], w) }) {
		return nil
	}
	if !strings.Contains(word, ":") && namesFile(path.Base(word)) {
		return nil
	}
	m, _ := worstOf([]string{word}, false, false, 0)
	return m
}

// follows says whether a word stands right behind the program's name.
func (s *subject) follows(e *gates.Effect, word string) bool {
	r := s.runOf(e)
	return r != nil && len(r.Words) > 1 && r.Words[1] == word
}
