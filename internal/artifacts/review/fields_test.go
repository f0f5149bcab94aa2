package review

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
)

// sections are the tags of the table, and what a reader of a policy is shown of
// a field that only the table knows. It reads the value from a map beside the
// policy, as if the policy had it.
func withField(tag string, loosens field.Loosens, at map[*artifacts.Policy]any) table {
	rows := slices.Clone(artifacts.Fields())
	rows = append(rows, row{Section: tag, Name: "made_up", Loosens: loosens, At: func(p *artifacts.Policy, _ int) any { return at[p] }})
	return tableOf(rows)
}

func tags() []string {
	var out []string
	for _, r := range artifacts.Fields() {
		if !slices.Contains(out, r.Section) {
			out = append(out, r.Section)
		}
	}
	return out
}

// notByItself are the sections whose new fields this package does not show: who
// adds one there has to write where.
var notByItself = map[string]string{
	"CLUS": "clusters are shown as a count each, and compared by number",
	"REPT": "a measurement is a name and a value",
}

// notForParents are the sections whose fields must not loosen: Looser does not go
// through the tree. A bound of the pack is an alarm of Compare alone.
var notForParents = []string{"PACK", "FAMS", "STAT", "NODE", "LEAF", "CORP"}

// TestNewFieldIsShown adds a field to each section and asks that it is in the
// text, in JSON, and in a comparison; and that it is an alarm, also for a
// successor, where it loosens.
func TestNewFieldIsShown(t *testing.T) {
	if len(tags()) < 14 {
		t.Fatalf("sections %v", tags())
	}
	number := func(n int32) any { return &n }
	texts := func(s ...string) any { return &s }
	for _, tag := range tags() {
		if notByItself[tag] != "" {
			continue
		}
		for kind, values := range map[string][2]any{"number": {number(3), number(17)}, "list": {texts("a"), texts("a", "added text")}} {
			t.Run(tag+" "+kind, func(t *testing.T) { checkNewField(t, tag, values[0], values[1]) })
		}
	}
}

func checkNewField(t *testing.T, tag string, was, is any) {
	old, oldInfo := vector(t, "good-sample")
	p, info := vector(t, "good-sample-signed")
	changedInfo := *info
	changedInfo.Digest = "other"
	at := map[*artifacts.Policy]any{old: was, p: is}
	rows := withField(tag, field.More, at)
	d, err := newDocument(p, info, Options{}, rows)
	if err != nil {
		t.Fatal(err)
	}
	text, data := string(d.Text()), string(must(json.Marshal(d)))
	checkGrammar(t, d.Text())
	if !strings.Contains(text, "  made_up ") || !strings.Contains(data, `"made_up"`) {
		t.Errorf("the text has it: %v, JSON: %v", strings.Contains(text, "  made_up "), strings.Contains(data, `"made_up"`))
	}
	c := compare(old, p, oldInfo, &changedInfo, rows)
	if out := string(c.Text()); !strings.Contains(out, "made_up") || !strings.Contains(string(must(json.Marshal(c))), "made_up") {
		t.Errorf("not compared:\n%s", out)
	}
	rows.all[tag][len(rows.all[tag])-1].Optional = true
	for k := range rows.more[tag] {
		rows.more[tag][k].Optional = rows.more[tag][k].Name == "made_up"
	}
	at[p] = reflect.New(reflect.TypeOf(is).Elem()).Interface()
	if d, err := newDocument(p, info, Options{}, rows); err != nil || strings.Contains(string(d.Text())+string(must(json.Marshal(d))), "made_up") {
		t.Errorf("an optional field that is not set is shown (error %v)", err)
	}
	at[p] = is
	named := func(s string) bool { return strings.Contains(s, "made_up") }
	found := func(f Finding) bool { return named(f.Message) }
	if !slices.ContainsFunc(c.Weakens, found) {
		t.Errorf("not found in %v", c.Weakens)
	}
	if got := slices.ContainsFunc(looser(old, p, rows), named); got == slices.Contains(notForParents, tag) {
		t.Errorf("looser than the parent: %v", got)
	}
	for _, l := range []field.Loosens{field.Never, field.Less} {
		if c := compare(old, p, oldInfo, &changedInfo, withField(tag, l, at)); slices.ContainsFunc(c.Weakens, found) {
			t.Errorf("loosens %v: %v", l, c.Weakens)
		}
	}
	if c := compare(old, p, oldInfo, &changedInfo, withField(tag, field.Any, at)); !slices.ContainsFunc(c.Weakens, found) {
		t.Error("a field of which nothing is said does not count as looser")
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// TestTableIsKept: what this package names of the table is there, a field that is
// judged has its judge, and none loosens where Looser would not see it.
func TestTableIsKept(t *testing.T) {
	there := map[string]bool{}
	for _, r := range artifacts.Fields() {
		name := r.Section + "." + r.Name
		there[name] = true
		if _, ok := judges[name]; r.Loosens == field.Judged && !ok {
			t.Errorf("%s is judged, and nothing judges it", name)
		}
		if r.Loosens != field.Never && r.Section != "PACK" && (slices.Contains(notForParents, r.Section) || notByItself[r.Section] != "") {
			t.Errorf("%s loosens, but Looser does not read section %s", name, r.Section)
		}
	}
	var named []string
	for tag, list := range laidOut {
		for name := range strings.SplitSeq(list, ",") {
			named = append(named, tag+"."+name)
		}
	}
	for name := range judges {
		named = append(named, name)
	}
	for name := range ownForm {
		named = append(named, name)
	}
	for _, name := range named {
		if !there[name] {
			t.Errorf("the table has no %s", name)
		}
	}
}

// TestFieldsInOrder: a record in JSON has the table's order.
func TestFieldsInOrder(t *testing.T) {
	f := Fields{{Name: "z", Value: 1}, {Name: "a", Value: []string{"x"}}}
	if got := string(must(json.Marshal(f))); got != `{"z":1,"a":["x"]}` {
		t.Error(got)
	}
	if fmt.Sprint(f.Get("a")) != "[x]" || f.Get("none") != nil {
		t.Errorf("%v %v", f.Get("a"), f.Get("none"))
	}
}
