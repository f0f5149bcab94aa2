package gates

import "strings"

// message says what a rule objects to and what to do instead.
func message(rule string, e *Effect) string {
	what, instead := ruleText(rule)
	r := e.Resource
	if len(r) > 160 {
		r = r[:160] + "…"
	}
	var b strings.Builder
	b.Grow(len(what) + len(r) + len(instead) + 8)
	b.WriteString(what)
	if r != "" {
		b.WriteString(": ")
		b.WriteString(r)
	}
	b.WriteString(". ")
	b.WriteString(instead)
	return b.String()
}

func ruleText(rule string) (what, instead string) {
	switch rule {
	case "workspace/read":
		return "reads outside the workspace", "Read a copy inside the workspace, or ask for this file."
	case "workspace/list":
		return "lists a directory outside the workspace", "Look inside the workspace, or ask for this directory."
	case "workspace/write":
		return "writes outside the workspace", "Write below the workspace root or in /tmp."
	case "workspace/delete":
		return "deletes files", "Name files inside the workspace that can be made again, or ask for this deletion."
	case "workspace/discard":
		return "discards changes that no commit holds", "Commit or stash them first, or ask for this."
	case "protected/write":
		return "changes a protected file", "Leave hooks, settings and credentials to the user, or ask for this change."
	case "protected/delete":
		return "deletes protected files", "Never needed for a task in the workspace: delete only what the task made."
	case "protected/device":
		return "writes to a device", "Write to a file in the workspace."
	case "sensitive/read":
		return "reads secrets or private records", "Work without them, or ask the user for the one value that is needed."
	case "egress/fetch":
		return "fetches from the network", "Use what is in the workspace, or ask for this address."
	case "egress/send":
		return "connects or sends to the network", "Keep data local, or ask for this destination."
	case "egress/listen":
		return "waits for connections", "Bind to the loopback address in a test, or ask."
	case "spawn/setting":
		return "changes the state of the machine or an account", "Do it without privileges inside the workspace, or ask."
	case "spawn/signal":
		return "signals a process", "Stop only jobs that this command line started (kill %1), or ask."
	case "spawn/unknown":
		return "runs a program that is not known", "Use a known tool, or ask for this program."
	case "spawn/file":
		return "runs a file outside the workspace", "Run programs of the workspace or installed ones."
	case "spawn/interactive":
		return "waits for a person at a terminal", "Use a form that takes its input from arguments or a file."
	case "spawn/escape":
		return "uses a feature that runs other programs or code", "Call that program directly, so that it can be judged."
	case "content/unasked":
		return "sends what the policy's content gate has not seen", "Keep data local, or ask for this destination."
	case "spawn/guard":
		return "decides what the guard lets pass", "Leave that to the user, and say what you need: only they answer the guard's questions."
	case "spawn/denied":
		return "runs a program that the settings deny", "Use another tool."
	case "opaque/arguments":
		return "is given arguments that cannot be read in one way only", "Give every argument once, under its exact name."
	case "opaque/argument":
		return "is given an argument that nobody knows", "Leave it out, or ask for this call."
	case "opaque/unparsed":
		return "cannot be analysed", "Write the command in plain, complete shell syntax, or in smaller steps."
	case "opaque/tool":
		return "calls a tool that is not known", "Use a known tool, or ask for this call."
	case "opaque/computed":
		return "depends on a value known only at run time", "Write the value out, or compute it in an earlier call."
	case "flow/exfiltration":
		return "sends after reading secrets", "Send before reading them, or not at all."
	case "flow/secret":
		return "connects to the repository's remote after secrets were read", "See that nothing of them is in what is sent, and ask for this call."
	case "flow/unvetted":
		return "runs a file whose contents were fetched or would not be approved", "Show what the file does and ask for this run."
	case "flow/remote-shell":
		return "connects a shell to the network", "Never needed for a task in the workspace."
	case "record/write":
		return "changes a record or sends a message", "Ask for a confirmation of exactly this change."
	}
	return "is not allowed", "Ask the user."
}
