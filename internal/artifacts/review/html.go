package review

import (
	"bytes"
	_ "embed"
	"html/template"
)

//go:embed page.html
var pageText string

// page is a Document as its template sees it.
type page struct {
	*Document
	Families []pageFamily
}

type pageFamily struct {
	*Family
	Roots []*pageNode
}

type pageNode struct {
	*Node
	Key, Desc string
	Risk      uint8
	Stats     *pageStats
	Children  []*pageNode
}

type pageStats struct{ Count pageCount }

type pageCount struct {
	Count
	Total uint32
}

// Percent is the share of successful episodes.
func (s *pageStats) Percent() uint32 { return 100 * s.Count.Success / max(s.Count.Total, 1) }

// HTML is the document as one page that needs nothing else: no script, no
// network. The same document gives the same bytes. Statistics are shown where
// the document holds them. Its size grows with the number of nodes, by some 400
// bytes each.
func (d *Document) HTML() ([]byte, error) {
	t, err := template.New("policy").Parse(pageText)
	if err != nil {
		return nil, err
	}
	p := page{Document: d}
	for i := range d.Families {
		p.Families = append(p.Families, pageFamily{&d.Families[i], treeOf(&d.Families[i])})
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// treeOf hangs a family's nodes below their parents, which come first.
func treeOf(f *Family) (roots []*pageNode) {
	states := map[string]*State{}
	for i := range f.States {
		states[f.States[i].ID] = &f.States[i]
	}
	nodes := map[string]*pageNode{}
	for i := range f.Nodes {
		n := &pageNode{Node: &f.Nodes[i]}
		if s := states[n.State.ID]; s != nil {
			n.Key, n.Desc, n.Risk = s.Key, s.Desc, s.Risk
		}
		if n.Parent == "" {
			n.Key = "start"
		}
		if s := n.Node.Stats; s != nil {
			n.Stats = &pageStats{pageCount{s.Count, s.Count.Success + s.Count.Failure}}
		}
		nodes[n.ID] = n
		if up := nodes[n.Parent]; up != nil {
			up.Children = append(up.Children, n)
		} else {
			roots = append(roots, n)
		}
	}
	return roots
}
