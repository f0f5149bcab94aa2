package hosts

// opencode has no command hooks: https://opencode.ai/docs/plugins. gbt installs
// a plugin whose "tool.execute.before" runs the hook and throws, which blocks
// the call, unless it answers with exit 0 and {"decision":"allow"}. What the
// plugin writes is ours: tool, args, sessionID and callID as opencode names
// them, with directory and worktree. There is no ask.
func opencode() Host {
	return Host{
		Name: "opencode", Title: "opencode",
		decode: decodeOpencode, encode: encodeOwn,
		asks: func(*Input) bool { return false },
	}
}

const eventOpencode = "tool.execute.before"

func decodeOpencode(f fields) (*Input, error) {
	event, err := f.need("event")
	if err != nil {
		return nil, err
	}
	if event != eventOpencode {
		return nil, bad("input/event", "the event %.80q is not one this hook decides", event)
	}
	in := &Input{Event: event}
	if in.Call.Tool, err = f.need("tool"); err != nil {
		return nil, err
	}
	if in.Call.Args, err = f.object("args"); err != nil {
		return nil, err
	}
	if in.Session, err = f.text("sessionID"); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text("directory"); err != nil {
		return nil, err
	}
	root, err := f.text("worktree")
	if err == nil && root != "" {
		in.State.Roots = []string{root}
	}
	return in, err
}

// ownOutput is what gbt's own adapters and OpenHands read.
type ownOutput struct {
	Decision    string `json:"decision"`
	Reason      string `json:"reason,omitempty"`
	Disposition string `json:"disposition"`
}

func encodeOwn(_ *Input, a answer) Output {
	if a.verdict == allow {
		return Output{Stdout: encodeJSON(ownOutput{"allow", "", a.disposition})}
	}
	return Output{
		Stdout: encodeJSON(ownOutput{"deny", a.reason, a.disposition}),
		Stderr: a.reason + "\n", Exit: exitBlocked,
	}
}
