package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file judges what the arguments of a tool show under names that no table
// has, in lists and inside objects: any server may call its path "location" and
// its command line "argv". It only adds effects, so that it can only tighten; a
// value that shows nothing leaves the context as it was.

// field is the values of one argument: a scalar, or the scalars of one list.
type field struct {
	top, key     string // the first and the last name on the way to it
	list, nested bool
	role         string
	values       []string
}

// fields groups the leaves of the arguments, which stand in the order of the
// arguments.
func (b *builder) fields() []field {
	var out []field
	last := ""
	for i := range b.c.Args {
		a := &b.c.Args[i]
		at := withoutNumbers(a.Path)
		if a.Value == "" || a.Value == "null" {
			continue
		}
		if len(out) > 0 && at == last && at != a.Path {
			f := &out[len(out)-1]
			f.values = append(f.values, a.Value)
			continue
		}
		last = at
		top, _, nested := strings.Cut(at, ".")
		out = append(out, field{top: top, key: at[strings.LastIndexByte(at, '.')+1:], list: at != a.Path, nested: nested, role: a.Role, values: []string{a.Value}})
	}
	return out
}

// withoutNumbers cuts the positions of a list off the end of a path.
func withoutNumbers(path string) string {
	for {
		dot := strings.LastIndexByte(path, '.')
		if dot < 0 || strings.Trim(path[dot+1:], "0123456789") != "" {
			return path
		}
		path = path[:dot]
	}
}

// unlisted adds the effects of arguments that a guessed class says nothing about.
func (b *builder) unlisted(kind effect.Kind, op effect.Op) {
	if b.c.Class.Verb == effect.VerbSend {
		kind, op = effect.Read, effect.OpRead // what a file that is named beside a recipient is there for
	}
	ran := b.c.Class.Family == FamilyShell || b.c.Class.Family == FamilyCode
	for _, f := range b.fields() {
		switch key := strings.ToLower(f.key); {
		case slices.Contains(lineKeys[:], key):
			if !ran {
				b.lines(f)
			}
		case slices.Contains(codeKeys[:], key):
			if !ran {
				b.codes(key, f.values)
			}
		case slices.Contains(statementKeys[:], key):
			b.statements(key, f.values)
			b.unlistedPaths(f, kind, op)
		case slices.Contains(verbKeys[:], key):
			b.asksFor(f.values)
		case namesScript(f.key):
			if !ran {
				b.scripts(f.values)
			}
		default:
			b.unlistedPaths(f, kind, op)
			b.calledBack(key, f)
		}
	}
}

// lineKeys, codeKeys and statementKeys are the names under which servers take
// command lines, code and statements of a database, in lower case.
var (
	lineKeys      = [...]string{"command", "commands", "cmd", "cmds", "command_line", "commandline", "shell", "shell_command", "script", "argv"}
	codeKeys      = [...]string{"code", "source_code", "python_code", "python", "javascript", "js", "expression", "expr", "formula"}
	statementKeys = [...]string{"sql", "sql_query", "statement", "statements", "query", "queries", "q"}
)

// lines judges command lines. A list whose items have no blanks is an argument
// vector, or several lines of one word; as a vector it says the same and more.
func (b *builder) lines(f field) {
	lines := f.values
	if f.list && (!strings.HasSuffix(f.key, "s") || !strings.ContainsAny(strings.Join(lines, ""), " \t\n")) {
		lines = []string{lineOf(lines)}
	}
	for _, line := range b.few(lines) {
		parsed := shell.Parse(line)
		does := parsed.Resolve(b.p)
		b.c.Effects, b.c.Cells = append(b.c.Effects, does.Effects...), append(b.c.Cells, does.Cells...)
		b.handedOver(func(anywhere *effect.Places) bool { return b.harmlessLine(parsed, anywhere) })
	}
}

// few bounds the texts of one argument that are analysed: each of them may be as
// long as a call's only one. A call with more is not approved. Not inlined, for the size of programs.
//
//go:noinline
func (b *builder) few(values []string) []string {
	if len(values) <= maxTexts {
		return values
	}
	b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "too many texts to analyse"})
	return values[:maxTexts]
}

const maxTexts = 16

