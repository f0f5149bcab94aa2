package review

import (
	"bytes"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
)

// schemaText shows a tool schema in the one form that it has, and bytes that are
// none by their digest.
func schemaText(data []byte) string {
	if _, err := gates.ParseSchema(data); err != nil {
		return digest(data)
	}
	return string(data)
}

// schemas raises an alarm for every tool schema that is not what it was: a
// schema says what a tool does, so a new one can make an unknown tool harmless.
func (c *comparison) schemas() {
	added, removed, both := split(c.a.p.Schemas, c.b.p.Schemas, func(s artifacts.Schema) string { return s.Name })
	for _, s := range added {
		c.alarm("tool schema %s is new: it says what the tool does, in place of the built-in tables", quote(s.Name))
	}
	for _, s := range removed {
		c.alarm("tool schema %s is gone", quote(s.Name))
	}
	for _, s := range both {
		if !bytes.Equal(s.old.Data, s.new.Data) {
			c.alarm("tool schema %s says something else than before", quote(s.old.Name))
		}
	}
}
