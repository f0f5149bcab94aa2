package learn

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// pattern is a conjunction: a call that it holds for is stopped.
type pattern struct {
	lits []literal // sorted
	key  string    // their texts
	bits int       // what it takes to write them
	gain int
}

func (p pattern) with(l literal) (pattern, bool) {
	at, has := slices.BinarySearchFunc(p.lits, l, func(a, b literal) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.text, b.text))
	})
	if has {
		return p, false
	}
	out := pattern{lits: slices.Insert(slices.Clip(p.lits), at, l), bits: p.bits + l.bits + 2}
	var key strings.Builder
	for _, l := range out.lits {
		key.WriteString(l.text)
		key.WriteByte(0)
	}
	out.key = key.String()
	return out, true
}

// better orders patterns: by gain, by length, and then by text.
func better(a, b pattern) int {
	return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.bits, b.bits), cmp.Compare(a.key, b.key))
}

// text writes the gate that stops what the pattern holds for.
func (p pattern) text() string {
	names := [numKinds]struct{ list, v string }{ofEffect: {"ctx.effects", "e"}, ofArg: {"ctx.args", "a"}, ofRecord: {"ctx.history", "h"}}
	var conds []string
	for k := range numKinds {
		var mine []string
		for _, l := range p.lits {
			if l.kind == k {
				mine = append(mine, l.text)
			}
		}
		switch {
		case len(mine) == 0:
		case k == ofCall:
			conds = append(conds, mine...)
		default:
			conds = append(conds, names[k].list+".exists("+names[k].v+", "+strings.Join(mine, " && ")+")")
		}
	}
	return "!(" + strings.Join(conds, " && ") + ")"
}

// The search keeps the beam's best patterns and adds a literal at a time. More
// of either changed no gate on the shared corpora.
const (
	beamWidth   = 8
	maxLiterals = 4
	maxSeeds    = 200
)

// byPattern is who proposes the patterns that are asked everywhere.
const byPattern = "pattern"

const patternMessage = "calls like this one did harm before: find another way, or ask"

// patterns covers the positives that no flow gate stops: everywhere first, then
// from some macro on.
func (l *learner) patterns() {
	if len(l.open()) == 0 {
		return
	}
	s := search{unsafe: newTable(l.ex.Unsafe, l.names), benign: newTable(l.ex.Benign, l.names), names: l.names}
	s.runs = s.benign.runs
	if l.opt.takes(ScopeGlobal) {
		l.cover(&s)
	}
	if l.opt.takes(ScopeNode) || l.opt.takes(ScopeSubtree) {
		l.localPatterns(&s)
	}
}

func (l *learner) isOpen(e *Example) bool { return l.stopped[e.ID] == 0 && !l.local[e.ID] }

// cover proposes the best pattern for one open positive after the other.
func (l *learner) cover(s *search) {
	tried := map[string]bool{}
	seeds := 0
	for i := range l.ex.Unsafe {
		if !l.isOpen(&l.ex.Unsafe[i]) {
			continue
		}
		if seeds++; seeds > maxSeeds {
			return
		}
		s.open = nil
		for j := range l.ex.Unsafe {
			if l.isOpen(&l.ex.Unsafe[j]) {
				s.open.add(j)
			}
		}
		best, ok := s.from(s.literals(&l.ex.Unsafe[i]))
		if !ok || tried[best.key] {
			continue
		}
		tried[best.key] = true
		l.judge(Proposal{Scope: ScopeGlobal, Expr: best.text(), By: byPattern, Bits: best.bits, Tried: s.tried, Message: patternMessage})
	}
}

type search struct {
	unsafe, benign *table
	names          names
	open           set
	runs           []int // of the benign examples, where the pattern would be asked
	tried          int   // patterns scored so far
}

// literals are those that hold for a seed.
func (s *search) literals(seed *Example) []literal {
	var lits []literal
	seen := map[literal]bool{}
	f := s.names.features(seed.Context)
	for k := range f {
		for _, view := range f[k] {
			for _, l := range view {
				if !seen[l] {
					seen[l] = true
					lits = append(lits, l)
				}
			}
		}
	}
	return lits
}

// from searches the patterns of some literals, from the empty one down.
func (s *search) from(lits []literal) (pattern, bool) {
	beam := []pattern{{}}
	best := pattern{}
	for range maxLiterals {
		next := map[string]pattern{}
		for _, p := range beam {
			for _, l := range lits {
				q, ok := p.with(l)
				if !ok {
					continue
				}
				if _, done := next[q.key]; done {
					continue
				}
				q.gain = s.gain(q)
				s.tried++
				next[q.key] = q
			}
		}
		beam = slices.SortedFunc(maps.Values(next), better)
		beam = beam[:min(len(beam), beamWidth)]
		if len(beam) > 0 && beam[0].gain > best.gain {
			best = beam[0]
		}
	}
	return best, best.gain > 0
}

// gain is what a pattern saves: the open positives it stops need no naming, the
// benign runs it stops do. A positive counts once a task: what one task's runs
// have in common is one thing.
func (s *search) gain(p pattern) int {
	var tasks set
	n := 0
	s.unsafe.match(p).and(s.open).each(func(i int) {
		n++
		for _, t := range s.unsafe.tasks[i] {
			tasks.add(t)
		}
	})
	if n == 0 {
		return -1 << 30
	}
	lost := 0
	s.benign.match(p).each(func(i int) { lost += s.runs[i] })
	return exceptionBits*(n+2*tasks.len()) - exceptionBits*lost - p.bits
}
