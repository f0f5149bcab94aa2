package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestSQLReads(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"select 1", true},
		{"SELECT count(*) FROM t WHERE a IN (1, 2) ORDER BY 1;", true},
		{"with x as (select 1 as a) select a from x", true},
		{"select 'drop table t; -- it''s text'", true},
		{`select "delete" from t`, false},
		{"explain (analyze, buffers) select 1", true},
		{"pragma table_info(users)", true},
		{"pragma user_version", true},
		{"pragma user_version(7)", false},
		{"pragma user_version = 7", false},
		{"pragma journal_mode(delete)", false},
		{"select 1; drop table t", false},
		{"with x as (delete from t returning *) select * from x", false},
		{"select * into t2 from t", false},
		{"select pg_read_file('/etc/passwd')", false},
		{`select "pg_read_file"('/etc/passwd')`, false},
		{"select [readfile]('/etc/passwd')", false},
		{"select 1 -- comment", false},
		{"select /*!50000 1 into outfile 'x' */ 1", false},
		{`select 'a\'', load_file('x') -- '`, false},
		{"select $$ $$", false},
		{"select * from mysql.user", false},
		{"select mysql from t", true},
		{"select 'open", false},
		{"", false},
		{";", false},
		{"(select 1) union (select 2)", true},
		{"call f()", false},
	} {
		if got := SQLReads(tt.text); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}

func TestQueryListsAreSorted(t *testing.T) {
	for name, l := range map[string][]string{"sqlStarts": sqlStarts[:], "sqlWrites": sqlWrites[:], "sqlPragmas": strings.Fields(sqlPragmas), "sqlCalls": strings.Fields(sqlCalls), "serverReads": strings.Fields(serverReads)} {
		if len(l) == 0 || !slices.IsSorted(l) {
			t.Errorf("%s is empty or unsorted", name)
		}
	}
}

// FuzzSQLReads: what only reads stops doing so with a writing statement behind
// it, and no writing word hides in it outside quotes.
func FuzzSQLReads(f *testing.F) {
	for _, s := range []string{"select 1", "select 'a''b'", `select "a" from t;`, "pragma table_info(t)", "with x as (select 1) select * from x", "select e'\\''", "(select 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !SQLReads(text) {
			return
		}
		for _, more := range []string{"; drop table t", " into outfile 'x'", "; select load_extension('x')"} {
			if SQLReads(text + more) {
				t.Fatalf("%q reads with %q", text, more)
			}
		}
	})
}

// A name in quotes where a statement says what it reads from may be a file or a
// page (DuckDB, "Direct Query on Files"; ClickHouse, file tables).
func TestSQLReadsFromFiles(t *testing.T) {
	for _, q := range []string{
		"SELECT * FROM '/etc/passwd'", "select a from t, '/srv/x.csv'", `SELECT * FROM "https://a.example/x.csv"`, "SELECT * FROM t JOIN 'b.parquet' ON t.a = 1",
		"FROM 'x.csv' SELECT 1", "DESCRIBE '/etc/shadow.csv'", "describe \"/srv/x.csv\"", "SUMMARIZE '/srv/x.csv'", "SELECT * FROM ('/srv/x.csv')", "WITH c AS (SELECT 1 FROM 'x') SELECT * FROM c", "SELECT (SELECT a FROM 'x.csv' LIMIT 1)",
	} {
		if SQLReads(q) {
			t.Errorf("%s only reads the database", q)
		}
	}
	for _, q := range []string{"SELECT 'a/b', 'c' FROM t WHERE p = '/x' AND q IN ('a', 'b')", `SELECT "a" FROM "t", "u" ORDER BY 'x', 'y'`, "SELECT a FROM t WHERE b = 'x' GROUP BY a HAVING c = 'y'", "DESCRIBE t", "SELECT a FROM t ORDER BY b DESC, 'x'"} {
		if !SQLReads(q) {
			t.Errorf("%s does not only read", q)
		}
	}
}
