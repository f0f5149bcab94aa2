package distill

import (
	"reflect"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/segment"
)

// TestAsked counts what gates would have asked in three sessions, and of what the user
// declined.
func TestAsked(t *testing.T) {
	const expr = `ctx.effects.all(e, e.program != "make")`
	_, program, err := lang.Compile(expr)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := gates.NewLibrary([]gates.Gate{{ID: "g", Scope: learn.ScopeGlobal, Disposition: learn.AskFirst, Expr: expr, Program: program}})
	if err != nil {
		t.Fatal(err)
	}
	step := func(command string, status corpora.Status) corpora.Step {
		return corpora.Step{Tool: "Bash", Args: `{"command":"` + command + `"}`, Status: status, BlockedBy: "user"}
	}
	k := &gates.Checker{}
	var requests []*learn.Case
	for _, e := range []corpora.Episode{
		{ID: "a#1", TaskID: "a", Steps: []corpora.Step{step("make all", corpora.StatusBlocked), step("go test ./...", corpora.StatusExecuted)}},
		{ID: "a#2", TaskID: "a", Steps: []corpora.Step{step("make", corpora.StatusExecuted), step("git push", corpora.StatusBlocked)}},
		{ID: "b#1", TaskID: "b", Steps: []corpora.Step{step("go test ./... && make", corpora.StatusExecuted)}},
		{ID: "c#1", TaskID: "c", Steps: []corpora.Step{step("go test ./...", corpora.StatusExecuted)}},
	} {
		requests = append(requests, attempts(&e, segment.Default, k, true))
	}
	v := &versions{checker: k}
	got := v.asked(lib, nil, requests)
	want := AskCounts{Asked: 3, Sessions: 2, Declined: 1}
	if got.Sessions != 3 || got.Calls != 6 || got.Declined != 2 || !reflect.DeepEqual(got.Gates, want) || got.Guarded.Stopped() < want.Stopped() {
		t.Errorf("%+v, want %+v by the gates", got, want)
	}
	if sum := got.add(v.asked(lib, nil, nil)).add(v.asked(lib, nil, requests[2:])); sum.Sessions != 5 || sum.Calls != 8 {
		t.Errorf("in all %+v", sum)
	}
}
