package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// documentOperators are what queries of document databases do beside reading: stages
// of a pipeline that write its result into a collection, and operators that run
// JavaScript (MongoDB 8.0 manual, "Aggregation Stages" and "Query Operators"). All
// others only read, or stand in an update, whose tool says that it is one.
var documentOperators = [...]struct {
	name string
	kind effect.Kind
	op   effect.Op
}{
	{"$out", effect.Write, effect.OpModify},
	{"$merge", effect.Write, effect.OpModify},
	{"$where", effect.Spawn, effect.OpRunUnknown},
	{"$function", effect.Spawn, effect.OpRunUnknown},
	{"$accumulator", effect.Spawn, effect.OpRunUnknown},
}

// documents adds what queries that are documents do, whatever the tool is called: a
// tool that finds or aggregates is as good as one that writes. It finds them as
// names in the arguments and in texts that are documents themselves.
func (b *builder) documents() {
	for _, o := range documentOperators {
		for i := range b.c.Args {
			if a := &b.c.Args[i]; hasSegment(a.Path, o.name) || isDocument(a.Value) && hasToken(a.Value, o.name) {
				b.add(effect.Effect{Kind: o.kind, Op: o.op, Zone: effect.ZoneRecord, Resource: o.name + " of " + b.call.Tool})
				break
			}
		}
	}
}

// hasSegment says whether a name stands on the way to an argument.
func hasSegment(path, name string) bool {
	for s := range strings.SplitSeq(path, ".") {
		if s == name {
			return true
		}
	}
	return false
}

// isDocument says whether a text is written as an object or a list.
func isDocument(v string) bool {
	v = strings.TrimLeft(v, " \t\r\n")
	return strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[")
}

// hasToken says whether a text has a name that no letter follows: $mergeObjects is
// another operator than $merge.
func hasToken(v, name string) bool {
	for {
		i := strings.Index(v, name)
		if i < 0 {
			return false
		}
		if v = v[i+len(name):]; v == "" || !isLetter(v[0]) {
			return true
		}
	}
}
