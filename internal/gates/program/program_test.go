package program

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestAsWritten compares the tables of PROGRAM.md with the code: a number that
// was released is never used again.
func TestAsWritten(t *testing.T) {
	doc, err := os.ReadFile("../../../gates/PROGRAM.md")
	if err != nil {
		t.Fatal(err)
	}
	has := func(row string) {
		if !bytes.Contains(doc, []byte("\n"+row)) {
			t.Errorf("PROGRAM.md has no row %s", row)
		}
	}
	for name, n := range map[string]int{"MaxBytes": MaxBytes, "MaxNodes": MaxNodes, "MaxTexts": MaxTexts, "MaxText": MaxText,
		"MaxSet": MaxSet, "MaxDepth": MaxDepth, "MaxVars": MaxVars, "MaxRegexp": MaxRegexp} {
		has(fmt.Sprintf("| %s | %d |", name, n))
	}
	for op, name := range map[Op]string{True: "true", False: "false", Get: "get", Const: "constant", Num: "number", Not: "not", And: "and", Or: "or",
		StrEq: "equal strings", StrLt: "less strings", StrLe: "at most strings", IntEq: "equal ints", IntLt: "less ints", IntLe: "at most ints",
		InSet: "in strings", InInts: "in ints", InList: "in list", HasPrefix: "starts with", HasSuffix: "ends with", Contains: "contains", Matches: "matches",
		Under: "under", DomainUnder: "domain under", SizeStr: "size of string", SizeList: "size of list", Exists: "exists", All: "all"} {
		has(fmt.Sprintf("| %d | %s |", op, name))
	}
	_, doc, _ = bytes.Cut(doc, []byte("\n## 5. Operations\n")) // above it are the fields, which package gates compares
	if n := len(regexp.MustCompile(`(?m)^\| \d+ \|`).FindAll(doc, -1)); n != int(NumOps)-1 {
		t.Errorf("PROGRAM.md numbers %d operations, the code %d", n, NumOps-1)
	}
}

// Some fields, one of each type. Which there are in truth is package gates'
// to say; this package only keeps their types.
const (
	CtxTool Field = iota + 1
	CtxHigh
	CtxCwd
	CtxUID
	CtxTypes
	CtxRoots
	CtxArgs
	CtxEffects
	EffectResource
)

var someFields = Fields{
	CtxTool:        {Name: "tool", Type: String},
	CtxHigh:        {Name: "high", Type: Bool},
	CtxCwd:         {Name: "cwd", Type: String},
	CtxUID:         {Name: "uid", Type: Int},
	CtxTypes:       {Name: "types", Type: Strings, Elem: Text},
	CtxRoots:       {Name: "roots", Type: Strings, Elem: Text},
	CtxArgs:        {Name: "args", Type: Objects, Elem: Arg},
	CtxEffects:     {Name: "effects", Type: Objects, Elem: Effect},
	EffectResource: {Name: "resource", Of: Effect, Type: String},
	TextSelf:       {Of: Text, Type: String},
}

// samples are programs that use every operation.
func samples() [][]Node {
	get := func(f Field) Node { return Node{Op: Get, Field: f} }
	str := Node{Op: Const, Str: "a"}
	out := [][]Node{
		{{Op: True}}, {{Op: Not}, {Op: False}}, {get(CtxHigh)},
		{{Op: Or, Num: 2}, {Op: And, Num: 3}, {Op: True}, {Op: True}, {Op: False}, {Op: False}},
		{{Op: InSet, Set: []string{"", "x"}}, get(CtxTool)},
		{{Op: InInts, Ints: []int64{-1 << 63, 0, 1<<63 - 1}}, get(CtxUID)},
		{{Op: InList, Field: CtxTypes}, str},
		{{Op: Matches, Str: "^a"}, get(CtxTool)},
		{{Op: IntEq}, {Op: SizeStr}, get(CtxCwd), {Op: Num, Num: -7}},
		{{Op: IntLt}, {Op: SizeList, Field: CtxArgs}, get(CtxUID)},
		{{Op: Exists, Field: CtxEffects}, {Op: All, Field: CtxRoots}, {Op: Under}, {Op: Get, Field: EffectResource, Slot: 1}, {Op: Get, Field: TextSelf, Slot: 2}},
	}
	for _, op := range []Op{StrEq, StrLt, StrLe, HasPrefix, HasSuffix, Contains, Under, DomainUnder} {
		out = append(out, []Node{{Op: op}, get(CtxTool), str})
	}
	return append(out, []Node{{Op: IntLe}, get(CtxUID), {Op: Num}})
}

