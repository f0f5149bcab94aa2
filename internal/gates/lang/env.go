package lang

import (
	"reflect"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"

	"github.com/gbt-policy/gbt/gates"
)

// The types that expressions see, for cel-go. A field that is not here is a
// compile error. The judge fills them.
type (
	celContext struct {
		Tool     string      `cel:"tool"`
		Family   string      `cel:"family"`
		Verb     string      `cel:"verb"`
		Resource string      `cel:"resource"`
		High     bool        `cel:"high"`
		Tier     string      `cel:"tier"`
		Cwd      string      `cel:"cwd"`
		Roots    []string    `cel:"roots"`
		UID      int64       `cel:"uid"`
		GID      int64       `cel:"gid"`
		Types    []string    `cel:"types"`
		Args     []celArg    `cel:"args"`
		Effects  []celEffect `cel:"effects"`
		History  []celRecord `cel:"history"`
		Flow     celFlow     `cel:"flow"`
	}
	celArg struct {
		Path   string `cel:"path"`
		Value  string `cel:"value"`
		Origin string `cel:"origin"`
		Source string `cel:"source"`
		Form   string `cel:"form"`
		Role   string `cel:"role"`
		Size   int64  `cel:"size"`
	}
	celEffect struct {
		Type      string     `cel:"type"`
		Op        string     `cel:"op"`
		Zone      string     `cel:"zone"`
		Resource  string     `cel:"resource"`
		Program   string     `cel:"program"`
		Argv      string     `cel:"argv"`
		Parent    string     `cel:"parent"`
		Scheme    string     `cel:"scheme"`
		Domain    string     `cel:"domain"`
		IP        string     `cel:"ip"`
		Port      int64      `cel:"port"`
		Sensitive bool       `cel:"sensitive"`
		Protected bool       `cel:"protected"`
		Glob      bool       `cel:"glob"`
		Deferred  bool       `cel:"deferred"`
		Payload   celPayload `cel:"payload"`
	}
	celPayload struct {
		Known bool   `cel:"known"`
		Len   int64  `cel:"len"`
		MIME  string `cel:"mime"`
		Hash  string `cel:"hash"`
	}
	celRecord struct {
		Type     string `cel:"type"`
		Op       string `cel:"op"`
		Resource string `cel:"resource"`
		Time     int64  `cel:"time"`
	}
	celFlow struct {
		SensitiveRead bool     `cel:"sensitive_read"`
		Derived       []string `cel:"derived"`
		Unvetted      []string `cel:"unvetted"`
	}
)

// Limits on a text, before anything is known about it. MaxExpr is that of
// artifacts/FORMAT.md.
const (
	maxExpr  = 1 << 16 // code points
	maxLevel = 100     // parser recursion: deeper than any program may be
)

// newEnv builds cel-go's environment once: it takes longer than compiling a
// gate and never changes.
var newEnv = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		ext.NativeTypes(reflect.TypeFor[celContext](), ext.ParseStructTags(true)),
		cel.ClearMacros(), cel.Macros(cel.AllMacro, cel.ExistsMacro),
		cel.Variable("ctx", cel.ObjectType("lang.celContext")),
		stringFunction("under", gates.PathUnder),
		stringFunction("domainUnder", gates.DomainUnder),
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
