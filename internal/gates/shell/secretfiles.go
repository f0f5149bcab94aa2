package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file follows the names of secrets where no word of the line is their path:
// through patterns of searches and through renames.

// aimsAtSecret says whether a pattern of names can name a secret.
func aimsAtSecret(pattern string) bool {
	return names.SensitiveGlob("/"+pattern) || names.HiddenGlob("/"+pattern)
}

// patternText marks the wildcards of a pattern that a program expands itself,
// classes of letters too.
func patternText(s string) string {
	s = globText(plain(s))
	if i := firstByte(s, '['); i >= 0 && firstByte(s[i:], ']') > 0 {
		s = strings.ReplaceAll(s, "[", string(rune(mark.Class)))
	}
	return s
}

// lastElement is what a pattern of paths says of the name at their end. Not inlined, for the size of programs.
//
//go:noinline
func lastElement(pattern string) string { return pattern[lastSlash(pattern)+1:] }

// regexText is a regular expression as a pattern of names: what it leaves open is any
// text. A dot alone is taken for the dot that it mostly means.
func regexText(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '^', '$':
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '.':
			if i+1 == len(s) || firstByte("*+?{", s[i+1]) < 0 {
				b.WriteByte(c)
			}
		case '*', '+', '?', '(', ')', '|', '[', ']', '{', '}':
			b.WriteByte(mark.Star)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// soughtSecret returns the pattern of names by which an expression of find(1) looks
// for secrets, or nothing. A test that is negated or prunes leaves them out.
func soughtSecret(args []string) string {
	var groups []bool // of each open group, whether it is negated
	not := false
	for i, a := range args {
		switch a {
		case "!", "-not":
			not = !not
			continue
		case "(":
			groups = append(groups, not)
		case ")":
			groups = groups[:max(0, len(groups)-1)]
		default:
			negated := not
			for _, g := range groups {
				negated = negated || g
			}
			if pattern := namePattern(args[i:]); !negated && pattern != "" && aimsAtSecret(pattern) && !pruned(args[i:]) {
				return pattern
			}
		}
		not = false
	}
	return ""
}

// namePattern is the pattern of names of a test of find(1).
func namePattern(args []string) string {
	if len(args) < 2 {
		return ""
	}
	switch args[0] {
	case "-name", "-iname", "-lname", "-ilname":
		return patternText(args[1])
	case "-path", "-ipath", "-wholename", "-iwholename":
		return lastElement(patternText(args[1]))
	case "-regex", "-iregex":
		return regexText(lastElement(plain(args[1])))
	}
	return ""
}

// pruned says whether what a test of find(1) finds is left out, and nothing done
// with it before.
func pruned(args []string) bool {
	for _, a := range args {
		switch a {
		case "-prune":
			return true
		case "-exec", "-execdir", "-ok", "-okdir", "-print", "-print0", "-fprint", "-ls":
			return false
		}
	}
	return false
}

// readLines records the reads of files that the lines of an input name.
func (m *machine) readLines(in data) {
	if in.tty || !in.known() {
		return
	}
	for line := range strings.Lines(in.text) {
		if name := strings.TrimRight(line, "\n"); name != "" {
			m.read(name)
		}
	}
}

// secretBelow is the path of a secret that a search finds below a directory.
func (m *machine) secretBelow(root, pattern string) string {
	return strings.TrimRight(m.p.Resolve(m.cwd, root), "/") + "/" + string(rune(mark.Star)) + "/" + pattern
}

// secretsAmong is the path of a secret that a filter picks out of names of files by a
// pattern which can match it; empty where it picks none.
func (r *toolRun) secretsAmong(args []string, in data) string {
	switch r.t.name {
	case "grep", "egrep", "fgrep", "rg":
	default:
		return ""
	}
	if len(r.operands) != 1 || firstByte(in.text, mark.Inside) < 0 || flagged(args, "vLc", "--invert-match", "--count", "--files-without-match") {
		return ""
	}
	any := string(rune(mark.Star))
	if pattern := any + regexText(lastElement(plain(r.operands[0]))) + any; aimsAtSecret(pattern) {
		return r.m.secretBelow(".", pattern)
	}
	return ""
}

// secretItem says whether items that a command is given are paths of secrets that a
// search found.
func (m *machine) secretItem(items string) (string, bool) {
	item := strings.TrimRight(items, "\n")
	if item == "" || item[0] != '/' || strings.ContainsAny(item, " \t\n") {
		return "", false
	}
	_, sensitive, _ := m.p.Where(item)
	return item, sensitive
}

// selects judges a pattern of the names of the files that a search reads: one that
// can name a secret reads it. A pattern that begins with ! leaves files out.
func (r *toolRun) selects(pattern string) {
	for _, alt := range braces(plain(pattern)) {
		if strings.HasPrefix(alt, "!") {
			continue
		}
		p := lastElement(patternText(alt))
		if firstByte(alt, '\\') >= 0 { // ag(1) takes a regular expression
			p = string(rune(mark.Star)) + regexText(alt)
		}
		if aimsAtSecret(p) {
			r.m.path(effect.Read, effect.OpRead, r.m.secretBelow(".", p))
		}
	}
}

// braces are the alternatives of a pattern with one pair of braces.
func braces(s string) []string {
	head, rest, ok := cutAt(s, "{")
	if !ok {
		return []string{s}
	}
	body, tail, ok := cutAt(rest, "}")
	if !ok {
		return []string{s}
	}
	var out []string
	for alt := range strings.SplitSeq(body, ",") {
		out = append(out, head+alt+tail)
	}
	return out
}

// renames records that a secret gets a name that does not say so, by a move or a
// link: whoever reads that name reads the secret. into says that the target is a
// directory for certain, where it keeps its own name.
func (m *machine) renames(src, target string, into bool) {
	full := m.p.Resolve(m.cwd, src)
	if _, sensitive, _ := m.p.Where(full); !sensitive {
		return
	}
	to := m.p.Resolve(m.cwd, target)
	if into || strings.HasSuffix(target, "/") || strings.Trim(target, "./") == "" || m.isRoot(to) {
		to += "/" + lastElement(full)
	}
	if _, sensitive, _ := m.p.Where(to); !sensitive {
		m.path(effect.Read, effect.OpRead, src)
	}
}

// redacts says whether a run of gitleaks shows nothing of the secrets that it finds: --redact
// without a share takes all of each out of what is printed (gitleaks' README, Usage).
func (r *toolRun) redacts() bool {
	at := slices.IndexFunc(r.words, func(w string) bool { return w == "--redact" || w == "--redact=100" })
	if at < 0 || at > 0 && strings.HasPrefix(r.words[at-1], "-") && !hasWord("--no-banner --no-color --verbose -v", r.words[at-1]) {
		return false // it may be the value of the option before it
	}
	return strings.HasPrefix(r.t.name, "gitleaks ") && !isAmong(r.words, "--") && !slices.ContainsFunc(r.words, func(w string) bool {
		return strings.HasPrefix(w, "--redact=") && w != "--redact=100" || isAmong([]string{"--platform", "--log-opts", "-r", "--report-path"}, strings.SplitN(w, "=", 2)[0])
	})
}
