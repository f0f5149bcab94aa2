package episode

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	marks "github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about which programs run the tests of a project (docs/rules.md, What counts
// as a test run). Only what is known counts: a program, its subcommand, and options of which
// the manual says that tests run all the same.

// What stands behind the options of a runner.
const (
	anyPath = iota // files, directories, packages: a runner fails where there are none
	nothing        // no more words: they would choose tests, and choosing none is no failure
	targets        // names of a project's tasks, one of them for tests
	oneTask        // one such name
)

// runner is a command that runs tests.
type runner struct {
	names    string // of the program
	sub      string // the words that have to follow
	operands int
	// options that leave it running tests. NAME= takes a value, NAME/ a path.
	options string
	// behind are those that may stand behind --.
	behind string
}

// Options that runners of JavaScript share.
const scriptOptions = "--ci --coverage --verbose --silent --run --watch=false --watchAll=false --runInBand -i --no-cache --bail --forceExit --detectOpenHandles --no-color --colors --no-coverage --maxWorkers= --reporter= --reporters= --config/ -c/ --testTimeout= --exit --recursive --project= --workers="

// runners are the commands that run tests, from their manuals.
var runners = [...]runner{
	{"pytest py.test", "", anyPath, "-q -v -vv -x -s -l --quiet --verbose --exitfirst --showlocals --lf --ff --nf --last-failed --failed-first --new-first --sw --stepwise --strict --strict-markers --strict-config --no-header --no-summary --no-cov --full-trace --disable-warnings --disable-pytest-warnings --forked --cache-clear --doctest-modules -r= -k= -m= -n= -W= -c/ --maxfail= --tb= --durations= --color= --timeout= --cov= --cov-report= --cov-fail-under= --cov-config/ --ignore= --ignore-glob= --deselect= --junitxml/ --junit-xml/ --reruns= --dist= --capture= --show-capture= --import-mode= --log-level= --log-cli-level= --rootdir/ --cov-branch --asyncio-mode=", ""},
	{"unittest", "", anyPath, "-q -v -f -b --quiet --verbose --failfast --buffer --locals --durations= -s/ -t/ --start-directory/ --top-level-directory/", ""},
	{"manage.py django-admin", "test", anyPath, "-v= --verbosity= --parallel --parallel= --keepdb --noinput --no-input --failfast --reverse --shuffle --settings= --no-color --buffer --timing", ""},
	{"go", "test", anyPath, "-v -race -short -cover -json -failfast -trimpath -a -x -C/ -count= -cpu= -parallel= -p= -timeout= -tags= -mod= -vet= -shuffle= -coverprofile/ -covermode= -coverpkg= -buildvcs=", ""},
	{"cargo", "test", nothing, "-q -v -r --quiet --verbose --release --workspace --all --all-features --all-targets --no-default-features --no-fail-fast --lib --bins --tests --locked --offline --frozen --doc -p= -j= -F= --package= --exclude= --features= --jobs= --profile= --color= --manifest-path/ --target-dir/ --test= --bin=", "--nocapture --show-output --test-threads= -q --quiet"},
	{"cargo", "t", nothing, "-q -v -r --quiet --verbose --release --workspace --all --all-features", "--nocapture --test-threads="},
	{"cargo", "nextest run", nothing, "-r --release --workspace --all --all-features --no-default-features --no-fail-fast --lib --tests --locked --offline -p= -j= -P= -F= --package= --exclude= --features= --profile= --color= --retries= --no-capture --nocapture", ""},
	{"jest", "", anyPath, scriptOptions, ""},
	{"vitest", "", nothing, scriptOptions, ""},
	{"vitest", "run", anyPath, scriptOptions, ""},
	{"mocha ava", "", anyPath, scriptOptions + " -r= --require= --timeout= -t= -R= --spec= --parallel", ""},
	{"playwright", "test", anyPath, scriptOptions, ""},
	{"node", "", anyPath, "--test --import= --require= -r= --loader= --test-reporter= --test-concurrency= --test-timeout= --experimental-strip-types --experimental-test-coverage --enable-source-maps --no-warnings", ""},
	{"bun", "test", anyPath, "--coverage --bail --bail= --timeout= --rerun-each= --preload= --cwd/", ""},
	{"deno", "test", anyPath, "-A -q -R -N --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run --quiet --parallel --coverage --coverage= --fail-fast --no-check --config/ -c/ --doc", ""},
	{"npm pnpm yarn", "test", nothing, "-s -ws --silent --workspaces -w= --workspace= --prefix/ -C/ --dir/ --cwd/ -r --recursive", scriptOptions},
	{"npm", "t", nothing, "-s --silent", scriptOptions},
	{"npm pnpm yarn bun", "run", oneTask, "-s -ws --silent --workspaces -w= --workspace= --prefix/ -C/ --dir/ --cwd/ -r --recursive", scriptOptions},
	{"make gmake", "", targets, "-s -k -B -j -w -O --silent --quiet --keep-going --always-make --no-print-directory -j= --jobs= -l= -C/ -f/ --directory/ --file/ --makefile/", ""},
	{"ninja", "", targets, "-v --verbose --quiet -j= -l= -k= -C/ -f/", ""},
	{"just task rake", "", targets, "-q -s -v --silent --quiet --verbose -f/ -d/ --justfile/ --taskfile/ --working-directory/ --dir/", ""},
	{"rspec", "", anyPath, "-c -w -b --color --colour --no-color --force-color --fail-fast --warnings --backtrace --profile -f= --format= -r= --require= --order= --seed= -I=", ""},
	{"rails", "test", anyPath, "-v -f -b --verbose --fail-fast --backtrace --no-color --defer-output -s= --seed= -j=", ""},
	{"tox", "", nothing, "-q -v -r --quiet --verbose --recreate -p= --parallel= --skip-missing-interpreters -c/", ""},
	{"hatch", "test", anyPath, "-a -c -p -r -q -v --all --cover --parallel --randomize -py= --python=", ""},
	{"ctest", "", nothing, "-V -VV -Q -j= --verbose --quiet --output-on-failure --stop-on-failure --rerun-failed --schedule-random --no-tests=error --progress --parallel= --timeout= -C= --build-config= --test-dir/", ""},
	{"meson", "test", nothing, "-v -q --verbose --quiet --print-errorlogs --no-rebuild -j= -t= --num-processes= --timeout-multiplier= -C/", ""},
	{"bazel bazelisk", "test", anyPath, "-k --keep_going -c= --config= --jobs= --test_output= --test_timeout= --color= --compilation_mode= --cache_test_results=", ""},
	{"gradle gradlew", "", targets, "-q -i -s -S --quiet --info --warn --stacktrace --full-stacktrace --no-daemon --daemon --offline --rerun-tasks --continue --parallel --no-build-cache --build-cache --scan --console= --max-workers= --tests= -p/ --project-dir/", ""},
	{"mvn mvnw", "", targets, "-q -B -e -o -U -am -amd -ntp -nsu --quiet --batch-mode --errors --offline --update-snapshots --also-make --no-transfer-progress -T= -pl= --threads= --projects= -f/ --file/", ""},
	{"dotnet", "test", anyPath, "--no-build --no-restore --nologo -c= -f= -v= -l= --configuration= --framework= --verbosity= --logger= --collect=", ""},
	{"swift", "test", nothing, "-v -q --parallel --verbose --quiet --enable-code-coverage -c= -j= --configuration= --jobs= --num-workers= --package-path/", ""},
	{"mix", "test", anyPath, "--trace --cover --slowest= --max-failures= --seed= --color --force --warnings-as-errors", ""},
	{"dart flutter", "test", anyPath, "--coverage -j= --concurrency= -r= --reporter= --timeout= -p= --platform=", ""},
	{"phpunit pest", "", anyPath, "-v --verbose --debug --testdox --colors --colors= --stop-on-failure --stop-on-error --no-coverage --coverage-text --no-progress --parallel -c/ --configuration/ --bootstrap/", ""},
	{"artisan", "test", anyPath, "--parallel --coverage --stop-on-failure", ""},
	{"stack cabal", "test", anyPath, "--fast --pedantic -v -j= --test-show-details=", ""},
	{"sbt lein", "", targets, "", ""},
	{"zig", "build test", nothing, "-j= --summary=", ""},
	{"prove", "", anyPath, "-v -r -l -b -q -f -s --verbose --recurse --lib --blib --quiet --shuffle -j= --jobs= -I=", ""},
	{"bats", "", anyPath, "-r -t -p -T --recursive --tap --pretty --timing -j= --jobs=", ""},
}

