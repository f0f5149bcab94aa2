package text_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/tree/text"
)

// Texts are compared by their vectors, without a model.
func Example() {
	table := text.Default()
	said := table.Vec(nil, nil, "Let me fix the bug in the parser.")
	for _, macro := range []string{"edit the source code to fix the bug", "send an email to the customer", ""} {
		fmt.Printf("%.2f %q\n", text.Cos(said, table.Vec(nil, nil, macro)), macro)
	}
	// Output:
	// 0.56 "edit the source code to fix the bug"
	// 0.13 "send an email to the customer"
	// 0.00 ""
}
