package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// DOT is the tree as a graph of Graphviz (https://graphviz.org/doc/info/lang.html),
// a cluster for each family.
func DOT(d *review.Document, least uint32) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "digraph %s {\n  rankdir=LR\n  node [shape=box, style=rounded, fontname=\"sans-serif\"]\n", dotText(review.Plain(d.Name)))
	for i := range d.Families {
		top := treeOf(&d.Families[i], least)
		fmt.Fprintf(&out, "  subgraph cluster_%d {\n    label=%s\n", i, dotText(top.Key))
		top.each(func(b *branch) {
			fmt.Fprintf(&out, "    n%s [label=%s%s]\n", b.ID, dotText(label(b)), dotLook(b))
			for _, c := range b.Children {
				fmt.Fprintf(&out, "    n%s -> n%s\n", b.ID, c.ID)
			}
		})
		out.WriteString("  }\n")
	}
	out.WriteString("}\n")
	return out.Bytes()
}

// dotLook sets off nodes that have gates, and those where runs ended in success.
func dotLook(b *branch) string {
	out := ""
	if len(b.Gates) > 0 {
		out += ", color=red"
	}
	if b.Leaf != nil {
		out += ", peripheries=2"
	}
	return out
}

// dotText is a quoted string of DOT. A backslash begins an escape there, also one
// that stands for the name of the node.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// label is what stands in a node.
func label(b *branch) string {
	c := b.runs()
	out := fmt.Sprintf("%s\n%d of %d runs succeeded", b.Key, c.Success, c.Success+c.Failure)
	if n := len(b.Gates); n > 0 {
		out += fmt.Sprintf("\ngates: %d", n)
	}
	return out
}

// Mermaid is the tree as a flowchart (https://mermaid.js.org/syntax/flowchart.html).
// Renderers refuse more than 500 edges or 50,000 characters unless they are told
// otherwise (maxEdges and maxTextSize of its configuration).
func Mermaid(d *review.Document, least uint32) []byte {
	var out bytes.Buffer
	out.WriteString("flowchart LR\n  classDef gate stroke:#b3261e\n  classDef leaf stroke-width:3px\n")
	for i := range d.Families {
		top := treeOf(&d.Families[i], least)
		fmt.Fprintf(&out, "  subgraph f%d[\"%s\"]\n", i, mermaidText(top.Key))
		top.each(func(b *branch) {
			fmt.Fprintf(&out, "    n%s[\"%s\"]%s\n", b.ID, mermaidText(label(b)), mermaidLook(b))
			for _, c := range b.Children {
				fmt.Fprintf(&out, "    n%s --> n%s\n", b.ID, c.ID)
			}
		})
		out.WriteString("  end\n")
	}
	return out.Bytes()
}

func mermaidLook(b *branch) string {
	switch {
	case len(b.Gates) > 0:
		return ":::gate"
	case b.Leaf != nil:
		return ":::leaf"
	}
	return ""
}

// mermaidText writes everything but letters, digits and what is surely text as
// entity codes, which Mermaid reads in quoted labels: it also reads Markdown and
// HTML there.
func mermaidText(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			out.WriteString("<br>")
		case r == ' ' || r == '.' || r == ',' || r == ':' || r == '/' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			out.WriteRune(r)
		default:
			fmt.Fprintf(&out, "#%d;", r)
		}
	}
	return out.String()
}
