package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestAmountAndLink holds that the learner finds gates over how an amount compares
// with the task, and over where the links in words come from, in tools and with
// values that have nothing else in common.
func TestAmountAndLink(t *testing.T) {
	for name, tc := range map[string]struct {
		good, bad gates.Arg
		want      string
	}{
		"more than the task names": {gates.Arg{Path: "sum", Number: "same"}, gates.Arg{Path: "sum", Number: "more"}, `a.number != "more"`},
		"a link out of text":       {gates.Arg{Path: "words", Link: "task"}, gates.Arg{Path: "words", Link: "text"}, `a.link != "text"`},
	} {
		ex := &Examples{}
		for i := range 60 {
			bad := i%3 == 0
			c := gates.NewContext(gates.Request{Tool: "send_parcel", Args: []byte(`{"sum":"1","words":"w"}`)}, gates.State{UID: -1, GID: -1})
			c.Args = []gates.Arg{tc.good}
			if bad {
				c.Args = []gates.Arg{tc.bad}
			}
			e := Example{Context: &c, ID: fmt.Sprintf("%02d", i), Tasks: []string{fmt.Sprintf("%02d", i)}, Runs: 1}
			if bad {
				ex.Unsafe = append(ex.Unsafe, e)
			} else {
				ex.Benign = append(ex.Benign, e)
			}
		}
		got := Learn(ex, Options{Library: []string{}})
		if len(got.Gates) != 1 || !strings.Contains(got.Gates[0].Expr, tc.want) || got.Gates[0].Left.Harm != (Share{20, 20}) || len(got.Gates[0].Names) > 0 {
			t.Errorf("%s: %+v\nproposals %+v", name, got.Gates, got.Review)
		}
	}
}
