package gates

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

var update = flag.Bool("update", false, "write the golden files and the table of PROGRAM.md anew")

// golden compares what was made with a file of testdata, or writes it anew.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs: what was released never changes, and new fields come at the end\n%s\nwant\n%s", path, got, want)
	}
}

// distinct is a context whose every value is another one, so that a field that
// reads its neighbour is found out.
func distinct() Context {
	return Context{
		Tool: "ns.T1", Class: call.Class{Family: call.FamilyFile, Verb: effect.VerbRead, Resource: call.ResourceMessage},
		Args: []Arg{
			{Path: "path1", Value: "val1", Origin: call.OriginUntrusted, Source: "source1", Form: "form1", Role: "role1", Number: "number1", Link: "link1"},
			{Path: "path2", Value: "value2", Origin: call.OriginTask, Source: "source2", Form: "form2", Role: "role2", Number: "number2", Link: "link2"},
		},
		Effects: []Effect{
			{Kind: effect.Write, Op: effect.OpCreate, Zone: effect.ZoneTemp, Resource: "res1", Program: "prog1", Argv: "argv1", Parent: "parent1", Sensitive: true,
				Net: effect.Net{Scheme: "scheme1", Domain: "domain1", IP: "ip1", Port: 11}, Payload: effect.Payload{Known: true, Len: 12, MIME: "mime1", Hash: "hash1"}},
			{Kind: effect.Network, Op: effect.OpSend, Zone: effect.ZoneHome, Resource: "res2", Program: "prog2", Argv: "argv2", Parent: "parent2", Protected: true, Named: true, Loses: true, Deed: "deed2", Ref: "ref2",
				Net: effect.Net{Scheme: "scheme2", Domain: "domain2", IP: "ip2", Port: 21}, Payload: effect.Payload{Len: 22, MIME: "mime2", Hash: "hash2"}},
			{Kind: effect.Delete, Resource: "res3", Glob: true},
			{Kind: effect.Spawn, Resource: "res4", Deferred: true},
		},
		Cwd: "cwd", Home: "home", Roots: []string{"root1", "root2"}, UID: 31, GID: 32, Command: "command",
		History: []Record{{Kind: effect.Read, Op: effect.OpRead, Resource: "res5", Time: 41}, {Kind: effect.Delete, Op: effect.OpWipe, Resource: "res6", Time: 42}},
		Flow:    Flow{SensitiveRead: true, Derived: []string{"derived1", "derived2"}, Unvetted: []string{"unvetted1"}},
		Content: []string{"content1", "content2"},
	}
}

// TestCanonicalBytes pins the canonical form and the decisions' ids, byte by
// byte.
func TestCanonicalBytes(t *testing.T) {
	var out bytes.Buffer
	for _, c := range append(canonicalSamples(), distinct()) {
		d := (&Guardrail{}).Decide(&c)
		fmt.Fprintf(&out, "%s\n%v %s\n", c.AppendCanonical(nil), d.Disposition, d.ID(&c, "policy"))
	}
	golden(t, "canonical.golden", out.Bytes())
}

// TestDistinct holds distinct to its name, so that a new field that is stored is
// tried too.
func TestDistinct(t *testing.T) {
	c := distinct()
	values, said := map[string]string{}, map[string]bool{}
	flat("ctx", Values(&c), values)
	for name, v := range values {
		name = strings.NewReplacer("[0]", "", "[1]", "", "[2]", "", "[3]", "").Replace(name)
		said[name] = said[name] || v != `""` && v != `"0"` && v != `"false"` && v != `"[]"`
	}
	for _, r := range fieldTable() {
		name := "ctx." + r.name
		if list := fields.list[r.of]; r.of != ofContext {
			name = "ctx." + fields.rows[list].name + "." + r.name
		}
		if stored := r.back != nil && r.typ != program.Objects; stored && !said[name] {
			t.Errorf("%s is empty in distinct()", name)
		}
	}
}

// TestFieldNumbers pins the numbers: programs have them, so they never change.
func TestFieldNumbers(t *testing.T) {
	var out bytes.Buffer
	for n, info := range Fields() {
		if info.Type != program.None {
			fmt.Fprintf(&out, "%d %v %s %v %v\n", n, info.Of, info.Name, info.Type, info.Elem)
		}
	}
	golden(t, "fields.golden", out.Bytes())
}

