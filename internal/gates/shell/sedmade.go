package shell

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file computes what a sed script makes of a text, where it consists of the
// commands s, y, d and p of single lines (GNU sed's manual, 3). It serves made only:
// a script of other commands computes to nothing.

// sedCommand is one command with the lines that it is for.
type sedCommand struct {
	from, to int // 0 for every line, -1 for the last one
	name     byte
	find     *regexp.Regexp
	put      string // what s puts there, as package regexp writes it
	all      bool
	pairs    *strings.Replacer
}

// sedWork is what a call of sed does, as far as it is spelled out.
type sedWork struct {
	scripts                  []string
	spelled, quiet, extended bool
}

// on is what the scripts make of a text.
func (w *sedWork) on(d data) made {
	text := d.best()
	if !text.known || !w.spelled {
		return made{}
	}
	got, ok := sedMade(plain(strings.Join(w.scripts, "\n")), w.extended, w.quiet, text.text)
	return made{got, ok && len(got) <= maxText}
}

// sedMade returns what a script makes of a text.
func sedMade(script string, extended, quiet bool, text string) (string, bool) {
	s := sedReader{text: script}
	var list []sedCommand
	for s.skip(" \t\n;"); s.pos < len(s.text); s.skip(" \t\n;") {
		c, ok := s.computable(extended)
		if !ok {
			return "", false
		}
		list = append(list, c)
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var b strings.Builder
	for i, l := range lines {
		body, end := cutSuffix(l, "\n")
		out := sedLine(list, body, i+1, i == len(lines)-1, quiet)
		for _, o := range out {
			b.WriteString(o)
			if end {
				b.WriteByte('\n')
			}
		}
	}
	return b.String(), true
}

// sedLine is what becomes of one line.
func sedLine(list []sedCommand, line string, n int, last, quiet bool) []string {
	var out []string
	for _, c := range list {
		if !c.applies(n, last) {
			continue
		}
		switch c.name {
		case 's':
			line = c.substituted(line)
		case 'y':
			line = c.pairs.Replace(line)
		case 'p':
			out = append(out, line)
		case 'd':
			return out
		}
	}
	if !quiet {
		out = append(out, line)
	}
	return out
}

func (c *sedCommand) applies(n int, last bool) bool {
	switch {
	case c.from == 0:
		return true
	case c.from < 0:
		return last
	}
	return n >= c.from && (c.to < 0 || n <= c.to)
}

func (c *sedCommand) substituted(line string) string {
	if c.all {
		return c.find.ReplaceAllString(line, c.put)
	}
	at := c.find.FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	return line[:at[0]] + string(c.find.ExpandString(nil, c.put, line, at)) + line[at[1]:]
}

// computable reads one command.
func (s *sedReader) computable(extended bool) (sedCommand, bool) {
	c := sedCommand{}
	c.from = s.lineNumber()
	c.to = c.from
	if s.peek() == ',' {
		s.pos++
		if c.to = s.lineNumber(); c.to == 0 || c.from == 0 {
			return c, false
		}
	}
	c.name = s.peek()
	s.pos++
	switch c.name {
	case 'd', 'p':
		return c, s.ends()
	case 's', 'y':
	default:
		return c, false
	}
	delim := s.peek()
	s.pos++
	find, ok1 := s.until(delim)
	put, ok2 := s.until(delim)
	if delim == 0 || !ok1 || !ok2 {
		return c, false
	}
	if c.name == 'y' {
		return c, c.translates(find, put) && s.ends()
	}
	find, put = strings.ReplaceAll(find, `\`+string(delim), string(delim)), strings.ReplaceAll(put, `\`+string(delim), string(delim))
	fold := false
	for firstByte("giI", s.peek()) >= 0 && s.peek() != 0 {
		c.all, fold = c.all || s.peek() == 'g', fold || s.peek() != 'g'
		s.pos++
	}
	re, ok := goRegexp(find, extended)
	if fold {
		re = "(?i)" + re
	}
	r, err := regexp.Compile(re)
	if !ok || err != nil {
		return c, false
	}
	c.find = r
	c.put, ok = goReplacement(put)
	return c, ok && s.ends()
}

// lineNumber reads a number or the dollar sign, 0 for neither.
func (s *sedReader) lineNumber() int {
	if s.peek() == '$' {
		s.pos++
		return -1
	}
	start := s.pos
	s.skip("0123456789")
	n, err := strconv.Atoi(s.text[start:s.pos])
	if err != nil {
		return 0
	}
	return n
}

// ends says whether a command ends here.
func (s *sedReader) ends() bool {
	s.skip(" \t")
	return s.pos >= len(s.text) || s.peek() == ';' || s.peek() == '\n'
}

func (c *sedCommand) translates(from, to string) bool {
	if len(from) != len(to) || strings.ContainsAny(from+to, `\`) {
		return false
	}
	var pairs []string
	for i := range len(from) {
		pairs = append(pairs, from[i:i+1], to[i:i+1])
	}
	c.pairs = strings.NewReplacer(pairs...)
	return true
}

// goRegexp writes a POSIX expression as package regexp reads it: without extended
// the marks of groups, repetitions and choices stand behind a backslash.
func goRegexp(re string, extended bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(re); i++ {
		c := re[i]
		switch {
		case c == '[': // a set is the same in both, but for its backslashes
			end := firstByte(re[min(i+2, len(re)):], ']')
			if end < 0 || strings.Contains(re[i:i+2+end], "[:") {
				return "", false
			}
			b.WriteString(strings.ReplaceAll(re[i:i+3+end], `\`, `\\`))
			i += 2 + end
		case c == '\\' && i+1 == len(re):
			return "", false
		case c == '\\':
			i++
			switch c := re[i]; {
			case firstByte("(){}|+?", c) >= 0 && !extended:
				b.WriteByte(c)
			case c >= '1' && c <= '9', c == '<', c == '>', c == '`', c == '\'':
				return "", false
			default:
				b.WriteByte('\\')
				b.WriteByte(c)
			}
		case !extended && firstByte("(){}|+?", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), re != ""
}

// goReplacement writes what s puts as package regexp reads it.
func goReplacement(put string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(put); i++ {
		switch c := put[i]; {
		case c == '$':
			b.WriteString("$$")
		case c == '&':
			b.WriteString("${0}")
		case c == '\\' && i+1 < len(put):
			i++
			switch c := put[i]; {
			case c >= '0' && c <= '9':
				b.WriteString("${" + string(c) + "}")
			case c == 'n':
				b.WriteByte('\n')
			case c == 't':
				b.WriteByte('\t')
			case firstByte("ULulE", c) >= 0:
				return "", false
			default:
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// SedText is what the words of a sed that changes its files leave of a text, where the
// words spell the script out.
func SedText(words []string, text string) (string, bool) {
	if len(words) == 0 || len(text) > maxText {
		return "", false
	}
	opts, files := sedOptions.read(words[1:])
	var scripts []string
	quiet, extended, inPlace := false, false, false
	for _, o := range opts {
		switch o.name {
		case "e", "expression":
			scripts = append(scripts, o.value)
		case "n", "quiet", "silent":
			quiet = true
		case "E", "r", "regexp-extended":
			extended = true
		case "i", "in-place":
			inPlace = true
		case "f", "file", "":
			return "", false
		}
	}
	if scripts == nil && len(files) > 0 {
		scripts = files[:1]
	}
	if !inPlace || slices.ContainsFunc(scripts, mark.Has) {
		return "", false
	}
	return sedMade(strings.Join(scripts, "\n"), extended, quiet, text)
}
