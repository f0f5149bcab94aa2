package tree_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// A proposal in words is matched with the macros that the tree offers at a
// place, and the best of them is the next place.
func Example() {
	table := text.Default()
	fix := fixes(table)
	if err := fix.Check(); err != nil {
		fmt.Println(err)
	}
	view := tree.NewView(fix)
	params := tree.Params{Profile: tree.DefaultProfile, Alpha: 1000, AllowedShare: 1000, MaxChildren: 10, Novelty: 1001}
	pos := view.StartAt(0)
	for _, words := range []string{"I read the source file first.", "Now I fix the bug.", "Done?"} {
		proposal := tree.Proposal{Text: words, Vec: table.Vec(nil, nil, words)}
		found := view.Match(view.Children(&pos, &params), &proposal, &params)
		if len(found.Ranked) == 0 {
			fmt.Println("nothing follows")
			break
		}
		best := found.Ranked[0]
		fmt.Println(view.States[best.State].Key, "of", len(found.Ranked))
		view.Step(&pos, best.Child)
	}
	// Output:
	// view of 1
	// edit of 1
	// nothing follows
}

// fixes is the tree of one family, whose tasks read, edit and test.
func fixes(table *text.Table) *tree.Tree {
	follows := func(to int32) []tree.Edge { return []tree.Edge{{To: to, Count: tree.Count{Tasks: 3, Success: 3}}} }
	vec := func(s string) []tree.Vec { return []tree.Vec{table.Vec(nil, nil, s)} }
	return &tree.Tree{
		Families: []tree.Family{{Name: "fix", Node: 1, Vocabulary: 2, Common: []int32{1, 2}}},
		States: []tree.State{
			{Key: "^", Next: follows(2)},
			{Key: "edit", Risk: 1, Vecs: vec("edit the code and fix the bug")},
			{Key: "view", Vecs: vec("read the source file"), Next: follows(1)},
		},
		Nodes: []tree.Node{{Parent: -1, State: -1}, {Parent: 0}, {Parent: 1, State: 2}, {Parent: 2, State: 1}},
	}
}
