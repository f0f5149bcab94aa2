package hosts

// OpenHands: openhands/sdk/hooks in its source. Exit 2 blocks; a decision of
// deny on stdout blocks at any exit code; timeouts and every other failure let
// the action run. There is no ask. The security analyzer that gbt installs
// beside the hook reads the field disposition, which OpenHands ignores, and
// turns a call that needs consent into a high risk, for which OpenHands'
// confirmation policy asks.
func openHands() Host {
	return Host{
		Name: "openhands", Title: "OpenHands",
		decode: decodeOpenHands, encode: encodeOwn,
		asks: func(*Input) bool { return false },
	}
}

func decodeOpenHands(f fields) (*Input, error) {
	event, err := f.need("event_type")
	if err != nil {
		return nil, err
	}
	if event != eventPreToolUse {
		return nil, bad("input/event", "the event %.80q is not one this hook decides", event)
	}
	in := &Input{Event: event}
	if in.Call.Tool, err = f.need("tool_name"); err != nil {
		return nil, err
	}
	if in.Call.Args, err = f.object("tool_input"); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text("working_dir"); err != nil {
		return nil, err
	}
	in.Session, err = f.text("session_id")
	return in, err
}
