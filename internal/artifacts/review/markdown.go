package review

import (
	"fmt"
	"strings"
)

// mostMarkdown bounds the details: a comment on GitHub holds 65,536 characters.
const mostMarkdown = 40_000

// Markdown writes the changes for a pull request: the first screen, and the rest
// folded away. Texts come from logs, so all of them stand in code: there no
// mention, link or picture comes to life.
func (c *Changes) Markdown() []byte {
	var w strings.Builder
	fmt.Fprintf(&w, "## gbt diff: %s\n\n**%s**\n", code(c.title()), c.verdict())
	if len(c.Weakens) > 0 {
		w.WriteString("\n")
	}
	for i, f := range c.Weakens {
		if i == mostLines {
			fmt.Fprintf(&w, "- and %d more\n", len(c.Weakens)-i)
			break
		}
		fmt.Fprintf(&w, "- %s %s %s\n", f.Level, code(f.Rule), code(f.Message))
	}
	if !c.Same {
		fmt.Fprintf(&w, "\n%s", fenced(append(c.safety(), c.behaviour()...)))
	}
	w.WriteString(c.Cards.markdown())
	details := strings.Split(strings.Trim(string(c.details()), "\n"), "\n")
	fmt.Fprintf(&w, "\n<details><summary>Everything</summary>\n\n%s\n</details>\n", fenced(shortened(details, mostMarkdown)))
	return []byte(w.String())
}

// code is a text as a code span, whatever backticks are in it (CommonMark 0.31,
// section 6.1).
func code(s string) string {
	ticks := strings.Repeat("`", longestRun(s)+1)
	if ticks == "`" {
		return ticks + s + ticks
	}
	return ticks + " " + s + " " + ticks
}

// fenced is lines as a code block.
func fenced(lines []string) string {
	text := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + "text\n" + text + "\n" + fence + "\n"
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	most, n := 0, 0
	for _, r := range s {
		if n++; r != '`' {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// shortened keeps the first lines, up to a number of bytes.
func shortened(lines []string, bytes int) []string {
	for i, line := range lines {
		if bytes -= len(line) + 1; bytes < 0 {
			return append(lines[:i:i], fmt.Sprintf("and %d more lines; gbt diff prints them", len(lines)-i))
		}
	}
	return lines
}
