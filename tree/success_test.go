package tree

import "testing"

// TestSuccessRate goes through where the rate of eq. (1) comes from.
func TestSuccessRate(t *testing.T) {
	tr := demo()
	tr.States[3].Count = Count{Tasks: 2, Success: 1, Failure: 1} // edit
	tr.States[5].Count = Count{Tasks: 1, Success: 1}             // run
	tr.Clusters = []Cluster{{Key: ClusterKey(&tr.States[3]), Count: Count{Success: 1, Failure: 5}}}
	v := NewView(tr)
	literal := settings
	literal.Profile = ReferenceProfile
	for _, tt := range []struct {
		name  string
		child Child
		p     *Params
		want  Milli
	}{
		{"nothing is known of it: one half", Child{State: 4}, &settings, 500},
		{"a macro without a cluster is drawn to one half", Child{State: 5}, &literal, 667},
		{"a cluster that fails draws the macro down", Child{State: 3}, &literal, 375},                        // (1 + 2/4) / (2 + 2)
		{"a step that always worked draws it up", Child{State: 3, Count: Count{Success: 2}}, &settings, 688}, // (2 + 2*.375) / (2 + 2)
		{"the reference profile has no other steps", Child{State: 3, Count: Count{Success: 2}}, &literal, 375},
	} {
		if got := v.rate(&tt.child, tt.p); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestSuccessDecidesBetweenLikeChildren holds eq. (1): of two children that fit
// alike, the one whose runs succeed is chosen where Beta weighs success.
func TestSuccessDecidesBetweenLikeChildren(t *testing.T) {
	tr := demo()
	tr.States[3].Vecs, tr.States[5].Vecs = []Vec{{100, 100}}, []Vec{{100, 100}}
	v := NewView(tr)
	children := []Child{
		{State: 3, Node: -1, Count: Count{Tasks: 2, Success: 2, Failure: 6}},
		{State: 5, Node: -1, Count: Count{Tasks: 2, Success: 2}},
	}
	for _, tt := range []struct {
		beta Milli
		want int32
	}{{0, 3}, {500, 5}} {
		p := settings
		p.Beta = tt.beta
		m := v.Match(children, &Proposal{Text: "?", Vec: Vec{1, 1}}, &p)
		if got := m.Ranked[0].State; got != tt.want {
			t.Errorf("beta %d: state %d is chosen, want %d", tt.beta, got, tt.want)
		}
	}
}
