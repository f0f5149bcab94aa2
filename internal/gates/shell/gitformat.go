package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says what git log prints where its format is spelled out: names of commits
// and dates are values that no author of a commit chooses, everything else may be
// anything, and begin with a dash.

// tokens are placeholders of git log that stand for one word out of letters, digits,
// colons and dashes that does not begin with a dash (git-log(1), PRETTY FORMATS: hashes
// and dates). Texts that may hold ends of lines are not read as part of a line.
const (
	formatTokens = " H h T t ct at cs as cI aI "
	formatTexts  = " an aN ae aE al cn cN ce cE cl s f d D S "
)

// gitLogLine is a line of what git log prints, in which every line is alike, and
// whether that is known.
func gitLogLine(args []string) (line string, ok bool) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, value, has := cutAt(a, "=")
		switch {
		case name == "--format" && has, name == "--pretty" && strings.HasPrefix(value, "format:"), name == "--pretty" && strings.HasPrefix(value, "tformat:"):
			if value, ok = cutPrefix(value, "tformat:"); !ok {
				value = trimPrefix(value, "format:")
			}
			if line, ok = formatLine(value); !ok {
				return "", false
			}
		case a == "--oneline", a == "--pretty=oneline":
			line = string(rune(mark.Caller)) + " " + unknown.text
		case a == "--":
			return line, line != ""
		case strings.HasPrefix(a, "-") && !logSelects(name):
			return "", false
		case a == "-n":
			i++
		}
	}
	return line, line != ""
}

// logSelects says whether an option of git log only says which commits are shown, or how
// their names and dates look.
func logSelects(option string) bool {
	switch option {
	case "--all", "--branches", "--tags", "--remotes", "--reverse", "--merges", "--no-merges", "--first-parent", "--max-count", "--skip", "--since", "--after", "--until", "--before", "--author", "--committer",
		"--grep", "--date", "--abbrev", "--abbrev-commit", "--no-abbrev-commit", "--no-patch", "--no-color", "--no-decorate", "--topo-order", "--date-order", "--diff-filter", "--follow", "-s", "-n", "-i":
		return true
	}
	return len(option) > 1 && strings.Trim(option[1:], "0123456789") == "" || strings.HasPrefix(option, "-n") && strings.Trim(option[2:], "0123456789") == ""
}

// formatLine is what a format prints for one commit.
func formatLine(format string) (string, bool) {
	if mark.Has(format) || strings.ContainsAny(format, "\n\r") {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		n := 0
		for _, length := range [...]int{2, 1} {
			if i+length >= len(format) {
				continue
			}
			name := " " + format[i+1:i+1+length] + " "
			if strings.Contains(formatTokens, name) {
				b.WriteByte(mark.Caller)
				n = length
				break
			}
			if strings.Contains(formatTexts, name) {
				b.WriteByte(mark.Unknown)
				n = length
				break
			}
		}
		if n == 0 {
			return "", false
		}
		i += n
	}
	return b.String(), true
}

// columns are the words of a line that ends in what may be anything: each word as far as
// it is known, and the rest.
func columns(text string, n int) []string {
	line := trimSuffix(text, "\n")
	if strings.ContainsAny(line, "\n\t") {
		return nil
	}
	var out []string
	for len(out) < n-1 {
		word, rest, ok := cutAt(line, " ")
		if word == "" || firstByte(word, mark.Unknown) >= 0 {
			break // it may hold blanks
		}
		out, line = append(out, word), rest
		if !ok {
			break
		}
	}
	for len(out) < n {
		out = append(out, line)
	}
	return out
}

// firstColumn is what cut and awk make of lines when they keep the first word; ok is
// false for whatever else they do.
func firstColumn(name string, args []string, text string) (string, bool) {
	words := strings.Join(args, " ")
	switch {
	case name == "cut" && (words == "-d  -f1" || words == "-d  -f 1" || words == "-f1 -d " || words == "-f 1 -d "):
	case name == "awk" && (words == "{print $1}" || words == "{ print $1 }"):
	default:
		return "", false
	}
	cols := columns(text, 2)
	if cols == nil || !mark.Has(text) {
		return "", false
	}
	return worst(cols[0]), mark.Has(cols[0])
}

// keepsShape says whether tr only changes the case of letters.
func keepsShape(args []string) bool {
	switch strings.Join(args, " ") {
	case "[:upper:] [:lower:]", "[:lower:] [:upper:]", "A-Z a-z", "a-z A-Z":
		return true
	}
	return false
}
