package gates

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads makefiles as make does before it hands a recipe to a shell (GNU Make's manual, How
// to Use Variables). What only the run of make tells counts as unknown where it stands; where a
// condition or a part of a file decides between values, each of them counts.

// makefile is one while its variables are put in. Where a line may come out in several ways, each
// of them is written: nth counts them, and each choice takes its part of what is left of it.
type makefile struct {
	vars    map[string][]string // the values that each may have, one as a rule
	args    []string            // of the function that is called, its name first
	nth     int                 // which way each line comes out
	rest    int                 // what of it is left for the choices to come in this line
	ways    int                 // in which the line may come out, as far as it is read
	most    int                 // in which any line may
	left    int                 // bytes that may still be written: values may double each other
	entries func(dir string) []string
	made    []string        // what functions add to the file
	shells  []string        // commands that the line has make run itself
	tail    strings.Builder // what stands behind the file: commands whose output goes nowhere
	ever    bool            // the line is no recipe: a command of it is left for computedByMake
}

// Bounds of what is told apart: ways in which one line comes out, values of one variable, and
// how often a file adds to itself.
const (
	maxWays   = 32
	maxValues = 4
	maxMade   = 4
)

// choose is which of n ways a line goes on; false where there are too many to write. Not inlined, for the size of programs.
//
//go:noinline
func (m *makefile) choose(n int) (int, bool) {
	if m.ways*n > maxWays {
		return 0, false
	}
	m.ways *= n
	m.most = max(m.most, m.ways)
	i := m.rest % n
	m.rest /= n
	return i, true
}

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
	fixed(m.vars, run.environment, false)
	files := ""
	for _, o := range append(slices.Clone(run.included), text) {
		files += joined(o) + "\n"
	}
	makeVariables(m.vars, files)
	fixed(m.vars, run.set, strings.Contains(files, "override"))
	if !m.computed(files) {
		return text + tooMuch
	}
	for range maxMade {
		known := len(m.made)
		out, ok := m.everyWay(whole)
		if !ok {
			break
		}
		if len(m.made) == known {
			return out
		}
		for _, more := range m.made[known:] {
			whole += "\n" + more + "\n"
			makeVariables(m.vars, more)
			ok = ok && m.computed(more)
		}
		if !ok {
			break
		}
	}
	return text + tooMuch
}

// everyWay is a makefile in all ways in which its lines come out; false where that is too much.
func (m *makefile) everyWay(whole string) (string, bool) {
	var all []string
	size := 0
	m.most = 1
	for m.nth = 0; m.nth < m.most; m.nth++ {
		m.left = 4 * maxPlain
		if s := m.expanded(whole); !isAmong(all, s) {
			all = append(all, s)
			size += len(s)
		}
		if m.left < 0 || size > 4*maxPlain {
			return "", false
		}
	}
	return strings.Join(all, ""), true
}

// computed adds the values of variables whose names make computes, and says whether all of them
// are known, and no other setting makes more of the file than is read here: what begins a
// recipe, and options that set variables.
func (m *makefile) computed(text string) bool {
	for line := range strings.Lines(text) {
		i := outsideReferences(line, '=')
		if i < 0 || line[0] == '\t' || strings.ContainsAny(line[:1], "#") {
			continue
		}
		name := strings.TrimSpace(strings.TrimRight(line[:i], ":?+! "))
		if j := outsideReferences(name, ':'); j >= 0 {
			name = strings.TrimSpace(name[j+1:])
		}
		name = plainName(name)
		switch {
		case name == ".RECIPEPREFIX", name == "MAKEOVERRIDES", name == "MAKEFILES":
			return false
		case name == "MAKEFLAGS" || name == "GNUMAKEFLAGS":
			if slices.ContainsFunc(strings.Fields(strings.Split(line[i+1:], " #")[0]), func(w string) bool { return !isAmong(quietFlags[:], w) }) {
				return false
			}
		case strings.Contains(name, "$"):
			m.rest, m.ways = 0, 1
			made := strings.TrimSpace(m.expand(name, 0))
			if m.ways > 1 || made == "" || strings.ContainsAny(made, "$ \t:=#") {
				return false
			}
			assigned(m.vars, made+" "+strings.TrimLeft(line[len(strings.TrimRight(line[:i], ":?+! ")):], " "), true)
		}
	}
	return true
}

