package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file says what runners load without being told: files by their names, as the
// manuals of the runners say, and what their settings name.

// runners are programs that run a project's code, with the language of what they load. What
// is not among them reads code at most. Programs of the npm registry run JavaScript
// (runnerLanguage). A line for each language, its name first.
const runners = "\npython alembic daphne django-admin gunicorn hypercorn inv locust mkdocs streamlit uvicorn avocado behave celery coverage doctest doit fab flask hatch invoke jupyter " +
	"mutmut nose2 nosetests nox papermill pdm pip pip3 poe poetry py.test pylint pytest python python3 scrapy sphinx-build tox uv build scons " +
	"\nnode bun deno node npm pnpm yarn " +
	"\n npx " +
	"\nruby bundle cucumber rails rake rspec ruby guard m jekyll " +
	"\nphp artisan codecept composer paratest pest php phpunit phpstan " +
	"\nrs cargo " +
	"\ngo go mage " +
	"\njava gradle gradlew mvn mvnw sbt " +
	"\ncs dotnet " +
	"\nswift swift " +
	"\ndart dart " +
	"\nzig zig " +
	"\nex mix " +
	"\nc cc gcc g++ c++ clang clang++ " +
	"\nany docker docker-compose podman podman-compose lefthook pre-commit air goreleaser mise " +
	"\nsh bats " +
	"\nr Rscript " +
	"\nmake make gmake just task cmake ninja meson "

// readsOnly are programs of the npm registry that run no code of the project's.
const readsOnly = "biome cspell depcheck dprint htmlhint jshint jsonlint knip markdownlint oxlint prettierd pyright swc tsc write-good"

// wrapperOf is the builder that a file starts which a project keeps for it, by the file's name or a program's:
// its scripts for the shells of Windows are those of the same builder, and sh runs one that has no first line
// (Gradle's manual, The Gradle Wrapper; Maven's, Maven Wrapper).
func wrapperOf(name string) string {
	switch stem := trimSuffix(trimSuffix(name, ".bat"), ".cmd"); stem {
	case "gradlew", "mvnw":
		return stem
	}
	return name
}

// runnerLanguage is the language of what a program loads, empty for a program that loads
// nothing.
func runnerLanguage(program string) string {
	if at := strings.Index(runners, " "+program+" "); at >= 0 && program != "" && !strings.ContainsAny(program, " \n") {
		language, _, _ := cutAt(runners[lastByte(runners[:at+1], '\n')+1:], " ")
		return language
	}
	if shell.NpmTool(program) && !mark.Among(readsOnly, program) {
		return "node"
	}
	return ""
}

// runner adds what a program loads by its conventions where it runs.
func (f *follower) runner(program string, r *effect.Run) {
	program = wrapperOf(program)
	lang := runnerLanguage(program)
	if len(r.Words) == 0 {
		return
	}
	f.heldSettings(program, r.Cwd)
	if lang == "" && !shell.Listed(program) {
		f.sectionsOf(program, r)
		f.anything()
		return
	}
	if lang == "" {
		return
	}
	if f.bases == nil {
		f.bases = []string{r.Cwd}
	}
	f.scripts(program, r)
	if managers[program] {
		return // what a script starts was followed
	}
	if strings.HasPrefix(program, "docker") || strings.HasPrefix(program, "podman") {
		f.composes(r)
		return
	}
	f.interpreter(r)
	f.installed(program, r)
	switch program {
	case "make", "gmake", "just":
		return // their targets were followed
	case "mise":
		for _, dir := range miseTasks {
			f.below(path.Join(r.Cwd, dir), func(name string) bool { return f.bad[name] })
		}
	case "cargo": // cargo-make and cargo-nextest
		f.file(path.Join(r.Cwd, "Makefile.toml"))
		f.file(path.Join(r.Cwd, ".config/nextest.toml"))
	}
	f.sectionsOf(program, r)
	if isAmong(parsers[:], program) {
		f.subjectSettings(program, r)
		r = withoutSubjects(r)
	}
	operands := f.operands(r)
	if lang == "c" {
		return
	}
	for dir := r.Cwd; ; dir = path.Dir(dir) {
		f.steering(dir, lang)
		f.settingsOf(dir, program)
		if !f.c.inWorkspace(path.Dir(dir)) || dir == "/" {
			break
		}
	}
	if compiledLanguage(lang) {
		f.compiles(program, lang, r)
		return
	}
	if isAmong(parsers[:], program) {
		return
	}
	f.examples(program, r, operands, lang)
	switch program {
	case "alembic", "artisan", "behave", "celery", "codecept", "cucumber", "django-admin", "paratest", "pest", "phpstan", "phpunit", "rails", "scrapy":
		f.allOf(r.Cwd, lang) // they find code by the names of classes and directories
	}
}

