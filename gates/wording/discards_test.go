package wording

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestOthersWork: where the host sees whose changes go, the question names those files that hold
// more than the session's work, and no others.
func TestOthersWork(t *testing.T) {
	for _, tt := range []struct {
		line, want string
		others     []string
	}{
		{"git checkout .", "Discards your uncommitted changes in b.go; cannot be undone.", []string{"b.go"}},
		{"git restore .", "Discards your uncommitted changes in b.go; cannot be undone.", []string{"b.go"}},
		{"git checkout -- a.go b.go", "Discards your uncommitted changes in b.go; cannot be undone.", []string{"b.go"}},
		{"git checkout -- a.go b.go", "Discards your uncommitted changes in a.go and b.go; cannot be undone.", []string{"a.go", "b.go"}},
		{"git reset --hard", "Discards your uncommitted changes in b.go and sets the branch to its last commit; cannot be undone.", []string{"b.go"}},
		{"git reset --hard HEAD", "Discards your uncommitted changes in b.go, c.go and 2 more files and sets the branch to HEAD; cannot be undone.", []string{"b.go", "c.go", "d.go", "e.go"}},
		{"git checkout -f", "Discards your uncommitted changes in b.go; cannot be undone.", []string{"b.go"}},
		{"git clean -fd", "Deletes notes.txt, which git does not hold; cannot be undone.", []string{"notes.txt"}},
		{"git clean -fdx", "Deletes notes.txt and x/y, which git does not hold; cannot be undone.", []string{"notes.txt", "x/y"}},
		{"git checkout .", "Discards all your changes in the whole workspace that are neither staged nor committed; cannot be undone.", nil},
	} {
		found := gates.Discards{Known: len(tt.others) > 0}
		for _, o := range tt.others {
			found.Others = append(found.Others, "/w/app/"+o)
		}
		args, err := json.Marshal(map[string]string{"command": tt.line})
		if err != nil {
			t.Fatal(err)
		}
		c := gates.NewContext(gates.Request{Tool: "Bash", Args: args}, gates.State{Cwd: "/w/app", Home: "/h", Roots: []string{"/w/app"},
			Discards: func(*gates.Context, *gates.Effect) gates.Discards { return found }})
		var g gates.Guardrail
		d := g.Decide(&c)
		if text := Of(&c, &d).Person; d.Disposition != gates.ApprovedWithConstraints || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %v\n%s\nwant %s", tt.line, d.Disposition, text, tt.want)
		}
	}
}
