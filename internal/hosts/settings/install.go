package settings

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/hosts"
)

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
	Analyzer bool     // the host's security analyzer instead of the hook
	Approve  bool     // and the event at which the host's own questions are answered (hosts.Prompts)
}

// For returns the files of a host.
func For(host string, o Options) ([]File, error) {
	h, ok := hosts.Lookup(host)
	if !ok {
		return nil, fmt.Errorf("%q is not a host", host)
	}
	s := &h.Settings
	path, err := o.path(host, s)
	if err != nil {
		return nil, err
	}
	if o.Analyzer {
		if s = h.Analyzer; s == nil {
			with := hosts.NamesOf(func(h *hosts.Host) bool { return h.Analyzer != nil })
			return nil, fmt.Errorf("%s has no security analyzers; only %s does", host, strings.Join(with, " or "))
		}
		if path, err = o.path(host, s); err != nil {
			return nil, err
		}
	}
	f := File{Path: path, Host: host, host: h, elements: s.Elements, comments: s.Comments, skeleton: s.Skeleton}
	if s.Whole != nil {
		f.whole = o.fill(*s.Whole, host)
		return []File{f}, nil
	}
	if o.Approve && h.Prompts == nil {
		return nil, fmt.Errorf("--approve: %s", h.NotAnswered())
	}
	for i := range h.Events {
		if k := &h.Events[i]; !k.ByHand {
			f.entries = append(f.entries, f.entry(k.Name, s.Element(o.line(host, s, k), k.Decides())))
		}
	}
	if h.Prompts != nil { // at the end, where it can be taken out again without a trace
		k := h.Event(h.Prompts.Event)
		e := f.entry(k.Name, s.Element(o.line(host, s, &k), k.Decides()))
		if o.Approve {
			f.entries = append(f.entries, e)
		} else {
			f.former = append(f.former, e.asked(f.elements))
		}
	}
	return []File{f}, nil
}

// path is the file that holds the host's settings of this scope.
func (o *Options) path(host string, s *hosts.Settings) (string, error) {
	base, name := o.Project, s.Project
	switch {
	case o.Scope == User && s.InConfig:
		base, name = o.Config, s.User
	case o.Scope == User:
		base, name = o.Home, s.User
	case o.Scope == Local && s.Local == "":
		return "", fmt.Errorf("%s has no local settings; use the scope user or project", host)
	case o.Scope == Local:
		name = s.Local
	case o.Scope != Project:
		return "", fmt.Errorf("%q is not a scope; use user, project or local", o.Scope)
	}
	return filepath.Join(base, filepath.FromSlash(name)), nil
}

// entry is what belongs into an event's list.
func (f *File) entry(event string, value any) entry {
	host, elements := f.Host, f.elements
	path := []string{"hooks", event}
	if f.host.Settings.Bare {
		path = path[1:]
	}
	return entry{path: path, value: value, ours: func(raw []byte) bool {
		list := elements(append(append([]byte("["), raw...), ']'))
		for _, e := range list {
			if !IsHook(e.Command, host) {
				return false
			}
		}
		return len(list) > 0
	}}
}

// asked is the entry where install wrote it because its user asked for it: one that a
// person registered by hand stays.
func (e entry) asked(elements func([]byte) []hosts.Element) entry {
	ours := e.ours
	e.ours = func(raw []byte) bool {
		return ours(raw) && !slices.ContainsFunc(elements(append(append([]byte("["), raw...), ']')), func(x hosts.Element) bool {
			words, _ := Words(x.Command)
			return !slices.Contains(words, "-approve")
		})
	}
	return e
}

// line is the command line for an event.
func (o *Options) line(host string, s *hosts.Settings, k *hosts.EventKind) string {
	switch {
	case !k.Decides():
		return o.command(host, "-after")
	case k.AskLater:
		return o.command(host, "-ask-later")
	}
	line := o.command(host)
	if s.Shell && runtime.GOOS != "windows" { // where hosts' shells do not all know ||
		line += orSay(s) + quote(o.Hook) + " " + quote(host) + OrBlock
	}
	return line
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
