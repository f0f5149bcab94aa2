package hosts

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Prompts says which of a host's own questions gbt may answer with yes, where it approves
// the call itself and its user wants that (gbt hook install --approve). It is a list of
// what may be answered: whatever stands in none of its fields is the user's.
type Prompts struct {
	// Event comes when the host is about to ask its user about a call.
	Event string
	// Tools are the tools whose calls may be answered, with all the arguments that such a
	// call may have. Not among them are the host's questions to its user, tools that edit
	// files, and tools of which gbt knows nothing but the name.
	Tools map[string][]string
	// Modes are the modes of the host's permissions in which questions may be answered.
	Modes []PromptMode
	// Choices are the files in which the user's own rules stand: what they want to be
	// asked about is never answered for them.
	Choices Choices
}

// PromptMode is a mode of a host's permissions.
type PromptMode struct {
	Name  string
	Edits bool // in it, its user lets the agent edit files unasked
}

// Why a question is left to the user. They are for tests and for people who look into a
// session's state; no host is told them.
const (
	leftTool     = "not a tool whose questions are answered"
	leftArgument = "an argument that is not known"
	leftMode     = "not in this mode"
	leftDecision = "not approved"
	leftTaint    = "the session is tainted"
	leftOrder    = "the user's message is what answers it"
	leftEdit     = "an edit, which the mode decides"
)

// Leaves says why a question of the host's own about a call that was decided so is left to
// its user; it is empty where gbt may answer with yes. What the user's own rules in the
// host's settings say is not known here.
func (h Host) Leaves(in *Input, c *gates.Context, d *gates.Decision) string {
	return h.LeavesIn(in.mode, in.Call, c, d)
}

// LeavesIn is Leaves for a call in a mode of the host's permissions.
func (h Host) LeavesIn(mode string, r gates.Request, c *gates.Context, d *gates.Decision) string {
	if h.Prompts == nil {
		return leftTool
	}
	args, known := h.Prompts.Tools[r.Tool]
	at := slices.IndexFunc(h.Prompts.Modes, func(m PromptMode) bool { return m.Name == mode })
	in := Input{Call: r}
	switch {
	case !known:
		return leftTool
	case at < 0:
		return leftMode
	case !only(in.args(), args):
		return leftArgument
	}
	return leaves(c, d, h.Prompts.Modes[at].Edits)
}

// leaves is what no host is needed for: only what every profile would approve, in a
// session that holds nothing that must not be trusted.
func leaves(c *gates.Context, d *gates.Decision, edits bool) string {
	switch {
	case d.Disposition != gates.Approved || d.Would != gates.Approved || c.Doubt != "":
		return leftDecision
	case c.Flow.Tainted():
		return leftTaint
	case slices.ContainsFunc(d.Answered, func(a gates.Answered) bool { return strings.HasPrefix(a.By, gates.ByOrder) }):
		return leftOrder // a guard's question is spared; that the host asks as well is its user's choice
	case !edits && (slices.ContainsFunc(c.Effects, edit) || applies(c)):
		return leftEdit
	}
	return ""
}

// edit says whether an effect is an edit of the user's files: whatever writes or deletes
// what it names in the workspace. What programs keep there by themselves is none.
func edit(e gates.Effect) bool {
	return (e.Kind == effect.Write || e.Kind == effect.Delete) && e.Zone == effect.ZoneWorkspace
}

// only says whether a call has no other arguments than those.
func only(args fields, names []string) bool {
	if args == nil {
		return false
	}
	for k := range args {
		if !slices.Contains(names, k) {
			return false
		}
	}
	return true
}

// PromptKey is what tells whether a question of the host's own is about a call that was
// decided on before: it comes without the call's id. Another mode is another question.
func (in *Input) PromptKey() string {
	b, err := json.Marshal([]string{in.Call.Tool, string(in.Call.Args), in.State.Cwd, in.Agent, in.mode})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // lists of strings always can be
	}
	return string(b)
}

// Approve answers a question of the host's own with yes.
func (h Host) Approve(in *Input) Output {
	in.Yes = true
	return h.Pass(in)
}

// NotAnswered says to people why gbt answers none of a host's own questions.
func (h Host) NotAnswered() string {
	if h.Unanswered != "" {
		return h.Unanswered
	}
	return h.Title + " tells its hooks of no question of its own"
}
