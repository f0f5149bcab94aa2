package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges programs that bring a database to where the project's migrations lead, when a
// line says that the database is this machine's: that of a developer. What takes migrations back
// or drops tables by a word of the line is in no list, nor is any option that is not named here.

// migrator is such a program, or one of its commands.
type migrator struct {
	program string
	words   string // the words of the command
	ends    string // the words it may end with
	address string // options with the database's address
	place   string // options with the directory of the migrations
	values  string // options whose value is a name or a number
	flags   string
	usual   string // where migrations lie if no option says so
}

// migrators: from the manuals of golang-migrate 4 (CLI usage), goose 3, dbmate 2, SQLx 0.8 and
// Diesel 2.2 (their command lines' help) and Flyway 11 (Command-line).
var migrators = [...]migrator{
	{program: "migrate", ends: "up version", address: "-database --database", place: "-path --path -source --source", values: "-lock-timeout -prefetch", flags: "-verbose"},
	{program: "goose", ends: "up up-by-one status version validate", place: "-dir --dir", values: "-table --table -timeout --timeout", flags: "-v -s -no-color --no-color -allow-missing --allow-missing"},
	{program: "dbmate", ends: "up migrate status wait", address: "-u --url", place: "-d --migrations-dir", values: "--migrations-table --wait-timeout", flags: "--no-dump-schema --wait -v --verbose", usual: "db/migrations"},
	{program: "sqlx", words: "migrate", ends: "run info", address: "-D --database-url", place: "--source", values: "--connect-timeout", flags: "--dry-run --ignore-missing --no-dotenv", usual: "migrations"},
	{program: "diesel", words: "migration", ends: "run list pending", address: "--database-url", place: "--migration-dir", flags: "--locked-schema", usual: "migrations"},
	{program: "flyway", ends: "migrate info validate", address: "-url", place: "-locations", values: "-user -password -schemas -defaultSchema -table -connectRetries"},
}

// migratorVars are variables that a line may give such a program: what says who asks and how much is
// told. Others say where migrations lie and what else is run (FLYWAY_INIT_SQL, DBMATE_MIGRATIONS_DIR,
// PGOPTIONS). Sorted.
var migratorVars = [...]string{"DATABASE_URL", "NO_COLOR", "PGPASSWORD", "PGUSER", "RUST_LOG"}

// gooseDrivers are databases that goose is told before an address.
const gooseDrivers = "postgres pgx mysql mssql sqlite3 sqlite clickhouse turso"

// migrates judges such a run; false where it is not all known.
func (m *machine) migrates(program string, args []string) bool {
	for i := range migrators {
		if g := &migrators[i]; g.program == program {
			address, places, ok := g.read(args)
			if b, set := m.lookup("DATABASE_URL"); set && address == "" && hasWord("dbmate sqlx diesel", program) {
				address = b.value
			}
			address = trimPrefix(address, "jdbc:")
			if len(places) == 0 && g.usual != "" {
				places = []string{g.usual}
			}
			if !ok || len(places) == 0 || !ownDatabase(address) || m.aimsElsewhere(nil) || m.namesServer() || !m.givesOnly(migratorVars[:]) || m.wroteSettings() || slices.ContainsFunc(places, m.wroteBelow) {
				return false
			}
			for _, dir := range places {
				m.script(dir)
			}
			m.connectsHere(address)
			m.build()
			return true
		}
	}
	return false
}

// wroteSettings says whether the session or the line wrote a file that may be one of such a program's
// settings: any that is neither code nor text.
func (m *machine) wroteSettings() bool {
	for i := range m.p.Made {
		if !hasWord(codeKinds, path.Ext(m.p.Made[i].Path)) {
			return true
		}
	}
	for i := range m.files {
		if !hasWord(codeKinds, path.Ext(m.files[i].path)) {
			return true
		}
	}
	return len(m.files) >= maxFiles
}

// codeKinds are endings of files by which none of the programs is set up.
const codeKinds = ".c .cpp .cs .css .ex .exs .go .h .html .java .js .json .jsx .kt .md .mod .php .py .rb .rs .sql .sum .ts .tsx .vue .yaml .yml"

