package shell_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// A command line becomes what it does. What is only mentioned does not run, and
// what can't be known is opaque.
func Example() {
	places := &effect.Places{Cwd: "/repo", Roots: []string{"/repo"}}
	for _, line := range []string{
		`grep -rn 'rm -rf /' docs > found.txt`,
		`git -C ../other push origin main`,
		`eval "$(cat setup)"`,
	} {
		fmt.Println(line)
		effects, _, _ := shell.Parse(line).Analyze(places)
		for _, e := range effects {
			fmt.Println(" ", e.Kind, e.Op, e.Resource)
		}
	}
	// Output:
	// grep -rn 'rm -rf /' docs > found.txt
	//   write create /repo/found.txt
	//   read read /repo/docs
	//   spawn run grep
	// git -C ../other push origin main
	//   list list /other
	//   network send git
	// eval "$(cat setup)"
	//   read read /repo/setup
	//   spawn run cat
	//   opaque computed computed command line: …
}
