package gates

import (
	"slices"
	"strings"
)

// vetFlags are flags of go vet after which it still runs none of the project's code (go help vet).
var vetFlags = [...]string{"-json", "-race", "-v", "-x"}

// checksOnly says whether effect i is of a run that looks for mistakes in code and neither runs it
// nor leaves something that can be run.
func (c *Context) checksOnly(i int) bool {
	r := c.runOf(i)
	if r == nil || r.Given || len(r.Words) < 2 || r.Words[0] != "go" || r.Words[1] != "vet" {
		return false
	}
	return !slices.ContainsFunc(r.Words[2:], func(w string) bool {
		return strings.HasPrefix(w, "-") && !isAmong(vetFlags[:], w)
	})
}
