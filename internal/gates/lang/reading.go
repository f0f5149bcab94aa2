package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Reading says in words which calls a gate stops: the negation of its text, as
// the end of a sentence that begins "rejects a call if". Long alternatives and
// exceptions are counted instead of spelled out; Pretty shows them all. It is a
// function of the expression's syntax tree alone.
func Reading(text string) (string, error) {
	e, err := parse(text)
	if err != nil {
		return "", err
	}
	var r reader
	return r.condition(normal(e, true)), nil
}

// What is said in full: an alternative or an exception of at most so many
// comparisons. Chosen so that the flow gates learned from the shared AgentDojo
// runs say what they look for and count only the flows that they let pass.
const (
	saidInFull  = 5
	exceptsFull = 2
)

// reader words expressions. lists are those of the variables in scope.
type reader struct{ lists []program.Field }

// condition words an expression, in negation normal form.
func (r *reader) condition(e *expr) string {
	switch e.op {
	case program.True:
		return "it is any call at all"
	case program.False:
		return "never"
	case program.And:
		return enumerate(r.conjuncts(e.kids), "and")
	case program.Or:
		return r.alternatives(e)
	case program.Exists, program.All:
		return r.quantifier(e)
	case program.Not:
		return r.comparison(e.kids[0], true)
	}
	return r.comparison(e, false)
}

// conjuncts words what must all hold: comparisons first, exceptions last.
func (r *reader) conjuncts(kids []*expr) []string {
	var plain, nested, except []string
	var left []*expr
	for _, k := range kids {
		switch {
		case k.op == program.Or && onlyNegations(k):
			if leaves(k) <= exceptsFull {
				n := normalizer{lists: r.lists}
				except = append(except, "not ("+r.condition(n.norm(k, true))+")")
			} else {
				left = append(left, k)
			}
		case k.op == program.Or, k.op == program.Exists, k.op == program.All:
			nested = append(nested, r.condition(k))
		default:
			plain = append(plain, r.condition(k))
		}
	}
	if len(left) > 0 {
		except = append(except, "none of "+counted(len(left), "exception")+" applies"+ofTools(left))
	}
	return slices.Concat(plain, nested, except)
}

