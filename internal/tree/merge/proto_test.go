package merge

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/tree"
)

// inGroup puts a trace into a group.
func inGroup(t *Trace, group string) *Trace {
	t.Group = group
	return t
}

// TestPrototypesGivenByHand: a family's prototypes in gbt.yaml are the ones that
// route; families without any learn theirs.
func TestPrototypesGivenByHand(t *testing.T) {
	src := parts{{
		inGroup(trace("read the file", "look read", true), "office"),
		inGroup(trace("read a file", "read look", true), "office"),
		inGroup(trace("run the test", "edit run", true), "code-1"),
		inGroup(trace("edit the file", "edit run", true), "code-2"),
		inGroup(trace("nobody", "look", true), "elsewhere"),
	}}
	long := "send a mail " + strings.Repeat("x", 2*maxWords)
	for _, profile := range []string{tree.DefaultProfile, tree.ReferenceProfile} {
		p := params
		p.Profile, p.RouteAbstain = profile, 300
		res, err := Merge(context.Background(), src, Options{Params: p, Encoder: words{}, KeepText: true, Families: []FamilySpec{
			{Name: "mails", Groups: []string{"office"}, Prototypes: []string{"send the mail", long}},
			{Name: "programs", Groups: []string{"code-*"}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		for _, f := range res.Tree.Families {
			for _, x := range f.Prototypes {
				got[f.Name] = append(got[f.Name], x.Text)
			}
		}
		if want := []string{"send the mail", long[:maxWords]}; !slices.Equal(got["mails"], want) {
			t.Errorf("%s: prototypes %q, want those given", profile, got["mails"])
		}
		slices.Sort(got["programs"])
		if want := []string{"edit the file", "run the test"}; !slices.Equal(got["programs"], want) {
			t.Errorf("%s: prototypes %q, want the tasks seen", profile, got["programs"])
		}
		if res.Unplaced != 1 {
			t.Errorf("%s: %d traces in no family, want 1", profile, res.Unplaced)
		}
		r := tree.NewView(res.Tree).Route(&tree.Ask{Vec: words{}.Embed("send mail")}, &p)
		if r.Best.Family != familyIndex(tree.NewView(res.Tree), "mails") {
			t.Errorf("%s: a task like the prototype goes to %+v", profile, r)
		}
	}
}