// TestFieldTable holds the table to its own rules.
func TestFieldTable(t *testing.T) {
	numbers, names, last := map[program.Field]bool{}, map[string]bool{}, map[string]int{}
	for i, r := range fieldTable() {
		name := fmt.Sprintf("%v.%s", r.of, r.name)
		if r.number == 0 || r.number >= program.MaxFields {
			t.Errorf("field %s: there is no room for number %d", name, r.number)
		}
		if numbers[r.number] || names[name] {
			t.Errorf("field %s, number %d: one of the two is taken", name, r.number)
		}
		numbers[r.number], names[name] = true, true
		if r.doc == "" || strings.ContainsAny(r.doc, "|\n") {
			t.Errorf("field %s: PROGRAM.md needs one line that says what it is", name)
		}
		if read := map[program.Type]bool{program.Bool: r.bit != nil || r.flag != nil, program.Int: r.num != nil, program.String: r.at != nil || r.code != nil || r.str != nil,
			program.Strings: r.list != nil, program.Objects: r.size != nil}; !read[r.typ] && r.number != program.TextSelf {
			t.Errorf("field %s: nothing reads a %v", name, r.typ)
		}
		if r.typ == program.Objects && (r.of != ofContext || fields.list[r.elem] != r.number) {
			t.Errorf("field %s: a list of objects is one of the context's, and the only one of its kind", name)
		}
		if group, _, nested := strings.Cut(name[strings.IndexByte(name, '.')+1:], "."); nested {
			group = fmt.Sprintf("%v.%s", r.of, group)
			if at, seen := last[group]; seen && at != i-1 {
				t.Errorf("field %s: the rows of %s stand together", name, group)
			}
			last[group] = i
		}
	}
}

// TestCanonicalDecides holds the canonical form to its promise: what is left out
// of it follows from what is in it.
func TestCanonicalDecides(t *testing.T) {
	for i, c := range append(canonicalSamples(), distinct()) {
		back, err := ParseContext(c.AppendCanonical(nil))
		if err != nil {
			t.Fatal(err)
		}
		want, got := map[string]string{}, map[string]string{}
		flat("ctx", Values(&c), want)
		flat("ctx", Values(&back), got)
		for name, v := range want {
			if got[name] != v {
				t.Errorf("sample %d: %s is %s, and %s with what the canonical form keeps: store it", i, name, v, got[name])
			}
		}
	}
}

// flat lists values by their full names.
func flat(name string, v any, out map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			flat(name+"."+k, x, out)
		}
	case []any:
		for i, x := range v {
			flat(fmt.Sprintf("%s[%d]", name, i), x, out)
		}
	default:
		out[name] = fmt.Sprintf("%q", fmt.Sprint(v))
	}
}

// unread is what a context stores and no gate reads, and why.
var unread = map[string]string{
	"Home":        "only resolves paths",
	"Command":     "only explains",
	"Doubt":       "only explains: an effect says it",
	"Elsewhere":   "only people's answers go by it: an effect says where that matters",
	"written":     "only makes Flow.Unvetted",
	"Flow.Made":   "only makes Flow.Unvetted",
	"exists":      "only makes Flow.Own",
	"origins":     "whoever decides has them in Args",
	"runs":        "what rules and consent of people read",
	"broke":       "only the list of modules asks for it",
	"cells":       "what the list of modules is compared with",
	"places":      "what rules of people are read with",
	"consent":     "what people agreed to before",
	"facts":       "what rules of people ask for",
	"conditions":  "what the policy's conditions ask for",
	"established": "what they are held against",
	"action":      "which of them are about the call",
	"found":       "it relaxes the guardrail alone",
	"holds":       "it asks about reads alone",
	"text":        "it only makes flow/unvetted",
	"names":       "it only makes flow/unvetted",
	"linksIn":     "it only makes effects",
	"free":        "only makes Flow.Own",
	"reached":     "it relaxes the guardrail alone",
	"output":      "it relaxes the guardrail alone",
	"ref":         "it relaxes the guardrail alone",
	"guards":      "it only asks",
	"stamp":       "only makes Flow.Own",
	"after":       "only makes Flow.Own",
	"later":       "only makes Flow.Unvetted",
	"byArgs":      "it only adds effects",
	"plainAsRun":  "it only makes flow/unvetted",
	"discards":    "only relaxes the guardrail, and asks about discards",
	"inline":      "it only makes Flow.Unvetted and flow/unvetted",
	"installed":   "it only makes effects",
	"forges":      "it only takes questions away",
	"otherClone":  "it only takes questions away",
	"throwAway":   "it only takes questions away",
	"newDirs":     "it only says what the session made",
	"naming":      "it only takes questions away that were answered before",
	"nested":      "it bounds what makes flow/unvetted",
	"stays":       "only makes Flow.Own and Flow.Unvetted",
	"Flow.Own":    "it relaxes the guardrail alone",
	"Flow.Turned": "it only makes flow/turned, and the effects behind links",
	"Flow.Page":   "it relaxes the guardrail alone",
	"Class.High":  "gates read whether an effect is high-risk",
	"Class.Basis": "only explains",
}

