package retrieve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

func TestNear(t *testing.T) {
	docs := []Document{
		{ID: "a", Text: "edit files and run the tests", Names: []string{"edit_file"}, Vecs: []tree.Vec{{127, 0}}},
		{ID: "b", Text: "send a message to a person", Names: []string{"sendMessage"}, Vecs: []tree.Vec{{0, 127}}},
		{ID: "c", Text: "send money", Names: []string{"pay:bill"}, Vecs: []tree.Vec{{-127, 0}, {90, 90}}},
		{ID: "d", Text: "send money", Names: []string{"pay:bill"}},
	}
	for _, c := range []struct {
		name  string
		q     Query
		limit int
		want  []string
	}{
		{"words, stemmed", Query{Text: "editing a file"}, 9, []string{"a"}},
		{"a part of a tool's name", Query{Names: []string{"message"}}, 9, []string{"b"}},
		{"a part of a key", Query{Names: []string{"pay:invoice"}}, 9, []string{"c", "d"}},
		{"ties go to the lesser id", Query{Text: "money"}, 9, []string{"c", "d"}},
		{"the limit", Query{Text: "money"}, 1, []string{"c"}},
		{"meaning, by the closest of a document's", Query{Vec: tree.Vec{100, 80}}, 9, []string{"c", "a", "b"}},
		{"what two lists have comes first", Query{Text: "person", Vec: tree.Vec{100, 80}}, 9, []string{"b", "c", "a"}},
		{"nothing asked", Query{}, 9, nil},
		{"nothing found", Query{Text: "zebra"}, 9, nil},
		{"an operator of the library is no operator", Query{Text: `+money -"send"`}, 9, []string{"c", "d", "b"}},
	} {
		got := ids(t, docs, c.q, c.limit)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func ids(t *testing.T, docs []Document, q Query, limit int) []string {
	t.Helper()
	x, err := New(docs)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	hits, err := x.Near(q, limit)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, docs[h.Doc].ID)
	}
	return out
}

func TestIDsMustDiffer(t *testing.T) {
	if _, err := New([]Document{{ID: "a"}, {ID: "a"}}); err == nil {
		t.Error("two documents with one id were indexed")
	}
}

func TestRanksAreTold(t *testing.T) {
	x, err := New([]Document{{ID: "a", Text: "one", Names: []string{"two"}}, {ID: "b", Text: "one one one"}})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	hits, err := x.Near(Query{Text: "one", Names: []string{"two"}}, 2)
	if err != nil || len(hits) != 2 {
		t.Fatal(hits, err)
	}
	if h := hits[0]; h.Doc != 0 || h.ByNames != 1 || h.ByWords == 0 || h.ByMeaning != 0 {
		t.Errorf("first hit %+v", h)
	}
	if want := 1_000_000/61 + 1_000_000/(60+hits[0].ByWords); hits[0].Score != want {
		t.Errorf("score %d, want %d", hits[0].Score, want)
	}
}

// TestNearDependsOnNoOrder asks the same of shuffled documents.
func TestNearDependsOnNoOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	docs := made(300, rng)
	q := Query{Text: docs[7].Text, Names: docs[8].Names, Vec: docs[9].Vecs[0]}
	want := ids(t, docs, q, Limit)
	if len(want) != Limit {
		t.Fatalf("%d found, want %d", len(want), Limit)
	}
	for range 3 {
		rng.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		if got := ids(t, docs, q, Limit); !slices.Equal(got, want) {
			t.Fatalf("%v in one order, %v in another", want, got)
		}
	}
}

func TestLeaves(t *testing.T) {
	tr := &tree.Tree{
		Families: []tree.Family{{Name: "f", Node: 1}},
		States: []tree.State{
			{Key: "^"},
			{Key: "edit:file", Desc: "edit a file", Tools: []tree.Use{{Name: "Edit"}}},
			{Key: "test|edit:file", Desc: "run tests", Tools: []tree.Use{{Name: "Bash"}, {Name: "Edit"}}},
		},
		Nodes:  []tree.Node{{Parent: -1, State: -1}, {Parent: 0}, {Parent: 1, State: 1}, {Parent: 2, State: 2}, {Parent: 3, State: 1}},
		Leaves: []tree.Leaf{{Node: 4, Tasks: []tree.Text{{Vec: tree.Vec{1, 2}}}}},
	}
	docs := Leaves(tr)
	if len(docs) != 1 {
		t.Fatal(docs)
	}
	d := docs[0]
	if d.ID != "0" || d.Text != "edit a file\nrun tests" || !slices.Equal(d.Names, []string{"Bash", "Edit", "edit:file", "test"}) || len(d.Vecs) != 1 {
		t.Errorf("%+v", d)
	}
}

func TestSplitNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"send_email", "send_email send email"},
		{"sendEmail", "sendEmail send Email"},
		{"edit:file", "edit:file edit file"},
		{"", ""},
	} {
		if got := splitNames([]string{c.name}); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

// made are documents as leaves have them: a few states of a common vocabulary.
func made(n int, rng *rand.Rand) []Document {
	verbs := []string{"read", "edit", "create", "delete", "send", "list", "find", "pay", "book", "test"}
	things := []string{"file", "message", "order", "invoice", "page", "record", "account", "event", "branch", "table"}
	out := make([]Document, n)
	for i := range out {
		d := Document{ID: strconv.Itoa(i)}
		for range 2 + rng.IntN(10) {
			verb, thing := verbs[rng.IntN(len(verbs))], things[rng.IntN(len(things))]
			d.Text += verb + " the " + thing + " of task " + strconv.Itoa(rng.IntN(n)) + "\n"
			d.Names = append(d.Names, verb+"_"+thing, verb+":"+thing)
		}
		v := make(tree.Vec, 192)
		for k := range v {
			v[k] = int8(rng.IntN(255) - 127)
		}
		d.Vecs = []tree.Vec{v}
		out[i] = d
	}
	return out
}

func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{300, 3000, 10000} {
		docs := made(n, rand.New(rand.NewPCG(1, 1)))
		b.Run(fmt.Sprintf("build/%d", n), func(b *testing.B) {
			for b.Loop() {
				x, err := New(docs)
				if err != nil {
					b.Fatal(err)
				}
				x.Close()
			}
		})
		x, err := New(docs)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("ask/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Near(Query{Text: docs[7].Text, Names: docs[8].Names, Vec: docs[9].Vecs[0]}, Limit); err != nil {
					b.Fatal(err)
				}
			}
		})
		x.Close()
	}
}
