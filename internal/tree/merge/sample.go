package merge

import (
	"cmp"
	"slices"
)

// sample keeps the k items with the smallest hashes of all it ever saw: a
// uniform sample of the distinct items that does not depend on their order and
// that unions exactly (bottom-k sketch: Cohen and Kaplan, "Summarizing data
// using bottom-k sketches", PODC 2007). Memory is bounded by k.
type sample[T any] struct {
	k     int
	items []sampled[T] // sorted by hash, no two alike
}

type sampled[T any] struct {
	hash uint64
	item T
}

// add offers an item. merge, if not nil, folds a second item with a known hash
// into the first.
func (s *sample[T]) add(hash uint64, item T, merge func(old *T, item T)) {
	i, ok := slices.BinarySearchFunc(s.items, hash, func(e sampled[T], h uint64) int { return cmp.Compare(e.hash, h) })
	if ok {
		if merge != nil {
			merge(&s.items[i].item, item)
		}
		return
	}
	if i == s.k {
		return
	}
	if len(s.items) == s.k {
		s.items = s.items[:s.k-1]
	}
	s.items = slices.Insert(s.items, i, sampled[T]{hash, item})
}

// union folds another sample of the same k in.
func (s *sample[T]) union(o *sample[T], merge func(old *T, item T)) {
	if s.k == 0 {
		s.k = o.k
	}
	for _, e := range o.items {
		s.add(e.hash, e.item, merge)
	}
}

// size estimates how many distinct items were offered; exact up to k.
func (s *sample[T]) size() uint32 {
	n := len(s.items)
	if n < s.k || n < 2 {
		return uint32(n)
	}
	// The k-th smallest of N uniform hashes is expected at k/(N+1) of the range.
	last := s.items[n-1].hash>>32 + 1
	return uint32(uint64(n-1) << 32 / last)
}
