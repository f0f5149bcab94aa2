package artifacts

import (
	"slices"
	"sort"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
	"github.com/gbt-policy/gbt/tree"
)

// vec walks a quantised vector: one byte a dimension, two's complement.
func (c *codec) vec(v *tree.Vec) {
	if c.err != nil {
		return
	}
	if c.decoding() {
		*v = nil
		if b := c.take(binCode, maxDim); len(b) > 0 {
			to := c.space(len(b))
			for i := range to {
				to[i] = int8(b[i])
			}
			*v = to
		}
		return
	}
	b := make([]byte, len(*v))
	for i, x := range *v {
		b[i] = byte(x)
	}
	c.bin(&b, maxDim)
}

// space returns room for a vector. It takes memory in pieces of 64 KiB, or of
// what is left of the section where that is less: a policy has tens of
// thousands of vectors, and one allocation for each was a fifth of the time
// that opening took (BenchmarkOpen).
func (c *codec) space(n int) tree.Vec {
	if len(c.room) < n {
		c.room = make(tree.Vec, max(n, min(1<<16, c.in.left())))
	}
	v := c.room[:n:n]
	c.room = c.room[n:]
	return v
}

func textRecord() *record {
	return &record{rows: []row{
		{name: "text", typ: textType, at: func(v any) any { return &v.(*tree.Text).Text }},
		{name: "vector", typ: vectorType, at: func(v any) any { return &v.(*tree.Text).Vec }},
	}}
}

func fitRecord() *record {
	return &record{rows: []row{
		{name: "vector", typ: vectorType, at: func(v any) any { return &v.(*tree.Fit).Vec }},
		{name: "gain", typ: i32Type, at: func(v any) any { return &v.(*tree.Fit).Gain }},
		{name: "bias", typ: i32Type, at: func(v any) any { return &v.(*tree.Fit).Bias }},
	}}
}

// A family stands in front of the states and nodes it names: their limits are
// checked here, and that they are there by tree.Check.
func familyRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Name }},
		{name: "prototypes", typ: many[tree.Text](textRecord(), maxPrototypes), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Prototypes }},
		{name: "centroid", typ: vectorType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Centroid }},
		{name: "fit", typ: fitType(), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Fit }},
		{name: "tools", typ: namesTo(maxTools), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Tools }},
		{name: "first", typ: indexTo(tree.MaxStates), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).First }},
		{name: "start", typ: indexTo(tree.MaxStates), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Start }},
		{name: "node", typ: indexTo(tree.MaxNodes), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Node }},
		{name: "vocabulary", typ: rangeOf[int32](0, tree.MaxStates), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Vocabulary }},
		{name: "common", typ: indicesTo(tree.MaxCommon), loosens: field.Never, at: func(v any) any { return &v.(*tree.Family).Common }},
		{name: "exemplars", typ: listOf("{vector}*", tree.MaxExemplars, walkVectors), optional: true, loosens: field.Never,
			at:    func(v any) any { return &v.(*tree.Family).Exemplars },
			about: "tasks that the policy knows, as vectors alone: a task far from all of them is not routed."},
		{name: "checks", typ: many[tree.Proof](proofRecord(), tree.MaxProofs), optional: true, loosens: field.Never,
			at:    func(v any) any { return &v.(*tree.Family).Proofs },
			about: "completion checks mined from its runs, which leaves name. A place and a value are there of a call alone."},
		{name: "fixes", typ: many[tree.Fix](fixRecord(), tree.MaxFixes), optional: true, loosens: field.Never,
			at:    func(v any) any { return &v.(*tree.Family).Fixes },
			about: "what successful runs did when a call had failed, before the same check passed. It is said to who carries a run out, and decides nothing."},
		{name: "retries", typ: many[tree.Retry](retryRecord(), tree.MaxRetries), optional: true, loosens: field.Never,
			at:    func(v any) any { return &v.(*tree.Family).Retries },
			about: "how often an action may fail in a row before the run takes another way, or ends."},
	}}
}

// A check of kind 0 would be one that nobody can execute.
func proofRecord() *record {
	return &record{rows: []row{
		{name: "kind", typ: rangeOf[tree.ProofKind](1, int64(tree.ProofCall)), loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Kind },
			about: "1 a command line that ends with status 0, 2 a file that is there, 3 a tool that was called and did not fail."},
		{name: "subject", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Subject },
			about: "the command line, the path or the name of the tool. In templates `{file 2}` stands for the second file that a task names, and so `{identifier N}` and `{number N}`; `{task}` for any value that it names; `{{` for a brace."},
		{name: "place", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Place },
			about: "where the value stands: `args.` or `result.`, and the names of fields with dots between them."},
		{name: "value", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Value },
			about: "what must stand there, a template."},
		{name: "passed", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Passed },
			about: "tasks whose successful runs showed it, of as many as come next; failed are unsuccessful runs beside them that did not, of as many as come next; early are tasks in which it failed at first."},
		{name: "tasks", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Tasks }},
		{name: "failed", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Failed }},
		{name: "against", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Against }},
		{name: "early", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Proof).Early }},
	}}
}

