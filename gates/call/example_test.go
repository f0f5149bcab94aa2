package call_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// A call is read once: what its arguments are, what it will do, and whether two
// readers could take it for different calls.
func Example() {
	places := &effect.Places{Cwd: "/repo", Roots: []string{"/repo"}}
	for _, req := range []call.Request{
		{Tool: "send_email", Args: []byte(`{"recipient":"ada@example.org","body":"done"}`)},
		{Tool: "Bash", Args: []byte(`{"command":"rm -r build"}`)},
		{Tool: "Bash", Args: []byte(`{"command":"ls","command":"rm -r /"}`)},
	} {
		c := call.Read(req, places, nil)
		fmt.Println(c.Name(), "is", c.Action().Key)
		for _, a := range c.Args {
			fmt.Println("  argument", a.Path, a.Role)
		}
		for _, e := range c.Effects {
			fmt.Println("  effect", e.Kind, e.Resource)
		}
		if c.Doubt != "" {
			fmt.Println("  never approved:", c.Doubt)
		}
	}
	// Output:
	// send_email is send:email
	//   argument body payload
	//   argument recipient recipient
	//   effect network ada@example.org
	// bash is delete
	//   argument command command
	//   effect delete /repo/build
	//   effect spawn rm
	// bash is delete
	//   argument command command
	//   effect opaque the arguments have a name twice
	//   effect delete /
	//   effect spawn rm
	//   never approved: the arguments have a name twice
}
