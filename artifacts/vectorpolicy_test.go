package artifacts

import (
	"bytes"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// broken is a case whose values are all well formed and whose policy is not.
// condition is a policy with a fault in its conditions.
func condition(name, comment string, change func(list []gates.Condition)) vector {
	return broken(name, comment, func(p *Policy) {
		p.Guardrail.Conditions = sampleConditions()
		change(p.Guardrail.Conditions)
	})
}

func broken(name, comment string, edit func(*Policy)) vector {
	p := sample()
	edit(p)
	return plain(StepPolicy, name, comment, must(p))
}

// checked gives a family two completion checks, and a leaf of it some.
func checked(t *tree.Tree, list ...int32) {
	t.Families[1].Proofs = []tree.Proof{
		{Kind: tree.ProofCommand, Subject: "make test", Passed: 5, Tasks: 6, Failed: 1, Against: 2, Early: 3},
		{Kind: tree.ProofCall, Subject: "send_reply", Place: "args.to", Value: "{task}", Passed: 4, Tasks: 4, Failed: 4, Against: 9},
	}
	t.Leaves[0].Proofs = list
}

// fixed gives a family two known fixes and two retry bounds.
func fixed(t *tree.Tree) {
	t.Families[1].Fixes = []tree.Fix{
		{Action: "send", Class: "absent", Does: "find", Worked: 5, Failed: 1},
		{Action: "send", Class: "absent", Does: "send", Worked: 6},
	}
	t.Families[1].Retries = []tree.Retry{{Action: "find", Most: 1, Tasks: 5, Advice: true}, {Action: "send", Most: 3, Tasks: 40}}
}

func policyVectors() []vector {
	setting := func(name, comment string, edit func(*tree.Params)) vector {
		return broken("setting-"+name, comment, func(p *Policy) { edit(&p.Params) })
	}
	gate := func(name, comment string, edit func(*Gate)) vector {
		return broken("gate-"+name, comment, func(p *Policy) {
			// The last one by id, given an id that stays last whatever it was.
			edit(&p.Gates[0])
			p.Gates = p.Gates[:1]
			for i := range p.Tree.Nodes {
				p.Tree.Nodes[i].Gates = nil
			}
		})
	}
	schema := func(name, comment, old, new string) vector {
		return broken(name, comment, func(p *Policy) {
			for i := range p.Schemas {
				if bytes.Contains(p.Schemas[i].Data, []byte(old)) {
					p.Schemas[i].Data = bytes.ReplaceAll(p.Schemas[i].Data, []byte(old), []byte(new))
					return
				}
			}
			panic("no schema holds " + old)
		})
	}
	return []vector{
		broken("no-name", "a policy without a name", func(p *Policy) { p.Name = "" }),
		broken("no-encoder", "an encoder without an id", func(p *Policy) { p.Encoder.ID = "" }),
		broken("no-tool", "no tool named", func(p *Policy) { p.Provenance.Tool = "" }),
		setting("profile", "an unknown profile", func(p *tree.Params) { p.Profile = "fast" }),
		setting("no-profile", "no profile", func(p *tree.Params) { p.Profile = "" }),
		setting("missing", "a threshold of 0", func(p *tree.Params) { p.RouteAbstain = 0 }),
		setting("large", "a threshold above 1", func(p *tree.Params) { p.ThetaHigh = 1001 }),
		setting("crossed", "theta_low above theta_high", func(p *tree.Params) { p.ThetaLow = p.ThetaHigh + 1 }),
		setting("route-every", "routing every 0 steps", func(p *tree.Params) { p.RouteEvery = 0 }),
		setting("route-keep", "families kept open from 0 on", func(p *tree.Params) { p.RouteKeep = 0 }),
		setting("max-children", "no children at all", func(p *tree.Params) { p.MaxChildren = 0 }),
		setting("lambda", "a negative lambda", func(p *tree.Params) { p.Lambda = -1 }),
		gate("scope", "an unknown scope", func(g *Gate) { g.Scope = "family" }),
		gate("disposition", "a disposition that lets calls pass", func(g *Gate) { g.Disposition = "approved" }),
		gate("no-expression", "no expression", func(g *Gate) { g.Expr = "" }),
		gate("no-program", "no program", func(g *Gate) { g.Program = nil }),
		gate("program-version", "a program of another version", func(g *Gate) { g.Program[0] = 2 }),
		gate("program-ends", "a program that ends early", func(g *Gate) { g.Program = g.Program[:len(g.Program)-1] }),
		gate("program-more", "a byte after the program", func(g *Gate) { g.Program = append(g.Program, 1) }),
		gate("program-operation", "operation 0", func(g *Gate) { g.Program = []byte{1, 0, 0} }),
		gate("program-type", "a program that is an int", func(g *Gate) { g.Program = []byte{1, 0, 5, 2} }),
		gate("program-operand", "not of a string", func(g *Gate) { g.Program = []byte{1, 1, 1, 'a', 6, 4, 0} }),
		gate("program-field", "a field that ctx does not have", func(g *Gate) { g.Program = []byte{1, 0, 3, 0, 36} }),
		gate("program-variable", "a variable that is not in scope", func(g *Gate) { g.Program = []byte{1, 0, 3, 1, 36} }),
		gate("program-texts", "a string that no operation uses", func(g *Gate) { g.Program = []byte{1, 1, 1, 'a', 1} }),
		gate("program-order", "strings in the wrong order", func(g *Gate) { g.Program = []byte{1, 2, 1, 'b', 1, 'a', 9, 4, 0, 4, 1} }),
		gate("program-utf8", "a string that is not UTF-8", func(g *Gate) { g.Program = []byte{1, 1, 1, 0xff, 9, 4, 0, 4, 0} }),
		gate("program-number", "a number that is longer than it has to be", func(g *Gate) { g.Program = []byte{1, 0, 12, 5, 0x82, 0, 5, 2} }),
		gate("program-and", "a conjunction of one", func(g *Gate) { g.Program = []byte{1, 0, 7, 1, 1} }),
		gate("program-set", "a list of constants in the wrong order", func(g *Gate) { g.Program = []byte{1, 0, 16, 2, 4, 2, 5, 2} }),
		gate("program-pattern", "a pattern that is not RE2", func(g *Gate) { g.Program = []byte{1, 1, 1, '(', 21, 0, 3, 0, 1} }),
		gate("program-quantifiers", "three quantifiers inside each other", func(g *Gate) { g.Program = []byte{1, 0, 26, 0, 13, 26, 0, 13, 26, 0, 13, 1} }),
		gate("program-depth", "33 operations above one", func(g *Gate) {
			g.Program = append(append([]byte{1, 0}, bytes.Repeat([]byte{6}, 33)...), 1)
		}),
		gate("evidence", "rejects more benign contexts than there are", func(g *Gate) { g.Evidence = Evidence{0, 1, 2} }),
		broken("gate-order", "gates in the wrong order", func(p *Policy) {
			slices.Reverse(p.Gates)
			for i := range p.Tree.Nodes {
				p.Tree.Nodes[i].Gates = nil
			}
		}),
		broken("gate-twice", "one gate twice", func(p *Policy) { p.Gates = slices.Insert(p.Gates, 2, p.Gates[2]) }),
		broken("gate-global-at-node", "a node that names a global gate", func(p *Policy) {
			for _, g := range p.Gates {
				if g.Scope == ScopeGlobal {
					p.Tree.Nodes[5].Gates = []string{g.ID}
				}
			}
		}),
		broken("vector-length", "a vector of a state with too few dimensions", func(p *Policy) { p.Tree.States[1].Vecs[0] = tree.Vec{1} }),
		broken("vector-length-family", "a centroid with too many dimensions", func(p *Policy) { p.Tree.Families[1].Centroid = make(tree.Vec, 5) }),
		broken("vector-length-leaf", "a leaf's vector with too many dimensions", func(p *Policy) { p.Tree.Leaves[0].Tasks[0].Vec = make(tree.Vec, 5) }),
		broken("vector-length-fit", "a state's fit with too few dimensions", func(p *Policy) { p.Tree.States[1].Fit.Vec = tree.Vec{1} }),
		broken("vector-length-family-fit", "a family's fit with too many dimensions", func(p *Policy) { p.Tree.Families[1].Fit.Vec = make(tree.Vec, 5) }),
		broken("rail-roots-order", "workspace roots in the wrong order", func(p *Policy) { p.Guardrail.Roots = []string{"/b", "/a"} }),
		broken("rail-twice", "one protected path twice", func(p *Policy) { p.Guardrail.Rules.Protected = []string{"/a", "/a"} }),
		broken("rail-sensitive-order", "sensitive paths in the wrong order", func(p *Policy) { slices.Reverse(p.Guardrail.Rules.Sensitive) }),
		broken("rail-empty", "a program without a name", func(p *Policy) { p.Guardrail.Rules.DenySpawn = []string{""} }),
		broken("rail-spawn-order", "programs in the wrong order", func(p *Policy) { p.Guardrail.Rules.Spawn = []string{"b", "a"} }),
		broken("rail-egress-order", "egress rules in the wrong order", func(p *Policy) { slices.Reverse(p.Guardrail.Rules.Egress) }),
		broken("rail-schemes-order", "schemes in the wrong order", func(p *Policy) { p.Guardrail.Rules.Egress[0].Schemes = []string{"https", "http"} }),
		broken("rail-ports-order", "ports in the wrong order", func(p *Policy) { p.Guardrail.Rules.Egress[0].Ports = []uint16{8443, 443} }),
		broken("rail-domain-case", "a domain with a capital", func(p *Policy) { p.Guardrail.Rules.Egress[1].Domain = "Example.net" }),
		broken("rail-scheme-case", "a scheme with a colon", func(p *Policy) { p.Guardrail.Rules.Egress[0].Schemes = []string{"https:"} }),
		broken("rail-content-kind", "a classifier that nobody knows", func(p *Policy) { p.Guardrail.Content = sampleContent(); p.Guardrail.Content.Classifier = "oracle" }),
		broken("rail-content-url", "a classifier's server without a scheme", func(p *Policy) { p.Guardrail.Content = sampleContent(); p.Guardrail.Content.URL = "h.example" }),
		broken("rail-content-model", "a server without a model", func(p *Policy) { p.Guardrail.Content = sampleContent(); p.Guardrail.Content.Model = "" }),
		broken("rail-content-secrets", "the built-in classifier with a server", func(p *Policy) {
			p.Guardrail.Content = sampleContent()
			p.Guardrail.Content.Classifier = ContentSecrets
		}),
		broken("rail-imports-order", "modules in the wrong order", func(p *Policy) { p.Guardrail.Rules.Imports = []string{"b", "a"} }),
		broken("rail-imports-name", "a module's name with a blank", func(p *Policy) { p.Guardrail.Rules.Imports = []string{"a b"} }),
		broken("rail-imports-node", "a module of JavaScript by a path", func(p *Policy) { p.Guardrail.Rules.Imports = []string{"node:./a"} }),
		broken("rail-imports-digit", "a module's name that begins with a digit", func(p *Policy) { p.Guardrail.Rules.Imports = []string{"a.1b"} }),
		broken("rail-imports-none", "the list without a module beside one", func(p *Policy) { p.Guardrail.Rules.Imports = []string{"a", "none"} }),
		condition("rail-condition-order", "conditions in the wrong order", func(list []gates.Condition) { list[1], list[2] = list[2], list[1] }),
		condition("rail-condition-twice", "one condition twice", func(list []gates.Condition) { list[3] = list[2] }),
		condition("rail-condition-nothing", "a condition that needs nothing", func(list []gates.Condition) { list[2].Needs = nil }),
		condition("rail-condition-any", "a condition about no call", func(list []gates.Condition) { list[0].Arg = "" }),
		condition("rail-condition-end", "a condition on ends that is about an argument", func(list []gates.Condition) { list[3].Arg = "id" }),
		condition("rail-condition-need", "a need about an argument in a condition about none", func(list []gates.Condition) { list[2].Needs[0].How = gates.HowShown }),
		condition("rail-condition-said", "words of the user's that a tool says", func(list []gates.Condition) { list[1].Needs[1].Act = "view" }),
		condition("rail-condition-same", "the same value of no argument", func(list []gates.Condition) { list[1].Needs[0].Arg = "" }),
		condition("rail-condition-needs", "needs in the wrong order", func(list []gates.Condition) { slices.Reverse(list[3].Needs) }),
		condition("rail-condition-held", "a condition that held more often than it was seen", func(list []gates.Condition) { list[2].Held = 32 }),
		broken("schema-name", "a tool schema under another name", func(p *Policy) { p.Schemas[0].Name = "read_tickets" }),
		schema("schema-space", "a tool schema with a space in it", `"args":[]`, `"args": []`),
		schema("schema-order", "keys of a tool schema in another order", `"family":"app","verb":"read"`, `"verb":"read","family":"app"`),
		schema("schema-role", "an unknown role", `"role":"recipient"`, `"role":"receiver"`),
		schema("schema-no-role", "an argument without a role", `"role":"recipient"`, `"role":""`),
		schema("schema-family", "the unknown family", `"family":"app"`, `"family":"unknown"`),
		schema("schema-verb", "the unknown verb", `"verb":"read"`, `"verb":"unknown"`),
		schema("schema-lang", "a language of an argument that is no code", `"role":"recipient","lang":""`, `"role":"recipient","lang":"node"`),
		schema("schema-escape", "an escape that is not needed", `"script"`, `"\u0073cript"`),
		schema("schema-newline", "a line break escaped in another way", `\u000a`, `\n`),
		schema("schema-args-order", "arguments in the wrong order", `"name":"script"`, `"name":"tz"`),
		schema("schema-cut", "a tool schema that ends early", `"args":[]}`, `"args":[]`),
		broken("schema-capital", "a tool schema for a name that no tool has", func(p *Policy) {
			p.Schemas[0] = Schema{"Read_ticket", bytes.ReplaceAll(p.Schemas[0].Data, []byte("read_ticket"), []byte("Read_ticket"))}
		}),
		broken("schema-every", "a tool schema for every tool", func(p *Policy) {
			p.Schemas[0] = Schema{"*", bytes.ReplaceAll(p.Schemas[0].Data, []byte("read_ticket"), []byte("*"))}
		}),
		broken("schemas-order", "tool schemas in the wrong order", func(p *Policy) { slices.Reverse(p.Schemas) }),
		broken("layouts-order", "layouts in the wrong order", func(p *Policy) { slices.Reverse(p.Provenance.Inputs.Layouts) }),
		broken("corpora-order", "corpora in the wrong order", func(p *Policy) { slices.Reverse(p.Corpora) }),
		broken("report-twice", "one metric twice", func(p *Policy) { p.Report[1].Name = p.Report[0].Name }),
		broken("report-no-name", "a metric without a name", func(p *Policy) { p.Report[0].Name = "" }),
		broken("tasks-order", "task digests in the wrong order", func(p *Policy) { slices.Reverse(p.TaskDigests) }),
		broken("clusters-order", "clusters in the wrong order", func(p *Policy) { slices.Reverse(p.Tree.Clusters) }),
	}
}

func treeVectors() []vector {
	t := func(name, comment string, edit func(*tree.Tree)) vector {
		return broken("tree-"+name, comment, func(p *Policy) { edit(&p.Tree) })
	}
	return []vector{
		t("empty", "no nodes, not even a root", func(t *tree.Tree) { *t = tree.Tree{} }),
		t("families-order", "families in the wrong order", func(t *tree.Tree) { t.Families[0].Name = "zzz" }),
		t("family-start", "a family that starts in a state of another", func(t *tree.Tree) { t.Families[1].Start = 0 }),
		t("family-first", "a family whose first state is not the first", func(t *tree.Tree) { t.Families[1].First = 2 }),
		t("family-node", "a family whose node is not a child of the root", func(t *tree.Tree) { t.Families[1].Node = 3 }),
		t("family-common", "a common state of another family", func(t *tree.Tree) { t.Families[1].Common[0] = 0 }),
		t("family-tools", "a family's tools in the wrong order", func(t *tree.Tree) { slices.Reverse(t.Families[1].Tools) }),
		t("states-order", "states in the wrong order", func(t *tree.Tree) { t.States[1].Key = "zzz" }),
		t("states-twice", "two states of one key in the default profile", func(t *tree.Tree) { t.States[3].Key = "send:any" }),
		t("delta", "an unknown kind of change", func(t *tree.Tree) { t.States[1].Delta = 200 }),
		t("edge-out", "a successor in another family", func(t *tree.Tree) { t.States[1].Next[0].To = 0 }),
		t("edge-none", "a successor that is not there", func(t *tree.Tree) { t.States[1].Next[0].To = 99 }),
		t("edge-twice", "one successor twice", func(t *tree.Tree) { t.States[1].Next = append(t.States[1].Next, t.States[1].Next[0]) }),
		t("after-out", "a precondition in another family", func(t *tree.Tree) { t.States[4].Pre.After[0] = 0 }),
		t("after-order", "a precondition in the wrong order", func(t *tree.Tree) { t.States[4].Pre.After = []int32{2, 1} }),
		t("needs-order", "needed tools in the wrong order", func(t *tree.Tree) { t.States[4].Pre.Tools = []string{"b", "a"} }),
		t("first-layer", "a child of the root that is no family's node", func(t *tree.Tree) { t.Nodes[5].Parent = 0 }),
		t("node-family", "a node of another family than its parent", func(t *tree.Tree) { t.Nodes[5].State = 0 }),
		t("preorder", "nodes not in preorder", func(t *tree.Tree) {
			t.Nodes = append(t.Nodes, tree.Node{Parent: 3, State: 4, Gates: t.Nodes[3].Gates})
		}),
		t("depth", "a path longer than 512 nodes", func(t *tree.Tree) {
			for i := range int32(512) {
				t.Nodes = append(t.Nodes, tree.Node{Parent: 5 + i, State: 4})
			}
		}),
		t("leaf-root", "a leaf at the root", func(t *tree.Tree) { t.Leaves[0].Node = 0 }),
		t("leaf-twice", "two leaves at one node", func(t *tree.Tree) { t.Leaves[1].Node = 4 }),
		t("leaf-checks-order", "checks of a leaf that are not sorted", func(t *tree.Tree) { checked(t, 1, 0) }),
		t("leaf-checks-twice", "a check twice at a leaf", func(t *tree.Tree) { checked(t, 1, 1) }),
		t("leaf-checks-out", "a check that the leaf's family has not", func(t *tree.Tree) { checked(t, 2) }),
		t("fixes-order", "known fixes that are not sorted", func(t *tree.Tree) {
			fixed(t)
			slices.Reverse(t.Families[1].Fixes)
		}),
		t("fixes-twice", "a known fix twice", func(t *tree.Tree) {
			fixed(t)
			t.Families[1].Fixes[1].Does = "find"
		}),
		t("fixes-nothing", "a known fix that does nothing", func(t *tree.Tree) {
			fixed(t)
			t.Families[1].Fixes[0].Does = ""
		}),
		t("fixes-unseen", "a known fix that worked in no task", func(t *tree.Tree) {
			fixed(t)
			t.Families[1].Fixes[0].Worked = 0
		}),
		t("retries-order", "retry bounds that are not sorted", func(t *tree.Tree) {
			fixed(t)
			slices.Reverse(t.Families[1].Retries)
		}),
		t("retries-zero", "a retry bound of 0", func(t *tree.Tree) {
			fixed(t)
			t.Families[1].Retries[1].Most = 0
		}),
		t("retries-unseen", "a retry bound of no task", func(t *tree.Tree) {
			fixed(t)
			t.Families[1].Retries[1].Tasks = 0
		}),
		t("retries-action", "a retry bound of no action", func(t *tree.Tree) {
			fixed(t)
			t.Families[1].Retries[0].Action = ""
		}),
		t("leaf-checks-other", "a check that another family has", func(t *tree.Tree) {
			checked(t, 0)
			t.Families[0].Proofs, t.Families[1].Proofs = t.Families[1].Proofs, nil
		}),
	}
}
