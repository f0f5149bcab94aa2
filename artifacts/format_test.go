package artifacts

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// TestVersions pins the numbers of the format. A number that was released is
// never used again: changing one here means a new line in FORMAT.md and files
// of the old version in the vectors that still open.
func TestVersions(t *testing.T) {
	if Version != 1 || OldestVersion != 1 {
		t.Errorf("versions %d and %d, want 1 and 1", Version, OldestVersion)
	}
	if effect.NumDeltas != 7 {
		t.Errorf("%d kinds of change, FORMAT.md lists 7", effect.NumDeltas)
	}
	var tags []string
	for _, s := range sections() {
		tags = append(tags, s.tag)
	}
	want := "META PARM ENCO PACK RAIL GATE SCHM FAMS STAT NODE LEAF CLUS PROV CORP REPT TASK"
	if got := strings.Join(tags, " "); got != want {
		t.Errorf("sections %s, want %s", got, want)
	}
}

// TestDispositionNames holds the words in a file to those that package gates
// decides with; the one that lets calls pass is not among them.
func TestDispositionNames(t *testing.T) {
	for word, want := range map[string]gates.Disposition{
		DispositionReject: gates.Rejected, DispositionRevise: gates.RevisionRequired, DispositionConsent: gates.ApprovedWithConstraints,
	} {
		if word != want.String() {
			t.Errorf("%q is %q in package gates", word, want)
		}
	}
}

