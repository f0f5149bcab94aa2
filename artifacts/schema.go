package artifacts

import (
	"sync"

	"github.com/gbt-policy/gbt/tree"
)

// sections are those of format version 1 in file order. FORMAT.md has the same
// list; order matters where one section names another's entries. They are made by
// whoever first opens or seals a policy.
var sections = sync.OnceValue(func() []section {
	return measured([]section{
		{tag: "META", typ: oneOf(metaRecord()), at: func(d *document) any { return d.p }},
		{tag: "PARM", typ: oneOf(paramsRecord()), at: func(d *document) any { return &d.p.Params }},
		{tag: "ENCO", typ: oneOf(encoderRecord()), at: func(d *document) any { return &d.p.Encoder }},
		{tag: "PACK", typ: oneOf(packRecord()), at: func(d *document) any { return &d.p.Pack }},
		{tag: "RAIL", typ: oneOf(railRecord()), at: func(d *document) any { return &d.p.Guardrail }, rules: true},
		{tag: "GATE", typ: many[Gate](gateRecord(), MaxGates), at: func(d *document) any { return &d.p.Gates }, rules: true},
		{tag: "SCHM", typ: many[Schema](schemaRecord(), MaxSchemas), at: func(d *document) any { return &d.p.Schemas }, rules: true, order: schemaOrder},
		{tag: "FAMS", typ: many[tree.Family](familyRecord(), tree.MaxFamilies), at: func(d *document) any { return &d.p.Tree.Families }},
		{tag: "STAT", typ: many[tree.State](stateRecord(), tree.MaxStates), at: func(d *document) any { return &d.p.Tree.States }},
		{tag: "NODE", typ: many[tree.Node](nodeRecord(), tree.MaxNodes), at: func(d *document) any { return &d.p.Tree.Nodes }},
		{tag: "LEAF", typ: many[tree.Leaf](leafRecord(), tree.MaxNodes), at: func(d *document) any { return &d.p.Tree.Leaves }},
		{tag: "CLUS", typ: many[tree.Cluster](clusterRecord(), maxClusters), at: func(d *document) any { return &d.p.Tree.Clusters }, order: clusterOrder},
		{tag: "PROV", typ: oneOf(provenanceRecord()), at: func(d *document) any { return &d.p.Provenance }},
		{tag: "CORP", typ: many[CorpusRoot](corpusRecord(), maxCorpora), at: func(d *document) any { return &d.p.Corpora }, order: corpusOrder},
		{tag: "REPT", typ: many[Metric](metricRecord(), maxMetrics), at: func(d *document) any { return &d.p.Report }, order: metricOrder},
		{tag: "TASK", typ: listOf("{16 bytes}*", MaxTaskDigests, walkTasks), at: func(d *document) any { return &d.p.TaskDigests }, order: taskOrder},
	})
})

// document is a policy on its way to or from bytes, with what is counted there.
type document struct {
	p        *Policy
	gateRefs int // gates of the nodes that add some of their own, so far
}
