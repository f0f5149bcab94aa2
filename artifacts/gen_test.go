package artifacts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// drawPolicy draws a policy that Check accepts: any shape of tree, any mix of
// profiles, texts with any valid characters, gates anywhere.
func drawPolicy(t *rapid.T) *Policy {
	p := &Policy{
		Name:     rapid.StringN(1, 8, 64).Draw(t, "name"),
		Sequence: rapid.Uint64Range(1, maxCount).Draw(t, "sequence"),
		Parent:   rapid.SampledFrom([]string{"", hexDigest("parent")}).Draw(t, "parent"),
		Encoder:  Encoder{ID: "static-1", Digest: hexDigest("encoder"), Dim: rapid.IntRange(1, 5).Draw(t, "dim")},
		Pack:     DefaultPack().Tighten(rapid.Int64Range(1, 60).Draw(t, "steps"), 1800, 2_000_000),
	}
	p.Params = drawParams(t)
	p.Guardrail = drawGuardrail(t)
	p.Gates = drawGates(t)
	drawFamilies(t, p)
	drawNodes(t, p)
	drawLeaves(t, p)
	drawRest(t, p)
	return p
}

func hexDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func drawParams(t *rapid.T) tree.Params {
	share := func(name string) tree.Milli { return tree.Milli(rapid.Int32Range(1, 1000).Draw(t, name)) }
	any := func(name string) tree.Milli { return tree.Milli(rapid.Int32().Draw(t, name)) }
	high := share("theta_high")
	return tree.Params{
		Profile:   rapid.SampledFrom([]string{tree.DefaultProfile, tree.ReferenceProfile}).Draw(t, "profile"),
		ThetaHigh: high, ThetaLow: min(high, share("theta_low")), Ambiguous: share("ambiguous"),
		ExploreBudget: 3, RouteAbstain: share("abstain"), RouteKeep: share("keep"), RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
		Alpha: 1000, Beta: 500, EnvCos: 800, Lambda: 500, MaxRecovery: 8, AllowedShare: share("allowed"),
		MaxChildren: rapid.Int32Range(1, 1<<31-1).Draw(t, "children"),
		Novelty:     300,
		RouteNear:   tree.Milli(rapid.Int32Range(0, 1000).Draw(t, "near")), RouteOffered: tree.Milli(rapid.Int32Range(0, 2000).Draw(t, "offered")),
		RouteWords: tree.Milli(rapid.Int32Range(0, 1000).Draw(t, "words")),
		Posterior:  [4]tree.Milli{any("bias"), any("similarity"), any("margin"), any("prior")},
	}
}

// drawSorted draws a sorted list of different texts that are not empty.
func drawSorted(t *rapid.T, name string, text *rapid.Generator[string]) []string {
	list := rapid.SliceOfN(text, 0, 4).Draw(t, name)
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return nil
	}
	return list
}

func drawGuardrail(t *rapid.T) Guardrail {
	text, host := rapid.StringN(1, 8, 40), rapid.StringMatching(`[a-z0-9.+_-]{1,12}`)
	g := Guardrail{Strict: rapid.Bool().Draw(t, "strict"), Roots: drawSorted(t, "roots", text)}
	g.Rules = gates.Guardrail{
		Profile:   gates.Profile(rapid.Uint8Range(0, 2).Draw(t, "profile")),
		Protected: drawSorted(t, "protected", text), Sensitive: drawSorted(t, "sensitive", text),
		Spawn: drawSorted(t, "spawn", text), DenySpawn: drawSorted(t, "deny", text),
	}
	for _, domain := range drawSorted(t, "domains", host) {
		e := gates.Egress{Domain: domain, Schemes: drawSorted(t, "schemes", host), Send: rapid.Bool().Draw(t, "send")}
		for n := rapid.Uint16Range(0, 3).Draw(t, "ports"); n > 0; n-- {
			e.Ports = append(e.Ports, 65535-1000*n)
		}
		g.Rules.Egress = append(g.Rules.Egress, e)
	}
	switch rapid.SampledFrom([]string{"", ContentSecrets, ContentOpenAI}).Draw(t, "classifier") {
	case ContentSecrets:
		g.Content = Content{Classifier: ContentSecrets}
	case ContentOpenAI:
		g.Content = Content{Classifier: ContentOpenAI, URL: "https://" + host.Draw(t, "server"), Model: text.Draw(t, "model"),
			KeyEnv: rapid.StringN(0, 8, 40).Draw(t, "key"), Timeout: rapid.Uint32Range(1, 600).Draw(t, "timeout")}
	}
	if g.Content.Set() {
		digest := rapid.SliceOfN(rapid.Byte(), 32, 32)
		g.Content.Answers, g.Content.Template = digest.Draw(t, "answers"), digest.Draw(t, "template")
	}
	g.Conditions = drawConditions(t)
	return g
}

