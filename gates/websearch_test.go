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
		for _, c := range []struct {
			asks bool
			args map[string]any
		}{
			{read, map[string]any{"search_query": []map[string]any{{"q": "abc"}, {"q": "site:example.com x"}}, "response_length": "long"}},
			{true, map[string]any{"open": []map[string]any{{"ref_id": "https://example.com/x"}}}},
			{true, map[string]any{"open": []map[string]any{{"ref_id": "turn0search1"}}}},
			{true, map[string]any{"click": []map[string]any{{"ref_id": "turn0search1", "id": 3}}}},
			{true, map[string]any{"search_query": []map[string]any{{"q": "abc"}}, "open": []map[string]any{{"ref_id": "https://example.com/x"}}}},
			{read, map[string]any{"search_query": []map[string]any{{"q": "https://example.com/x"}}}},
			{true, map[string]any{"response_length": "long"}},
		} {
			if d := p.call("web__run", c.args); (d.Disposition != gates.Approved) != c.asks {
				t.Errorf("web__run %v, secrets read %v: %v %v", c.args, read, d.Disposition, d.Reasons)
			}
		}
	}
}