// read takes the words of a run apart.
func (g *migrator) read(args []string) (address string, places []string, ok bool) {
	var words []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if mark.Has(a) || a == "" {
			return "", nil, false
		}
		if a[0] != '-' {
			words = append(words, a)
			continue
		}
		name, value, attached := cutAt(a, "=")
		if hasWord(g.flags, a) {
			continue
		}
		if !attached {
			if i++; i == len(args) || g.program == "flyway" {
				return "", nil, false
			}
			value = args[i]
		}
		switch {
		case mark.Has(value):
			return "", nil, false
		case hasWord(g.address, name):
			address = value
		case hasWord(g.place, name):
			value = trimPrefix(trimPrefix(value, "file://"), "filesystem:")
			if value == "" || strings.ContainsAny(value, ":,?") {
				return "", nil, false
			}
			places = append(places, value)
		case !hasWord(g.values, name):
			return "", nil, false
		}
	}
	if g.program == "goose" {
		if len(words) < 3 || !hasWord(gooseDrivers, words[0]) {
			return "", nil, false
		}
		address, words = words[1], words[2:]
	}
	if g.words != "" {
		if len(words) == 0 || words[0] != g.words {
			return "", nil, false
		}
		words = words[1:]
	}
	if len(words) == 2 && words[0] == "up" && strings.Trim(words[1], "0123456789") == "" {
		words = words[:1] // so many of them
	}
	return address, places, len(words) == 1 && hasWord(g.ends, words[0])
}

// wroteBelow says whether the session or the line wrote something at a place or below: nobody has read
// such statements, which may drop tables, and start programs on the server.
func (m *machine) wroteBelow(place string) bool {
	full := m.p.Resolve(m.cwd, place)
	return slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return mark.Under(f.Path, full) }) ||
		slices.ContainsFunc(m.effects, func(e effect.Effect) bool {
			return e.Kind == effect.Write && (mark.Has(e.Resource) || mark.Under(e.Resource, full) || mark.Under(full, e.Resource))
		})
}

// namesServer says whether a variable of the line names a server.
func (m *machine) namesServer() bool {
	for _, name := range serverHosts {
		if _, ok := m.lookup(name); ok {
			return true
		}
	}
	return false
}

// ownDatabase says whether an address, or a list of what a connection is made of, is that of a
// database on this machine.
func ownDatabase(address string) bool {
	if mark.Has(address) {
		return false
	}
	if scheme, rest, ok := cutAt(address, "://"); ok {
		return developing(address) && !(strings.HasPrefix(scheme, "sqlite") && (rest == "" || strings.ContainsAny(rest, "?%:")))
	}
	return ownConnection(address)
}

// connectsHere records the connection, with its port, which may lead elsewhere by what the session
// did before.
func (m *machine) connectsHere(address string) {
	switch scheme, rest, _ := cutAt(address, "://"); {
	case strings.HasPrefix(scheme, "sqlite"): // of these programs three slashes stand before a path from the root
		m.write(rest, effect.OpModify)
	case strings.Contains(address, "://"):
		m.url(effect.OpConnect, address, "")
	default:
		host, port := "localhost", ""
		for _, pair := range connectionPairs(address) {
			name, value, _ := cutAt(pair, "=")
			if strings.EqualFold(strings.TrimSpace(name), "port") {
				port = ":" + strings.TrimSpace(value)
			}
			if k := strings.IndexAny(value, ",:"); k > 0 && serverKey(name) {
				port = ":" + value[k+1:]
			}
		}
		m.url(effect.OpConnect, host+port, "")
	}
}

// connectionKeys are what else a connection is made of and that names no server and no file
// (PostgreSQL, Connection Strings; Npgsql, SqlClient and MySqlConnector, Connection string
// parameters).
const connectionKeys = "port dbname database initial-catalog user username user-id uid password pwd sslmode ssl-mode encrypt trustservercertificate trust-server-certificate trusted_connection integrated-security connect_timeout timeout connection-timeout command-timeout application_name application-name include-error-detail pooling charset"

// connectionPairs are the parts of a connection string: between semicolons, or between blanks.
func connectionPairs(text string) []string {
	if strings.Contains(text, ";") {
		return strings.Split(trimSuffix(strings.TrimSpace(text), ";"), ";")
	}
	if strings.Count(text, "=") == 1 {
		return []string{text}
	}
	return strings.Fields(text)
}

func serverKey(name string) bool {
	return hasWord("host server data-source", strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "-"))
}

// ownConnection says whether a connection string names this machine, and else only what connectionKeys
// says.
func ownConnection(text string) bool {
	here := 0
	if strings.ContainsAny(text, "'\"\\{}") {
		return false
	}
	for _, pair := range connectionPairs(text) {
		name, value, ok := cutAt(pair, "=")
		name, value = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "-"), strings.TrimSpace(value)
		switch {
		case !ok:
			return false
		case serverKey(name):
			if host, port, _ := cutAt(strings.Replace(value, ",", ":", 1), ":"); host != "localhost" && host != "127.0.0.1" || strings.Trim(port, "0123456789") != "" {
				return false
			}
			here++
		case !hasWord(connectionKeys, name), strings.Contains(value, "="):
			return false
		case name == "port" && strings.Trim(value, "0123456789") != "":
			return false
		}
	}
	return here == 1
}
