package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// document reads a file, or fetches it where the word is an address.
func (r *toolRun) document(word string) {
	if word == "-" && r.t.act == doesBuild {
		r.m.escape(r.t.name + " on its input")
		return
	}
	if strings.Contains(word, "://") || strings.HasPrefix(word, "git@") {
		r.m.url(effect.OpFetch, word, "")
		return
	}
	r.m.read(word)
}

// connection judges the name of a database, which may be a connection string
// (PostgreSQL manual, 34.1.1): its host decides.
func (r *toolRun) connection(word string) {
	m := r.m
	switch {
	case firstByte(word, mark.Unknown) >= 0:
		m.opaque(effect.OpComputed, "computed database of "+r.t.name)
	case m.took != "" && mark.Has(word):
		m.url(effect.OpConnect, word, "")
	case strings.Contains(word, "://"):
		m.url(effect.OpConnect, word, "")
	case r.t.queryRole() == roleMongo && strings.Contains(word, "."): // a script, where it is no host
		m.escape(r.t.name + " " + word)
	case r.t.queryRole() == roleMongo && strings.ContainsAny(word, ":/"):
		m.url(effect.OpConnect, "mongodb://"+word, "")
	case strings.Contains(word, "=") && ownConnection(word):
		m.connectsHere(word)
	case strings.Contains(word, "="):
		m.escape(r.t.name + " " + word)
	}
}

// template judges an output template: one may name a file or print the
// environment of what it describes.
func (r *toolRun) template(word string) {
	if _, file, ok := cutAt(word, "file="); ok {
		r.m.read(file)
	}
	if strings.Contains(word, ".Env") {
		r.m.environ("environment of a container")
	}
	if strings.Contains(word, "document(") { // XSLT 1.0, 12.1
		r.m.escape(r.t.name + " " + word)
	}
}

// plainFile judges an operand that is a file only as long as it has none of the
// characters that make it code or a protocol: \ and & for TeX (web2c manual,
// 4.3), a colon, an at sign and a bar for ImageMagick and FFmpeg. Nor may it
// begin with a plus, as ImageMagick's other options do (+write FILE), or be one
// of its scripts, which it tells by their ending.
func (r *toolRun) plainFile(word string, writes bool) {
	if r.t.name == "ffmpeg" && !writes {
		if r.generates {
			r.generated(word)
			return
		}
		word = numbered(word)
	}
	switch {
	case strings.ContainsAny(word, "\\&{}:@|%") || strings.HasPrefix(word, "+") || writes && strings.HasPrefix(word, "!"),
		strings.HasSuffix(strings.ToLower(word), ".msl"), strings.HasSuffix(strings.ToLower(word), ".mvg"):
		r.m.escape(r.t.name + " " + word)
	case writes:
		r.m.write(word, effect.OpCreate)
	case r.t.act == doesBuild:
		r.m.settings(word) // a document is code
	default:
		r.m.read(word)
	}
}

// query judges what a client is asked: SQL, a command of the client itself, or
// a kind of resource.
func (r *toolRun) query(language byte, word string) {
	m := r.m
	if firstByte(word, mark.Unknown) >= 0 {
		m.opaque(effect.OpComputed, "computed query of "+r.t.name)
		return
	}
	word = plain(word)
	reads := false
	switch language {
	case roleResource:
		reads = true
		if namesSecrets(word) {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneOutside, Sensitive: true, Resource: m.prog + " " + word})
		}
	case roleServerCommand:
		reads = mark.Among(serverReads, strings.ToLower(word))
	case roleSqlite:
		reads = sqliteReads(word) || r.sqliteChanges(word)
	case rolePsql:
		reads = psqlReads(word) || psqlUndone(word)
	case roleDuckdb:
		reads = r.duckdbReads(word)
	case roleMongo:
		reads = mongoReads(word)
	case roleSQLTemplate:
		reads = templateReads(word)
	default:
		reads = SQLReads(trimSuffix(trimSuffix(strings.TrimSpace(word), `\G`), `\g`))
	}
	if !reads {
		m.escape(r.t.name + " query " + word)
		if language == roleSqlite {
			m.effects[len(m.effects)-1].Ref = r.sqliteStays(word)
		}
	}
}

// unasked judges a client that was given no query: it reads its input, or waits
// for a person.
func (r *toolRun) unasked(in data) {
	m, language := r.m, r.t.queryRole()
	switch {
	case in.tty && r.inQuestion():
	case in.tty:
		m.spawn(effect.OpInteractive, r.t.name)
	case in.known() && language != roleServerCommand:
		r.query(language, strings.TrimSpace(in.text))
	default:
		m.escape(r.t.name + " runs its input")
	}
}

// queryRole is the language in which a client is asked: that of its operands or
// of the option that asks.
func (t *tool) queryRole() byte {
	const languages = string(roleSQL) + string(rolePsql) + string(roleSqlite) + string(roleServerCommand) + string(roleDuckdb) + string(roleMongo)
	if i := strings.IndexAny(t.operands, languages); i >= 0 {
		return t.operands[i]
	}
	for tok := range strings.SplitSeq(t.opts, " ") {
		if tok != "" && firstByte(languages, tok[len(tok)-1]) >= 0 {
			return tok[len(tok)-1]
		}
	}
	return roleSQL
}

