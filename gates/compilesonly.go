package gates

import (
	"path"
	"slices"
	"strings"
)

// compileFlags are flags of go build and go vet after which still nothing of the project's is
// run: the result stays where it would be, and the toolchain is its own (go help build).
var compileFlags = [...]string{"-json", "-race", "-trimpath", "-v", "-x"}

// compilesOnly says whether effect i is of a run that compiles code or looks for mistakes in it,
// and runs none of it. Go has no step that does: what a project may tell the C compiler is
// bounded by a list of the toolchain's (pkg.go.dev/cmd/cgo, Using cgo with the go command).
func (c *Context) compilesOnly(i int) bool {
	r := c.runOf(i)
	if r == nil || r.Given || len(r.Words) < 2 || path.Base(r.Words[0]) != "go" || r.Words[1] != "build" && r.Words[1] != "vet" {
		return false
	}
	return !slices.ContainsFunc(r.Words[2:], func(w string) bool {
		return strings.HasPrefix(w, "-") && !slices.Contains(compileFlags[:], w)
	})
}