// composes judges what an engine of containers takes from the working directory: with what its files include and
// extend.
func (f *follower) composes(r *effect.Run) {
	for _, name := range f.entries(r.Cwd) {
		if text, _ := f.text(path.Join(r.Cwd, name)); composeFile(name, text) {
			f.file(path.Join(r.Cwd, name))
		}
	}
	f.operands(r)
}

// compiles judges what a builder of a compiled language runs of the project: all of it, or what runs while it
// builds.
func (f *follower) compiles(program, lang string, r *effect.Run) {
	if lang == "cs" {
		f.builds(r.Cwd)
	}
	if runsCompiled(program, r) {
		f.allOf(r.Cwd, lang)
		return
	}
	f.file(path.Join(r.Cwd, "build.rs")) // runs while Cargo builds (its manual, build scripts)
	f.file(path.Join(r.Cwd, "build.zig"))
}

// examples judges the tests that a runner finds at its operands, and the examples in texts that it runs.
func (f *follower) examples(program string, r *effect.Run, operands []string, lang string) {
	for _, w := range r.Words[1:] {
		at := f.c.places.Resolve(r.Cwd, w)
		if text, ok := f.text(at); ok && program == "doctest" && f.c.wrote(at) && !f.c.examplesVetted(at, text) {
			f.hit = at
		}
	}
	for _, at := range operands {
		f.tests(at, lang)
		if f.doctests(program, r) {
			f.below(at, func(file string) bool { return f.bad[file] })
			f.below(at, func(file string) bool {
				if text, ok := f.text(file); ok && f.c.wrote(file) && f.hit == "" && !f.c.examplesVetted(file, text) {
					f.hit = file
				}
				return false
			})
		}
	}
}

// miseTasks are the places of tasks and settings of mise beside those that bear its name at the
// front (mise.jdx.dev, File Tasks and Configuration).
var miseTasks = [...]string{".mise", "mise-tasks", ".mise-tasks", "mise", ".config/mise", ".config/mise.toml"}

// anything adds all unvetted code of the workspace: what a program loads that no file of
// programs lists, a dependency of the project, nobody knows.
func (f *follower) anything() {
	for u := range f.bad {
		if codeOf(u) != "" {
			f.file(u)
		}
	}
}

// doctests says whether pytest is told to run the examples in documents and in modules, by an
// option or by its settings (docs.pytest.org, doctest).
func (f *follower) doctests(program string, r *effect.Run) bool {
	if !strings.Contains(program, "test") && !isAmong(r.Words, "pytest") {
		return false
	}
	if slices.ContainsFunc(r.Words, func(w string) bool { return strings.HasPrefix(w, "--doctest") }) {
		return true
	}
	return slices.ContainsFunc([]string{"pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "conftest.py"}, func(base string) bool {
		text, _ := f.text(path.Join(r.Cwd, base))
		return strings.Contains(text, "doctest")
	})
}

// examplesVetted says whether the examples that a text holds would be approved where they run:
// what stands behind the prompts of Python (docs.python.org/3/library/doctest.html).
func (c *Context) examplesVetted(file, text string) bool {
	var code strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if rest, ok := cutPrefix(line, ">>> "); ok {
			code.WriteString(rest)
		} else if rest, ok := cutPrefix(line, "... "); ok {
			code.WriteString(rest)
		}
	}
	return code.Len() == 0 || c.vetted(&effect.Written{Path: file + ".py", Text: code.String(), Known: true})
}

// managers are package managers that run a project's scripts and load nothing else.
var managers = map[string]bool{"npm": true, "pnpm": true, "yarn": true, "composer": true, "npx": true}