// serverHosts are variables that name the server a client connects to.
var serverHosts = [...]string{"MYSQL_HOST", "PGHOST", "PGHOSTADDR", "PGSERVICE", "PGSERVICEFILE"}

// servers records the connections that variables set on this line ask for, and that one of a file
// may ask for where the run names no server.
func (m *machine) servers(from int) {
	if m.took != "" && ContainsAny([]string{m.prog}, "psql", "pgcli", "pg_dump", "mysql", "mariadb", "mysqldump", "mycli") &&
		!slices.ContainsFunc(m.effects[min(from, len(m.effects)):], func(e effect.Effect) bool { return e.Kind == effect.Network }) {
		m.url(effect.OpConnect, string(rune(mark.Caller)), "")
	}
	for _, name := range serverHosts {
		if b, ok := m.lookup(name); ok && !b.unset {
			m.url(effect.OpConnect, b.value, "")
		}
	}
}

// namesSecrets says whether a resource argument of kubectl names secrets: a
// type, TYPE/NAME, or a list of either. all does not cover them.
func namesSecrets(word string) bool {
	for _, part := range strings.Split(strings.ToLower(word), ",") {
		if names.SecretResource(part) {
			return true
		}
	}
	return false
}

// serverReads are commands of redis-cli, mysqladmin and jcmd that only tell something
// (Redis command reference, categories read and connection; mysqladmin manual; jcmd(1)).
// Sorted.
const serverReads = "bitcount dbsize exists extended-status gc.class_histogram gc.finalizer_info gc.heap_info get getrange hexists hget hgetall hkeys hlen hmget hscan hvals info keys lastsave " +
	"lindex llen lrange mget ping processlist pttl scan scard sismember smembers sscan status strlen thread.print time ttl type variables version vm.classloader_stats vm.flags " +
	"vm.uptime vm.version xinfo xlen xrange xrevrange zcard zcount zrange zrank zscan zscore"

// sqliteReads says whether every line of an argument of sqlite3 is SQL that only
// reads or a dot-command that does (sqlite.org/cli.html).
func sqliteReads(text string) bool {
	var sql strings.Builder
	for _, line := range strings.Split(text, "\n") {
		name, rest, _ := cutAt(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(name, ".") {
			sql.WriteString(line)
			sql.WriteByte('\n')
			continue
		}
		if !hasWord(sqliteDots, name) || strings.ContainsAny(rest, "|/\\") {
			return false
		}
	}
	return strings.TrimSpace(sql.String()) == "" || SQLReads(sql.String())
}

const sqliteDots = ".databases .dump .echo .exit .explain .fullschema .header .headers .help .indexes .indices .lint .mode .nullvalue .print .quit .schema .separator .show .stats .tables .timer .version .width"

// plainQuotes puts an empty string in the place of each of PostgreSQL's strings
// between dollars, up to the first other quote or comment, in which dollars are text
// (PostgreSQL's manual, 4.1.2.4).
func plainQuotes(text string) string {
	var b strings.Builder
	for {
		open := firstByte(text, '$')
		if open < 0 || strings.ContainsAny(text[:open], "'\"\\") || strings.Contains(text[:open], "--") || strings.Contains(text[:open], "/*") || open > 0 && isNameByte(text[open-1]) {
			break
		}
		n := nameLen(text[open+1:])
		tag := text[open:min(open+n+2, len(text))]
		length := -1
		if strings.HasSuffix(tag, "$") && len(tag) > 1 && (n == 0 || tag[1] > '9') {
			length = strings.Index(text[open+len(tag):], tag)
		}
		if length < 0 {
			break
		}
		b.WriteString(text[:open] + "''")
		text = text[open+2*len(tag)+length:]
	}
	return b.String() + text
}

// psqlParts are the commands of psql in lines, each by itself, and the statements between
// them. A line that begins a command within a statement belongs to that.
func psqlParts(lines []string) []string {
	var out []string
	sql := ""
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, `\`) && (sql == "" || strings.HasSuffix(sql, ";")) {
			if sql != "" {
				out = append(out, sql)
			}
			out, sql = append(out, l), ""
			continue
		}
		sql = strings.TrimSpace(sql + "\n" + l)
	}
	if sql != "" {
		out = append(out, sql)
	}
	return out
}

// psqlReads says whether an argument of psql -c only reads: SQL, or one of the
// backslash commands that describe something (psql manual, meta-commands).
func psqlReads(text string) bool {
	text = strings.TrimSpace(text)
	if lines := strings.Split(text, "\n"); len(lines) > 1 && !strings.ContainsAny(text, "'\"$") && strings.Contains(text, "\n\\") {
		return !slices.ContainsFunc(psqlParts(lines), func(p string) bool { return strings.Contains(p, "\n\\") || !psqlReads(p) }) // none of a command goes on behind its line
	}
	meta, ok := cutPrefix(text, `\`)
	if !ok {
		return SQLReads(plainQuotes(text))
	}
	if strings.ContainsAny(meta, "\\`|\n") {
		return false
	}
	name, _, _ := cutAt(meta, " ")
	switch strings.TrimRight(name, "+S") {
	case "conninfo", "encoding", "h", "l", "list", "sf", "sv", "timing", "x", "z", "?":
		return true
	}
	return strings.HasPrefix(name, "d") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzES+") == ""
}
