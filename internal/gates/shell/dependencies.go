package shell

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file judges programs that came with the dependencies of the workspace: those that a
// package manager put beside the project's own, and those that a lock file names. What the
// project's tests and tasks run unasked is such code, so where the session did not bring it
// in, nobody is asked whether it may run, but what it is told to do: only words that say in
// every program that it builds, checks or shows something pass. One that no file of
// programs lists and that is told anything else asks.

// dependency says whether a program is one that a package manager put beside the project's
// own (npm's folders(5), composer's vendor-dir, venv of Python's library), or lies where a link
// to one leads.
func dependency(full string) bool {
	dir := full[:lastSlash(full)+1]
	return strings.Contains(dir, "/node_modules/") || strings.Contains(dir, "/vendor/") ||
		slices.ContainsFunc(environmentPrograms[:], func(bin string) bool { return strings.HasSuffix(dir, "/"+bin) })
}

// settled says whether something lies at a path that neither the session nor this line made
// or changed.
func (m *machine) settled(full string) bool {
	if m.p.Settled == nil || mark.Has(full) || m.paths && m.wroteAny(baseName(full)) {
		return false
	}
	z, _, _ := m.p.Where(full)
	_, wrote := m.written(full)
	return z == effect.ZoneWorkspace && !wrote && m.p.Settled(full)
}

// settledTree says whether neither the session nor this line put anything into the directory
// of installed packages that a path is in: its programs are links into it, and load from it.
func (m *machine) settledTree(full string) bool {
	for _, dir := range packageTrees {
		i := strings.LastIndex(full, dir)
		if i < 0 {
			continue
		}
		tree := full[:i+len(dir)-1]
		if _, wrote := m.written(tree); wrote || !m.p.Settled(tree) {
			return false
		}
	}
	return true
}

// packageTrees are the directories in which package managers keep what they installed for a
// project (npm's folders(5), composer's vendor-dir, venv of Python's library).
var packageTrees = [...]string{"/node_modules/", "/vendor/", "/.venv/", "/venv/", "/env/"}

// above looks for a path in the working directory and those above it, in the workspace.
func (m *machine) above(name string) (full string, ok bool) {
	if strings.Contains(name, "..") || mark.Has(name) || mark.Has(m.cwd) {
		return "", false
	}
	for dir := m.cwd; len(dir) > 1; dir = path.Dir(dir) {
		if full = path.Join(dir, name); m.settled(full) && m.settledTree(full) {
			return full, true
		}
		if z, _, _ := m.p.Where(path.Dir(dir)); z != effect.ZoneWorkspace {
			return "", false
		}
	}
	return "", false
}

// npmInstalled is the place of a program that npm and its kin installed for the workspace
// under a name: a command, or a package with a scope, of which they run the one command.
func (m *machine) npmInstalled(name string) (full string, ok bool) {
	if scope, pkg, scoped := cutAt(name, "/"); scoped {
		if len(scope) < 2 || scope[0] != '@' || !plainName(scope[1:]) || !plainName(pkg) {
			return "", false
		}
		return m.above("node_modules/" + name + "/package.json")
	}
	if !plainTask(name) {
		return "", false
	}
	return m.above("node_modules/.bin/" + name)
}

// npmExec runs what follows pnpm exec and yarn exec: a program of the project's dependencies,
// which come first on the path (pnpm exec, yarn exec of their manuals), or any other.
func (m *machine) npmExec(rest []string, in data, want bool) data {
	if full, ok := m.npmInstalled(rest[0]); ok && !strings.HasPrefix(rest[0], "@") && lookupTool(rest[0]) == nil {
		return m.asRun(rest, func() data { return m.runFile(full, rest, in, want) })
	}
	if file := m.npmEntry(rest[0]); file != "" {
		return m.asRun(rest, func() data { return m.entryFile(file, rest, in, want) })
	}
	return m.run(rest, in, want)
}

// packageOf is the name of the package that a file of the dependencies is of, or its own.
func packageOf(full string) string {
	i := strings.LastIndex(full, "/node_modules/")
	if i < 0 {
		return baseName(full)
	}
	parts := strings.Split(full[i+len("/node_modules/"):], "/")
	if parts[0] == ".bin" || len(parts) > 2 && strings.HasPrefix(parts[0], "@") {
		return parts[1]
	}
	return parts[0]
}

// taskOfDependency runs a word behind pnpm or yarn that is no script of the project: a program of
// its dependencies (pnpm run and yarn run of their manuals, where scripts come first).
func (m *machine) taskOfDependency(word string, args []string, in data, want bool) (data, bool) {
	if _, ok := m.npmInstalled(word); !ok || strings.HasPrefix(word, "@") || m.definesScript(word) {
		return data{}, false
	}
	return m.npmExec(append([]string{word}, args...), in, want), true
}

