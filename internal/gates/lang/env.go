package lang

import (
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// fields are those of package gates, which has the table; it is never changed.
var fields = gates.Fields()

// Limits on a text, before anything is known about it. MaxExpr is that of
// artifacts/FORMAT.md.
const (
	maxExpr  = 1 << 16 // code points
	maxLevel = 100     // parser recursion: deeper than any program may be
)

// newEnv builds cel-go's environment once: it takes longer than compiling a
// gate and never changes.
var newEnv = sync.OnceValues(func() (*cel.Env, error) {
	objects, err := celObjects(fields)
	if err != nil {
		return nil, err
	}
	return cel.NewEnv(
		cel.Types(objects...),
		cel.ClearMacros(), cel.Macros(cel.AllMacro, cel.ExistsMacro),
		cel.Variable("ctx", cel.ObjectType(objectName(program.Context))),
		stringFunction("under", program.IsUnder),
		stringFunction("domainUnder", program.IsDomainUnder),
		cel.ParserRecursionLimit(maxLevel), cel.ParserErrorRecoveryLimit(4), cel.ParserExpressionSizeLimit(maxExpr),
	)
})

// stringFunction declares a method of strings that takes a string.
func stringFunction(name string, f func(a, b string) bool) cel.EnvOption {
	return cel.Function(name, cel.MemberOverload("string_"+strings.ToLower(name)+"_string",
		[]*cel.Type{cel.StringType, cel.StringType}, cel.BoolType,
		cel.BinaryBinding(func(a, b ref.Val) ref.Val {
			s, ok1 := a.(types.String)
			t, ok2 := b.(types.String)
			if !ok1 || !ok2 {
				return types.MaybeNoSuchOverloadErr(a)
			}
			return types.Bool(f(string(s), string(t)))
		})))
}
