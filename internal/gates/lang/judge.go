package lang

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/gbt-policy/gbt/gates"
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

// NewInput reads every field of a context, as the table of package gates says.
// What the rows of the table read is pinned by the golden files of that package;
// cel-go is the second opinion on everything behind them.
func NewInput(c *gates.Context) Input {
	return Input{map[string]any{"ctx": gates.Values(c)}}
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
