package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// celPrograms are the gates as cel-go's own programs, checked and planned once.
func celPrograms(tb testing.TB, n int) []*lang.Judge {
	tb.Helper()
	var out []*lang.Judge
	for _, r := range rules(n) {
		j, err := lang.NewJudge(r.cel)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, j)
	}
	return out
}

func celInputs(cs []gates.Context) []lang.Input {
	out := make([]lang.Input, len(cs))
	for i := range cs {
		out[i] = lang.NewInput(&cs[i])
	}
	return out
}

func celStops(tb testing.TB, progs []*lang.Judge, in lang.Input) int {
	n := 0
	for _, p := range progs {
		passes, err := p.Passes(in)
		if err != nil {
			tb.Fatal(err)
		}
		if !passes {
			n++
		}
	}
	return n
}

// regoQuery prepares a module whose set deny holds the number of every rule that
// stops the call.
func regoQuery(tb testing.TB, n int) rego.PreparedEvalQuery {
	tb.Helper()
	var b strings.Builder
	b.WriteString("package gates\n")
	for i, r := range rules(n) {
		fmt.Fprintf(&b, "deny contains %d if { %s }\n", i, r.rego)
	}
	q, err := rego.New(rego.Query("data.gates.deny"), rego.Module("gates.rego", b.String())).PrepareForEval(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

// regoInputs are the canonical contexts as OPA's parsed values: the conversion
// is not part of what is measured.
func regoInputs(tb testing.TB, cs []gates.Context) []ast.Value {
	tb.Helper()
	out := make([]ast.Value, len(cs))
	for i := range cs {
		var v any
		if err := json.Unmarshal([]byte(strings.ToValidUTF8(string(cs[i].AppendCanonical(nil)), "?")), &v); err != nil {
			tb.Fatal(err)
		}
		var err error
		if out[i], err = ast.InterfaceToValue(v); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

func regoStops(tb testing.TB, q rego.PreparedEvalQuery, in ast.Value) int {
	rs, err := q.Eval(context.Background(), rego.EvalParsedInput(in))
	if err != nil || len(rs) != 1 {
		tb.Fatalf("%d results: %v", len(rs), err)
	}
	return len(rs[0].Expressions[0].Value.([]any))
}
