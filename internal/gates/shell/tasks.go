package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// task judges the name of a task: one that says that it reaches beyond the
// workspace does, whoever wrote it.
func (r *toolRun) task(word string) {
	for w := range strings.FieldsFuncSeq(word, func(c rune) bool { return c == ';' || c == ',' || c == ' ' }) {
		w = strings.TrimLeft(w, "+~")
		if r.t.name == "pio run" && !isAmong(pioTargets, w) || r.t.name == "west build" && !isAmong(westTargets, w) || r.t.name == "task" && warrior(w) || outward(w) || w == "-" || !r.compiles() && releases(w) || r.compiles() && installs(w) {
			r.m.escape(r.t.name + " " + word)
			return
		}
	}
}

// taskRunners are the programs whose tasks concurrently names by a short form before a
// colon, and what it runs for one (concurrently, docs/cli/shortcuts.md).
var taskRunners = [...]struct{ name, line string }{
	{"bun", "bun run "}, {"deno", "deno task "}, {"node", "node --run "}, {"npm", "npm run "}, {"pnpm", "pnpm run "}, {"yarn", "yarn run "},
}

// asLine is the command line that an operand of a program stands for which takes tasks of
// the project for short: npm-run-all and its kin take their names, maybe with arguments,
// concurrently takes npm:NAME, and both a pattern of names. Anything else is a line itself.
func (r *toolRun) asLine(word string) string {
	line, task := "", word
	switch r.t.name {
	case "npm-run-all", "run-p", "run-s":
		line = "npm run "
	case "start-server-and-test":
		if port := trimPrefix(word, ":"); strings.Trim(port, "0123456789") == "" {
			return "wait-on http://localhost:" + port
		}
		if strings.Contains(word, "://") && !strings.ContainsAny(word, " |;&$`\"'()<>") {
			return "wait-on " + word
		}
		line = "npm run "
	case "concurrently":
		for _, k := range taskRunners {
			if rest, ok := cutPrefix(word, k.name+":"); ok {
				line, task = k.line, rest
			}
		}
	}
	name, rest, _ := cutAt(task, " ")
	if name = strings.ReplaceAll(name, "*", "x"); line == "" || !plainTask(name) {
		return word
	}
	return strings.TrimRight(line+name+" "+rest, " ")
}

// pioTargets are the targets of PlatformIO's builders that write no device; all others do,
// or are unknown (pio run --list-targets, its user guide on targets).
var pioTargets = []string{"buildfs", "checkprogsize", "clean", "cleanall", "compiledb", "envdump", "fullclean", "idedata", "menuconfig", "metrics", "size", "sizedata"}

// westTargets are the like of Zephyr's build (doc/develop/optimizations/tools.rst; CMake's
// own all and clean; BUILD_USAGE's usage).
var westTargets = []string{"all", "clean", "pahole", "ram_report", "rom_report", "usage"}

// warrior says whether a word is a command of Taskwarrior, another program called task,
// that runs a program or loses entries; its commands may be shortened to three letters
// (task(1), WRITE COMMANDS and MISCELLANEOUS).
func warrior(word string) bool {
	if strings.Contains(word, "/") {
		return true
	}
	return len(word) > 2 && slices.ContainsFunc([]string{"execute", "edit", "delete", "purge", "import", "config", "synchronize", "undo"}, func(c string) bool { return strings.HasPrefix(c, word) })
}

// compiles says whether the tasks are the targets of a build that CMake or Meson wrote:
// there release is a kind of build, and install puts files where the system has its
// own. In a makefile that people write, both are what they like.
func (r *toolRun) compiles() bool { return r.t.name == "ninja" || r.t.name == "cmake" }

func installs(target string) bool {
	return target == "install" || strings.HasPrefix(target, "install/") || strings.HasSuffix(target, "/install")
}

// releases says whether a task's name is that of one that tags what there is, pushes
// it and sends it to a registry: release of Bundler, Leiningen, sbt-release and
// Gradle's release plugins, release:perform of Maven, sbt-ci-release, and the last step at a staging
// repository. A release that is only built (assembleRelease, build:release) is none.
func releases(word string) bool {
	if i := lastByte(word, ':'); i >= 0 && word[0] == ':' {
		word = word[i+1:] // a project's path of Gradle
	}
	parts := strings.FieldsFunc(camelSplit(word), separates)
	if !isAmong(parts, "release") || ContainsAny(parts, "notes", "build", "dry", "check", "test", "lint", "local", "debug", "snapshot", "guard") {
		return false
	}
	return parts[0] == "release" || ContainsAny(parts, "ci", "sonatype", "nexus", "staging", "repository", "semantic")
}

