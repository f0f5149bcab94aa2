package hosts

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// Cursor: https://cursor.com/docs/hooks, and others' recordings of what its
// versions 1.7 to 3.9 do with each answer.
//
//   - Output is flat. With failClosed an empty answer counts as a failure, so
//     an approval is an explicit allow.
//   - A block is exit 0 with permission deny: at exit 2 Cursor shows the agent
//     the raw text of stdout instead of the reason. Where the hook itself
//     failed it exits with 2 as well: then being blocked matters more than how
//     the reason reads.
//   - preToolUse comes before every tool and can't ask ("ask" is accepted and
//     not enforced there). beforeShellExecution and beforeMCPExecution can;
//     they come after it for the same call. beforeReadFile knows allow and deny.
//   - The agent is shown user_message, whatever agent_message holds. So a block has the
//     text for the agent in both, and only a question has one for each.
var cursor = Host{
	Name: "cursor", Title: "Cursor",
	Events: []EventKind{
		{Name: eventCursorTool, AskLater: true},
		{Name: eventBeforeShell, Asks: true, Sees: Commands},
		{Name: eventBeforeMCP, Asks: true, Sees: MCPTools},
		{Name: eventBeforeRead, Sees: FileReads},
		{Name: "postToolUse", Of: eventCursorTool, Results: []string{"tool_output"}},
		{Name: "postToolUseFailure", Of: eventCursorTool, Results: []string{"error_message"}},
		{Name: "afterShellExecution", Of: eventBeforeShell, Results: []string{"output"}},
		{Name: "afterMCPExecution", Of: eventBeforeMCP, Results: []string{"result_json"}},
		{Name: "beforeSubmitPrompt", Prompt: "prompt"},
		{Name: "stop", End: true},
	},
	Ends:     cursorEnds(),
	Reports:  true,
	ShellEnv: "CURSOR_AGENT",
	Limits: []string{
		"preToolUse and beforeReadFile can't ask, so gbt blocks there what needs consent",
		"some versions show no question for ask and block the call",
		"versions before preToolUse was added put only shell commands, MCP calls and file reads before a hook",
	},
	// https://cursor.com/docs: hooks, mcp, rules, skills, subagents, cli/reference/configuration, cloud-agent/setup, configuration/worktrees
	Loads: Loads{
		Dir: ".cursor",
		Names: []string{
			"BUGBOT.md", "Dockerfile", "agents", "automations", "cli-config.json", "cli.json", "commands", "environment.json", "hooks", "hooks.json", "mcp.json", "permissions.json", "plugins", "rules", "sandbox.json",
			"settings.json", "worktrees.json",
		},
		Bundles:  []string{"skills"},
		HomeEnv:  []string{"CURSOR_CONFIG_DIR"},
		Settings: []string{".cursorrules", "/etc/cursor", "/Library/Application Support/Cursor"},
	},
	Settings: Settings{
		User: ".cursor/hooks.json", Project: ".cursor/hooks.json", Skeleton: "{\n  \"version\": 1\n}\n",
		Element: newCursorElement, Elements: readElements,
	},
	Samples: Samples{
		Shell: Tool{Name: "Shell", Key: "command"}, Read: Tool{Name: "Read", Key: "file_path"},
		Call: cursorCall,
	},
	// https://cursor.com/docs (rules, commands, skills, subagents)
	instructions: []string{".cursor/agents", ".cursor/commands", ".cursor/rules"},
	keeps:        cursorKeeps,
	eventKey:     "hook_event_name", sessionKey: "conversation_id",
	decode: decodeCursor, encode: encodeCursor, read: readCursor,
	declined: cursorDeclined,
	noted:    "{\"continue\":true}\n",
}

const (
	eventBeforeShell = "beforeShellExecution"
	eventBeforeMCP   = "beforeMCPExecution"
	eventBeforeRead  = "beforeReadFile"
	eventCursorTool  = "preToolUse"
)

func decodeCursor(h *Host, f fields) (*Input, error) {
	event, err := f.need(h.eventKey)
	if err != nil {
		return nil, err
	}
	in := &Input{Event: event}
	if in.Session, err = f.text(h.sessionKey); err != nil {
		return nil, err
	}
	if in.State.Roots, err = f.texts("workspace_roots"); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text("cwd"); err != nil {
		return nil, err
	}
	if in.State.Cwd == "" && len(in.State.Roots) > 0 {
		in.State.Cwd = in.State.Roots[0]
	}
	switch event {
	case eventBeforeShell:
		return in, cursorShell(in, f)
	case eventBeforeMCP:
		return in, cursorMCP(h, in, f)
	case eventBeforeRead:
		return in, cursorRead(in, f)
	case eventCursorTool:
		return in, cursorTool(h, in, f)
	}
	return nil, undecided(event)
}

func cursorShell(in *Input, f fields) error {
	cmd, err := f.need("command")
	in.Call.Tool, in.Call.Args = "bash", jsonArgs("command", cmd)
	in.shellOf()
	in.CallID = cursorID("Shell", cmd)
	return err
}

func cursorMCP(h *Host, in *Input, f fields) error {
	name, err := f.need("tool_name")
	if err != nil {
		return err
	}
	in.Call.Tool = h.mcpName(name)
	in.Call.Args, err = cursorArgs(f)
	in.CallID = cursorMCPID(name, in.Call.Args)
	return err
}