// definesScript says whether the nearest package.json, as it was before the session, has a
// script of a name (npm's package.json(5), scripts).
func (m *machine) definesScript(name string) bool {
	full, ok := m.above("package.json")
	if !ok || m.p.SettledText == nil {
		return false
	}
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(m.p.SettledText(full)), &manifest) != nil {
		return false
	}
	_, ok = manifest.Scripts[name]
	return ok
}

// asRun has what f does counted as a run of these words, and not as one of the runner that
// was told them: a yes to it is a yes to that program, not to the runner with anything.
func (m *machine) asRun(argv []string, f func() data) data {
	words, running := m.argv, m.running
	n := len(m.runs)
	m.argv = argv
	m.begin(argv)
	out := f()
	m.ended(n)
	m.argv, m.running = words, running
	return out
}

// environmentPrograms are the directories in which Python's environments of the workspace
// keep programs (venv of Python's library).
var environmentPrograms = [...]string{".venv/bin/", "venv/bin/", "env/bin/"}

// lockFiles are what names each dependency of a project as it was resolved, with what stands
// around a name there (the formats' own manuals: poetry.lock, uv.lock, pdm.lock and
// Gemfile.lock).
var lockFiles = [...]struct{ file, before, after string }{
	{"Gemfile.lock", "\n    ", " ("},
	{"pdm.lock", "\nname = \"", "\""},
	{"poetry.lock", "\nname = \"", "\""},
	{"uv.lock", "\nname = \"", "\""},
}

// ofEnvironment says whether a program that a runner of the project's environment starts is
// one of its dependencies: installed in the workspace, or named by the lock file.
func (m *machine) ofEnvironment(name string) bool {
	if !plainTask(name) {
		return false
	}
	for _, dir := range environmentPrograms {
		if _, ok := m.above(dir + name); ok {
			return true
		}
	}
	if m.p.SettledText == nil {
		return false
	}
	for _, l := range lockFiles {
		if full, ok := m.above(l.file); ok && strings.Contains(m.p.SettledText(full), l.before+name+l.after) {
			return true
		}
	}
	return false
}

// environmentRunners start a program in the environment of the project: bundler, poetry,
// pipenv, pdm, hatch and uv, from their manuals. Sorted.
var environmentRunners = []string{"bundle exec", "hatch run", "pdm run", "pipenv run", "poetry run", "uv run"}

// inEnvironment runs what follows one of them. A program that no file lists is judged as the
// dependency that it is.
func (m *machine) inEnvironment(rest []string, in data, want bool) data {
	name := rest[0]
	if out, ok := m.runsEntry(rest, in, want); ok {
		return out
	}
	if lookupTool(name) == nil && m.ofEnvironment(name) {
		if _, ok := interpreter(name); !ok {
			m.prog = name
			return m.asRun(rest, func() data {
				m.dependencyRun(name, rest[1:], true)
				return unknown
			})
		}
	}
	return m.run(rest, in, want)
}

// workVerbs are words that say of a program of any ecosystem that it builds, checks, shows
// or writes files of the project from others: what tasks of the same name do. None starts
// what others reach, changes a database, or adds something from elsewhere. Sorted.
const workVerbs = "analyse analyze bench benchmark build bundle check codegen compile coverage diff docs doctor fmt format gen generate help info inspect lint list ls preview print report show " +
	"stats status test tests typecheck typegen types validate verify version watch"

// workNames are words of a program's own name that say the same of each of its runs. Sorted.
const workNames = "analyzer check checker codegen cov coverage fmt formatter lint linter typecheck typegen types validator"

// services are programs of registries that hand what they are given to a service of their
// makers, or work on what runs there, by their READMEs. Sorted.
var services = []string{
	"amplify", "apollo", "appcenter", "chromatic", "checkly", "codecov", "contentful", "convex", "coveralls", "eas", "expo", "firebase", "heroku", "netlify", "newman", "percy", "rover", "sanity", "sentry-cli", "serverless", "shopify",
	"sls", "snyk", "sonar-scanner", "sst", "supabase", "trigger.dev", "vercel", "wrangler",
}

// elsewhereWords are words of an option's name or of a value by which a run is aimed at what
// is in use, or at somewhere else.
var elsewhereWords = []string{"live", "prod", "production", "publish", "push", "registry", "release", "remote", "staging", "token", "upload"}

// dependencyRun judges a run of a program that came with the dependencies. known says that
// the session did not bring it in.
func (m *machine) dependencyRun(name string, args []string, known bool) {
	base := baseName(name)
	if !known || !m.tellsWork(base, args) && !m.scriptsTell(base, args) {
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunUnknown, Resource: base, Program: base})
		m.givenSecrets(args)
		return
	}
	m.prog = base
	m.build()
}

