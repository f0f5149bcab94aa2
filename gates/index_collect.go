package gates

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// collect marks the gates that have a fact which the context has.
func (s *search) collect(x *index) {
	for f := program.CtxTool; f <= program.FlowUnvetted; f++ {
		s.collectField(x, f)
	}
	if x.wants(program.ArgPath, program.ArgRole) {
		for i := range s.c.Args {
			for f := program.ArgPath; f <= program.ArgRole; f++ {
				if x.any().has(f) {
					s.value(x, f, argField(&s.c.Args[i], f))
				}
			}
		}
	}
	if x.wants(program.EffectType, program.PayloadHash) {
		for i := range s.c.Effects {
			s.collectEffect(x, &s.c.Effects[i])
		}
	}
	if x.wants(program.RecordType, program.RecordResource) {
		for i := range s.c.History {
			for f := program.RecordType; f <= program.RecordResource; f++ {
				if x.any().has(f) {
					s.value(x, f, recordField(&s.c.History[i], f))
				}
			}
		}
	}
}

// any is the fields that some gate has a fact about.
func (x *index) any() fieldSet {
	return x.want[modeEqual] | x.want[modePath] | x.want[modeDomain] | x.want[modeGram]
}

// wants says whether a gate has a fact about a field from first to last.
func (x *index) wants(first, last program.Field) bool {
	return x.any()&(1<<(last+1)-1<<first) != 0
}

// collectField looks up a field of the context itself.
func (s *search) collectField(x *index, f program.Field) {
	if !x.any().has(f) {
		return
	}
	switch f.Info().Type {
	case program.String:
		s.value(x, f, s.strField(f, variable{}))
	case program.Bool:
		s.flag(x, f, s.boolField(&program.Node{Field: f}))
	case program.Strings:
		for _, v := range s.strings(f) {
			s.value(x, f, v)
		}
	}
}

func (s *search) collectEffect(x *index, e *effect.Effect) {
	want := x.any()
	for f := program.EffectType; f <= program.PayloadHash; f++ {
		if !want.has(f) {
			continue
		}
		switch f {
		case program.EffectSensitive:
			s.flag(x, f, e.Sensitive)
		case program.EffectProtected:
			s.flag(x, f, e.Protected)
		case program.EffectGlob:
			s.flag(x, f, e.Glob)
		case program.EffectDeferred:
			s.flag(x, f, e.Deferred)
		case program.PayloadKnown:
			s.flag(x, f, e.Payload.Known)
		case program.EffectPort, program.PayloadLen:
		default:
			s.value(x, f, effectField(e, f))
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

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
