package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// ActionOf returns the action of a call that nobody is about to run: the tool's
// name and its arguments as the text of a JSON object. Arguments that cannot be
// read leave the tool's own action.
func ActionOf(tool, args string) Action {
	return actionOf(tool, args, func() (*shell.Line, bool) {
		cmd, ok := CommandOf(tool, []byte(args))
		return shell.Parse(cmd), ok
	})
}

// Action returns what the call does in one word. It parses nothing anew.
func (c *Call) Action() Action {
	return actionOf(c.Tool, string(c.request.Args), c.shellLine)
}

// shellLine is the command line that the arguments of a shell tool hold: the one
// that was analysed, unless a schema says that something else of it runs.
func (c *Call) shellLine() (*shell.Line, bool) {
	if c.line == nil || c.line.Text != c.typed {
		return shell.Parse(c.typed), c.holdsLine
	}
	return c.line, c.holdsLine
}

func actionOf(tool, args string, line func() (*shell.Line, bool)) Action {
	c := Classify(tool)
	switch c.Family {
	case FamilyShell:
		if c.Verb != effect.VerbExecute {
			break
		}
		if l, ok := line(); ok {
			if input(args) {
				return actionNamed("input")
			}
			return shellAction(l)
		}
	case FamilySQL:
		if a, ok := sqlCall(args); ok {
			return a
		}
	}
	if c.Basis == BasisBuiltin || c.Basis == BasisName && c.Family == FamilyWeb && c.Verb == effect.VerbNavigate {
		if a, ok := builtinAction(tool, args, c); ok {
			return a
		}
	}
	a, verb := byName(tool)
	if !verb {
		if said, ok := bySaying(args); ok {
			return said
		}
	}
	return a
}

// bySaying is the action of a tool whose name says nothing and that takes one
// line of text, like a robot's controller: the line's first word, if it is a
// verb that tool names use.
func bySaying(args string) (Action, bool) {
	for _, key := range [...]string{"input", "action", "instruction"} {
		s, ok := textField(args, key)
		if !ok {
			continue
		}
		word := strings.ToLower(firstWord(s))
		if v, ok := VerbOf(word); ok {
			if v == effect.VerbRead || v == effect.VerbSearch {
				word = "read"
			}
			return Action{Key: word, Delta: v.Delta()}, true
		}
	}
	return Action{}, false
}

// input reports whether a shell call types into a running program instead of
// starting one (OpenHands' is_input).
func input(args string) bool {
	const name = `"is_input"`
	i := strings.Index(args, name)
	if i < 0 {
		return false
	}
	i = skipSpace(args, i+len(name))
	if i >= len(args) || args[i] != ':' {
		return false
	}
	return strings.HasPrefix(strings.TrimPrefix(args[skipSpace(args, i+1):], `"`), "true")
}

// builtinAction gives the tools of coding agents the actions that the same work has
// in a shell, so that their macros meet.
func builtinAction(tool, args string, c Class) (Action, bool) {
	switch c.Family {
	case FamilyFile:
		return fileTool(tool, args, c)
	case FamilyCode:
		return actionNamed("run"), c.Verb == effect.VerbExecute
	case FamilyWeb:
		switch c.Verb {
		case effect.VerbNavigate:
			return actionNamed("browse"), true
		case effect.VerbSearch:
			return actionNamed("read:web"), true
		}
	case FamilyAgent:
		switch c.Verb {
		case effect.VerbThink:
			return actionNamed("think"), true
		case effect.VerbFinish:
			return actionNamed("finish"), true
		case effect.VerbExecute:
			return actionNamed("delegate"), true
		}
	}
	return Action{}, false
}

// fileTool tells the tools of coding agents, which name paths, from those of
// office suites, which name records that happen to be files.
func fileTool(tool, args string, c Class) (Action, bool) {
	if sub, ok := textField(args, "command"); ok && (c.Verb == effect.VerbWrite || c.Verb == effect.VerbCreate) {
		if sub == "view" {
			return actionNamed("view"), true
		}
		return actionNamed("edit"), true
	}
	if len(Words(tool)) > 1 && !pathTool(args) {
		return Action{}, false
	}
	switch c.Verb {
	case effect.VerbRead:
		return actionNamed("view"), true
	case effect.VerbSearch:
		return actionNamed("search"), true
	case effect.VerbCreate, effect.VerbWrite:
		return actionNamed("edit"), true
	}
	return Action{}, false
}

// pathTool reports whether a call names a file by its path.
func pathTool(args string) bool {
	for _, key := range []string{"path", "file_path", "absolute_path", "filename", "dir", "dir_path", "target_file", "pattern", "search_term", "file_name", "line_number", "input", "command"} {
		if _, ok := textField(args, key); ok {
			return true
		}
	}
	return strings.Trim(args, "{} \t\r\n") == ""
}

// sqlCall is the action of a database statement: reading, or what its first
// keyword says. Source: ISO/IEC 9075-2, statement names.
func sqlCall(args string) (Action, bool) {
	for _, key := range []string{"query", "sql", "command", "statement", "code", "input"} {
		if s, ok := textField(args, key); ok {
			return statement(s), true
		}
	}
	return Action{}, false
}

func statement(s string) Action {
	word := strings.ToLower(firstWord(s))
	switch word {
	case "select", "with", "values":
		return actionNamed("sql:select")
	case "show", "use", "pragma":
		return actionNamed("sql:show")
	case "desc", "describe", "explain":
		return actionNamed("sql:describe")
	case "insert", "update", "replace", "create", "alter", "merge", "set", "begin", "commit", "rollback":
		return actionNamed("sql:write")
	case "delete", "drop", "truncate":
		return actionNamed("sql:delete")
	case "submit":
		return actionNamed("finish")
	}
	return actionNamed("sql:other")
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t\r\n(;")
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_') {
			return s[:i]
		}
	}
	return s
}