// TestEverythingIsRead changes each thing that a context stores and looks for a
// field that shows it.
func TestEverythingIsRead(t *testing.T) {
	base := func() *Context {
		return &Context{Args: make([]Arg, 1), Effects: make([]Effect, 1), History: make([]Record, 1)}
	}
	before := fmt.Sprint(Values(base()))
	var walk func(name string, at func(*Context) reflect.Value)
	walk = func(name string, at func(*Context) reflect.Value) {
		c := base()
		v := at(c)
		switch {
		case unread[name] != "":
			return
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				walk(strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), func(c *Context) reflect.Value { return at(c).Field(i) })
			}
			return
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			walk(name+"[0]", func(c *Context) reflect.Value { return at(c).Index(0) })
			return
		case v.Kind() == reflect.Slice:
			v.Set(reflect.ValueOf([]string{"x"}))
		case v.Kind() == reflect.String:
			v.SetString("x")
		case v.Kind() == reflect.Bool:
			v.SetBool(true)
		case v.CanInt():
			v.SetInt(1)
		case v.CanUint():
			v.SetUint(1)
		default:
			t.Fatalf("%s is a %v: teach this test to change it", name, v.Kind())
		}
		if fmt.Sprint(Values(c)) == before {
			t.Errorf("a context stores %s and no row of fieldTable reads it", name)
		}
	}
	walk("", func(c *Context) reflect.Value { return reflect.ValueOf(c).Elem() })
}

