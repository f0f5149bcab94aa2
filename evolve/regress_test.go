package evolve

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// steps says whether a policy has a step between two actions of a family.
func steps(p *artifacts.Policy, family, from, to string) bool {
	v := tree.NewView(&p.Tree)
	for i := range v.Families {
		if v.Families[i].Name != family {
			continue
		}
		s, ok := v.FindState(int32(i), from)
		if ok && slices.ContainsFunc(v.States[s].Next, func(e tree.Edge) bool { return v.States[e.To].Action() == to }) {
			return true
		}
	}
	return false
}

// TestSuiteRefusesEdits: of all edits those are refused, and no others, under which a
// case fails that passes under the parent; the rest is as if nobody had asked for them.
func TestSuiteRefusesEdits(t *testing.T) {
	some := *freshRuns(t)
	some.Episodes = some.Episodes[:12]
	f := &some
	all := evolve(t, f, Options{})
	var two []*Judged
	for i := range all.Edits {
		if e := &all.Edits[i]; e.Kind == Successor && e.Applied && len(two) < 2 {
			two = append(two, e)
		}
	}
	if len(two) != 2 {
		t.Fatal("too few edits")
	}
	fails := func(p *artifacts.Policy, only map[string]bool) (map[string]string, error) {
		out := map[string]string{"old": "as ever"}
		for _, e := range two {
			if (only == nil || only[e.ID]) && steps(p, e.Family, e.At, e.To) {
				out[e.ID] = "it leads astray"
			}
		}
		return out, nil
	}
	res := evolve(t, f, Options{Suite: fails})
	refused := 0
	for i := range res.Edits {
		e := &res.Edits[i]
		if bad := e.ID == two[0].ID || e.ID == two[1].ID; bad {
			refused++
			if e.Applied || !strings.Contains(e.Judgement.Reason, e.ID+": it leads astray") {
				t.Errorf("%s: applied %v, %q", e.ID, e.Applied, e.Judgement.Reason)
			}
		} else if e.Applied != all.Edits[i].Applied {
			t.Errorf("%s: applied %v, %q", e.ID, e.Applied, e.Judgement.Reason)
		}
	}
	if refused != 2 {
		t.Errorf("%d of the edits were seen", refused)
	}
	rest := evolve(t, f, Options{Suite: func(*artifacts.Policy, map[string]bool) (map[string]string, error) {
		return map[string]string{"old": "as ever"}, nil
	}})
	if !bytes.Equal(encoded(t, rest.Policy), encoded(t, all.Policy)) {
		t.Error("a case that fails under the parent too changes something")
	}
}
