package mine

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/traverse/cover"
)

// linters only look at code. Their actions say no more than that a program runs.
var linters = []string{"black", "clippy-driver", "eslint", "flake8", "golangci-lint", "hadolint", "isort", "markdownlint", "mypy", "prettier", "pylint", "pyright",
	"rubocop", "ruff", "shellcheck", "shfmt", "staticcheck", "stylelint", "yamllint"}

var (
	goTo  = regexp.MustCompile(`^cd\s+[^\s;&|]+\s*(?:&&|;)\s*`)
	noise = regexp.MustCompile(`\s+2>&1\s*$`)
	loud  = regexp.MustCompile(`\s(?:-v+|-q+|--verbose|--quiet)(\s|$)`) // says how much is printed, and changes no status
)

// judging is a command line that judges what was done: its exit status is that of tests, a
// build or a linter, and nothing of it does anything else. The directory that a run
// changed to before it is left out, where it is an absolute one: checks start at the root of
// the workspace.
func judging(line string) (string, bool) {
	line = strings.TrimSpace(line)
	for {
		m := goTo.FindString(line)
		if m == "" || !strings.HasPrefix(strings.TrimLeft(m[2:], " \t\"'"), "/") {
			break
		}
		line = line[len(m):]
	}
	line = strings.TrimSpace(noise.ReplaceAllString(line, ""))
	if line == "" || len(line) > maxLine || strings.ContainsAny(line, "\n<>`$") {
		return "", false
	}
	line = strings.TrimSpace(loud.ReplaceAllString(line, "$1"))
	r := cover.Read(line)
	judges := false
	for part := range strings.SplitSeq(r.Text, "\n") {
		switch key := call.ActionOf("bash", argsOf(part)).Key; {
		case key == "test", key == "build" && !does(part), linting(part):
			judges = true
		case key != "noop" && key != "cd":
			return "", false
		}
	}
	return line, judges
}

// does says whether a build does more than to build: it hands something on.
func does(part string) bool {
	return slices.ContainsFunc(strings.Fields(part), func(w string) bool {
		return slices.Contains([]string{"install", "publish", "deploy", "push", "upload", "start", "serve", "dev", "run", "exec", "clean", "release"}, w)
	}) && !strings.Contains(part, "run test") && !strings.Contains(part, "run lint") && !strings.Contains(part, "run build") && !strings.Contains(part, "run check")
}

func linting(part string) bool {
	words := strings.Fields(part)
	fixes := slices.ContainsFunc(words, func(w string) bool {
		return w == "--fix" || w == "-i" || w == "-w" || w == "--write" || w == "--in-place"
	})
	checks := slices.ContainsFunc(words, func(w string) bool { return w == "--check" || w == "--diff" || w == "-l" })
	if len(words) == 0 || !slices.Contains(linters, path.Base(words[0])) || fixes {
		return false
	}
	formats := slices.Contains([]string{"black", "isort", "prettier", "shfmt"}, path.Base(words[0])) || len(words) > 1 && words[1] == "format"
	return !formats || checks
}
