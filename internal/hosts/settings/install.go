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
	Ends     bool     // the hook is asked about ends, too
	// Checks is how many seconds the commands may take that the hook runs at an end.
	Checks int
}

// For returns the files of a host.
func For(host string, o Options) ([]File, error) {
	h, ok := hosts.Lookup(host)
	if !ok {
		return nil, fmt.Errorf("%q is not a host; use one of %s", host, strings.Join(hosts.Names(), ", "))
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
		k := &h.Events[i]
		switch {
		case k.ByHand:
		case k.End && o.Ends:
			f.add(k.Name, s.Element(o.line(host, s, k), false, hosts.HookSeconds+o.Checks))
		case k.End:
			f.leave(k.Name)
		default:
			f.add(k.Name, s.Element(o.line(host, s, k), k.Decides(), hosts.HookSeconds))
		}
	}
	if h.Prompts != nil {
		o.prompts(&f, s)
	}
	return []File{f}, nil
}

// prompts adds the event at which the host's own questions are answered, or leaves it.
func (o *Options) prompts(f *File, s *hosts.Settings) {
	k := f.host.Event(f.host.Prompts.Event)
	if o.Approve {
		f.add(k.Name, s.Element(o.line(f.Host, s, &k), k.Decides(), hosts.HookSeconds))
		return
	}
	f.leave(k.Name)
	f.left[len(f.left)-1].asked(f.elements)
	f.all[len(f.all)-1].asked(f.elements)
}

// asked narrows the entry to what install wrote because its user asked for it: an event
// that a person registered by hand stays.
func (e *entry) asked(elements func([]byte) []hosts.Element) {
	ours := e.ours
	e.ours = func(raw []byte) bool {
		return ours(raw) && !slices.ContainsFunc(elements(append(append([]byte("["), raw...), ']')), func(x hosts.Element) bool {
			words, _ := Words(x.Command)
			return !slices.Contains(words, "-approve")
		})
	}
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

// leave notes an event that is not asked for: what an installation before put there goes.
func (f *File) leave(event string) {
	f.add(event, nil)
	last := len(f.entries) - 1
	f.left, f.entries = append(f.left, f.entries[last]), f.entries[:last]
}

func (f *File) add(event string, value any) {
	host, elements := f.Host, f.elements
	path := []string{"hooks", event}
	if f.host.Settings.Bare {
		path = path[1:]
	}
	f.entries = append(f.entries, entry{path: path, value: value, ours: func(raw []byte) bool {
		list := elements(append(append([]byte("["), raw...), ']'))
		for _, e := range list {
			if !IsHook(e.Command, host) {
				return false
			}
		}
		return len(list) > 0
	}})
	f.all = append(f.all, f.entries[len(f.entries)-1])
}

// line is the command line for an event.
func (o *Options) line(host string, s *hosts.Settings, k *hosts.EventKind) string {
	switch {
	case k.End:
		return o.command(host, "-end")
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
