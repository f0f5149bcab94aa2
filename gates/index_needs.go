package gates

import (
	"regexp/syntax"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// maxNeeds bounds the facts of one gate; with more it is always evaluated.
const maxNeeds = 1 << 8

// needs returns facts of which a context must have at least one before the
// program can be false on it. ok is false if there is no such set. uses counts
// the gates that already have a fact: rarer ones are preferred.
func needs(r *rule, uses map[uint64]int) ([]fact, bool) {
	a := analysis{nodes: r.nodes, patterns: r.patterns, uses: uses}
	return a.need(0, false)
}

type analysis struct {
	nodes    []program.Node
	patterns []*pattern
	uses     map[uint64]int
	lists    [program.MaxVars + 1]program.Field
	depth    int
}

// need returns facts of which one must hold for operation i to be want.
func (a *analysis) need(i int32, want bool) ([]fact, bool) {
	n := &a.nodes[i]
	switch n.Op {
	case program.True, program.False:
		return nil, (n.Op == program.True) != want // never: no fact is enough
	case program.Not:
		return a.need(i+1, !want)
	case program.And:
		return a.connective(i, want, want)
	case program.Or:
		return a.connective(i, want, !want)
	case program.Exists, program.All:
		if (n.Op == program.Exists) != want {
			return nil, false // the empty list is enough
		}
		a.depth++
		a.lists[a.depth] = n.Field
		facts, ok := a.need(i+1, want)
		a.depth--
		return facts, ok
	case program.Get:
		return []fact{{modeEqual, n.Field, flagText(want)}}, true
	}
	if !want {
		return nil, false // that something is not so is no fact to look up
	}
	return a.atom(i, n)
}

// connective joins the needs of the operands: all of them must hold, or one.
func (a *analysis) connective(i int32, want, all bool) (best []fact, ok bool) {
	for k := i + 1; k < a.nodes[i].End; k = a.nodes[k].End {
		facts, known := a.need(k, want)
		switch {
		case all && known && (!ok || a.weight(facts) < a.weight(best)):
			best, ok = facts, true
		case !all && !known:
			return nil, false
		case !all:
			best, ok = append(best, facts...), true
		}
	}
	return best, ok && len(best) <= maxNeeds
}

// weight estimates how many contexts have one of the facts.
func (a *analysis) weight(facts []fact) int {
	sum := 0
	for i := range facts {
		f := &facts[i]
		w := int(fields.rows[f.field].spread)
		if f.mode == modePath || f.mode == modeDomain {
			w += 200 / (1 + strings.Count(f.text, "/") + strings.Count(f.text, "."))
		}
		if f.mode == modeGram {
			w += 100
		}
		sum += w + 20*a.uses[f.hash()]
	}
	return sum
}

// field returns the field that an operation reads, as the index knows it: the
// elements of a list of strings go by the list.
func (a *analysis) field(i int32) (program.Field, bool) {
	n := &a.nodes[i]
	if n.Op != program.Get {
		return 0, false
	}
	if n.Field == program.TextSelf {
		return a.lists[n.Slot], true
	}
	return n.Field, true
}

// atom returns the needs of a comparison with constants.
func (a *analysis) atom(i int32, n *program.Node) ([]fact, bool) {
	if n.Op == program.InList {
		c := &a.nodes[i+1]
		return []fact{{modeEqual, n.Field, c.Str}}, c.Op == program.Const
	}
	f, ok := a.field(i + 1)
	if !ok || fields.infos[f].Type == program.Int {
		return nil, false
	}
	switch n.Op {
	case program.InSet:
		var out []fact
		for _, s := range n.Set {
			out = append(out, fact{modeEqual, f, s})
		}
		return out, len(out) <= maxNeeds
	case program.Matches:
		// texts of which one must occur
		return a.required(f, a.patterns[n.Num].parsed.Simplify())
	}
	c := &a.nodes[a.nodes[i+1].End]
	if c.Op != program.Const {
		return nil, false
	}
	switch n.Op {
	case program.StrEq:
		return []fact{{modeEqual, f, c.Str}}, true
	case program.Under:
		return []fact{{modePath, f, c.Str}}, true
	case program.DomainUnder:
		return []fact{{modeDomain, f, c.Str}}, true
	case program.HasPrefix, program.HasSuffix, program.Contains:
		return a.gram(f, c.Str)
	}
	return nil, false
}

// gram chooses three bytes in a row of a text that must occur.
func (a *analysis) gram(f program.Field, text string) ([]fact, bool) {
	var best fact
	fewest := -1
	for i := 0; i+3 <= len(text); i++ {
		g := fact{modeGram, f, string([]byte{lower(text[i]), lower(text[i+1]), lower(text[i+2])})}
		if n := a.uses[g.hash()]; fewest < 0 || n < fewest {
			best, fewest = g, n
		}
	}
	return []fact{best}, fewest >= 0
}

// required returns texts of which one must occur for a pattern to match.
func (a *analysis) required(f program.Field, re *syntax.Regexp) (best []fact, ok bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return a.gram(f, longestPlain(re))
	case syntax.OpCapture, syntax.OpPlus:
		return a.required(f, re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return a.required(f, re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if facts, known := a.required(f, sub); known && (!ok || a.weight(facts) < a.weight(best)) {
				best, ok = facts, true
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			facts, known := a.required(f, sub)
			if !known || len(best)+len(facts) > maxNeeds {
				return nil, false
			}
			best, ok = append(best, facts...), true
		}
	}
	return best, ok
}

// longestPlain is the longest part of a literal that only these bytes match, up
// to the case of ASCII letters. Without regard to case, k and s also match
// letters outside ASCII, and U+FFFD matches what is not UTF-8.
func longestPlain(re *syntax.Regexp) string {
	best, start := "", 0
	text := string(re.Rune)
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] < 0x80 && (re.Flags&syntax.FoldCase == 0 || !strings.ContainsRune("kKsS", rune(text[i]))) {
			continue
		}
		if i-start > len(best) {
			best = text[start:i]
		}
		start = i + 1
	}
	return best
}
