package wording_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/wording"
)

// A host asks its user in one voice, and tells its model in the other.
func Example() {
	var guardrail gates.Guardrail
	state := gates.State{Cwd: "/home/ana/shop", Home: "/home/ana", Roots: []string{"/home/ana/shop"}, Remotes: []string{"github.com/acme/shop"}}
	call := gates.Request{Tool: "Bash", Args: []byte(`{"command":"rm -rf notes; git push -f origin main"}`)}
	ctx := gates.NewContext(call, state)
	decision := guardrail.Decide(&ctx)
	texts := wording.Of(&ctx, &decision)
	fmt.Println(texts.Person)
	fmt.Println(texts.Model)
	// Output:
	// Overwrites branch main on origin (github.com/acme/shop) by force; what only it has is lost to everybody. [egress/send]
	// Also: deletes notes with all that is in it.
	// This call overwrites branch main on origin (github.com/acme/shop) by force. [egress/send] Push to a new branch, or say which commits would be lost there and ask for this. It also deletes notes with all that is in it. [workspace/delete] Delete by name what this session made, or tell the user what is there and ask.
}
