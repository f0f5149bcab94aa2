package traverse

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestHashCall holds two calls apart that differ in one place, or in where it ends.
func TestHashCall(t *testing.T) {
	seen := map[string]int{}
	for i, c := range []struct {
		call Call
		env  Env
	}{
		{Call{Tool: "a", Args: []byte("b")}, Env{}},
		{Call{Tool: "ab"}, Env{}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Cwd: "/w"}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Home: "/w"}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Cwd: "/w\xfe"}}, // JSON writes both as U+FFFD
		{Call{Tool: "a", Args: []byte("b")}, Env{Cwd: "/w\xff"}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Roots: []string{"/a", "/b"}}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Roots: []string{"/a/b"}}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Tools: []string{"/a", "/b"}}},
		{Call{Tool: "a", Args: []byte("b")}, Env{Links: []gates.Link{{From: "/a", To: "/b"}}}},
		{Call{Tool: "a", Args: []byte("b")}, Env{UID: 1}},
		{Call{Tool: "a", Args: []byte("b")}, Env{GID: 1}},
	} {
		key := hashCall(&c.call, &c.env)
		if j, ok := seen[key]; ok {
			t.Errorf("cases %d and %d have one key", i, j)
		}
		seen[key] = i
	}
}
