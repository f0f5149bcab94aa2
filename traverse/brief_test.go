package traverse

import (
	"slices"
	"strings"
	"testing"
)

// TestBriefTellsOwnSteps: what a brief says was done is worded after the session's
// own calls, and not after what other runs said there.
func TestBriefTellsOwnSteps(t *testing.T) {
	s := repair().open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	do(t, s, "edit")
	b := s.Propose(Proposal{Text: "go on"}).Brief
	if want := []string{"read a file", "create or edit a file"}; !slices.Equal(b.Spine, want) {
		t.Errorf("done so far: %q, want %q", b.Spine, want)
	}
	if strings.Contains(strings.Join(b.Spine, "\n"), words["view"]) {
		t.Errorf("%q tells what others said", b.Spine)
	}
}
