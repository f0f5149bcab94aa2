package mcpproxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// failed answers a call with an error that a model can read.
func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// stopped answers a call that does not run.
func (p *Proxy) stopped(v *ruling, how string) *mcp.CallToolResult {
	if v.retry != nil {
		how += "\n" + printable(v.retry.Feedback)
	}
	res := failed(explain(v) + how)
	res.Meta = mcp.Meta{"gbt/disposition": v.decision.Disposition.String(), "gbt/decision": v.id}
	return res
}

// explain says to a model why a call is not simply approved, and what to do instead.
func explain(v *ruling) string {
	var b strings.Builder
	fmt.Fprintf(&b, "gbt stopped this call: %s.\n", v.decision.Disposition)
	if text := v.texts().Model; text != "" {
		b.WriteString(printable(text) + "\n")
	}
	switch v.decision.Disposition {
	case gates.Rejected:
		b.WriteString("It did not run and cannot be confirmed. Do without it, or ask the user to do it.")
	case gates.RevisionRequired:
		b.WriteString("It did not run. Change the call as said above and call again.")
	default:
		b.WriteString("It did not run, because the user has to agree to exactly this call. ")
	}
	return b.String()
}

// resultText is what provenance is told of a result: its texts, and whatever else
// a model could read. Pictures and sounds are left out.
func resultText(res *mcp.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		parts = append(parts, contentText(c)...)
	}
	if res.StructuredContent != nil {
		if b, err := json.Marshal(res.StructuredContent); err == nil {
			if len(parts) == 0 || len(parts) == 1 && sameJSON(parts[0], b) {
				return string(b) // alone it is read field by field
			}
			parts = append(parts, string(b))
		}
	}
	return strings.Join(parts, "\n")
}

// contentText are the texts of a part of a result or a prompt.
func contentText(c mcp.Content) []string {
	switch c := c.(type) {
	case *mcp.TextContent:
		return []string{c.Text}
	case *mcp.EmbeddedResource:
		if c.Resource != nil {
			return []string{c.Resource.Text}
		}
	case *mcp.ResourceLink:
		return []string{c.URI, c.Name, c.Title, c.Description}
	}
	return nil
}

// sameJSON says whether a text says the same as a value, as MCP asks servers to
// repeat structured content (specification 2025-11-25, "Structured Content").
func sameJSON(text string, value []byte) bool {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return false
	}
	again, err := json.Marshal(v)
	return err == nil && bytes.Equal(again, value)
}
