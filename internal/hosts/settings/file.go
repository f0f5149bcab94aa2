package settings

import (
	"bytes"
	_ "embed" // the templates below
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// File is one file of a host's settings and what of ours belongs into it.
type File struct {
	Path string
	Host string

	entries  []entry // in the order they are added
	comments bool    // the host strips comments before it parses
	skeleton string  // of a file that is not there yet; empty for {}
	whole    []byte  // or the whole file, for what is ours alone
}

// marker is in the first line of every file that is ours alone.
const marker = "written by gbt hook install"

// ErrForeign says that a file that should be ours alone is somebody else's.
var ErrForeign = errors.New("the file was not written by gbt hook install; move it away first")

// ErrLayout says that a file is written in a way that an uninstall could not give
// back byte for byte.
var ErrLayout = errors.New("its comments and line ends stand so that removing the hook later would leave marks; put the last value and its comment on lines of their own, then try again")

// Install returns the file's text with our part in it. old is the text that is
// there; exists is false if there is no file.
func (f *File) Install(old []byte, exists bool) ([]byte, error) {
	if f.whole != nil {
		if exists && !isOurs(old) {
			return nil, ErrForeign
		}
		return f.whole, nil
	}
	if !exists {
		return f.fresh(f.entries)
	}
	if f.skeleton != "" {
		if err := needVersion(old, f.comments); err != nil {
			return nil, err
		}
	}
	text, err := insertAll(old, f.entries, f.comments)
	if err != nil {
		return nil, err
	}
	if err := f.undone(old, text); err != nil {
		return nil, err
	}
	return text, nil
}

// undone says whether an uninstall would give back the file as it was. Where
// something of ours stands in old already there is nothing to compare with.
func (f *File) undone(old, text []byte) error {
	if before, _, err := f.Uninstall(old); err != nil || !bytes.Equal(before, old) {
		return err
	}
	back, keep, err := f.Uninstall(text)
	if err == nil && keep && !bytes.Equal(back, old) {
		err = ErrLayout
	}
	return err
}

// Uninstall returns the file's text without our part. keep is false if nothing
// else is left of what an installation made, and the file should go.
func (f *File) Uninstall(old []byte) (text []byte, keep bool, err error) {
	if f.whole != nil {
		return old, !isOurs(old), nil
	}
	if fresh, err := f.freshLike(old); err == nil && fresh != nil && bytes.Equal(fresh, old) {
		return nil, false, nil
	}
	text = old
	for i := len(f.entries) - 1; i >= 0; i-- {
		if text, err = f.entries[i].remove(text, f.comments); err != nil {
			return nil, true, err
		}
	}
	return text, true, nil
}

func isOurs(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(first, []byte(marker))
}

func insertAll(text []byte, list []entry, comments bool) ([]byte, error) {
	var err error
	for i := range list {
		if text, err = list[i].insert(text, comments); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// fresh is the text of a file that was not there before.
func (f *File) fresh(list []entry) ([]byte, error) {
	if f.skeleton != "" {
		return insertAll([]byte(f.skeleton), list, f.comments)
	}
	text, err := insertAll([]byte("{}"), list, f.comments)
	if err != nil {
		return nil, err
	}
	return []byte("{\n  " + string(text[1:len(text)-1]) + "\n}\n"), nil
}

// freshLike is the fresh text with the elements of ours that old holds, or nil
// if one is missing.
func (f *File) freshLike(old []byte) ([]byte, error) {
	d, err := parseDoc(old, f.comments)
	if err != nil {
		return nil, err
	}
	list := make([]entry, len(f.entries))
	for i, e := range f.entries {
		chain, err := d.locate(e.path)
		if err != nil || len(chain) <= len(e.path) {
			return nil, err
		}
		mine := e.find(d, chain[len(chain)-1])
		if len(mine) != 1 {
			return nil, nil
		}
		v := chain[len(chain)-1].members[mine[0]].value
		e.value = json.RawMessage(d.json(v))
		list[i] = e
	}
	return f.fresh(list)
}

// needVersion refuses a Cursor file without a version: whatever it is, adding
// to it would not make it one that Cursor reads.
func needVersion(text []byte, comments bool) error {
	root, err := scan(text, comments)
	if err != nil {
		return err
	}
	if root.member("version") < 0 {
		return &SyntaxError{Line: 1, Msg: `"version": 1 is missing, so Cursor would not read this file`}
	}
	return nil
}

// Scope says whose settings are edited.
type Scope string

// The scopes.
const (
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local" // the project's, but not shared
)

// Options says what is installed where.
type Options struct {
	Scope    Scope
	Project  string   // the project's directory
	Home     string   // the user's home directory
	Config   string   // the user's configuration directory (XDG)
	Hook     string   // the hook program
	Args     []string // its arguments after the host
	Analyzer bool     // OpenHands: the security analyzer instead of the hook
}

// hostTimeout is the time limit set in the hosts' settings, in seconds. It is
// twice the hook's own, so that the hook ends first.
const hostTimeout = 10

//go:embed template/opencode.js
var opencodeTemplate string

//go:embed template/openhands_analyzer.py
var analyzerTemplate string

// For returns the files of a host.
func For(host string, o Options) ([]File, error) {
	base, err := o.base(host)
	if err != nil {
		return nil, err
	}
	if o.Analyzer && host != "openhands" {
		return nil, fmt.Errorf("%s has no security analyzers; only openhands does", host)
	}
	f := File{Host: host}
	switch host {
	case "claude-code":
		f.claude(base, &o)
	case "codex":
		f.Path = filepath.Join(base, ".codex", "hooks.json")
		f.add("PreToolUse", o.deciding(host, hostTimeout, ""))
		f.add("PostToolUse", o.noting(host, hostTimeout))
	case "gemini":
		f.Path, f.comments = filepath.Join(base, ".gemini", "settings.json"), true
		f.add("BeforeTool", o.deciding(host, hostTimeout*1000, ""))
		f.add("AfterTool", o.noting(host, hostTimeout*1000))
		f.add("BeforeAgent", o.noting(host, hostTimeout*1000))
	case "cursor":
		f.cursor(base, &o)
	case "opencode":
		f.Path, f.whole = filepath.Join(base, "plugins", "gbt.js"), o.fill(opencodeTemplate, host)
	case "openhands":
		f.openhands(base, &o)
	default:
		return nil, fmt.Errorf("%q is not a host", host)
	}
	return []File{f}, nil
}

// base is the directory that the host's settings of this scope lie below.
func (o *Options) base(host string) (string, error) {
	switch {
	case o.Scope == User && host == "opencode":
		return filepath.Join(o.Config, "opencode"), nil
	case o.Scope == User:
		return o.Home, nil
	case o.Scope == Local && host != "claude-code":
		return "", fmt.Errorf("%s has no local settings; use the scope user or project", host)
	case o.Scope != Project && o.Scope != Local:
		return "", fmt.Errorf("%q is not a scope; use user, project or local", o.Scope)
	case host == "opencode":
		return filepath.Join(o.Project, ".opencode"), nil
	}
	return o.Project, nil
}

func (f *File) claude(base string, o *Options) {
	f.Path = filepath.Join(base, ".claude", "settings.json")
	if o.Scope == Local {
		f.Path = filepath.Join(base, ".claude", "settings.local.json")
	}
	f.add("PreToolUse", o.deciding(f.Host, hostTimeout, "block"))
	for _, event := range []string{"PostToolUse", "PostToolUseFailure", "UserPromptSubmit"} {
		f.add(event, o.noting(f.Host, hostTimeout))
	}
}

func (f *File) cursor(base string, o *Options) {
	f.Path, f.skeleton = filepath.Join(base, ".cursor", "hooks.json"), "{\n  \"version\": 1\n}\n"
	f.add("preToolUse", cursorHook{o.command(f.Host, "-ask-later"), hostTimeout, true})
	for _, event := range []string{"beforeShellExecution", "beforeMCPExecution", "beforeReadFile"} {
		f.add(event, cursorHook{o.command(f.Host), hostTimeout, true})
	}
	for _, event := range []string{"postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution", "beforeSubmitPrompt"} {
		f.add(event, cursorHook{o.command(f.Host, "-after"), hostTimeout, false})
	}
}

func (f *File) openhands(base string, o *Options) {
	f.Path = filepath.Join(base, ".openhands", "hooks.json")
	f.add("PreToolUse", o.deciding(f.Host, hostTimeout, ""))
	f.add("PostToolUse", o.noting(f.Host, hostTimeout))
	f.add("UserPromptSubmit", o.noting(f.Host, hostTimeout))
	if o.Analyzer {
		f.Path, f.whole = filepath.Join(base, ".openhands", "gbt_analyzer.py"), o.fill(analyzerTemplate, f.Host)
	}
}

// group and handler are the shape of Claude Code's hooks, which Codex, Gemini
// CLI and OpenHands share.
type group struct {
	Matcher string    `json:"matcher"`
	Hooks   []handler `json:"hooks"`
}

type handler struct {
	Type      string `json:"type"`
	Command   string `json:"command"`
	Timeout   int    `json:"timeout"`
	OnFailure string `json:"onFailure,omitempty"`
}

type cursorHook struct {
	Command    string `json:"command"`
	Timeout    int    `json:"timeout"`
	FailClosed bool   `json:"failClosed"`
}

func (f *File) add(event string, value any) {
	host := f.Host
	f.entries = append(f.entries, entry{path: []string{"hooks", event}, value: value, ours: func(raw []byte) bool {
		list := commandsIn(raw)
		for _, c := range list {
			if !IsHook(c, host) {
				return false
			}
		}
		return len(list) > 0
	}})
}

// deciding is the hook for an event that a call can be blocked at.
func (o *Options) deciding(host string, timeout int, onFailure string) group {
	line := o.command(host)
	if runtime.GOOS != "windows" { // where hosts' shells do not all know ||
		line += OrBlock
	}
	return group{"*", []handler{{"command", line, timeout, onFailure}}}
}

// noting is the hook for an event that nothing is decided on.
func (o *Options) noting(host string, timeout int) group {
	return group{"*", []handler{{"command", o.command(host, "-after"), timeout, ""}}}
}

// command is the command line for a shell.
func (o *Options) command(host string, more ...string) string {
	words := append(append([]string{o.Hook, host}, more...), o.Args...)
	for i, w := range words {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// fill writes the hook's argument vector into a template. JSON is valid
// JavaScript and, for a list of strings, valid Python.
func (o *Options) fill(template, host string) []byte {
	argv, err := json.Marshal(append([]string{o.Hook, host}, o.Args...))
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return []byte(strings.Replace(template, `["HOOK"]`, string(argv), 1))
}
