package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/hosts"
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
	End        bool     // it is asked when the agent ends its turn
	OrBlock    bool     // the command line blocks if the hook itself can't
}

// Find returns the hooks of ours in the text of the file, by event, and whether
// the settings turn all hooks off. Command lines that hold gbt-hook among other
// things are not Plain: nobody can say what they do but a shell.
func (f *File) Find(text []byte) (list []Installed, off bool, err error) {
	if f.whole != nil {
		argv, ok := argvIn(text)
		if !isOurs(text) || !ok {
			return nil, false, nil
		}
		return []Installed{{Event: f.host.Events[0].Name, Argv: argv, FailClosed: true, Plain: true}}, false, nil
	}
	if _, err := scan(text, f.comments); err != nil {
		return nil, false, err
	}
	if f.comments {
		text = strip(text)
	}
	var top struct {
		Hooks map[string]json.RawMessage `json:"hooks"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, false, err
	}
	if off, err = hooksOff(text); err != nil {
		return nil, false, err
	}
	if f.host.Settings.Bare {
		if err := json.Unmarshal(text, &top.Hooks); err != nil {
			return nil, false, err
		}
	}
	for _, event := range slices.Sorted(maps.Keys(top.Hooks)) {
		list = append(list, f.hooksOf(event, top.Hooks[event])...)
	}
	return list, off, nil
}

// hooksOf returns the hooks of ours in an event's list.
func (f *File) hooksOf(event string, raw []byte) []Installed {
	var out []Installed
	for _, e := range f.elements(raw) {
		plain := IsHook(e.Command, f.Host)
		if !plain && !strings.Contains(e.Command, "gbt-hook") {
			continue
		}
		words, _ := Words(e.Command)
		out = append(out, Installed{
			Event: event, Command: e.Command, Matcher: e.Matcher, Timeout: e.Timeout, FailClosed: e.FailClosed, Plain: plain,
			After: slices.Contains(words, "-after"), End: slices.Contains(words, "-end"), OrBlock: plain && strings.HasSuffix(e.Command, OrBlock),
		})
	}
	return out
}

// hooksOff says whether a setting that turns all hooks off is set, be it
// another host's: hosts read each other's files.
func hooksOff(text []byte) (off bool, err error) {
	for _, name := range hosts.Names() {
		h, _ := hosts.Lookup(name)
		for _, s := range h.Settings.Off {
			set, err := setTo(text, s.Path, s.Off)
			if err != nil {
				return false, err
			}
			off = off || set
		}
	}
	return off, nil
}

// setTo says whether the setting at path is there and has the value want.
func setTo(text []byte, path []string, want bool) (bool, error) {
	for _, key := range path {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(text, &m); err != nil {
			return false, fmt.Errorf("%s: %w", strings.Join(path, "."), err)
		}
		if text = m[key]; text == nil {
			return false, nil
		}
	}
	var got *bool
	if err := json.Unmarshal(text, &got); err != nil {
		return false, fmt.Errorf("%s: %w", strings.Join(path, "."), err)
	}
	return got != nil && *got == want, nil
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
