package gates

import (
	"strings"
	"testing"
)

// TestOwnDatabases: rows and tables may be taken away where the database is one file that the
// session made, or one in a directory for temporary files that it could delete.
func TestOwnDatabases(t *testing.T) {
	const copied = "cp dev.db copy.db"
	for _, tt := range []struct {
		name  string
		lines []string
		asks  bool
	}{
		{"a temporary one", []string{`sqlite3 /tmp/x.db "delete from t where id > 10; vacuum; pragma integrity_check"`}, false},
		{"one that is made there", []string{`sqlite3 /tmp/none.db "create table t(a); drop table t"`}, false},
		{"from the line's own text", []string{"sqlite3 /tmp/x.db <<'S'\nbegin;\ndelete from t;\nalter table t drop column c;\ncommit;\nS"}, false},
		{"a copy in the workspace", []string{copied, `sqlite3 copy.db "delete from t; select count(*) from t"`}, false},
		{"a copy of the same line", []string{copied + ` && sqlite3 copy.db "delete from t"`}, false},
		{"a table of strings", []string{`sqlite3 /tmp/x.db "delete from t where a = 'x;y'; replace into t values ('z')"`}, false},
		{"migrations of one", []string{"DATABASE_URL=sqlite:////tmp/squash.sqlite3 python manage.py migrate"}, false},
		{"migrations, behind an export", []string{"export DATABASE_URL=sqlite:////tmp/x.db; bin/rails db:migrate"}, false},

		{"one of the workspace", []string{`sqlite3 dev.db "delete from t"`}, true},
		{"one that git holds", []string{`sqlite3 kept.db "delete from t"`}, true},
		{"the one that was copied", []string{copied, `sqlite3 dev.db "delete from t"`}, true},
		{"one that was there when it was copied over", []string{"cp dev.db old.db", `sqlite3 old.db "drop table t"`}, true},
		{"a hidden one", []string{`sqlite3 /tmp/.x.db "delete from t"`}, true},
		{"one of others", []string{`sqlite3 /tmp/theirs.db "delete from t"`}, true},
		{"of the home", []string{`sqlite3 ~/x.db "delete from t"`}, true},
		{"elsewhere for good", []string{`sqlite3 /var/tmp/x.db "delete from t"`}, true},
		{"computed", []string{`sqlite3 "/tmp/$X.db" "delete from t"`}, true},
		{"where a variable says", []string{`sqlite3 "$TMPDIR/x.db" "delete from t"`}, true},
		{"by an address", []string{`sqlite3 "file:/tmp/x.db?vfs=y" "delete from t"`}, true},
		{"with another one", []string{`sqlite3 /tmp/x.db "attach 'dev.db' as d; delete from d.t"`}, true},
		{"opened by a command", []string{`sqlite3 /tmp/x.db ".open dev.db" "delete from t"`}, true},
		{"opened by an option", []string{`sqlite3 -cmd ".open dev.db" /tmp/x.db "delete from t"`}, true},
		{"opened by a file", []string{`sqlite3 -init x.sql /tmp/x.db "delete from t"`}, true},
		{"a file beside it", []string{`sqlite3 /tmp/x.db "vacuum into 'dev.db'"`}, true},
		{"a function that writes", []string{`sqlite3 /tmp/x.db "delete from t where writefile('dev.db', '')"`}, true},
		{"a function that loads", []string{`sqlite3 /tmp/x.db "delete from t; select load_extension('./x')"`}, true},
		{"a trigger", []string{`sqlite3 /tmp/x.db "create trigger a after delete on t begin delete from u; end"`}, true},
		{"a table that is a file", []string{`sqlite3 /tmp/x.db "create virtual table a using csv(filename='/etc/passwd')"`}, true},
		{"a program", []string{`sqlite3 /tmp/x.db ".shell rm dev.db"`}, true},
		{"its output", []string{`sqlite3 /tmp/x.db "delete from t" ".output dev.db" "select 1"`}, true},
		{"restored", []string{`sqlite3 /tmp/x.db ".restore dev.db" "delete from t"`}, true},
		{"where something was moved", []string{"mv dev.db /tmp/x.db", `sqlite3 /tmp/x.db "delete from t"`}, true},
		{"where something is moved", []string{`mv dev.db /tmp/x.db && sqlite3 /tmp/x.db "delete from t"`}, true},
		{"through a link", []string{`ln -sf $PWD/dev.db /tmp/x.db; sqlite3 /tmp/x.db "delete from t"`}, true},
		{"by a second name", []string{"ln dev.db /tmp/none.db", `sqlite3 /tmp/none.db "delete from t"`}, true},
		{"by a second name of the same line", []string{`ln dev.db /tmp/none.db && sqlite3 /tmp/none.db "delete from t"`}, true},
		{"by a second name that cp gives", []string{`cp -l dev.db /tmp/none.db && sqlite3 /tmp/none.db "delete from t"`}, true},
		{"in a directory of second names", []string{`cp -al . /tmp/none && sqlite3 /tmp/none/dev.db "delete from t"`}, true},
		{"that has a second name", []string{`sqlite3 /tmp/linked.db "delete from t"`}, true},
		{"in a container", []string{`docker exec a sqlite3 /tmp/x.db "delete from t"`}, true},
		{"in the background", []string{`sqlite3 /tmp/x.db "delete from t" &`}, true},
		{"from a file", []string{"sqlite3 /tmp/x.db < dump.sql"}, true},
		{"with variables", []string{`HOME=/tmp/y sqlite3 /tmp/x.db "delete from t"`}, true},
		{"migrations of another's", []string{"DATABASE_URL=sqlite:////home/me/x.db python manage.py migrate"}, true},
		{"migrations by a path that goes up", []string{"DATABASE_URL=sqlite:////tmp/../home/me/x.db python manage.py migrate"}, true},
		{"migrations of one with options", []string{"DATABASE_URL='sqlite:////tmp/x.db?mode=rwc' python manage.py migrate"}, true},
		{"a reset", []string{"DATABASE_URL=sqlite:////tmp/x.db python manage.py flush --no-input"}, true},
	} {
		s, made := relaxedPlaces(), map[string]bool{}
		there := func(p string) bool {
			return made[p] || strings.HasSuffix(p, "/dev.db") || strings.HasSuffix(p, "/old.db") || strings.HasSuffix(p, "manage.py") || strings.HasPrefix(p, "/var/tmp/") || strings.HasPrefix(p, "/tmp/") && !strings.Contains(p, "none")
		}
		s.Exists = there
		s.Stamp = func(p string) string {
			if strings.HasSuffix(p, "linked.db") || strings.HasPrefix(tt.lines[0], "ln dev.db") && strings.HasSuffix(p, "none.db") && len(s.Flow.Own) > 0 {
				return "1" + Linked
			}
			return "1"
		}
		s.Found = func(p string) Found {
			switch {
			case strings.HasSuffix(p, "/kept.db"):
				return FoundKept
			case !there(p):
				return FoundNothing
			case strings.HasPrefix(p, "/tmp/") && !strings.Contains(p, "theirs"):
				return FoundTemporary
			}
			return FoundFile
		}
		var d Decision
		for _, line := range tt.lines {
			c := ShellContext(line, s)
			d = (&Guardrail{}).Decide(&c)
			if strict := (&Guardrail{Profile: ProfileStrict}).Decide(&c); strings.Contains(line, "delete") && strict.Disposition == Approved {
				t.Errorf("%s: the strict profile approves", tt.name)
			}
			s.Flow = c.After()
			made["/home/me/src/shop/copy.db"] = made["/home/me/src/shop/copy.db"] || line == copied
		}
		if asks := d.Disposition != Approved; asks != tt.asks {
			t.Errorf("%s: %q: asks %v, want %v %+v %q", tt.name, tt.lines, asks, tt.asks, d.Reasons, s.Flow.Own)
		}
	}
}