// TestProgramMD holds the table of fields in PROGRAM.md to fieldTable, or writes
// it anew.
func TestProgramMD(t *testing.T) {
	const head = "| number | of | field | type | what it says |\n|---|---|---|---|---|\n"
	doc, err := os.ReadFile("PROGRAM.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(doc), head)
	if !ok {
		t.Fatal("PROGRAM.md has no table of fields")
	}
	table, after, _ := strings.Cut(rest, "\n\n")
	var out strings.Builder
	for n, info := range Fields() {
		name, kind := "`"+info.Name+"`", info.Type.String()
		switch info.Type {
		case program.None:
			continue
		case program.Strings, program.Objects:
			kind = "list of " + info.Elem.String()
		}
		if info.Name == "" {
			name = "(itself)"
		}
		fmt.Fprintf(&out, "| %d | %v | %s | %s | %s |\n", n, info.Of, name, kind, info.Doc)
	}
	if want := strings.TrimSuffix(out.String(), "\n"); table != want {
		if !*update {
			t.Errorf("the table of fields in PROGRAM.md is not fieldTable's; go test ./gates -run ProgramMD -update\n%s\nwant\n%s", table, want)
		} else if err := os.WriteFile("PROGRAM.md", []byte(before+head+want+"\n\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLateField adds fields that are stored to the table: contexts in which they
// say nothing keep their bytes, the others have them and parse back.
func TestLateField(t *testing.T) {
	var table []fieldRow
	for _, r := range fieldTable() {
		if r.of == ofEffect && r.name == "payload.known" {
			table = append(table,
				fieldRow{60, ofEffect, "late_zone", few, *enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.Effects[i].Zone) }, effect.NumZones), "x"},
				fieldRow{61, ofEffect, "late_text", many, *textAt(func(v *view, i int) *string { return &v.Effects[i].Parent }), "x"},
				fieldRow{62, ofEffect, "late_flag", few, *flagAt(func(v *view, i int) *bool { return &v.Effects[i].Glob }), "x"})
		}
		if r.name != "parent" && r.name != "glob" && r.name != "zone" {
			table = append(table, r)
		}
		if r.name == "flow.unvetted" {
			table = append(table, fieldRow{63, ofContext, "flow.late", many, *numberAt(func(v *view, _ int) *int { return &v.GID }, func(v *view, _ int) int64 { return int64(v.GID) }), "x"})
		}
	}
	later := indexFields(table)
	c := Context{Effects: []Effect{{Resource: "a"}, {Resource: "b", Glob: true, Parent: "p\""}, {Resource: "c", Parent: "q", Zone: effect.ZoneTemp}}}
	for gid, want := range map[int]string{
		0: `"unvetted":[]}}`,
		7: `"unvetted":[],"late":7}}`,
	} {
		c.GID = gid
		data := appendContext(nil, &c, &later.forms)
		if !bytes.HasSuffix(data, []byte(want)) {
			t.Errorf("%s\nwant it to end in %s", data, want)
		}
		for _, s := range []string{`"deferred":false,"payload":`, `"deferred":false,"late_text":"p\"","late_flag":true,"payload":`, `"deferred":false,"late_zone":"temp","late_text":"q","payload":`} {
			if n := bytes.Count(data, []byte(s)); n != 1 {
				t.Errorf("%d times %s in %s", n, s, data)
			}
		}
		back, err := parseContext(data, &later.forms)
		if err != nil || !reflect.DeepEqual(back.Effects, c.Effects) || back.GID != gid {
			t.Errorf("%+v, %v", back, err)
		}
		zero := bytes.Replace(data, []byte(`"deferred":false,"payload":`), []byte(`"deferred":false,"late_flag":false,"payload":`), 1)
		if _, err := parseContext(zero, &later.forms); err == nil {
			t.Errorf("a key that says nothing is read: %s", zero)
		}
	}
}

// TestListOfElement adds a list of strings below effects: the evaluator and the
// index read it of the effect that a gate is at.
func TestListOfElement(t *testing.T) {
	const words = 63
	before := *ready()
	defer func() { fields = before }()
	fields = *indexFields(append(fieldTable(), fieldRow{words, ofEffect, "words", many,
		access{typ: program.Strings, elem: program.Text, list: func(v *view, i int) []string { return strings.Fields(v.Effects[i].Argv) }}, "x"}))
	effects, kind := numbered(ofContext, "effects"), numbered(ofEffect, "type")
	deletes := []program.Node{{Op: program.StrEq}, {Op: program.Get, Field: kind, Slot: 1}, {Op: program.Const, Str: "delete"}}
	var gs []Gate
	for _, asks := range [][]program.Node{
		{{Op: program.InList, Field: words, Slot: 1}, {Op: program.Const, Str: "b"}},
		{{Op: program.Exists, Field: words, Slot: 1}, {Op: program.StrEq}, {Op: program.Get, Field: program.TextSelf, Slot: 2}, {Op: program.Const, Str: "b"}},
		{{Op: program.IntEq}, {Op: program.SizeList, Field: words, Slot: 1}, {Op: program.Num, Num: 2}},
	} {
		nodes := append([]program.Node{{Op: program.Not}, {Op: program.Exists, Field: effects}, {Op: program.And, Num: 2}}, deletes...)
		data, err := program.Encode(append(nodes, asks...), &fields.infos)
		if err != nil {
			t.Fatal(err)
		}
		gs = append(gs, Gate{Program: data})
	}
	l, err := NewLibrary(gs)
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range []Context{
		{Effects: []Effect{{Kind: effect.Read, Argv: "a b"}, {Kind: effect.Delete, Argv: "a"}}},
		{}, {},
		{Effects: []Effect{{Kind: effect.Read, Argv: "a"}, {Kind: effect.Delete, Argv: "a b"}}},
	} {
		if got := l.EvalAll(&c, nil); len(got) != want && len(c.Effects) > 0 {
			t.Errorf("gates %v stop %v, want %d of them", got, c.Effects, want)
		}
	}
}
