package lang

import (
	"strings"

	"cel.dev/cel-go/common/operators"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// methods are the methods of strings that take a string.
var methods = map[string]program.Op{
	"startsWith": program.HasPrefix, "endsWith": program.HasSuffix, "contains": program.Contains,
	"under": program.Under, "domainUnder": program.DomainUnder,
}

// comparison is how a comparison is made of equal, less, and less or equal.
type comparison struct {
	str, int  program.Op
	swap, not bool
}

var comparisons = map[string]comparison{
	operators.Equals:        {str: program.StrEq, int: program.IntEq},
	operators.NotEquals:     {str: program.StrEq, int: program.IntEq, not: true},
	operators.Less:          {str: program.StrLt, int: program.IntLt},
	operators.LessEquals:    {str: program.StrLe, int: program.IntLe},
	operators.Greater:       {str: program.StrLt, int: program.IntLt, swap: true},
	operators.GreaterEquals: {str: program.StrLe, int: program.IntLe, swap: true},
}

// display is an operator or function as it is written.
func display(name string) string {
	if sym, ok := operators.FindReverse(name); ok && sym != "" {
		return "operator " + sym
	}
	if name == operators.Conditional {
		return "operator ?:"
	}
	if name == operators.Index {
		return "indexing []"
	}
	return "function " + name
}

func hintFor(name string) string {
	switch name {
	case operators.Conditional:
		return "write a && b || !a && c instead of a ? b : c"
	case operators.Index:
		return "use exists or all over the list"
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo:
		return "compute the constant yourself"
	}
	return "it has == != < <= > >= && || ! in startsWith endsWith contains matches under domainUnder size exists all"
}

// hintForMessage explains cel-go's messages in terms of the subset.
func hintForMessage(msg string) string {
	switch {
	case strings.Contains(msg, "undeclared reference to 'has'"):
		return `every field is always present: compare with "" or 0`
	case strings.Contains(msg, "undeclared reference"):
		return "names are ctx, a variable of exists or all, and the functions startsWith endsWith contains matches under domainUnder size"
	case strings.Contains(msg, "undefined field"):
		return "gates/PROGRAM.md lists the fields"
	case strings.Contains(msg, "no matching overload"):
		return "both sides have one type: strings, ints or bools"
	}
	return ""
}
