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
			x.query = words(w, statementWords(w))
			if m := graphStatement.FindStringSubmatch(w); m != nil {
				x.query = "match " + unknown + " " + m[1]
			}
		}
	}
	operands, options := saying(r.Words[1:])
	looking := slices.ContainsFunc(operands, func(w string) bool { return slices.Contains(looks[:], w) || slices.Contains(lookingOn[:], w) })
	listing := slices.ContainsFunc(operands, func(w string) bool { return slices.Contains(listings[:], w) })
	x.m, x.word = worstOf(operands, looking, listing, 0)
	for i, w := range r.Words[1:] {
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
	return x
}

// How bad a meaning is that an option or the program's own name tells by itself: many have
// words like config, server or use in them.
const (
	optionWeight  = 4
	nameWeight    = 4
	seriousWeight = 3
)

// modes are words by which options name a thing, or say how something is built, in most programs.
var modes = [...]string{
	"mode", "dir", "directory", "path", "file", "name", "port", "timeout", "delay", "interval", "key", "url", "host", "user", "id", "type", "format", "size", "level", "prefix", "suffix", "policy", "strategy", "limit", "count",
	"release", "releases", "clean", "clear", "rm", "share", "beta", "trunk", "deployment", "restore", "post"}

// negations begin options that say what is not done, or of what it is not done.
var negations = [...]string{"no", "not", "without", "skip", "ignore", "keep", "exclude", "disable", "avoid", "never", "before", "after"}

// lookingOn are more words by which commands change nothing of what another word names.
var lookingOn = [...]string{"get", "diff", "plan", "validate", "check", "lint", "history", "search", "preview", "explain", "version", "help", "trace", "top", "logs", "read", "dump", "verify"}

// listings are those that do not even show what a secret holds.
var listings = [...]string{"list", "ls", "status", "help", "version", "validate", "check", "lint"}

// joined are verbs that programs have at the end of their names without a sign before them.
var joined = [...]string{"remove", "delete", "destroy", "deploy", "publish", "upload", "reboot", "shutdown", "flash"}

// spelledName is a program's name with such a verb set apart: lvremove.
func spelledName(name string) string {
	for _, v := range joined {
		if rest, ok := strings.CutSuffix(name, v); ok && rest != "" {
			return rest + "-" + v
		}
	}
	return name
}

// lastAlone are words of the lists that say it only where they are the last: a lane of releases.
var lastAlone = [...]string{"beta", "trunk"}

// nouns are words of the lists that also name things, which other words list or show.
var nouns = [...]string{
	"release", "releases", "deployment", "deploy", "share", "beta", "trunk", "migration", "migrations", "mail", "email", "post", "secret", "secrets", "token", "tokens", "credential", "credentials", "auth",
	"vault", "cookies", "owner", "owners", "access", "permission", "permissions", "member", "members", "command", "shell", "hook", "hooks", "plugin", "plugins", "script", "compiler", "runner", "processor", "console",
	"registry", "proxy", "host", "hostname", "remote", "url", "source", "repo", "repository", "index", "server", "endpoint", "mirror", "port", "tunnel", "config", "context", "flash", "update", "gc",
}

// writingStatement is a statement of a database's that changes something, as SQL writes them.
var writingStatement = regexp.MustCompile(`(?i)^\s*(?:(?:drop|create|alter|truncate)\s+(?:or\s+replace\s+)?(?:table|database|schema|index|view|keyspace|user|role|function|type|sequence|trigger|collection|bucket|warehouse|stage|materialized|temporary|column)\b|truncate\s+[\w."]+|delete\s+from\s|insert\s+into\s|replace\s+into\s|merge\s+into\s|update\s+\S+\s+set\s|grant\s+\w+\s+(?:on|to)\s|revoke\s+\w+\s+(?:on|from)\s|match\s*\(.*\b(?:delete|set|remove|merge)\b)`)

// graphStatement is one of them in Cypher.
var graphStatement = regexp.MustCompile(`(?is)^\s*match\s*\(.*\b(delete|set|remove|merge)\b`)

// maxSaying bounds the operands that may be a program's commands.
const maxSaying = 4

