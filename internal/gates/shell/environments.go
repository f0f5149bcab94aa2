package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges what works on the database, or whatever else, of an environment: that of
// developers and of tests is the project's own, and any other is somebody's. Which programs'
// commands change a database their words say, so it is one rule for all of them.

// onEnvironment stands in an effect's resource between what runs and the environment that it
// works on, where that is not the developers'.
const onEnvironment = " on the environment "

// onDatabase asks about a run that changes a database of such an environment, unless it was asked
// about as that already. from is the number of the run's first effect.
func (m *machine) onDatabase(argv []string, from int) {
	word := databaseWord(argv)
	if word == "" {
		return
	}
	env := m.environmentOf(argv)
	if env == "" || slices.ContainsFunc(m.effects[min(from, len(m.effects)):], func(e effect.Effect) bool {
		return e.Op == effect.OpEscape && (strings.Contains(e.Resource, onEnvironment) || strings.Contains(e.Resource, " another environment"))
	}) {
		return
	}
	m.escape(baseName(argv[0]) + " " + word + onEnvironment + env)
}

// maxCommand bounds the words of a run among which its command is looked for.
const maxCommand = 5

// databaseParts are parts of commands' names by which frameworks change a database: its tables, or
// what is in them. Sorted.
var databaseParts = []string{"createsuperuser", "ecto", "loaddata", "migrate", "migration", "migrations", "seed"}

// databaseWord is the word of a run that says so; empty without one.
func databaseWord(argv []string) string {
	last, n := "", 0
	for _, w := range argv[min(1, len(argv)):] {
		if w == "" || w[0] == '-' || strings.ContainsAny(w, "/= \n") || mark.Has(w) {
			continue
		}
		if n++; n > maxCommand {
			break
		}
		parts := strings.FieldsFunc(camelSplit(w), separates)
		if slices.ContainsFunc(parts, func(p string) bool { return searchNames(databaseParts, p) }) ||
			ContainsAny(parts, "upgrade", "downgrade", "push", "up") && (ContainsAny([]string{last}, "db", "database") || baseName(argv[0]) == "alembic") {
			return w
		}
		last = w
	}
	return ""
}

// environmentOf is the environment, or the host of the database, that a run is told to work on, if
// it is not one of developers'.
func (m *machine) environmentOf(argv []string) string {
	for _, name := range environments {
		if b, ok := m.lookup(name); ok && b.value != "" && !developing(b.value) {
			return environmentName(b.value)
		}
	}
	for i, a := range argv[1:] {
		if a == "--release" || !m.aimsAway([]string{a}) { // a kind of build
			if a == "--force" && isAmong(argv, "artisan") { // which has it work where it would ask first (laravel.com/docs, Migrations)
				return "production"
			}
			continue
		}
		if strings.HasPrefix(a, "-") && !strings.Contains(a, "=") && i+2 < len(argv) {
			return environmentName(argv[i+2])
		}
		return environmentName(a)
	}
	return ""
}

// environmentName is what is said of an environment: its name, or the host of an address.
func environmentName(value string) string {
	if _, rest, ok := cutAt(value, "://"); ok {
		host, _, _ := cutAt(rest, "/")
		return show(host[lastByte(host, '@')+1:])
	}
	if _, v, ok := cutAt(value, "="); ok {
		value = v
	}
	return show(value)
}

// environments are the variables and settings by which tasks choose what they work on, as
// their frameworks name them (Rails, Rack, Mix, Node.js, ASP.NET Core and .NET, Laravel and
// Symfony, Flask, Prisma and others).
var environments = [...]string{"RAILS_ENV", "RACK_ENV", "MIX_ENV", "NODE_ENV", "ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT", "APP_ENV", "FLASK_ENV", "DATABASE_URL", "DIRECT_URL"}

// aimsElsewhere says whether a task is told to work on another environment than those of
// development and tests: by a variable of the line or by a word.
func (m *machine) aimsElsewhere(args []string) bool {
	if m.took != "" && othersFile(m.took) {
		return true
	}
	for _, name := range environments {
		if b, ok := m.lookup(name); ok && !developing(b.value) {
			return true
		}
	}
	return slices.ContainsFunc(args, func(a string) bool {
		name, value, ok := cutAt(a, "=")
		return ok && isAmong(environments[:], name) && !developing(value)
	})
}

// aimsAway is aimsElsewhere for what takes an environment's name as any word.
func (m *machine) aimsAway(args []string) bool {
	return m.aimsElsewhere(args) || slices.ContainsFunc(args, func(a string) bool {
		_, value, ok := cutAt(a, "=")
		if !ok {
			value = a
		}
		return mark.Has(a) || strings.Contains(value, "://") && !developing(value) || ContainsAny(strings.FieldsFunc(strings.ToLower(value), separates), "live", "prod", "production", "release", "remote", "staging")
	})
}

// settingsElsewhere says whether a command of Django is told of settings or of a database that are
// not known to be those of development and tests, by --settings, --database or the variable for
// settings (docs.djangoproject.com, django-admin): the last word of a module says whose they are.
func (m *machine) settingsElsewhere(args []string) bool {
	ours := func(value string) bool {
		value = value[lastByte(value, '.')+1:]
		switch value {
		case "settings", "base", "common", "default", "defaults":
			return true
		}
		return slices.ContainsFunc(strings.FieldsFunc(value, separates), developing)
	}
	if b, ok := m.lookup("DJANGO_SETTINGS_MODULE"); ok && !ours(b.value) {
		return true
	}
	for i, a := range args {
		name, value, attached := cutAt(a, "=")
		if name != "--settings" && name != "--database" {
			continue
		}
		if !attached && i+1 < len(args) {
			value = args[i+1]
		}
		if !ours(value) {
			return true
		}
	}
	return false
}

// mildQuery says whether what stands in the query of a database's address says how to speak to it, and
// names no other server and no file (PostgreSQL, Connection URIs; Prisma, Connection URLs; the drivers
// of golang-migrate and go-sql-driver).
func mildQuery(query string) bool {
	if query == "" {
		return true
	}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := cutAt(part, "=")
		if !hasWord("sslmode schema search_path connect_timeout application_name connection_limit pool_timeout pgbouncer charset parseTime multiStatements x-multi-statement x-migrations-table", name) || strings.Trim(value, pathBytes) != "" || strings.Contains(value, "/") {
			return false
		}
	}
	return true
}

// developing says whether an environment's name is one of those that only developers have,
// or the address of a database one of this machine.
func developing(env string) bool {
	switch strings.ToLower(env) {
	case "development", "dev", "test", "testing", "local", "ci":
		return true
	}
	if scheme, rest, ok := cutAt(env, "://"); ok {
		if strings.HasPrefix(scheme, "sqlite") { // a file: three slashes before one of the working directory
			return (!strings.HasPrefix(rest, "//") || effect.Temporary(rest[1:]) != "" && !strings.ContainsAny(rest, "?%")) && !strings.Contains(rest, "..")
		}
		rest, query, _ := cutAt(rest, "?")
		host, _, _ := cutAt(rest, "/")
		host = host[lastByte(host, '@')+1:]
		host, _, _ = cutAt(host, ":")
		return scheme != "" && (host == "localhost" || host == "127.0.0.1") && !strings.ContainsAny(rest, ",#\\") && mildQuery(query)
	}
	return strings.HasPrefix(env, "file:") && !strings.Contains(env, "..") && !strings.HasPrefix(env, "file:/")
}