// outward says whether a task's name says so: it publishes or deploys, takes
// what is deployed away, writes a device, or empties a database.
func outward(word string) bool {
	if uploads(strings.FieldsFunc(camelSplit(word), separates)) || word == "jib" || strings.HasSuffix(word, ":jib") || strings.Contains(word, "jib") && strings.HasSuffix(word, ":build") {
		return true // jib builds an image and pushes it; its other goals do not (jib-maven-plugin, README)
	}
	for _, part := range strings.FieldsFunc(strings.ToLower(word), separates) {
		switch part {
		case "deploy", "hex", "undeploy", "destroy", "nuke", "flash", "reflash":
			return true
		}
	}
	return losesData(word)
}

// uploads says whether the words of a task's name say that something is published,
// uploaded or pushed, and not to a repository on this machine. One that tests it is
// none, and nor is one of which push is only a part (push_swap).
func uploads(parts []string) bool {
	for i, part := range parts {
		switch {
		case strings.HasPrefix(part, "publish"):
			if !ContainsAny(parts, "local", "m2") {
				return true
			}
		case ContainsAny(parts, "test", "tests", "check", "lint", "dry"):
		case strings.HasPrefix(part, "upload"), part == "checkin", part == "deploy", part == "push" && (i == len(parts)-1 || ContainsAny(parts, "docker", "image", "images", "site", "pages", "ghpages", "tag", "tags", "remote", "registry")):
			return true
		}
	}
	return false
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
// commands that run code or statements, empty the database, or show settings with their secrets, under names that
// do not say so (the frameworks' manuals). Sorted.
var consoles = [...]struct{ script, commands string }{
	{"artisan", "tinker db config:show env:decrypt"},
	{"console", "doctrine:query:sql dbal:run-sql doctrine:query:dql doctrine:fixtures:load debug:dotenv secrets:list secrets:reveal secrets:decrypt-to-local"},
	{"craft", "exec shell"},
	{"manage.py", "shell shell_plus dbshell flush runscript diffsettings print_settings"},
	{"spark", "migrate:rollback"},
	{"yii", "shell"},
}

// ConsoleScript says whether a script of that name runs a web framework's commands, with
// the code of the project that the framework finds.
func ConsoleScript(base string) bool {
	for _, c := range consoles {
		if c.script == base {
			return true
		}
	}
	return false
}

// consolePlaces takes a place outside the workspace for one that a framework's command
// writes: most are told so where to put what they make, a dump or the code of a new part
// (django-admin, dumpdata --output and startapp NAME DIRECTORY).
func (m *machine) consolePlaces(args []string) {
	for _, a := range args {
		if value := a[firstByte(a, '=')+1:]; reachesOut(value) {
			m.write(value, effect.OpCreate)
		}
	}
}

// console judges the command that a script of the workspace is given. Its name
// is all there is to go by: what it does is the project's own code. A name that says of a
// task that it reaches beyond the workspace says so of a script and of its command.
func (m *machine) console(full string, args []string) {
	base := lastElement(full)
	z, _, _ := m.p.Where(full)
	ours := z == effect.ZoneWorkspace // any other file asks as one
	if ours && outward(base) {
		m.escape(base)
		return
	}
	if base == "setup.py" {
		m.setupArgs(args)
		return
	}
	for _, c := range consoles {
		if c.script == base && len(args) > 0 && strings.Contains(" "+c.commands+" ", " "+args[0]+" ") {
			if m.frameworkCode(base, args, m.in) {
				return
			}
			m.escape(base + " " + args[0])
			return
		}
	}
	if base == "manage.py" && m.settingsElsewhere(args) {
		m.escape(base + " with settings of another environment")
		return
	}
	if ours && base == "manage.py" { // others take some such words from the project's root on
		m.consolePlaces(args)
	}
	for _, a := range args {
		if len(a) > 0 && a[0] == '-' {
			continue
		}
		if losesData(a) || ours && outward(a) || base == "manage.py" && a == "migrate" && (args[len(args)-1] == "zero" || m.aimsAway(args)) {
			m.escape(base + " " + a)
		}
		return
	}
}
