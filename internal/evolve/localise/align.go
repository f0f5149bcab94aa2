package localise

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// alignment is a successful path laid beside a failed run.
type alignment struct {
	path   []int32
	with   []int // for each step of the run the step of the path that equals it, or -1
	shared int
}

// alike is how much of both the alignment covers: twice the shared steps by the
// steps of both (Dice's coefficient).
func (a *alignment) alike() tree.Milli {
	n := len(a.with) + len(a.path)
	if n == 0 {
		return 0
	}
	return tree.Milli(2000 * a.shared / n)
}

// align lays path beside run so that as many steps as possible are shared, in order
// (longest common subsequence: Wagner and Fischer 1974). Of several such ways it
// takes the one that shares the earliest steps, so that a divergence is never found
// later than it has to be by chance, nor earlier.
func align(run, path []int32) alignment {
	a := alignment{path: path, with: make([]int, len(run))}
	left := lcsTable(run, path)
	w := len(path) + 1
	i, j := 0, 0
	for i < len(run) {
		switch {
		case j < len(path) && run[i] == path[j]:
			a.with[i] = j
			a.shared++
			i, j = i+1, j+1
		case j < len(path) && left[i*w+j+1] >= left[(i+1)*w+j]:
			j++
		default:
			a.with[i] = -1
			i++
		}
	}
	return a
}

// lcsTable holds at i*(len(b)+1)+j the length of the longest common subsequence of
// a[i:] and b[j:].
func lcsTable(a, b []int32) []int32 {
	w := len(b) + 1
	t := make([]int32, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				t[i*w+j] = t[(i+1)*w+j+1] + 1
			} else {
				t[i*w+j] = max(t[(i+1)*w+j], t[i*w+j+1])
			}
		}
	}
	return t
}

// instead is what the path did where the run took step i, or None: between two
// steps that both share, the first of the one stands for the first of the other, and
// so on; where the run took more of them, the path was already at the shared one.
func (a *alignment) instead(i int) int32 {
	if a.with[i] >= 0 {
		return None
	}
	from, gap := 0, i // from: the path's step after the last shared one; gap: the run's
	for gap > 0 && a.with[gap-1] < 0 {
		gap--
	}
	if gap > 0 {
		from = a.with[gap-1] + 1
	}
	shared := len(a.path)
	if k := slices.IndexFunc(a.with[i:], func(j int) bool { return j >= 0 }); k >= 0 {
		shared = a.with[i+k]
	}
	next := min(from+i-gap, shared)
	if next >= len(a.path) {
		return None
	}
	return a.path[next]
}

// nearest returns the alignments of the paths that are most like the run, most
// alike first, at most n. Equal paths count once: a path is no more right because
// two leaves end on it.
func nearest(run []int32, paths [][]int32, n int) []alignment {
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, slices.Compare[[]int32])
	var all []alignment
	for _, p := range slices.CompactFunc(sorted, slices.Equal[[]int32]) {
		if a := align(run, p); a.shared > 0 || len(p) > 0 {
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b alignment) int { return cmp.Compare(b.alike(), a.alike()) })
	return all[:min(n, len(all))]
}
