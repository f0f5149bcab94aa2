package hosts

import (
	"path"
	"strings"
)

// Gemini CLI: https://geminicli.com/docs/hooks/reference and
// packages/core/src/hooks in its source. Exit 0 makes it read stdout as JSON;
// at exit 2 stderr is the reason and stdout is not read; any other code warns
// and goes on. Plain text on stdout counts as an allow, so nothing but JSON is
// ever printed there. A hook can't ask.
//
// An approved call gets {}: Gemini's own confirmations stay as they are.
func gemini() Host {
	return Host{
		Name: "gemini", Title: "Gemini CLI",
		decode: decodeGemini, encode: encodeGemini,
		asks: func(*Input) bool { return false },
	}
}

const eventBeforeTool = "BeforeTool"

func decodeGemini(f fields) (*Input, error) {
	event, err := f.need("hook_event_name")
	if err != nil {
		return nil, err
	}
	if event != eventBeforeTool {
		return nil, bad("input/event", "the event %.80q is not one this hook decides", event)
	}
	in := &Input{Event: event}
	if in.Call.Tool, err = f.need("tool_name"); err != nil {
		return nil, err
	}
	if in.Call.Args, err = f.object("tool_input"); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text("cwd"); err != nil {
		return nil, err
	}
	if in.Session, err = f.text("session_id"); err != nil {
		return nil, err
	}
	if raw, ok := f["mcp_context"]; ok && string(raw) != "null" && !strings.HasPrefix(in.Call.Tool, "mcp__") {
		in.Call.Tool = mcpName("gemini", in.Call.Tool)
	}
	return in, in.directory("dir_path", "directory")
}

// directory follows an argument that names where a shell tool's command runs.
func (in *Input) directory(keys ...string) error {
	args, err := parse(in.Call.Args)
	if err != nil {
		return err
	}
	if _, ok := args["command"]; !ok {
		return nil
	}
	for _, key := range keys {
		dir, err := args.text(key)
		if err != nil {
			return err
		}
		switch {
		case dir == "":
		case path.IsAbs(dir):
			in.State.Cwd = dir
		case in.State.Cwd != "":
			in.State.Cwd = path.Join(in.State.Cwd, dir)
		}
	}
	return nil
}

type geminiOutput struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

func encodeGemini(_ *Input, a answer) Output {
	if a.verdict == allow {
		return Output{Stdout: "{}\n"}
	}
	return Output{Stdout: encodeJSON(geminiOutput{"deny", a.reason}), Stderr: a.reason + "\n", Exit: exitBlocked}
}