// quietFlags are options of make that set no variable and change no recipe (its manual, Summary of
// Options).
var quietFlags = [...]string{"--no-print-directory", "--no-builtin-rules", "--no-builtin-variables", "--warn-undefined-variables", "--silent", "--quiet", "--output-sync", "-O", "-r", "-R", "-rR", "-Rr", "-s", "-k", "-j", "-j1", "-j2", "-j4", "-j8", "$(MAKEFLAGS)"}

// fixed gives variables the values that others gave them, too, or alone.
func fixed(vars map[string][]string, set []string, too bool) {
	for _, s := range set {
		name, value, _ := cutAt(s, "=")
		if mark.Has(value) {
			value = unevaluated
		}
		name, value = strings.TrimRight(name, ":?+ "), strings.ReplaceAll(value, "$", "$$")
		if vars[name] = append(vars[name], value); !too {
			vars[name] = []string{value}
		}
	}
}

// tooMuch is a rule that every target has where a makefile is more than is read of one.
const tooMuch = "\n%:\n\trm -rf " + unevaluated + "\n"

func joined(text string) string { return strings.ReplaceAll(text, "\\\n", " ") }

// expanded is a makefile with one choice of its values.
func (m *makefile) expanded(whole string) string {
	var b strings.Builder
	m.tail.Reset()
	defines, body := "", ""
	for line := range strings.Lines(whole) {
		words := strings.Fields(line)
		switch _, op, ok := definition(line); {
		case defines != "" && len(words) > 0 && words[0] == "endef":
			if strings.ContainsAny(defines, ":!") { // it is read where it stands
				m.line(&m.tail, "\nMADE "+defines+" "+strings.ReplaceAll(body, "\n", " ")+"\n")
			}
			defines, body = "", ""
			continue
		case defines != "":
			body += line
			continue
		case ok:
			defines, body = op, "" // it is read where it is used
			continue
		}
		if i := outsideReferences(line, ';'); i >= 0 && line[0] != '\t' && strings.Contains(line[:i], ":") {
			m.line(&b, line[:i]+"\n")
			line = "\t" + strings.TrimLeft(line[i+1:], " ") // a rule on one line
		}
		m.line(&b, line)
	}
	return b.String() + m.tail.String()
}

