package gates

import (
	"math/bits"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// The index answers one question: which gates could stop this context? For each
// gate it knows a set of facts of which a context must have at least one before
// the gate can stop it: a tool's name, an effect's kind, program or domain, a
// directory a path lies under, three bytes in a row of an argument. The facts of
// a context are looked up by hash, and only the gates found are evaluated. A
// fact too many costs an evaluation and changes nothing; a gate without such
// facts is always evaluated.
type index struct {
	always []int32
	facts  map[uint64][]int32
	// want holds, for each way to look at a field, the fields that some gate
	// has a fact about.
	want [numModes]fieldSet
	// grams is a filter before facts for three bytes in a row: most are in no
	// gate.
	grams [1 << 10]uint64
}

// mode is how a fact looks at a field.
type mode uint8

const (
	modeEqual  mode = iota // the value itself
	modePath               // a directory the value lies under
	modeDomain             // a domain the value lies under
	modeGram               // three bytes in a row, ASCII letters lowered
	numModes
)

// fact is one thing a context may have.
type fact struct {
	mode  mode
	field program.Field
	text  string
}

// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/, 64 bits. Nothing depends
// on collisions being rare but speed.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func seed(m mode, f program.Field) uint64 {
	return step(step(fnvOffset, byte(m)), byte(f))
}

//go:noinline
func step(h uint64, b byte) uint64 { return (h ^ uint64(b)) * fnvPrime }

func hash(m mode, f program.Field, s string) uint64 {
	h := seed(m, f)
	if m == modeDomain { // from the right, so that one pass gives all suffixes
		for i := len(s) - 1; i >= 0; i-- {
			h = step(h, s[i])
		}
		return h
	}
	for i := 0; i < len(s); i++ {
		h = step(h, s[i])
	}
	return h
}

func gramHash(f program.Field, a, b, c byte) uint64 {
	return (uint64(f)<<24 | uint64(a)<<16 | uint64(b)<<8 | uint64(c)) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
}

func (f *fact) hash() uint64 {
	if f.mode == modeGram {
		return gramHash(f.field, f.text[0], f.text[1], f.text[2])
	}
	return hash(f.mode, f.field, f.text)
}

func (x *index) build(rules []rule) {
	x.facts = make(map[uint64][]int32)
	uses := make(map[uint64]int)
	for i := range rules {
		need, ok := needs(&rules[i], uses)
		if !ok {
			x.always = append(x.always, int32(i))
			continue
		}
		for k := range need {
			x.add(&need[k], int32(i))
			uses[need[k].hash()]++
		}
	}
}

func (x *index) add(f *fact, gate int32) {
	h := f.hash()
	if list := x.facts[h]; len(list) == 0 || list[len(list)-1] != gate {
		x.facts[h] = append(list, gate)
	}
	x.want[f.mode] |= 1 << f.field
	if f.mode == modeGram {
		x.grams[h>>54] |= 1 << (h >> 48 & 63)
	}
}

// search is a machine with the set of gates it has to evaluate.
type search struct {
	machine
	bits []uint64
}

// run evaluates the gates that could stop the context, in order.
func (s *search) run(l *Library, dst []int, asked func(int) bool) []int {
	for _, i := range l.index.always {
		s.bits[i>>6] |= 1 << (i & 63)
	}
	s.collect(&l.index)
	for w, word := range s.bits {
		if word == 0 {
			continue
		}
		s.bits[w] = 0
		for ; word != 0; word &= word - 1 {
			i := w<<6 | bits.TrailingZeros64(word)
			if asked(i) && !s.passes(&l.rules[i]) {
				dst = append(dst, i)
			}
		}
	}
	return dst
}

//go:noinline
func (s *search) hit(list []int32) {
	for _, i := range list {
		s.bits[i>>6] |= 1 << (i & 63)
	}
}
