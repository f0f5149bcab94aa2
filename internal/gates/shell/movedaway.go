package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file remembers what a line moves and links: who deletes a directory into which the same line
// moved something deletes that, and below a link what it leads to.

// maxMoves bounds them.
const maxMoves = 64

// move is a file or directory that got another place.
type move struct {
	from, to string
	link     bool // it lies at its old place, too
}

// movesTo notes a move or a link.
func (m *machine) movesTo(src, target string, link bool) {
	if m.quiet > 0 || len(m.moves) >= maxMoves {
		return
	}
	m.moves = append(m.moves, move{m.p.Resolve(m.cwd, src), m.p.Resolve(m.cwd, target), link})
}

// deletesMoved records that a deletion takes what the line moved there before.
func (m *machine) deletesMoved(op effect.Op, full string) {
	if len(m.moves) == maxMoves {
		m.opaque(effect.OpComputed, "more moves than are followed, and a deletion")
		return
	}
	for i := len(m.moves) - 1; i >= 0; i-- {
		from, ok := m.movedFrom(&m.moves[i], full)
		if !ok {
			continue
		}
		all := m.moves
		m.moves = m.moves[:i] // what was moved there may have been moved before
		m.path(effect.Delete, op, from)
		m.moves = all
	}
}

// movedFrom is where what is deleted at a path lay before a move; ok is false where it is none of
// what was moved.
func (m *machine) movedFrom(v *move, full string) (from string, ok bool) {
	if full == "" || full[0] != '/' || v.from == "" || v.from[0] != '/' {
		return "", false
	}
	dir, rest := full, ""
	if i := markedAt(full); i < len(full) { // a pattern, of what lies in a directory
		dir, rest = strings.TrimRight(full[:lastByte(full[:i], '/')+1], "/"), full[lastByte(full[:i], '/')+1:]
	}
	name := lastElement(v.from)
	there := m.p.There == nil || m.p.There(v.to)
	var places []string
	if there || !v.link { // it may be a directory, in which the name stays
		places = append(places, v.to+"/"+name)
	}
	if !there || m.p.There == nil || v.to == dir && !v.link {
		places = append(places, v.to)
	}
	for _, at := range places {
		switch {
		case v.link && (dir == at && rest == "" || !mark.Under(dir, at)): // the link alone
		case rest == "" && mark.Under(at, dir) || rest != "" && at != dir && mark.Under(at, dir) && fitsFirst(rest, at[len(dir)+1:]):
			if !mark.Under(v.from, dir) {
				return v.from, true
			}
		case mark.Under(dir, at) && (dir != at || rest != ""):
			below := v.from + dir[len(at):]
			if rest != "" {
				below += "/" + rest
			}
			return below, true
		}
	}
	return "", false
}

// fitsFirst says whether the first element of a pattern stands for that of a path.
func fitsFirst(pattern, path string) bool {
	pattern, _, _ = cutAt(pattern, "/")
	path, _, _ = cutAt(path, "/")
	return mark.Match(pattern, path)
}

// markedAt is where the first mark of a path stands, its length without one.
func markedAt(path string) int {
	for i := range len(path) {
		if path[i] <= mark.Inside {
			return i
		}
	}
	return len(path)
}
