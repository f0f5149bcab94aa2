package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// sql judges a database tool: by its statements where it has any, else by its
// verb. Which of two a server runs is not known here, so both count. What only
// reads by its name takes statements too (read_query), and those are judged.
func (b *builder) sql() {
	found := false
	for _, key := range [...]string{"sql", "query", "statement", "input", "command", "code", "q"} {
		if q, ok := b.first(key); ok && (b.c.Class.Verb != effect.VerbRead || startsStatement(q)) {
			b.statement(q)
			found = true
		}
	}
	if !found {
		b.record()
	}
}

type sqlEntry struct {
	word string
	kind effect.Kind
	op   effect.Op
}

// sqlWords maps the words that SQL statements change things with to what they
// do. A word anywhere outside quotes counts, so that a second statement or a
// data-changing WITH is seen; reading words are not listed.
var sqlWords = [...]sqlEntry{
	{"alter", effect.Write, effect.OpModify},
	{"attach", effect.Spawn, effect.OpEscape},
	{"call", effect.Spawn, effect.OpEscape},
	{"copy", effect.Spawn, effect.OpEscape},
	{"create", effect.Write, effect.OpCreate},
	{"delete", effect.Delete, effect.OpRemove},
	{"detach", effect.Write, effect.OpModify},
	{"drop", effect.Delete, effect.OpRemoveTree},
	{"dumpfile", effect.Spawn, effect.OpEscape},
	{"exec", effect.Spawn, effect.OpEscape},
	{"execute", effect.Spawn, effect.OpEscape},
	{"grant", effect.Setting, effect.OpPrivilege},
	{"insert", effect.Write, effect.OpCreate},
	{"load_extension", effect.Spawn, effect.OpEscape},
	{"load_file", effect.Spawn, effect.OpEscape},
	{"merge", effect.Write, effect.OpModify},
	{"outfile", effect.Spawn, effect.OpEscape},
	{"pg_read_file", effect.Spawn, effect.OpEscape},
	{"rename", effect.Write, effect.OpModify},
	{"revoke", effect.Setting, effect.OpPrivilege},
	{"shutdown", effect.Setting, effect.OpService},
	{"truncate", effect.Delete, effect.OpRemoveTree},
	{"update", effect.Write, effect.OpModify},
	{"vacuum", effect.Write, effect.OpModify},
	{"xp_cmdshell", effect.Spawn, effect.OpEscape},
}

// statement judges SQL: what it changes by its words, and as something that
// nobody knows where it has none of them and is not one that only reads.
func (b *builder) statement(q string) {
	read, ends, n0 := true, strings.LastIndex(q, "*/"), len(b.c.Effects)
	for i := 0; i < len(q) && len(b.c.Effects)-n0 < maxSQLEffects; {
		switch c := q[i]; {
		case c == '\'' || c == '"' || c == '`':
			i += quotedLen(q[i:])
		case commentLen(q[i:], i < ends) > 0:
			i += commentLen(q[i:], i < ends)
		case isLetter(c) || c == '_':
			n := 1
			for i+n < len(q) && (isLetter(q[i+n]) || q[i+n] == '_' || q[i+n] >= '0' && q[i+n] <= '9') {
				n++
			}
			w := strings.ToLower(q[i : i+n])
			if j, ok := find(sqlWords[:], w, func(e sqlEntry) string { return e.word }); ok {
				read = false
				b.add(effect.Effect{Kind: sqlWords[j].kind, Op: sqlWords[j].op, Zone: effect.ZoneRecord, Resource: "sql " + w})
			}
			i += n
		default:
			i++
		}
	}
	switch {
	case !read:
	case shell.SQLReads(withoutComments(q)):
		b.add(effect.Effect{Kind: effect.List, Op: effect.OpSearch, Zone: effect.ZoneRecord, Resource: "sql"})
	default:
		b.add(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunUnknown, Zone: effect.ZoneRecord, Resource: "sql"})
	}
}

// maxSQLEffects bounds the effects of one statement, which already asks.
const maxSQLEffects = 256

// commentLen is the length of the comment that a text begins with, or 0: -- and a
// blank up to the end of the line, and /* up to the first */, in which all
// dialects agree. MySQL runs what stands in /*! and takes -- without a blank for
// two signs; nested comments go on for PostgreSQL only. ends says whether there is
// a */ to look for: many that never end would each be looked through to the end.
func commentLen(s string, ends bool) int {
	switch {
	case s == "--" || strings.HasPrefix(s, "--") && strings.ContainsRune(" \t\r\n", rune(s[2])):
		n := strings.IndexByte(s, '\n')
		if n < 0 {
			return len(s)
		}
		return n
	case ends && strings.HasPrefix(s, "/*") && !strings.HasPrefix(s, "/*!") && !strings.HasPrefix(s, "/*M"):
		if n := strings.Index(s[2:], "*/"); n >= 0 {
			return n + 4
		}
	}
	return 0
}

// withoutComments takes the comments out of a statement, and leaves those where
// dialects differ about what is quoted, which is then no reading statement.
func withoutComments(q string) string {
	var out strings.Builder
	ends := strings.LastIndex(q, "*/")
	for i := 0; i < len(q); {
		n := 1
		switch c := q[i]; {
		case c == '#' || c == '$':
			return q
		case c == '\'' || c == '"' || c == '`':
			n = quotedLen(q[i:])
			if quotesQuote(q[i : i+n]) {
				return q
			}
			out.WriteString(q[i : i+n])
		case commentLen(q[i:], i < ends) > 0:
			n = commentLen(q[i:], i < ends)
			out.WriteByte(' ')
		default:
			out.WriteByte(c)
		}
		i += n
	}
	return out.String()
}

// quotesQuote says whether a backslash in a string may quote its end, as it does
// for MySQL.
func quotesQuote(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' && !isLetter(s[i+1]) && s[i+1] != '%' && s[i+1] != '_' {
			return true
		}
	}
	return false
}

func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == s[0] {
			return i + 1
		}
	}
	return len(s)
}
