package rules_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/rules"
)

// A question that a person's rule answers, and one that comes near it.
func Example() {
	k := gates.Checker{Rules: rules.NewSet(rules.Parse(".gbt/rules", []byte("allow curl https://docs.example/*")))}
	for _, line := range []string{"curl -s https://docs.example/a", "curl https://docs.example/a https://other.example/b"} {
		c := gates.ShellContext(line, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		d := k.Check(&c, nil)
		fmt.Println(d.Disposition, len(d.Answered))
	}
	// Output:
	// approved 1
	// approved_with_constraints 0
}