func drawConditions(t *rapid.T) []gates.Condition {
	act := rapid.StringMatching(`[a-z]{1,3}`)
	one := rapid.Custom(func(t *rapid.T) gates.Condition {
		c := gates.Condition{End: rapid.Bool().Draw(t, "end"), Act: act.Draw(t, "act"), Advice: rapid.Bool().Draw(t, "advice"), Tasks: rapid.Uint32Range(7, 9).Draw(t, "tasks"), Held: 7}
		need := gates.Need{How: gates.HowDid, Act: act.Draw(t, "need")}
		if !c.End && rapid.Bool().Draw(t, "bound") {
			c.Arg = act.Draw(t, "arg")
			need = rapid.SampledFrom([]gates.Need{{How: gates.HowSame, Act: "a", Arg: "b"}, {How: gates.HowShown, Act: "c"}, {How: gates.HowSaid}}).Draw(t, "how")
		}
		c.Needs = []gates.Need{need}
		return c
	})
	list := rapid.SliceOfN(one, 0, 3).Draw(t, "conditions")
	slices.SortFunc(list, func(a, b gates.Condition) int { return gates.CompareConditions(&a, &b) })
	list = slices.CompactFunc(list, func(a, b gates.Condition) bool { return gates.CompareConditions(&a, &b) == 0 })
	if len(list) == 0 {
		return nil
	}
	return list
}

func drawGates(t *rapid.T) []Gate {
	var out []Gate
	for i := range rapid.IntRange(0, 6).Draw(t, "gates") {
		g := Gate{
			Scope:       rapid.SampledFrom([]string{ScopeGlobal, ScopeNode, ScopeSubtree}).Draw(t, "scope"),
			Disposition: rapid.SampledFrom([]string{DispositionReject, DispositionRevise, DispositionConsent}).Draw(t, "disposition"),
			Expr:        fmt.Sprintf("ctx.tool != %q", fmt.Sprint("tool", i)),
			Message:     rapid.StringN(0, 20, 80).Draw(t, "message"),
			Evidence:    Evidence{Unsafe: uint32(i), Benign: 300, Rejected: uint32(i)},
		}
		g.Program = compiled(g.Expr)
		g.ID = GateID(g.Scope, g.Disposition, g.Expr)
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Gate) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	return out
}

func drawVec(t *rapid.T, p *Policy) tree.Vec {
	if rapid.Bool().Draw(t, "no vector") {
		return nil
	}
	return rapid.SliceOfN(rapid.Int8(), p.Encoder.Dim, p.Encoder.Dim).Draw(t, "vector")
}

func drawFit(t *rapid.T, p *Policy) tree.Fit {
	n := rapid.Int32()
	return tree.Fit{Vec: drawVec(t, p), Gain: n.Draw(t, "gain"), Bias: n.Draw(t, "bias")}
}

func drawText(t *rapid.T, p *Policy) tree.Text {
	return tree.Text{Text: rapid.StringN(0, 20, 80).Draw(t, "text"), Vec: drawVec(t, p)}
}

func drawCount(t *rapid.T) tree.Count {
	n := rapid.Uint32()
	return tree.Count{Tasks: n.Draw(t, "tasks"), Success: n.Draw(t, "success"), Failure: n.Draw(t, "failure")}
}