// TestTakenBack: statements that one message to PostgreSQL carries out and takes back change nothing.
func TestTakenBack(t *testing.T) {
	for line, want := range map[string]bool{
		`psql dev -c "begin; drop index i; explain select 1; rollback"`:                                true,
		`psql dev -c "BEGIN; DELETE FROM t WHERE a = 'x;y'; SELECT count(*) FROM t; ROLLBACK;"`:        true,
		`psql dev -c "start transaction; insert into t (a) values (1); update t set a = 2; rollback"`:  true,
		`psql dev -c "begin; create index i on t (a); explain select * from t where a = 1; rollback;"`: true,
		`psql dev -c "begin; alter table t add column b int; drop table u; rollback"`:                  true,
		"psql dev <<'S'\nbegin;\ndelete from t;\nrollback;\nS":                                         true,
		`psql dev -c "begin; delete from t; commit"`:                                                   false,
		`psql dev -c "begin; delete from t"`:                                                           false,
		`psql dev -c "delete from t; rollback"`:                                                        false,
		`psql dev -c "delete from t; begin; rollback"`:                                                 false,
		`psql dev -c "begin; delete from t; commit; begin; rollback"`:                                  false,
		`psql dev -c "begin; delete from t; end; rollback"`:                                            false,
		`psql dev -c "begin; delete from t; commit and chain; rollback"`:                               false,
		`psql dev -c "begin; delete from t; prepare transaction 'x'; rollback"`:                        false,
		`psql dev -c "begin; rollback; delete from t; rollback"`:                                       false,
		`psql dev -c "begin; delete from t; rollback; delete from t"`:                                  false,
		`psql dev -c "begin; delete from t; rollback prepared 'x'"`:                                    false,
		`psql dev -c "begin; drop database x; rollback"`:                                               false,
		`psql dev -c "begin; create database x; rollback"`:                                             false,
		`psql dev -c "begin; alter system set x = 1; rollback"`:                                        false,
		`psql dev -c "begin; create index concurrently i on t (a); rollback"`:                          false,
		`psql dev -c "begin; vacuum; rollback"`:                                                        false,
		`psql dev -c "begin; copy t to program 'sh'; rollback"`:                                        false,
		`psql dev -c "begin; insert into t select setval('s', 1); rollback"`:                           false,
		`psql dev -c "begin; delete from t where dblink_exec('x', 'y') = 'z'; rollback"`:               false,
		`psql dev -c "begin; explain select dblink('x', 'y'); rollback"`:                               false,
		`psql dev -c "begin; create function f() returns int language sql as 'select 1'; rollback"`:    false,
		`psql dev -c "begin; create server s foreign data wrapper x; rollback"`:                        false,
		`psql dev -c "begin; delete from t where a = 'x; rollback"`:                                    false,
		`psql dev -c "begin; delete from t -- ; commit"$'\n'"; rollback"`:                              false,
		`psql dev -c "begin; do $x$ begin commit; end $x$; rollback"`:                                  false,
		`psql dev -c "begin; call p(); rollback"`:                                                      false,
		`psql dev -c "begin; delete from t" -c rollback`:                                               false,
		`psql dev -c "begin; delete from t; \gexec rollback"`:                                          false,
		`mysql dev -e "begin; drop table t; rollback"`:                                                 false,
		`psql dev -h db.example.com -c "begin; drop table t; rollback"`:                                false,
		`psql dev -c "begin; delete from $T; rollback"`:                                                false,
		`psql "$URL" -c "begin; delete from t; $X; rollback"`:                                          false,
		"psql dev <<'S'\nbegin;\ndelete from t where a = '12:30' and b = 1::int;\nrollback;\nS":        true,
		"psql dev -v x='t; commit' <<'S'\nbegin;\ndelete from :x;\nrollback;\nS":                       false,
		"psql dev --set=x='t; commit' <<'S'\nbegin;\ndelete from t where a = 1:::x;\nrollback;\nS":     false,
		"psql dev --set=x=\"'; commit; '\" <<'S'\nbegin;\ndelete from t where a = :'x';\nrollback;\nS": false,
	} {
		c := ShellContext(line, relaxedPlaces())
		if d := (&Guardrail{}).Decide(&c); (d.Disposition == Approved) != want {
			t.Errorf("%s: %v, want %v %+v", line, d.Disposition, want, d.Reasons)
		}
	}
}