// definition is the name of a variable whose value begins behind the line, and how that is given
// to it (=, :=, +=, ?=, !=): define NAME, but not define = VALUE.
func definition(line string) (name, op string, ok bool) {
	words := strings.Fields(line)
	if line[0] == '\t' || len(words) == 0 {
		return "", "", false
	}
	for len(words) > 0 && (words[0] == "override" || words[0] == "export" || words[0] == "private") {
		words = words[1:]
	}
	if len(words) < 2 || words[0] != "define" || strings.TrimLeft(words[1], ":?+!") == "" || strings.TrimLeft(words[1], ":?+!")[0] == '=' {
		return "", "", false
	}
	name = strings.TrimRight(words[1], ":?+!=")
	if op = words[1][len(name):]; op == "" && len(words) > 2 {
		op = words[2]
	}
	return name, cmp.Or(op, "="), true
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

// line writes one line; each line of a value that stands in a recipe is one of it. Commands that
// make runs for it, and whose output comes to nothing in it, are written beside it.
func (m *makefile) line(b *strings.Builder, line string) {
	m.ever, m.rest, m.ways, m.shells = line[0] != '\t', m.nth, 1, nil
	s := m.expand(line, 0)
	if !m.ever {
		s = trimSuffix(strings.ReplaceAll(s, "\n", "\n\t"), "\t")
	}
	b.WriteString(s)
	for _, command := range m.shells {
		command = strings.ReplaceAll(command, "\n", " ")
		switch {
		case strings.Contains(s, command+")"):
		case m.ever:
			m.tail.WriteString("\nMADE != " + command + "\n")
		default:
			b.WriteString(trimSuffix("\n", s[max(0, len(s)-1):]) + "\t" + command + "\n")
		}
	}
}

// makeVariables adds the values that a makefile may give to variables: each of them, for what is
// read at once has the value that stood before it, and a file that is included may come later.
func makeVariables(vars map[string][]string, text string) {
	depth := 0
	defined, op, value := "", "", ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		first := ""
		if len(words) > 0 {
			first = words[0]
		}
		name, how, defines := definition(line)
		switch {
		case defined != "" && first == "endef":
			if value = trimSuffix(value, "\n"); op == "!=" {
				value = "$(shell " + value + ")"
			}
			vars[defined] = append(vars[defined], value)
			defined, value = "", ""
		case defined != "":
			value += line
		case line[0] == '\t':
		case defines:
			defined, op = name, how
		case first == "undefine" || first == "override" && len(words) > 1 && words[1] == "undefine":
			gone := words[len(words)-1]
			vars[gone] = append(vars[gone], "")
		case strings.HasPrefix(first, "if") && outsideReferences(line, '=') < 0, first == "ifeq", first == "ifneq", first == "ifdef", first == "ifndef":
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
	name, value, ok := cutAt(line, "=")
	if !ok {
		return
	}
	value = uncommented(strings.TrimLeft(strings.TrimRight(value, "\r\n"), " \t"))
	if strings.HasSuffix(name, "!") {
		name, value = name[:len(name)-1], "$(shell "+value+")"
	}
	plain := strings.TrimRight(strings.TrimSpace(name), ":?+ ")
	op := strings.TrimSpace(name)[len(plain):]
	name = plain
	if i := lastByte(name, ':'); i >= 0 {
		name, maybe = name[i+1:], true // for one target
	}
	name = plainName(name)
	if name == "" || strings.ContainsAny(name, " \t$#") {
		return
	}
	before := vars[name]
	if maybe && len(before) == 0 {
		before = []string{""}
	}
	after := []string{value}
	switch {
	case strings.Contains(op, "+") && len(before) > 0:
		after = nil
		for _, v := range before {
			after = append(after, v+" "+value)
		}
		if !maybe {
			before = nil
		}
	case strings.Contains(op, ":") && (strings.Contains(value, "$("+name+")") || strings.Contains(value, "${"+name+"}")):
		after = nil
		for _, v := range append(slices.Clone(before), "")[:max(1, len(before))] {
			after = append(after, strings.NewReplacer("$("+name+")", v, "${"+name+"}", v).Replace(value))
		}
	}
	all := slices.Clone(before)
	for _, v := range after {
		if !isAmong(all, v) && len(all) <= maxValues && len(v) <= maxPlain {
			all = append(all, v)
		}
	}
	vars[name] = all
}

// plainName is the name of a variable without what says who else sees it.
func plainName(name string) string {
	for {
		before := strings.TrimSpace(name)
		name = before
		for _, w := range [...]string{"export ", "override ", "private "} {
			name = strings.TrimSpace(trimPrefix(name, w))
		}
		if name == before {
			return name
		}
	}
}

// uncommented is a value without its comment; the blanks before that are part of it.
func uncommented(value string) string {
	for at := 0; ; {
		i := outsideReferences(value[at:], '#')
		if i < 0 {
			return value
		}
		if at += i; at == 0 || value[at-1] != '\\' {
			return value[:at]
		}
		at++
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
	if name, args, ok := cutAt(strings.TrimLeft(inner, " \t"), " "); ok && functions[name] != 0 {
		return m.function(name, strings.TrimLeft(args, " \t"), depth, whole[1])
	}
	name := m.expand(inner, depth)
	name, change, changes := cutAt(name, ":")
	if from, to, ok := cutAt(change, "="); changes && ok {
		if strings.Contains(from, "$") {
			return unevaluated
		}
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
	case len(values) > maxValues:
		return unevaluated
	case len(values) > 0:
		if i, ok := m.choose(len(values)); ok {
			return m.expand(values[i], depth)
		}
		return unevaluated
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
