package scope_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// What one yes to a call can be remembered for.
func ExampleOf() {
	c := gates.ShellContext("curl -d x=1 https://api.example/v1", gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
	d := (&gates.Checker{}).Check(&c, nil)
	for _, s := range scope.Of(&c, &d) {
		fmt.Println(s)
	}
	// Output:
	// send to api.example by curl
	// send to api.example
}
