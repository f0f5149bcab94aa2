package learn

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// kind says what a literal speaks of: the call, one of its effects, one of its
// arguments, or one record of the history. Literals of one kind, but for the
// call's, speak of the same element.
type kind uint8

const (
	ofCall kind = iota
	ofEffect
	ofArg
	ofRecord
	numKinds
)

// literal is a condition, as the gate language has it.
type literal struct {
	kind kind
	text string
	bits int
}

// features returns the literals that hold for a context: of the call, and of
// each effect, argument and record. They are the lattices of the search: a path
// below each of its directories, a host below each of its domains, a tool, its
// verb, its family. Values themselves are no literals: what is special to one
// attacker says nothing about the next. Neither does a name that few tasks share.
func (n names) features(c *gates.Context) [numKinds][][]literal {
	var out [numKinds][][]literal
	out[ofCall] = [][]literal{callLiterals(c)}
	for i := range c.Effects {
		out[ofEffect] = append(out[ofEffect], n.effectLiterals(&c.Effects[i]))
	}
	for i := range c.Args {
		if l := n.argLiterals(&c.Args[i]); len(l) > 0 {
			out[ofArg] = append(out[ofArg], l)
		}
	}
	for i := range c.History {
		h := &c.History[i]
		out[ofRecord] = append(out[ofRecord], []literal{
			{ofRecord, fmt.Sprintf("h.type == %q", h.Kind), nameBits},
			{ofRecord, fmt.Sprintf("h.op == %q", h.Op), nameBits},
		})
	}
	return out
}

func callLiterals(c *gates.Context) []literal {
	out := []literal{
		{ofCall, fmt.Sprintf("ctx.tool == %q", c.ToolName()), nameBits},
		{ofCall, fmt.Sprintf("ctx.verb == %q", c.Class.Verb), nameBits},
		{ofCall, fmt.Sprintf("ctx.family == %q", c.Class.Family), nameBits},
	}
	if c.Flow.SensitiveRead {
		out = append(out, literal{ofCall, "ctx.flow.sensitive_read", 4})
	}
	for _, class := range c.Content {
		out = append(out, literal{ofCall, fmt.Sprintf("%q in ctx.content", class), 4})
	}
	return out
}

// argLiterals are those of an argument out of a result, and of any whose amount or
// whose links say how it came about: an amount that is more than all the task names
// is nobody's text.
func (n names) argLiterals(a *gates.Arg) []literal {
	var out []literal
	if a.Number != "" {
		out = append(out, literal{ofArg, fmt.Sprintf("a.number == %q", a.Number), nameBits / 2})
	}
	if a.Link != "" {
		out = append(out, literal{ofArg, fmt.Sprintf("a.link == %q", a.Link), nameBits / 2})
	}
	if a.Origin != call.OriginUntrusted {
		return out
	}
	out = append(out,
		literal{ofArg, `a.origin == "untrusted"`, 4},
		literal{ofArg, fmt.Sprintf("a.source == %q", a.Source), nameBits},
	)
	if path := basePath(a.Path); n.shared(argName, path) {
		out = append(out, literal{ofArg, pathIn([]string{path}), nameBits})
	}
	if strings.Contains(a.Form, "~") {
		out = append(out, literal{ofArg, `a.form.contains("~")`, 4})
	}
	if a.Role != "" {
		out = append(out, literal{ofArg, fmt.Sprintf("a.role == %q", a.Role), nameBits})
	}
	return out
}

