package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestIncludedSecret: a source that an earlier call wrote and that includes a secret is asked
// about where it is compiled.
func TestIncludedSecret(t *testing.T) {
	for text, asks := range map[string]bool{"#include \"/home/u/.aws/credentials\"\n": true, "#include <stdio.h>\n": false} {
		p := inProject(t, map[string]string{})
		p.call("Write", map[string]string{"file_path": "src/a.c", "content": text})
		if d := p.call("Bash", map[string]string{"command": "gcc -E src/a.c"}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%q: %v %v", text, d.Disposition, d.Reasons)
		}
	}
}
