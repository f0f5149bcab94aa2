package programs

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"slices"
)

// letters is how many symbols of package pieces stand for themselves.
const letters = 0x80

// worth is how often a pair must occur to be learned: it takes four bytes of the table
// itself, and saves two at most of each place but the first. Between 3 and 6 the table's
// size differs by two in a hundred.
const worth = 4

// A pair is two symbols of package pieces that stand beside each other.
type pair [2]uint16

// A learner finds which pairs of symbols texts have most.
type learner struct {
	texts [][]uint16
	pairs []pair
}

// Learn prints the pairs with which package pieces can tell the options of rows in few
// bytes, as the Go source of that package's table. A table that was learned goes on
// serving when programs are added, only less well: learning anew changes the code of
// every row.
func Learn(rows []Row) ([]byte, error) {
	var l learner
	for _, r := range rows {
		text := make([]uint16, len(r.Options))
		for i := range len(r.Options) {
			if text[i] = uint16(r.Options[i]); text[i] >= letters {
				return nil, fmt.Errorf("%s has an option that is not ASCII", r.Name)
			}
		}
		l.texts = append(l.texts, text)
	}
	for l.round() {
	}
	l.sort()
	var b bytes.Buffer
	b.WriteString(header + "package pieces\n\nvar pairs = [...][2]uint16{")
	for i, p := range l.pairs {
		if i%8 == 0 {
			b.WriteString("\n\t")
		}
		fmt.Fprintf(&b, "{%d, %d}, ", p[0], p[1])
	}
	b.WriteString("\n}\n")
	return format.Source(b.Bytes())
}

// round makes symbols of those pairs that occur at least half as often as the most
// frequent one and share no symbol from which both could grow, and says whether any was
// worth it.
func (l *learner) round() bool {
	often := map[pair]int{}
	for _, text := range l.texts {
		for i := 0; i+1 < len(text); i++ {
			often[pair{text[i], text[i+1]}]++
			if i+2 < len(text) && text[i] == text[i+1] && text[i] == text[i+2] {
				i++ // of aaa, aa stands once
			}
		}
	}
	var list []pair
	for p, n := range often {
		if n >= worth {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return false
	}
	slices.SortFunc(list, func(a, b pair) int {
		return cmp.Or(often[b]-often[a], int(a[0])-int(b[0]), int(a[1])-int(b[1]))
	})
	made, first, second := map[pair]uint16{}, map[uint16]bool{}, map[uint16]bool{}
	for _, p := range list {
		switch {
		case 2*often[p] < often[list[0]] || letters+len(l.pairs) > 1<<16-1:
		case second[p[0]] || first[p[1]] || p[0] == p[1] && len(made) > 0:
		default:
			made[p] = uint16(letters + len(l.pairs))
			l.pairs = append(l.pairs, p)
			first[p[0]], second[p[1]] = true, true
		}
	}
	l.replace(made)
	return len(made) > 0
}

// replace writes the symbols of pairs where the pairs stand.
func (l *learner) replace(made map[pair]uint16) {
	for i, text := range l.texts {
		kept := text[:0]
		for j := 0; j < len(text); j++ {
			if j+1 < len(text) {
				if symbol, ok := made[pair{text[j], text[j+1]}]; ok {
					kept = append(kept, symbol)
					j++
					continue
				}
			}
			kept = append(kept, text[j])
		}
		l.texts[i] = kept
	}
}

// sort puts those pairs first that stand most often in the texts: they have the short
// codes.
func (l *learner) sort() {
	often, order := make([]int, len(l.pairs)), make([]int, len(l.pairs))
	for _, text := range l.texts {
		for _, symbol := range text {
			if symbol >= letters {
				often[symbol-letters]++
			}
		}
	}
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return often[b] - often[a] })
	now, sorted := make([]uint16, len(l.pairs)), make([]pair, len(l.pairs))
	for to, from := range order {
		now[from] = uint16(letters + to)
	}
	for to, from := range order {
		for side, symbol := range l.pairs[from] {
			if symbol >= letters {
				symbol = now[symbol-letters]
			}
			sorted[to][side] = symbol
		}
	}
	l.pairs = sorted
}
