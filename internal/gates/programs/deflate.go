package programs

import (
	"cmp"
	"math/bits"
	"slices"
)

// This file deflates (RFC 1951) as small as it can: among all ways to write a text as
// literals and matches it takes the cheapest, by what the symbols cost in the round before,
// as Zopfli does. The package compress/flate takes the first match that is long enough, and
// the table would be a twentieth longer. All numbers are integers, so that each machine
// writes the same bytes.

const (
	windowLen = 32 << 10
	minMatch  = 3
	maxMatch  = 258
	rounds    = 6    // of choosing anew; more of them save nothing
	chain     = 4000 // places that are tried for a match
	endBlock  = 256
)

// found is a match: the nearest place for each length up to this one that no shorter match has.
type found struct{ length, distance uint16 }

// deflated is a text in one block, behind a dictionary that its reader knows.
func deflated(text, dictionary []byte) []byte {
	dictionary = dictionary[max(0, len(dictionary)-windowLen):]
	all := slices.Concat(dictionary, text)
	matches := matchesOf(all, len(dictionary))
	var best []byte
	costs := firstCosts()
	for range rounds {
		steps := cheapest(text, matches, costs)
		lits, dists := counted(text, steps)
		if out := written(text, steps, lits, dists); best == nil || len(out) < len(best) {
			best = out
		}
		costs = costsOf(lits, dists)
	}
	return best
}

// matchesOf finds for each place behind start the matches before it, shorter ones first.
func matchesOf(all []byte, start int) [][]found {
	last := make([]int32, 1<<16) // one more than the place, by a sum of its first bytes
	before := make([]int32, len(all))
	list := make([][]found, len(all)-start)
	for i := range all {
		if i+minMatch > len(all) {
			break
		}
		sum := (uint32(all[i])<<16 | uint32(all[i+1])<<8 | uint32(all[i+2])) * 2654435761 >> 16
		at := last[sum] - 1
		before[i], last[sum] = at, int32(i)+1
		if i < start {
			continue
		}
		most, limit := minMatch-1, min(maxMatch, len(all)-i)
		for n := 0; at >= 0 && i-int(at) <= windowLen && n < chain && most < limit; at, n = before[at], n+1 {
			if all[int(at)+most] != all[i+most] {
				continue
			}
			l := 0
			for l < limit && all[int(at)+l] == all[i+l] {
				l++
			}
			if l > most {
				most = l
				list[i-start] = append(list[i-start], found{uint16(l), uint16(i - int(at))})
			}
		}
	}
	return list
}

// prices are what symbols cost, in 256ths of a bit: literals, lengths of matches, and the
// classes of their distances.
type prices struct {
	literal  [256]int32
	length   [maxMatch + 1]int32
	distance [30]int32
}

func firstCosts() *prices {
	p := &prices{}
	for i := range p.literal {
		p.literal[i] = 8 << 8
	}
	for l := minMatch; l <= maxMatch; l++ {
		_, extra := lengthClass(l)
		p.length[l] = int32(7+extra) << 8
	}
	for i := range p.distance {
		p.distance[i] = int32(5+distanceExtra(i)) << 8
	}
	return p
}

func costsOf(lits *[286]int, dists *[30]int) *prices {
	p := &prices{}
	price := func(n, of int) int32 { return log2(uint32(of)) - log2(uint32(max(n, 1))) }
	sum := 0
	for _, n := range lits {
		sum += n
	}
	for i := range p.literal {
		p.literal[i] = price(lits[i], sum)
	}
	for l := minMatch; l <= maxMatch; l++ {
		class, extra := lengthClass(l)
		p.length[l] = price(lits[class], sum) + int32(extra)<<8
	}
	sum = 1
	for _, n := range dists {
		sum += n
	}
	for i := range p.distance {
		p.distance[i] = price(dists[i], sum) + int32(distanceExtra(i))<<8
	}
	return p
}

