package export

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// BTCPP is the tree for BehaviorTree.CPP 4 and Groot2
// (https://www.behaviortree.dev/docs/learn-the-basics/xml_format): a tree for each
// family, a Fallback where runs went different ways, the most common first. Action
// Step carries out the state that its port names, and Condition Gate succeeds where
// the gate that its port names lets the call pass; whoever runs it provides both.
// Global gates hold for every step and stand in none of the trees.
//
// Steps that follow each other without a choice stand in one Sequence: readers of
// XML bound how deep elements may stand in each other.
func BTCPP(d *review.Document) []byte {
	w := &xmlWriter{}
	w.raw(xml.Header)
	w.open("root", "BTCPP_format", "4", "main_tree_to_execute", "policy")
	w.open("BehaviorTree", "ID", "policy")
	w.open("Fallback", "name", review.Plain(d.Name))
	for i := range d.Families {
		w.leaf("SubTree", "ID", familyID(i), "name", review.Plain(d.Families[i].Name))
	}
	w.close("Fallback")
	w.close("BehaviorTree")
	for i := range d.Families {
		w.open("BehaviorTree", "ID", familyID(i))
		w.sequence(treeOf(&d.Families[i], 0))
		w.close("BehaviorTree")
	}
	w.open("TreeNodesModel")
	for _, m := range [][3]string{{"Action", "Step", "state"}, {"Condition", "Gate", "gate"}} {
		w.open(m[0], "ID", m[1])
		w.leaf("input_port", "name", m[2], "type", "std::string")
		w.close(m[0])
	}
	w.close("TreeNodesModel")
	w.close("root")
	return w.out.Bytes()
}

// familyID names a family's tree: its own name may be anything.
func familyID(i int) string { return fmt.Sprintf("family-%d", i+1) }

// sequence writes a node and what follows it.
func (w *xmlWriter) sequence(b *branch) {
	w.open("Sequence", "name", b.Key)
	for {
		for _, g := range b.Gates {
			w.leaf("Condition", "ID", "Gate", "gate", g)
		}
		if b.Parent != "" {
			w.leaf("Action", "ID", "Step", "name", b.Key, "state", b.State.ID)
		}
		if len(b.Children) != 1 || b.Leaf != nil {
			break
		}
		b = b.Children[0]
	}
	w.ways(b)
	w.close("Sequence")
}

// ways writes what may come after a node: one of its children, or the end, where
// runs ended here in success.
func (w *xmlWriter) ways(b *branch) {
	if len(b.Children) == 0 {
		if b.Parent == "" {
			w.leaf("AlwaysFailure") // a family without steps; a Sequence must not be empty
		}
		return
	}
	w.open("Fallback", "name", "after "+b.Key)
	for _, c := range b.Children {
		w.sequence(c)
	}
	if b.Leaf != nil {
		w.leaf("AlwaysSuccess")
	}
	w.close("Fallback")
}

// xmlWriter writes elements with their attributes in the order that is given.
type xmlWriter struct {
	out   bytes.Buffer
	depth int
}

func (w *xmlWriter) raw(s string) { w.out.WriteString(s) }

func (w *xmlWriter) tag(name, end string, attrs []string) {
	w.raw(strings.Repeat(" ", min(w.depth, 40)) + "<" + name)
	for i := 0; i+1 < len(attrs); i += 2 {
		w.raw(" " + attrs[i] + `="`)
		xml.EscapeText(&w.out, []byte(attrs[i+1])) // a buffer takes everything
		w.raw(`"`)
	}
	w.raw(end + "\n")
}

func (w *xmlWriter) open(name string, attrs ...string) {
	w.tag(name, ">", attrs)
	w.depth++
}

func (w *xmlWriter) leaf(name string, attrs ...string) { w.tag(name, "/>", attrs) }

func (w *xmlWriter) close(name string) {
	w.depth--
	w.raw(strings.Repeat(" ", min(w.depth, 40)) + "</" + name + ">\n")
}
