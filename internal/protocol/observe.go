package protocol

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/traverse"
)

type observeRequest struct {
	Call   *callRequest   `json:"call"`
	Result *resultRequest `json:"result"`
}

type resultRequest struct {
	Blocked bool           `json:"blocked"`
	Output  string         `json:"output"`
	Error   string         `json:"error"`
	Deltas  []deltaRequest `json:"deltas"`
	Pids    []int          `json:"pids"`
	Used    usageRequest   `json:"used"`
}

type deltaRequest struct {
	Kind     string `json:"kind"`
	Resource string `json:"resource"`
}

func (r *resultRequest) result(elapsed int64) (traverse.Result, *Fault) {
	if r == nil {
		return traverse.Result{}, Invalid("field result: missing")
	}
	out := traverse.Result{Blocked: r.Blocked, Output: []byte(r.Output), Error: r.Error, Pids: r.Pids}
	if r.Deltas != nil {
		out.Deltas = []traverse.Delta{}
	}
	for _, d := range r.Deltas {
		kind, ok := deltaKind(d.Kind)
		if !ok {
			return out, Invalid("field result.deltas: kind %q is none of %s", d.Kind, strings.Join(deltaKinds(), ", "))
		}
		out.Deltas = append(out.Deltas, traverse.Delta{Kind: kind, Resource: d.Resource})
	}
	for _, p := range r.Pids {
		if p < 0 {
			return out, Invalid("field result.pids: less than zero")
		}
	}
	var f *Fault
	out.Used, f = r.Used.usage(elapsed)
	return out, f
}

// deltaKinds are the names of the kinds of changes, in order of their values.
func deltaKinds() []string {
	var out []string
	for d := effect.DeltaUnknown; d <= effect.DeltaNavigate; d++ {
		out = append(out, d.String())
	}
	return out
}

func deltaKind(name string) (effect.Delta, bool) {
	i := slices.Index(deltaKinds(), name)
	return effect.Delta(max(i, 0)), i >= 0
}

// Observed is the answer to observe and report.
type Observed struct {
	Status traverse.Status `json:"status"`
}

// observe takes in what came of a call.
func (t *turn) observe(body []byte) (any, *Fault) {
	var in observeRequest
	if f := Decode(body, &in); f != nil {
		return nil, f
	}
	call, f := in.Call.call(t.elapsed)
	if f != nil {
		return nil, f
	}
	result, f := in.Result.result(t.elapsed)
	if f != nil {
		return nil, f
	}
	t.session.Observe(call, result)
	t.note(Note{Observed: &ObservedNote{call.Tool, json.RawMessage(call.Args), result.Blocked, string(result.Output), result.Error}})
	ran := !result.Blocked
	return &Observed{t.session.Status()}, t.e.record.add(traceEntry{Op: "observe", Tool: traverse.Name(call.Tool), OK: &ran})
}
