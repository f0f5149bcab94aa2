package lang

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// TestObjectsName holds what a new field can lack to an error that names it.
func TestObjectsName(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		info       program.Info
	}{
		{"a type of its own", "field depth of effect has no CEL type", program.Info{Name: "depth", Of: program.Effect, Type: program.Objects + 1}},
		{"another object's name", "lang.celFlow is below", program.Info{Name: "flow.depth", Of: program.Effect, Type: program.Int}},
	} {
		more := *fields
		more[63] = tc.info
		if _, err := celObjects(&more); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
}