// runsTests says whether a program with its words is a run of tests, and one of the
// workspace's.
func runsTests(words []string, cwd string, p *effect.Places) bool {
	if slices.ContainsFunc(words, marks.Has) {
		return false
	}
	words, ok := inner(words, cwd, p)
	if !ok || !inWorkspace(p, cwd, ".") {
		return false
	}
	for i := range runners {
		if runners[i].runs(words, cwd, p) {
			return true
		}
	}
	return false
}

// inner are the words of what an interpreter runs, with the bare name of its program first.
func inner(words []string, cwd string, p *effect.Places) ([]string, bool) {
	name := path.Base(words[0])
	if strings.Contains(words[0], "/") && !ownProgram(words[0], cwd, p) {
		return nil, false
	}
	rest := words[1:]
	python := strings.HasPrefix(name, "python") && strings.Trim(name[len("python"):], "0123456789.") == ""
	switch {
	case python:
		for len(rest) > 0 && (rest[0] == "-u" || rest[0] == "-B" || rest[0] == "-Wd") {
			rest = rest[1:]
		}
		if len(rest) > 1 && rest[0] == "-m" && (rest[1] == "pytest" || rest[1] == "unittest" || rest[1] == "coverage") {
			return inner(rest[1:], cwd, p)
		}
		if len(rest) > 1 && path.Base(rest[0]) == "manage.py" && inWorkspace(p, cwd, rest[0]) {
			return append([]string{"manage.py"}, rest[1:]...), true
		}
		return nil, false
	case name == "coverage" && len(rest) > 2 && rest[0] == "run":
		for rest = rest[1:]; len(rest) > 2 && (rest[0] == "-p" || rest[0] == "-a" || rest[0] == "--branch" || rest[0] == "--append" || strings.HasPrefix(rest[0], "--source=")); {
			rest = rest[1:]
		}
		if len(rest) > 1 && rest[0] == "-m" {
			return inner(rest[1:], cwd, p)
		}
		if len(rest) > 1 && path.Base(rest[0]) == "manage.py" {
			return append([]string{"manage.py"}, rest[1:]...), true
		}
		return nil, false
	case name == "php" && len(rest) > 1 && rest[0] == "artisan":
		return rest, true
	case name == "cargo" && len(rest) > 0 && strings.HasPrefix(rest[0], "+"):
		rest = rest[1:]
	}
	return append([]string{name}, rest...), true
}

