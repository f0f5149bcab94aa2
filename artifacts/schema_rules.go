package artifacts

import (
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
)

// The gate library and the tool schemas; guardrail.go has the guardrail.

// A gate's id is not stored: it follows from the others.
func gateRecord() *record {
	return &record{rows: []row{
		{name: "scope", typ: nameType, word: true, at: func(v any) any { return &v.(*Gate).Scope },
			check: func(c *checker, i int, v any) {
				g := v.(*Gate)
				if g.Scope != ScopeGlobal && !g.Local() {
					c.bad("gate %d: unknown scope %.80q", i, g.Scope)
				}
			}},
		{name: "disposition", typ: nameType, word: true, at: func(v any) any { return &v.(*Gate).Disposition },
			check: func(c *checker, i int, v any) {
				g := v.(*Gate)
				switch g.Disposition {
				case DispositionReject, DispositionRevise, DispositionConsent:
				default:
					c.bad("gate %d: unknown disposition %.80q", i, g.Disposition)
				}
			}},
		{name: "expression", typ: textTo(maxExpr), at: func(v any) any { return &v.(*Gate).Expr },
			check: func(c *checker, i int, v any) {
				g := v.(*Gate)
				if g.Expr == "" {
					c.bad("gate %d: no expression", i)
				}
				if g.ID != GateID(g.Scope, g.Disposition, g.Expr) {
					c.bad("gate %d: id %.80q is not that of its text", i, g.ID)
				}
				if i > 0 && c.p.Gates[i-1].ID >= g.ID {
					c.bad("gate %d: out of order", i)
				}
			}},
		{name: "message", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*Gate).Message }},
		{name: "program", typ: bytesTo(maxProgram), at: func(v any) any { return &v.(*Gate).Program },
			check: func(c *checker, i int, v any) { c.program(i, v.(*Gate)) }},
		{name: "unsafe", typ: u32Type, loosens: field.Less, at: func(v any) any { return &v.(*Gate).Evidence.Unsafe }},
		{name: "benign", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*Gate).Evidence.Benign }},
		{name: "rejected", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*Gate).Evidence.Rejected },
			check: func(c *checker, i int, v any) {
				g := v.(*Gate)
				if g.Evidence.Rejected > g.Evidence.Benign {
					c.bad("gate %d: rejects more benign contexts than there are", i)
				}
			}},
	}, after: func(c *codec, v any) {
		g := v.(*Gate)
		if c.decoding() {
			g.ID = GateID(g.Scope, g.Disposition, g.Expr)
		}
	}}
}

func schemaRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, at: func(v any) any { return &v.(*Schema).Name }},
		{name: "data", typ: bytesTo(maxSchema), at: func(v any) any { return &v.(*Schema).Data },
			check: func(c *checker, i int, v any) {
				s := v.(*Schema)
				if read, err := gates.ParseSchema(s.Data); err != nil || read.Tool != s.Name {
					c.bad("schema %d: not one of tool %.80q: %v", i, s.Name, err)
				}
			}},
	}}
}

func schemaOrder(c *checker) {
	increasing(c, "schema", c.p.Schemas, func(s Schema) string { return s.Name })
}
