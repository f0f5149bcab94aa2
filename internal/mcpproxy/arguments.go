package mcpproxy

import (
	"bytes"
	"encoding/json"

	"github.com/gbt-policy/gbt/gates/call"
)

// noObject says why arguments are not what MCP has there (specification
// 2025-11-25, tools/call: an object), or nothing. What else may be wrong with them
// is for the decision: package call finds it for every front end.
func noObject(args []byte) string {
	switch text := bytes.TrimLeft(args, " \t\r\n"); {
	case len(args) > call.MaxArgBytes:
		return "the arguments are too long"
	case len(text) == 0 || text[0] != '{':
		return "the arguments are not a JSON object"
	}
	return ""
}

// exact reads an object's fields by their exact names.
func exact(args []byte, fields map[string]any) bool {
	var in map[string]json.RawMessage
	if noObject(args) != "" || call.Doubt(args) != "" || json.Unmarshal(args, &in) != nil {
		return false
	}
	for name, raw := range in {
		into, known := fields[name]
		if !known || json.Unmarshal(raw, into) != nil {
			return false
		}
	}
	return true
}
