package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// sqlStarts are the words that statements start with that only read. The
// writing forms of WITH and EXPLAIN hold a word of sqlWrites. Sorted.
var sqlStarts = [...]string{"desc", "describe", "explain", "pragma", "select", "show", "table", "use", "values", "with"}

// sqlWrites are words that no reading statement holds: those of data-changing
// WITH, of SELECT INTO and its files, and SQLite's tables that are files.
// Tables of passwords are effect's (SecretTable). Sorted.
var sqlWrites = [...]string{
	"csv", "delete", "dumpfile", "fsdir", "infile", "insert", "into", "merge", "outfile", "procedure", "sqlite_dbpage", "update", "zipfile",
}

// sqlPragmas are SQLite's pragmas that only tell something (sqlite.org/pragma.html);
// their argument in parentheses names a table. Sorted.
const sqlPragmas = "application_id collation_list compile_options database_list encoding foreign_key_check foreign_key_list foreign_keys freelist_count function_list index_info index_list " +
	"index_xinfo integrity_check journal_mode module_list page_count page_size pragma_list quick_check schema_version table_info table_list table_xinfo user_version"

// sqlCalls are functions that compute from their arguments or tell something
// about the database, and keywords and types that stand before a parenthesis.
// A function that is not listed may read files, run programs or change data.
// From the manuals of PostgreSQL (9), MySQL (14) and SQLite. Sorted.
const sqlCalls = "abs age all and any array_agg array_length as avg between by cast ceil ceiling char char_length coalesce col_description concat concat_ws convert count curdate " +
	"current_database current_schema database date date_add date_format date_part date_sub date_trunc datediff datetime day decimal dense_rank distinct else except exists extract " +
	"filter first_value floor format format_type from from_unixtime generate_series greatest group_concat having hex hour if ifnull iif in instr intersect is join json_agg " +
	"json_array_length json_each json_extract json_object jsonb_agg jsonb_array_length jsonb_object_agg julianday key lag last_insert_rowid last_value lead least left length like " +
	"limit lower lpad ltrim max md5 min minute mod month not now ntile nullif numeric obj_description octet_length offset on only or over partition percentile_cont " +
	"pg_database_size pg_get_constraintdef pg_get_functiondef pg_get_indexdef pg_get_viewdef pg_indexes_size pg_is_in_recovery pg_relation_size pg_size_pretty pg_table_size " +
	"pg_total_relation_size position power pragma_index_list pragma_table_info quote_ident random rank regclass replace right round row row_number row_to_json rpad rtrim schema " +
	"select some split_part sqlite_version sqrt stddev str_to_date strftime string_agg strpos substr substring sum then time timestampdiff to_char to_date to_timestamp total trim " +
	"typeof union unix_timestamp unixepoch unnest upper using values varchar variance version when where with within year"

// SQLReads says whether every statement of a text only reads. It splits the text
// into words as the manuals of PostgreSQL, MySQL and SQLite do where they agree;
// where they differ (comments, backslashes, dollar quotes, brackets, strings with
// a prefix), the text is not taken for reading.
func SQLReads(text string) bool {
	s := sqlScan{text: text, start: true}
	for s.pos < len(s.text) {
		if !s.token() {
			return false
		}
	}
	return s.statements > 0
}

type sqlScan struct {
	text       string
	pos        int
	start      bool // at the start of a statement
	statements int
	pragma     bool
	from       bool // in the list of what a statement reads from
	source     bool // what comes next is one of that list
}

func (s *sqlScan) token() bool {
	rest := s.text[s.pos:]
	switch c := rest[0]; {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.pos++
	case c == ';':
		s.pos++
		s.start, s.pragma, s.from, s.source = true, false, false, false
	case strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*") || firstByte("#\\$[{}", c) >= 0 || c >= 0x80 || c < ' ':
		return false
	case c == '\'':
		n := sqlQuoted(rest)
		s.pos += n
		return n > 0 && !s.start && !s.source // DuckDB and ClickHouse read a file or a page of that name
	case c == '"' || c == '`':
		n := sqlQuoted(rest)
		if n <= 2 {
			return false
		}
		s.pos += n
		if s.source && strings.ContainsAny(rest[1:n-1], "/\\:*") {
			return false
		}
		return !s.start && s.word(strings.ToLower(rest[1:n-1]))
	case isNameByte(c):
		n := nameLen(rest)
		s.pos += n
		if s.pos < len(s.text) && s.text[s.pos] == '\'' && c > '9' {
			return false // E'', x'', N''
		}
		return s.word(strings.ToLower(rest[:n]))
	case c == '=' && s.pragma:
		return false
	default:
		s.pos++
		s.source = s.from && c == ',' || s.source && c == '('
		return !s.start || c == '('
	}
	return true
}

// place follows where a statement lists what it reads from.
func (s *sqlScan) place(w string) {
	s.source = false
	switch w {
	case "from", "join", "using", "table":
		s.from, s.source = true, true
	case "where", "group", "order", "having", "limit", "select", "union", "window", "on":
		s.from = false
	case "lateral", "only":
		s.source = s.from
	case "desc", "describe":
		s.source = s.start
	}
}

func (s *sqlScan) word(w string) bool {
	s.place(w)
	if s.start {
		s.start = false
		s.statements++
		s.pragma = w == "pragma"
		return searchNames(sqlStarts[:], w)
	}
	if searchNames(sqlWrites[:], w) || names.SecretTable(w) {
		return false
	}
	after := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	if s.pragma {
		return s.pragmaWord(w, after)
	}
	if w == "mysql" && strings.HasPrefix(after, ".") {
		return false // its accounts
	}
	return !strings.HasPrefix(after, "(") || w[0] <= '9' || mark.Among(sqlCalls, w)
}

// pragmaWord judges the name of a pragma or its argument. An argument names a
// table for those that describe one; for the others it is a value to set.
func (s *sqlScan) pragmaWord(w, after string) bool {
	if !mark.Among(sqlPragmas, w) {
		return strings.HasPrefix(after, ")")
	}
	return !strings.HasPrefix(after, "(") || strings.HasSuffix(w, "_info") || strings.HasSuffix(w, "_xinfo") || strings.HasSuffix(w, "_list")
}

// sqlQuoted is the length of a quoted word, 0 if its end is not certain.
func sqlQuoted(s string) int {
	q := s[0]
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i+1 >= len(s) || !isNameByte(s[i+1]) && s[i+1] != '%' {
				return 0 // it may quote what follows, or be a character
			}
		case q:
			if i+1 < len(s) && s[i+1] == q {
				i++
				continue
			}
			return i + 1
		}
	}
	return 0
}
