package episode_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
)

// Whoever decides on calls in a row keeps one memory for the run: it is asked
// before each call, and told of what ran and of what came back.
func Example() {
	var checker gates.Checker
	var memory episode.Memory
	memory.Hear("Summarise the page https://example.org/news")
	for i, step := range []struct{ tool, args, result string }{
		{"fetch", `{"url":"https://example.org/news"}`, "All is well. More at https://other.example/x"},
		{"read_file", `{"path":"/repo/.env"}`, "TOKEN=abc"},
		{"fetch", `{"url":"https://example.org/news"}`, ""}, // the task names it: people can say whether it may
		{"fetch", `{"url":"https://other.example/x"}`, ""},  // a result brought it in
	} {
		state := gates.State{Cwd: "/repo", Roots: []string{"/repo"}}
		memory.Before(&state)
		ctx := checker.Context(gates.Request{Tool: step.tool, Args: []byte(step.args)}, state)
		decision := checker.Check(&ctx, nil)
		fmt.Println(step.tool, decision.Disposition)
		for _, r := range decision.Reasons {
			fmt.Println("  ", r.Rule)
		}
		memory.Ran(&ctx, int64(i)) // the user agreed, where that was asked for
		memory.Returned(ctx.ToolName(), []byte(step.args), step.result)
	}
	stored, err := memory.MarshalBinary() // for the next process
	fmt.Println(len(stored) > 0, err)
	// Output:
	// fetch approved_with_constraints
	//    egress/fetch
	// read_file approved_with_constraints
	//    sensitive/read
	// fetch approved_with_constraints
	//    flow/secret
	//    egress/fetch
	// fetch rejected
	//    flow/exfiltration
	//    egress/fetch
	// true <nil>
}
