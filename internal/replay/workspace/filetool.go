package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/replay"
)

// fileArgs are the arguments of the file tools of common agents.
type fileArgs struct {
	command                  string // of tools that do several things
	path, filePath, filename string
	content, fileText        *string
	oldStr, oldString        *string
	newStr, newString        *string
	replaceAll               bool
	insertLine               *int
}

// parseArgs reads arguments by their exact names, as package gates does: what
// runs must be what was judged.
func parseArgs(raw string) (*fileArgs, error) {
	var in map[string]json.RawMessage
	if json.Unmarshal([]byte(raw), &in) != nil || in == nil {
		return nil, errors.New("the arguments are not those of a file tool")
	}
	if why := call.Doubt([]byte(raw)); why != "" {
		return nil, errors.New(why)
	}
	var a fileArgs
	for name, into := range map[string]any{
		"command": &a.command, "path": &a.path, "file_path": &a.filePath, "filename": &a.filename,
		"content": &a.content, "file_text": &a.fileText, "old_str": &a.oldStr, "old_string": &a.oldString,
		"new_str": &a.newStr, "new_string": &a.newString, "replace_all": &a.replaceAll, "insert_line": &a.insertLine,
	} {
		if v, ok := in[name]; ok && json.Unmarshal(v, into) != nil {
			return nil, errors.New("the arguments are not those of a file tool")
		}
	}
	return &a, nil
}

// name is the path that the call is about. Two that differ are none.
func (a *fileArgs) name() (string, error) {
	name := firstOf(a.path, a.filePath, a.filename)
	for _, p := range []string{a.path, a.filePath, a.filename} {
		if p != "" && p != name {
			return "", errors.New("two paths")
		}
	}
	return name, nil
}

func (a *fileArgs) text() *string     { return firstPtr(a.content, a.fileText) }
func (a *fileArgs) old() *string      { return firstPtr(a.oldStr, a.oldString) }
func (a *fileArgs) replaced() *string { return firstPtr(a.newStr, a.newString) }

// changes says that the arguments hold what only a tool that writes takes.
func (a *fileArgs) changes() bool {
	return a.text() != nil || a.old() != nil || a.replaced() != nil || a.insertLine != nil || a.command != "" && a.command != "view"
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

func firstPtr(list ...*string) *string {
	for _, s := range list {
		if s != nil {
			return s
		}
	}
	return nil
}

// file runs one call of a file tool. Its wording is this package's own.
func (w *Workspace) file(c replay.Call) replay.Result {
	text, err := w.fileOp(c)
	res := replay.Result{Own: true, Text: text}
	if err != nil {
		res.Error = err.Error()
	}
	return res
}

var errUnsupported = errors.New("this file tool is not supported")

// fileOp does what the tool's name says, as package gates takes it: only an
// editor, whose name says no more than that it writes, has its operation in its
// arguments.
func (w *Workspace) fileOp(c replay.Call) (string, error) {
	a, err := parseArgs(c.Args)
	if err != nil {
		return "", err
	}
	name, err := a.name()
	if err != nil {
		return "", err
	}
	root, name, err := w.open(name)
	if err != nil {
		return "", err
	}
	defer root.Close()
	switch verb := call.Classify(c.Tool).Verb; {
	case verb == effect.VerbWrite && !strings.Contains(strings.ToLower(c.Tool), "move"):
		return edit(root, name, a)
	case verb == effect.VerbCreate && a.command == "" && a.text() != nil && a.old() == nil:
		return done("written", write(root, name, *a.text()))
	case (verb == effect.VerbRead || verb == effect.VerbSearch) && !a.changes():
		return view(root, name)
	case verb == effect.VerbDelete && !a.changes() && a.command == "":
		return done("removed", root.Remove(name))
	}
	return "", errUnsupported
}

// edit does what an editor's arguments say.
func edit(root *os.Root, name string, a *fileArgs) (string, error) {
	switch {
	case a.command == "view":
		return view(root, name)
	case a.command == "delete":
		return "", errUnsupported
	case a.command == "create" || a.text() != nil && a.old() == nil:
		return done("written", write(root, name, *orEmpty(a.text())))
	case a.command == "insert" && a.insertLine != nil:
		return insert(root, name, *a.insertLine, *orEmpty(a.replaced()))
	case a.old() != nil:
		return replace(root, name, *a.old(), *orEmpty(a.replaced()), a.replaceAll)
	}
	return "", errUnsupported
}

// done is what a tool says that did something, unless it failed.
func done(word string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return word, nil
}

func orEmpty(s *string) *string {
	if s == nil {
		return new(string)
	}
	return s
}

// open returns the tree that a path lies in and the path below it. Roots follow
// no link that leads out of them.
func (w *Workspace) open(name string) (*os.Root, string, error) {
	if name == "" {
		return nil, "", errors.New("no path")
	}
	if !path.IsAbs(name) {
		name = path.Join(w.cwd(), name)
	}
	name = path.Clean(name)
	for _, t := range [][2]string{{w.opts.Mount, "work"}, {homeDir, "home"}, {"/tmp", "tmp"}} {
		if name == t[0] || strings.HasPrefix(name, t[0]+"/") {
			root, err := os.OpenRoot(filepath.Join(w.box.base, t[1]))
			return root, "." + strings.TrimPrefix(name, t[0]), err
		}
	}
	return nil, "", fmt.Errorf("%s: %w", name, fs.ErrPermission)
}

// ReadFile returns what a file of the workspace holds.
func (w *Workspace) ReadFile(name string) ([]byte, error) {
	root, name, err := w.open(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name)
}

func write(root *os.Root, name, content string) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return root.WriteFile(name, []byte(content), 0o644)
}

func insert(root *os.Root, name string, line int, text string) (string, error) {
	data, err := root.ReadFile(name)
	if err != nil {
		return "", err
	}
	lines := strings.SplitAfter(string(data), "\n")
	if line < 0 || line > len(lines) {
		return "", fmt.Errorf("there is no line %d", line)
	}
	text = strings.TrimSuffix(text, "\n") + "\n"
	return done("inserted", write(root, name, strings.Join(lines[:line], "")+text+strings.Join(lines[line:], "")))
}

func replace(root *os.Root, name, old, text string, all bool) (string, error) {
	data, err := root.ReadFile(name)
	if err != nil {
		return "", err
	}
	switch n := strings.Count(string(data), old); {
	case old == "" || n == 0:
		return "", errors.New("the text to replace is not there")
	case n > 1 && !all:
		return "", fmt.Errorf("the text to replace is there %d times", n)
	}
	return done("replaced", write(root, name, strings.ReplaceAll(string(data), old, text)))
}

func view(root *os.Root, name string) (string, error) {
	info, err := root.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		data, err := root.ReadFile(name)
		return string(data), err
	}
	list, err := fs.ReadDir(root.FS(), path.Clean(name))
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.Name()
	}
	sort.Strings(names)
	return strings.Join(names, "\n"), err
}
