package parquet

import (
	"fmt"
	"io"
	"iter"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Rows are put together from the columns here, by the definition and
// repetition levels of each entry (Melnik et al., Dremel, VLDB 2010, section
// 4), and not by arrow-go's own conversion to Arrow: that one decodes nested
// columns in goroutines of its own, where a panic over a damaged file ends the
// program and cannot be caught.

// Rows gives every row as the text of one JSON object, valid until the next
// step of the iteration. An error ends the sequence.
func (f *File) Rows() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var root *node
		if err := guarded(func() (err error) { root, err = newRoot(f.rd.MetaData().Schema); return err }); err != nil {
			yield(nil, err)
			return
		}
		var b []byte
		for g := range f.rd.NumRowGroups() {
			var rg *group
			err := guarded(func() (err error) { rg, err = openGroup(f.rd, g, root); return err })
			for err == nil {
				err = guarded(func() (err error) { b, err = rg.row(b[:0]); return err })
				if err == io.EOF {
					break
				}
				if !yield(b, err) {
					rg.close()
					return
				}
			}
			if rg != nil {
				rg.close()
			}
			if err != io.EOF {
				if rg == nil {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// guarded runs f and gives what it panicked with as an error: it is how
// arrow-go meets some damaged files.
func guarded(f func() error) (err error) {
	defer caught(&err)
	return f()
}

// node is one field of the schema, with the levels from which on it is there.
type node struct {
	name     string
	def, rep int16
	optional bool
	repeated bool
	list     bool // a LIST group: shown as its elements
	children []*node
	leaf     int // index of the column, -1 for groups
	first    int // index of the first column below
}

// maxNodes bounds the fields of a schema.
const maxNodes = 10_000

// newRoot turns the schema into nodes.
func newRoot(s *schema.Schema) (*node, error) {
	n := 0
	leafs := 0
	var build func(x schema.Node, def, rep int16, depth int) (*node, error)
	build = func(x schema.Node, def, rep int16, depth int) (*node, error) {
		if n++; n > maxNodes || depth > 64 {
			return nil, fmt.Errorf("parquet: the schema is too large")
		}
		out := &node{name: x.Name(), leaf: -1, first: leafs}
		if depth > 0 {
			switch x.RepetitionType() {
			case pq.Repetitions.Optional:
				out.optional = true
				def++
			case pq.Repetitions.Repeated:
				out.repeated = true
				def++
				rep++
			}
		}
		out.def, out.rep = def, rep
		g, ok := x.(*schema.GroupNode)
		if !ok {
			out.leaf = leafs
			leafs++
			return out, nil
		}
		for i := range g.NumFields() {
			c, err := build(g.Field(i), def, rep, depth+1)
			if err != nil {
				return nil, err
			}
			out.children = append(out.children, c)
		}
		if len(out.children) == 0 {
			return nil, fmt.Errorf("parquet: the group %q has no fields", out.name)
		}
		out.list = isList(x) && len(out.children) == 1 && out.children[0].repeated
		return out, nil
	}
	root, err := build(s.Root(), 0, 0, 0)
	if err == nil && leafs != s.NumColumns() {
		err = fmt.Errorf("parquet: the schema's columns do not add up")
	}
	return root, err
}

func isList(x schema.Node) bool {
	if x.ConvertedType() == schema.ConvertedTypes.List {
		return true
	}
	_, ok := x.LogicalType().(schema.ListLogicalType)
	return ok
}

// group reads one row group.
type group struct {
	root   *node
	leafs  []*leaf
	open   []file.ColumnChunkReader
	rows   int64
	number int64
}

func openGroup(rd *file.Reader, g int, root *node) (*group, error) {
	rg := rd.RowGroup(g)
	out := &group{root: root, rows: rg.NumRows()}
	for i := range rd.MetaData().Schema.NumColumns() {
		meta, err := rg.MetaData().ColumnChunk(i)
		if err != nil {
			return nil, fmt.Errorf("parquet: %w", err)
		}
		c, err := rg.Column(i)
		if err != nil {
			return nil, fmt.Errorf("parquet: %w", err)
		}
		l, err := newLeaf(c, meta.NumValues())
		if err != nil {
			return nil, err
		}
		out.leafs = append(out.leafs, l)
		out.open = append(out.open, c)
	}
	return out, nil
}

func (g *group) close() {
	for _, c := range g.open {
		guarded(c.Close)
	}
	g.open = nil
}

// row appends the next row; io.EOF after the last.
func (g *group) row(b []byte) ([]byte, error) {
	if g.number++; g.number > g.rows {
		return b, io.EOF
	}
	return g.fields(b, g.root)
}

// value appends the value of n at the columns' positions.
func (g *group) value(b []byte, n *node) ([]byte, error) {
	l := g.leafs[n.first]
	if n.optional || n.repeated {
		if err := l.peek(); err != nil {
			return b, short(err)
		}
		if l.def[l.at] < n.def {
			if n.repeated {
				b = append(b, "[]"...)
			} else {
				b = append(b, "null"...)
			}
			return b, g.pass(n)
		}
	}
	if !n.repeated {
		return g.content(b, n)
	}
	b = append(b, '[')
	for i := 0; ; i++ {
		var err error
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = g.content(b, n); err != nil {
			return b, err
		}
		switch err := l.peek(); {
		case err == io.EOF:
			return append(b, ']'), nil
		case err != nil:
			return b, short(err)
		case l.rep[l.at] < n.rep:
			return append(b, ']'), nil
		}
	}
}

// content appends one value of n that is there.
func (g *group) content(b []byte, n *node) ([]byte, error) {
	switch {
	case n.leaf >= 0:
		return g.leafs[n.leaf].appendTo(b)
	case n.list:
		return g.value(b, n.children[0])
	case n.repeated && len(n.children) == 1:
		// The middle of a three-level list: its element is all it holds.
		return g.value(b, n.children[0])
	}
	return g.fields(b, n)
}

func (g *group) fields(b []byte, n *node) ([]byte, error) {
	b = append(b, '{')
	var err error
	for i, c := range n.children {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, c.name), ':')
		if b, err = g.value(b, c); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// pass skips the one entry that every column below n has where n is absent.
func (g *group) pass(n *node) error {
	if n.leaf >= 0 {
		l := g.leafs[n.leaf]
		if err := l.peek(); err != nil {
			return short(err)
		}
		l.next()
		return nil
	}
	for _, c := range n.children {
		if err := g.pass(c); err != nil {
			return err
		}
	}
	return nil
}
