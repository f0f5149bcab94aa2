package shell

import (
	"errors"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Limits on what is given to the parser. The parser recurses once per nesting
// level, so the count of opening tokens bounds its stack; its time is linear
// in the size. Chosen so that the worst input of each kind that the fuzz
// targets found ends below 20 ms; the longest command of the shared logs has
// 41 kB. What exceeds a limit is opaque.
const (
	maxSource  = 64 << 10
	maxOpeners = 1000
)

// parsable says whether a command is within the limits. Invalid UTF-8 and NUL
// bytes, which shells and the parser treat differently, are not, nor are the
// marker bytes. The parser drops a carriage return before a newline and a shell
// does not, so one that may continue a line or end a here-document is not
// parsed either.
func parsable(command string) bool {
	if len(command) > maxSource {
		return false
	}
	openers := 0
	ascii, returns := true, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '(' || c == '{' || c == '`':
			openers++
		case c <= mark.Inside:
			return false
		case c == '\r':
			returns = true
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	if !ascii && !utf8.ValidString(command) {
		return false
	}
	if returns && (strings.Contains(command, "\\\r") || strings.Contains(command, "<<")) {
		return false
	}
	return openers <= maxOpeners && keywords(command) <= maxOpeners
}

// keywords bounds the nesting that words open (if, while, case, ...) and that
// operators chain. It over-counts, which only matters far above real use.
func keywords(command string) int {
	if len(command) < 2*maxOpeners {
		return 0
	}
	if strings.Contains(command, "((") || strings.Contains(command, "$[") || strings.Contains(command, "let") {
		ops := strings.Count(command, "+") + strings.Count(command, "-") + strings.Count(command, "*")
		if ops > 4*maxOpeners {
			return ops // a chain of operators nests as deep as it is long
		}
	}
	n := strings.Count(command, "if") + strings.Count(command, "do") + strings.Count(command, "case") + strings.Count(command, "!")
	return n
}

// parse parses a command line as bash does, with its comments. On an error the
// statements before it are returned with it.
func parse(command string) (*syntax.File, error) {
	if firstByte(command, '#') < 0 {
		return syntax.NewParser().Parse(strings.NewReader(command), "")
	}
	file, err := withComments(command)
	for range maxCommentCuts {
		ended := endComments(command, file)
		if ended == command {
			return file, err
		}
		command = ended
		file, err = withComments(command)
	}
	return file, errJoined
}

// A comment ends with its line, whatever its last character is (POSIX, 2.3 Token
// Recognition, rule 9). The parser takes a backslash there for a line that goes
// on, so that the next command would be read as arguments of the one before.
// The joins that one pass uncovers are cut in the next.
const maxCommentCuts = 8

var errJoined = errors.New("too many comments that end in a backslash")

func withComments(command string) (*syntax.File, error) {
	return syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(command), "")
}

// endComments returns the command with a blank for each backslash at the end of a
// comment, so that every offset stays.
func endComments(command string, file *syntax.File) string {
	if file == nil || !strings.Contains(command, "\\\n") && !strings.Contains(command, "\\\r") {
		return command
	}
	text := []byte(command)
	syntax.Walk(file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.Comment)
		if !ok || !strings.HasSuffix(c.Text, "\\\n") {
			return true
		}
		from := int(c.Pos().Offset())
		if end := firstByte(command[from:], '\n'); end > 0 {
			if i := lastByte(command[from:from+end], '\\'); i >= 0 {
				text[from+i] = ' '
			}
		}
		return true
	})
	return string(text)
}
