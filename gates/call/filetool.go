package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// pathKeys are the arguments that hold paths in the tools of known agents and
// MCP servers.
var pathKeys = [...]string{
	"path", "file_path", "filepath", "filePath", "file", "absolute_path", "notebook_path", "target_file", "target_directory", "dir_path", "directory", "dir", "relative_workspace_path",
	"source", "destination", "src", "dst", "old_path", "new_path", "source_path", "destination_path", "output_path", "input_path", "include_directory", "uri", "AbsolutePath", "TargetFile", "DirectoryPath",
}

// pathLists are the arguments that hold lists of paths.
var pathLists = [...]string{"paths", "file_paths", "files", "filePaths", "include"}

func (b *builder) paths() []string {
	var out []string
	for _, a := range b.c.Args {
		key, rest, _ := strings.Cut(a.Path, ".")
		if a.Value == "" || a.Value == "null" || rest == "" && b.isWorkdir(key) {
			continue // command has where the line runs
		}
		if rest == "" && b.c.Class.Family == FamilyFile && isFileName(key) && pathLike(a.Value) {
			out = append(out, a.Value) // a service names its own files by a name alone
			continue
		}
		if rest == "" && slices.Contains(pathKeys[:], key) || rest != "" && slices.Contains(pathLists[:], key) {
			out = append(out, a.Value)
		}
	}
	return out
}

func isFileName(key string) bool { return key == "filename" || key == "file_name" }

// path records an effect on a file. An address that stands in its place is one.
func (b *builder) path(kind effect.Kind, op effect.Op, word string) {
	switch {
	case len(word) > maxPath:
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "path longer than any system takes"})
		return
	case mark.Has(word):
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "path with control characters"})
		return
	case onNetwork(word):
		if b.c.Class.Family == FamilyFile && (kind == effect.Read || kind == effect.List) && !b.isOut(word) {
			b.url(effect.OpFetch, word)
		} else {
			b.url(effect.OpSend, word)
		}
		return
	}
	full := b.p.Resolve(b.p.Cwd, word)
	z, sens, prot := b.p.Where(full)
	e := effect.Effect{Kind: kind, Op: op, Zone: z, Sensitive: sens, Protected: prot, Resource: full}
	if kind == effect.Write {
		e.Payload = b.payload()
		b.writes(full)
	}
	b.add(e)
}

// writes notes what a file holds after the call, as far as the arguments say:
// all of it, or the parts that replace others.
func (b *builder) writes(full string) {
	_, part := b.first("old_str", "old_string", "insert_line", "old_text", "oldString", "edits", "start_line", "search")
	old := b.value("old_str", "old_string", "old_text", "oldString")
	if cell, ok := b.first("new_source"); ok && b.value("cell_type") != "markdown" { // a cell of a notebook
		b.c.Written = append(b.c.Written, effect.Written{Path: full, Text: cell, Known: true, Part: true})
	}
	for i := range b.c.Args {
		a := &b.c.Args[i]
		key, inner, nested := strings.Cut(a.Path, ".")
		if nested {
			key = inner[strings.LastIndexByte(inner, '.')+1:]
		}
		switch key {
		case "content", "file_text", "new_str", "new_string", "newString", "newText", "new_text", "text", "replace", "replacement_text", "code_edit", "code", "contents", "data", "body", "file_content", "fileContent", "newContent", "new_content", "payload", "value":
			b.c.Written = append(b.c.Written, effect.Written{Path: full, Text: a.Value, Known: true, Part: part || nested || b.hasPrefix("edits."), Old: old})
		}
	}
}

func (b *builder) hasPrefix(prefix string) bool {
	for i := range b.c.Args {
		if strings.HasPrefix(b.c.Args[i].Path, prefix) {
			return true
		}
	}
	return false
}

// file handles editors, readers, searchers and patchers.
func (b *builder) file() {
	name := Name(b.call.Tool)
	if strings.HasPrefix(name, "apply_patch") || name == "applypatch" || name == "patch" {
		b.patch()
		return
	}
	if b.worktree() {
		return
	}
	kind, op := b.fileOp()
	if op == effect.OpMove && b.move() {
		return
	}
	paths := b.paths()
	if len(paths) == 0 {
		b.pathless(kind, op)
		return
	}
	for _, w := range paths {
		b.path(kind, op, w)
	}
}