// saying are the words of a run that may say what it does: operands that are no files and not
// behind an option, which may be its value; and options with long names.
func saying(words []string) (operands, options []string) {
	valued := false
	for _, w := range words {
		if slashSwitch.MatchString(w) { // of Windows
			w = "-" + w[1:]
		}
		if len(w) > 1 && (w[0] == '-' || w[0] == '+') {
			option, value, has := strings.Cut(strings.TrimLeft(w, "-+"), "=")
			if !has {
				option, value, has = strings.Cut(option, ":") // -verb:sync
			}
			valued = !has && w != "--" && w[0] == '-'
			parts := partsOf(option)
			if w == "-rm" || w == "-rmr" || w == "-del" || w == "-put" { // commands of some programs
				operands = append(operands, option)
			}
			if len(option) > 2 && plainWord(option) && !slices.Contains(negations[:], parts[0]) && !slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(modes[:], p) }) {
				options = append(options, option)
			}
			if has && commandLike(value) && slices.ContainsFunc(parts, func(p string) bool {
				return slices.Contains([]string{"action", "command", "mode", "operation", "task", "verb"}, p)
			}) {
				operands = append(operands, value)
			}
			continue
		}
		if !valued && len(operands) < maxSaying && commandLike(w) && !namesFile(w) {
			operands = append(operands, w)
		}
		valued = false
	}
	return operands, options
}

// namesFile says whether a word looks like the name of a file: its ending says nothing of
// what a command does.
func namesFile(w string) bool {
	ext := strings.TrimPrefix(path.Ext(w), ".")
	return strings.Contains(w, "/") || ext != "" && meaningOf(ext, false) == nil && ext != "run"
}

// worstOf is the worst that some words say, and which of them. Where the run looks at
// something, words that may name it say nothing.
func worstOf(words []string, looking, listing bool, weight uint8) (*meaning, string) {
	for _, nouned := range [...]bool{false, true} { // a thing of little weight says less than what is done to it
		for i := range meanings {
			m := &meanings[i]
			if m.weight < weight {
				continue
			}
			for k, w := range words {
				parts := partsOf(w)
				looks := looking && !m.shown || listing || !m.shown && looksBy(parts[0])
				for _, p := range parts {
					noun := slices.Contains(nouns[:], p)
					if hasField(m.words, p) && !(noun && (looks || !nouned && m.weight < seriousWeight)) && !(slices.Contains(lastAlone[:], p) && k+1 < len(words)) {
						return m, w
					}
				}
			}
		}
	}
	return nil, ""
}

// looksBy says whether a word begins as those do that only look: read_flash.
func looksBy(part string) bool {
	return slices.Contains(looks[:], part) || slices.Contains(lookingOn[:], part)
}

// lineIn is the word that says most in a value that looks like a command line: its program is a
// file, or an option or a path stands behind it.
func lineIn(w string, surely bool) string {
	fields := strings.Fields(w)
	if len(fields) < 2 || strings.ContainsAny(w, "\n") || !plainWord(fields[0]) || !surely && !strings.Contains(fields[0], "/") && (!commandLike(fields[0]) || !strings.ContainsAny(fields[1][:1], "-/~.")) {
		return ""
	}
	operands, _ := saying(fields)
	if _, word := worstOf(operands, false, false, seriousWeight); word != "" {
		return word
	}
	return ""
}

// takesLine says whether an option has a command line for its value in most programs.
func takesLine(option string) bool {
	return strings.HasPrefix(option, "-") && slices.ContainsFunc(partsOf(option), func(p string) bool {
		return slices.Contains([]string{"command", "cmd", "exec", "execute", "wrap"}, p)
	})
}

func hasField(list, w string) bool { return slices.Contains(strings.Fields(list), w) }

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
	devicePath = regexp.MustCompile(`/dev/[A-Za-z0-9][A-Za-z0-9/_.-]*`)
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
	for _, w := range words {
		for _, d := range devicePath.FindAllString(w, -1) {
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
		if prod == "" && len(w) < maxObject && slices.ContainsFunc(partsOf(w), func(p string) bool { return slices.Contains(production[:], p) }) {
			prod = " in production"
			if _, value, ok := strings.Cut(w, "="); ok && strings.Contains(strings.ToLower(value), "prod") {
				w = value
			}
			if w = strings.TrimLeft(w, "-"); !slices.Contains(production[:], strings.ToLower(w)) {
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
	if m := atHost.FindStringSubmatch(w); m != nil && !local(m[1]) && !packageLike(m[1]) {
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
				if option || k >= objects || !plainWord(o) || strings.Contains(o, "://") && objects != 1 || objects == 1 && !strings.ContainsAny(o, "/.:") {
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