// some returns a sorted subset of n numbers from first on.
func some(t *rapid.T, first, n, most int) []int32 {
	var out []int32
	for i := range n {
		if len(out) < most && rapid.Bool().Draw(t, "member") {
			out = append(out, int32(first+i))
		}
	}
	return out
}

func drawFamilies(t *rapid.T, p *Policy) {
	for i := range rapid.IntRange(1, 3).Draw(t, "families") {
		first := len(p.Tree.States)
		n := rapid.IntRange(1, 5).Draw(t, "states")
		f := tree.Family{
			Name: fmt.Sprint("family", i), Centroid: drawVec(t, p), Fit: drawFit(t, p), Tools: []string{"bash", "edit"},
			Prototypes: []tree.Text{drawText(t, p)}, Vocabulary: int32(n - 1),
			First: int32(first), Start: int32(first + rapid.IntRange(0, n-1).Draw(t, "start")),
			Common: some(t, first, n, tree.MaxCommon),
		}
		for range rapid.IntRange(0, 2).Draw(t, "exemplars") {
			f.Exemplars = append(f.Exemplars, drawVec(t, p))
		}
		for range rapid.IntRange(0, 2).Draw(t, "checks") {
			text := rapid.StringN(0, 20, 80)
			f.Proofs = append(f.Proofs, tree.Proof{Kind: tree.ProofKind(rapid.IntRange(1, 3).Draw(t, "kind")), Subject: text.Draw(t, "subject"),
				Place: text.Draw(t, "place"), Value: text.Draw(t, "value"), Passed: 3, Tasks: rapid.Uint32().Draw(t, "tasks"), Failed: 1, Against: 2})
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "fixes") {
			f.Fixes = append(f.Fixes, tree.Fix{Action: "a" + strconv.Itoa(i), Class: rapid.SampledFrom([]string{"", "absent", "exit 2"}).Draw(t, "class"), Does: "b", Worked: rapid.Uint32Range(1, 9).Draw(t, "worked"), Failed: rapid.Uint32().Draw(t, "failed")})
			f.Retries = append(f.Retries, tree.Retry{Action: "a" + strconv.Itoa(i), Most: rapid.Uint32Range(1, 9).Draw(t, "most"), Tasks: 4, Advice: rapid.Bool().Draw(t, "advice")})
		}
		p.Tree.Families = append(p.Tree.Families, f)
		for k := range n {
			p.Tree.States = append(p.Tree.States, drawState(t, p, i, k, first, n))
		}
	}
}

func drawState(t *rapid.T, p *Policy, family, k, first, n int) tree.State {
	s := tree.State{
		Family: int32(family), Key: fmt.Sprintf("write:file%d", k), Desc: rapid.StringN(0, 20, 80).Draw(t, "description"),
		Risk: uint8(k % 4), Delta: tree.Delta(k % 5), Generic: k == 2,
		Pre: tree.Pre{After: some(t, first, n, 2)}, Fit: drawFit(t, p), Count: drawCount(t),
	}
	for range k {
		s.Observed = rapid.Bool().Draw(t, "observed")
		s.Vecs = append(s.Vecs, drawVec(t, p))
		s.Tools = append(s.Tools, tree.Use{Name: fmt.Sprint("tool", len(s.Tools)), Calls: uint32(100 - len(s.Tools))})
		s.Pre.Tools = append(s.Pre.Tools, fmt.Sprint("tool", len(s.Pre.Tools)))
	}
	for _, to := range some(t, first, n, n) {
		s.Next = append(s.Next, tree.Edge{To: to, Count: drawCount(t)})
	}
	return s
}

// drawNodes grows a subtree for each family in preorder: the next node hangs
// from the last one or from one of its ancestors below the root.
func drawNodes(t *rapid.T, p *Policy) {
	p.Tree.Nodes = []tree.Node{{Parent: -1, State: -1}}
	for i := range p.Tree.Families {
		f := &p.Tree.Families[i]
		f.Node = int32(len(p.Tree.Nodes))
		p.Tree.Nodes = append(p.Tree.Nodes, drawNode(t, p, tree.Root, f.Start))
		spine := []int32{f.Node}
		for range rapid.IntRange(0, 8).Draw(t, "nodes") {
			spine = spine[:rapid.IntRange(1, len(spine)).Draw(t, "depth")]
			states := int32(len(p.Tree.States))
			if i+1 < len(p.Tree.Families) {
				states = p.Tree.Families[i+1].First
			}
			state := rapid.Int32Range(f.First, states-1).Draw(t, "state")
			p.Tree.Nodes = append(p.Tree.Nodes, drawNode(t, p, spine[len(spine)-1], state))
			spine = append(spine, int32(len(p.Tree.Nodes)-1))
		}
	}
}

