package hosts

import (
	_ "embed" // the analyzer

	"github.com/gbt-policy/gbt/gates"
)

// OpenHands: openhands/sdk/hooks in its source. Exit 2 blocks; a decision of
// deny on stdout blocks at any exit code; timeouts and every other failure let
// the action run. There is no ask. The security analyzer that gbt installs
// beside the hook reads the field disposition, which OpenHands ignores, and
// turns a call that needs consent into a high risk, for which OpenHands'
// confirmation policy asks.
var openHands = Host{
	Name: "openhands", Title: "OpenHands",
	Events: []EventKind{
		{Name: eventPreToolUse},
		{Name: "PostToolUse", Of: eventPreToolUse, Results: []string{"tool_response", "tool_output"}},
		{Name: "UserPromptSubmit", Prompt: "message"},
		{Name: eventStop, End: true},
	},
	Ends:       openHandsEnds(),
	ProjectEnv: "OPENHANDS_PROJECT_DIR",
	Limits: []string{
		"a hook that it ends after its time limit lets the action run; there is no setting against it",
		"a hook can't ask, so gbt blocks what needs consent; the security analyzer can ask and can't block",
		"a hooks.json that does not parse is ignored with a warning",
	},
	// https://docs.openhands.dev: repository customization, hooks, skills
	Loads: Loads{
		Dir:      ".openhands",
		Names:    []string{"agents", "config.toml", "hooks", "hooks.json", "mcp.json", "microagents", "pre-commit.sh", "setup.sh"},
		Bundles:  []string{"skills"},
		Settings: []string{"/etc/openhands"},
	},
	Settings: Settings{
		User: ".openhands/hooks.json", Project: ".openhands/hooks.json",
		Element: groupedPlain, Elements: readElements, Shell: true,
	},
	Analyzer: &Settings{
		User: ".openhands/gbt_analyzer.py", Project: ".openhands/gbt_analyzer.py",
		Whole: &openHandsAnalyzer,
	},
	Samples: Samples{
		Shell: Tool{Name: "terminal", Key: "command"},
		Read:  Tool{Name: "file_editor", Key: "path", Also: []Arg{{"command", "view"}}},
		Call:  openHandsCall,
	},
	eventKey: "event_type", sessionKey: "session_id",
	decode: decodeOpenHands, encode: encodeOwn, read: readOpenHands,
}

//go:embed template/openhands_analyzer.py
var openHandsAnalyzer string

func decodeOpenHands(h *Host, f fields) (*Input, error) { return h.called(f, "working_dir") }

// openHandsEnds: a block sends the agent back with the reason, as a message of the user's.
func openHandsEnds() *Ends {
	return &Ends{
		Dir: "working_dir",
		back: func(reason string) Output {
			return encodeOwn(nil, answer{verdict: block, reason: reason, disposition: gates.RevisionRequired.String()})
		},
		pass: func(note string) Output {
			return Output{Stdout: encodeJSON(ownOutput{"allow", "", gates.Approved.String()}), Stderr: ending(note)}
		},
		sent: func(p Process) bool { return readOpenHands("", p) == Blocks },
	}
}

func readOpenHands(_ string, p Process) Outcome {
	if p.Died {
		return Proceeds
	}
	r, _ := p.reply()
	return blocksIf(p.Exit == exitBlocked || r.Decision == "deny" || r.Decision == "block" || r.Continue != nil && !*r.Continue)
}

func openHandsCall(event, dir, tool string, args map[string]any) map[string]any {
	return map[string]any{
		"event_type": event, "tool_name": tool, "tool_input": args, "session_id": sampled, "working_dir": dir, "metadata": map[string]any{},
	}
}
