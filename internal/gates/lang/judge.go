package lang

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Judge evaluates one expression with cel-go: the second, slower and obvious
// opinion on what package gates evaluates. It is safe for concurrent use.
type Judge struct{ program cel.Program }

// NewJudge prepares an expression. It accepts what Compile accepts, and
// evaluates the text as it was written.
func NewJudge(expr string) (*Judge, error) {
	_, checked, err := check(expr)
	if err != nil {
		return nil, err
	}
	env, err := newEnv()
	if err != nil {
		return nil, err
	}
	p, err := env.Program(checked)
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return &Judge{p}, nil
}

// Input is a context as cel-go sees it, made once for many judges.
type Input struct{ vars map[string]any }

// NewInput converts a context. It reads the context by itself and shares no code
// with the evaluator.
func NewInput(c *gates.Context) Input {
	in := &celContext{
		Tool: c.ToolName(), Family: c.Class.Family.String(), Verb: c.Class.Verb.String(), Resource: c.Class.Resource.String(),
		High: c.High(), Tier: c.Tier().String(), Cwd: c.Cwd, Roots: c.Roots, UID: int64(c.UID), GID: int64(c.GID),
		Flow: celFlow{SensitiveRead: c.Flow.SensitiveRead, Derived: c.Flow.Derived, Unvetted: c.Flow.Unvetted},
	}
	for i := range c.Args {
		a := &c.Args[i]
		in.Args = append(in.Args, celArg{a.Path, a.Value, a.Origin.String(), a.Source, a.Form, a.Role, int64(len(a.Value))})
	}
	for i := range c.Effects {
		in.Effects = append(in.Effects, effectInput(&c.Effects[i]))
		in.Types = append(in.Types, c.Effects[i].Kind.String())
	}
	slices.Sort(in.Types)
	in.Types = slices.Compact(in.Types)
	for _, r := range c.History {
		in.History = append(in.History, celRecord{r.Kind.String(), r.Op.String(), r.Resource, r.Time})
	}
	return Input{map[string]any{"ctx": in}}
}

func effectInput(e *effect.Effect) celEffect {
	return celEffect{
		Type: e.Kind.String(), Op: e.Op.String(), Zone: e.Zone.String(), Resource: e.Resource, Program: e.Program, Argv: e.Argv, Parent: e.Parent,
		Scheme: e.Net.Scheme, Domain: e.Net.Domain, IP: e.Net.IP, Port: int64(e.Net.Port),
		Sensitive: e.Sensitive, Protected: e.Protected, Glob: e.Glob, Deferred: e.Deferred,
		Payload: celPayload{e.Payload.Known, int64(e.Payload.Len), e.Payload.MIME, e.Payload.Hash},
	}
}

// Passes says whether the expression lets the context pass. An error does not.
func (j *Judge) Passes(in Input) (bool, error) {
	v, _, err := j.program.Eval(in.vars)
	if err != nil {
		return false, err
	}
	b, ok := v.(types.Bool)
	return ok && bool(b), nil
}