// ownProgram says whether a path is that of a program of the system, or of one that the
// workspace keeps for its own tasks.
func ownProgram(word, cwd string, p *effect.Places) bool {
	full := p.Resolve(cwd, word)
	switch dir, name := path.Split(full); dir {
	case "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/":
		return true
	default:
		kept := strings.HasSuffix(dir, "/bin/") || strings.HasSuffix(dir, "/.bin/") || strings.HasSuffix(dir, "/Scripts/") || name == "gradlew" || name == "mvnw" || name == "manage.py"
		return kept && inWorkspace(p, cwd, word)
	}
}

// inWorkspace says whether a path lies in the workspace.
func inWorkspace(p *effect.Places, cwd, word string) bool {
	z, _, _ := p.Where(p.Resolve(cwd, word))
	return z == effect.ZoneWorkspace
}

// runs says whether words are a run of this runner.
func (r *runner) runs(words []string, cwd string, p *effect.Places) bool {
	if !slices.Contains(strings.Fields(r.names), words[0]) {
		return false
	}
	front, back := words[1:], []string(nil)
	if i := slices.Index(front, "--"); i >= 0 {
		if front, back = front[:i], front[i+1:]; r.behind == "" {
			return false
		}
	}
	operands, ok := known(front, strings.Fields(r.options), cwd, p)
	if !ok {
		return false
	}
	more, ok := known(back, strings.Fields(r.behind), cwd, p)
	sub := strings.Fields(r.sub)
	if !ok || len(more) > 0 || len(operands) < len(sub) || !slices.Equal(operands[:len(sub)], sub) {
		return false
	}
	return r.allows(words, operands[len(sub):], cwd, p)
}

