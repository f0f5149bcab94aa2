package wording

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file words a run of which gbt does not know what it does by what its words say of
// themselves: first what they plainly suggest, marked as that, and on what; then that nobody
// looked. It knows no program.

// suggestion is what the words of a run say.
type suggestion struct {
	query  string   // the first words of a statement that changes data
	m      *meaning // of the worst of its words; nil where none says anything
	word   string   // that word
	device string   // the devices that are named
	hosts  string   // the addresses that are named
	on     string   // on what else, in which environment: begins with a space
	works  string   // what is named as a sentence of its own; empty for nothing
	trial  string   // an option by which it may only try
}

// suggests reads the words of the run that an effect is of.
func (s *subject) suggests(e *gates.Effect) suggestion {
	r := s.runOf(e)
	if r == nil || len(r.Words) == 0 {
		return suggestion{}
	}
	x := suggestion{trial: triedBy(&command{path.Base(r.Words[0]), r.Words[1:]})}
	s.objects(&x, r.Words[1:])
	for _, w := range r.Words[1:] {
		if writingStatement.MatchString(w) {
			x.query, x.word = words(w, statementWords(w)), ""
			if m := graphStatement.FindStringSubmatch(w); m != nil {
				x.query = "match " + unknown + " " + m[1]
			}
		}
	}
	operands, options := saying(r.Words[1:])
	looking := slices.ContainsFunc(operands, func(w string) bool { return slices.Contains(looks[:], w) || slices.Contains(lookingOn[:], w) })
	listing := slices.ContainsFunc(operands, func(w string) bool { return slices.Contains(listings[:], w) })
	x.m, x.word = worstOf(operands, looking, listing, 0)
	if first, _, _ := strings.Cut(firstOf(operands), "-"); x.device != "" && slices.ContainsFunc(operands, writesDevice) && !looking && !slices.Contains(lookingOn[:], first) && weightOf(x.m) < meanings[0].weight {
		x.m, x.word = &meanings[0], operands[slices.IndexFunc(operands, writesDevice)]
	}
	for i, w := range r.Words[1:] {
		if writingStatement.MatchString(w) {
			continue
		}
		if word := lineIn(w, i > 0 && takesLine(r.Words[i])); word != "" {
			if m, _ := worstOf([]string{word}, false, false, seriousWeight); m != nil && m.weight > weightOf(x.m) {
				x.m, x.word = m, w
			}
		}
	}
	if m, word := worstOf(options, looking, listing, optionWeight); m != nil && m.weight > weightOf(x.m) {
		x.m, x.word = m, word
	}
	if m, _ := worstOf([]string{spelledName(path.Base(r.Words[0]))}, false, false, nameWeight); m != nil && !looking && m.weight > weightOf(x.m) {
		x.m, x.word = m, r.Words[0]
	}
	if file := s.scriptOf(e, r.Words); file != "" {
		base := path.Base(file)
		if m, _ := worstOf([]string{spelledName(strings.TrimSuffix(base, path.Ext(base)))}, false, false, nameWeight); m != nil && m.weight > weightOf(x.m) {
			x.m, x.word = m, file
		}
	}
	return x
}

// scriptOf is the operand by which a run names the file that it runs: python tools/publish.py.
func (s *subject) scriptOf(e *gates.Effect, argv []string) string {
	for _, w := range argv[1:] {
		if slices.ContainsFunc(s.beside(e), func(o *gates.Effect) bool { return o.Op == effect.OpRunFile && o.Resource == s.resolved(w) }) {
			return w
		}
	}
	return ""
}

// commandLike says whether a word has the form of a program's command, of several short words
// too: doctrine:schema:drop, write_flash, publishToMavenCentral.
func commandLike(w string) bool {
	if commandWord(w) {
		return true
	}
	if !plainWord(w) || strings.ContainsAny(w, "/@+") || len(w) > maxObject/2 {
		return false
	}
	for _, p := range partsOf(w) {
		if p != strings.ToLower(w) && (len(p) < 2 || !commandWord(p)) {
			return false
		}
	}
	return strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-:.") == ""
}