// log2 is the logarithm of a number in 256ths.
func log2(n uint32) int32 {
	whole := bits.Len32(n) - 1
	m, part := uint64(n)<<(31-whole), int32(0)
	for range 8 {
		m = m * m >> 31
		part <<= 1
		if m>>32 != 0 {
			m >>= 1
			part |= 1
		}
	}
	return int32(whole)<<8 | part
}

// cheapest is the way through a text: for each step a match, or none for a literal.
func cheapest(text []byte, matches [][]found, p *prices) []found {
	const far = 1 << 30
	cost := make([]int32, len(text)+1)
	by := make([]found, len(text)+1)
	for i := 1; i < len(cost); i++ {
		cost[i] = far
	}
	for i := range text {
		if c := cost[i] + p.literal[text[i]]; c < cost[i+1] {
			cost[i+1], by[i+1] = c, found{1, 0}
		}
		l := minMatch
		for _, f := range matches[i] {
			base := cost[i] + p.distance[distanceClass(int(f.distance))]
			for ; l <= int(f.length); l++ {
				if c := base + p.length[l]; c < cost[i+l] {
					cost[i+l], by[i+l] = c, found{uint16(l), f.distance}
				}
			}
		}
	}
	var steps []found
	for i := len(text); i > 0; i -= int(by[i].length) {
		steps = append(steps, by[i])
	}
	slices.Reverse(steps)
	return steps
}

func counted(text []byte, steps []found) (lits *[286]int, dists *[30]int) {
	lits, dists = new([286]int), new([30]int)
	at := 0
	for _, s := range steps {
		if s.distance == 0 {
			lits[text[at]]++
		} else {
			class, _ := lengthClass(int(s.length))
			lits[class]++
			dists[distanceClass(int(s.distance))]++
		}
		at += int(s.length)
	}
	lits[endBlock]++
	return lits, dists
}

// lengthClass is the symbol of a length and how many bits stand behind it.
func lengthClass(l int) (symbol, extra int) {
	switch l -= minMatch; {
	case l < 8:
		return 257 + l, 0
	case l == maxMatch-minMatch:
		return 285, 0
	default:
		extra = bits.Len(uint(l)) - 3
		return 257 + 4*extra + l>>extra, extra
	}
}

func distanceClass(d int) int {
	if d--; d < 4 {
		return d
	}
	extra := bits.Len(uint(d)) - 2
	return 2*extra + d>>extra
}

func distanceExtra(class int) int { return max(0, class/2-1) }

// lengthsOf are the lengths of the codes of symbols by how often they stand, none longer
// than a limit: where one would be, the rare ones are taken for less rare.
func lengthsOf(counts []int, limit int) []uint8 {
	type node struct{ count, first, left, right int }
	for least := 1; ; least *= 2 {
		var nodes []node
		for s, n := range counts {
			if n > 0 {
				nodes = append(nodes, node{max(n, least), s, -1, -1})
			}
		}
		lengths := make([]uint8, len(counts))
		if len(nodes) == 1 {
			lengths[nodes[0].first] = 1
			return lengths
		}
		order := make([]int, len(nodes))
		for i := range order {
			order[i] = i
		}
		for len(order) > 1 {
			slices.SortFunc(order, func(a, b int) int {
				return cmp.Or(cmp.Compare(nodes[a].count, nodes[b].count), cmp.Compare(nodes[a].first, nodes[b].first))
			})
			a, b := order[0], order[1]
			nodes = append(nodes, node{nodes[a].count + nodes[b].count, min(nodes[a].first, nodes[b].first), a, b})
			order = append(order[2:], len(nodes)-1)
		}
		deepest := 0
		var walk func(n, depth int)
		walk = func(n, depth int) {
			if nodes[n].left < 0 {
				lengths[nodes[n].first], deepest = uint8(depth), max(deepest, depth)
				return
			}
			walk(nodes[n].left, depth+1)
			walk(nodes[n].right, depth+1)
		}
		if len(order) == 1 {
			walk(order[0], 0)
		}
		if deepest <= limit {
			return lengths
		}
	}
}

