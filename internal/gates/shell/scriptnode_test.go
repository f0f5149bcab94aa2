package shell

import (
	"fmt"
	"strings"
)

// This file has the scripts that scripts_test.go judges, as trees that can be cut.

// node is a statement: text in which each slot stands for statements. A slot is % and a letter: l is
// a list on lines of its own, i one statement within a line, q a list that stands between
// single quotation marks.
type node struct {
	text string
	kids [][]*node
}

// leaf is a statement without others in it.
func leaf(format string, args ...any) *node { return &node{text: fmt.Sprintf(format, args...)} }

// render writes statements, each on lines of its own.
func render(list []*node) string {
	if len(list) == 0 {
		return ":"
	}
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(n.String())
	}
	return b.String()
}

func (n *node) String() string {
	var b strings.Builder
	kid := 0
	for i := 0; i < len(n.text); i++ {
		if n.text[i] != '%' || kid >= len(n.kids) || i+1 == len(n.text) || strings.IndexByte("liq", n.text[i+1]) < 0 {
			b.WriteByte(n.text[i])
			continue
		}
		i++
		text := render(n.kids[kid])
		if n.text[i] == 'q' {
			text = strings.ReplaceAll(text, "'", `'\''`)
		}
		b.WriteString(text)
		kid++
	}
	return b.String()
}

// smaller lists the scripts that are one cut smaller.
func smaller(list []*node) [][]*node {
	var out [][]*node
	with := func(i int, in ...*node) []*node {
		return append(append(append([]*node(nil), list[:i]...), in...), list[i+1:]...)
	}
	for i, n := range list {
		out = append(out, with(i))
		for _, kids := range n.kids {
			out = append(out, with(i, kids...))
		}
	}
	for i, n := range list {
		for k, kids := range n.kids {
			for _, less := range smaller(kids) {
				if oneStmt(n, k) && len(less) != 1 {
					continue
				}
				other := &node{text: n.text, kids: append([][]*node(nil), n.kids...)}
				other.kids[k] = less
				out = append(out, with(i, other))
			}
		}
	}
	return out
}

// oneStmt says whether a slot takes one statement within a line.
func oneStmt(n *node, k int) bool {
	for i := 0; i+1 < len(n.text); i++ {
		if n.text[i] == '%' && strings.IndexByte("liq", n.text[i+1]) >= 0 {
			if k == 0 {
				return n.text[i+1] == 'i'
			}
			k--
			i++
		}
	}
	return false
}
