package learn

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/origin"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/segment"
)

// TestExtractLikeAHost: the samples are those of the obvious way, which asks for
// the sources of every call and observes every result.
func TestExtractLikeAHost(t *testing.T) {
	roots := []string{"../../../examples/logs"}
	if dir := filepath.Join("..", "..", "..", "..", "shared", "corpora"); exists(dir) {
		roots = append(roots, filepath.Join(dir, "openagentsafety"), filepath.Join(dir, "agentspec"))
	}
	samples, sourced := 0, 0
	for r := range logs.Open(roots, logs.Options{}).Records(t.Context()) {
		e := r.Episode
		if e == nil || samples > 4000 {
			continue
		}
		k := &gates.Checker{}
		path := segment.Segment(e, segment.Default)
		got := Extract(e, &path, "d", "t", k).Samples
		want := observed(e, k)
		if len(got) != len(want) {
			t.Fatalf("%s: %d samples, want %d", e.ID, len(got), len(want))
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%s: sample %d is %+v, want %+v", e.ID, i, got[i], want[i])
			}
			for _, a := range got[i].Context.Args {
				if a.Source != "" {
					sourced++
				}
			}
		}
		samples += len(got)
	}
	if samples < 100 || sourced < 50 {
		t.Errorf("%d samples, %d arguments with a source: too few to compare", samples, sourced)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func observed(e *corpora.Episode, k *gates.Checker) (out []Sample) {
	path := segment.Segment(e, segment.Default)
	var x origin.Index
	x.Task(e.Task)
	state := gates.State{UID: -1, GID: -1, Sources: &x}
	last := -1
	above := []string{}
	for i := range e.Steps {
		s := &e.Steps[i]
		if at := path.Of[i]; at >= 0 && !slices.Contains(above, path.Macros[at].Key) {
			above = append(above, path.Macros[at].Key)
		}
		x.Task(s.Heard)
		if s.Cwd != "" {
			state.Cwd = s.Cwd
			if len(state.Roots) == 0 {
				state.Roots = []string{s.Cwd}
			}
		}
		if s.Status == corpora.StatusBlocked {
			continue
		}
		m := segment.Macro{From: i}
		if at := path.Of[i]; at >= 0 {
			m = path.Macros[at]
			if at != last {
				state.History = nil
			}
			last = at
		}
		ctx := k.Context(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, state)
		if ctx.High() {
			one := Sample{Context: redact.Context(&ctx), Macro: m.Key, Above: slices.Clone(above), Step: i, From: m.From}
			one.ID = contexts.ID(one.Context.AppendCanonical(nil))
			out = append(out, one)
		}
		state.History = append(state.History, ctx.Records(int64(i))...)
		state.Flow = ctx.After()
		x.ObserveCall(ctx.ToolName(), []byte(s.Args), []byte(s.Result))
		x.ObserveCall(ctx.ToolName(), []byte(s.Args), []byte(s.Error))
	}
	return out
}
