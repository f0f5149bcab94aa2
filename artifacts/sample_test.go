package artifacts

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// minimal is the smallest policy there is: a root, one family, one state.
func minimal() *Policy {
	return &Policy{
		Name:     "minimal",
		Sequence: 1,
		Tree: tree.Tree{
			Families: []tree.Family{{Name: "notes", Node: 1}},
			States:   []tree.State{{Key: "start"}},
			Nodes:    []tree.Node{{Parent: -1, State: -1}, {}},
		},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 3,
			RouteAbstain: 550, RouteKeep: 100, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, Beta: 500, EnvCos: 800, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 500, Novelty: 300,
			Posterior: [4]tree.Milli{-1200, 3500, 2000, 800},
		},
		Encoder:    Encoder{ID: "static-1", Digest: hexDigest("table"), Dim: 4},
		Pack:       DefaultPack(),
		Provenance: Provenance{Tool: "gbt 0.1.0", Config: hexDigest("config"), Inputs: Inputs{Root: MerkleRoot(nil)}},
	}
}

// sample is a small policy that uses every part of the format: two families,
// five states, a gated branch, and everything around the tree.
func sample() *Policy {
	p := minimal()
	p.Name, p.Sequence, p.Parent = "support-desk", 7, hexDigest("sequence 6")
	p.Gates = sampleGates()
	p.Tree = sampleTree(p.Gates)
	p.Guardrail = Guardrail{
		Rules: gates.Guardrail{
			Profile: gates.ProfileStrict, Protected: []string{"/desk/rules"}, Sensitive: []string{"*.pem", "customers"},
			Egress: []gates.Egress{{Domain: "api.example.org", Schemes: []string{"https"}, Ports: []uint16{443, 8443}, Send: true}, {Domain: "example.net"}},
			Spawn:  []string{"ticketctl"}, DenySpawn: []string{"ssh"},
		},
		Strict: true, Roots: []string{"/desk"},
	}
	p.Schemas = []Schema{
		SchemaOf(&call.Schema{Tool: "read_ticket", Family: call.FamilyApp, Verb: effect.VerbRead, Resource: call.ResourceRecord}),
		SchemaOf(&call.Schema{Tool: "send_reply", Family: call.FamilyMessage, Verb: effect.VerbSend, Resource: call.ResourceMessage, Args: []call.ArgSchema{
			{Name: "script", Role: effect.RoleCode, Lang: "node"}, {Name: "to", Role: effect.RoleRecipient}, {Name: "why \"é\"\n", Role: effect.RoleWords}}}),
	}
	p.Provenance.Inputs = Inputs{
		Count: 3, Root: MerkleRoot([][]byte{[]byte("a"), []byte("b"), []byte("c")}),
		Layouts: []Tally{{"atif", 2}, {"openhands-v0", 1}},
	}
	p.Provenance.Episodes = EpisodeCounts{Read: 9, Used: 8, Success: 6, Failure: 2, Unsafe: 1, Skipped: 1, Malformed: 1}
	p.Corpora = []CorpusRoot{{"benign", 300, hexDigest("benign")}, {"unsafe", 12, hexDigest("unsafe")}}
	p.Report = []Metric{{"coverage.episode", 667}, {"coverage.step", 820}}
	for _, s := range []string{"Answer ticket 1", "Answer ticket 2", "Write a note"} {
		p.TaskDigests = append(p.TaskDigests, TaskDigest(s))
	}
	slices.SortFunc(p.TaskDigests, bytes.Compare)
	return p
}

