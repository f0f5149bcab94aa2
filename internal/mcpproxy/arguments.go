package mcpproxy

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gbt-policy/gbt/gates"
)

// maxArgs bounds the arguments of one call. It is the bound below which package
// gates still reads them.
const maxArgs = 4 << 20

// ambiguous says why two readers could take arguments for different ones, or
// nothing. The text must be one JSON object in the form of RFC 7493 (I-JSON):
// UTF-8, no lone surrogates, no name twice in an object, here in no letter case. Otherwise the call that
// was judged need not be the one that a server sees.
func ambiguous(args []byte) string {
	switch text := bytes.TrimLeft(args, " \t\r\n"); {
	case len(args) > maxArgs:
		return "the arguments are too long"
	case len(text) == 0 || text[0] != '{':
		return "the arguments are not a JSON object"
	case !jsontext.Value(args).IsValid():
		return "the arguments are no plain JSON object: a name is given twice, the text is not UTF-8, or it ends too early"
	}
	return gates.Ambiguous(args)
}

// exact reads an object's fields by their exact names.
func exact(args []byte, fields map[string]any) bool {
	var in map[string]json.RawMessage
	if ambiguous(args) != "" || json.Unmarshal(args, &in) != nil {
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
