package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges statements of SQLite that add to the database or change it. The database
// is a file that the line names: where that lies in the workspace, such a statement is a
// change of a file there. What takes rows, columns or tables away, and what reaches another
// file, is none of them.

// sqlAdds are the words that such statements start with (sqlite.org/lang.html), and sqlLeaves
// those that none of them may hold: they take something away, or name another file.
const (
	sqlAdds   = "alter analyze begin commit create end insert update"
	sqlLeaves = "attach delete detach drop replace rename rollback trigger truncate vacuum virtual"
)

// memoryLeaves are those of sqlLeaves that take away what the line has put in itself, where the
// database is no file.
const memoryLeaves = "delete drop rename replace rollback"

// sqlNamed are words behind which a name may stand before a parenthesis and be no function.
const sqlNamed = "exists into references table"

// sqliteAdds says whether each line of an argument of sqlite3 reads, adds or changes, and is
// SQL; reads says that it only reads.
func sqliteAdds(text string, memory bool) bool {
	rest := strings.TrimSpace(text)
	if rest == "" || strings.HasPrefix(rest, ".") || strings.Contains(rest, "\n.") {
		return false
	}
	var kept strings.Builder
	before, statement := "", ""
	for i := 0; i < len(rest); {
		switch c := rest[i]; {
		case c == '\'' || c == '"' || c == '`':
			n := sqlQuoted(rest[i:])
			if n == 0 {
				return false
			}
			kept.WriteString(rest[i : i+n])
			i += n
			continue
		case isNameByte(c):
			n := nameLen(rest[i:])
			word := strings.ToLower(rest[i : i+n])
			first := strings.TrimSpace(kept.String())
			starts := first == "" || strings.HasSuffix(first, ";")
			if starts {
				statement = word
			}
			if word == "index" && statement == "create" && (before == "create" || before == "unique") {
				statement = "create index" // the one statement in which ON names a table
			}
			switch {
			case hasWord(sqlLeaves, word) && !(memory && hasWord(memoryLeaves, word)):
				return false
			case starts && (hasWord(sqlAdds, word) || memory && hasWord(memoryLeaves, word)):
				kept.WriteString("select") // judged as the reading statement with the same parts
			case word == "into" || word == "update" || word == "insert":
				kept.WriteString("x")
			case (hasWord(sqlNamed, before) || before == "on" && statement == "create index") && word != "select" && strings.HasPrefix(strings.TrimLeft(rest[i+n:], " \t\n"), "("):
				kept.WriteString("count")
			case word == "check" || word == "unique" || word == "default" || word == "numeric" || word == "references":
				kept.WriteString("and")
			default:
				kept.WriteString(rest[i : i+n])
			}
			before, i = word, i+n
			continue
		default:
			kept.WriteByte(c)
		}
		i++
	}
	return SQLReads(kept.String())
}

// sqliteImports is the file that the command .import of sqlite3 reads (sqlite.org/cli.html);
// ok is false for all else.
func sqliteImports(text string) (file string, ok bool) {
	words := strings.Fields(text)
	if len(words) < 3 || words[0] != ".import" || strings.ContainsAny(text, "\n|'\"\\") {
		return "", false
	}
	words = words[1:]
	for len(words) > 2 {
		switch words[0] {
		case "--csv", "-csv", "--ascii", "-ascii", "-v":
			words = words[1:]
		case "--skip", "-skip":
			words = words[2:]
		default:
			return "", false
		}
	}
	return words[0], len(words) == 2
}

// sqliteChanges judges what sqlite3 is told that does not only read; false where it asks.
func (r *toolRun) sqliteChanges(word string) bool {
	if len(r.operands) > 0 && r.operands[0] == ":memory:" {
		return !hasOption(r.m.argv, "-init", "--init", "-cmd", "--cmd") && r.inMemory(word) // these may open another
	}
	if len(r.operands) == 0 || mark.Has(r.operands[0]) || strings.Contains(r.operands[0], ":") {
		return false
	}
	file, imports := sqliteImports(word)
	if !imports && !sqliteAdds(word, false) {
		return false
	}
	if imports {
		r.read(file)
	}
	r.m.write(r.operands[0], effect.OpModify)
	return true
}

// inMemory judges what sqlite3 is told for a database that is no file and is gone when it ends: that
// reads no more than the files that it imports.
func (r *toolRun) inMemory(word string) bool {
	var sql strings.Builder
	var files []string
	for line := range strings.Lines(word) {
		line = strings.TrimSpace(line)
		file, imports := sqliteImports(line)
		switch {
		case !strings.HasPrefix(line, "."):
			sql.WriteString(line + "\n")
		case imports:
			files = append(files, file)
		case !sqliteReads(line):
			return false
		}
	}
	if text := strings.TrimSpace(sql.String()); text != "" && !sqliteAdds(text, true) {
		return false
	}
	for _, file := range files {
		r.read(file)
	}
	return true
}

// sqliteStays is the path of the database that statements of sqlite3 change and which may take away
// rows, columns and tables, where they reach no other file; empty where they may.
func (r *toolRun) sqliteStays(text string) string {
	if len(r.operands) == 0 || mark.Has(r.operands[0]) || strings.ContainsAny(r.operands[0], ":?%") || hasOption(r.m.argv, "-init", "--init", "-cmd", "--cmd") {
		return ""
	}
	if !strings.ContainsAny(text, "'\"`") { // then each semicolon ends a statement
		var kept []string
		for s := range strings.SplitSeq(text, ";") {
			if s = strings.TrimSpace(s); s != "" && !strings.EqualFold(s, "vacuum") {
				kept = append(kept, s)
			}
		}
		text = strings.Join(kept, ";")
	}
	if text != "" && !sqliteAdds(text, true) {
		return ""
	}
	return r.m.p.Resolve(r.m.cwd, r.operands[0])
}
