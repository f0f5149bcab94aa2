package lang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// fold evaluates a comparison of constants.
func fold(e *expr) (value, ok bool) {
	if len(e.kids) == 0 || e.op == program.InList {
		return false, false
	}
	for _, k := range e.kids {
		if !k.isConst() {
			return alwaysTrue(e), alwaysTrue(e)
		}
	}
	return holds(e, e.kids[0], e.kids[len(e.kids)-1]), true
}

// alwaysTrue says whether every string has the constant part that is asked for.
func alwaysTrue(e *expr) bool {
	switch e.op {
	case program.HasPrefix, program.HasSuffix, program.Contains:
		return e.kids[1].op == program.Const && e.kids[1].str == ""
	}
	return false
}

// holds evaluates an operation on constants.
func holds(e, a, b *expr) bool {
	switch e.op {
	case program.StrEq:
		return a.str == b.str
	case program.StrLt:
		return a.str < b.str
	case program.StrLe:
		return a.str <= b.str
	case program.IntEq:
		return a.num == b.num
	case program.IntLt:
		return a.num < b.num
	case program.IntLe:
		return a.num <= b.num
	case program.InSet:
		return slices.Contains(e.set, a.str)
	case program.InInts:
		return slices.Contains(e.ints, a.num)
	case program.HasPrefix:
		return strings.HasPrefix(a.str, b.str)
	case program.HasSuffix:
		return strings.HasSuffix(a.str, b.str)
	case program.Contains:
		return strings.Contains(a.str, b.str)
	case program.Under:
		return program.IsUnder(a.str, b.str)
	case program.DomainUnder:
		return program.IsDomainUnder(a.str, b.str)
	case program.Matches:
		return regexp.MustCompile(e.str).MatchString(a.str)
	}
	panic("gbt: internal error: comparison that nobody evaluates")
}