func cursorMCPID(name string, args []byte) string {
	var v any
	if json.Unmarshal(args, &v) == nil {
		args, _ = json.Marshal(v) // written as a string before, as an object after
	}
	return cursorID(path.Base(strings.ReplaceAll(name, ":", "/")), string(args))
}

// cursorID stands for a call's id, which the events for commands and MCP calls
// lack: two of the same text are one, which is on the strict side.
func cursorID(tool, command string) string { return tool + "\x00" + command }

// cursorArgs reads tool_input: beforeMCPExecution has it as a string that holds
// JSON, preToolUse as an object.
func cursorArgs(f fields) ([]byte, error) {
	raw, ok := f["tool_input"]
	if !ok || raw[0] != '"' {
		return f.object("tool_input")
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil, bad("input/shape", "tool_input is not a string")
	}
	if strings.TrimSpace(s) == "" {
		return []byte("{}"), nil
	}
	return []byte(strings.TrimSpace(s)), nil
}

func cursorRead(in *Input, f fields) error {
	name, err := f.need("file_path")
	in.Call.Tool, in.Call.Args = "read_file", jsonArgs("file_path", name)
	return err
}

// cursorPlans are Cursor's own tools by which the agent lays its plan before the user, who reads and
// changes it and starts the work (https://cursor.com/help/ai-features/plan-mode: "it opens as a
// virtual file"; https://cursor.com/docs/cli/acp: cursor/create_plan and cursor/update_todos). Servers of others have tools
// of that name, which start jobs or make plans that people pay for: those come as MCP:NAME.
var cursorPlans = [...]string{"CreatePlan", "UpdateTodos", "createPlan", "create_plan", "updateTodos", "update_todos"}

func cursorTool(h *Host, in *Input, f fields) error {
	name, err := f.need("tool_name")
	if err != nil {
		return err
	}
	if in.Call.Args, err = cursorArgs(f); err != nil {
		return err
	}
	in.Call.Tool = name
	if mcp, ok := strings.CutPrefix(name, "MCP:"); ok {
		in.Call.Tool, in.Elsewhere = h.mcpName(mcp), true
		in.CallID = cursorMCPID(mcp, in.Call.Args)
		return nil
	}
	if slices.Contains(cursorPlans[:], name) {
		in.Call.Tool = "update_plan"
	}
	if name != "Shell" {
		return in.marks(f)
	}
	in.Elsewhere = true
	cmd, err := in.args().text("command")
	if err != nil {
		return err
	}
	in.CallID = cursorID(name, cmd)
	return in.directory("working_directory", "cwd")
}

type cursorOutput struct {
	Permission   string `json:"permission"`
	UserMessage  string `json:"user_message,omitempty"`
	AgentMessage string `json:"agent_message,omitempty"`
}

func encodeCursor(_ *Input, a answer) Output {
	switch a.verdict {
	case allow:
		return Output{Stdout: encodeJSON(cursorOutput{Permission: "allow"})}
	case ask:
		return Output{Stdout: encodeJSON(cursorOutput{"ask", a.person, a.reason})}
	}
	out := Output{Stdout: encodeJSON(cursorOutput{"deny", a.reason, a.reason})}
	if a.failure {
		out.Stderr, out.Exit = a.reason+"\n", exitBlocked
	}
	return out
}

func readCursor(event string, p Process) Outcome {
	if !p.Died && p.Exit == exitBlocked {
		return Blocks
	}
	r, ok := p.reply()
	if p.Died || p.Exit != exitDecided || !ok {
		return blocksIf(p.FailClosed)
	}
	switch r.Permission {
	case "allow":
		return Proceeds
	case "deny":
		return Blocks
	case "ask":
		if event == eventBeforeShell || event == eventBeforeMCP {
			return Asks
		}
		return Proceeds
	}
	return blocksIf(p.FailClosed)
}

// cursorDeclined: what the user declined comes as a failure.
func cursorDeclined(f fields) (bool, error) {
	why, err := f.text("failure_type")
	return why == "permission_denied", err
}

// cursorEnds: an end can't be blocked; a follow-up message is sent to the agent as the user's
// next one. Cursor itself sends five at most unless loop_limit says otherwise.
func cursorEnds() *Ends {
	type output struct {
		Followup string `json:"followup_message,omitempty"`
	}
	return &Ends{
		Dir: "cwd", Tries: "loop_count", Status: "status", Done: "completed",
		back: func(reason string) Output { return Output{Stdout: encodeJSON(output{reason})} },
		pass: func(note string) Output { return Output{Stdout: "{}\n", Stderr: ending(note)} },
		sent: func(p Process) bool {
			var out output
			return p.Exit == exitDecided && decodes([]byte(p.Stdout), &out) && out.Followup != ""
		},
	}
}

type cursorElement struct {
	Command    string `json:"command"`
	Timeout    int    `json:"timeout"`
	FailClosed bool   `json:"failClosed"`
}

func newCursorElement(line string, decides bool, seconds int) any {
	return cursorElement{line, seconds, decides}
}

func cursorCall(event, dir, tool string, args map[string]any) map[string]any {
	m := map[string]any{
		"hook_event_name": event, "conversation_id": sampled, "generation_id": sampled, "cursor_version": sampled,
		"workspace_roots": []string{dir}, "cwd": dir,
	}
	switch event {
	case eventCursorTool:
		m["tool_name"], m["tool_input"] = tool, args
	case eventBeforeMCP:
		m["tool_name"], m["tool_input"] = tool, sampleText(args)
	default:
		maps.Copy(m, args)
	}
	return m
}