func TestRoundTrip(t *testing.T) {
	used := map[Op]bool{}
	for _, nodes := range samples() {
		data, err := Encode(nodes, &someFields)
		if err != nil {
			t.Errorf("%v: %v", nodes, err)
			continue
		}
		back, err := Decode(data, &someFields)
		if err != nil || len(back) != len(nodes) {
			t.Fatalf("%v: %v", back, err)
		}
		for i := range back {
			used[nodes[i].Op] = true
			if back[i].End <= int32(i) || back[i].End > int32(len(back)) {
				t.Errorf("operation %d ends at %d of %d", i, back[i].End, len(back))
			}
			if back[i].End = 0; !reflect.DeepEqual(back[i], nodes[i]) {
				t.Errorf("%v came back as %v", nodes[i], back[i])
			}
		}
		for cut := range data {
			if _, err := Decode(data[:cut], &someFields); err == nil {
				t.Errorf("%v: the first %d bytes decode", nodes, cut)
			}
		}
	}
	if len(used) != int(NumOps)-1 {
		t.Errorf("%d operations tried of %d", len(used), NumOps-1)
	}
}

// TestDecodeLimits has one value at each limit and one above it.
func TestDecodeLimits(t *testing.T) {
	repeat := func(n int, of Node, last ...Node) []Node {
		var out []Node
		for range n {
			out = append(out, of)
		}
		return append(out, last...)
	}
	set := func(n int) []Node {
		s := make([]string, n)
		for i := range s {
			s[i] = fmt.Sprintf("%05d", i)
		}
		return []Node{{Op: InSet, Set: s}, {Op: Get, Field: CtxTool}}
	}
	long := func(n int) []Node {
		return []Node{{Op: StrEq}, {Op: Get, Field: CtxTool}, {Op: Const, Str: strings.Repeat("x", n)}}
	}
	for name, make := range map[string]func(extra int) []Node{
		"depth": func(n int) []Node { return repeat(MaxDepth+n, Node{Op: Not}, Node{Op: True}) },
		"operations": func(n int) []Node {
			return append([]Node{{Op: And, Num: int64(MaxNodes - 1 + n)}}, repeat(MaxNodes-1+n, Node{Op: True})...)
		},
		"strings": func(n int) []Node { return set(MaxSet + n) },
		"text":    func(n int) []Node { return long(MaxText + n) },
		"pattern": func(n int) []Node {
			return []Node{{Op: Matches, Str: strings.Repeat("x", MaxRegexp+n)}, {Op: Get, Field: CtxTool}}
		},
		"quantifiers": func(n int) []Node { return repeat(MaxVars+n, Node{Op: All, Field: CtxRoots}, Node{Op: True}) },
	} {
		if _, err := Encode(make(0), &someFields); err != nil {
			t.Errorf("%s at the limit: %v", name, err)
		}
		if _, err := Encode(make(1), &someFields); err == nil {
			t.Errorf("%s above the limit is accepted", name)
		}
	}
	if _, err := Decode(bytes.Repeat([]byte{1}, MaxBytes+1), &someFields); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("long program: %v", err)
	}
}

// FuzzDecode holds Decode to what Encode writes: whatever decodes encodes back
// to the same bytes.
func FuzzDecode(f *testing.F) {
	for _, nodes := range samples() {
		data, err := Encode(nodes, &someFields)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		nodes, err := Decode(data, &someFields)
		if err != nil {
			if nodes != nil {
				t.Error("operations beside an error")
			}
			return
		}
		back, err := Encode(nodes, &someFields)
		if err != nil || !bytes.Equal(back, data) {
			t.Errorf("%x decodes and encodes to %x (%v)", data, back, err)
		}
	})
}
