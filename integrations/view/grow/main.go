// Command grow makes large policies for tests of the page: it takes a policy and
// gives its tree as many nodes as are asked for, walks over the states that are
// there. The same arguments give the same bytes.
//
//	go run ./integrations/view/grow IN.gbt NODES OUT.gbt
//
// What belongs here: trees of a size. What never does: anything that a policy for
// use is made with.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "grow:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: grow IN.gbt NODES OUT.gbt")
	}
	want, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	p, _, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return err
	}
	out := *p
	out.Gates = slices.Clone(p.Gates)
	g := grower{t: &p.Tree, random: rand.New(rand.NewPCG(1, uint64(want))), gates: local(&out)}
	out.Tree = g.grown(want)
	if data, err = artifacts.Encode(&out); err != nil {
		return err
	}
	return os.WriteFile(args[2], data, 0o644)
}

// local adds copies of the gates that nodes may name, and returns their ids.
func local(p *artifacts.Policy) []string {
	var out []string
	for _, g := range slices.Clone(p.Gates) {
		if g.Scope == artifacts.ScopeGlobal {
			g.Scope = artifacts.ScopeNode
			g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
			p.Gates = append(p.Gates, g)
		}
		out = append(out, g.ID)
	}
	slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	return out
}

type grower struct {
	t      *tree.Tree
	random *rand.Rand
	gates  []string
	nodes  []tree.Node
	leaves []tree.Leaf
}

func (g *grower) grown(want int) tree.Tree {
	out := *g.t
	out.Families = slices.Clone(g.t.Families)
	g.nodes = []tree.Node{g.t.Nodes[0]}
	for i := range out.Families {
		f := &out.Families[i]
		f.Node = int32(len(g.nodes))
		end := int32(len(out.States))
		if i+1 < len(out.Families) {
			end = out.Families[i+1].First
		}
		var states []int32
		for s := f.First; s < end; s++ {
			if s != f.Start {
				states = append(states, s)
			}
		}
		upTo := len(g.nodes) + (want-len(g.nodes))/(len(out.Families)-i)
		g.grow(tree.Root, f.Start, states, upTo, 400, 0)
	}
	out.Nodes, out.Leaves = g.nodes, g.leaves
	return out
}

// grow adds a node and what is below it, in the order of the format: a node's
// subtree follows it.
func (g *grower) grow(parent, state int32, states []int32, upTo int, runs uint32, depth int) {
	at := int32(len(g.nodes))
	n := tree.Node{Parent: parent, State: state, Gates: g.nodes[parent].Gates}
	n.Count.Failure = g.random.Uint32N(runs/2 + 1)
	n.Count.Success = max(1, runs-n.Count.Failure)
	n.Count.Tasks = n.Count.Success
	if len(g.gates) > 0 && depth > 0 && g.random.IntN(30) == 0 {
		n.Gates = slices.Clone(n.Gates)
		n.Gates = append(n.Gates, g.gates[g.random.IntN(len(g.gates))])
		slices.Sort(n.Gates)
		n.Gates = slices.Compact(n.Gates)
	}
	g.nodes = append(g.nodes, n)
	ways := []int{1, 1, 1, 2, 3}[g.random.IntN(5)]
	if depth == 0 {
		ways = len(states)
	}
	order := g.random.Perm(len(states))
	for k := 0; k < min(ways, len(order)) && depth < 40; k++ {
		if left := upTo - len(g.nodes); left > 0 {
			share := len(g.nodes) + max(1, left/(min(ways, len(order))-k))
			g.grow(at, states[order[k]], states, share, max(1, runs*2/uint32(3*(k+1))), depth+1)
		}
	}
	if int(at) == len(g.nodes)-1 && depth > 0 {
		g.leaves = append(g.leaves, tree.Leaf{Node: at, Count: n.Count.Success})
	}
}
