package tree

import (
	"math"
	"reflect"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// demo is a family of three states: look, edit (writes) and run, with one
// explicit path look-edit and shared successors look->edit, look->run, edit->run.
func demo() *Tree {
	edge := func(to int32, tasks uint32) Edge { return Edge{To: to, Count: Count{Tasks: tasks, Success: tasks}} }
	return &Tree{
		Families: []Family{{Name: "f", First: 0, Start: 2, Node: 1, Vocabulary: 3, Common: []int32{4, 3, 5}, Tools: []string{"cat", "sed"}}},
		States: []State{
			{Key: "*none", Generic: true, Delta: effect.DeltaNone},
			{Key: "*write", Generic: true, Delta: 2, Risk: 1},
			{Key: "^", Delta: effect.DeltaNone, Next: []Edge{edge(4, 3)}},
			{Key: "edit", Delta: 2, Risk: 1, Next: []Edge{edge(5, 2)}, Vecs: []Vec{{0, 127}}, Tools: []Use{{"apply_edit", 2}}},
			{Key: "look", Delta: effect.DeltaNone, Next: []Edge{edge(3, 2), edge(5, 1)}, Vecs: []Vec{{127, 0}}, Fit: Fit{Vec: Vec{127, 0}, Gain: 2000}},
			{Key: "run", Delta: 4, Risk: 2, Vecs: []Vec{{-127, 0}}},
		},
		Nodes: []Node{{Parent: -1, State: -1}, {Parent: 0, State: 2}, {Parent: 1, State: 4}, {Parent: 2, State: 3}},
	}
}

var settings = Params{Profile: DefaultProfile, Alpha: 1000, AllowedShare: 1000, Novelty: 1001, Ambiguous: 50, RouteTemperature: 50, RouteAbstain: 550, RouteKeep: 20, MaxChildren: 100}

func via(tr *Tree, pos *Pos, p *Params) map[string]Via {
	t := NewView(tr)
	out := map[string]Via{}
	for _, c := range t.Children(pos, p) {
		out[t.States[c.State].Key] = c.Via
	}
	return out
}

func TestDemoIsValid(t *testing.T) {
	if err := demo().Check(); err != nil {
		t.Fatal(err)
	}
}

func TestChildren(t *testing.T) {
	tr := demo()
	v := NewView(tr)
	pos := v.StartAt(0)
	want := map[string]Via{"look": ViaNode, "*none": ViaGeneric, "*write": ViaGeneric}
	if got := via(tr, &pos, &settings); !reflect.DeepEqual(got, want) {
		t.Errorf("at the start %v, want %v", got, want)
	}
	v.Step(&pos, Child{State: 4, Node: 2})
	// After a read the first choice, look itself, is still open.
	want = map[string]Via{"edit": ViaNode, "run": ViaState, "look": ViaCarried, "*none": ViaGeneric, "*write": ViaGeneric}
	if got := via(tr, &pos, &settings); !reflect.DeepEqual(got, want) {
		t.Errorf("after look %v, want %v", got, want)
	}
	v.Step(&pos, Child{State: 3, Node: 3})
	want = map[string]Via{"run": ViaState, "*none": ViaGeneric, "*write": ViaGeneric}
	if got := via(tr, &pos, &settings); !reflect.DeepEqual(got, want) {
		t.Errorf("after edit, which writes, %v, want %v", got, want)
	}
	reference := settings
	reference.Profile = ReferenceProfile
	if got := via(tr, &pos, &reference); len(got) != 0 {
		t.Errorf("a reference leaf offers %v", got)
	}
}

func TestChildrenRespectTheAllowedShare(t *testing.T) {
	tr := demo()
	v := NewView(tr)
	pos := v.StartAt(0)
	v.Step(&pos, Child{State: 4, Node: 2})
	p := settings
	p.AllowedShare = 667 // two of three
	want := map[string]Via{"edit": ViaNode, "run": ViaState, "*none": ViaGeneric, "*write": ViaGeneric}
	if got := via(tr, &pos, &p); !reflect.DeepEqual(got, want) {
		t.Errorf("carried children fill beyond the share: %v", got)
	}
}

func TestCommonStatesFillTheUnknown(t *testing.T) {
	tr := demo()
	v := NewView(tr)
	pos := v.StartAt(0)
	v.Step(&pos, Child{State: 5, Node: -1}) // run has no successors: all is unseen
	p := settings
	p.Novelty = 300
	want := map[string]Via{"edit": ViaFamily, "look": ViaFamily, "*none": ViaGeneric, "*write": ViaGeneric}
	if got := via(tr, &pos, &p); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestMatch(t *testing.T) {
	tr := demo()
	v := NewView(tr)
	pos := v.StartAt(0)
	v.Step(&pos, Child{State: 4, Node: 2})
	children := v.Children(&pos, &settings)
	tests := []struct {
		name string
		prop Proposal
		best string
		sim  Milli
	}{
		{"the words that fit", Proposal{Text: "x", Vec: Vec{100, 10}}, "look", 995},
		{"naming a tool in full", Proposal{Text: "I will call Apply_Edit now", Vec: Vec{100, 90}}, "edit", 669},
		{"a structured call", Proposal{Key: "run", Vec: Vec{127, 0}}, "run", 1000},
		{"a structured call that only a generic child fits", Proposal{Key: "grep", Kind: effect.DeltaNone}, "*none", 1000},
	}
	for _, tt := range tests {
		m := v.Match(children, &tt.prop, &settings)
		if got := tr.States[m.Ranked[0].State].Key; got != tt.best || m.Ranked[0].Sim != tt.sim {
			t.Errorf("%s: %s at %d, want %s at %d", tt.name, got, m.Ranked[0].Sim, tt.best, tt.sim)
		}
	}
}

func TestWordsNeverChooseAGenericChild(t *testing.T) {
	tr := demo()
	v := NewView(tr)
	pos := v.StartAt(0)
	m := v.Match(v.Children(&pos, &settings), &Proposal{Text: "?", Vec: Vec{-127, -1}}, &settings)
	if m.Ranked[0].Via == ViaGeneric {
		t.Error("a generic child was chosen by words")
	}
	m = v.Match([]Child{{State: 0, Via: ViaGeneric}}, &Proposal{Text: "?", Vec: Vec{1, 1}}, &settings)
	if m.Posterior != 0 {
		t.Errorf("posterior %d where only a generic child is left", m.Posterior)
	}
}

func twoFamilies() *Tree {
	tr := demo()
	tr.Families[0].Centroid = Vec{127, 0}
	tr.Families = append(tr.Families, Family{Name: "g", Centroid: Vec{0, 127}, Tools: []string{"curl"}})
	return tr
}

func TestRoute(t *testing.T) {
	tr := twoFamilies()
	tests := []struct {
		name    string
		task    Vec
		offered []string
		family  int32
		open    int
	}{
		{"clear", Vec{120, 10}, nil, 0, 1},
		{"undecided: both stay open", Vec{100, 100}, nil, 0, 2},
		{"only one family has the tools", Vec{100, 100}, []string{"curl"}, 1, 1},
		{"no family has the tools", Vec{120, 10}, []string{"none"}, -1, 0},
	}
	for _, tt := range tests {
		r := NewView(tr).Route(&Ask{Vec: tt.task, Offered: tt.offered}, &settings)
		if r.Best.Family != tt.family || len(r.Open) != tt.open || r.OK() != (tt.open > 0) {
			t.Errorf("%s: %+v, want family %d and %d open", tt.name, r, tt.family, tt.open)
		}
	}
	reference := settings
	reference.Profile = ReferenceProfile
	for i := range tr.Families {
		tr.Families[i].Prototypes = []Text{{Vec: tr.Families[i].Centroid}}
	}
	if r := NewView(tr).Route(&Ask{Vec: Vec{100, 100}}, &reference); r.OK() {
		t.Errorf("the reference profile does not abstain: %+v", r)
	}
}

func TestRouteAtTheBound(t *testing.T) {
	tr := demo()
	tr.Families[0].Centroid = Vec{127, 0}
	p := settings
	p.RouteKeep = 1001
	for _, tt := range []struct {
		abstain Milli
		ok      bool
	}{{1000, true}, {1001, false}} { // one family: its probability is exactly one
		p.RouteAbstain = tt.abstain
		if r := NewView(tr).Route(&Ask{Vec: Vec{1, 0}}, &p); r.OK() != tt.ok {
			t.Errorf("abstain below %d: %+v", tt.abstain, r)
		}
	}
}

func TestTheFirstMacroDecidesBetweenOpenFamilies(t *testing.T) {
	tr := twoFamilies()
	tr.States = append(tr.States, State{Family: 1, Key: "^", Delta: effect.DeltaNone}, State{Family: 1, Key: "fetch", Delta: effect.DeltaNone})
	tr.States[6].Next = []Edge{{To: 7, Count: Count{Tasks: 1, Success: 1}}}
	tr.Nodes = append(tr.Nodes, Node{Parent: 0, State: 6})
	g := &tr.Families[1]
	g.First, g.Start, g.Node, g.Vocabulary = 6, 6, 4, 1
	if err := tr.Check(); err != nil {
		t.Fatal(err)
	}
	v := NewView(tr)
	r := v.Route(&Ask{Vec: Vec{100, 100}}, &settings)
	pos := v.Start(&r)
	want := map[string]Via{"look": ViaNode, "fetch": ViaState, "*none": ViaGeneric, "*write": ViaGeneric}
	if got := via(tr, &pos, &settings); !reflect.DeepEqual(got, want) {
		t.Fatalf("both families open: %v, want %v", got, want)
	}
	m := v.Match(v.Children(&pos, &settings), &Proposal{Key: "fetch"}, &settings)
	v.Step(&pos, m.Ranked[0].Child)
	if pos.Family != 1 || len(pos.Open) != 0 || !reflect.DeepEqual(pos.Spine, []int32{6, 7}) {
		t.Errorf("after the first macro %+v", pos)
	}
}

func TestCos(t *testing.T) {
	tests := []struct {
		a, b Vec
		want float64
	}{
		{Vec{3, 4}, Vec{3, 4}, 1},
		{Vec{127, 0}, Vec{0, 127}, 0},
		{Vec{1, 0}, Vec{-5, 0}, -1},
		{nil, Vec{1}, 0},
		{Vec{0, 0}, Vec{1, 1}, 0},
		{Vec{1, 2}, Vec{1, 2, 3}, 0},
	}
	for _, tt := range tests {
		if got := Cos(tt.a, tt.b); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("Cos(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestMeanIgnoresLengthAndOrder(t *testing.T) {
	a, b, c := Vec{100, 0}, Vec{0, 3}, Vec{5, 5}
	if got, want := Mean(a, b), Mean(Vec{1, 0}, Vec{0, 127}); !reflect.DeepEqual(got, want) {
		t.Errorf("unit vectors weigh %v and %v", got, want)
	}
	if !reflect.DeepEqual(Mean(a, b, c), Mean(c, b, a)) {
		t.Error("order changed the mean")
	}
	if Mean() != nil || Mean(nil, Vec{0}) != nil {
		t.Error("the mean of nothing is something")
	}
}

func TestMeanOfStatesIsTheMeanOfTheirMeans(t *testing.T) {
	v := NewView(&Tree{States: []State{{Vecs: []Vec{{3, 4}, {100, -7}}}, {}, {Vecs: []Vec{{-5, 90}}}, {Vecs: []Vec{{1, 2, 3}}}}})
	for _, c := range [][]int32{nil, {1}, {0}, {0, 2}, {2, 0, 2}, {1, 0}, {3, 0}, {0, 3, 2}} {
		var vecs []Vec
		for _, s := range c {
			vecs = append(vecs, Mean(v.States[s].Vecs...))
		}
		if got, want := v.Mean(c), Mean(vecs...); !reflect.DeepEqual(got, want) {
			t.Errorf("states %v: %v, want %v", c, got, want)
		}
	}
}

func TestUnseen(t *testing.T) {
	s := State{Next: []Edge{{Count: Count{Tasks: 1}}, {Count: Count{Tasks: 3}}}}
	if got := s.unseen(); got != 250 {
		t.Errorf("one step of four seen once: %d, want 250", got)
	}
	if got := (&State{}).unseen(); got != 1000 {
		t.Errorf("nothing seen: %d, want 1000", got)
	}
}
