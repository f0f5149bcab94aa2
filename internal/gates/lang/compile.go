package lang

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/cel"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Compile checks the text of a gate and returns its canonical form and its
// program. Texts that differ only in form (spacing, quoting, parentheses, names
// of variables, order of operands and of list elements, double negation) have
// the same canonical text. Every error is an *Error.
func Compile(text string) (canonical string, prog []byte, err error) {
	e, err := parse(text)
	if err != nil {
		return "", nil, err
	}
	prog, err = program.Encode(e.nodes(nil), fields)
	if err != nil {
		return "", nil, &Error{1, 1, err.Error(), "split the gate into several"}
	}
	canonical = print(e)
	if len(canonical) > maxExpr {
		return "", nil, &Error{1, 1, fmt.Sprintf("canonical text of %d bytes, at most %d", len(canonical), maxExpr), "split the gate into several"}
	}
	return canonical, prog, nil
}

// parse returns the normal form of a text.
func parse(text string) (*expr, error) {
	e, _, err := check(text)
	if err != nil {
		return nil, err
	}
	return normal(e, false), nil
}

// check parses and type-checks a text and returns it as written, in our form
// and in cel-go's.
func check(text string) (e *expr, checked *cel.Ast, err error) {
	if len(text) > maxExpr || !utf8.ValidString(text) {
		return nil, nil, &Error{1, 1, fmt.Sprintf("not UTF-8, or more than %d bytes", maxExpr), "split the gate into several"}
	}
	env, err := newEnv()
	if err != nil {
		return nil, nil, fmt.Errorf("gbt: internal error: %w", err)
	}
	checked, issues := env.Compile(text)
	if err := issues.Err(); err != nil {
		return nil, nil, firstIssue(issues)
	}
	if t := checked.OutputType(); !t.IsExactType(cel.BoolType) {
		return nil, nil, &Error{1, 1, "a gate is true or false, this is a " + t.String(), "write what must hold for a call to pass"}
	}
	defer func() {
		if r, ok := recover().(*refusal); ok {
			loc := checked.NativeRep().SourceInfo().GetStartLocation(r.id)
			e, checked, err = nil, nil, &Error{max(loc.Line(), 1), loc.Column() + 1, r.msg, r.hint}
		}
	}()
	var b builder
	return b.expr(checked.NativeRep().Expr()), checked, nil
}

// firstIssue is cel-go's first complaint by position.
func firstIssue(issues *cel.Issues) error {
	list := issues.Errors()
	best := list[0]
	for _, e := range list[1:] {
		if e.Location.Line() < best.Location.Line() || e.Location.Line() == best.Location.Line() && e.Location.Column() < best.Location.Column() {
			best = e
		}
	}
	msg := strings.Join(strings.Fields(best.Message), " ")
	return &Error{max(best.Location.Line(), 1), max(best.Location.Column(), 0) + 1, msg, hintForMessage(msg)}
}

// Constants returns the strings that a gate compares with, sorted, each once.
func Constants(text string) ([]string, error) {
	e, err := parse(text)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range e.nodes(nil) {
		if out = append(out, n.Set...); n.Str != "" {
			out = append(out, n.Str)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
