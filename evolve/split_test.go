package evolve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// chats are runs that succeeded, each of a task of its own, as chat messages: the
// tools that each called.
func chats(t *testing.T, first int, runs ...string) *logs.Input {
	t.Helper()
	type object = map[string]any
	var text bytes.Buffer
	for i, run := range runs {
		messages := []object{{"role": "user", "content": fmt.Sprintf("Please settle matter %d of the office.", first+i)}}
		for k, tool := range strings.Fields(run) {
			id := fmt.Sprint("c", k)
			messages = append(messages,
				object{"role": "assistant", "content": "Now the next thing.", "tool_calls": []object{{"id": id, "type": "function", "function": object{"name": tool, "arguments": object{"n": i}}}}},
				object{"role": "tool", "tool_call_id": id, "content": "ok"})
		}
		line, err := json.Marshal(object{"id": fmt.Sprint("r", first+i), "task_id": fmt.Sprint("t", first+i), "success": true, "messages": messages})
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	return logs.Open([]string{"-"}, logs.Options{Stdin: io.NopCloser(&text), Workers: 1})
}

// two ways through one macro: what follows depends on what came before.
const (
	oneWay   = "create_order update_ticket send_note"
	otherWay = "delete_event update_ticket cancel_invoice"
	mixed    = "create_order update_ticket cancel_invoice"
)

// times repeats runs.
func times(n int, runs ...string) []string { return slices.Repeat(runs, n) }

func policyOf(t *testing.T, runs ...string) *distill.Parent {
	t.Helper()
	res, err := distill.Run(t.Context(), chats(t, 0, runs...), distill.Options{Config: distill.DefaultConfig(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &distill.Parent{Policy: res.Policy, Digest: testDigest, Contexts: res.Gates.Contexts, Mutations: -1}
}

func evolved(t *testing.T, p *distill.Parent, first int, runs ...string) *Result {
	t.Helper()
	cfg := distill.DefaultConfig()
	f, err := distill.ReadFresh(t.Context(), chats(t, first, runs...), p.Policy, distill.Options{Config: cfg, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Evolve(context.Background(), p, f, Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// stateOf is the state of a key in the only family.
func stateOf(t *testing.T, p *artifacts.Policy, key string) *tree.State {
	t.Helper()
	i, ok := tree.NewView(&p.Tree).FindState(0, key)
	if !ok {
		t.Fatalf("no state %s", key)
	}
	return &p.Tree.States[i]
}

func TestAliasedStatesAreSplit(t *testing.T) {
	old := policyOf(t, times(3, oneWay, otherWay, mixed)...)
	res := evolved(t, old, 100, append(times(60, oneWay, otherWay), mixed, mixed)...)
	var after []string
	for i := range res.Edits {
		if e := &res.Edits[i]; e.Kind == Split {
			after = append(after, e.To)
			if !e.Applied || e.Judgement.Steps == 0 || e.Judgement.After < e.Judgement.Before {
				t.Errorf("%s: %+v", e.To, e.Judgement)
			}
		}
	}
	if want := []string{"update:ticket|create:order", "update:ticket|delete:event"}; !slices.Equal(after, want) {
		t.Fatalf("split off: %q, want %q", after, want)
	}
	whole, part := stateOf(t, res.Policy, "update:ticket"), stateOf(t, res.Policy, "update:ticket|create:order")
	if len(part.Next) != len(whole.Next) {
		t.Errorf("a part offers %d steps, the whole %d", len(part.Next), len(whole.Next))
	}
	counts := map[string]uint32{}
	for _, e := range part.Next {
		counts[res.Policy.Tree.States[e.To].Key] = e.Count.Tasks
	}
	// 3 of the policy's tasks and 60 new ones went one way, 3 and 2 the other.
	if counts["send:note"] != 63 || counts["cancel:invoice"] != 5 {
		t.Errorf("after create:order: %v", counts)
	}
	for _, e := range stateOf(t, res.Policy, "create:order").Next {
		if key := res.Policy.Tree.States[e.To].Key; key == "update:ticket" {
			t.Error("the step to the whole is there beside that to its part")
		}
	}
	again := evolved(t, &distill.Parent{Policy: res.Policy, Digest: testDigest, Contexts: res.Contexts, Mutations: -1}, 500, times(30, oneWay, otherWay)...)
	if slices.ContainsFunc(again.Edits, func(e Judged) bool { return e.Kind == Split }) {
		t.Error("what is split is split again")
	}
	if got := stateOf(t, again.Policy, "update:ticket|create:order").Count.Tasks; got != part.Count.Tasks+30 {
		t.Errorf("%d tasks came by after 30 more, %d before", got, part.Count.Tasks)
	}
}

func TestIndependentStatesStayWhole(t *testing.T) {
	three := "delete_event update_ticket send_note"
	old := policyOf(t, times(3, oneWay, otherWay, mixed, three)...)
	res := evolved(t, old, 100, times(30, oneWay, otherWay, mixed, three)...)
	if slices.ContainsFunc(res.Edits, func(e Judged) bool { return e.Kind == Split }) {
		t.Error("a state was split whose successors do not depend on what came before")
	}
}

func TestUsual(t *testing.T) {
	all := merge.Contexts{
		"a": {"x": 5, "y": 2},
		"b": {"y": 6, merge.End: 9},
		"c": {"x": 3, "y": 3},
		"d": {merge.End: 4},
	}
	for _, c := range []struct{ before, here, rest string }{
		{"a", "x", "y"}, // 8 went on with y after the others, 3 with x
		{"b", "y", "x"},
		{"c", "x", "y"},       // the lesser of two
		{"d", merge.End, "y"}, // which offers nothing
	} {
		if here, rest := usual(all, c.before); here != c.here || rest != c.rest {
			t.Errorf("after %s %s, after others %s; want %s, %s", c.before, here, rest, c.here, c.rest)
		}
	}
}

// TestOnlyOtherWaysAreSplitOff: a history after which most go on as they do anyway
// stays with the whole.
func TestOnlyOtherWaysAreSplitOff(t *testing.T) {
	third, fourth := "add_event update_ticket send_note", "share_note update_ticket send_note"
	res := evolved(t, policyOf(t, times(2, oneWay, otherWay, third, fourth)...), 100, times(50, oneWay, otherWay, third, fourth)...)
	if !slices.ContainsFunc(res.Edits, func(e Judged) bool { return e.Kind == Split }) {
		t.Fatal("nothing was split: the test shows nothing")
	}
	for i := range res.Edits {
		if e := &res.Edits[i]; e.Kind == Split && e.after != "delete:event" {
			t.Errorf("split off: %s", e.To)
		}
	}
}
