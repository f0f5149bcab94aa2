package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Installed is a hook of ours in a host's settings.
type Installed struct {
	Event      string
	Command    string   // for a shell
	Argv       []string // or without one
	Matcher    string   // which tools; empty for all
	Timeout    int      // as the host counts it; 0 if not set
	FailClosed bool     // the setting that makes a failed hook block
	Plain      bool     // the command runs gbt-hook for this host and nothing else
	After      bool     // it notes what ran and decides nothing
	OrBlock    bool     // the command line blocks if the hook itself can't
}

func isFalse(b *bool) bool { return b != nil && !*b }

// Find returns the hooks of ours in the text of the file, by event, and whether
// the settings turn all hooks off. Command lines that hold gbt-hook among other
// things are not Plain: nobody can say what they do but a shell.
func (f *File) Find(text []byte) (list []Installed, off bool, err error) {
	if f.whole != nil {
		argv, ok := argvIn(text)
		if !isOurs(text) || !ok {
			return nil, false, nil
		}
		return []Installed{{Event: "tool.execute.before", Argv: argv, FailClosed: true, Plain: true}}, false, nil
	}
	if _, err := scan(text, f.comments); err != nil {
		return nil, false, err
	}
	if f.comments {
		text = strip(text)
	}
	var top struct {
		Hooks       map[string]json.RawMessage `json:"hooks"`
		Disable     bool                       `json:"disableAllHooks"`
		HooksConfig struct {
			Enabled *bool `json:"enabled"`
		} `json:"hooksConfig"`
		Tools struct {
			EnableHooks *bool `json:"enableHooks"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, false, err
	}
	off = top.Disable || isFalse(top.HooksConfig.Enabled) || isFalse(top.Tools.EnableHooks)
	events := make([]string, 0, len(top.Hooks))
	for event := range top.Hooks {
		events = append(events, event)
	}
	slices.Sort(events)
	for _, event := range events {
		for _, h := range hooksIn(top.Hooks[event]) {
			h.Plain = IsHook(h.Command, f.Host)
			if h.Plain || strings.Contains(h.Command, "gbt-hook") {
				h.Event = event
				words, _ := Words(h.Command)
				h.After = slices.Contains(words, "-after")
				h.OrBlock = h.Plain && strings.HasSuffix(h.Command, OrBlock)
				list = append(list, h)
			}
		}
	}
	return list, off, nil
}

// anyHook is an element of any host's list.
type anyHook struct {
	Matcher    string    `json:"matcher"`
	Command    string    `json:"command"`
	Timeout    int       `json:"timeout"`
	FailClosed bool      `json:"failClosed"`
	OnFailure  string    `json:"onFailure"`
	Hooks      []anyHook `json:"hooks"`
}

func hooksIn(raw []byte) []Installed {
	var groups []anyHook
	if json.Unmarshal(raw, &groups) != nil {
		return nil
	}
	var out []Installed
	for _, g := range groups {
		for _, h := range append(g.Hooks, g) {
			if h.Command != "" {
				out = append(out, Installed{Command: h.Command, Matcher: g.Matcher, Timeout: h.Timeout, FailClosed: h.FailClosed || h.OnFailure == "block"})
			}
		}
	}
	return out
}

func commandsIn(raw []byte) []string {
	var out []string
	for _, h := range hooksIn(append(append([]byte("["), raw...), ']')) {
		out = append(out, h.Command)
	}
	return out
}

// argvIn reads the argument vector back out of a filled template.
func argvIn(text []byte) ([]string, bool) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimPrefix(line, []byte("const "))
		if rest, ok := bytes.CutPrefix(line, []byte("HOOK = ")); ok {
			var argv []string
			err := json.Unmarshal(bytes.TrimRight(rest, " ;\r\n"), &argv)
			return argv, err == nil && len(argv) > 1
		}
	}
	return nil, false
}
