package lang

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// builder turns cel-go's checked tree into ours and refuses what is outside the
// subset.
type builder struct {
	scope []scoped // innermost last
}

type scoped struct {
	name string
	list program.Field
}

// refusal ends a build; Compile turns it into an Error with the place.
type refusal struct {
	id        int64
	msg, hint string
}

func (b *builder) refuse(e ast.Expr, msg, hint string) { panic(&refusal{e.ID(), msg, hint}) }

// listHint names the lists: those of objects, of few values, and of
// other texts.
var listHint = func() string {
	var kinds [3][]string
	for _, info := range fields {
		switch {
		case info.Of != program.Context || info.Type < program.Strings:
		case info.Type == program.Objects:
			kinds[0] = append(kinds[0], "ctx."+info.Name)
		case info.Few:
			kinds[1] = append(kinds[1], "ctx."+info.Name)
		default:
			kinds[2] = append(kinds[2], "ctx."+info.Name)
		}
	}
	names := slices.Concat(kinds[0], kinds[1], kinds[2])
	last := len(names) - 1
	return "exists and all go over " + strings.Join(names[:last], ", ") + " or " + names[last]
}()

func (b *builder) expr(e ast.Expr) *expr {
	switch e.Kind() {
	case ast.LiteralKind:
		return b.literal(e)
	case ast.IdentKind, ast.SelectKind:
		return b.field(e)
	case ast.ComprehensionKind:
		return b.quantifier(e)
	case ast.CallKind:
		return b.call(e)
	case ast.ListKind:
		b.refuse(e, "a list stands only on the right of in", `write ctx.tool in ["a", "b"]`)
	}
	b.refuse(e, "this kind of expression is not in the gate language", "compare fields of ctx with constants")
	return nil
}

func (b *builder) literal(e ast.Expr) *expr {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		return constant(bool(v))
	case types.String:
		if len(v) > program.MaxText {
			b.refuse(e, "this text is too long for a gate", "at most 4096 bytes")
		}
		return text(string(v))
	case types.Int:
		return number(int64(v))
	}
	b.refuse(e, "constants are bool, int or string", "write 5 rather than 5u or 5.0")
	return nil
}

// field reads ctx.a.b, or a field of a quantifier's variable.
func (b *builder) field(e ast.Expr) *expr {
	var names []string
	x := e
	for x.Kind() == ast.SelectKind {
		s := x.AsSelect()
		if s.IsTestOnly() {
			b.refuse(e, "every field is always present", `compare with "" or 0 instead of has()`)
		}
		names = append([]string{s.FieldName()}, names...)
		x = s.Operand()
	}
	if x.Kind() != ast.IdentKind {
		b.refuse(x, "a field is read from ctx or from the variable of exists or all", "write ctx.effects.exists(e, e.resource == \"...\")")
	}
	slot, list, ok := b.lookup(x.AsIdent())
	if !ok {
		b.refuse(x, "unknown name "+x.AsIdent(), "start with ctx or a variable of exists or all")
	}
	f, ok := fields.Lookup(fields.Info(list).Elem, strings.Join(names, "."))
	if !ok {
		b.refuse(e, "this is an object, not a value", "name one of its fields")
	}
	return &expr{op: program.Get, field: f, slot: slot}
}

// lookup finds the variable of a name. The list of ctx is no field, whose
// element is a context.
func (b *builder) lookup(name string) (slot uint8, list program.Field, ok bool) {
	for i := len(b.scope) - 1; i >= 0; i-- {
		if b.scope[i].name == name {
			return uint8(i + 1), b.scope[i].list, true
		}
	}
	return 0, program.NoField, name == "ctx"
}

// quantifier reads exists and all, which cel-go's parser has expanded into folds
// that begin with false or true.
func (b *builder) quantifier(e ast.Expr) *expr {
	c := e.AsComprehension()
	start, isBool := c.AccuInit().AsLiteral().(types.Bool)
	step := c.LoopStep()
	if !isBool || c.HasIterVar2() || step.Kind() != ast.CallKind || len(step.AsCall().Args()) != 2 {
		b.refuse(e, "only exists and all go over lists", listHint)
	}
	op := program.All
	if !bool(start) {
		op = program.Exists
	}
	list := b.list(c.IterRange())
	if len(b.scope) == program.MaxVars {
		b.refuse(e, "at most two of exists and all inside each other", "split the gate")
	}
	b.scope = append(b.scope, scoped{c.IterVar(), list.field})
	body := b.expr(step.AsCall().Args()[1])
	b.scope = b.scope[:len(b.scope)-1]
	return &expr{op: op, field: list.field, slot: list.slot, kids: []*expr{body}}
}

// list reads a field that is a list.
func (b *builder) list(e ast.Expr) *expr {
	if e.Kind() != ast.SelectKind {
		b.refuse(e, "this is not a list of the context", listHint)
	}
	l := b.field(e)
	if t := fields.Info(l.field).Type; t != program.Strings && t != program.Objects {
		b.refuse(e, "this field is not a list", listHint)
	}
	return l
}

func (b *builder) call(e ast.Expr) *expr {
	c := e.AsCall()
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	name := c.FunctionName()
	switch name {
	case operators.LogicalAnd, operators.LogicalOr:
		return b.connective(name, args)
	case operators.LogicalNot:
		return not(b.expr(args[0]))
	case operators.In, operators.OldIn:
		return b.in(args[0], args[1])
	case "size":
		return b.size(args[0])
	case "matches":
		return b.matches(args[0], args[1])
	case operators.Negate:
		b.refuse(e, "only a constant can be negative", "write -5")
	}
	if op, ok := methods[name]; ok {
		return b.method(op, args)
	}
	if _, ok := comparisons[name]; ok {
		return b.compare(e, name, args)
	}
	b.refuse(e, "the gate language has no "+display(name), hintFor(name))
	return nil
}

func (b *builder) connective(name string, args []ast.Expr) *expr {
	e := &expr{op: program.And}
	if name == operators.LogicalOr {
		e.op = program.Or
	}
	for _, a := range args {
		e.kids = append(e.kids, b.expr(a))
	}
	return e
}

func (b *builder) size(arg ast.Expr) *expr {
	if e := b.tryList(arg); e != nil {
		return &expr{op: program.SizeList, field: e.field, slot: e.slot}
	}
	s := b.expr(arg)
	if s.typ() != program.String {
		b.refuse(arg, "size takes a string or a list of the context", "write size(ctx.args) or size(a.value)")
	}
	if s.op == program.Const {
		return number(int64(utf8.RuneCountInString(s.str)))
	}
	return &expr{op: program.SizeStr, kids: []*expr{s}}
}

// tryList returns the list a select names, or nil.
func (b *builder) tryList(e ast.Expr) *expr {
	if e.Kind() != ast.SelectKind {
		return nil
	}
	l := b.field(e)
	if t := fields.Info(l.field).Type; t != program.Strings && t != program.Objects {
		return nil
	}
	return l
}
