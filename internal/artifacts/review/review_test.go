package review

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/artifacts/review/seeded"
	"github.com/gbt-policy/gbt/tree"
)

var update = flag.Bool("update", false, "write the golden files anew")

// vector opens a file of the format's vectors without keys.
func vector(t testing.TB, name string) (*artifacts.Policy, *artifacts.Info) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "artifacts", "testdata", "vectors", name+".gbt"))
	if err != nil {
		t.Fatal(err)
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	return p, info
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got\n%s", file, got)
	}
}

func TestGoldenText(t *testing.T) {
	for _, c := range []struct {
		file, vector string
		opts         Options
	}{
		{"minimal.txt", "good-minimal", Options{}},
		{"sample.txt", "good-sample-signed", Options{}},
		{"sample-stats.txt", "good-sample", Options{Stats: true}},
		{"sample-family.txt", "good-sample", Options{Family: "notes"}},
		{"reference.txt", "good-reference", Options{}},
		{"text.txt", "good-text", Options{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			p, info := vector(t, c.vector)
			d, err := New(p, info, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, c.file, d.Text())
			checkGrammar(t, d.Text())
		})
	}
}

// checkGrammar holds a text to the grammar of TEXT.md.
func checkGrammar(t *testing.T, text []byte) {
	t.Helper()
	value := `("([^"\\]|\\.)*"|[^\s"]+)`
	head := regexp.MustCompile(`^[a-z]+( ` + value + `)*$`)
	field := regexp.MustCompile(`^  ` + value + `( ` + value + `)*$`)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] != "gbt policy text 1" || !bytes.HasSuffix(text, []byte("\n")) {
		t.Errorf("first line %q", lines[0])
	}
	for i, line := range lines[1:] {
		ok := line == "" || field.MatchString(line)
		if lines[i] == "" {
			ok = head.MatchString(line)
		}
		if !ok {
			t.Errorf("line %d is not of the grammar: %q", i+2, line)
		}
	}
}

func TestUnknownFamily(t *testing.T) {
	p, info := vector(t, "good-sample")
	if _, err := New(p, info, Options{Family: "none"}); err == nil {
		t.Error("no error")
	}
}

// TestJSONHasNoNulls: consumers in typed languages want lists to be lists.
func TestJSONHasNoNulls(t *testing.T) {
	for _, name := range []string{"good-minimal", "good-sample"} {
		p, info := vector(t, name)
		d, err := New(p, info, Options{Stats: true})
		if err != nil {
			t.Fatal(err)
		}
		same := Compare(p, p, info, info)
		for _, v := range []any{d, same} {
			b, err := json.Marshal(v)
			if err != nil || bytes.Contains(b, []byte("null")) {
				t.Errorf("%s: error %v in %s", name, err, b)
			}
		}
	}
}

// TestIDsAreStable adds a state, a family and nodes in front of what is there:
// no id of the rest changes.
func TestIDsAreStable(t *testing.T) {
	p, _ := vector(t, "good-sample")
	before := nameAll(p)
	q, _ := vector(t, "good-sample")
	seeded.Grow(q)
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	after := nameAll(q)
	for i := range before.states {
		if i > 0 && !slices.Contains(after.states, before.states[i]) {
			t.Errorf("state %d has another id", i)
		}
	}
	for i := range before.nodes {
		if !slices.Contains(after.nodes, before.nodes[i]) {
			t.Errorf("node %d has another id", i)
		}
	}
	for _, n := range []*names{before, after} {
		all := slices.Concat(n.states, n.nodes)
		seen := make(map[id]bool)
		for _, x := range all {
			if seen[x] {
				t.Errorf("id %s stands for two things", x)
			}
			seen[x] = true
		}
	}
}

