package merge

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// TestStatesSayHowTheirChangeIsKnown: half of a state's changing macros have to be
// seen; reading secrets raises a risk; generic children are for what actions do.
func TestStatesSayHowTheirChangeIsKnown(t *testing.T) {
	var src parts
	for i, task := range []string{"a", "b", "c", "d"} {
		x := trace(task, "look read edit", true)
		x.Macros[1].Sensitive = i == 0
		x.Macros[2].Does, x.Macros[2].Seen = effect.DeltaSend, i < 2
		src = append(src, []*Trace{x})
	}
	view := tree.NewView(merged(t, src, params).Tree)
	get := func(key string) *tree.State {
		i, ok := view.FindState(0, key)
		if !ok {
			t.Fatalf("no state %s", key)
		}
		return &view.States[i]
	}
	for key, risk := range map[string]uint8{"look": 0, "read": 2, "edit": effect.DeltaWrite.Risk(), "*send": effect.DeltaSend.Risk()} {
		if s := get(key); s.Risk != risk {
			t.Errorf("%s has risk %d, want %d", key, s.Risk, risk)
		}
	}
	if !get("edit").Observed || get("look").Observed {
		t.Error("only a change that the logs show is observed")
	}
	src[1][0].Macros[2].Seen = false
	view = tree.NewView(merged(t, src, params).Tree)
	if get("edit").Observed {
		t.Error("a change that the logs do not show is observed")
	}
}
