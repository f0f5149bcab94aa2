package settings

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/hosts"
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

// say is what orSay runs at hosts that block on exit 2 and show standard error.
const say = `command -v "$0" >/dev/null || echo "gbt: $0 is missing, so every call is blocked: ` +
	`install it (in a clone of gbt: go install ./cmd/gbt-hook) or run gbt hook uninstall $1" >&2; exit 2`

// orSay stands before OrBlock and says what to do where the hook program is
// missing: whoever clones a project with gbt's hook in its settings has never
// heard of gbt. It is a shell of its own because hosts start the line with the
// user's shell, which may not be one of POSIX's; and it blocks itself, so that
// OrBlock only stands for a shell that is missing too. The words behind it are
// the hook program and its host.
func orSay(s *hosts.Settings) string {
	return " || sh -c '" + cmp.Or(s.Else, say) + "' "
}

// SplitEnd parts a command line from what install puts behind the hook's own, which
// says what a hook that can't run comes to.
func SplitEnd(line string) (own, end string) {
	own = strings.TrimSuffix(line, OrBlock)
	if i, _ := said(own); i >= 0 && len(own) < len(line) {
		own = own[:i]
	}
	return own, line[len(own):]
}

// said returns where orSay of some host begins in a line and what is behind it, or -1.
func said(line string) (at int, rest string) {
	for _, name := range hosts.Names() {
		h, _ := hosts.Lookup(name)
		if i := strings.Index(line, orSay(&h.Settings)); i >= 0 {
			return i, line[i+len(orSay(&h.Settings)):]
		}
	}
	return -1, ""
}

// Words splits a command line of plain and quoted words, as quote writes them
// and people do, with what install puts behind them or not. ok is false for
// anything else that a shell would act on.
func Words(line string) (words []string, ok bool) {
	line, end := SplitEnd(line)
	if words, ok = split(line); !ok {
		return nil, false
	}
	if at, rest := said(end); at == 0 {
		named, _ := split(strings.TrimSuffix(rest, OrBlock))
		ok = len(words) > 1 && slices.Equal(named, words[:2])
	}
	return words, ok
}

func split(line string) (words []string, ok bool) {
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
