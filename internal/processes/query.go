package processes

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// This file matches processes as pgrep does, or more of them: a match too many asks.

// nameLength is how much of a name Linux keeps (proc_pid_comm(5)).
const nameLength = 15

// longArgs is from where on finders may cut off what they read of a command line.
const longArgs = 1000

// query is what pgrep was told.
type query struct{ full, whole, fold bool }

// compile makes a pattern of pgrep's into what it finds. Understood are plain texts, a point,
// a point with a star, alternatives, anchors at the ends and one letter in brackets: there an
// extended regular expression of POSIX means what one of Go means.
func (q query) compile(pattern string) (hits func(*gates.Process) bool, ok bool) {
	text, ends, ok := plainPattern(pattern)
	if !ok {
		return nil, false
	}
	flags := "(?s)"
	if q.fold {
		flags = "(?si)"
	}
	if q.whole {
		text, ends = "^(?:"+text+")$", true
	}
	re, err := regexp.Compile(flags + text)
	loose, err2 := regexp.Compile(flags + strings.ReplaceAll(text, "(?:.)", ".{0,4}"))
	if err != nil || err2 != nil {
		return nil, false
	}
	match := func(s string) bool {
		if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) >= 0 { // how many letters there are in it, the locale says
			return q.fold || loose.MatchString(s)
		}
		return re.MatchString(s) || ends && len(s) > longArgs
	}
	return func(p *gates.Process) bool {
		all := []string{p.Name, path.Base(p.Exe)}
		if len(p.Args) > 0 {
			all = append(all, path.Base(p.Args[0]))
		}
		if q.full {
			all = append(all, strings.Join(p.Args, " "))
		}
		return slices.ContainsFunc(all, match)
	}, true
}

// plainPattern is a pattern as Go writes it, with a point that stands for one letter in a group;
// ends says that it goes by where a text begins or ends.
func plainPattern(s string) (out string, ends, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		first, last := i == 0 || s[i-1] == '|', i == len(s)-1 || s[i+1] == '|'
		switch ch := s[i]; {
		case ch >= 'a' && ch <= 'z', ch >= 'A' && ch <= 'Z', ch >= '0' && ch <= '9', strings.IndexByte(" /_-:=,@%~&'\"!", ch) >= 0:
			b.WriteString(regexp.QuoteMeta(string(ch)))
		case ch == '\\' && i+1 < len(s) && s[i+1] == '.':
			b.WriteString(`\.`)
			i++
		case ch == '[' && i+2 < len(s) && s[i+2] == ']' && s[i+1] != '^' && s[i+1] != '[' && s[i+1] < 0x80:
			b.WriteString(regexp.QuoteMeta(s[i+1 : i+2]))
			i += 2
		case ch == '.' && i+1 < len(s) && s[i+1] == '*':
			b.WriteString(".*")
			i++
		case ch == '.':
			b.WriteString("(?:.)")
		case ch == '^' && first, ch == '$' && last:
			ends = true
			b.WriteByte(ch)
		case ch == '|':
			b.WriteByte(ch)
		default:
			return "", false, false
		}
	}
	return b.String(), ends, s != ""
}
