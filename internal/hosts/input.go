package hosts

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// Input is one call as a host describes it to its hook.
type Input struct {
	Call    gates.Request
	State   gates.State
	Event   string
	Session string // the host's id of the session, or empty
	Agent   string // of a subagent of the session, or empty
	CallID  string // tells the calls of a session apart; the same before and after; may be empty

	// Queued says what became of a question that the host can't ask: the agent
	// is told it in the place of the reason that nobody can be asked.
	Queued string

	// Known is what the machine knows of what is asked about, in sentences for people, or
	// empty.
	Known string

	// Yes says that the answer is to a question of the host's own, which gbt may answer
	// (Host.Prompts). Without it an approved call gets no answer to that.
	Yes bool

	mode string // of the host's permissions, where it tells

	// Elsewhere says that the host runs a second, narrower hook for this same
	// call, and that only that one can ask (Cursor).
	Elsewhere bool
}

// marks reads what tells calls and agents of one session apart.
func (in *Input) marks(f fields) (err error) {
	if in.Agent, err = f.text("agent_id"); err != nil {
		return err
	}
	if in.CallID == "" {
		in.CallID, err = f.text("tool_use_id")
	}
	return err
}

// directory follows an argument that names where a shell tool's command runs.
func (in *Input) directory(keys ...string) error {
	args := in.args()
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
		case onWindows(in.State.Cwd) || onWindows(dir) || strings.HasPrefix(dir, `\\`):
			if len(in.State.Roots) == 0 && in.State.Cwd != "" {
				in.State.Roots = []string{in.State.Cwd} // the directory of one call makes no workspace
			}
			in.State.Cwd = windowsDir(in.State.Cwd, dir)
		case path.IsAbs(dir):
			in.State.Cwd = dir
		case in.State.Cwd != "":
			in.State.Cwd = path.Join(in.State.Cwd, dir)
		}
	}
	return nil
}

// windowsDir is a directory of Windows as it is named in another one.
func windowsDir(cwd, dir string) string {
	cwd, dir = strings.ReplaceAll(cwd, `\`, "/"), strings.ReplaceAll(dir, `\`, "/")
	if onWindows(cwd) {
		cwd = strings.TrimPrefix(cwd, "/")
	}
	switch {
	case onWindows(dir):
		dir = strings.TrimPrefix(dir, "/")
	case strings.HasPrefix(dir, "//"):
		return "/" + path.Clean(dir)
	case onWindows(cwd) && strings.HasPrefix(dir, "/"):
		dir = cwd[:2] + dir
	case len(dir) > 1 && dir[1] == ':': // below where that drive is, which nobody knows
		dir = dir[:2] + "/"
	default:
		dir = cwd + "/" + dir
	}
	if !onWindows(dir) {
		return "/" + path.Clean(dir)
	}
	return dir[:2] + path.Clean("/"+dir[2:])
}

// shellOf names the shell's tool by a name that says no shell, where a host that calls it Bash runs its
// lines with what the system has: on Windows, PowerShell unless the user chose another one.
func (in *Input) shellOf() {
	if strings.EqualFold(in.Call.Tool, "bash") && onWindows(in.State.Cwd) {
		in.Call.Tool = "run_terminal_cmd"
	}
}

// onWindows says whether a directory is one of Windows: C:\w, c:/w, or /c:/w as in an address.
func onWindows(dir string) bool {
	dir = strings.TrimPrefix(dir, "/")
	return len(dir) > 2 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') && (dir[0]|0x20 >= 'a' && dir[0]|0x20 <= 'z')
}

// args are the call's arguments by name, or none where they cannot be told apart:
// such a call is never approved, wherever it would run.
func (in *Input) args() fields {
	var f fields
	if call.Doubt(in.Call.Args) != "" || json.Unmarshal(in.Call.Args, &f) != nil {
		return nil
	}
	return f
}

// jsonArgs builds the arguments of a call from one value.
func jsonArgs(key, value string) []byte {
	b, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return b
}

// mcpName marks a tool of an MCP server as one: such a tool may carry any
// name, and gates trusts a built-in tool's name only without this mark.
func (h *Host) mcpName(tool string) string { return "mcp__" + h.Name + "__" + tool }