// slashSwitch is an option as programs of Windows take it, with its value.
var slashSwitch = regexp.MustCompile(`^/[A-Za-z?]+:`)

var (
	// A path below /dev, which begins a word or stands behind a sign that is of no path, or behind file:/ and its host.
	devicePath = regexp.MustCompile(`(?:^|//|[^A-Za-z0-9_.~/-])(/dev/[A-Za-z0-9][A-Za-z0-9/_.-]*)`)
	addressed  = regexp.MustCompile(`[a-z][a-z0-9+.-]*://([^/\s"'?#,;]+)`)
	atHost     = regexp.MustCompile(`^((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|internal|local|lan|cloud|edu|gov)|[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::[0-9]+)?$`)
	// production are the words by which most people call what others use.
	production = [...]string{"prod", "production", "prd"}
)

// objects notes on what a run works by its words: a device, an address, production, a path
// outside the workspace.
func (s *subject) objects(x *suggestion, words []string) {
	var devices, hosts, outside []string
	prod := ""
	add := func(list *[]string, w string) {
		if !slices.Contains(*list, w) {
			*list = append(*list, w)
		}
	}
	for i, w := range words {
		if hidden(words[max(i-1, 0)], w) && !slices.Contains(production[:], w) || i > 0 && told(words[i-1], w) {
			continue
		}
		for _, found := range devicePath.FindAllStringSubmatch(w, -1) {
			d := found[1]
			if !streams[path.Base(d)] && !strings.HasPrefix(d, "/dev/fd/") && !strings.HasPrefix(d, "/dev/shm") {
				add(&devices, where(s.c, d))
			}
		}
		for _, host := range hostsIn(w) {
			add(&hosts, name(host))
		}
		_, value, has := strings.Cut(w, "=")
		if !has {
			value = w
		}
		if s.c != nil && !slashSwitch.MatchString(w) && (strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//") || strings.HasPrefix(value, "~/")) && plainWord(strings.TrimPrefix(value, "~")) && s.outside(value) {
			add(&outside, where(s.c, s.resolved(value)))
		}
		for _, f := range strings.Fields(w) {
			if strings.ContainsAny(w, " ") && slices.ContainsFunc(partsOf(f), func(p string) bool { return slices.Contains(production[:], p) }) {
				w = f
				break
			}
		}
		if prod == "" && len(w) < maxObject && slices.ContainsFunc(partsOf(w), func(p string) bool { return slices.Contains(production[:], p) }) {
			prod = " in production"
			if _, value, ok := strings.Cut(w, "="); ok && strings.Contains(strings.ToLower(value), "prod") {
				w = value
			}
			if w = strings.TrimLeft(w, "-"); !slices.Contains(production[:], strings.ToLower(w)) && plainWord(w) {
				prod += " (" + name(w) + ")"
			}
		}
	}
	x.device, x.hosts, x.on = join(devices), join(hosts), prod
	switch {
	case len(devices) > 0:
		x.works = "works on the device " + x.device
	case len(hosts) > 0:
		x.works = "connects to " + x.hosts
	case prod != "":
		x.works = "works"
	case len(outside) > 0:
		x.works = "works with " + join(outside) + ", outside the workspace"
	}
	if len(outside) > 0 && !strings.Contains(x.works, "outside") {
		x.on += " with " + join(outside) + " (outside the workspace)"
	}
}

// told says whether a word is prose that an option takes: what a message says is nothing that the run
// works on.
func told(option, w string) bool {
	switch strings.TrimLeft(option, "-") {
	case "m", "message", "body", "title", "notes", "comment", "description", "subject", "text", "reason", "summary":
		return strings.HasPrefix(option, "-") && strings.Contains(w, " ")
	}
	return false
}

