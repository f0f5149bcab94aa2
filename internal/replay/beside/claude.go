package beside

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/corpora"
)

// Claude is Claude Code's default mode by its pages on permissions and tools
// (code.claude.com/docs/en/permissions, .../tools-reference; read in November 2026):
//
//   - Files are read, listed and searched without a question, and tools of its own
//     that change nothing have none.
//   - Changing files asks; "don't ask again" holds until the session ends, and then
//     mkdir, touch, rm, rmdir, mv, cp and sed pass as well.
//   - A shell command asks unless every command of its line is one of those that
//     only read; "don't ask again" is kept for the project and the command. Of a
//     line each command that asks is a rule of its own. What stands before * in such
//     a rule is taken to be the program and, where one follows, its subcommand.
//   - WebFetch asks for each domain, WebSearch, skills and tools of MCP servers for each tool.
//
// With Edits it is the mode acceptEdits, in which changing files does not ask, nor what
// passes after that yes.
type Claude struct{ Edits bool }

// Asks implements Guard.
func (g Claude) Asks(s *corpora.Step) (bool, []Scope) {
	asks, scopes := g.asks(s)
	if !g.Edits || len(scopes) == 0 {
		return asks, scopes
	}
	scopes = slices.DeleteFunc(scopes, func(x Scope) bool { return x == edits })
	return len(scopes) > 0, scopes
}

// asks is the default mode.
func (Claude) asks(s *corpora.Step) (bool, []Scope) {
	var args map[string]any
	_ = json.Unmarshal([]byte(s.Args), &args) // what is no object has no command and no address
	tool := strings.ToLower(s.Tool)
	switch {
	case slices.Contains(shellTools, tool):
		return asksShell(commandOf(args))
	case slices.Contains(fileTools, tool):
		return true, []Scope{edits}
	case tool == "webfetch":
		u, err := url.Parse(text(args, "url"))
		if err != nil {
			return true, nil
		}
		return true, []Scope{{Name: "fetch " + u.Hostname(), Project: true}}
	case tool == "websearch", tool == "skill", strings.HasPrefix(tool, "mcp__"):
		return true, []Scope{{Name: tool + " " + text(args, "skill"), Project: true}}
	}
	return false, nil
}

// Tools by what they do, as hosts call them.
var (
	shellTools = []string{"bash", "exec_command", "execute", "local_shell", "run_shell_command", "shell", "shell_command"}
	fileTools  = []string{"apply_patch", "create", "edit", "multiedit", "notebookedit", "replace", "str_replace_editor", "write", "write_file"}
)

var edits = Scope{Name: "edits"}

func text(args map[string]any, key string) string {
	s, _ := args[key].(string)
	return s
}

// Command is the line of a shell's call; ok is false for other tools.
func Command(s *corpora.Step) (line string, ok bool) {
	var args map[string]any
	_ = json.Unmarshal([]byte(s.Args), &args) // what is no object has no command
	return commandOf(args), slices.Contains(shellTools, strings.ToLower(s.Tool))
}

// commandOf is a shell's line, which Codex also gives as words.
func commandOf(args map[string]any) string {
	if words, ok := args["command"].([]any); ok && len(words) > 0 {
		last, _ := words[len(words)-1].(string)
		return last
	}
	if s := text(args, "command"); s != "" {
		return s
	}
	return text(args, "cmd")
}

// asksShell judges a line by its commands. One that can't be read asks every time.
func asksShell(line string) (bool, []Scope) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return true, nil
	}
	var scopes []Scope
	asks := false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			if writes(n) {
				asks, scopes = true, append(scopes, edits)
			}
		case *syntax.CallExpr:
			if words := plain(n); len(words) > 0 && !reads(words) {
				asks, scopes = true, append(scopes, ruleFor(words))
			}
		}
		return true
	})
	return asks, scopes
}

func writes(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
		return r.Word.Lit() != "/dev/null"
	}
	return false
}

// plain are the words of a command without wrappers that the documentation says are
// looked through; a word that is computed is "?".
func plain(c *syntax.CallExpr) []string {
	var words []string
	for _, w := range c.Args {
		words = append(words, wordOf(w))
	}
	for len(words) > 1 && slices.Contains([]string{"time", "nice", "nohup", "stdbuf", "timeout"}, words[0]) {
		words = words[1:]
		for len(words) > 1 && (strings.HasPrefix(words[0], "-") || strings.Trim(words[0], "0123456789.smh") == "") {
			words = words[1:]
		}
	}
	return words
}

func wordOf(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					b.WriteString(l.Value)
				} else {
					b.WriteString("?")
				}
			}
		default:
			return "?"
		}
	}
	return b.String()
}

// The commands that the documentation names as only reading, and git's that do.
var (
	readers    = []string{"cat", "cd", "diff", "du", "echo", "find", "grep", "head", "ls", "pwd", "stat", "tail", "wc", "which"}
	gitReaders = []string{"blame", "cat-file", "describe", "diff", "grep", "log", "ls-files", "ls-tree", "reflog", "rev-list", "rev-parse", "shortlog", "show", "status"}
	gitLists   = []string{"branch", "config", "remote", "stash", "tag", "worktree"}
	moves      = []string{"cp", "mkdir", "mv", "rm", "rmdir", "sed", "touch"}
)

func reads(words []string) bool {
	switch {
	case words[0] == "find":
		return !slices.ContainsFunc(words, func(w string) bool {
			return strings.HasPrefix(w, "-exec") || strings.HasPrefix(w, "-ok") || strings.HasPrefix(w, "-delete") || strings.HasPrefix(w, "-fprint") || w == "-fls"
		})
	case words[0] == "git":
		return gitReads(subcommand(words))
	}
	return slices.Contains(readers, words[0])
}

// gitReads looks past git's options before its subcommand.
func gitReads(words []string) bool {
	if len(words) == 0 {
		return false
	}
	if slices.Contains(gitLists, words[0]) {
		return len(words) == 1 || slices.Contains([]string{"-a", "-l", "-r", "-v", "-vv", "--get", "--list", "--show-current", "list", "show"}, words[1])
	}
	return slices.Contains(gitReaders, words[0])
}

func subcommand(words []string) []string {
	rest := words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		n := 1
		if rest[0] == "-C" || rest[0] == "-c" {
			n = 2
		}
		rest = rest[min(n, len(rest)):]
	}
	return rest
}

// ruleFor is what "don't ask again" would remember of a command.
func ruleFor(words []string) Scope {
	if slices.Contains(moves, words[0]) {
		return edits
	}
	name := words[0]
	if rest := subcommand(words); len(rest) > 0 && isSubcommand(rest[0]) {
		name += " " + rest[0]
	}
	return Scope{Name: name, Project: true}
}

// isSubcommand takes short words of letters and dashes for one.
func isSubcommand(w string) bool {
	return len(w) < 20 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-:") == "" && w != ""
}
