package effect_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates/effect"
)

// A path becomes a canonical resource, and the places where a call runs say
// what it is: inside the workspace or not, secret, or under protection.
func Example() {
	places := effect.Places{Cwd: "/repo/cmd", Home: "/home/ada", Roots: []string{"/repo"}}
	for _, path := range []string{"main.go", "../../notes", "~/.ssh/id_ed25519", "../.git/hooks/pre-commit"} {
		resource := places.Resolve(places.Cwd, path)
		zone, sensitive, protected := places.Where(resource)
		change := effect.Effect{Kind: effect.Write, Op: effect.OpModify, Zone: zone, Sensitive: sensitive, Protected: protected, Resource: resource}
		fmt.Println(resource, zone, sensitive, protected, change.Tier())
	}
	var forgotten effect.Effect // nobody said what it does: it is judged as the worst
	fmt.Println(forgotten.Kind, forgotten.Zone, forgotten.Tier())
	// Output:
	// /repo/cmd/main.go workspace false false local-reversible
	// /notes outside false true runtime-compensable
	// /home/ada/.ssh/id_ed25519 home true true runtime-compensable
	// /repo/.git/hooks/pre-commit workspace false true local-reversible
	// opaque unknown externally-irreversible
}
