package shell

import (
	"slices"
	"strings"
)

//go:generate go run ../programs/generate

// toolRow is a tool as the table holds it: what rows share stands once, in toolOptions,
// toolOperands and toolTraits.
type toolRow struct {
	name     string
	opts     uint16
	operands uint16
	traits   uint8
	act      byte
	out      byte
}

// tool is the row with what it names.
func (r *toolRow) tool() *tool {
	return &tool{name: r.name, act: r.act, out: r.out, traits: toolTraits[r.traits], operands: toolOperands[r.operands], opts: toolOptions[r.opts]}
}

// lookupTool finds a tool, or a subcommand as "tool sub". Binary search in a
// static table needs no work before main.
func lookupTool(name string) *tool {
	i, ok := slices.BinarySearchFunc(tools[:], name, func(t toolRow, name string) int { return strings.Compare(t.name, name) })
	if !ok {
		return nil
	}
	return tools[i].tool()
}

// Listed says whether a program is in the table: what it does and loads is known, as far as it
// stands there.
func Listed(name string) bool { return lookupTool(name) != nil }

// Valued says whether an option of a tool of the table takes a value: then its letter
// is no flag, whatever it means elsewhere. option has no dashes.
func Valued(name, option string) bool {
	t := lookupTool(name)
	return t != nil && option != "" && strings.Contains(" "+t.opts, " "+option+":")
}

var askTool = tool{name: "", act: doesReview}

func orAsk(t *tool) *tool {
	if t == nil {
		return &askTool
	}
	return t
}