func (n names) effectLiterals(e *gates.Effect) []literal {
	out := []literal{
		{ofEffect, fmt.Sprintf("e.type == %q", e.Kind), nameBits / 2},
		{ofEffect, fmt.Sprintf("e.op == %q", e.Op), nameBits / 2},
		{ofEffect, fmt.Sprintf("e.zone == %q", e.Zone), nameBits / 2},
	}
	if e.Program != "" && n.shared(programName, e.Program) {
		out = append(out, literal{ofEffect, fmt.Sprintf("e.program == %q", e.Program), nameBits})
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{e.Sensitive, "e.sensitive"}, {e.Protected, "e.protected"}, {e.Glob, "e.glob"}, {e.Deferred, "e.deferred"}} {
		if f.on {
			out = append(out, literal{ofEffect, f.name, 4})
		}
	}
	for _, d := range domains(e.Net.Domain) {
		if n.host(d) {
			out = append(out, literal{ofEffect, fmt.Sprintf("e.domain.domainUnder(%q)", d), nameBits * (1 + strings.Count(d, "."))})
		}
	}
	for _, d := range directories(e.Resource) {
		if n.directory(d) {
			out = append(out, literal{ofEffect, fmt.Sprintf("e.resource.under(%q)", d), nameBits * strings.Count(d, "/")})
		}
	}
	return out
}

// domains are a host's domains of two labels or more.
func domains(host string) []string {
	var out []string
	for d := host; strings.Contains(d, "."); {
		out = append(out, d)
		_, d, _ = strings.Cut(d, ".")
	}
	return out
}

// maxDirs bounds the directories above a path that are tried.
const maxDirs = 6

// directories are an absolute path and those above it, but not the root. Below a
// directory of homes stands a user's name: all of them are one place.
func directories(path string) []string {
	var out []string
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "*?") {
		return nil
	}
	for d := strings.TrimSuffix(path, "/"); d != ""; d = d[:strings.LastIndexByte(d, '/')] {
		if !strings.HasPrefix(d, "/home/") && !strings.HasPrefix(d, "/Users/") {
			out = append(out, d)
		}
	}
	return out[max(0, len(out)-maxDirs):]
}

// set is a set of small numbers.
type set []uint64

func (s *set) add(i int) {
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

func (s set) and(t set) set {
	out := slices.Clone(s[:min(len(s), len(t))])
	for i := range out {
		out[i] &= t[i]
	}
	return out
}

func (s set) or(t set) set {
	out := make(set, max(len(s), len(t)))
	copy(out, s)
	for i := range t {
		out[i] |= t[i]
	}
	return out
}

func (s set) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// each calls f for every member.
func (s set) each(f func(int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}

// table is examples by literal: which elements of which example have it.
type table struct {
	views [numKinds][]int32 // element to example
	have  map[literal]*set  // literal to elements of its kind
	runs  []int
	tasks [][]int // of each example, by number
}

func newTable(list []Example, n names) *table {
	t := &table{have: map[literal]*set{}}
	number := map[string]int{}
	for i := range list {
		t.runs = append(t.runs, list[i].Runs)
		t.tasks = append(t.tasks, nil)
		for _, task := range list[i].Tasks {
			if _, known := number[task]; !known {
				number[task] = len(number)
			}
			t.tasks[i] = append(t.tasks[i], number[task])
		}
		f := n.features(list[i].Context)
		for k := range f {
			for _, view := range f[k] {
				at := len(t.views[k])
				t.views[k] = append(t.views[k], int32(i))
				for _, l := range view {
					s := t.have[l]
					if s == nil {
						s = &set{}
						t.have[l] = s
					}
					s.add(at)
				}
			}
		}
	}
	return t
}

// match returns the examples that a pattern holds for.
func (t *table) match(p pattern) set {
	var out set
	first := true
	for k := range numKinds {
		var views set
		any := false
		for _, l := range p.lits {
			if l.kind != k {
				continue
			}
			s := t.have[l]
			if s == nil {
				return nil
			}
			if !any {
				views = *s
			} else {
				views = views.and(*s)
			}
			any = true
		}
		if !any {
			continue
		}
		var ex set
		views.each(func(v int) { ex.add(int(t.views[k][v])) })
		if first {
			out, first = ex, false
		} else {
			out = out.and(ex)
		}
	}
	return out
}
