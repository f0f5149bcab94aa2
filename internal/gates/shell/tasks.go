package shell

import "strings"

// task judges the name of a task: one that says that it reaches beyond the
// workspace does, whoever wrote it.
func (r *toolRun) task(word string) {
	if outward(word) || word == "-" {
		r.m.escape(r.t.name + " " + word)
	}
}

// outward says whether a task's name says so: it publishes or deploys, takes
// what is deployed away, or empties a database.
func outward(word string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(word), separates) {
		if strings.HasPrefix(part, "publish") && part != "publishtomavenlocal" {
			return true
		}
		switch part {
		case "deploy", "hex", "undeploy", "destroy", "nuke":
			return true
		}
	}
	return losesData(word)
}

// Outward says whether the name of a task alone makes whoever runs it ask.
func Outward(name string) bool { return outward(name) }

func separates(c rune) bool {
	return c == ':' || c == '-' || c == '.' || c == '_' || c == '/' || c == ','
}

// losesData says whether a task's name says that it empties a database: a word
// for a store and one for losing what is in it, in any order, as the tools for
// schemas name their commands (Rails, Laravel, Doctrine, Ecto, Flyway, Liquibase,
// Prisma).
func losesData(word string) bool {
	store, lost := strings.HasPrefix(word, "db"), false
	migrate, again, flyway, clean := false, false, false, false
	for _, part := range strings.FieldsFunc(camelSplit(word), separates) {
		switch part {
		case "db", "database", "databases", "schema", "schemas", "ecto", "doctrine", "liquibase", "prisma", "sql", "postgres", "mysql", "mongo", "redis", "tables":
			store = true
		case "migrate", "migration", "migrations":
			store, migrate = true, true
		case "drop", "dropall", "reset", "purge", "truncate", "wipe", "flush", "nuke", "destroy":
			lost = true
		case "fresh", "refresh":
			again = true
		case "flyway":
			flyway = true
		case "clean":
			clean = true
		}
	}
	return store && lost || migrate && again || flyway && clean
}

// camelSplit puts a dash before each capital that follows a small letter, and
// makes the word lower case.
func camelSplit(s string) string {
	if strings.ToLower(s) == s {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i > 0 && 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			b.WriteByte('-')
		}
		b.WriteByte(s[i])
	}
	return strings.ToLower(b.String())
}

// consoles are the scripts by which web frameworks run their commands, with the
// commands that run code or statements, or empty the database, under names that
// do not say so (the frameworks' manuals). Sorted.
var consoles = [...]struct{ script, commands string }{
	{"artisan", "tinker db"},
	{"console", "doctrine:query:sql dbal:run-sql doctrine:query:dql doctrine:fixtures:load"},
	{"craft", "exec shell"},
	{"manage.py", "shell shell_plus dbshell flush runscript"},
	{"spark", "migrate:rollback"},
	{"yii", "shell"},
}

// console judges the command that a script of the workspace is given. Its name
// is all there is to go by: what it does is the project's own code.
func (m *machine) console(base string, args []string) {
	if base == "setup.py" {
		m.setupArgs(args)
		return
	}
	for _, c := range consoles {
		if c.script == base && len(args) > 0 && strings.Contains(" "+c.commands+" ", " "+args[0]+" ") {
			m.escape(base + " " + args[0])
			return
		}
	}
	for _, a := range args {
		if len(a) > 0 && a[0] == '-' {
			continue
		}
		if losesData(a) || base == "manage.py" && a == "migrate" && args[len(args)-1] == "zero" {
			m.escape(base + " " + a)
		}
		return
	}
}
