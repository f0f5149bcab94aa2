package learn

import (
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

type base struct {
	ctx   gates.Context
	macro string
}

// mutator makes contexts out of recorded ones by typed mutations: a field gets
// another value of its type, one that a recorded context has there, one that a
// gate of either policy names, or one beside these. The latter are where two
// libraries differ. Every field of the gate language is mutated.
type mutator struct {
	pool     *pool
	bases    []base
	seen     map[field]map[string]bool
	values   map[field][]string
	literals map[field][]string // what the gates compare a field with
	exprs    [][]namedText      // the same by gate
}

// field is a text field of a context.
type field uint8

const (
	fieldTool field = iota
	fieldCwd
	fieldArgPath
	fieldArgValue
	fieldSource
	fieldForm
	fieldRole
	fieldResource
	fieldProgram
	fieldDomain
	fieldScheme
	fieldArgv
	fieldParent
	fieldIP
	fieldMIME
	fieldHash
	numFields
)

// fieldNames are the fields as the gate language calls them.
var fieldNames = map[string]field{
	"tool": fieldTool, "cwd": fieldCwd, "path": fieldArgPath, "value": fieldArgValue, "source": fieldSource, "form": fieldForm, "role": fieldRole,
	"resource": fieldResource, "program": fieldProgram, "domain": fieldDomain, "scheme": fieldScheme,
	"argv": fieldArgv, "parent": fieldParent, "ip": fieldIP, "mime": fieldMIME, "hash": fieldHash,
}

// named finds the texts that an expression compares its fields with.
func named(expr string) []namedText {
	var out []namedText
	for _, m := range regexp.MustCompile(`\b\w+\.(\w+)(?: [!=]= | in \[|\.\w+\()("(?:[^"\\]|\\.)*"(?:, "(?:[^"\\]|\\.)*")*)`).FindAllStringSubmatch(expr, -1) {
		f, ok := fieldNames[m[1]]
		if !ok {
			continue
		}
		for _, q := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).FindAllString(m[2], -1) {
			if text, err := strconv.Unquote(q); err == nil {
				out = append(out, namedText{f, text})
			}
		}
	}
	return out
}

type namedText struct {
	field field
	text  string
}

func newMutator(sides ...Side) *mutator {
	m := &mutator{pool: newPool(sides), seen: map[field]map[string]bool{}, values: map[field][]string{}, literals: map[field][]string{}}
	seen := map[namedText]bool{}
	for _, s := range sides {
		for i := range s.Gates {
			texts := named(s.Gates[i].Expr)
			m.exprs = append(m.exprs, texts)
			for _, t := range texts {
				if !seen[t] {
					seen[t] = true
					m.literals[t.field] = append(m.literals[t.field], t.text)
				}
			}
		}
	}
	return m
}

func (m *mutator) note(f field, s string) {
	if m.seen[f] == nil {
		m.seen[f] = map[string]bool{}
	}
	m.seen[f][s] = true
}

// learn notes the values of a recorded context.
func (m *mutator) learn(c *gates.Context) {
	m.note(fieldTool, c.ToolName())
	m.note(fieldCwd, c.Cwd)
	for i := range c.Args {
		a := &c.Args[i]
		for f, s := range map[field]string{fieldArgPath: a.Path, fieldArgValue: a.Value, fieldSource: a.Source, fieldForm: a.Form, fieldRole: a.Role} {
			m.note(f, s)
		}
	}
	for i := range c.Effects {
		for f, s := range effectTexts(&c.Effects[i]) {
			if s == nil {
				continue
			}
			m.note(field(f), *s)
		}
	}
}

// effectTexts are the text fields of an effect, by field.
func effectTexts(e *gates.Effect) [numFields]*string {
	return [numFields]*string{
		fieldResource: &e.Resource, fieldProgram: &e.Program, fieldDomain: &e.Net.Domain, fieldScheme: &e.Net.Scheme, fieldArgv: &e.Argv,
		fieldParent: &e.Parent, fieldIP: &e.Net.IP, fieldMIME: &e.Payload.MIME, fieldHash: &e.Payload.Hash,
	}
}

func (m *mutator) finish() {
	for f := range numFields {
		m.values[f] = slices.Sorted(maps.Keys(m.seen[f]))
		slices.Sort(m.literals[f])
	}
}

// text draws a value for a field: one that was seen there, or that a gate names.
func (m *mutator) text(f field, rng *rand.Rand) string {
	v := m.values[f]
	if rng.IntN(6) == 0 {
		return m.pool.word(rng)
	}
	if lits := m.literals[f]; len(v) == 0 || len(lits) > 0 && rng.IntN(2) == 0 {
		v = lits
	}
	if len(v) == 0 {
		return ""
	}
	return v[rng.IntN(len(v))]
}

// toGate moves a context towards what one gate speaks of: fields of one argument
// and one effect get values that it names. Two gates that differ in one
// condition differ on contexts that fit all others.
func (m *mutator) toGate(c *gates.Context, rng *rand.Rand) {
	if len(m.exprs) == 0 {
		return
	}
	arg, eff := -1, -1
	if len(c.Args) > 0 {
		arg = rng.IntN(len(c.Args))
	}
	if len(c.Effects) > 0 {
		eff = rng.IntN(len(c.Effects))
	}
	for _, t := range m.exprs[rng.IntN(len(m.exprs))] {
		if rng.IntN(2) == 0 {
			m.set(c, arg, eff, t)
		}
	}
}

