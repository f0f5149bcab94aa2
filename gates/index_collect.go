package gates

import (
	"math/bits"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// collect marks the gates that have a fact which the context has.
func (s *search) collect(x *index) {
	want := x.want[modeEqual] | x.want[modePath] | x.want[modeDomain] | x.want[modeGram]
	for of := range program.NumObjects {
		wanted, count := want&fields.of[of], 1
		if list := fields.list[of]; list != program.NoField {
			count = read(list).size(&s.view)
		}
		for i := 0; i < count && wanted != 0; i++ {
			for rest := wanted; rest != 0; rest &= rest - 1 {
				s.element(x, program.Field(bits.TrailingZeros64(uint64(rest))), i)
			}
		}
	}
}

// element looks up a field of the i-th element of its object's list.
func (s *search) element(x *index, f program.Field, i int) {
	switch r := read(f); r.typ {
	case program.String:
		s.value(x, f, r.text(&s.view, i))
	case program.Bool:
		s.flag(x, f, r.holds(&s.view, i))
	case program.Strings:
		for _, v := range r.list(&s.view, i) {
			s.value(x, f, v)
		}
	}
}

func (s *search) flag(x *index, f program.Field, v bool) {
	s.hit(x.facts[hash(modeEqual, f, flagText(v))])
}

func flagText(v bool) string {
	if v {
		return "true"
	}
	return "false"
}

// value looks up everything that one value of a field is.
func (s *search) value(x *index, f program.Field, v string) {
	// No constant is longer than MaxText, so a longer value equals none.
	if x.want[modeEqual].has(f) && len(v) <= program.MaxText {
		s.hit(x.facts[hash(modeEqual, f, v)])
	}
	if x.want[modePath].has(f) {
		s.path(x, f, v)
	}
	if x.want[modeDomain].has(f) {
		s.domain(x, f, v)
	}
	if x.want[modeGram].has(f) {
		s.grams(x, f, v)
	}
}

// path looks up a path and every directory above it.
func (s *search) path(x *index, f program.Field, v string) {
	h := seed(modePath, f)
	for i := 0; i < len(v) && i <= program.MaxText; i++ {
		if v[i] == '/' && i > 0 {
			s.hit(x.facts[h])
		}
		if h = step(h, v[i]); i == 0 && v[i] == '/' && len(v) > 1 {
			s.hit(x.facts[h]) // the root
		}
	}
	s.hit(x.facts[h])
}

// domain looks up a host and every domain above it.
func (s *search) domain(x *index, f program.Field, v string) {
	h := seed(modeDomain, f)
	for i := len(v) - 1; i >= 0 && len(v)-i <= program.MaxText; i-- {
		h = step(h, v[i])
		if i == 0 || v[i-1] == '.' {
			s.hit(x.facts[h])
		}
	}
}

// grams looks up all three bytes in a row.
func (s *search) grams(x *index, f program.Field, v string) {
	if len(v) < 3 {
		return
	}
	a, b := lower(v[0]), lower(v[1])
	for i := 2; i < len(v); i++ {
		c := lower(v[i])
		if h := gramHash(f, a, b, c); x.grams[h>>54]>>(h>>48&63)&1 == 1 {
			s.hit(x.facts[h])
		}
		a, b = b, c
	}
}

//go:noinline
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
