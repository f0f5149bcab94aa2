package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestWebSearchAfterSecrets: words for a search of the web leave the machine, so after secrets
// were read they ask as a connection does.
func TestWebSearchAfterSecrets(t *testing.T) {
	for _, read := range []bool{false, true} {
		p := inProject(t, map[string]string{".env": "KEY=abc\n"})
		if read {
			p.call("Read", map[string]string{"file_path": "/home/u/p/.env"})
		}
		for tool, args := range map[string]map[string]string{
			"WebSearch":         {"query": "abc"},
			"google_web_search": {"query": "abc"},
			"Grep":              {"pattern": "abc"},
		} {
			want := read && tool != "Grep"
			if d := p.call(tool, args); (d.Disposition != gates.Approved) != want {
				t.Errorf("%s, secrets read %v: %v %v", tool, read, d.Disposition, d.Reasons)
			}
		}
	}
}
