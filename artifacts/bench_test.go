package artifacts

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// large makes a policy of the given size with texts, vectors and evidence of
// realistic lengths: 20 families, 200 gates, chains of 12 nodes.
func large(nodes, states, dim int) *Policy {
	const families = 20
	p := sample()
	p.Encoder.Dim = dim
	p.Tree = tree.Tree{Nodes: []tree.Node{{Parent: -1, State: -1}}}
	p.Gates = nil
	for i := range 200 {
		g := Gate{Scope: ScopeNode, Disposition: DispositionReject, Expr: fmt.Sprintf(`ctx.effects.all(e, e.resource.under("/srv/%d"))`, i),
			Message: "work inside the workspace"}
		g.Program = compiled(g.Expr)
		g.ID = GateID(g.Scope, g.Disposition, g.Expr)
		p.Gates = append(p.Gates, g)
	}
	slices.SortFunc(p.Gates, func(a, b Gate) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	vec := func(i int) tree.Vec {
		v := make(tree.Vec, dim)
		for k := range v {
			v[k] = int8(i*31 + k*k*7)
		}
		return v
	}
	per := states / families
	for f := range families {
		first := int32(len(p.Tree.States))
		p.Tree.Families = append(p.Tree.Families, tree.Family{Name: fmt.Sprintf("family-%02d", f), First: first, Start: first,
			Prototypes: []tree.Text{{Text: "Answer the ticket of the customer", Vec: vec(f)}}, Centroid: vec(f), Vocabulary: int32(per - 1)})
		for s := range per {
			st := tree.State{Family: int32(f), Key: fmt.Sprintf("edit:file,run:test#%05d", s), Risk: 1, Delta: effect.DeltaWrite,
				Desc:     fmt.Sprintf("change the file that the failing test %d names, then run the test again", s),
				Observed: true,
				Tools:    []tree.Use{{Name: "str_replace_editor", Calls: 12}, {Name: "bash", Calls: 9}},
				Vecs:     []tree.Vec{vec(s), vec(s + 1), vec(s + 2), vec(s + 3)}, Fit: tree.Fit{Vec: vec(s + 4), Gain: 1500, Bias: -300}, Count: tree.Count{Tasks: 9, Success: 7, Failure: 2}}
			for k := range 4 {
				if to := first + int32((s+k)%per); k < per && (s+k) < per {
					st.Next = append(st.Next, tree.Edge{To: to, Count: tree.Count{Tasks: 3, Success: 3}})
				}
			}
			p.Tree.States = append(p.Tree.States, st)
		}
	}
	largeNodes(p, nodes, families, per)
	return p
}

func largeNodes(p *Policy, nodes, families, per int) {
	for f := range families {
		root := int32(len(p.Tree.Nodes))
		p.Tree.Families[f].Node = root
		p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{State: p.Tree.Families[f].First})
		for i := range nodes / families {
			n := tree.Node{Parent: int32(len(p.Tree.Nodes) - 1), State: p.Tree.Families[f].First + int32(i%per), Count: tree.Count{Tasks: 4, Success: 3, Failure: 1}}
			if i%12 == 0 {
				n.Parent = root
			} else {
				n.Gates = p.Tree.Nodes[n.Parent].Gates
			}
			if i%5 == 1 {
				g := p.Gates[i%len(p.Gates)].ID
				if k, ok := slices.BinarySearch(n.Gates, g); !ok {
					n.Gates = slices.Insert(slices.Clone(n.Gates), k, g)
				}
			}
			if i%12 == 11 {
				p.Tree.Leaves = append(p.Tree.Leaves, tree.Leaf{Node: int32(len(p.Tree.Nodes)), Env: make(tree.Vec, tree.EnvDims), Count: 3,
					Tasks: []tree.Text{{Text: "Answer the ticket of the customer and close it", Vec: p.Tree.Families[f].Centroid}}})
			}
			p.Tree.Nodes = append(p.Tree.Nodes, n)
		}
	}
}

// shapes are the sizes that the benchmarks run at: the default profile shares
// states between nodes, the reference profile has one for each.
var shapes = []struct {
	name               string
	nodes, states, dim int
}{
	{"10k-nodes-2k-states-192", 10_000, 2_000, 192},
	{"10k-nodes-10k-states-192", 10_000, 10_000, 192},
}