func fixRecord() *record {
	return &record{rows: []row{
		{name: "action", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Fix).Action },
			about: "of the call that failed."},
		{name: "class", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Fix).Class },
			about: "how it failed: `timeout`, `module`, `command`, `syntax`, `denied`, `exists`, `absent`, `connection`, `assertion`, `argument`, `limit`, `exit N` with its status, `other`, or empty for anyhow. A reader that cannot tell classes apart takes the fixes of the empty one."},
		{name: "does", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Fix).Does },
			about: "the action to do before trying again; that of the call for the call in another form."},
		{name: "worked", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Fix).Worked },
			about: "tasks with a successful run that did it, tried again and passed, at least 1; failed are tasks with a run that did it, tried again and failed."},
		{name: "failed", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Fix).Failed }},
	}}
}

func retryRecord() *record {
	return &record{rows: []row{
		{name: "action", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Retry).Action }},
		{name: "most", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Retry).Most },
			about: "failures in a row that a successful run had at most, or 1: with one more the run takes a way of recovery, or ends."},
		{name: "tasks", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Retry).Tasks },
			about: "tasks with a successful run that did the action, at least 1."},
		{name: "advice", typ: boolType, optional: true, loosens: field.Never, at: func(v any) any { return &v.(*tree.Retry).Advice },
			about: "the bound ends no run."},
	}}
}

func stateRecord() *record {
	return &record{rows: []row{
		{name: "family", typ: typ{text: "index", size: 1, walk: walkFamily}, loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Family }},
		{name: "key", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Key }},
		{name: "description", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Desc }},
		{name: "risk", typ: rangeOf[uint8](0, effect.MaxRisk), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Risk }},
		{name: "delta", typ: rangeOf[tree.Delta](0, 1<<8-1), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Delta }},
		{name: "generic", typ: boolType, loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Generic }},
		{name: "tools", typ: many[tree.Use](useRecord(), maxTools), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Tools }},
		{name: "vectors", typ: listOf("{vector}*", tree.MaxVecs, walkVectors), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Vecs }},
		{name: "fit", typ: fitType(), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Fit }},
		{name: "next", typ: many[tree.Edge](edgeRecord(), tree.MaxStates), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Next }},
		{name: "after", typ: indicesTo(tree.MaxStates), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Pre.After }},
		{name: "needs", typ: namesTo(maxTools), loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Pre.Tools }},
		{name: "evidence", typ: evidenceType, loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Count }},
		{name: "observed", typ: boolType, optional: true, loosens: field.Never, at: func(v any) any { return &v.(*tree.State).Observed },
			about: "the logs show the state's change; where it is absent, only the name of its action says so."},
	}}
}

func useRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, at: func(v any) any { return &v.(*tree.Use).Name }},
		{name: "calls", typ: u32Type, at: func(v any) any { return &v.(*tree.Use).Calls }},
	}}
}

func edgeRecord() *record {
	return &record{rows: []row{
		{name: "state", typ: indexTo(tree.MaxStates), at: func(v any) any { return &v.(*tree.Edge).To }},
		{name: "evidence", typ: evidenceType, at: func(v any) any { return &v.(*tree.Edge).Count }},
	}}
}

func walkVectors(c *codec, t *typ, p any) { list(c, p.(*[]tree.Vec), int(t.most), 2, (*codec).vec) }

func walkFamily(c *codec, _ *typ, p any) { c.index(p.(*int32), len(c.d.p.Tree.Families)) }

func walkNode(c *codec, _ *typ, p any) { c.index(p.(*int32), len(c.d.p.Tree.Nodes)) }

// A node's gates are its parent's and its own, so a file can't hold a node that
// lacks a gate of its parent.
func nodeRecord() *record {
	return &record{rows: []row{
		{name: "parent", typ: typ{text: "index", size: 1, walk: walkParent}, loosens: field.Never, at: func(v any) any { return &v.(*tree.Node).Parent }},
		{name: "state", typ: typ{text: "index", size: 1, walk: walkNodeState}, loosens: field.Never, at: func(v any) any { return &v.(*tree.Node).State }},
		{name: "own gates", typ: typ{text: "{index}*", size: 1, walk: walkOwnGates}, loosens: field.Never, at: func(v any) any { return v }},
		{name: "evidence", typ: evidenceType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Node).Count }},
	}}
}

