package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads makefiles as make does before it hands a recipe to a shell (GNU Make's manual, How
// to Use Variables). What only the run of make tells counts as unknown where it stands; where a
// condition or a part of a file decides between values, each of them counts.

// makefile is one while its variables are put in.
type makefile struct {
	vars    map[string][]string // the values that each may have, one as a rule
	args    []string            // of the function that is called, its name first
	branch  uint                // which side of conditions is taken, one bit for each that stands in another
	nth     int                 // which of several values is put in
	within  int                 // conditions around what is read
	among   bool                // one of several values is read
	sides   bool                // a condition was met that nobody can tell
	values  bool                // and a variable with several values
	left    int                 // bytes that may still be written: values may double each other
	entries func(dir string) []string
	made    strings.Builder // what functions add to the file
	ever    bool            // the line is no recipe: a command of it is left for computedByMake
}

// Bounds of what is told apart: conditions in conditions, and values of one variable.
const (
	maxConditions = 3
	maxValues     = 4
)

// madeText is a makefile with its lines joined, its variables put in, and those of
// the environment as a shell writes them.
func madeText(text string) string { return madeAs(text, makeRun{}) }

// makeRun is what a run of make brings to a makefile.
type makeRun struct {
	environment, set []string                  // variables that are set for it, and that its line sets: NAME=value
	included         []string                  // the texts of what it includes
	entries          func(dir string) []string // what lies in a directory, nil where nobody looks
}

// madeAs is madeText for a run of make.
func madeAs(text string, run makeRun) string {
	whole := joined(text)
	m := makefile{vars: map[string][]string{}, left: 4 * maxPlain, entries: run.entries}
	fixed(m.vars, run.environment)
	for _, o := range run.included {
		makeVariables(m.vars, joined(o))
	}
	makeVariables(m.vars, whole)
	fixed(m.vars, run.set)
	m.expanded(whole)
	if made := m.made.String(); made != "" {
		whole += "\n" + made
		makeVariables(m.vars, made)
	}
	var all []string
	for nth := range maxValues {
		for branch := range uint(1) << maxConditions {
			if nth > 0 && !m.values || branch > 0 && !m.sides {
				continue
			}
			m.nth, m.branch, m.left = nth, branch, 4*maxPlain
			if s := m.expanded(whole); !slices.Contains(all, s) {
				all = append(all, s)
			}
			if m.left < 0 {
				return text + tooMuch
			}
		}
	}
	return strings.Join(all, "")
}

// fixed gives variables the values that others gave them.
func fixed(vars map[string][]string, set []string) {
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		if mark.Has(value) {
			value = unevaluated
		}
		vars[strings.TrimRight(name, ":?+ ")] = []string{strings.ReplaceAll(value, "$", "$$")}
	}
}

// tooMuch is a rule that every target has where a makefile is more than is read of one.
const tooMuch = "\n%:\n\trm -rf " + unevaluated + "\n"

func joined(text string) string { return strings.ReplaceAll(text, "\\\n", " ") }

// expanded is a makefile with one choice of its values.
func (m *makefile) expanded(whole string) string {
	var b strings.Builder
	defines := false
	for line := range strings.Lines(whole) {
		if first, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "override ")), " "); line[0] != '\t' && first == "define" || defines {
			defines = first != "endef" // it is read where it is used
			continue
		}
		if i := outsideReferences(line, ';'); i >= 0 && line[0] != '\t' && strings.Contains(line[:i], ":") {
			m.line(&b, line[:i]+"\n")
			line = "\t" + strings.TrimLeft(line[i+1:], " ") // a rule on one line
		}
		m.line(&b, line)
	}
	return b.String()
}

// outsideReferences is where a character stands in no reference, or negative.
func outsideReferences(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
		if s[i] == '$' && i+1 < len(s) {
			_, n := makeReference(s[i+1:])
			i += n
		}
	}
	return -1
}

// line writes one line; each line of a value that stands in a recipe is one of it.
func (m *makefile) line(b *strings.Builder, line string) {
	m.ever = line[0] != '\t'
	s := m.expand(line, 0)
	if !m.ever {
		s = strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\n\t"), "\t")
	}
	b.WriteString(s)
}

// makeVariables adds the values that a makefile may give to variables: the last one, and those of its
// conditional parts and of single targets.
func makeVariables(vars map[string][]string, text string) {
	depth := 0
	defined, value := "", ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		first := ""
		if len(words) > 0 {
			first = words[0]
		}
		switch {
		case defined != "" && first == "endef":
			vars[defined] = append(vars[defined], strings.TrimSuffix(value, "\n"))
			defined, value = "", ""
		case defined != "":
			value += line
		case line[0] == '\t':
		case first == "define" && len(words) > 1, first == "override" && len(words) > 2 && words[1] == "define":
			defined = strings.TrimRight(words[slices.Index(words, "define")+1], ":?+=")
		case strings.HasPrefix(first, "if"):
			depth++
		case first == "endif":
			depth--
		default:
			assigned(vars, line, depth > 0)
		}
	}
}

