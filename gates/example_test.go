package gates_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
)

// A host builds a context before a call runs, asks for a decision, and keeps
// the history and the flow for the next call.
func Example() {
	var guardrail gates.Guardrail
	state := gates.State{Cwd: "/repo", Roots: []string{"/repo"}}
	for _, command := range []string{"go test ./...", "rm -rf /", "cat ../notes"} {
		call := gates.Request{Tool: "Bash", Args: []byte(`{"command":"` + command + `"}`)}
		ctx := gates.NewContext(call, state)
		decision := guardrail.Decide(&ctx)
		fmt.Println(decision.Disposition, decision.Tier)
		for _, r := range decision.Reasons {
			fmt.Println(" ", r.Rule, "-", r.Message)
		}
		state.History = append(state.History, ctx.Records(0)...)
		state.Flow = ctx.After()
	}
	// Output:
	// approved local-reversible
	// rejected externally-irreversible
	//   protected/delete - deletes protected files: /. Never needed for a task in the workspace: delete only what the task made.
	// approved_with_constraints local-reversible
	//   workspace/read - reads outside the workspace: /notes. Tell the user which file is needed and what for, or work without it.
}
