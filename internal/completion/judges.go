package completion

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/traverse/cover"
	"github.com/gbt-policy/gbt/traverse"
)

// A run that may change what judges it can always be DONE: it weakens a test, leaves
// one out, or puts a program of its own in the place of the one that runs them. So the
// files that judge are looked at before and after, by digest.

// Judges tells which files judge a run.
type Judges struct {
	commands     string   // all command lines, as words divided by blanks
	task         string   // the task's words, in the same form
	programs     []string // programs and modules that commands start
	lock, unlock []string
}

// JudgesOf are those of a task's checks. lock adds paths, or endings as *.py, and
// unlock takes some away.
func JudgesOf(t *traverse.Task, lock, unlock []string) *Judges {
	j := &Judges{task: spaced(t.Text), lock: lock, unlock: unlock}
	for i := range t.Checks {
		if c := &t.Checks[i]; c.File == nil && c.Value == nil {
			j.commands += spaced(c.Text)
			j.programs = append(j.programs, Programs(c.Text)...)
		}
	}
	return j
}

// spaced is a text as words that file names are made of, with a blank on both sides.
func spaced(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;&|<>()=,:", r) })
	for i, w := range words {
		words[i] = strings.TrimRight(path.Clean(w), ".")
	}
	return " " + strings.Join(words, " ") + " "
}

// Judges says whether a file that was there before anything was done, by its path in the
// workspace, judges the run.
func (j *Judges) Judges(name string) bool {
	if said, ok := j.said(name); ok {
		return said
	}
	return isTest(name) || j.settles(name) || j.shadows(name) || j.names(name)
}

// Replaces says whether a file that was not there before takes the place of what judges:
// settings of a test program, or a program of its name. A new test takes no other's place.
func (j *Judges) Replaces(name string) bool {
	if said, ok := j.said(name); ok {
		return said
	}
	return j.settles(name) || j.shadows(name)
}

// Changed are the files that judge the run and differ, by digests from before and now, in
// order.
func (j *Judges) Changed(before, now map[string]string) []string {
	var out []string
	for name, was := range before {
		if is, ok := now[name]; (!ok || is != was) && j.Judges(name) {
			out = append(out, name)
		}
	}
	for name := range now {
		if _, ok := before[name]; !ok && j.Replaces(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// said is what the person said of a file.
func (j *Judges) said(name string) (judges, ok bool) {
	switch {
	case slices.ContainsFunc(j.unlock, func(p string) bool { return fits(p, name) }):
		return false, true
	case slices.ContainsFunc(j.lock, func(p string) bool { return fits(p, name) }):
		return true, true
	}
	return false, false
}

func fits(pattern, name string) bool {
	pattern = path.Clean(pattern)
	ok, _ := path.Match(pattern, path.Base(name)) // a pattern that is none fits nothing
	return ok || pattern == name || strings.HasPrefix(name, pattern+"/")
}

// testName are the names that the common test programs look for: pytest, unittest, go
// test, jest, vitest, mocha, JUnit, RSpec.
var testName = regexp.MustCompile(`^(test_.*|.*_test|tests?|conftest)\.py$|_test\.go$|\.(test|spec)\.[cm]?[jt]sx?$|Tests?\.(java|kt|cs)$|_(spec|test)\.rb$|_test\.(exs|dart|cc|cpp)$|^test.*\.bats$`)

// testDirs are the directories that such programs keep tests and expected results in.
var testDirs = []string{"test", "tests", "__tests__", "spec", "specs", "testdata", "fixtures"}

func isTest(name string) bool {
	dir := path.Dir(name)
	cache := strings.Contains(name, "__pycache__") || strings.HasSuffix(name, ".pyc")
	return !cache && (testName.MatchString(path.Base(name)) ||
		slices.ContainsFunc(strings.Split(dir, "/"), func(d string) bool { return slices.Contains(testDirs, d) }))
}

// settings are the files by which a program decides what it runs and what counts as
// passed. That one is written anew counts too.
var settings = map[string][]string{
	"pytest":   {"pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "conftest.py", "sitecustomize.py", "usercustomize.py"},
	"unittest": {"sitecustomize.py", "usercustomize.py"},
	"python":   {"sitecustomize.py", "usercustomize.py"},
	"tox":      {"tox.ini", "setup.cfg", "pyproject.toml"},
	"make":     {"Makefile", "makefile", "GNUmakefile"},
	"npm":      {"package.json", ".npmrc"}, "yarn": {"package.json", ".yarnrc.yml"}, "pnpm": {"package.json", ".npmrc"}, "npx": {"package.json", ".npmrc"},
	"jest":   {"package.json", "jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs"},
	"vitest": {"vitest.config.ts", "vitest.config.js", "vite.config.ts", "vite.config.js"},
	"mocha":  {"package.json", ".mocharc.json", ".mocharc.yml", ".mocharc.js", ".mocharc.cjs"},
	"go":     {"go.work"},
	"bats":   {".bats"},
	"rake":   {"Rakefile"}, "rspec": {".rspec"},
}

func (j *Judges) settles(name string) bool {
	base := path.Base(name)
	return !j.asked(name) && slices.ContainsFunc(j.programs, func(p string) bool {
		return slices.Contains(settings[strings.TrimRight(p, "0123456789.")], base)
	})
}

// shadows says whether a file can stand in for a program or module that a command
// starts: python -m pytest takes a pytest.py of its directory.
func (j *Judges) shadows(name string) bool {
	stem, _, _ := strings.Cut(path.Base(name), ".")
	dir := path.Base(path.Dir(name))
	return slices.ContainsFunc(j.programs, func(p string) bool { return p == stem && !j.asked(name) || p == dir && stem == "__init__" })
}

// names says whether a command names a file that the task does not: what it compares
// with, or the script that it runs.
func (j *Judges) names(name string) bool {
	return mentions(j.commands, name) && !j.asked(name)
}

func (j *Judges) asked(name string) bool {
	return mentions(j.task, name) || mentions(j.task, path.Base(name))
}

func mentions(words, name string) bool { return strings.Contains(words, " "+name+" ") }

// Programs are the programs and modules that a command line starts, where its exit
// status depends on them.
func Programs(command string) []string { return cover.Read(command).Programs }