// operands are the files and directories that a run names, or where it works; each is
// loaded itself.
func (f *follower) operands(r *effect.Run) []string {
	var out []string
	for i, w := range r.Words[1:] {
		if mark.Has(w) || w == "" || isData(r.Words, i+1) {
			continue
		}
		name, _, _ := cutAt(w, "::") // a test in a file
		if value := firstByte(name, '='); name[0] == '-' && value > 0 {
			name = name[value+1:] // an option's value
		} else if name[0] == '-' {
			continue
		}
		full := f.c.places.Resolve(r.Cwd, name)
		if path.Ext(full) == ".cmake" { // -DCMAKE_TOOLCHAIN_FILE, -C, -P (cmake(1))
			f.leads(full)
		}
		f.file(full)
		if i > 0 && strings.HasPrefix(r.Words[i], "-") && !strings.HasPrefix(r.Words[i], "--") {
			f.module(path.Join(r.Cwd, "-"), name, nil) // -p plugin, -m module
		}
		if f.dir(full) || codeOf(full) != "" {
			out = append(out, full)
		}
	}
	if len(out) == 0 {
		out = append(out, r.Cwd)
	}
	return out
}

// dir says whether files are known below a path.
func (f *follower) dir(name string) bool {
	return len(f.entries(name)) > 0
}

// steering adds the files of a directory that runners of a language load from it.
func (f *follower) steering(dir, lang string) {
	for _, name := range f.entries(dir) {
		if !strings.HasSuffix(name, "/") && steers(name, lang) {
			f.leads(path.Join(dir, name))
			f.file(path.Join(dir, name))
		}
	}
}

// settingsOf adds the files of a directory that bear a runner's name: its settings.
func (f *follower) settingsOf(dir, program string) {
	for _, name := range f.entries(dir) {
		rest, ok := cutPrefix(trimPrefix(strings.ToLower(name), "."), program)
		if ok && rest == "/" && name[0] == '.' { // .storybook
			for _, inner := range f.entries(path.Join(dir, name)) {
				f.file(path.Join(dir, name, inner))
			}
		}
		if ok && !strings.HasSuffix(name, "/") && !says(name) && (rest == "" || rest[0] == '.' || rest[0] == '-' || strings.HasPrefix(rest, "rc") || strings.HasPrefix(rest, "file")) {
			f.leads(path.Join(dir, name))
			f.file(path.Join(dir, name))
		}
	}
}

// says says whether a file is by its name what a program says or keeps while it runs, and so no
// settings of one.
func says(name string) bool {
	ext := path.Ext(name)
	return ext == ".log" || ext == ".pid" || holdsData(name)
}

// steers says whether a runner of a language loads a file by its name: settings, and code
// under a name that says what for.
func steers(name, lang string) bool {
	ext := path.Ext(name)
	stem := trimSuffix(name, ext)
	code := codeOf(name)
	switch lang {
	case "python":
		switch name {
		case "conftest.py", "setup.py", "noxfile.py", "tasks.py", "fabfile.py", "dodo.py", "conf.py", "manage.py", "settings.py", "pyproject.toml", "pytest.ini", ".pytest.ini", "setup.cfg", "tox.ini", ".coveragerc", ".pylintrc", "pylintrc", "SConstruct":
			return true
		}
	case "node":
		return code == "node" && (strings.HasSuffix(stem, ".config") || strings.HasPrefix(stem, ".") || strings.HasSuffix(strings.ToLower(stem), "file") || strings.Contains(stem, ".conf") || strings.Contains(stem, "setup")) ||
			strings.HasPrefix(name, ".") && (strings.HasSuffix(stem, "rc") || strings.HasSuffix(name, "rc")) || strings.HasSuffix(stem, ".config") && (ext == ".json" || ext == ".yaml")
	case "ruby":
		return code == "ruby" && ext != ".rb" || name == ".rspec" || name == ".rubocop.yml" || name == "config.ru"
	case "php":
		return strings.HasPrefix(name, "phpunit.xml") || strings.HasPrefix(name, "phpstan.")
	case "make":
		return shell.Loaded(name) == shell.Recipes || name == "CMakeLists.txt" || name == "meson.build" || strings.HasPrefix(strings.ToLower(name), "taskfile.") || name == "build.ninja"
	case "java":
		return strings.Contains(name, ".gradle") || name == "pom.xml" || name == "build.xml" || ext == ".sbt" || wrapperOf(name) == "gradlew" || name == "gradle.properties"
	}
	return false
}

