package shell

import (
	"slices"
	"strings"
)

// This file reads statements of PostgreSQL that are only of the session in which they stand:
// PREPARE of a statement that reads, EXECUTE of one that the same text prepared, and SET of
// what bounds or shapes the work of a query (PostgreSQL's manual, SQL Commands).

// sqlBounds are settings that bound how long a statement works and what it may use, or how the
// planner goes about it (PostgreSQL's manual, 20.4, 20.7 and 20.11). Sorted.
var sqlBounds = [...]string{
	"enable_bitmapscan", "enable_hashagg", "enable_hashjoin", "enable_indexonlyscan", "enable_indexscan", "enable_material", "enable_mergejoin", "enable_nestloop", "enable_seqscan", "enable_sort",
	"idle_in_transaction_session_timeout", "jit", "lock_timeout", "max_parallel_workers_per_gather", "random_page_cost", "statement_timeout", "work_mem",
}

// psqlSQLReads is SQLReads for a text that one session of PostgreSQL gets.
func psqlSQLReads(text string) bool {
	s := sqlScan{text: text, start: true, session: true}
	return s.reads()
}

// sessionWord reads on behind the first word of a statement of the session; known says whether
// it is one, ok whether it only reads.
func (s *sqlScan) sessionWord(w string) (known, ok bool) {
	switch {
	case !s.session:
	case w == "execute": // also behind EXPLAIN
		s.statements++
		s.start = false
		return true, slices.Contains(s.prepared, s.nextName())
	case !s.start:
	case w == "prepare":
		return true, s.prepare()
	case w == "set":
		s.statements++
		s.start = false
		return true, s.bounds()
	}
	return false, false
}

// prepare reads NAME [(TYPES)] AS; the statement that follows is read as any other.
func (s *sqlScan) prepare() bool {
	name := s.nextName()
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	if strings.HasPrefix(rest, "(") {
		n := 1
		for n < len(rest) && (isNameByte(rest[n]) || strings.IndexByte(" ,[]\n", rest[n]) >= 0) {
			n++
		}
		if n == len(rest) || rest[n] != ')' {
			return false
		}
		rest = rest[n+1:]
	}
	s.pos = len(s.text) - len(rest)
	s.prepared = append(s.prepared, name)
	return name != "" && s.nextName() == "as"
}

// bounds reads [SESSION | LOCAL] NAME = VALUE, or TO for the sign.
func (s *sqlScan) bounds() bool {
	name := s.nextName()
	if name == "session" || name == "local" {
		name = s.nextName()
	}
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	s.pos = len(s.text) - len(rest)
	if strings.HasPrefix(rest, "=") {
		s.pos++
	} else if s.nextName() != "to" {
		return false
	}
	return searchNames(sqlBounds[:], name)
}

// nextName is the next word in small letters, empty where something else follows.
func (s *sqlScan) nextName() string {
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	n := nameLen(rest)
	s.pos = len(s.text) - len(rest) + n
	return strings.ToLower(rest[:n])
}

// parameterLen is the length of a parameter of a prepared statement at the beginning of a
// text, $1; 0 for anything else.
func parameterLen(text string) int {
	n := 1
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == 1 || n < len(text) && (text[n] == '$' || isNameByte(text[n])) {
		return 0
	}
	return n
}