// hidden says whether a word is the value of an option that by its name takes a password or a key.
func hidden(before, w string) bool {
	option := before
	if name, _, ok := strings.Cut(w, "="); ok {
		option = name
	}
	if strings.HasPrefix(w, "/dev/") { // -p is a port there
		return false
	}
	if option == "-p" || strings.HasPrefix(w, "-p") && !strings.HasPrefix(w, "--") && len(w) > 2 && option == w {
		return true
	}
	return (strings.HasPrefix(option, "-") || option != before) && slices.ContainsFunc(partsOf(option), func(p string) bool {
		return slices.Contains([]string{"password", "passwd", "pass", "passphrase", "pwd", "pw", "token", "secret", "key", "apikey", "auth", "credential", "credentials", "pin"}, p)
	})
}

// streams are devices that hold nothing.
var streams = map[string]bool{"null": true, "zero": true, "full": true, "tty": true, "stdin": true, "stdout": true, "stderr": true, "random": true, "urandom": true}

// hostsIn are the machines that a word of the call names, this one left out.
func hostsIn(w string) []string {
	var out []string
	for _, m := range addressed.FindAllStringSubmatch(w, -1) {
		if host := withoutLogin(m[1]); !strings.HasPrefix(m[0], "file:") && !local(host) && !strings.Contains(host, unknown) && strings.ContainsAny(host, ".:") {
			out = append(out, host)
		}
	}
	if i := strings.IndexByte(w, '='); i >= 0 && len(out) == 0 {
		w = w[i+1:]
	}
	if m := atHost.FindStringSubmatch(w); m != nil && !local(m[1]) && !packageLike(m[1]) && !(strings.Count(m[1], ".") == 1 && slices.Contains([]string{".cloud", ".dev", ".local"}, path.Ext(m[1]))) {
		out = append(out, m[1])
	}
	return out
}

// local says whether an address is this machine's own.
func local(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "0.0.0.0" || strings.HasPrefix(host, "[") || host == ""
}

// packageLike says whether a name with dots is that of a package and not of a machine.
func packageLike(w string) bool {
	first, _, _ := strings.Cut(w, ".")
	return slices.Contains([]string{"com", "org", "net", "io", "dev"}, first)
}

// outside says whether a path lies outside the workspace and no other reason of the decision
// tells of it.
func (s *subject) outside(word string) bool {
	full := s.resolved(word)
	return s.outsideAt(word) && !slices.ContainsFunc(s.d.Reasons, func(r gates.Reason) bool {
		return r.Effect >= 0 && r.Effect < len(s.d.Effects) && s.d.Effects[r.Effect].Resource == full
	})
}

// does is what the words say that is done, and to which device or where.
func (x suggestion) does() string {
	switch {
	case x.device != "" && x.m.device:
		return "writes to the device " + x.device + ", or erases it" + x.at(" at ")
	case x.m.sends && x.hosts == "" && !x.m.device:
		return x.m.command + " to others"
	case x.m.sends:
		return x.m.command + x.at(" to ")
	}
	out := x.m.command
	if x.device != "" {
		out += " on the device " + x.device
	}
	return out + x.at(" at ")
}

func (x suggestion) at(preposition string) string {
	if x.hosts == "" {
		return ""
	}
	if preposition == " at " && strings.Contains(x.hosts, " and ") { // one may be put in the other's place
		preposition = " with "
	}
	return preposition + x.hosts
}

// outsideAt says whether a path lies outside the workspace, and not where everybody puts
// what is for a while.
func (s *subject) outsideAt(word string) bool {
	places := s.c.Places()
	switch z, _, _ := places.Where(s.resolved(word)); z {
	case effect.ZoneHome, effect.ZoneOutside, effect.ZoneSystem, effect.ZonePublic:
		return true
	}
	return false
}

// resolved is the path that a word names from where the call runs.
func (s *subject) resolved(word string) string {
	places := s.c.Places()
	return places.Resolve(s.c.Cwd, word)
}

