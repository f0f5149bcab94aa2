package gates_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// counts are what became of the calls of a layout.
type counts struct {
	calls, errors, unknown, opaque, silent int
	disposition                            [4]int
}

func (c counts) String() string {
	return fmt.Sprintf("calls=%6d errors=%d unknown tool=%5d opaque=%4d approved=%6d asks=%5d revise=%4d rejected=%4d",
		c.calls, c.errors, c.unknown, c.opaque, c.disposition[gates.Approved], c.disposition[gates.ApprovedWithConstraints],
		c.disposition[gates.RevisionRequired], c.disposition[gates.Rejected])
}

// TestContextsOfSharedCorpora builds the context of every tool call in the
// shared logs, without error or reported opaque or unknown. Run with
// -v it prints the counts. An error is a context that has no canonical form
// that parses back; a call that may act, is of no known kind and is approved
// all the same would be a silent approval, and fails.
func TestContextsOfSharedCorpora(t *testing.T) {
	root := corporatest.Shared(t, "corpora")
	total, byFormat, tools := counts{}, map[string]*counts{}, map[string]int{}
	var k gates.Checker
	var buf []byte
	in := logs.Open([]string{root}, logs.Options{})
	for rec := range in.Records(context.Background()) {
		if rec.Episode == nil {
			continue
		}
		e := rec.Episode
		if byFormat[e.Format] == nil {
			byFormat[e.Format] = &counts{}
		}
		for i := range e.Steps {
			s := &e.Steps[i]
			c := k.Context(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, gates.State{Cwd: s.Cwd, UID: -1, GID: -1})
			d := k.Check(&c, nil)
			buf = c.AppendCanonical(buf[:0])
			back, err := gates.ParseContext(buf)
			bad := err != nil || !bytes.Equal(back.AppendCanonical(nil), buf)
			unknown, opaque := kinds(&c)
			if unknown {
				tools[s.Tool]++
			}
			for _, n := range []*counts{&total, byFormat[e.Format]} {
				n.calls++
				n.disposition[d.Disposition]++
				n.errors += one(bad)
				n.unknown += one(unknown)
				n.opaque += one(opaque)
				n.silent += one((unknown || opaque) && d.Disposition == gates.Approved)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byFormat)) {
		t.Logf("%-24s %v", name, *byFormat[name])
	}
	t.Logf("%-24s %v", "all", total)
	names := slices.SortedFunc(maps.Keys(tools), func(a, b string) int {
		if n := tools[b] - tools[a]; n != 0 {
			return n
		}
		return slices.Compare([]byte(a), []byte(b))
	})
	t.Logf("%d names of unknown tools, the most frequent:", len(names))
	for _, n := range names[:min(len(names), 25)] {
		t.Logf("  %5d %.60q", tools[n], n)
	}
	if total.calls < 30000 || total.errors > 0 || total.silent > 0 {
		t.Errorf("%d calls, %d errors, %d opaque or unknown ones approved", total.calls, total.errors, total.silent)
	}
}

// kinds says whether a call is of an unknown tool, and whether it is opaque for
// another reason.
func kinds(c *gates.Context) (unknown, opaque bool) {
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Opaque {
			unknown = unknown || e.Op == effect.OpNone
			opaque = opaque || e.Op != effect.OpNone
		}
	}
	return unknown, opaque
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