func drawNode(t *rapid.T, p *Policy, parent, state int32) tree.Node {
	n := tree.Node{Parent: parent, State: state, Count: drawCount(t)}
	n.Gates = slices.Clone(p.Tree.Nodes[parent].Gates)
	for i := range p.Gates {
		g := &p.Gates[i]
		if g.Local() && !slices.Contains(n.Gates, g.ID) && rapid.IntRange(0, 3).Draw(t, "gate") == 0 {
			n.Gates = append(n.Gates, g.ID)
		}
	}
	sort.Strings(n.Gates)
	return n
}

func drawLeaves(t *rapid.T, p *Policy) {
	for _, n := range some(t, 1, len(p.Tree.Nodes)-1, 100) {
		l := tree.Leaf{Node: n, Count: 2, Env: rapid.SliceOfN(rapid.Int8(), 1, tree.EnvDims).Draw(t, "env")}
		l.Tasks = append(l.Tasks, drawText(t, p))
		l.Proofs = some(t, 0, len(p.Tree.Families[p.Tree.States[p.Tree.Nodes[n].State].Family].Proofs), 2)
		l.Decides = rapid.Bool().Draw(t, "decides")
		p.Tree.Leaves = append(p.Tree.Leaves, l)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "clusters") {
		p.Tree.Clusters = append(p.Tree.Clusters, tree.Cluster{Key: fmt.Sprint("write/1/", i), Count: drawCount(t)})
	}
}

func drawSchemas(t *rapid.T) []Schema {
	var out []Schema
	for _, name := range drawSorted(t, "schemas", rapid.StringMatching(`[a-z0-9_* ?]{0,5}[a-z]`)) {
		s := call.Schema{
			Tool: name, Family: call.Family(rapid.Uint8Range(1, 12).Draw(t, "family")), Verb: effect.Verb(rapid.Uint8Range(1, 11).Draw(t, "verb")),
			Resource: call.ResourceType(rapid.Uint8Range(0, 8).Draw(t, "resource")),
		}
		for _, arg := range drawSorted(t, "args", rapid.StringN(1, 5, 20)) {
			s.Args = append(s.Args, call.ArgSchema{Name: arg, Role: effect.Role(rapid.Uint8Range(1, 17).Draw(t, "role"))})
		}
		out = append(out, SchemaOf(&s))
	}
	return out
}

func drawRest(t *rapid.T, p *Policy) {
	count := rapid.Uint64Range(0, maxCount)
	p.Provenance = Provenance{
		Tool: "gbt test", Config: hexDigest("config"),
		Inputs: Inputs{Count: count.Draw(t, "inputs"), Root: MerkleRoot(nil), Layouts: []Tally{{"atif", 3}, {"openhands-v0", 1}}},
		Episodes: EpisodeCounts{Read: count.Draw(t, "read"), Used: 1, Success: 2, Failure: 3, Unsafe: 4,
			Skipped: 5, Malformed: 6},
	}
	p.Schemas = drawSchemas(t)
	p.Corpora = []CorpusRoot{{Name: "unsafe", Rows: count.Draw(t, "rows"), Root: hexDigest("rows")}}
	p.Report = []Metric{{Name: "coverage.episode", Value: tree.Milli(rapid.Int32().Draw(t, "metric"))}}
	for i := range rapid.IntRange(0, 4).Draw(t, "tasks") {
		p.TaskDigests = append(p.TaskDigests, TaskDigest(fmt.Sprint("task ", i)))
	}
	slices.SortFunc(p.TaskDigests, bytes.Compare)
}