// TestLimitsAsWritten compares the table of FORMAT.md with the constants.
func TestLimitsAsWritten(t *testing.T) {
	limits := map[string]int{
		"MaxFile": MaxFile, "MaxName": MaxName, "MaxText": MaxText, "MaxDim": maxDim,
		"MaxTools": maxTools, "MaxPrototypes": maxPrototypes,
		"MaxClusters": maxClusters, "MaxGates": MaxGates, "MaxNodeGates": maxNodeGates, "MaxGateRefs": maxGateRefs,
		"MaxExpr": maxExpr, "MaxProgram": maxProgram, "MaxRules": MaxRules, "MaxConditions": maxConditions, "MaxNeeds": maxNeeds, "MaxSchemas": MaxSchemas, "MaxSchema": maxSchema,
		"MaxLayouts": maxLayouts, "MaxCorpora": maxCorpora, "MaxMetrics": maxMetrics, "MaxTaskDigests": MaxTaskDigests,
		"MaxFamilies": tree.MaxFamilies, "MaxStates": tree.MaxStates, "MaxNodes": tree.MaxNodes, "MaxDepth": tree.MaxDepth,
		"MaxLeafTasks": tree.MaxLeafTasks, "MaxVecs": tree.MaxVecs, "MaxCommon": tree.MaxCommon, "MaxProofs": tree.MaxProofs, "MaxLeafProofs": tree.MaxLeafProofs, "MaxFixes": tree.MaxFixes, "MaxRetries": tree.MaxRetries, "MaxSignatures": MaxSignatures, "MaxRing": MaxRing,
	}
	doc, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (Max\w+) \| (\d+) \|`).FindAllSubmatch(doc, -1)
	for _, row := range rows {
		n, err := strconv.Atoi(string(row[2]))
		if want, ok := limits[string(row[1])]; !ok || err != nil || n != want {
			t.Errorf("FORMAT.md has %s %s, the code %d", row[1], row[2], want)
		}
	}
	if len(rows) != len(limits) {
		t.Errorf("FORMAT.md has %d limits, the code %d", len(rows), len(limits))
	}
	if tree.MaxText != MaxText {
		t.Errorf("texts of a tree have up to %d bytes, those of a file %d", tree.MaxText, MaxText)
	}
	for _, s := range sections() {
		if !bytes.Contains(doc, []byte("**"+s.tag+"**")) {
			t.Errorf("FORMAT.md does not describe section %s", s.tag)
		}
	}
}

// full is the sample with a content gate, which is in no file that has none.
func full() *Policy {
	p := sample()
	p.Guardrail.Content = sampleContent()
	p.Guardrail.Rules.Imports = []string{"module_b_with_a_name_of_many_letters"} // its digest is a name too
	p.Guardrail.Conditions = sampleConditions()
	p.Tree.Families[1].Exemplars = []tree.Vec{{127, 0, 0, 0}, {0, 0, 3, 127}}
	p.Tree.Families[1].Proofs = []tree.Proof{
		{Kind: tree.ProofCommand, Subject: "go test ./...", Passed: 5, Tasks: 6, Failed: 1, Against: 2, Early: 3},
		{Kind: tree.ProofCall, Subject: "send", Place: "args.to", Value: "{task}", Passed: 4, Tasks: 4},
	}
	p.Tree.Leaves[1].Proofs = []int32{0}
	fixed(&p.Tree)
	return p
}

// TestEveryFieldIsStored sets one field of the policy after the other to another
// value and asks that the file changes, and that the value comes back. A field
// that someone adds to the tree and the format does not know fails here.
func TestEveryFieldIsStored(t *testing.T) {
	base := must(full())
	stored := map[string]bool{}
	for _, path := range leafPaths(reflect.ValueOf(full()).Elem(), nil) {
		p := full()
		name := follow(reflect.ValueOf(p).Elem(), path, func(leaf reflect.Value) { bump(t, leaf) })
		if name == ".Gates[].ID" || name == ".Tree.Nodes[].Gates[]" || strings.HasPrefix(name, ".Pack") {
			continue // derived, a reference, unexported: the round-trip test has them
		}
		// Some neighbouring values are out of range: one that is stored will do.
		data, err := encode(p)
		stored[name] = stored[name] || err == nil && !bytes.Equal(data, base) && comesBack(t, data, p)
	}
	for name, ok := range stored {
		if !ok {
			t.Errorf("%s is not stored", name)
		}
	}
	if len(stored) < 90 {
		t.Errorf("only %d fields tried", len(stored))
	}
}

func comesBack(t *testing.T, data []byte, p *Policy) bool {
	h, err := readHeader(data)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := readSections(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(h, parts)
	if err != nil {
		return false
	}
	for i := range got.Gates {
		got.Gates[i].ID = p.Gates[i].ID // follows from the fields that are set
	}
	for i := range got.Tree.Nodes {
		got.Tree.Nodes[i].Gates = p.Tree.Nodes[i].Gates
	}
	return reflect.DeepEqual(got, p)
}

// leafPaths lists the fields below v that have none of their own, as field
// numbers and indices.
func leafPaths(v reflect.Value, path []int) [][]int {
	var out [][]int
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, leafPaths(v.Field(i), append(slices.Clone(path), i))...)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			out = append(out, leafPaths(v.Index(i), append(slices.Clone(path), i))...)
		}
	default:
		out = append(out, path)
	}
	return out
}

func follow(v reflect.Value, path []int, do func(reflect.Value)) string {
	if len(path) == 0 {
		do(v)
		return ""
	}
	if v.Kind() == reflect.Struct {
		return "." + v.Type().Field(path[0]).Name + follow(v.Field(path[0]), path[1:], do)
	}
	return "[]" + follow(v.Index(path[0]), path[1:], do)
}

func bump(t *testing.T, v reflect.Value) {
	switch {
	case !v.CanSet():
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint() && v.Uint() > 0:
		v.SetUint(v.Uint() - 1)
	case v.CanUint():
		v.SetUint(1)
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String && len(v.String()) >= 32 && !strings.Contains(v.String(), " "):
		v.SetString(hexDigest(v.String())[:len(v.String())])
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "+")
	case v.Kind() == reflect.Slice && v.Len() == 0:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type() == reflect.TypeFor[[]tree.Proof]() {
			v.Index(0).FieldByName("Kind").SetUint(1) // there is none of kind 0
		}
		if v.Type() == reflect.TypeFor[[]tree.Fix]() || v.Type() == reflect.TypeFor[[]tree.Retry]() {
			for i := range v.Index(0).NumField() { // one that says nothing is refused
				bump(t, v.Index(0).Field(i))
			}
		}
	default:
		t.Fatalf("no other value for a %s", v.Type())
	}
}

// TestSampleUsesEverything keeps the test above honest: a list that is empty in
// the sample has fields that it never sees.
func TestSampleUsesEverything(t *testing.T) {
	types := map[string]bool{}
	want := wantTypes(reflect.TypeFor[Policy](), map[reflect.Type]bool{})
	for _, path := range leafPaths(reflect.ValueOf(full()).Elem(), nil) {
		types[typeName(reflect.TypeFor[Policy](), path)] = true
	}
	for _, name := range want {
		if !types[name] {
			t.Errorf("the sample has no %s", name)
		}
	}
	if len(want) < 80 {
		t.Errorf("only %d fields in the types", len(want))
	}
}

// typeName is the type and name of the field that path ends in.
func typeName(typ reflect.Type, path []int) string {
	name := ""
	for _, i := range path {
		if typ.Kind() == reflect.Struct {
			name = fmt.Sprintf("%s.%s", typ, typ.Field(i).Name)
			typ = typ.Field(i).Type
			continue
		}
		typ = typ.Elem()
	}
	return name
}

// wantTypes lists the fields without fields of their own, below typ.
func wantTypes(typ reflect.Type, seen map[reflect.Type]bool) []string {
	for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || seen[typ] {
		return nil
	}
	seen[typ] = true
	var out []string
	for i := range typ.NumField() {
		f := typ.Field(i)
		inner := f.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Array {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			out = append(out, wantTypes(inner, seen)...)
			continue
		}
		out = append(out, fmt.Sprintf("%s.%s", typ, f.Name))
	}
	return out
}

// TestEncodeOnlyReads encodes one policy from many goroutines, for the race
// detector, and compares the policy afterwards.
func TestEncodeOnlyReads(t *testing.T) {
	p, want := sample(), must(sample())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := Encode(p)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("other bytes (error %v)", err)
			}
		})
	}
	wg.Wait()
	if !reflect.DeepEqual(p, sample()) {
		t.Error("the policy was changed")
	}
}

// TestEncodeRefusesWhatOpenRefuses runs all broken policies of the vectors
// through Encode.
func TestEncodeRefusesWhatOpenRefuses(t *testing.T) {
	tried := 0
	for _, v := range vectors() {
		if v.expect != StepPolicy {
			continue
		}
		parts, err := readSections(v.data)
		if err != nil {
			t.Fatal(err)
		}
		p, err := decode(header{sequence: 1}, parts)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := Encode(p); err == nil || data != nil {
			t.Errorf("%s: encoded", v.name)
		}
		if _, err := Sign(v.data, nil); err == nil {
			t.Errorf("%s: signed without a key", v.name)
		}
		if _, priv := testKey(1); true {
			if _, err := Sign(v.data, priv); err == nil {
				t.Errorf("%s: signed", v.name)
			}
		}
		tried++
	}
	if tried < 40 {
		t.Errorf("only %d policies tried", tried)
	}
}

// TestTextIsRefusedNotRepaired names the one thing that logs often have and
// policies never.
func TestTextIsRefusedNotRepaired(t *testing.T) {
	p := sample()
	p.Tree.States[1].Desc = "broken \xff"
	if _, err := Encode(p); err == nil || !strings.Contains(err.Error(), "STAT[1]") || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("error %v, want one that names state 1 and UTF-8", err)
	}
}

func TestPackOnlyTightens(t *testing.T) {
	p := DefaultPack()
	if p.Steps() != 50 || p.WallSeconds() != 1800 || p.Tokens() != 2_000_000 {
		t.Errorf("default pack %+v", p)
	}
	huge := int64(1_000_000_000_000_000_000)
	if got := p.Tighten(huge, huge, huge); got != p {
		t.Errorf("loosened to %+v", got)
	}
	if got := p.Tighten(10, 0, -5); got != (Pack{10, 1, 1}) {
		t.Errorf("tightened to %+v", got)
	}
	if got := p.Tighten(10, 10, 10).Tighten(20, 20, 20); got != (Pack{10, 10, 10}) {
		t.Errorf("loosened to %+v", got)
	}
	if got := (Pack{}).Tighten(10, 10, 10); got != (Pack{}) {
		t.Errorf("a pack that is not set became %+v", got)
	}
}

func TestTaskDigest(t *testing.T) {
	same := []string{"Fix the Bug", "fix  the\tbug ", "\nFIX THE BUG"}
	for _, s := range same {
		if !bytes.Equal(TaskDigest(s), TaskDigest(same[0])) || len(TaskDigest(s)) != 16 {
			t.Errorf("%q has another digest", s)
		}
	}
	if bytes.Equal(TaskDigest("fix the bug"), TaskDigest("fix the bugs")) {
		t.Error("two tasks have one digest")
	}
}
