package program

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// Decode reads a program. Every limit is checked before memory is taken, every
// operand has the type its operation wants, and bytes that are not the one
// encoding of their program are refused. data is not kept.
func Decode(data []byte, fields *Fields) ([]Node, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("program of %d bytes, at most %d", len(data), MaxBytes)
	}
	if len(data) == 0 || data[0] != Version {
		return nil, fmt.Errorf("unknown program version, this is %d", Version)
	}
	d := decoder{in: data[1:], fields: fields}
	d.readTexts()
	d.node(Bool, 0)
	if d.err == nil && len(d.in) > 0 {
		d.fail("%d bytes after the program", len(d.in))
	}
	if d.err == nil {
		d.checkUsed()
	}
	if d.err != nil {
		return nil, d.err
	}
	return d.nodes, nil
}

type decoder struct {
	in     []byte
	fields *Fields
	texts  []string
	used   []bool
	nodes  []Node
	vars   [MaxVars + 1]Object // what the variables in scope stand for; the first is ctx
	depth  int                 // quantifiers around the current operation
	err    error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
	d.in = nil
}

func (d *decoder) byte() byte {
	if len(d.in) == 0 {
		d.fail("program ends early")
		return 0
	}
	b := d.in[0]
	d.in = d.in[1:]
	return b
}

// uint reads a number of at most most in its shortest form.
func (d *decoder) uint(most int) int {
	v, n := binary.Uvarint(d.in)
	if n <= 0 || n > 1 && d.in[n-1] == 0 || v > uint64(most) {
		d.fail("bad number, at most %d here", most)
		return 0
	}
	d.in = d.in[n:]
	return int(v)
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.in)
	if n <= 0 || n > 1 && d.in[n-1] == 0 {
		d.fail("bad integer")
		return 0
	}
	d.in = d.in[n:]
	return v
}

func (d *decoder) readTexts() {
	count := d.uint(MaxTexts)
	if count > len(d.in) {
		d.fail("%d strings in %d bytes", count, len(d.in))
		return
	}
	for i := range count {
		n := d.uint(MaxText)
		if n > len(d.in) {
			d.fail("string of %d bytes, %d left", n, len(d.in))
		}
		if d.err != nil {
			return
		}
		s := string(d.in[:n])
		d.in = d.in[n:]
		if !utf8.ValidString(s) {
			d.fail("string %d is not UTF-8", i)
		}
		if i > 0 && d.texts[i-1] >= s {
			d.fail("string %d out of order", i)
		}
		d.texts = append(d.texts, s)
	}
	d.used = make([]bool, len(d.texts))
}

func (d *decoder) checkUsed() {
	for i, used := range d.used {
		if !used {
			d.fail("string %d is not used", i)
		}
	}
}

func (d *decoder) text() string {
	i := d.uint(MaxTexts)
	if i >= len(d.texts) {
		d.fail("no string %d", i)
		return ""
	}
	d.used[i] = true
	return d.texts[i]
}

// node reads an operation of type want, and its operands.
func (d *decoder) node(want Type, depth int) {
	if depth > MaxDepth || len(d.nodes) >= MaxNodes {
		d.fail("more than %d levels or %d operations", MaxDepth, MaxNodes)
	}
	n := Node{Op: Op(d.byte())}
	if n.Op == NoOp || n.Op >= NumOps {
		d.fail("unknown operation %d", n.Op)
	}
	if d.err != nil {
		return
	}
	at := len(d.nodes)
	d.nodes = append(d.nodes, n)
	d.operands(&d.nodes[at])
	if d.err != nil {
		return
	}
	n = d.nodes[at]
	if got := n.Type(d.fields); got != want {
		d.fail("operation %d is a %v, want a %v", n.Op, got, want)
		return
	}
	d.kids(&n, depth)
	d.nodes[at].End = int32(len(d.nodes))
}

// operands reads what follows an operation besides other operations.
func (d *decoder) operands(n *Node) {
	switch n.Op {
	case Get:
		d.field(n)
	case InList:
		if d.field(n); d.fields.Info(n.Field).Type != Strings {
			d.fail("field %d is no list of strings", n.Field)
		}
	case SizeList, Exists, All:
		if d.field(n); d.fields.Info(n.Field).Type < Strings {
			d.fail("field %d is no list", n.Field)
		}
	case Const:
		n.Str = d.text()
	case Num:
		n.Num = d.int()
	case And, Or:
		if n.Num = int64(d.uint(MaxNodes)); n.Num < 2 {
			d.fail("operation %d of %d operands", n.Op, n.Num)
		}
	case InSet:
		n.Set = ascending(d, d.text)
	case InInts:
		n.Ints = ascending(d, d.int)
	case Matches:
		if n.Str = d.text(); len(n.Str) > MaxRegexp {
			d.fail("pattern of %d bytes, at most %d", len(n.Str), MaxRegexp)
		}
	}
}

// field reads a variable in scope and a field it has.
func (d *decoder) field(n *Node) {
	slot, f := d.byte(), Field(d.byte())
	if int(slot) > d.depth {
		d.fail("variable %d is not in scope", slot)
		return
	}
	if info := d.fields.Info(f); info.Type == None || info.Of != d.vars[slot] {
		d.fail("no field %d in variable %d", f, slot)
		return
	}
	n.Slot, n.Field = slot, f
}

// ascending reads a list of constants, in order and each once.
func ascending[T cmp.Ordered](d *decoder, read func() T) []T {
	count := d.uint(MaxSet)
	if count < 2 || count > len(d.in) {
		d.fail("list of %d constants", count)
		return nil
	}
	out := make([]T, count)
	for i := range out {
		if out[i] = read(); i > 0 && out[i-1] >= out[i] {
			d.fail("list out of order")
			break
		}
	}
	return out
}

func (d *decoder) kids(n *Node, depth int) {
	switch n.Op {
	case And, Or:
		for i := int64(0); i < n.Num && d.err == nil; i++ {
			d.node(Bool, depth+1)
		}
	case Exists, All:
		if d.depth == MaxVars {
			d.fail("more than %d quantifiers inside each other", MaxVars)
			return
		}
		d.depth++
		d.vars[d.depth] = d.fields.Info(n.Field).Elem
		d.node(Bool, depth+1)
		d.depth--
	default:
		for _, t := range argTypes[n.Op] {
			d.node(t, depth+1)
		}
	}
}
