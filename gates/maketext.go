package gates

import "strings"

// This file reads makefiles as make does before it hands a recipe to a shell
// (make(1), "How to Use Variables" of its manual).

// makefile is one while its variables are put in.
type makefile struct {
	vars map[string]string
	left int // bytes that may still be written: values may double each other
}

// madeText is a makefile with its lines joined, its variables put in, and those of
// the environment as a shell writes them.
func madeText(text string) string {
	whole := strings.ReplaceAll(text, "\\\n", " ")
	m := makefile{makeVariables(whole), maxPlain}
	var b strings.Builder
	for line := range strings.Lines(whole) {
		if target, recipe, ok := strings.Cut(line, ";"); ok && line[0] != '\t' && strings.Contains(target, ":") {
			line = target + "\n\t" + strings.TrimLeft(recipe, " ") // a rule on one line
		}
		m.expand(&b, line, 0)
	}
	if m.left < 0 {
		return text
	}
	return b.String()
}

// makeVariables are the values that a makefile gives to variables, the last one each.
func makeVariables(text string) map[string]string {
	vars := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(line, "=")
		if !ok || line[0] == '\t' {
			continue
		}
		name = strings.TrimPrefix(strings.TrimRight(strings.TrimSpace(name), ":?+ "), "export ")
		if name != "" && !strings.ContainsAny(name, " \t$#") {
			vars[name] = strings.TrimSpace(value)
		}
	}
	return vars
}

// maxNested bounds variables in values of variables: make refuses endless ones.
const maxNested = 8

// expand writes a line with its references $(NAME), ${NAME} and $X replaced. What has
// no value in the file comes from the environment.
func (m *makefile) expand(b *strings.Builder, line string, depth int) {
	for i := 0; i < len(line) && m.left >= 0; i++ {
		m.left--
		if line[i] != '$' || i+1 == len(line) || depth > maxNested {
			b.WriteByte(line[i])
			continue
		}
		name, n := makeReference(line[i+1:])
		value, ok := m.vars[name]
		switch {
		case ok:
			m.expand(b, value, depth+1)
		case name == "":
			b.WriteByte('$')
		case strings.ContainsAny(name, " :@<^*%"):
			b.WriteString(line[i : i+1+n])
		default:
			b.WriteString("${" + name + "}")
		}
		i += n
	}
}

// makeReference is the name that a reference holds, and its length behind the dollar
// sign. Two dollar signs are one that the shell sees.
func makeReference(s string) (string, int) {
	switch c := s[0]; {
	case c == '$':
		return "", 1
	case c == '(':
		if i := strings.IndexByte(s, ')'); i > 0 {
			return s[1:i], i + 1
		}
	case c == '{':
		if i := strings.IndexByte(s, '}'); i > 0 {
			return s[1:i], i + 1
		}
	case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
		return s[:1], 1
	}
	return "", 0
}