// codes judges code that a tool of another kind is handed. Codes of vouchers,
// countries and postal districts call nothing.
func (b *builder) codes(key string, values []string) {
	lang := "python"
	switch key {
	case "javascript", "js":
		lang = "node"
	default:
		if l := b.value("language", "lang", "runtime"); l != "" {
			lang = strings.ToLower(l)
		}
	}
	for _, v := range b.few(values) {
		if calls := strings.ContainsAny(v, "(`\n"); calls && (!strings.HasPrefix(key, "expr") && key != "formula" || strings.Contains(v, "__") || namesCode(v)) {
			b.runCode(lang, v)
		}
	}
}

// namesScript says whether a name of several words ends in one for code that is run
// (initScript, page_function), or is one.
func namesScript(key string) bool {
	ws := words(key)
	if len(ws) == 0 {
		return false
	}
	switch ws[len(ws)-1] {
	case "function", "javascript", "js", "script":
		return true
	}
	return false
}

// scripts judges code under such a name: in a page it may send, elsewhere nobody
// knows what runs it. A name of a function or a script is none.
func (b *builder) scripts(values []string) {
	for _, v := range values {
		switch {
		case !strings.ContainsAny(v, "(;{") && !strings.Contains(v, "=>"):
		case b.c.Class.Family == FamilyWeb:
			b.add(effect.Effect{Kind: effect.Network, Op: effect.OpSend, Resource: "page element"})
		default:
			b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpComputed, Resource: "code that is no text of a known language"})
		}
	}
}

// statements judges what reads as a statement of a database that changes
// something. A query is a statement where tool or server work with databases,
// and words to search for elsewhere, unless it could be nothing else.
func (b *builder) statements(key string, values []string) {
	if b.c.Class.Family == FamilySQL {
		return // sql has judged it
	}
	sql := strings.HasPrefix(key, "sql") || strings.HasPrefix(key, "statement")
	base := databaseServer(b.call.Tool)
	for _, v := range b.few(values) {
		if mutates(v) {
			b.add(effect.Effect{Kind: effect.Write, Op: effect.OpModify, Zone: effect.ZoneRecord, Resource: b.call.Tool})
		}
		if sql || base && startsStatement(v) || b.c.Class.Verb == effect.VerbRead && changesData(v) {
			b.statement(v)
		}
	}
}

// databaseServer says whether the words before a tool's own name, those of its
// server, name a database.
func databaseServer(tool string) bool {
	for _, w := range words(strings.TrimSuffix(strings.ToLower(tool), Name(tool))) {
		switch w {
		case "sql", "db", "database", "databases", "postgres", "postgresql", "pg", "mysql", "mariadb", "sqlite", "mssql", "oracle",
			"snowflake", "bigquery", "redshift", "clickhouse", "duckdb", "supabase", "neon", "cockroach", "trino":
			return true
		}
	}
	return false
}

// startsStatement says whether a text begins as a statement of SQL does.
func startsStatement(s string) bool {
	w, _ := sqlWord(s)
	switch w {
	case "select", "with", "explain", "begin", "set", "do", "load", "pragma", "replace", "declare", "reindex":
		return true
	}
	_, ok := find(sqlWords[:], w, func(e sqlEntry) string { return e.word })
	return ok
}

// changesData says whether a text is a statement that changes a database, by
// its first two words.
func changesData(s string) bool {
	first, rest := sqlWord(s)
	second, _ := sqlWord(rest)
	switch first {
	case "delete":
		return second == "from"
	case "insert", "replace":
		return second == "into"
	case "update":
		return strings.Contains(strings.ToLower(rest), " set ")
	case "drop", "alter", "create", "truncate":
		switch second {
		case "table", "database", "schema", "index", "view", "role", "user", "function", "trigger", "or", "temp", "temporary", "unique":
			return true
		}
	}
	return false
}

// sqlWord returns the first word of a statement, in lower case, and the rest.
func sqlWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r\n;(")
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	return strings.ToLower(s[:n]), s[n:]
}

