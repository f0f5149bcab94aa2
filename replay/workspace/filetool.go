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

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/replay"
)

// fileArgs are the arguments of the file tools of common agents.
type fileArgs struct {
	Command  string `json:"command"` // of tools that do several things
	Path     string `json:"path"`
	FilePath string `json:"file_path"`
	Filename string `json:"filename"`

	Content  *string `json:"content"`
	FileText *string `json:"file_text"`

	OldStr     *string `json:"old_str"`
	NewStr     *string `json:"new_str"`
	OldString  *string `json:"old_string"`
	NewString  *string `json:"new_string"`
	ReplaceAll bool    `json:"replace_all"`
	InsertLine *int    `json:"insert_line"`
}

func (a *fileArgs) path() string      { return firstOf(a.Path, a.FilePath, a.Filename) }
func (a *fileArgs) content() *string  { return firstPtr(a.Content, a.FileText) }
func (a *fileArgs) old() *string      { return firstPtr(a.OldStr, a.OldString) }
func (a *fileArgs) replaced() *string { return firstPtr(a.NewStr, a.NewString) }

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
func (w *Workspace) file(c replay.Call) (replay.Result, error) {
	var a fileArgs
	if err := json.Unmarshal([]byte(c.Args), &a); err != nil {
		return replay.Result{Own: true, Error: "the arguments are not those of a file tool"}, nil
	}
	text, err := w.fileOp(c.Tool, &a)
	res := replay.Result{Own: true, Text: text}
	if err != nil {
		res.Error = err.Error()
	}
	return res, nil
}

var errUnsupported = errors.New("this file tool is not supported")

func (w *Workspace) fileOp(tool string, a *fileArgs) (string, error) {
	root, name, err := w.open(a.path())
	if err != nil {
		return "", err
	}
	defer root.Close()
	verb := gates.Classify(tool).Verb
	switch {
	case a.Command == "create" || a.content() != nil && a.old() == nil:
		return done("written", write(root, name, *orEmpty(a.content())))
	case a.Command == "insert" && a.InsertLine != nil:
		return insert(root, name, *a.InsertLine, *orEmpty(a.replaced()))
	case a.old() != nil:
		return replace(root, name, *a.old(), *orEmpty(a.replaced()), a.ReplaceAll)
	case a.Command == "view" || verb == gates.VerbRead || verb == gates.VerbSearch:
		return view(root, name)
	case verb == gates.VerbDelete:
		return done("removed", root.Remove(name))
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
