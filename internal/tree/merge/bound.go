package merge

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// maxPlaces is how many nodes a tree may grow before it is bounded by support:
// more than all shared corpora together have calls, so their trees have no bound.
const maxPlaces = 1 << 16

// minTasks is the number of tasks from which support is counted by tasks. Of
// fewer, a support of some says nothing, and runs count instead.
const minTasks = 64

// maxDepth is the deepest place that grows; a tree's root stands above it.
const maxDepth = tree.MaxDepth - 1

// Bound is what keeps the tree's size from following the number of runs: long
// runs that share little would each add a branch of their own, which nothing
// will ever walk again. States and their successors, from which a step is
// covered, are of all runs.
type Bound struct {
	Support int `json:"support"` // the fewest tasks that a node was seen with; 0 if all nodes are kept
	Runs    int `json:"runs"`    // successful runs whose path goes on below the nodes kept
	Macros  int `json:"macros"`  // their macros there
}

// support finds for every place of the tree about how many tasks it was seen
// with, in memory that does not grow with the number of places: a bitmap of
// task hashes for each (linear counting: Whang, Vander-Zanden and Taylor 1990)
// in rows of cells that places share by hash, of which the bits that all rows
// have are its own (as in the count-min sketch: Cormode and Muthukrishnan
// 2005). Sharing can only add bits, so a place is never counted too low by it.
// Bits are set and never cleared: order and workers do not matter.
type support struct {
	rows   [3][]uint64
	byRun  bool // too few tasks: runs count instead
	least  int  // bits that a place must have; 0 keeps all
	budget int
}

// A row has at most so many cells: 16 MB each, 48 in all. Every row takes bits
// of its own of a place's hash.
const (
	rowBits  = 21
	maxCells = 1 << rowBits
)

// newSupport makes room for so many macros; nil if the tree cannot pass its
// budget.
func newSupport(macros, tasks, budget int) *support {
	if macros <= budget {
		return nil
	}
	s := &support{byRun: tasks < minTasks, budget: budget}
	cells := min(1<<bits.Len(uint(macros)), maxCells)
	for i := range s.rows {
		s.rows[i] = make([]uint64, cells)
	}
	return s
}

// add marks the places of a trace's path, and offers them to a sample. Several
// workers may add at a time.
func (s *support) add(t *Trace, family string, places *sample[struct{}]) {
	by := t.TaskKey
	if s.byRun {
		by = t.Key()
	}
	bit := uint64(1) << (by >> 58)
	h := rootPlace(family)
	for depth, m := range wayOf(t) {
		if depth == maxDepth {
			return
		}
		h = nextPlace(h, t.Macros[m].Key)
		for i := range s.rows {
			atomic.OrUint64(s.cell(i, h), bit)
		}
		places.add(h, struct{}{}, nil)
	}
}

// cell is the cell of a place in a row.
func (s *support) cell(row int, place uint64) *uint64 {
	h := place >> (rowBits * row)
	return &s.rows[row][h&uint64(len(s.rows[row])-1)]
}

func (s *support) of(place uint64) int {
	return bits.OnesCount64(*s.cell(0, place) & *s.cell(1, place) & *s.cell(2, place))
}

// placesSampled is how many distinct places the choice of the least support
// rests on.
const placesSampled = 8192

// settle chooses the least support with which the places seen, of which the
// sample tells, fit the budget.
func (s *support) settle(places *sample[struct{}]) {
	all := int(places.size())
	for s.least = 0; all > s.budget && s.least <= 64; {
		s.least = max(s.least+1, 2)
		kept := 0
		for _, p := range places.items {
			if s.of(p.hash) >= s.least {
				kept++
			}
		}
		if kept*all/len(places.items) <= s.budget {
			return
		}
	}
}

// keeps says whether a place is part of the tree.
func (s *support) keeps(place uint64) bool { return s == nil || s.least == 0 || s.of(place) >= s.least }

// wayOf is the macros of a trace that stand in the tree: cycles fold.
func wayOf(t *Trace) []int {
	return segment.Collapse(len(t.Macros), func(i int) string { return t.Macros[i].Key })
}

// rootPlace and nextPlace name the places of the tree by hashes.
func rootPlace(family string) uint64 { return xxhash.Sum64String(family) }

func nextPlace(place uint64, key string) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], place)
	binary.LittleEndian.PutUint64(b[8:], xxhash.Sum64String(key))
	return xxhash.Sum64(b[:])
}