// byName words a run by what its words say; ok is false where they say nothing. shown is the
// run, and not says what is not known of it.
func (x suggestion) byName(shown, not string) (clause, bool) {
	of := ": " + shown + not
	if x.trial != "" {
		of += ", with " + x.trial + ", by which it may only try"
	}
	switch {
	case x.query != "":
		return clause{what: "runs a statement that can change or delete data (" + x.query + ")" + x.at(" at ") + x.on + of, note: noUndo, weight: 4, instead: "Use a statement that only reads, or say which data this one changes and ask for it."}, true
	case x.m != nil:
		return clause{what: "by its name " + x.does() + x.on + of, note: x.m.note, weight: x.m.weight, instead: x.m.instead}, true
	case x.works != "":
		return clause{what: "by its words " + x.works + x.on + of, note: able, weight: 2, instead: "Say what it does there, and ask for it."}, true
	}
	return clause{}, false
}

// shownTo shows a program with its commands up to the word that says what it does, and the names
// behind it of what it is done to. What may be the value of an option is left out.
func shownTo(argv []string, word string, objects int) string {
	out := []string{name(path.Base(argv[0]))}
	valued, gap := false, false
	for i, w := range argv[1:] {
		option := len(w) > 1 && (w[0] == '-' || w[0] == '+')
		if last := option && strings.HasPrefix(strings.TrimLeft(w, "-+"), word) || w == word; last {
			if gap {
				out = append(out, unknown)
			}
			if first := lineIn(w, takesLine(argv[i])); first != "" {
				return strings.Join(append(out, name(first)), " ")
			}
			w, _, _ = strings.Cut(w, "=")
			out = append(out, name(w))
			for k, o := range argv[i+2:] {
				if option || k >= objects || !plainWord(o) || len(hostsIn(o)) > 0 || objects == 1 && !strings.ContainsAny(o, "/.:") {
					break
				}
				out = append(out, name(o))
			}
			return strings.Join(out, " ")
		}
		if valued && i > 0 && argv[i] == "-m" && strings.HasPrefix(out[0], "python") && plainWord(w) {
			out, gap = append(out, "-m", name(w)), false
		} else if !option && !valued && plainWord(w) && !strings.Contains(w, "://") && (commandLike(w) || strings.Contains(w, "/")) {
			if gap {
				out, gap = append(out, unknown), false
			}
			out = append(out, name(w))
		} else {
			gap = true
		}
		valued = option && !strings.ContainsAny(w, "=:")
	}
	return strings.Join(out, " ")
}

// serious says whether what the words say matters more than that nobody knows the run.
func (x suggestion) serious() bool {
	return x.query != "" || x.m != nil && x.m.weight >= seriousWeight || x.m == nil && x.works != ""
}

// shownBy shows a run with the word that says what it does.
func (s *subject) shownBy(e *gates.Effect, x suggestion) string {
	if r := s.runOf(e); r != nil && x.m != nil && x.word != "" && x.word != r.Words[0] {
		return shownTo(r.Words, x.word, x.m.objects)
	}
	return s.shownCall(e)
}

// worse says whether the words say something worse than one of them does by itself.
func (x suggestion) worse(m *meaning) bool {
	return x.query != "" || x.m != nil && x.m.weight > m.weight
}

// filesNamed shows up to two files that the words of a run name and that are not shown yet.
func (s *subject) filesNamed(e *gates.Effect, shown string) string {
	r := s.runOf(e)
	if r == nil || s.c == nil {
		return ""
	}
	var out []string
	for i, w := range r.Words[1:] {
		if hidden(r.Words[i], w) {
			continue
		}
		if _, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(w, "-") {
			w = value
		}
		if !plainWord(w) || !namesFile(w) || strings.Contains(w, "://") || strings.ContainsAny(w, "@:+") || strings.Trim(path.Ext(w), ".0123456789") == "" && !strings.Contains(w, "/") || strings.Contains(shown, w) || len(out) == 2 {
			continue
		}
		if f := where(s.c, w); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " with " + join(out)
}
