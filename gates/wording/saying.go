package wording

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// This file finds the words of a run that may say what it does, and the worst that they say.

// onDevice are words of commands that write to a device where one is named.
var onDevice = [...]string{"format", "write", "program", "load", "restore", "clone", "image", "copy", "zap"}

// writesDevice says whether a word has one of them.
func writesDevice(w string) bool {
	return slices.ContainsFunc(partsOf(w), func(p string) bool { return slices.Contains(onDevice[:], p) })
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
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
var writingStatement = regexp.MustCompile(`(?i)^\s*(?:(?:drop|create|alter|truncate)\s+(?:or\s+replace\s+)?(?:table|database|schema|index|view|keyspace|user|role|function|type|sequence|trigger|collection|bucket|warehouse|stage|materialized|temporary|column)\b|truncate\s+[\w."]+|delete\s+from\s|insert\s+(?:into|overwrite)\s|replace\s+into\s|merge\s+into\s|update\s+\S+\s+set\s|grant\s+\w+\s+(?:on|to)\s|revoke\s+\w+\s+(?:on|from)\s|match\s*\(.*\b(?:delete|set|remove|merge)\b)`)

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
			if len(option) > 2 && plainWord(option) && leads(parts) && !slices.Contains(negations[:], parts[0]) && !slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(modes[:], p) }) {
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

// leads says whether the verb in the name of an option stands where verbs do, in front: --cap-drop
// names what the program itself does without.
func leads(parts []string) bool {
	i := slices.IndexFunc(parts, isVerb)
	return i <= 0 || !slices.ContainsFunc(parts[:i], func(p string) bool { return !slices.Contains(adverbs[:], p) })
}

// adverbs are words that stand in front of a verb in the names of options.
var adverbs = [...]string{"all", "and", "auto", "do", "force", "full", "hard", "only", "run", "soft", "then", "with"}

// namesFile says whether a word looks like the name of a file: its ending says nothing of
// what a command does.
func namesFile(w string) bool {
	ext := strings.TrimPrefix(path.Ext(w), ".")
	return strings.Contains(w, "/") || ext != "" && meaningOf(ext, false) == nil && ext != "run"
}

// worstOf is the worst that some words say, and which of them. Where the run looks at
// something, words that may name it say nothing.
func worstOf(words []string, looking, listing bool, weight uint8) (*meaning, string) {
	type part struct {
		of      []string
		noun    bool // one of them also names a thing
		verb    bool // one of them is a verb and names none
		looking bool
	}
	parts := make([]part, len(words)) // once: a name may be long, and meanings are many
	for k, w := range words {
		p := part{of: partsOf(w)}
		for _, name := range p.of {
			noun := slices.Contains(nouns[:], name)
			p.noun, p.verb = p.noun || noun, p.verb || !noun && isVerb(name)
		}
		p.looking = looksBy(p.of[0])
		parts[k] = p
	}
	for pass := range 4 { // what is done says more than the name of a thing, and both more than what matters little
		for i := range meanings {
			m := &meanings[i]
			if m.weight < weight || pass < 2 && m.weight < seriousWeight {
				continue
			}
			acted := false // what stands behind a verb names what it is done to
			for k, w := range words {
				if acted && !m.shown && parts[k].noun {
					continue
				}
				acted = acted || parts[k].verb
				looks := looking && !m.shown || listing || !m.shown && parts[k].looking
				for _, p := range parts[k].of {
					if hasField(m.words, p) && !(slices.Contains(nouns[:], p) && (looks || pass%2 == 0 && !m.shown)) && !(slices.Contains(lastAlone[:], p) && k+1 < len(words)) {
						return m, w
					}
				}
			}
		}
	}
	return nil, ""
}

// isVerb says whether one of the meanings has a word.
func isVerb(p string) bool {
	return slices.ContainsFunc(meanings[:], func(m meaning) bool { return hasField(m.words, p) })
}

// looksBy says whether a word begins as those do that only look: read_flash.
func looksBy(part string) bool {
	return slices.Contains(looks[:], part) || slices.Contains(lookingOn[:], part)
}

// lineIn is the word that says most in a value that looks like a command line: its program is a
// file, or an option or a path stands behind it.
func lineIn(w string, surely bool) string {
	if strings.ContainsAny(w, "\n") {
		return ""
	}
	found, worst := "", uint8(0)
	for part := range strings.SplitSeq(strings.NewReplacer("|", ";", "&", ";").Replace(w), ";") {
		fields := strings.Fields(part)
		if len(fields) < 2 || !plainWord(fields[0]) || !surely && !strings.Contains(fields[0], "/") && (!commandLike(fields[0]) || !strings.ContainsAny(fields[1][:1], "-/~.")) {
			continue
		}
		operands, _ := saying(fields)
		if m, word := worstOf(operands, false, false, seriousWeight); weightOf(m) > worst {
			found, worst = word, m.weight
		}
	}
	return found
}

// takesLine says whether an option has a command line for its value in most programs.
func takesLine(option string) bool {
	return option == "-c" || strings.HasPrefix(option, "-") && slices.ContainsFunc(partsOf(option), func(p string) bool {
		return slices.Contains([]string{"command", "cmd", "exec", "execute", "wrap"}, p)
	})
}

// hasField says whether a word is one of a list's, between blanks. Most are not in its text.
func hasField(list, w string) bool {
	if !strings.Contains(list, w) {
		return false
	}
	for f := range strings.FieldsSeq(list) {
		if f == w {
			return true
		}
	}
	return false
}