// tellsWork says whether all that a dependency's program is told is work on the project: a
// word for it, files of the workspace, and options that say the same in every program. What
// any other word or option does nobody knows.
func (m *machine) tellsWork(name string, args []string) bool {
	if len(args) == 1 && isAmong(tellingOptions, args[0]) || m.says(ofDependency, append([]string{name}, args...)) {
		return true
	}
	if outward(name) || isAmong(services, name) || searchNames(publishers, name) || m.aimsElsewhere(args) {
		return false
	}
	works := slices.ContainsFunc(strings.FieldsFunc(name, separates), func(w string) bool { return mark.Among(workNames, w) })
	verb := ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "" || mark.Has(a) || outward(a) || releases(a) || ContainsAny(strings.FieldsFunc(camelSplit(strings.TrimLeft(a, "-")), wordEnds), elsewhereWords...) {
			return false
		}
		switch {
		case a[0] == '-':
			takes, ok := m.plainOption(a, args[i+1:])
			if !ok {
				return false
			}
			i += takes
		case verb == "" && plainTask(a) && slices.ContainsFunc(strings.FieldsFunc(camelSplit(a), separates), func(w string) bool { return mark.Among(workVerbs, w) }):
			verb = a
		case verb == "" && !works || !m.plainFile(a):
			return false
		}
	}
	return verb != "" || works
}

// wordEnds says whether a rune stands between the words of an option or a value.
func wordEnds(c rune) bool { return c == '=' || separates(c) }

// tellingOptions have a program say what it is and end (GNU Coding Standards, 4.8.1 and
// 4.8.2).
var tellingOptions = []string{"--help", "--version"}

// Options that say the same in every program, as far as a name alone can say so: those of the
// first list take nothing behind them, a value of one of the second is a file or a directory of
// the workspace, of the third a form of output, and of the last a name that is given to
// something (GNU Coding Standards, 4.8, where they stand there).
var (
	plainFlags  = "--all --check --color --colors --debug --dry-run --fix --help --json --no-color --no-colors --no-watch --pretty --quiet --silent --strict --verbose --version --watch -h -q -v"
	fileOptions = "--config --dir --input --out --out-dir --out-file --outDir --outFile --outdir --outfile --output --output-dir --output-file --schema"
	formOptions = []string{"--format", "--reporter"}
	nameOptions = []string{"--name"}

	// countOptions bound, divide or repeat what is done: their value is a number.
	countOptions = "--concurrency --count --depth --indent --iterations --jobs --limit --line-length --line-width --max-depth --max-errors --max-failures --max-lines --max-warnings --max-workers " +
		"--precision --print-width --repeat --retries --runs --samples --seed --tab-width --threads --timeout --top --width --workers"
)

// forms are forms of output that programs have built in under these names.
var forms = []string{"compact", "csv", "html", "json", "junit", "markdown", "md", "pretty", "stylish", "table", "tap", "text", "toml", "xml", "yaml"}

// plainOption says whether an option is one that says the same in every program, with a value
// that can do no more than it says, and how many of the next words it takes.
func (m *machine) plainOption(word string, next []string) (takes int, ok bool) {
	name, value, attached := cutAt(word, "=")
	if takes, ok := lookOption(word, next); ok {
		return takes, true
	}
	if mark.Among(plainFlags, name) {
		return 0, !attached || value == "true" || value == "false"
	}
	if !attached {
		if len(next) == 0 {
			return 0, false
		}
		value, takes = next[0], 1
	}
	switch {
	case mark.Among(fileOptions, name):
		return takes, m.plainFile(value) || m.newFile(value)
	case isAmong(formOptions, name):
		return takes, isAmong(forms, value)
	case isAmong(nameOptions, name):
		return takes, plainName(value)
	case mark.Among(countOptions, name):
		return takes, value != "" && strings.Trim(value, "0123456789") == ""
	}
	return 0, false
}

// plainFile says whether a word names a file or a directory of the workspace that holds no
// secret and that nothing loads unasked: one that lies there, or one with a directory before it
// or the ending of code or of a document. A name alone may be that of anything else.
func (m *machine) plainFile(word string) bool {
	first, _, below := cutAt(trimPrefix(word, "./"), "/")
	named := below && !strings.Contains(first, ".") || strings.HasPrefix(word, "./") || word == "." || names.Texts(baseName(word))
	return m.newFile(word) && (named || m.p.There != nil && m.p.There(m.p.Resolve(m.cwd, word)))
}

// newFile says whether a word can be a path of the workspace at which nothing lies that holds
// secrets or is loaded unasked, where it is known to be one.
func (m *machine) newFile(word string) bool {
	if word == "" || word[0] == '-' || word[0] == '~' || mark.Has(word) || strings.Trim(word, pathBytes) != "" {
		return false
	}
	z, secret, protected := m.p.Where(m.p.Resolve(m.cwd, word))
	return z == effect.ZoneWorkspace && !secret && !protected
}

// pathBytes are what a plain path is made of.
const pathBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+"
