package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// CEL lists the gates of a policy, an expression each with comments in front. A
// call passes a gate where the expression is true.
func CEL(d *review.Document) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Gates of %s, %s.\n", oneLine(d.Name), d.Digest)
	for i := range d.Gates {
		g := &d.Gates[i]
		fmt.Fprintf(&out, "\n// gate %s\n// scope %s, else %s\n// %s\n%s\n", g.ID, g.Scope, g.Disposition, oneLine(g.Message), strings.TrimSpace(g.Expr))
	}
	return out.Bytes()
}

// oneLine keeps a text inside its comment.
func oneLine(s string) string { return strings.Join(strings.Fields(review.Plain(s)), " ") }