// allows says whether what stands behind the options leaves tests running.
func (r *runner) allows(words, operands []string, cwd string, p *effect.Places) bool {
	switch r.operands {
	case nothing:
		return len(operands) == 0
	case targets, oneTask:
		ok := r.operands == targets || len(operands) == 1
		return ok && slices.ContainsFunc(operands, func(s string) bool { return namesTests(words[0], s) }) && !slices.ContainsFunc(operands, func(s string) bool { return strings.HasPrefix(s, "-") || strings.Contains(s, "=") })
	}
	if words[0] == "node" {
		at := slices.Index(words, "--test")
		if at < 0 || len(operands) > 0 && at > slices.Index(words, operands[0]) {
			return false
		}
	}
	return !slices.ContainsFunc(operands, func(s string) bool {
		s, _, _ = strings.Cut(s, "::")
		if words[0] == "go" && s[0] != '.' && s[0] != '/' {
			return true // a package that may be anybody's
		}
		leads := s != "" && s[0] == '/' && !strings.HasPrefix(s, "//") || strings.HasPrefix(s, "~") || slices.Contains(strings.Split(s, "/"), "..")
		return leads && !inWorkspace(p, cwd, s)
	})
}

// known parts words into operands and options, if all of these are listed.
func known(words, options []string, cwd string, p *effect.Places) (operands []string, ok bool) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if len(w) < 2 || w[0] != '-' {
			if w == "" {
				return nil, false
			}
			operands = append(operands, w)
			continue
		}
		name, value, has := strings.Cut(w, "=")
		switch {
		case slices.Contains(options, w):
			continue
		case has:
		case slices.Contains(options, w+"=") || slices.Contains(options, w+"/"):
			if i++; i == len(words) {
				return nil, false
			}
			value = words[i]
		case w[1] != '-' && (slices.Contains(options, w[:2]+"=") || slices.Contains(options, w[:2]+"/")):
			name, value = w[:2], w[2:]
		case w[1] != '-' && bundled(w[1:], options):
			continue
		default:
			return nil, false
		}
		switch {
		case slices.Contains(options, name+"/") && inWorkspace(p, cwd, value):
		case !slices.Contains(options, name+"="), name == "-count" && strings.Trim(value, "0") == "":
			return nil, false
		}
	}
	return operands, true
}

// bundled says whether all letters are listed options without a value.
func bundled(letters string, options []string) bool {
	for _, c := range letters {
		if !slices.Contains(options, "-"+string(c)) {
			return false
		}
	}
	return true
}

// Words that the names of tasks which run tests are made of, as projects name them.
const (
	testWords  = " test tests unittest unittests "
	checkWords = " check verify " // of the tools by whose own conventions these run tests
	kindWords  = " unit integration e2e all ci race fast short cov coverage functional api backend frontend server client go py python js rust node jest vitest mocha pytest "
)

// namesTests says whether a task's name says that it runs tests, and nothing else that is
// not known. A path of projects before it, as Gradle has it, may be any.
func namesTests(tool, task string) bool {
	if slices.Contains([]string{"make", "gmake", "ninja", "gradle", "gradlew", "mvn", "mvnw"}, tool) && strings.Contains(checkWords, " "+task[strings.LastIndexByte(task, ':')+1:]+" ") {
		return true
	}
	if strings.HasPrefix(task, ":") {
		task = task[strings.LastIndexByte(task, ':')+1:]
	}
	tests := false
	for _, w := range strings.FieldsFunc(task, func(c rune) bool { return strings.ContainsRune(":-_.", c) }) {
		is := strings.Contains(testWords, " "+w+" ")
		if tests = tests || is; !is && !strings.Contains(kindWords, " "+w+" ") {
			return false
		}
	}
	return tests
}