// unlistedPaths judges values that are written as paths. What lies in the
// workspace and is no secret adds nothing.
func (b *builder) unlistedPaths(f field, kind effect.Kind, op effect.Op) {
	out := slices.Contains(outKeys[:], strings.ToLower(f.key)) && (kind == effect.Read || kind == effect.List)
	if out {
		kind, op = effect.Write, effect.OpModify
	}
	if !out && !b.mayBePath(f) {
		return
	}
	for _, v := range f.values {
		if pathLike(v) || b.c.Class.Family == FamilyFile && len(v) <= maxPath && !strings.ContainsAny(v, " \t\n") {
			b.unlistedPath(kind, op, v)
			b.unlistedRead(f.key, kind, op, v)
		}
	}
}

// maxPath is PATH_MAX of Linux, limits.h.
const maxPath = 4096

// mayBePath says whether an argument may hold a path that has not been judged. To
// whom a file tool gives something is where to. What a tool that searches looks for is
// a text; a tool that reads may as well read what its query names.
func (b *builder) mayBePath(f field) bool {
	switch f.role {
	case effect.RoleRecipient.String():
		if b.c.Class.Family != FamilyFile {
			return false
		}
	case "", effect.RoleRecord.String(), effect.RolePathRead.String(), effect.RolePathList.String(), effect.RolePathWrite.String(), effect.RolePathDelete.String():
	default:
		return false
	}
	if !f.nested && !f.list && slices.Contains(pathKeys[:], f.key) || (f.nested || f.list) && slices.Contains(pathLists[:], f.top) {
		return false // judged as a path already
	}
	if !f.nested && !f.list && b.isWorkdir(f.key) {
		return false // where the line runs: command has it
	}
	key := strings.ToLower(f.key)
	return !slices.Contains(textKeys[:], key) || b.c.Class.Verb == effect.VerbRead && (key == "query" || key == "q")
}

// globbed judges the pattern of a tool that lists names, where it is a path.
func (b *builder) globbed() {
	if v, ok := b.first("pattern", "glob", "glob_pattern"); ok && Name(b.call.Tool) == "glob" && pathLike(v) {
		if i := strings.IndexAny(v, "*?[{"); i >= 0 {
			v = v[:strings.LastIndexByte(v[:i], '/')+1]
		}
		if v != "" {
			b.unlistedPath(effect.List, effect.OpSearch, v)
		}
	}
}

// textKeys are names of arguments whose value is looked for, or is for people:
// a path in it is only mentioned. In lower case.
var textKeys = [...]string{
	"pattern", "regex", "regexp", "query", "queries", "q", "search", "search_term", "search_query", "term", "terms", "keyword", "keywords",
	"text", "content", "contents", "file_text", "body", "message", "prompt", "question", "description", "title", "subject", "comment", "reason",
	"thought", "summary", "note", "notes", "instruction", "instructions", "explanation", "goal", "data", "payload", "html", "patch", "diff",
	"old_str", "new_str", "old_string", "new_string", "oldstring", "newstring", "old_text", "new_text", "oldtext", "newtext", "replacement", "replacement_text",
	"replace", "code_edit", "element", "selector", "label", "value", "answer", "edits", "todos", "insert_text",
}

// pathLike says whether a value is written as a path that leaves the working
// directory.
func pathLike(v string) bool {
	if len(v) < 2 || len(v) > maxPath || strings.ContainsAny(v, "\n\r\x00") {
		return false
	}
	switch {
	case v[0] == '/', v[0] == '~', strings.HasPrefix(v, "../"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "file:"):
		return true
	}
	return strings.Contains(v, "/../")
}

func (b *builder) unlistedPath(kind effect.Kind, op effect.Op, word string) {
	zone, sensitive, protected := b.p.Where(b.p.Resolve(b.p.Cwd, word))
	away := zone != effect.ZoneWorkspace && zone != effect.ZoneTemp && zone != effect.ZonePublic && zone != effect.ZoneStream
	switch {
	case sensitive, protected && kind == effect.Write && zone == effect.ZoneWorkspace:
	case b.c.Class.Family == FamilyFile && away:
	case kind != effect.Read && kind != effect.List && (zone == effect.ZoneSystem || zone == effect.ZoneHome):
	default:
		return
	}
	b.path(kind, op, word)
}

// unlistedFiles judges the arguments of a built-in file tool that its table does
// not have.
func (b *builder) unlistedFiles() {
	kind, op := b.fileOp()
	if kind == effect.Network || kind == effect.Opaque {
		return
	}
	b.globbed()
	for _, f := range b.fields() {
		b.unlistedPaths(f, kind, op)
	}
}
