package action

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates"
)

// Reader reads the actions of many calls with one parser of command lines. Its
// zero value is ready; it belongs to one goroutine.
type Reader struct{ parser *syntax.Parser }

// Of returns the action of a call: the tool's name and its arguments as the
// text of a JSON object. Arguments that cannot be read leave the tool's own
// action.
func Of(tool, args string) Action { return new(Reader).Of(tool, args) }

// Of is the function of that name.
func (r *Reader) Of(tool, args string) Action {
	c := gates.Classify(tool)
	switch c.Family {
	case gates.FamilyShell:
		if c.Verb != gates.VerbExecute {
			break
		}
		if cmd, ok := gates.CommandOf(tool, []byte(args)); ok {
			if input(args) {
				return Action{Key: "input", Delta: DeltaRun}
			}
			return r.shell(cmd)
		}
	case gates.FamilySQL:
		if a, ok := sqlCall(args); ok {
			return a
		}
	}
	if c.Basis == gates.BasisBuiltin {
		if a, ok := builtin(tool, args, c); ok {
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
		s, ok := field(args, key)
		if !ok {
			continue
		}
		word := strings.ToLower(firstWord(s))
		if v, ok := gates.VerbOf(word); ok {
			if v == gates.VerbRead || v == gates.VerbSearch {
				word = "read"
			}
			return Action{Key: word, Delta: deltaOf(v)}, true
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

// builtin gives the tools of coding agents the actions that the same work has
// in a shell, so that their macros meet.
func builtin(tool, args string, c gates.Class) (Action, bool) {
	switch c.Family {
	case gates.FamilyFile:
		return fileTool(tool, args, c)
	case gates.FamilyCode:
		return Action{Key: "run", Delta: DeltaRun}, c.Verb == gates.VerbExecute
	case gates.FamilyWeb:
		switch c.Verb {
		case gates.VerbNavigate:
			return Action{Key: "browse", Delta: DeltaNavigate}, true
		case gates.VerbSearch:
			return Action{Key: "read:web", Delta: DeltaNone}, true
		}
	case gates.FamilyAgent:
		switch c.Verb {
		case gates.VerbThink:
			return Action{Key: "think", Delta: DeltaNone}, true
		case gates.VerbFinish:
			return Action{Key: "finish", Delta: DeltaNone}, true
		case gates.VerbExecute:
			return Action{Key: "delegate", Delta: DeltaRun}, true
		}
	}
	return Action{}, false
}

// fileTool tells the tools of coding agents, which name paths, from those of
// office suites, which name records that happen to be files.
func fileTool(tool, args string, c gates.Class) (Action, bool) {
	if sub, ok := field(args, "command"); ok && (c.Verb == gates.VerbWrite || c.Verb == gates.VerbCreate) {
		if sub == "view" {
			return Action{Key: "view", Delta: DeltaNone}, true
		}
		return Action{Key: "edit", Delta: DeltaWrite}, true
	}
	if len(gates.Words(tool)) > 1 && !pathTool(args) {
		return Action{}, false
	}
	switch c.Verb {
	case gates.VerbRead:
		return Action{Key: "view", Delta: DeltaNone}, true
	case gates.VerbSearch:
		return Action{Key: "search", Delta: DeltaNone}, true
	case gates.VerbCreate, gates.VerbWrite:
		return Action{Key: "edit", Delta: DeltaWrite}, true
	}
	return Action{}, false
}

// pathTool reports whether a call names a file by its path.
func pathTool(args string) bool {
	for _, key := range []string{"path", "file_path", "absolute_path", "filename", "dir", "dir_path", "target_file", "pattern", "search_term", "file_name", "line_number", "input", "command"} {
		if _, ok := field(args, key); ok {
			return true
		}
	}
	return strings.Trim(args, "{} \t\r\n") == ""
}

// sqlCall is the action of a database statement: reading, or what its first
// keyword says. Source: ISO/IEC 9075-2, statement names.
func sqlCall(args string) (Action, bool) {
	for _, key := range []string{"query", "sql", "command", "statement", "code", "input"} {
		if s, ok := field(args, key); ok {
			return statement(s), true
		}
	}
	return Action{}, false
}

func statement(s string) Action {
	word := strings.ToLower(firstWord(s))
	switch word {
	case "select", "with", "values":
		return Action{Key: "sql:select", Delta: DeltaNone}
	case "show", "use", "pragma":
		return Action{Key: "sql:show", Delta: DeltaNone}
	case "desc", "describe", "explain":
		return Action{Key: "sql:describe", Delta: DeltaNone}
	case "insert", "update", "replace", "create", "alter", "merge", "set", "begin", "commit", "rollback":
		return Action{Key: "sql:write", Delta: DeltaWrite}
	case "delete", "drop", "truncate":
		return Action{Key: "sql:delete", Delta: DeltaDelete}
	case "submit":
		return Action{Key: "finish", Delta: DeltaNone}
	}
	return Action{Key: "sql:other", Delta: DeltaRun}
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