func largeFile(tb testing.TB, nodes, states, dim int) []byte {
	tb.Helper()
	data, err := Encode(large(nodes, states, dim))
	if err != nil {
		tb.Fatal(err)
	}
	_, priv := testKey(1)
	if data, err = Sign(data, priv); err != nil {
		tb.Fatal(err)
	}
	return data
}

// BenchmarkOpen is the whole call, signature included. The floors beside it are
// what no implementation can do without: see BenchmarkFloor.
func BenchmarkOpen(b *testing.B) {
	pub, _ := testKey(1)
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			data := largeFile(b, s.nodes, s.states, s.dim)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Open(data, Trust{Keys: keys(pub)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFloor measures the parts alone: hashing and verifying, and reading
// every MessagePack value without keeping any.
func BenchmarkFloor(b *testing.B) {
	pub, priv := testKey(1)
	sig := ed25519.Sign(priv, []byte("statement"))
	for _, s := range shapes {
		data := largeFile(b, s.nodes, s.states, s.dim)
		b.Run("signature/"+s.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				sha256.Sum256(data)
				if !ed25519.Verify(pub, []byte("statement"), sig) {
					b.Fatal("bad signature")
				}
			}
		})
		b.Run("msgpack/"+s.name, func(b *testing.B) {
			h, err := readHeader(data)
			if err != nil {
				b.Fatal(err)
			}
			parts, err := readSections(data[:h.length])
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				for _, part := range parts {
					if err := msgpack.NewDecoder(bytes.NewReader(part)).Skip(); err != nil && err != io.EOF {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			p := large(s.nodes, s.states, s.dim)
			for b.Loop() {
				if _, err := Encode(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestOpenIsCheap holds the promise of memory at 10,000 nodes; BenchmarkOpen has
// the time.
func TestOpenIsCheap(t *testing.T) {
	data := largeFile(t, 10_000, 2_000, 192)
	pub, _ := testKey(1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := Open(data, Trust{Keys: keys(pub)}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8*uint64(len(data)) {
		t.Errorf("%d bytes: %d bytes allocated", len(data), n)
	}
}

// TestHostileCountsAllocateLittle gives each list of each section a huge length
// and measures: memory is bounded by the bytes that are there.
func TestHostileCountsAllocateLittle(t *testing.T) {
	base := must(sample())
	for _, s := range sections() {
		for _, n := range []string{"\xdd\x00\x10\x00\x00", "\xdc\xff\xff", "\xdd\xff\xff\xff\xff"} {
			data := rebuilt(base, s.tag, func(b []byte) []byte { return append([]byte(n), b[1:]...) })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := Open(data, Trust{})
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 1<<20 {
				t.Errorf("section %s with length %q: %d bytes allocated, error %v", s.tag, n, got, err)
			}
		}
	}
}

// TestSmallElementsAllocateLittle fills a file with the elements whose Go form is
// largest beside their bytes: empty texts, at 16 to 1, and bare nodes.
func TestSmallElementsAllocateLittle(t *testing.T) {
	tools := append([]byte("\xdc\x10\x00"), bytes.Repeat([]byte{0xa0}, maxTools)...)
	family := slices.Concat([]byte("\x9a\xa1a\x90\xc4\x00\x93\xc4\x00\x00\x00"), tools, []byte("\x00\x00\x01\x00\x90"))
	families := append([]byte("\xdc\x01\x00"), bytes.Repeat(family, tree.MaxFamilies)...)
	nodes := append([]byte("\xdd\x00\x03\x00\x00\x96\xff\xff\x90\x00\x00\x00"),
		bytes.Repeat([]byte("\x96\x00\x00\x90\x00\x00\x00"), 3<<16-1)...)
	for tag, section := range map[string][]byte{"FAMS": families, "NODE": nodes} {
		data := rebuilt(must(minimal()), tag, func([]byte) []byte { return section })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := Open(data, Trust{})
		runtime.ReadMemStats(&after)
		got := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d bytes allocated for %d", tag, got, len(data))
		if err == nil || len(data) < 1<<20 || got > 20*uint64(len(data)) {
			t.Errorf("%s: %d bytes allocated for %d, error %v", tag, got, len(data), err)
		}
	}
}
