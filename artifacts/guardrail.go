package artifacts

import (
	"cmp"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
)

// Guardrail is how the global guardrail is set for a policy. The zero value is
// the guardrail's default: the workspace profile with the built-in lists.
type Guardrail struct {
	Rules  gates.Guardrail // lists sorted, egress by domain
	Strict bool            // node gates are asked at every node (decision 1)
	Roots  []string        // workspace roots, sorted; empty for what the host says

	Content Content // who is asked about what calls send

	// Conditions are what successful runs always had before a call, and before their end, in
	// the order of gates.CompareConditions.
	Conditions []gates.Condition
}

func railRecord() *record {
	return &record{rows: []row{
		{name: "profile", typ: rangeOf[gates.Profile](0, int64(gates.ProfileApps)), loosens: field.Judged,
			at: func(v any) any { return &v.(*Guardrail).Rules.Profile }},
		{name: "strict", typ: boolType, loosens: field.Less,
			at: func(v any) any { return &v.(*Guardrail).Strict }},
		texts("roots", "workspace root", field.More, func(v any) any { return &v.(*Guardrail).Roots }),
		texts("protected", "protected path", field.Less, func(v any) any { return &v.(*Guardrail).Rules.Protected }),
		texts("sensitive", "sensitive path", field.Less, func(v any) any { return &v.(*Guardrail).Rules.Sensitive }),
		{name: "egress", typ: many[gates.Egress](egressRecord(), MaxRules), loosens: field.Judged,
			at:    func(v any) any { return &v.(*Guardrail).Rules.Egress },
			check: func(c *checker, _ int, v any) { c.egress(v.(*Guardrail).Rules.Egress) }},
		texts("spawn", "allowed program", field.More, func(v any) any { return &v.(*Guardrail).Rules.Spawn }),
		texts("deny", "denied program", field.Less, func(v any) any { return &v.(*Guardrail).Rules.DenySpawn }),
		{name: "content", typ: oneOf(contentRecord()), optional: true, loosens: field.Judged,
			at:    func(v any) any { return &v.(*Guardrail).Content },
			check: func(c *checker, _ int, v any) { c.content(&v.(*Guardrail).Content) }},
		{name: "imports", typ: namesTo(MaxRules), optional: true, loosens: field.Judged, title: "module",
			at:    func(v any) any { return &v.(*Guardrail).Rules.Imports },
			about: "the modules that cells of code may bring in, as `numpy`, `os.path`, `node:fs`, or `none` alone; left out for no such list.",
			check: func(c *checker, _ int, v any) { c.imports(v.(*Guardrail).Rules.Imports) }},
		{name: "conditions", typ: many[gates.Condition](conditionRecord(), maxConditions), optional: true, loosens: field.Judged,
			at:    func(v any) any { return &v.(*Guardrail).Conditions },
			check: func(c *checker, _ int, v any) { c.conditions(v.(*Guardrail).Conditions) },
			about: "what successful runs always had before a call, or, with end, after the last call of an action and before their end. " +
				"action is the call's, empty for every call that changes something; argument is the one whose values the needs are about, empty for the call as such; " +
				"`@file` stands for the files that a call reads, writes or deletes. One of the needs is enough for a value: how is 1, a call of action ended well; 2, one that had " +
				"the same value as argument; 3, one whose result shows the value; 4, the user's words name it. 1 is the only one without an argument above, and none with one. " +
				"advice stops nothing; a call that lacks the rest is to be revised, and an end too. tasks and held are the evidence, chance what chance would give, in thousandths. " +
				"Both lists are strictly increasing, by end, action, argument and needs, and by how, action and argument."},
	}}
}

// imports checks that a list of modules is one, in order: an entry that names nothing
// would cover nothing.
func (c *checker) imports(list []string) {
	increasing(c, "module", list, self)
	for _, entry := range list {
		if why := gates.ImportFault(entry); why != "" || entry == "none" && len(list) > 1 {
			c.bad("module %.80q %s", entry, cmp.Or(why, "stands beside others"))
		}
	}
}

// texts is a list of texts that stand sorted and once.
func texts(name, title string, loosens field.Loosens, at func(any) any) row {
	return row{name: name, typ: namesTo(MaxRules), title: title, loosens: loosens, at: at,
		check: func(c *checker, _ int, v any) { increasing(c, title, *at(v).(*[]string), self) }}
}

func self(s string) string { return s }

func egressRecord() *record {
	return &record{rows: []row{
		{name: "domain", typ: nameType, at: func(v any) any { return &v.(*gates.Egress).Domain }},
		{name: "schemes", typ: namesTo(MaxRules), at: func(v any) any { return &v.(*gates.Egress).Schemes }},
		{name: "ports", at: func(v any) any { return &v.(*gates.Egress).Ports },
			typ: listOf("{1..65535}*", MaxRules, walkPorts)},
		{name: "send", typ: boolType, at: func(v any) any { return &v.(*gates.Egress).Send }},
	}}
}

func walkPorts(c *codec, t *typ, p any) {
	list(c, p.(*[]uint16), int(t.most), 1, func(c *codec, p *uint16) { integer(c, p, 1, 1<<16-1) })
}

// egress checks that rules are sorted, and that hosts are written as effects
// write them: else a rule would match nothing.
func (c *checker) egress(list []gates.Egress) {
	increasing(c, "egress rule", list, func(e gates.Egress) string { return e.Domain })
	for i := range list {
		e := &list[i]
		increasing(c, "egress scheme", e.Schemes, self)
		for k := 1; k < len(e.Ports); k++ {
			if e.Ports[k-1] >= e.Ports[k] {
				c.bad("egress rule %d: ports out of order", i)
			}
		}
		for _, s := range append([]string{e.Domain}, e.Schemes...) {
			if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-+_") != "" {
				c.bad("egress rule %d: %.80q is not lower-case ASCII", i, s)
			}
		}
	}
}
