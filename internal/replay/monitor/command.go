package monitor

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// The deeds of command lines that bear on how a request ended.
const (
	deedTest   = "test"
	deedBuild  = "build"
	deedLint   = "lint"
	deedCommit = "commit" // of a version control system
	deedUndo   = "undo"   // of a commit
	deedChange = "change" // of the user's files
)

// command is one program of a command line.
type command struct {
	name  string
	deed  string // "" for any other
	sure  bool   // a line that exits with 0 shows that the program did too
	shown bool   // the end of what it prints is what the line prints
}

// passage is what a program's place in a line lets through of its end.
type passage struct{ status, output bool }

// none is the passage of what stands in a condition or a loop.
func (p passage) none() passage { return passage{output: p.output} }

// maxNesting bounds how deep code that is given to a shell is followed.
const maxNesting = 2

// commandsOf lists the programs of a command line, in the order they stand there.
// Of a line that can't be parsed nothing is known.
func commandsOf(line string) []command {
	f, ok := shell.Parse(line).Named()
	if !ok {
		return nil
	}
	w := commandWalker{depth: maxNesting}
	w.stmts(f.Stmts, passage{true, true})
	return w.out
}

type commandWalker struct {
	out               []command
	depth             int
	errexit, pipefail bool // set -e and set -o pipefail (POSIX.1-2024, set; bash(1))
}

// stmts walks a list: its status is that of the last statement, unless the first
// that fails ends it.
func (w *commandWalker) stmts(list []*syntax.Stmt, p passage) {
	for i, s := range list {
		w.stmt(s, passage{p.status && (w.errexit || i == len(list)-1), p.output})
	}
}

func (w *commandWalker) stmt(s *syntax.Stmt, p passage) {
	p.status = p.status && !s.Negated && !s.Background && !s.Coprocess
	for _, r := range s.Redirs {
		p.output = p.output && (r.Op == syntax.DplOut || r.Op == syntax.RdrIn)
	}
	w.cmd(s.Cmd, p)
}

func (w *commandWalker) cmd(c syntax.Command, p passage) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		w.call(c, p)
	case *syntax.BinaryCmd:
		w.binary(c, p)
	case *syntax.Block:
		w.stmts(c.Stmts, p)
	case *syntax.Subshell:
		w.stmts(c.Stmts, p)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(c.Stmt, p)
		}
	case *syntax.IfClause:
		w.stmts(c.Cond, p.none())
		w.stmts(c.Then, p.none())
		if c.Else != nil {
			w.cmd(c.Else, p.none())
		}
	case *syntax.ForClause:
		w.stmts(c.Do, p.none())
	case *syntax.WhileClause:
		w.stmts(c.Do, p.none())
	}
}

func (w *commandWalker) binary(c *syntax.BinaryCmd, p passage) {
	switch c.Op {
	case syntax.OrStmt:
		w.stmt(c.X, p.none())
		w.stmt(c.Y, p.none())
	case syntax.Pipe, syntax.PipeAll:
		w.stmt(c.X, passage{p.status && w.pipefail, p.output && keepsEnd(c.Y)})
		w.stmt(c.Y, p)
	default:
		w.stmt(c.X, p)
		w.stmt(c.Y, p)
	}
}

// keepsEnd says whether a program behind a pipe prints the end of what it reads:
// test runners and builders say there how it went.
func keepsEnd(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && slices.Contains([]string{"cat", "tail", "tee"}, path.Base(wordText(c.Args[0])))
}

func (w *commandWalker) call(c *syntax.CallExpr, p passage) {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = wordText(a)
	}
	if len(args) == 0 {
		return
	}
	if args[0] == "set" {
		w.set(args[1:])
	}
	if code, ok := shellCode(args); ok && w.depth > 0 {
		if f, ok := shell.Parse(code).Named(); ok {
			inner := commandWalker{depth: w.depth - 1}
			inner.stmts(f.Stmts, p)
			w.out = append(w.out, inner.out...)
			return
		}
	}
	w.out = append(w.out, command{path.Base(args[0]), deedOf(args), p.status, p.output})
}

func (w *commandWalker) set(args []string) {
	for i, a := range args {
		if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") {
			w.errexit = w.errexit || strings.Contains(a, "e")
		}
		w.pipefail = w.pipefail || a == "pipefail" && i > 0 && strings.HasSuffix(args[i-1], "o") && args[i-1][0] == '-'
	}
}

// wordText is a word whose quoting is constant; of any other, what is constant.
func wordText(word *syntax.Word) string {
	var b strings.Builder
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					b.WriteString(l.Value)
				}
			}
		}
	}
	return b.String()
}

