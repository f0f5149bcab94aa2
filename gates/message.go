package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// message says what a rule objects to and what to do instead, for programs that show
// one text for both. Package wording has those for a person and for a model.
func message(rule string, e *Effect) string {
	t := textOf(rule)
	r := shown(e)
	var b strings.Builder
	b.Grow(len(t.what) + len(r) + len(t.instead) + 8)
	b.WriteString(t.what)
	if r != "" {
		b.WriteString(": ")
		b.WriteString(r)
	}
	b.WriteString(". ")
	b.WriteString(t.instead)
	return b.String()
}

// maxShown bounds what a message shows of a resource, in bytes.
const maxShown = 160

// shown is what a message shows of a resource: no password of an address.
func shown(e *Effect) string {
	r := e.Resource
	if scheme, rest, ok := cutAt(r, "://"); ok && e.Kind == effect.Network {
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		if at := lastByte(rest[:end], '@'); at >= 0 {
			r = scheme + "://" + rest[at+1:]
		}
	}
	if len(r) > maxShown {
		r = r[:maxShown] + "…"
	}
	return r
}

// Rules lists the codes of all rules of the guardrail, sorted. Reasons may have others:
// gates of a policy, and what front ends add.
func Rules() []string {
	out := make([]string, len(ruleTexts))
	for i := range ruleTexts {
		out[i] = ruleTexts[i].rule
	}
	return out
}

// Instead is what to do in place of a call that a rule of the guardrail stops, in one
// sentence for whoever made it; empty for other rules.
func Instead(rule string) string {
	if i, found := findRule(rule); found {
		return ruleTexts[i].instead
	}
	return ""
}

type ruleText struct{ rule, what, instead string }

func findRule(rule string) (int, bool) {
	return slices.BinarySearchFunc(ruleTexts[:], rule, func(t ruleText, rule string) int { return strings.Compare(t.rule, rule) })
}

func textOf(rule string) ruleText {
	if i, found := findRule(rule); found {
		return ruleTexts[i]
	}
	return ruleText{rule, "is not allowed", "Ask the user."}
}

// ruleTexts are the rules of the guardrail, sorted by code.
var ruleTexts = [...]ruleText{
	{"content/unasked", "sends what the policy's content gate has not seen", "Show the user what would go where, and ask for it."},
	{"egress/fetch", "fetches from the network", "Say what you look for there and ask for this address, or go by what the workspace holds."},
	{"egress/listen", "waits for connections", "Bind to 127.0.0.1, or say who has to reach it and ask."},
	{"egress/send", "connects or sends to the network", "Show the user what would go where, and ask for it."},
	{"flow/exfiltration", "sends after reading secrets", "Leave the sending to the user: say what would go where, and why."},
	{"flow/harmful", "runs what a file of the project does to the user's own files or secrets", "Say what that file does, and ask for this run."},
	{"flow/remote-shell", "connects a shell to the network", "Never needed for a task in the workspace."},
	{"flow/secret", "connects after secrets were read", "See that nothing of it is in what is sent, and ask for this call."},
	{"flow/turned", "goes by settings or code that this session changed or that others wrote", "Say what stands there, and why if it was you who changed it, and ask for this call."},
	{"flow/unvetted", "runs a file whose contents were fetched or would not be approved", "Show what the file does and ask for this run."},
	{"opaque/argument", "is given an argument that nobody knows", "Leave it out, or say what it is for and ask for this call."},
	{"opaque/arguments", "is given arguments that cannot be read in one way only", "Give every argument once, under its exact name."},
	{"opaque/computed", "depends on a value known only at run time", "Print the value in a call of its own, then write it out here; or say what it will be and ask."},
	{"opaque/tool", "calls a tool that is not known", "Say what this tool does with these arguments and ask for the call."},
	{"opaque/unparsed", "cannot be analysed", "Write the command in plain, complete shell syntax, or in smaller steps."},
	{"protected/delete", "deletes protected files", "Never needed for a task in the workspace: delete only what the task made."},
	{"protected/device", "writes to a device", "Write to a file in the workspace."},
	{"protected/write", "changes a protected file", "Tell the user what would change there and what that decides, and ask for it."},
	{"record/write", "changes a record or sends a message", "Show the user the text of this change and ask for it."},
	{"sensitive/read", "reads secrets or private records", "Work without it, or tell the user which value is needed and what for."},
	{"spawn/denied", "runs a program that the settings deny", "Use another tool."},
	{"spawn/elsewhere", "runs where the workspace may be another one", "Say on which machine it runs and what it changes there, and ask for it; on this machine use the host's own shell."},
	{"spawn/escape", "uses a feature that runs other programs or code", "Say what it runs and what it changes, and ask for this call."},
	{"spawn/file", "runs a file outside the workspace", "Use a program of the workspace or an installed one, or say what this one does and ask for it."},
	{"spawn/guard", "decides what the guard lets pass", "Leave that to the user, and say what you need: only they answer the guard's questions."},
	{"spawn/interactive", "waits for a person at a terminal", "Use a form that takes its input from arguments or a file."},
	{"spawn/setting", "changes the state of the machine or an account", "Say what it changes on this machine or in this account and for how long, and ask for it."},
	{"spawn/signal", "signals a process", "Stop jobs of this command line alone (kill %1), or say which process it is and ask."},
	{"spawn/unknown", "runs a program that is not known", "Say what this program does and changes, and ask for it; or use one that gbt knows."},
	{"workspace/delete", "deletes files", "Delete by name what this session made, or tell the user what is there and ask."},
	{"workspace/discard", "discards changes that no commit holds", "Commit or stash them first, or ask for this."},
	{"workspace/list", "lists a directory outside the workspace", "Tell the user which directory it is and what for, or work without it."},
	{"workspace/move", "moves files away that the session did not make", "Copy the file and leave it where it is, or ask for this move."},
	{"workspace/overwrite", "replaces a file that git cannot give back", "Write to another name, or show the user what would be lost and ask for this."},
	{"workspace/read", "reads outside the workspace", "Tell the user which file is needed and what for, or work without it."},
	{"workspace/write", "writes outside the workspace", "Write it in the workspace or in /tmp, or say why it has to be there and ask for this file."},
}
