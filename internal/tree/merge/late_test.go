package merge

import (
	"context"
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

// TestFirstMacroDecidesTheFamily: where a task fits two families, the first
// macro settles it by how often each of them begins so, not by the task alone.
func TestFirstMacroDecidesTheFamily(t *testing.T) {
	var all []*Trace
	for i := range 20 {
		first := "edit run"
		if i == 0 {
			first = "look run"
		}
		all = append(all, inGroup(trace(fmt.Sprint("send mail ", i), first, true), "mails"),
			inGroup(trace(fmt.Sprint("read file ", i), "look edit", true), "files"))
	}
	p := params
	p.RouteAbstain, p.RouteKeep, p.RouteTemperature = 1000, 1, 500
	res, err := Merge(context.Background(), parts{all}, Options{Params: p, Encoder: words{}, Families: []FamilySpec{
		{Name: "mails", Groups: []string{"mails"}, Prototypes: []string{"send mail"}},
		{Name: "files", Groups: []string{"files"}, Prototypes: []string{"read file"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.RouteTemperature = 500
	v := tree.NewView(res.Tree)
	r := v.Route(&tree.Ask{Vec: words{}.Embed("send mail file")}, &p)
	if len(r.Open) != 2 || v.Families[r.Best.Family].Name != "mails" {
		t.Fatalf("route %+v: want both families, mails ahead", r)
	}
	pos := v.Start(&r)
	children := v.Children(&pos, &p)
	for key, want := range map[string]string{"look": "files", "edit": "mails"} {
		m := v.Match(children, &tree.Proposal{Key: key}, &p)
		if got := v.Families[v.States[m.Ranked[0].State].Family].Name; got != want {
			t.Errorf("a call that is %q goes to %s, want %s", key, got, want)
		}
		if at := find(v, children, &Macro{Key: key}); v.Families[v.States[children[at].State].Family].Name != want {
			t.Errorf("an episode that begins with %q is walked in another family than %s", key, want)
		}
	}
}