func sampleGates() []Gate {
	out := []Gate{
		{Scope: ScopeGlobal, Disposition: DispositionReject, Expr: `ctx.effects.all(e, !e.resource.under("/etc"))`,
			Message: "work inside the workspace", Evidence: Evidence{Unsafe: 4, Benign: 300}},
		{Scope: ScopeNode, Disposition: DispositionConsent, Expr: `ctx.effects.all(e, !(e.op in ["fetch", "send"]) || e.domain.domainUnder("example.org"))`,
			Message: "ask before you send to another domain", Evidence: Evidence{12, 300, 2}},
		{Scope: ScopeNode, Disposition: DispositionRevise, Expr: `size(ctx.args) <= 9`, Message: "send fewer"},
	}
	for i := range out {
		out[i].Program = compiled(out[i].Expr)
	}
	for i := range out {
		out[i].ID = GateID(out[i].Scope, out[i].Disposition, out[i].Expr)
	}
	slices.SortFunc(out, func(a, b Gate) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	return out
}

func sampleTree(gates []Gate) tree.Tree {
	var local []string
	for _, g := range gates {
		if g.Scope == ScopeNode {
			local = append(local, g.ID)
		}
	}
	one := func(n uint32) tree.Count { return tree.Count{Tasks: n, Success: n, Failure: 1} }
	text := func(s string, v ...int8) tree.Text { return tree.Text{Text: s, Vec: v} }
	return tree.Tree{
		Families: []tree.Family{
			{Name: "notes", Prototypes: []tree.Text{text("Write a note", 0, 0, 127, 0)}, Node: 1, Vocabulary: 0},
			{Name: "tickets", Prototypes: []tree.Text{text("Answer ticket 1", 127, 0, 0, 0), text("Answer ticket 2", 120, 40, 0, 0)},
				Centroid: tree.Vec{126, 20, 0, 0}, Fit: tree.Fit{Vec: tree.Vec{100, -20, 0, 3}, Gain: 900, Bias: -40}, Tools: []string{"read_ticket", "send_reply"},
				First: 1, Start: 3, Node: 2, Vocabulary: 3, Common: []int32{1, 4}},
		},
		States: []tree.State{
			{Family: 0, Key: "start"},
			{Family: 1, Key: "read:ticket", Desc: "read the ticket",
				Delta: effect.DeltaNone, Tools: []tree.Use{{Name: "read_ticket", Calls: 8}}, Vecs: []tree.Vec{{127, 0, 0, 1}}, Fit: tree.Fit{Vec: tree.Vec{90, -90, 0, 1}, Gain: 1200, Bias: 200},
				Next: []tree.Edge{{To: 4, Count: one(6)}}, Count: one(6)},
			{Family: 1, Key: "send:any", Desc: "send anything", Risk: 3, Delta: effect.DeltaSend, Generic: true, Count: one(1)},
			{Family: 1, Key: "start", Next: []tree.Edge{{To: 1, Count: one(6)}}, Count: one(6)},
			{Family: 1, Key: "write:reply", Desc: "reply to the customer", Risk: 3, Delta: effect.DeltaSend,
				Tools: []tree.Use{{Name: "send_reply", Calls: 6}}, Vecs: []tree.Vec{{0, 127, 0, 0}, {0, 120, 40, -1}},
				Pre: tree.Pre{After: []int32{1}, Tools: []string{"send_reply"}}, Count: one(6), Observed: true},
		},
		Nodes: []tree.Node{
			{Parent: -1, State: -1, Count: one(8)},
			{Parent: 0, State: 0, Count: one(1)},
			{Parent: 0, State: 3, Count: one(6)},
			{Parent: 2, State: 1, Gates: local[:1], Count: one(6)},
			{Parent: 3, State: 4, Gates: local, Count: one(6)},
			{Parent: 2, State: 4, Count: one(2)},
		},
		Leaves: []tree.Leaf{
			{Node: 4, Tasks: []tree.Text{text("Answer ticket 1", 127, 0, 0, 0)}, Env: tree.Vec{1, -1, 3}, Count: 4},
			{Node: 5, Env: tree.Vec{1}, Count: 2},
		},
		Clusters: []tree.Cluster{{Key: "none/0/ticket", Count: one(6)}, {Key: "send/3/reply", Count: one(6)}},
	}
}

// must encodes p whether or not Check likes it.
func must(p *Policy) []byte {
	data, err := encode(p)
	if err != nil {
		panic(err)
	}
	return data
}

// signAny signs the frame of data whatever else is in it.
func signAny(data []byte, seeds ...byte) []byte {
	h := header{version: binary.BigEndian.Uint32(data[8:]), sequence: binary.BigEndian.Uint64(data[16:])}
	payload := statement(h, digestOf(data))
	var sigs []signature
	for _, seed := range seeds {
		pub, priv := testKey(seed)
		sigs = append(sigs, signature{KeyID(pub), ed25519.Sign(priv, pae(payloadType, payload))})
	}
	return append(slices.Clone(data), envelope(payload, sigs...)...)
}

// rebuilt is data with the bytes of one section replaced.
func rebuilt(data []byte, tag string, replace func([]byte) []byte) []byte {
	parts, err := readSections(data)
	if err != nil {
		panic(err)
	}
	var table, body []byte
	found := false
	for i, s := range sections() {
		if s.tag == tag {
			parts[i], found = replace(slices.Clone(parts[i])), true
		}
		table = append(table, s.tag...)
		table = binary.BigEndian.AppendUint32(table, uint32(len(parts[i])))
		body = append(body, parts[i]...)
	}
	if !found {
		panic("no section " + tag)
	}
	out, err := assemble(binary.BigEndian.Uint64(data[16:]), table, body)
	if err != nil {
		panic(err)
	}
	return out
}

// swapped is data with the one place where old stands in a section replaced.
func swapped(data []byte, tag, old, new string) []byte {
	return rebuilt(data, tag, func(b []byte) []byte {
		if bytes.Count(b, []byte(old)) != 1 {
			panic("section " + tag + ": the bytes to replace do not stand there once")
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	})
}

// testKey gives the key pair of a seed of equal bytes.
func testKey(seed byte) (ed25519.PublicKey, ed25519.PrivateKey) {
	priv := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	return priv.Public().(ed25519.PublicKey), priv
}

func keys(k ...ed25519.PublicKey) []ed25519.PublicKey { return k }

// compiled is the program of a canonical text.
func compiled(expr string) []byte {
	canonical, prog, err := lang.Compile(expr)
	if err != nil || canonical != expr {
		panic(fmt.Sprintf("%s: canonical text %s, error %v", expr, canonical, err))
	}
	return prog
}

// digestOf is the name of an unsigned file: the subject of its signature.
func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
