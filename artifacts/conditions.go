package artifacts

import "github.com/gbt-policy/gbt/gates"

func conditionRecord() *record {
	return &record{rows: []row{
		{name: "end", typ: boolType, at: func(v any) any { return &v.(*gates.Condition).End }},
		{name: "action", typ: nameType, at: func(v any) any { return &v.(*gates.Condition).Act }},
		{name: "argument", typ: nameType, at: func(v any) any { return &v.(*gates.Condition).Arg }},
		{name: "needs", typ: many[gates.Need](needRecord(), maxNeeds), at: func(v any) any { return &v.(*gates.Condition).Needs }},
		{name: "advice", typ: boolType, at: func(v any) any { return &v.(*gates.Condition).Advice }},
		{name: "tasks", typ: u32Type, at: func(v any) any { return &v.(*gates.Condition).Tasks }},
		{name: "held", typ: u32Type, at: func(v any) any { return &v.(*gates.Condition).Held }},
		{name: "chance", typ: rangeOf[uint32](0, 1000), at: func(v any) any { return &v.(*gates.Condition).Chance }},
	}}
}

func needRecord() *record {
	return &record{rows: []row{
		{name: "how", typ: rangeOf[gates.How](1, int64(gates.NumHows)-1), at: func(v any) any { return &v.(*gates.Need).How }},
		{name: "action", typ: nameType, at: func(v any) any { return &v.(*gates.Need).Act }},
		{name: "argument", typ: nameType, at: func(v any) any { return &v.(*gates.Need).Arg }},
	}}
}

// conditions checks that each says something, and their order.
func (c *checker) conditions(list []gates.Condition) {
	for i := range list {
		if err := list[i].Err(); err != nil {
			c.bad("condition %d: %w", i, err)
		}
		if i > 0 && gates.CompareConditions(&list[i-1], &list[i]) >= 0 {
			c.bad("condition %d: out of order", i)
		}
	}
}
