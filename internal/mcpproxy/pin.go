package mcpproxy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// This file pins what servers say of their tools. The model reads descriptions
// and schemas as instructions, and a server may show other ones once it is
// trusted: the first that was seen holds, a call of a tool that has changed asks,
// and the user sees what changed. A yes takes over the new definition.

// Pins are definitions of tools as they were first seen, as JSON, by the names
// under which the tools are judged.
type Pins map[string]json.RawMessage

// ReadPins reads the file that Pins.Text wrote.
func ReadPins(data []byte) (Pins, error) {
	var file struct {
		Tools map[string]map[string]json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("no file of pinned tools: %w", err)
	}
	if file.Tools == nil {
		return nil, errors.New(`no file of pinned tools: {"tools":{"mcp__server__tool":{...}}}`)
	}
	pins := Pins{}
	for name, parts := range file.Tools {
		text, err := json.Marshal(parts)
		if err != nil {
			return nil, fmt.Errorf("no file of pinned tools: %s: %w", name, err)
		}
		pins[name] = compact(text)
	}
	return pins, nil
}

// Text is the file of the pins, the same for the same pins.
func (p Pins) Text() ([]byte, error) {
	out, err := json.MarshalIndent(map[string]Pins{"tools": p}, "", "  ")
	return append(out, '\n'), err
}

// definition is all of a tool that a model may be shown.
func definition(t *mcp.Tool) json.RawMessage {
	parts := map[string]any{"description": t.Description}
	if t.Title != "" {
		parts["title"] = t.Title
	}
	if t.InputSchema != nil {
		parts["inputSchema"] = t.InputSchema
	}
	if t.OutputSchema != nil {
		parts["outputSchema"] = t.OutputSchema
	}
	if t.Annotations != nil {
		parts["annotations"] = t.Annotations
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return json.RawMessage(`{}`) // what came as JSON; an empty one differs from every other
	}
	return compact(text)
}

// compact gives equal JSON one spelling: keys sorted, no white space.
func compact(text []byte) json.RawMessage {
	var v map[string]any
	if json.Unmarshal(text, &v) != nil {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return out
}

// pinned is the tool as it is offered: as it was first seen, until the user agrees
// to what the server made of it. The caller holds the lock.
func (p *Proxy) pinned(t target, tool *mcp.Tool) *mcp.Tool {
	name, now := judged(t.server, t.own), definition(tool)
	p.defined[name] = now
	was, ok := p.pins[name]
	switch {
	case !ok:
		p.pins[name], p.unsaved = now, true
		return tool
	case slices.Equal(was, now):
		return tool
	}
	parts, shown := difference(was, now)
	fmt.Fprintf(p.opts.Stderr, "gbt: MCP server %s: %s\n", t.server, printable("the "+parts+" of "+t.own+" changed: "+shown))
	old := &mcp.Tool{}
	if json.Unmarshal(was, old) != nil {
		return &mcp.Tool{InputSchema: json.RawMessage(`{"type":"object"}`)}
	}
	return old
}

// change is how a tool differs from its pin.
type change struct {
	parts string // that differ, by name
	shown string // as they were and are: the server's words, for the user alone
}

// changed says what a tool's definition is, and how it differs from its pin; nil if
// it does not.
func (p *Proxy) changed(tool string) (now json.RawMessage, c *change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now = p.defined[tool]
	if was := p.pins[tool]; was != nil && !slices.Equal(was, now) {
		c = &change{}
		c.parts, c.shown = difference(was, now)
	}
	return now, c
}

// repin takes over the definition that the user agreed to.
func (p *Proxy) repin(tool string, now json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pins[tool], p.unsaved = now, true
	p.offer()
}

// savePins keeps the pins. The caller holds the lock. A failure is told: with the
// pins of before, the next start asks once more.
func (p *Proxy) savePins() {
	if p.opts.SavePins == nil || !p.unsaved {
		return
	}
	p.unsaved = false
	if err := p.opts.SavePins(maps.Clone(p.pins)); err != nil {
		fmt.Fprintf(p.opts.Stderr, "gbt: the pinned tools could not be kept: %s\n", printable(err.Error()))
	}
}

// difference names the parts of a definition that differ, each as it was and is.
func difference(was, now json.RawMessage) (parts, shown string) {
	var a, b map[string]json.RawMessage
	json.Unmarshal(was, &a) // what is no object has no part: all of the other differs
	json.Unmarshal(now, &b)
	keys := slices.Sorted(maps.Keys(a))
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var names, out []string
	for _, k := range keys {
		if x, y := cmp.Or(string(a[k]), "nothing"), cmp.Or(string(b[k]), "nothing"); x != y {
			x, y = around(x, y)
			names = append(names, k)
			out = append(out, k+" was "+cut(x, maxPart)+" and is "+cut(y, maxPart))
		}
	}
	return strings.Join(names, ", "), strings.Join(out, "; ")
}

// maxPart bounds what is shown of each side of a difference.
const maxPart = 400

// around cuts the long beginning that two texts share, so that a change at the end
// of a long one is still shown.
func around(a, b string) (string, string) {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n -= maxPart / 4; n <= 0 {
		return a, b
	}
	return "…" + strings.ToValidUTF8(a[n:], ""), "…" + strings.ToValidUTF8(b[n:], "")
}

// redefined tightens the decision on a call of a tool that has changed. The agent
// reads the message, so that it names the parts and has no word of the server's.
func (p *Proxy) redefined(d *gates.Decision, c *change) {
	d.Object(gates.Reason{Rule: "tool/changed", Disposition: gates.ApprovedWithConstraints, Effect: -1,
		Message: "The server has changed this tool since it was first seen (" + c.parts + "). The user has to agree to that."})
	d.Would = min(d.Would, gates.ApprovedWithConstraints)
	if !p.opts.Shadow {
		d.Disposition = min(d.Disposition, gates.ApprovedWithConstraints)
	}
}
