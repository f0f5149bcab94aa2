package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges what two clients are asked that psql and sqlite3 have no like of:
// DuckDB's statements, which read files by their names, and expressions of the MongoDB
// shell, which is a language of programs.

// asksFile judges psql -f FILE, which neither reads its input nor waits for a person
// (psql manual, -f). A file that the session wrote is judged by its statements; any other may
// hold one that changes or deletes.
func (r *toolRun) asksFile() bool {
	i := slices.IndexFunc(r.words, func(w string) bool { return w == "-f" || w == "--file" })
	if r.t.name != "psql" || i < 0 || i+1 == len(r.words) || r.words[i+1] == "-" {
		return false
	}
	m, name := r.m, r.words[i+1]
	full := m.p.Resolve(m.cwd, name)
	text, known := "", false
	for _, f := range m.p.Made {
		if f.Path == full {
			text, known = f.Text, f.Known
		}
	}
	if f, ok := m.written(full); ok {
		text, known = f.text, f.known && !f.net
	}
	if !known || mark.Has(text) {
		m.escape(r.t.name + " runs " + name)
	} else {
		r.query(rolePsql, strings.TrimSpace(text))
	}
	return true
}

// duckdbReaders are functions of DuckDB that read the files which their first argument names (its
// documentation, Data Import). Sorted.
var duckdbReaders = [...]string{"parquet_metadata", "parquet_schema", "parquet_scan", "read_csv", "read_csv_auto", "read_json", "read_json_auto", "read_ndjson", "read_parquet", "read_text"}

// duckdbReads judges statements of DuckDB. A string where a table may stand is a file that
// it reads, and one that is an address is fetched.
func (r *toolRun) duckdbReads(text string) bool {
	if strings.ContainsAny(text, "\"`$\\") {
		return SQLReads(fromFirst(text)) // quotes of other kinds may hold the ones looked for below
	}
	var sql strings.Builder
	for rest := text; ; {
		open := firstByte(rest, '\'')
		if open < 0 {
			sql.WriteString(rest)
			break
		}
		n := sqlQuoted(rest[open:])
		if n <= 2 {
			return false
		}
		before, file := rest[:open], rest[open+1:open+n-1]
		rest = rest[open+n:]
		kept, reads := duckdbFile(before)
		if !reads {
			sql.WriteString(before + "''")
			continue
		}
		if addressed(file) || strings.Contains(file, "'") || mark.Has(file) {
			return false
		}
		r.m.read(strings.NewReplacer("*", string(rune(mark.Star)), "?", string(rune(mark.One)), "[", string(rune(mark.Class))).Replace(file))
		sql.WriteString(kept)
	}
	out := strings.TrimSpace(sql.String())
	if first, rest, ok := cutAt(out, " "); ok && strings.EqualFold(first, "summarize") {
		out = "describe " + rest
	}
	return SQLReads(fromFirst(out))
}

// fromFirst writes a statement of DuckDB that begins with what it reads from as others begin: it
// selects all, or what it says behind that (its documentation, FROM and JOIN, "FROM-first").
func fromFirst(text string) string {
	text = strings.TrimLeft(text, " \t\r\n")
	if len(text) > 5 && strings.EqualFold(text[:4], "from") && firstByte(" \t\r\n", text[4]) >= 0 {
		return "select * " + text
	}
	return text
}

// duckdbFile says whether the string that comes next names a file, and what of the text
// before it stands for the two in plain SQL.
func duckdbFile(before string) (kept string, ok bool) {
	left := strings.TrimRight(before, " \t\r\n")
	inner, call := cutSuffix(left, "(")
	word := strings.TrimRight(inner, " ")
	word = strings.ToLower(word[strings.LastIndexFunc(word, func(c rune) bool { return c > 'z' || !isNameByte(byte(c)) })+1:])
	switch {
	case call && searchNames(duckdbReaders[:], word):
		return inner[:len(strings.TrimRight(inner, " "))-len(word)] + "max(f", true
	case !call && (word == "from" || word == "join" || word == "describe" || word == "summarize"):
		return before + "f", true
	}
	return "", false
}

// mongoReaders are methods of a database or a collection that only tell something
// (mongosh's manual, Methods). Sorted.
const mongoReaders = "aggregate count countDocuments dataSize distinct estimatedDocumentCount explain find findOne getCollectionInfos getCollectionNames getIndexes getName hostInfo isCapped " +
	"listCommands serverBuildInfo serverStatus stats storageSize totalIndexSize totalSize version"

// mongoCursors are methods of a cursor, and of what it gives, that change nothing. Sorted.
var mongoCursors = [...]string{"count", "explain", "hint", "itcount", "limit", "pretty", "project", "projection", "size", "skip", "sort", "toArray"}

// mongoPrinters print an expression. Sorted.
var mongoPrinters = [...]string{"EJSON.stringify", "JSON.stringify", "print", "printjson"}

// mongoRuns are words of an argument that runs code or writes (MongoDB's manual, $where,
// $function, $accumulator, $out, $merge, mapReduce).
var mongoRuns = [...]string{"=>", "function", "$where", "$accumulator", "$out", "$merge", "`", "\\", "//", "/*"}

// mongoReads says whether an expression of mongosh is db, names of a collection, one method
// that reads and methods of its cursor, each with arguments that hold no code.
func mongoReads(text string) bool {
	if slices.ContainsFunc(mongoRuns[:], func(w string) bool { return strings.Contains(text, w) }) || mark.Has(text) {
		return false
	}
	text = strings.TrimSpace(trimSuffix(strings.TrimSpace(text), ";"))
	if name, rest, ok := cutAt(text, "("); ok && searchNames(mongoPrinters[:], strings.TrimSpace(name)) {
		inner, closed := cutSuffix(rest, ")")
		return closed && mongoReads(inner)
	}
	rest, ok := cutPrefix(text, "db.")
	reads := false
	for ok && rest != "" {
		n := nameLen(rest)
		name, after := rest[:n], rest[n:]
		if n == 0 {
			return false
		}
		if !strings.HasPrefix(after, "(") {
			if rest, ok = cutPrefix(after, "."); reads {
				return false
			}
			continue
		}
		end := mongoArguments(after)
		if end == 0 || !mongoStep(name, &reads) {
			return false
		}
		if rest = after[end:]; rest != "" {
			rest, ok = cutPrefix(rest, ".")
			ok = ok && rest != ""
		}
	}
	return ok && reads
}

// mongoStep follows one call of the chain.
func mongoStep(name string, reads *bool) bool {
	switch {
	case name == "getSiblingDB" || name == "getCollection":
		return !*reads
	case !*reads:
		*reads = mark.Among(mongoReaders, name)
		return *reads
	}
	return searchNames(mongoCursors[:], name)
}

// mongoArguments is the length of arguments in parentheses; in them only values and calls
// of the types of values stand.
func mongoArguments(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			end := firstByte(s[i+1:], c)
			if end < 0 {
				return 0
			}
			i += end + 1
		case '(':
			if depth > 0 && !mongoValue(s[:i]) {
				return 0
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case ';', '=', '+':
			return 0
		}
	}
	return 0
}

// mongoValue says whether a text ends in the name of a type of value.
func mongoValue(s string) bool {
	for _, t := range [...]string{"ObjectId", "ISODate", "Date", "NumberInt", "NumberLong", "NumberDecimal", "UUID", "Timestamp"} {
		if rest, ok := cutSuffix(s, t); ok && (rest == "" || !isNameByte(rest[len(rest)-1]) && rest[len(rest)-1] != '.') {
			return true
		}
	}
	return false
}
