package hosts

import "encoding/json"

// Settings says where a host reads its hooks from and how they are written
// there. It is data: package settings makes the text of the files from it.
type Settings struct {
	// The files, with slashes: of the user below the home directory, of the
	// project below its own, and of the project but not shared (empty for none).
	User, Project, Local string
	// InConfig says that User lies below the user's configuration directory
	// (XDG), not the home directory.
	InConfig bool

	// Whole is the text of a file that is gbt's alone, with ["HOOK"] where the
	// hook's argument vector belongs, or nil. All below is of a file without it.
	// It points to an embedded file, so that hosts need no code when the hook
	// starts.
	Whole *string

	// Comments says that the host strips comments before it parses.
	Comments bool
	// Skeleton is the text of a file that is not there yet, empty for {}. The
	// host reads no file without the keys in it.
	Skeleton string
	// Element is an element of an event's list that runs a command line.
	// The time limit is in seconds.
	Element func(line string, decides bool, seconds int) any
	// Elements reads a list of them back.
	Elements func(list []byte) []Element
	// Shell says that a POSIX shell runs the command line, and that nothing else
	// blocks for a hook that is killed or missing.
	Shell bool
	// Else is a script of a POSIX shell that answers for a hook that is killed or missing
	// where exit 2 does not block, or what it says is not read. $0 is the hook program and
	// $1 the host. Empty for all others.
	Else string
	// Bare says that the events are the file's own keys, with no "hooks" around them.
	Bare bool
	// Hides is a file beside it whose hooks are not read any more once this one is
	// there, or empty.
	Hides string
	// Off are the settings that turn all hooks off.
	Off []Switch
}

// HookSeconds is the time limit for the hook in the hosts' settings. It is twice
// the hook's own, so that the hook ends first.
const HookSeconds = 10

// Switch is a setting, by the keys that lead to it, and the value that turns
// hooks off.
type Switch struct {
	Path []string
	Off  bool
}

// Element is a hook as it stands in a host's settings.
type Element struct {
	Matcher    string // which tools; empty for all
	Command    string
	Timeout    int  // as the host counts it
	FailClosed bool // the setting that makes a failed hook block
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

// grouped is a hook for every tool in that shape.
func grouped(line string, timeout int, onFailure string) group {
	return group{"*", []handler{{"command", line, timeout, onFailure}}}
}

// groupedPlain is one with nothing to say about failures.
func groupedPlain(line string, _ bool, seconds int) any { return grouped(line, seconds, "") }

// anyElement is an element in that shape, or in Cursor's, which has no groups.
type anyElement struct {
	Matcher    string       `json:"matcher"`
	Command    string       `json:"command"`
	Timeout    int          `json:"timeout"`
	FailClosed bool         `json:"failClosed"`
	OnFailure  string       `json:"onFailure"`
	Hooks      []anyElement `json:"hooks"`
}

func decodes(data []byte, v any) bool { return json.Unmarshal(data, v) == nil }

// readElements reads a list in either shape: hosts take each other's.
func readElements(list []byte) []Element {
	var groups []anyElement
	if json.Unmarshal(list, &groups) != nil {
		return nil
	}
	var out []Element
	for _, g := range groups {
		for _, h := range append(g.Hooks, g) {
			if h.Command != "" {
				out = append(out, Element{g.Matcher, h.Command, h.Timeout, h.FailClosed || h.OnFailure == "block"})
			}
		}
	}
	return out
}

// Trust is what a user must do before a host runs a hook in a settings file, and
// how to see that it was not done.
type Trust struct {
	Hint string // said after an installation

	// The host notes trust in File, below the directory that the environment
	// variable Env names, or else below Dir in the user's home directory.
	Env, Dir, File string
	// Noted says whether the text of that file trusts the hooks of settings.
	Noted func(text, settings string) bool
	// Missing says to people that it does not.
	Missing func(settings, noted string) string
}