// codesOf are the codes of symbols by their lengths, the first bit lowest (RFC 1951, 3.2.2).
func codesOf(lengths []uint8) []uint16 {
	var number [16]int
	for _, l := range lengths {
		number[l]++
	}
	number[0] = 0
	var next [17]int
	for l := 1; l < 16; l++ {
		next[l+1] = (next[l] + number[l]) << 1
	}
	codes := make([]uint16, len(lengths))
	for s, l := range lengths {
		if l > 0 {
			codes[s] = bits.Reverse16(uint16(next[l])) >> (16 - l)
			next[l]++
		}
	}
	return codes
}

type bitWriter struct {
	out  []byte
	held uint64
	n    uint
}

func (w *bitWriter) write(v, n int) {
	w.held |= uint64(v) << w.n
	for w.n += uint(n); w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.held))
		w.held >>= 8
	}
}

// written is the one block of a text.
func written(text []byte, steps []found, lits *[286]int, dists *[30]int) []byte {
	litLengths, distLengths := lengthsOf(lits[:], 15), lengthsOf(dists[:], 15)
	w := &bitWriter{}
	w.write(0b101, 3) // the last block, with codes of its own
	w.header(litLengths, distLengths)
	litCodes, distCodes := codesOf(litLengths), codesOf(distLengths)
	at := 0
	for _, s := range steps {
		if s.distance == 0 {
			w.write(int(litCodes[text[at]]), int(litLengths[text[at]]))
		} else {
			class, extra := lengthClass(int(s.length))
			w.write(int(litCodes[class]), int(litLengths[class]))
			w.write((int(s.length)-minMatch)&(1<<extra-1), extra)
			class = distanceClass(int(s.distance))
			extra = distanceExtra(class)
			w.write(int(distCodes[class]), int(distLengths[class]))
			w.write((int(s.distance)-1)&(1<<extra-1), extra)
		}
		at += int(s.length)
	}
	w.write(int(litCodes[endBlock]), int(litLengths[endBlock]))
	w.write(0, 7)
	return w.out
}

// header writes the lengths of the codes (RFC 1951, 3.2.7).
func (w *bitWriter) header(lits, dists []uint8) {
	order := [...]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	trim := func(l []uint8, least int) []uint8 {
		for len(l) > least && l[len(l)-1] == 0 {
			l = l[:len(l)-1]
		}
		return l
	}
	lits, dists = trim(lits, 257), trim(dists, 1)
	type run struct{ symbol, more, extra int }
	var runs []run
	all := slices.Concat(lits, dists)
	counts := make([]int, 19)
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		i += n
		add := func(symbol, more, extra int) {
			runs = append(runs, run{symbol, more, extra})
			counts[symbol]++
		}
		l := int(all[i-1])
		if l != 0 {
			add(l, 0, 0)
			n--
		}
		for n > 0 {
			switch {
			case l == 0 && n >= 11:
				k := min(n, 138)
				add(18, k-11, 7)
				n -= k
			case l == 0 && n >= 3:
				add(17, n-3, 3)
				n = 0
			case l != 0 && n >= 3:
				k := min(n, 6)
				add(16, k-3, 2)
				n -= k
			default:
				add(l, 0, 0)
				n--
			}
		}
	}
	lengths := lengthsOf(counts, 7)
	last := len(order)
	for last > 4 && lengths[order[last-1]] == 0 {
		last--
	}
	w.write(len(lits)-257, 5)
	w.write(len(dists)-1, 5)
	w.write(last-4, 4)
	for _, s := range order[:last] {
		w.write(int(lengths[s]), 3)
	}
	codes := codesOf(lengths)
	for _, r := range runs {
		w.write(int(codes[r.symbol]), int(lengths[r.symbol]))
		w.write(r.more, r.extra)
	}
}
