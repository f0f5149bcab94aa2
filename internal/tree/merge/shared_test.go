package merge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

func TestPlainOf(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Read the failing tests, then the file.", "failing test file"},
		{"mail ada@files.example about /home/file/test", "mail"},
		{"Test File REPORT", ""}, // a capital may begin a name
		{"test test tests", "test"},
		{"key=file file_test.py file-1", ""},
		{"zorblax", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(plainOf(tt.text), " "); got != tt.want {
			t.Errorf("%q has %q, want %q", tt.text, got, tt.want)
		}
	}
}

// saying makes n tasks in which an agent looks and says the same words.
func saying(n int, say func(i int) string) parts {
	var list []*Trace
	for i := range n {
		tr := trace(fmt.Sprintf("task %d of Ada Lovelace", i), "look edit", true)
		tr.Macros[0].Words = say(i)
		list = append(list, tr)
	}
	return parts{list}
}

// TestDescriptionsHaveSharedWords: a word stands in a description from segment.MinShared
// independent tasks on, and only if it is a plain one.
func TestDescriptionsHaveSharedWords(t *testing.T) {
	for _, profile := range []string{tree.DefaultProfile, tree.ReferenceProfile} {
		p := params
		p.Profile = profile
		tests := []struct {
			name  string
			tasks int
			say   func(i int) string
			want  string
		}{
			{"shared by enough", segment.MinShared, func(int) string { return "the invoice of Zorblax" }, "look: invoice"},
			{"shared by too few", segment.MinShared - 1, func(int) string { return "the invoice" }, "look"},
			{"not shared", 9, func(i int) string { return []string{"invoice", "ticket", "calendar"}[i%3] }, "look"},
		}
		for _, tt := range tests {
			tr := merged(t, saying(tt.tasks, tt.say), p).Tree
			for i := range tr.States {
				if s := &tr.States[i]; strings.Contains(s.Key, "look") && s.Desc != tt.want && profile == tree.DefaultProfile {
					t.Errorf("%s, %s: %q, want %q", profile, tt.name, s.Desc, tt.want)
				} else if strings.Contains(s.Desc, "Zorblax") {
					t.Errorf("%s, %s: %q", profile, tt.name, s.Desc)
				}
			}
		}
	}
}

// TestOneTaskSharesNothing: runs of one task, and tasks with one text, are one.
func TestOneTaskSharesNothing(t *testing.T) {
	src := saying(segment.MinShared, func(int) string { return "the invoice" })
	for i, tr := range src[0] {
		tr.TextKey = 7
		copy(tr.Digest[:], fmt.Sprintf("%016d", i))
	}
	for _, s := range merged(t, src, params).Tree.States {
		if strings.Contains(s.Desc, "invoice") {
			t.Errorf("%q", s.Desc)
		}
	}
}

// TestKeepText: texts stand in a tree only where they were asked for; its vectors
// are the same.
func TestKeepText(t *testing.T) {
	src := saying(8, func(i int) string { return fmt.Sprintf("I will look at mail %d of Ada.", i) })
	for _, profile := range []string{tree.DefaultProfile, tree.ReferenceProfile} {
		p := params
		p.Profile = profile
		var trees []*tree.Tree
		for _, keep := range []bool{false, true} {
			res, err := Merge(context.Background(), src, Options{Params: p, Encoder: words{}, KeepText: keep})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(fmt.Sprintf("%+v", res.Tree), "Ada"); got != keep {
				t.Errorf("%s: text in the tree: %v, kept: %v", profile, got, keep)
			}
			trees = append(trees, res.Tree)
		}
		a, b := trees[0], trees[1]
		for i := range a.Leaves {
			for k, x := range a.Leaves[i].Tasks {
				if !slices.Equal(x.Vec, b.Leaves[i].Tasks[k].Vec) {
					t.Errorf("%s: leaf %d: the vector of a task depends on its text being kept", profile, i)
				}
			}
		}
	}
}

// TestFamilyNames: families are named after layouts and what tools handle, and not
// after groups, which are directories and customers.
func TestFamilyNames(t *testing.T) {
	var list []*Trace
	for i := range 2 * smallFamily {
		group, tool := "/home/ada/mails", "send_email"
		if i%2 == 0 {
			group, tool = "/home/ada/bank", "read_balance"
		}
		tr := inGroup(trace(fmt.Sprint("task ", i), "look", true), group)
		tr.Macros[0].Tools = []string{tool}
		list = append(list, tr)
	}
	for _, tt := range []struct {
		keep bool
		want []string
	}{{false, []string{"test-balance", "test-email"}}, {true, []string{"/home/ada/bank", "/home/ada/mails"}}} {
		res, err := Merge(context.Background(), parts{list}, Options{Params: params, Encoder: words{}, KeepText: tt.keep})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range res.Tree.Families {
			got = append(got, f.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("keep text %v: %q, want %q", tt.keep, got, tt.want)
		}
	}
}