// TestReferenceIDs: in the reference profile two states of one key have two ids,
// even with one description.
func TestReferenceIDs(t *testing.T) {
	p, _ := vector(t, "good-reference")
	if p.Tree.States[2].Key != p.Tree.States[3].Key {
		t.Fatal("the vector has no two states of one key")
	}
	p.Tree.States[3].Desc = p.Tree.States[2].Desc
	n := nameAll(p)
	for i := range n.states {
		if slices.Contains(n.states[i+1:], n.states[i]) {
			t.Errorf("state %d shares its id", i)
		}
	}
}

func TestCompareSame(t *testing.T) {
	p, info := vector(t, "good-sample")
	c := Compare(p, p, info, info)
	if !c.Same || !strings.Contains(string(c.Text()), "no difference") {
		t.Errorf("%s", c.Text())
	}
}

// edits are what a reviewer wants to see, each with a line that must be there.
var edits = []struct {
	name string
	edit func(*artifacts.Policy)
	weak bool
	want []string
}{
	{"setting", func(p *artifacts.Policy) { p.Params.ThetaLow = 710 }, false,
		[]string{"~ theta_low: 0.700 -> 0.710"}},
	{"pack tightened", func(p *artifacts.Policy) { p.Pack = p.Pack.Tighten(40, 1800, 2_000_000) }, false,
		[]string{"~ pack.steps: 50 -> 40"}},
	{"guardrail tightened", func(p *artifacts.Policy) {
		g := &p.Guardrail
		g.Rules.Protected = append(g.Rules.Protected, "/desk/schema")
		g.Rules.Egress = g.Rules.Egress[:1]
		g.Rules.Egress[0].Send, g.Rules.Egress[0].Ports = false, []uint16{443}
		g.Rules.Spawn, g.Rules.DenySpawn = nil, []string{"scp", "ssh"}
	}, false, []string{`+ guardrail protected path: "/desk/schema"`, `- guardrail egress "example.net": fetch over any to port any`,
		`~ guardrail egress "api.example.org": send over https to port 443,8443 -> fetch over https to port 443`, `+ guardrail denied program: "scp"`}},
	{"guardrail profile loosened", func(p *artifacts.Policy) { p.Guardrail.Rules.Profile = gates.ProfileObserve }, true,
		[]string{"~ guardrail.profile: strict -> observe", "!!! guardrail/profile: guardrail profile loosened from strict to observe"}},
	{"node gates asked less often", func(p *artifacts.Policy) { p.Guardrail.Strict = false }, true, []string{"no longer strict"}},
	{"root added", func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/", "/desk"} }, true, []string{`!!! guardrail/roots: workspace root "/" is new`}},
	{"roots gone", func(p *artifacts.Policy) { p.Guardrail.Roots = nil }, true, []string{"workspace roots are gone"}},
	{"protected path gone", func(p *artifacts.Policy) { p.Guardrail.Rules.Protected = nil }, true, []string{`!!! guardrail/protected: protected path "/desk/rules" is gone`}},
	{"sensitive path gone", func(p *artifacts.Policy) { p.Guardrail.Rules.Sensitive = p.Guardrail.Rules.Sensitive[:1] }, true, []string{`!!! guardrail/sensitive: sensitive path "customers" is gone`}},
	{"program allowed", func(p *artifacts.Policy) { p.Guardrail.Rules.Spawn = []string{"nmap", "ticketctl"} }, true, []string{`!!! guardrail/spawn: allowed program "nmap" is new`}},
	{"program no longer denied", func(p *artifacts.Policy) { p.Guardrail.Rules.DenySpawn = nil }, true, []string{`!!! guardrail/deny: denied program "ssh" is gone`}},
	{"egress added", func(p *artifacts.Policy) {
		p.Guardrail.Rules.Egress = append(p.Guardrail.Rules.Egress, gates.Egress{Domain: "zone.example"})
	}, true, []string{`!!! guardrail/egress: egress to "zone.example" is new: fetch over any to port any`}},
	{"egress that may send", func(p *artifacts.Policy) { p.Guardrail.Rules.Egress[1].Send = true }, true, []string{`widened from fetch`}},
	{"egress over any scheme", func(p *artifacts.Policy) { p.Guardrail.Rules.Egress[0].Schemes = nil }, true, []string{`widened from send over https`}},
	{"egress to more ports", func(p *artifacts.Policy) { p.Guardrail.Rules.Egress[0].Ports = []uint16{80, 443} }, true, []string{`to port 80,443`}},
	{"schema added", func(p *artifacts.Policy) {
		s := artifacts.SchemaOf(&call.Schema{Tool: "crm", Family: call.FamilyApp, Verb: effect.VerbRead})
		p.Schemas = append([]artifacts.Schema{s}, p.Schemas...)
	}, true, []string{`!!! schema/new: tool schema "crm" is new`, `+ schema "crm": {"tool":"crm","family":"app","verb":"read"`}},
	{"schema gone", func(p *artifacts.Policy) { p.Schemas = p.Schemas[1:] }, true, []string{`!!! schema/removed: tool schema "read_ticket" is gone`}},
	{"schema changed", func(p *artifacts.Policy) {
		p.Schemas[0].Data = []byte(strings.Replace(string(p.Schemas[0].Data), "\"read\"", "\"write\"", 1))
	}, false, []string{`~ schema "read_ticket": `}},
	{"schema that reads", func(p *artifacts.Policy) {
		p.Schemas[1].Data = []byte(strings.Replace(string(p.Schemas[1].Data), "\"send\"", "\"read\"", 1))
	}, true, []string{`!!! schema/weaker: tool schema "send_reply" says something else`}},
	{"gate added", func(p *artifacts.Policy) {
		g := artifacts.Gate{Scope: "global", Disposition: "rejected", Expr: "false", Program: []byte{1, 0, 2}, Evidence: artifacts.Evidence{Unsafe: 3, Benign: 9}}
		g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
		p.Gates = append(p.Gates, g)
		slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	}, false, []string{"gates added (1)", `global rejected "false" (3 unsafe, 9 benign, 0 of them rejected)`}},
	{"gate removed", func(p *artifacts.Policy) {
		p.Gates = slices.DeleteFunc(p.Gates, func(g artifacts.Gate) bool { return g.Scope == "global" })
	}, true, []string{"GATES REMOVED (1)", "!!! gate/removed: a gate is gone that rejects a call that touches what lies in /etc, everywhere ("}},
	{"gate moved off a node", func(p *artifacts.Policy) { p.Tree.Nodes[4].Gates = p.Tree.Nodes[3].Gates }, true,
		[]string{"nodes with other gates (1)", "no longer asks a gate that "}},
	{"gate with another program", func(p *artifacts.Policy) { p.Gates[0].Program = []byte{1, 0, 1} }, true,
		[]string{"another program for the same text"}},
	{"family added", func(p *artifacts.Policy) {
		t := &p.Tree
		t.Families = append(t.Families, tree.Family{Name: "zoo", First: 5, Start: 5, Node: 6})
		t.States = append(t.States, tree.State{Family: 2, Key: "start"})
		t.Nodes = append(t.Nodes, tree.Node{Parent: 0, State: 5})
	}, false, []string{"families added (1)", `+ "zoo": 1 state, 1 node, 0 leaves, 0 tasks`}},
	{"state, edge and node added", seeded.Grow, false,
		[]string{"states added (1)", `"tickets" "aaa"`, "nodes added (1)", `"start" > "aaa"`}},
	{"edge added", func(p *artifacts.Policy) { p.Tree.States[1].Next = []tree.Edge{{To: 1}, p.Tree.States[1].Next[0]} }, false,
		[]string{"edges added (1)", `+ "tickets" "read:ticket" > "read:ticket"`}},
	{"gated subtree removed", func(p *artifacts.Policy) {
		p.Tree.Nodes = slices.Delete(p.Tree.Nodes, 3, 5)
		p.Tree.Leaves = []tree.Leaf{{Node: 3}}
	}, true, []string{"nodes removed (1)", "and 1 node, 1 leaf below", "is gone with a gate that "}},
	{"leaf added", func(p *artifacts.Policy) {
		p.Tree.Leaves = slices.Insert(p.Tree.Leaves, 0, tree.Leaf{Node: 3})
		p.Tree.Nodes[3].Count.Success++
	}, false,
		[]string{"leaves added (1)", `"start" > "read:ticket"`}},
	{"description", func(p *artifacts.Policy) { p.Tree.States[1].Desc = "look at the ticket" }, false,
		[]string{"states changed (1)", `~ description: "read the ticket" -> "look at the ticket"`}},
	{"counts", func(p *artifacts.Policy) { p.Tree.Nodes[4].Count.Success++; p.Tree.States[1].Count.Tasks++ }, false,
		[]string{"1 states with other counts", "1 nodes with other counts"}},
	{"corpus shrunk", func(p *artifacts.Policy) { p.Corpora[1].Rows-- }, true, []string{"the record of unsafe calls has shrunk from 12 to 11"}},
	{"corpus gone", func(p *artifacts.Policy) { p.Corpora = p.Corpora[:1] }, true, []string{"the record of 12 unsafe calls is gone"}},
	{"evidence lost", func(p *artifacts.Policy) {
		for i := range p.Gates {
			p.Gates[i].Evidence.Unsafe /= 2
		}
	}, true, []string{"has lost evidence"}},
}

// TestAddedFamilyIsOneLine: what comes with a family is not listed again.
func TestAddedFamilyIsOneLine(t *testing.T) {
	small, smallInfo := vector(t, "good-minimal")
	large, largeInfo := vector(t, "good-sample")
	for _, c := range []*Changes{Compare(small, large, smallInfo, largeInfo), Compare(large, small, largeInfo, smallInfo)} {
		if n := len(c.Families.Added) + len(c.Families.Removed); n != 1 {
			t.Errorf("%d families", n)
		}
		if len(c.States.Added)+len(c.States.Removed)+len(c.Nodes.Added)+len(c.Nodes.Removed)+len(c.Edges.Added)+len(c.Edges.Removed) > 0 {
			t.Errorf("listed again:\n%s", c.Text())
		}
	}
}

// TestEdits compares the sample with edited copies of it and of a later number.
func TestEdits(t *testing.T) {
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			old, oldInfo := vector(t, "good-sample")
			p, _ := vector(t, "good-sample")
			e.edit(p)
			p.Sequence++
			p.Parent = oldInfo.Digest
			c := Compare(old, p, oldInfo, reopen(t, p))
			text := string(c.Text())
			for _, want := range e.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if got := strings.Contains(text, "WEAKER in"); got != e.weak || got != (len(c.Weakens) > 0) {
				t.Errorf("weaker %v, want %v:\n%s", got, e.weak, text)
			}
		})
	}
}

