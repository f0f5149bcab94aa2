package settings

import (
	"path"
	"strings"
)

// quote writes a word so that a POSIX shell reads it back as it is.
func quote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// OrBlock ends a command line whose hook must block when it can't: to a shell it
// turns whatever a hook that is killed or missing ends with into the exit code
// that every host blocks on.
const OrBlock = " || exit 2"

// Words splits a command line of plain and quoted words, as quote writes them
// and people do, with OrBlock behind them or not. ok is false for anything else
// that a shell would act on.
func Words(line string) (words []string, ok bool) {
	line = strings.TrimSuffix(line, OrBlock)
	var b strings.Builder
	open := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			if open {
				words, open = append(words, b.String()), false
				b.Reset()
			}
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 || c == '"' && strings.ContainsAny(line[i+1:i+1+end], "\\`") {
				return nil, false
			}
			b.WriteString(line[i+1 : i+1+end])
			i += end + 1
			open = true
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
			open = true
		case strings.IndexByte("|&;<>()`\n\\", c) >= 0:
			return nil, false
		default:
			b.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words, true
}

// IsHook says whether a command line runs gbt-hook for a host.
func IsHook(line, host string) bool {
	words, ok := Words(line)
	if !ok || len(words) < 2 {
		return false
	}
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(words[0], `\`, "/")), ".exe")
	return name == "gbt-hook" && words[1] == host
}