// walkParent walks the parent of a node, which stands before it.
func walkParent(c *codec, _ *typ, p any) {
	i := int64(c.path[0])
	integer(c, p.(*int32), min(0, i-1), i-1)
}

// walkNodeState walks the state of a node; the root has none.
func walkNodeState(c *codec, _ *typ, p any) {
	if c.path[0] == tree.Root {
		integer(c, p.(*int32), -1, -1)
	} else {
		c.index(p.(*int32), len(c.d.p.Tree.States))
	}
}

// walkOwnGates walks the gates that a node has and its parent has not, as indices
// into the gate section.
func walkOwnGates(c *codec, _ *typ, p any) {
	if c.err != nil {
		return
	}
	d, n := c.d, p.(*tree.Node)
	var inherited []string
	if n.Parent >= 0 {
		inherited = d.p.Tree.Nodes[n.Parent].Gates
	}
	var own []int32
	if !c.decoding() {
		own = c.gateIndices(d, n.Gates, inherited)
	}
	list(c, &own, maxNodeGates, 1, func(c *codec, g *int32) { c.index(g, len(d.p.Gates)) })
	if c.err != nil {
		return
	}
	if len(own) == 0 {
		if c.decoding() {
			n.Gates = inherited // shared: decoded values are never written to
		}
		return
	}
	if d.gateRefs += len(inherited) + len(own); d.gateRefs > maxGateRefs {
		c.fail("more than %d gates of nodes", maxGateRefs)
	}
	if len(inherited)+len(own) > maxNodeGates {
		c.fail("node with more than %d gates", maxNodeGates)
	}
	if c.decoding() && c.err == nil {
		n.Gates = c.merged(d, inherited, own)
	}
}

// gateIndices returns the places of the gates that are not inherited.
func (c *codec) gateIndices(d *document, gates, inherited []string) []int32 {
	var own []int32
	for _, id := range gates {
		if _, ok := slices.BinarySearch(inherited, id); ok {
			continue
		}
		k := sort.Search(len(d.p.Gates), func(k int) bool { return d.p.Gates[k].ID >= id })
		if k == len(d.p.Gates) || d.p.Gates[k].ID != id {
			c.fail("gate %.80q is not in the policy", id)
			return nil
		}
		own = append(own, int32(k))
	}
	return own
}

// merged returns inherited and own gates, sorted, and refuses a gate that
// stands twice or out of order.
func (c *codec) merged(d *document, inherited []string, own []int32) []string {
	out := make([]string, 0, len(inherited)+len(own))
	out = append(out, inherited...)
	for i, k := range own {
		if _, ok := slices.BinarySearch(inherited, d.p.Gates[k].ID); ok || i > 0 && own[i-1] >= k {
			c.fail("a node's own gates are not sorted, or it has one of them from its parent")
		}
		out = append(out, d.p.Gates[k].ID)
	}
	slices.Sort(out)
	return out
}

func leafRecord() *record {
	return &record{rows: []row{
		{name: "node", typ: typ{text: "index", size: 1, walk: walkNode}, loosens: field.Never, at: func(v any) any { return &v.(*tree.Leaf).Node }},
		{name: "tasks", typ: many[tree.Text](textRecord(), tree.MaxLeafTasks), loosens: field.Never, at: func(v any) any { return &v.(*tree.Leaf).Tasks }},
		{name: "environment", typ: vectorType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Leaf).Env }},
		{name: "count", typ: u32Type, loosens: field.Never, at: func(v any) any { return &v.(*tree.Leaf).Count },
			about: "episodes that ended here. No decision reads it: reviewers are shown it, and a policy that is evolved from this one counts on."},
		{name: "checks", typ: indicesTo(tree.MaxLeafProofs), optional: true, loosens: field.Never, at: func(v any) any { return &v.(*tree.Leaf).Proofs },
			about: "which of its family's completion checks a run that ends here must pass to be DONE where its task names none: strictly increasing."},
		{name: "decides", typ: boolType, optional: true, loosens: field.Never, at: func(v any) any { return &v.(*tree.Leaf).Decides },
			about: "in the logs these checks tell the runs that succeeded from the others, so that a run which passes them is DONE; else only a check that failed before anything was done makes it so."},
	}}
}

func clusterRecord() *record {
	return &record{rows: []row{
		{name: "key", typ: textType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Cluster).Key }},
		{name: "evidence", typ: evidenceType, loosens: field.Never, at: func(v any) any { return &v.(*tree.Cluster).Count }},
	}}
}

func clusterOrder(c *checker) {
	increasing(c, "cluster", c.p.Tree.Clusters, func(k tree.Cluster) string { return k.Key })
}