func reopen(t *testing.T, p *artifacts.Policy) *artifacts.Info {
	t.Helper()
	data, err := artifacts.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	_, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestOldSequence(t *testing.T) {
	old, oldInfo := vector(t, "good-sample")
	p, _ := vector(t, "good-sample")
	p.Params.Beta++
	p.Parent = oldInfo.Digest
	if c := Compare(old, p, oldInfo, reopen(t, p)); len(c.Weakens) != 1 || c.Weakens[0].Rule != "lineage/sequence" {
		t.Errorf("%v", c.Weakens)
	}
}

func contentGate() artifacts.Content {
	return artifacts.Content{Classifier: artifacts.ContentOpenAI, URL: "https://h.example", Model: "m", KeyEnv: "K", Timeout: 20,
		Answers: bytes.Repeat([]byte{1}, 32), Template: bytes.Repeat([]byte{2}, 32)}
}

// TestContentGates: a gate that is gone or asks something else weakens, one that
// is new does not.
func TestContentGates(t *testing.T) {
	bare, info := vector(t, "good-minimal")
	asked, _ := vector(t, "good-content-gate")
	other, _ := vector(t, "good-content-gate")
	other.Guardrail.Content.Model = "another"
	for _, tt := range []struct {
		name     string
		old, new *artifacts.Policy
		found    int
	}{{"taken away", asked, bare, 1}, {"another model", asked, other, 1}, {"new", bare, asked, 0}, {"the same", asked, asked, 0}} {
		c := Compare(tt.old, tt.new, reopen(t, tt.old), reopen(t, tt.new))
		n := 0
		for _, f := range c.Weakens {
			if f.Rule == "guardrail/content" {
				n++
			}
		}
		if n != tt.found {
			t.Errorf("%s: %v", tt.name, c.Weakens)
		}
	}
	doc, err := New(asked, info, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(doc.Text()); !strings.Contains(text, "content openai") {
		t.Errorf("the text has no content gate:\n%s", text)
	}
}

// TestEveryFieldIsCompared edits one field after the other and asks that the
// comparison says more than the change of digest does. A field that someone
// adds to the tree and the comparison does not know fails here.
func TestEveryFieldIsCompared(t *testing.T) {
	seen := map[string]bool{}
	base, baseInfo := vector(t, "good-sample")
	base.Guardrail.Content = contentGate()
	changedInfo := *baseInfo
	changedInfo.Digest = "other"
	for _, path := range leafPaths(reflect.ValueOf(base).Elem(), nil) {
		p, _ := vector(t, "good-sample")
		p.Guardrail.Content = contentGate()
		name := follow(reflect.ValueOf(p).Elem(), path, bump)
		if name == "" {
			continue
		}
		if _, ok := seen[name]; !ok {
			seen[name] = false
		}
		if p.Check() != nil {
			continue // no policy any more; another element of the list will do
		}
		c := Compare(base, p, baseInfo, &changedInfo)
		c.Weakens = nil // the sequence number is the same in all of them
		none := Compare(base, base, baseInfo, &changedInfo)
		none.Weakens = nil
		if !reflect.DeepEqual(c, none) {
			seen[name] = true
		} else {
			t.Errorf("%s: a change is not seen", name)
		}
	}
	var unseen []string
	for name, ok := range seen {
		if !ok {
			unseen = append(unseen, name)
		}
	}
	slices.Sort(unseen)
	// Fields whose every neighbouring value makes a policy that is none: indices
	// and names that others must agree with. TestEdits has those.
	want := []string{".Encoder.Dim", ".Gates[].Disposition", ".Gates[].Expr", ".Gates[].ID", ".Gates[].Scope", ".Guardrail.Content.Classifier", ".Params.Profile", ".Schemas[].Name",
		".Tree.Families[].First", ".Tree.Families[].Node", ".Tree.Families[].Start", ".Tree.Leaves[].Node",
		".Tree.Nodes[].Gates[]", ".Tree.Nodes[].Parent", ".Tree.States[].Family"}
	if !reflect.DeepEqual(unseen, want) {
		t.Errorf("never compared: %q\nwant %q", unseen, want)
	}
}

// leafPaths lists the exported fields below v that have none of their own.
func leafPaths(v reflect.Value, path []int) [][]int {
	var out [][]int
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, leafPaths(v.Field(i), append(slices.Clone(path), i))...)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			out = append(out, leafPaths(v.Index(i), append(slices.Clone(path), i))...)
		}
	default:
		out = append(out, path)
	}
	return out
}

func follow(v reflect.Value, path []int, do func(reflect.Value)) string {
	if len(path) == 0 {
		if !v.CanSet() {
			return ""
		}
		do(v)
		return " "
	}
	var name string
	var next reflect.Value
	if v.Kind() == reflect.Struct {
		name, next = "."+v.Type().Field(path[0]).Name, v.Field(path[0])
	} else {
		name, next = "[]", v.Index(path[0])
	}
	rest := follow(next, path[1:], do)
	if rest == "" {
		return ""
	}
	return name + strings.TrimSpace(rest)
}

func bump(v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		v.SetString(v.String() + "+")
	}
}