func (r *reader) alternatives(e *expr) string {
	if leaves(e) > saidInFull {
		return "one of " + counted(len(e.kids), "condition") + " holds"
	}
	var parts []string
	for _, k := range e.kids {
		part := r.condition(k)
		if k.op == program.And {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	return "either " + enumerate(parts, "or")
}

func (r *reader) quantifier(e *expr) string {
	noun := [program.NumObjects]string{program.Arg: "argument", program.Effect: "effect", program.Record: "earlier call of the macro", program.Text: "entry of " + fields.Info(e.field).Name}[fields.Info(e.field).Elem]
	inner := reader{append(slices.Clone(r.lists), e.field)}
	body := inner.condition(e.kids[0])
	if e.op == program.All {
		return "every " + noun + " is such that " + body
	}
	return "there is an " + noun + " such that " + body
}

// onlyNegations says whether an alternative is the negation of a conjunction.
func onlyNegations(e *expr) bool {
	switch e.op {
	case program.And, program.Or:
		return !slices.ContainsFunc(e.kids, func(k *expr) bool { return !onlyNegations(k) })
	}
	return e.op == program.Not
}

// leaves counts the comparisons of an expression.
func leaves(e *expr) int {
	switch e.op {
	case program.And, program.Or, program.Exists, program.All, program.Not:
		n := 0
		for _, k := range e.kids {
			n += leaves(k)
		}
		return n
	}
	return 1
}

// ofTools names the tools that exceptions are for, if they name any.
func ofTools(list []*expr) string {
	tools := map[string]bool{}
	var walk func(*expr)
	walk = func(e *expr) {
		if x, strs, _, ok := membership(e); ok && x.op == program.Get && isField(x.field, program.Context, "tool") {
			for _, s := range strs {
				tools[s] = true
			}
		}
		for _, k := range e.kids {
			walk(k)
		}
	}
	for _, e := range list {
		walk(e)
	}
	if len(tools) == 0 {
		return ""
	}
	names := make([]string, 0, len(tools))
	for t := range tools {
		names = append(names, t)
	}
	slices.Sort(names)
	return " (to " + enumerate(shorten(names), "and") + ")"
}

// maxNamed is how many values a sentence names.
const maxNamed = 6

func shorten(names []string) []string {
	if len(names) <= maxNamed {
		return names
	}
	return append(slices.Clone(names[:maxNamed-1]), fmt.Sprintf("%d more", len(names)-maxNamed+1))
}

// phrases are the comparisons that people meet most, and their negations. Other
// fields go by their names.
var phrases = []struct {
	of           program.Object
	name         string
	op           program.Op
	value        string
	holds, fails string
}{
	{program.Context, "high", program.Get, "", "it is high-risk", "it is not high-risk"},
	{program.Context, "flow.sensitive_read", program.Get, "", "something secret was read before", "nothing secret was read before"},
	{program.Effect, "sensitive", program.Get, "", "it touches something secret", "it touches nothing secret"},
	{program.Effect, "protected", program.Get, "", "it touches something protected", "it touches nothing protected"},
	{program.Effect, "deferred", program.Get, "", "it happens later", "it happens at once"},
	{program.Effect, "glob", program.Get, "", "its resource is a pattern", "its resource is no pattern"},
	{program.Arg, "origin", program.StrEq, "untrusted", "its value comes out of a tool's result", "its value comes out of no tool's result"},
	{program.Arg, "origin", program.StrEq, "task", "the task names its value", "the task does not name its value"},
	{program.Arg, "form", program.Contains, "~", "it stood in free text there", "it stood in no free text there"},
}

// comparison words a comparison, or its negation.
func (r *reader) comparison(e *expr, negate bool) string {
	for _, p := range phrases {
		x, value := e, ""
		if p.op != program.Get && len(e.kids) > 0 {
			x = e.kids[0]
			if len(e.kids) > 1 {
				value = e.kids[1].str
			}
		}
		if e.op == p.op && x.op == program.Get && isField(x.field, p.of, p.name) && value == p.value {
			if negate {
				return p.fails
			}
			return p.holds
		}
	}
	return r.spelled(e, negate)
}

// spelled words a comparison by its parts.
func (r *reader) spelled(e *expr, negate bool) string {
	is := "is "
	if negate {
		is = "is not "
	}
	if x, strs, ints, ok := membership(e); ok {
		values := slices.Clone(strs)
		for _, n := range ints {
			values = append(values, strconv.FormatInt(n, 10))
		}
		if negate && len(values) > 1 {
			return r.subject(x) + " is none of " + enumerate(shorten(quoteOdd(values)), "and")
		}
		return r.subject(x) + " " + is + enumerate(shorten(quoteOdd(values)), "or")
	}
	if verb, ok := verbs[e.op]; ok && len(e.kids) == 2 {
		word, a, b := verb[0], e.kids[0], e.kids[1]
		if negate {
			word = verb[1]
		}
		if flipped, ok := mirrored[word]; ok && a.isConst() && !b.isConst() {
			word, a, b = flipped, b, a
		}
		return r.subject(a) + " " + word + " " + r.subject(b)
	}
	if e.op == program.Matches {
		word := map[bool]string{false: "matches", true: "does not match"}[negate]
		return r.subject(e.kids[0]) + " " + word + " " + quote(e.str)
	}
	if e.op == program.InList && isField(e.field, program.Context, "content") {
		word := map[bool]string{false: "is", true: "is not"}[negate]
		return "what it writes, runs or sends " + word + " classed as " + r.subject(e.kids[0])
	}
	if e.op == program.InList {
		word := map[bool]string{false: "hold", true: "do not hold"}[negate]
		return "its " + fieldWord(e.field) + " " + word + " " + r.subject(e.kids[0])
	}
	text := printIn(r.lists, e)
	if negate {
		return "not " + text
	}
	return text
}

// verbs word the relations between two texts or numbers, and their negations.
var verbs = map[program.Op][2]string{
	program.StrEq: {"is", "is not"}, program.IntEq: {"is", "is not"}, program.HasPrefix: {"begins with", "does not begin with"},
	program.HasSuffix: {"ends with", "does not end with"}, program.Contains: {"contains", "does not contain"},
	program.Under: {"lies in or is", "is not and does not lie in"}, program.DomainUnder: {"is of", "is not of"},
	program.IntLt: {"is less than", "is at least"}, program.IntLe: {"is at most", "is more than"},
	program.StrLt: {"sorts before", "does not sort before"}, program.StrLe: {"sorts at or before", "sorts after"},
}

// mirrored is what a relation is called from the other side.
var mirrored = map[string]string{
	"is less than": "is more than", "is at least": "is at most", "is at most": "is at least", "is more than": "is less than",
}

func (r *reader) subject(e *expr) string {
	switch {
	case e.op == program.Num:
		return strconv.FormatInt(e.num, 10)
	case e.op == program.SizeList:
		return "the number of " + fields.Info(e.field).Name
	case e.op == program.SizeStr:
		return "the length of " + r.subject(e.kids[0])
	case e.op == program.Const:
		return quoteOdd([]string{e.str})[0]
	case e.op == program.Get && e.field == program.TextSelf:
		return "it"
	case e.op == program.Get && e.slot == 0 && len(r.lists) > 0:
		return "the call's " + fieldWord(e.field)
	case e.op == program.Get:
		return "its " + fieldWord(e.field)
	}
	return printIn(r.lists, e)
}

// argWords are what the fields of an argument are called, where that is not
// their name.
var argWords = map[string]string{"path": "name", "form": "place in the source"}

func fieldWord(f program.Field) string {
	info := fields.Info(f)
	if word := argWords[info.Name]; word != "" && info.Of == program.Arg {
		return word
	}
	return info.Name
}

// isField says whether a field is the one of that name.
func isField(f program.Field, of program.Object, name string) bool {
	info := fields.Info(f)
	return info.Of == of && info.Name == name
}

// quoteOdd quotes what would not read as one word.
func quoteOdd(values []string) []string {
	out := make([]string, len(values))
	for i, s := range values {
		if out[i] = s; s == "" || strings.ContainsFunc(s, func(r rune) bool { return !plainRune(r) }) {
			out[i] = quote(s)
		}
	}
	return out
}

func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-/.", r)
}

func enumerate(parts []string, last string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	sep, before := ", ", " "
	if slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, ", ") }) {
		sep, before = "; ", "; "
	}
	return strings.Join(parts[:len(parts)-1], sep) + before + last + " " + parts[len(parts)-1]
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
