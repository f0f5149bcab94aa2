package program

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
)

// Encode returns the bytes of a program. Nodes come in preorder with every
// field set but End. What does not decode is an error, so that nothing is ever
// sealed that a runtime would refuse.
func Encode(nodes []Node, fields *Fields) ([]byte, error) {
	texts := textsOf(nodes)
	out := binary.AppendUvarint([]byte{Version}, uint64(len(texts)))
	for _, s := range texts {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	e := encoder{out: out, texts: texts, nodes: nodes}
	if err := e.node(); err != nil {
		return nil, err
	}
	if len(e.nodes) > 0 {
		return nil, errors.New("operations after the program's end")
	}
	if _, err := Decode(e.out, fields); err != nil {
		return nil, err
	}
	return e.out, nil
}

// textsOf returns the strings of a program, sorted, each once.
func textsOf(nodes []Node) []string {
	var out []string
	for i := range nodes {
		if n := &nodes[i]; n.Op == Const || n.Op == Matches {
			out = append(out, n.Str)
		}
		out = append(out, nodes[i].Set...)
	}
	sort.Strings(out)
	return slices.Compact(out)
}

type encoder struct {
	out   []byte
	texts []string
	nodes []Node // those not yet written
}

// node writes the next operation and its operands.
func (e *encoder) node() error {
	if len(e.nodes) == 0 {
		return errors.New("operand missing")
	}
	n := &e.nodes[0]
	e.nodes = e.nodes[1:]
	e.out = append(e.out, byte(n.Op))
	kids := len(argTypes[min(n.Op, NumOps-1)])
	switch n.Op {
	case Get, InList, SizeList, Exists, All:
		e.out = append(e.out, n.Slot, byte(n.Field))
	case Const, Matches:
		e.text(n.Str)
	case Num:
		e.out = binary.AppendVarint(e.out, n.Num)
	case And, Or:
		kids = int(n.Num)
		e.uint(kids)
	case InSet:
		e.uint(len(n.Set))
		for _, s := range n.Set {
			e.text(s)
		}
	case InInts:
		e.uint(len(n.Ints))
		for _, v := range n.Ints {
			e.out = binary.AppendVarint(e.out, v)
		}
	}
	for range kids {
		if err := e.node(); err != nil {
			return fmt.Errorf("operation %d: %w", n.Op, err)
		}
	}
	return nil
}

func (e *encoder) uint(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }

func (e *encoder) text(s string) { e.uint(sort.SearchStrings(e.texts, s)) }
