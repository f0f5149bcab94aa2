package shell

import (
	"sort"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// StripComments is Line.WithoutComments for a text.
func StripComments(src string) string {
	if firstByte(src, '#') < 0 {
		return src
	}
	return Parse(src).WithoutComments()
}

// WithoutComments returns the line without its comments, which are words for
// people (requirement C5). What only looks like a comment ($#, a # in quotes or
// in a here-document) stays, and so does a line that cannot be parsed.
func (l *Line) WithoutComments() string {
	src := l.Text
	file, ok := l.Syntax()
	if !ok || firstByte(src, '#') < 0 {
		return src
	}
	var cuts [][2]int
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			from, to := int(c.Pos().Offset()), int(c.End().Offset())
			// In backquotes the parser reads \$ as $: where such a comment ends, it does not say.
			whole := from < to && to <= len(src) && src[from] == '#' && (src[from:to] == "#"+c.Text || firstByte(src[:from], '`') < 0)
			if whole && !strings.HasPrefix(src[from:], "#!") {
				cuts = append(cuts, [2]int{from, to})
			}
		}
		return true
	})
	sort.Slice(cuts, func(i, j int) bool { return cuts[i][0] < cuts[j][0] })
	var b strings.Builder
	done := 0
	for _, c := range cuts {
		if c[0] < done {
			continue
		}
		b.WriteString(strings.TrimRight(src[done:c[0]], " \t"))
		done = c[1]
	}
	b.WriteString(src[done:])
	return strings.TrimRight(b.String(), " \t\n")
}