// move is a file that goes from one place to another, with the effects that mv
// has in a command line. ok is false if the
// arguments do not say from where and to where.
func (b *builder) move() (ok bool) {
	from, okFrom := b.first("source", "src", "source_path", "old_path", "from")
	to, okTo := b.first("destination", "dst", "destination_path", "new_path", "to", "target")
	if !okFrom || !okTo {
		return false
	}
	b.path(effect.Write, effect.OpMove, from)
	if z, _, _ := b.p.Where(b.p.Resolve(b.p.Cwd, from)); z != effect.ZoneWorkspace && z != effect.ZoneTemp {
		b.path(effect.Delete, effect.OpRemove, from)
	}
	b.path(effect.Write, effect.OpMove, to)
	return true
}

// fileOp is what a file tool does: an editor by its command, else by its verb.
func (b *builder) fileOp() (effect.Kind, effect.Op) {
	if cmd, ok := b.first("command"); ok && b.c.Class.Verb == effect.VerbWrite {
		switch cmd {
		case "view":
			return effect.Read, effect.OpRead
		case "create":
			return effect.Write, effect.OpCreate
		case "delete":
			return effect.Delete, effect.OpRemove
		}
		return effect.Write, effect.OpModify
	}
	does := b.c.Class.Verb.File()
	switch b.c.Class.Verb {
	case effect.VerbRead:
		if n := Name(b.call.Tool); strings.Contains(n, "dir") || n == "ls" || n == "list" || n == "list_files" {
			return effect.List, effect.OpList
		}
	case effect.VerbWrite:
		if strings.Contains(Name(b.call.Tool), "move") {
			return effect.Write, effect.OpMove
		}
	}
	return does.Kind, does.Op
}

// pathless judges a file call without a path: the open file or the working
// directory of an agent's own editor, or a record of a file service.
func (b *builder) pathless(kind effect.Kind, op effect.Op) {
	if _, ok := b.first("file_id", "filename", "file_name", "id"); ok || b.fileService() {
		b.record()
		return
	}
	if line, ok := b.first("command"); ok && b.editorLine(line) {
		return
	}
	if kind == effect.Write && b.openFile() {
		b.path(kind, op, "open-file")
		return
	}
	if (kind == effect.Read || kind == effect.List) && !b.needsPath() {
		b.path(effect.List, effect.OpSearch, ".")
		return
	}
	b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpComputed, Resource: "no path for " + b.call.Tool})
}

// openFile says whether an edit without a path is one of SWE-agent's, which acts
// on the file that is open in its window.
func (b *builder) openFile() bool {
	switch Name(b.call.Tool) {
	case "edit", "insert", "append":
		_, ok := b.first("start_line", "search", "line", "text", "replacement_text")
		return ok
	}
	return false
}

// needsPath says whether a tool reads nothing unless it is given a path: without
// one under a name that is known, what it reads is not told.
func (b *builder) needsPath() bool {
	switch Name(b.call.Tool) {
	case "read", "read_file", "read_many_files", "read_media_file", "read_multiple_files", "read_text_file", "notebookread", "view_file", "view_image":
		return true
	}
	return false
}

// fileService says whether a tool that names no path lists or searches the records
// of a service: all of them, or by words and not by a pattern in a directory.
func (b *builder) fileService() bool {
	words := Words(b.call.Tool)
	if len(words) < 2 || !strings.HasPrefix(words[1], "file") || b.needsPath() {
		return false
	}
	switch b.c.Class.Verb {
	case effect.VerbRead, effect.VerbSearch:
		return len(b.c.Args) == 0 || b.value("query") != ""
	}
	return false
}

// editorLine reads a line of SWE-agent's own command language, whose commands
// act on the file that is open in its window. ok is false for other lines.
func (b *builder) editorLine(line string) bool {
	first, _, _ := strings.Cut(line, "\n")
	f := strings.Fields(first)
	if len(f) == 0 {
		return false
	}
	word := func(i int) string {
		if i < len(f) {
			return strings.Trim(f[i], `"'`)
		}
		return "."
	}
	switch f[0] {
	case "open":
		b.path(effect.Read, effect.OpRead, word(1))
	case "create":
		b.path(effect.Write, effect.OpCreate, word(1))
	case "goto", "scroll_up", "scroll_down":
		b.path(effect.Read, effect.OpRead, "open-file")
	case "edit", "insert", "append":
		b.path(effect.Write, effect.OpModify, "open-file")
	case "search_dir", "find_file", "search_file":
		b.path(effect.List, effect.OpSearch, word(2))
	case "str_replace_editor":
		b.editorCommand(word(1), word(2))
	default:
		return false
	}
	return true
}

