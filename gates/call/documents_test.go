package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// TestDocumentQueries: queries that are documents read, and those with a stage that
// writes or an operator that runs code ask, also under a name and an annotation that
// read.
func TestDocumentQueries(t *testing.T) {
	for _, tt := range []struct {
		tool, args, rule string
	}{
		{"find", `{"filter":{"state":"open"}}`, ""},
		{"find", `{"filter":{"$or":[{"a":1},{"b":{"$gt":2}}]},"sort":{"a":-1}}`, ""},
		{"list_documents", `{"pipeline":[{"$match":{"a":1}},{"$project":{"b":{"$mergeObjects":["$c","$d"]}}}]}`, ""},
		{"list_documents", `{"pipeline":"[{\"$match\":{\"a\":1}},{\"$replaceWith\":{\"$mergeObjects\":[\"$c\"]}}]"}`, ""},
		{"list_documents", `{"text":"write $out or $where"}`, ""},
		{"find", `{"filter":{"$where":"sleep(9)"}}`, "spawn/unknown"},
		{"find", `{"filter":{"$or":[{"a":1},{"$where":"sleep(9)"}]}}`, "spawn/unknown"},
		{"find", `{"filter":{"$expr":{"$function":{"body":"function(){}","args":[],"lang":"js"}}}}`, "spawn/unknown"},
		{"list_documents", `{"pipeline":[{"$group":{"_id":"$a","b":{"$accumulator":{"init":"function(){}"}}}}]}`, "spawn/unknown"},
		{"list_documents", `{"pipeline":[{"$match":{}},{"$out":"other"}]}`, "record/write"},
		{"list_documents", `{"pipeline":[{"$merge":{"into":"other"}}]}`, "record/write"},
		{"list_documents", `{"pipeline":"[{$match: {}}, {$merge: {into: 'other'}}]"}`, "record/write"},
		{"get_collection", `{"query":"[{\"$out\":\"other\"}]"}`, "record/write"},
	} {
		for _, hints := range []call.Hints{{}, {ReadOnly: true}} {
			var k gates.Checker
			c := k.Context(gates.Request{Tool: "mcp__x__" + tt.tool, Args: []byte(tt.args), Hints: hints}, gates.State{Cwd: "/w", Roots: []string{"/w"}})
			d := k.Check(&c, nil)
			if (d.Disposition == gates.Approved) != (tt.rule == "") || tt.rule != "" && !hasRule(d, tt.rule) {
				t.Errorf("%s %s %+v: %v %v", tt.tool, tt.args, hints, d.Disposition, d.Reasons)
			}
		}
	}
}