// assigned adds the value of a line that assigns one; maybe, where a condition says whether it does.
func assigned(vars map[string][]string, line string, maybe bool) {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		return
	}
	value = strings.TrimLeft(strings.TrimRight(value, "\r\n"), " \t")
	if i := strings.Index(value, " #"); i >= 0 {
		value = value[:i]
	}
	if strings.HasSuffix(name, "!") {
		name, value = name[:len(name)-1], "$(shell "+value+")"
	}
	add, first := strings.HasSuffix(name, "+"), strings.HasSuffix(name, "?")
	name = strings.TrimRight(strings.TrimSpace(name), ":?+ ")
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name, maybe = name[i+1:], true // for one target
	}
	for _, w := range [...]string{"export ", "override ", "private "} {
		name = strings.TrimPrefix(strings.TrimSpace(name), w)
	}
	if name == "" || strings.ContainsAny(name, " \t$#") {
		return
	}
	before := vars[name]
	switch {
	case add && len(before) > 0:
		after := make([]string, len(before))
		for i, v := range before {
			after[i] = v + " " + value
		}
		if maybe {
			after = append(slices.Clone(before), after...)
		}
		vars[name] = after
	case maybe:
		vars[name] = append(before, value)
	case first && len(before) > 0:
	default:
		vars[name] = []string{value}
	}
}

// implicit are variables that make itself sets (its manual, Variables Used by Implicit Rules).
var implicit = map[string]string{"RM": "rm -f", "CC": "cc", "CXX": "g++", "AR": "ar", "AS": "as", "LD": "ld", "CPP": "cc -E", "CURDIR": ".", "FC": "f77", "YACC": "yacc", "LEX": "lex"}

// maxNested bounds variables in values of variables: make refuses endless ones.
const maxNested = 12

// expand is a text with its references $(NAME), ${NAME} and $X replaced. What has no value in the
// file comes from the environment.
func (m *makefile) expand(line string, depth int) string {
	var b strings.Builder
	for i := 0; i < len(line) && m.left >= 0; i++ {
		m.left--
		if line[i] != '$' || i+1 == len(line) {
			b.WriteByte(line[i])
			continue
		}
		inner, n := makeReference(line[i+1:])
		switch {
		case n == 0, depth > maxNested:
			b.WriteByte('$')
		case inner == "$":
			b.WriteByte('$')
			i += n
		default:
			s := m.reference(inner, line[i:i+1+n], depth+1)
			m.left -= len(s)
			b.WriteString(s)
			i += n
		}
	}
	return b.String()
}

// reference is what stands for a reference: whole is how it is written.
func (m *makefile) reference(inner, whole string, depth int) string {
	if name, args, ok := strings.Cut(strings.TrimLeft(inner, " \t"), " "); ok && functions[name] != 0 {
		return m.function(name, strings.TrimLeft(args, " \t"), depth)
	}
	name := m.expand(inner, depth)
	name, change, changes := strings.Cut(name, ":")
	if from, to, ok := strings.Cut(change, "="); changes && ok {
		if !strings.Contains(from, "%") {
			from, to = "%"+from, "%"+to
		}
		return eachWord(m.value(name, "", depth), func(w string) string { return patsubst(w, from, to) })
	}
	if changes {
		return unevaluated
	}
	return m.value(name, whole, depth)
}

// value is that of a variable.
func (m *makefile) value(name, whole string, depth int) string {
	if len(name) == 1 && name[0] >= '0' && name[0] <= '9' {
		if i := int(name[0] - '0'); i < len(m.args) {
			return m.args[i]
		}
		return ""
	}
	values := m.vars[name]
	switch {
	case len(values) == 1:
		return m.expand(values[0], depth)
	case len(values) > maxValues, len(values) > 0 && m.among:
		return unevaluated
	case len(values) > 0:
		m.values, m.among = true, true
		s := m.expand(values[m.nth%len(values)], depth)
		m.among = false
		return s
	case name != "" && strings.Contains("@<^*%?+|@D@F<D<F^D^F*D*F?D?F", name):
		if whole == "" {
			return "target"
		}
		return whole
	case implicit[name] != "":
		return implicit[name]
	case name == "MAKE":
		return whole
	case name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "":
		return unevaluated
	}
	return "${" + name + "}"
}

// makeReference is what a reference holds, and its length behind the dollar sign. Two dollar signs
// are one that the shell sees.
func makeReference(s string) (string, int) {
	switch c := s[0]; {
	case c == '(' || c == '{':
		end := byte(')')
		if c == '{' {
			end = '}'
		}
		for i, depth := 0, 0; i < len(s); i++ {
			switch s[i] {
			case c:
				depth++
			case end:
				if depth--; depth == 0 {
					return s[1:i], i + 1
				}
			}
		}
		return "", 0
	case c == ' ' || c == '\t' || c == '\n':
		return "", 0
	}
	return s[:1], 1
}