// testFile says whether runners of a language take a file for tests, or for what tests
// share, by its path below the directory that they search.
func testFile(file, lang string) bool {
	if codeOf(file) != lang {
		return false
	}
	base := path.Base(file)
	stem := trimSuffix(base, path.Ext(base))
	switch lang {
	case "python":
		return strings.HasPrefix(base, "test") || strings.HasSuffix(stem, "_test") || base == "conftest.py"
	case "node":
		return strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, ".cy") || strings.HasSuffix(stem, "-test") || strings.HasSuffix(stem, "_test") || stem == "test" || strings.HasPrefix(stem, "test-") ||
			strings.Contains(file, "/__tests__/") || strings.Contains(file, "/__mocks__/") || strings.Contains(file, "/test/") || strings.Contains(file, "/cypress/")
	case "sh":
		return path.Ext(base) == ".bats"
	case "ruby":
		return strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || stem == "spec_helper" || stem == "rails_helper" || stem == "test_helper" || path.Ext(base) == ".rake" ||
			strings.Contains(file, "/features/") || strings.Contains(file, "/spec/support/")
	}
	return false
}

// tests adds the tests of a language at a path and below it, and what steers them in the
// directories from there up.
func (f *follower) tests(at, lang string) {
	for dir := at; f.c.inWorkspace(dir) && dir != "/"; dir = path.Dir(dir) {
		f.steering(dir, lang)
	}
	if !f.harms {
		f.below(at, func(file string) bool { return testFile(file, lang) })
	}
}

// allOf adds the unvetted files of a language below a directory: a build, or a framework
// that finds code by names of classes, may load each of them.
func (f *follower) allOf(dir, lang string) {
	for u := range f.bad {
		l := codeOf(u)
		if lang == "java" && (l == "kt" || l == "scala" || strings.Contains(path.Base(u), ".gradle")) || lang == "rs" && path.Base(u) == "Cargo.toml" {
			l = lang
		}
		if l == lang && mark.Under(u, dir) {
			f.file(u)
		}
	}
}

// compiledLanguage says whether a builder compiles all code of a language that it finds.
func compiledLanguage(lang string) bool {
	switch lang {
	case "rs", "go", "java", "cs", "swift", "dart", "zig", "ex":
		return true
	}
	return false
}

// runsCompiled says whether a builder runs what it compiles, or code of the project's while
// it does.
func runsCompiled(program string, r *effect.Run) bool {
	word := ""
	for _, w := range r.Words[1:] {
		if w != "" && w[0] != '-' && w[0] != '+' {
			word = w
			break
		}
	}
	switch program {
	case "go":
		return word == "run" || word == "test" || word == "generate" || word == "tool"
	case "cargo", "dotnet", "swift", "dart", "zig":
		return !isAmong([]string{"add", "analyze", "build", "check", "clean", "clippy", "compile", "doc", "fetch", "fix", "fmt", "format", "metadata", "pub", "restore", "tree", "update"}, word)
	}
	return true
}

// below adds the files at a path and below it that are asked for. What is too much to look
// through counts as unvetted.
func (f *follower) below(at string, want func(string) bool) {
	if want(at) {
		f.file(at)
	}
	for _, name := range f.entries(at) {
		if f.walk--; f.walk < 0 {
			f.past(at)
			return
		}
		full := path.Join(at, name)
		if strings.HasSuffix(name, "/") {
			if name[0] != '.' && !installedUnder(full+"/") && f.hit == "" {
				f.below(full, want)
			}
		} else if want(full) {
			f.file(full)
		}
	}
}

// entries are the names in a directory, those of directories with a slash: as the host sees
// them, and what the session made there.
func (f *follower) entries(dir string) []string {
	var out []string
	if f.c.names != nil {
		out = f.c.names(dir)
	}
	add := func(file string) {
		if rest, ok := cutPrefix(file, trimSuffix(dir, "/")+"/"); ok {
			name, _, below := cutAt(rest, "/")
			if below {
				name += "/"
			}
			if name != "" && !isAmong(out, name) {
				out = append(out, name)
			}
		}
	}
	for i := range f.c.Flow.Made {
		add(f.c.Flow.Made[i].Path)
	}
	for u := range f.bad {
		add(u)
	}
	slices.Sort(out)
	return out
}