func (m *mutator) set(c *gates.Context, arg, eff int, t namedText) {
	switch {
	case t.field == fieldTool:
		c.Tool = t.text
	case t.field == fieldCwd:
		c.Cwd = t.text
	case t.field <= fieldRole && arg >= 0:
		a := &c.Args[arg]
		*[...]*string{fieldArgPath: &a.Path, fieldArgValue: &a.Value, fieldSource: &a.Source, fieldForm: &a.Form, fieldRole: &a.Role}[t.field] = t.text
	case t.field > fieldRole && eff >= 0:
		*effectTexts(&c.Effects[eff])[t.field] = t.text
	}
}

// mutate changes a copy of c in one to three places.
func (m *mutator) mutate(c *gates.Context, rng *rand.Rand) gates.Context {
	out := *c
	out.Args, out.Effects, out.History = slices.Clone(c.Args), slices.Clone(c.Effects), slices.Clone(c.History)
	if rng.IntN(3) == 0 {
		m.toGate(&out, rng)
	}
	for range 1 + rng.IntN(3) {
		switch rng.IntN(11) {
		case 0, 1, 2:
			m.arg(&out, rng)
		case 3, 4, 5:
			m.effect(&out, rng)
		case 6:
			m.past(&out, rng)
		case 7:
			m.sizes(&out, rng)
		case 8, 9:
			m.place(&out, rng)
		default:
			m.call(&out, rng)
		}
	}
	return out
}

func (m *mutator) arg(c *gates.Context, rng *rand.Rand) {
	if len(c.Args) == 0 || rng.IntN(12) == 0 {
		c.Args = append(c.Args, gates.Arg{Path: m.text(fieldArgPath, rng), Value: m.text(fieldArgValue, rng), Role: m.text(fieldRole, rng)})
		return
	}
	a := &c.Args[rng.IntN(len(c.Args))]
	switch rng.IntN(9) {
	case 7, 8:
		a.Value = m.pool.word(rng)
	case 0:
		a.Path = m.text(fieldArgPath, rng)
	case 1:
		a.Value = m.text(fieldArgValue, rng)
	case 2:
		a.Source = m.text(fieldSource, rng)
	case 3:
		a.Form = m.text(fieldForm, rng)
	case 4:
		a.Role = m.text(fieldRole, rng)
	case 5:
		a.Path += ".0"
	default:
		a.Origin = call.Origin(rng.IntN(3))
	}
}

func (m *mutator) effect(c *gates.Context, rng *rand.Rand) {
	if len(c.Effects) == 0 {
		return
	}
	if rng.IntN(10) == 0 {
		c.Effects = append(c.Effects, c.Effects[rng.IntN(len(c.Effects))])
	}
	e := &c.Effects[rng.IntN(len(c.Effects))]
	switch rng.IntN(14) {
	case 10, 11, 12:
		m.network(e, rng)
	case 0:
		e.Resource = m.text(fieldResource, rng)
	case 1:
		e.Resource += "/x" + strconv.Itoa(rng.IntN(1000))
	case 2:
		e.Program = m.text(fieldProgram, rng)
	case 3:
		e.Net.Domain = m.text(fieldDomain, rng)
	case 4:
		e.Net.Domain = "x" + strconv.Itoa(rng.IntN(1000)) + "." + e.Net.Domain
	case 5:
		e.Net.Scheme = m.text(fieldScheme, rng)
	case 6:
		e.Kind = effect.Kind(rng.IntN(int(effect.NumKinds)))
	case 7:
		e.Op = effect.Op(rng.IntN(int(effect.NumOps)))
	case 8:
		e.Zone = effect.Zone(rng.IntN(int(effect.NumZones)))
	case 9:
		e.Sensitive, e.Protected, e.Glob, e.Deferred = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
	default:
		flag := [...]*bool{&e.Sensitive, &e.Protected, &e.Glob, &e.Deferred}[rng.IntN(4)]
		*flag = !*flag
	}
}

func (m *mutator) past(c *gates.Context, rng *rand.Rand) {
	switch {
	case rng.IntN(3) == 0:
		c.Flow.SensitiveRead = !c.Flow.SensitiveRead
	case len(c.History) > 0 && rng.IntN(2) == 0:
		c.History[rng.IntN(len(c.History))] = m.record(rng)
	case len(c.History) < gates.HistoryLimit:
		c.History = append(c.History, m.record(rng))
	}
}

func (m *mutator) call(c *gates.Context, rng *rand.Rand) {
	switch rng.IntN(4) {
	case 0:
		c.Tool = m.text(fieldTool, rng)
	case 1:
		c.Class.Verb = effect.Verb(rng.IntN(int(effect.VerbSend) + 1))
	case 2:
		c.Class.Family = call.Family(rng.IntN(int(call.FamilyAgent) + 1))
	default:
		c.Class.Resource = call.ResourceType(rng.IntN(int(call.ResourceUI) + 1))
	}
}