// shellCode is the code of sh -c CODE.
func shellCode(args []string) (string, bool) {
	if !slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh"}, path.Base(args[0])) {
		return "", false
	}
	for i := 1; i+1 < len(args); i++ {
		if a := args[i]; strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") {
			return args[i+1], true
		}
	}
	return "", false
}

// deedOf is the deed of one program. What a program that package call knows does
// is asked there; a runner of tasks, known or not, does what the name of its task
// says.
func deedOf(args []string) string {
	args = unwrapped(args)
	if len(args) == 0 {
		return ""
	}
	name := strings.ToLower(path.Base(args[0]))
	if name == "git" {
		return gitDeed(args[1:])
	}
	switch key := actionOf(args); {
	case key == "test":
		return deedTest
	case key == "build" && !takesTask(name):
		return deedBuild
	case key == "run" && strings.ContainsAny(args[0], "/."):
		return taskDeed(strings.TrimSuffix(name, path.Ext(name)))
	case key == "build", key == "run", key == "pkg", key == name:
		if d := linter(name); d != "" {
			return d
		}
		return runnerDeed(args[1:])
	}
	return linter(name)
}

// actionOf asks package call for the action of one program.
func actionOf(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		q, err := syntax.Quote(a, syntax.LangBash)
		if err != nil {
			return ""
		}
		quoted[i] = q
	}
	data, err := json.Marshal(map[string]string{"command": strings.Join(quoted, " ")})
	if err != nil {
		return ""
	}
	return call.ActionOf("bash", string(data)).Key
}

// unwrapped drops programs that run the command given as their arguments.
func unwrapped(args []string) []string {
	for len(args) > 1 {
		switch args[0] {
		case "sudo", "env", "time", "nohup", "timeout", "xargs", "exec", "command", "nice", "stdbuf":
		default:
			return args
		}
		args = args[1:]
		for len(args) > 1 && (strings.HasPrefix(args[0], "-") || strings.Contains(args[0], "=") || strings.Trim(args[0], "0123456789.smh") == "") {
			args = args[1:]
		}
	}
	return args
}

// takesTask says whether a builder does nothing without the name of a task or a
// subcommand (the programs' manuals). The others, compilers among them, build.
func takesTask(name string) bool {
	return slices.Contains([]string{"bazel", "cargo", "dotnet", "go", "gradle", "gradlew", "mvn", "mvnw", "npm", "npx", "pnpm", "sbt", "yarn"}, name)
}

// runnerDeed is the deed of a runner's task, or of the program that it runs.
func runnerDeed(args []string) string {
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "-"), a == "run", a == "exec", a == "x", a == "task", a == "run-script":
			continue
		}
		if d := taskDeed(a); d != "" {
			return d
		}
		if len(args) == i+1 && !strings.ContainsAny(a, "/.") {
			return linter(a)
		}
		return deedOf(args[i:])
	}
	return ""
}

// taskDeed reads the name of a task. Sources of the words: GNU Coding Standards,
// "Standard Targets for Users"; npm-scripts(7); the lifecycles of Maven and
// Gradle; cargo(1); go(1).
func taskDeed(task string) string {
	for _, part := range strings.FieldsFunc(strings.ToLower(task), func(c rune) bool { return strings.ContainsRune(":-._/", c) }) {
		switch part {
		case "test", "tests", "check", "verify", "e2e", "spec":
			return deedTest
		case "build", "compile", "assemble", "typecheck":
			return deedBuild
		case "lint", "vet", "clippy":
			return deedLint
		}
	}
	return ""
}

// linter is the deed of a program that reads code and says what is wrong with it
// (the programs' manuals), or that says so by its name.
func linter(name string) string {
	switch name = strings.ToLower(path.Base(name)); {
	case strings.Contains(name, "lint"), slices.Contains([]string{"flake8", "mypy", "pyright", "rubocop", "ruff", "shellcheck", "staticcheck"}, name):
		return deedLint
	case name == "tsc":
		return deedBuild
	}
	return ""
}

// gitDeed tells a commit, and what takes one back, from all else that git does.
// Source: git-commit(1), git-reset(1), git-revert(1).
func gitDeed(args []string) string {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C", a == "-c":
			i++
		case strings.HasPrefix(a, "-"):
		case a == "commit" && !slices.Contains(args, "--dry-run"):
			return deedCommit
		case a == "revert":
			return deedUndo
		case a == "reset" && slices.ContainsFunc(args[i+1:], earlier):
			return deedUndo
		default:
			return ""
		}
	}
	return ""
}

// earlier says whether a word names a commit before another (gitrevisions(7)).
func earlier(word string) bool {
	return !strings.HasPrefix(word, "-") && strings.ContainsAny(word, "~^")
}