func (b *builder) editorCommand(cmd, path string) {
	switch cmd {
	case "view":
		b.path(effect.Read, effect.OpRead, path)
	case "create":
		b.path(effect.Write, effect.OpCreate, path)
	default:
		b.path(effect.Write, effect.OpModify, path)
	}
}

// maxPatched bounds the files of a patch, as maxArgs does the arguments of a
// call. What names more is for people to look at.
const maxPatched = 1000

// patch reads the files that patches name: Codex's own format and unified diffs.
// Which of several texts the tool applies is not known here, so all of them count.
func (b *builder) patch() {
	var files patched
	texts, empty := 0, 0
	for _, key := range [...]string{"input", "patch", "command", "patchText", "patch_text", "diff", "content"} {
		all, _ := b.all(key)
		for _, text := range all {
			before := files.named
			b.patchText(text, &files)
			if texts++; files.named == before {
				empty++
			}
		}
	}
	b.c.Written = append(b.c.Written, files.end()...)
	if texts == 0 || empty > 0 {
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "a patch that names no file"})
	}
}

// patchText reads the files that one text names.
func (b *builder) patchText(text string, files *patched) {
	if i := strings.Index(text, "*** Begin Patch"); i > 0 {
		text = text[i:]
	}
	for line := range strings.SplitSeq(text, "\n") {
		p, kind, op := patchHeader(line)
		if files.named >= maxPatched {
			b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "a patch of too many files"})
			return
		}
		if p != "" {
			files.named++
			b.path(kind, op, p)
			files.next(b.p.Resolve(b.p.Cwd, p), op == effect.OpCreate)
		} else if strings.HasPrefix(line, "+") {
			files.line(line[1:])
		}
	}
}

// patchHeader is the file that a line of a patch names, and what happens to it, or
// nothing. Codex takes a header with white space around it.
func patchHeader(line string) (path string, kind effect.Kind, op effect.Op) {
	for _, h := range [...]struct {
		start string
		kind  effect.Kind
		op    effect.Op
	}{
		{"*** Update File: ", effect.Write, effect.OpModify},
		{"*** Add File: ", effect.Write, effect.OpCreate},
		{"*** Delete File: ", effect.Delete, effect.OpRemove},
		{"*** Move to: ", effect.Write, effect.OpMove},
		{"+++ b/", effect.Write, effect.OpModify},
		{"--- a/", effect.Write, effect.OpModify},
	} {
		if p, found := strings.CutPrefix(strings.TrimSpace(line), h.start); found {
			return strings.TrimSpace(p), h.kind, h.op
		}
	}
	// A diff that was made without prefixes (git diff --no-prefix, diff -u) has the
	// path as it is, and a time behind a tab.
	if p, found := strings.CutPrefix(line, "+++ "); found {
		if p, _, _ = strings.Cut(p, "\t"); strings.TrimSpace(p) != "/dev/null" {
			return strings.TrimSpace(p), effect.Write, effect.OpModify
		}
	}
	if p, found := strings.CutPrefix(line, "--- "); found { // a removed line of SQL or Lua looks like one, too
		if p, _, _ = strings.Cut(p, "\t"); p != "/dev/null" && pathLike(p) {
			return strings.TrimSpace(p), effect.Write, effect.OpModify
		}
	}
	return "", 0, 0
}

// patched collects what a patch adds to each file.
type patched struct {
	named int // how many files there were
	done  []effect.Written
	path  string
	all   bool // the patch makes the file
	text  strings.Builder
}

func (p *patched) next(path string, all bool) {
	p.done = p.end()
	p.path, p.all = path, all
	p.text.Reset()
}

func (p *patched) line(s string) {
	p.text.WriteString(s)
	p.text.WriteByte('\n')
}

func (p *patched) end() []effect.Written {
	if p.path == "" || p.text.Len() == 0 {
		return p.done
	}
	return append(p.done, effect.Written{Path: p.path, Text: p.text.String(), Known: true, Part: !p.all})
}
