package artifacts

import (
	"sort"
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
		{tag: "EPIS", typ: listOf("{bytes}*", maxEpisodes, walkEpisodes), at: func(d *document) any { return &d.episodes }, after: episodesOnce},
		{tag: "NODE", typ: many[tree.Node](nodeRecord(), tree.MaxNodes), at: func(d *document) any { return &d.p.Tree.Nodes }, after: episodesUsed},
		{tag: "LEAF", typ: many[tree.Leaf](leafRecord(), tree.MaxNodes), at: func(d *document) any { return &d.p.Tree.Leaves }},
		{tag: "CLUS", typ: many[tree.Cluster](clusterRecord(), maxClusters), at: func(d *document) any { return &d.p.Tree.Clusters }, order: clusterOrder},
		{tag: "PROV", typ: oneOf(provenanceRecord()), at: func(d *document) any { return &d.p.Provenance }},
		{tag: "CORP", typ: many[CorpusRoot](corpusRecord(), maxCorpora), at: func(d *document) any { return &d.p.Corpora }, order: corpusOrder},
		{tag: "REPT", typ: many[Metric](metricRecord(), maxMetrics), at: func(d *document) any { return &d.p.Report }, order: metricOrder},
		{tag: "TASK", typ: listOf("{16 bytes}*", MaxTaskDigests, walkTasks), at: func(d *document) any { return &d.p.TaskDigests }, order: taskOrder},
	})
})

// document is a policy on its way to or from bytes, with the tables that the
// file has and the policy has not.
type document struct {
	p        *Policy
	episodes []string // sorted, each used by a span
	used     []bool   // which of them a span has used so far
	gateRefs int      // gates of the nodes that add some of their own, so far
}

// newDocument prepares p for encoding.
func newDocument(p *Policy) *document {
	return &document{p: p, episodes: spanEpisodes(p.Tree.Nodes)}
}

// spanEpisodes returns the episodes that spans point to, sorted, each once.
func spanEpisodes(nodes []tree.Node) []string {
	seen := make(map[string]bool)
	var out []string
	for i := range nodes {
		for _, s := range nodes[i].Spans {
			if !seen[s.Episode] {
				seen[s.Episode] = true
				out = append(out, s.Episode)
			}
		}
	}
	sort.Strings(out)
	return out
}
