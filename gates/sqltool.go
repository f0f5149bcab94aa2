package gates

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// sql judges a database tool: by its statement where it has one, else by its
// verb.
func (b *builder) sql() {
	if q, ok := b.first("sql", "query", "statement", "input", "command", "code", "q"); ok && b.c.Class.Verb != VerbRead {
		b.statement(q)
		return
	}
	b.record()
}

// sqlWords maps the words that SQL statements change things with to what they
// do. A word anywhere outside quotes counts, so that a second statement or a
// data-changing WITH is seen; reading words are not listed.
var sqlWords = [...]struct {
	word string
	kind Kind
	op   Op
}{
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

func (b *builder) statement(q string) {
	read := true
	for i := 0; i < len(q); {
		switch c := q[i]; {
		case c == '\'' || c == '"' || c == '`':
			i += quotedLen(q[i:])
		case strings.HasPrefix(q[i:], "--") || c == '#':
			for i < len(q) && q[i] != '\n' {
				i++
			}
		case isLetter(c) || c == '_':
			n := 1
			for i+n < len(q) && (isLetter(q[i+n]) || q[i+n] == '_' || q[i+n] >= '0' && q[i+n] <= '9') {
				n++
			}
			w := strings.ToLower(q[i : i+n])
			if j, ok := find(sqlWords[:], w, func(e struct {
				word string
				kind Kind
				op   Op
			}) string {
				return e.word
			}); ok {
				read = false
				b.add(Effect{Kind: sqlWords[j].kind, Op: sqlWords[j].op, Zone: effect.ZoneRecord, Resource: "sql " + w})
			}
			i += n
		default:
			i++
		}
	}
	if read {
		b.add(Effect{Kind: effect.List, Op: effect.OpSearch, Zone: effect.ZoneRecord, Resource: "sql"})
	}
}

func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == s[0] {
			return i + 1
		}
	}
	return len(s)
}
