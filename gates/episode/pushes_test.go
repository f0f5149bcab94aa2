package episode

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/orders"
)

// TestPushesFrom: a yes to a push of a branch is none to one of another branch under its name.
func TestPushesFrom(t *testing.T) {
	for _, tt := range []struct {
		first, then string
		asks        bool
	}{
		{"git push origin fix", "git push origin fix", false},
		{"git push origin fix", "git push origin HEAD", false},
		{"git push origin fix", "git push origin HEAD:fix", false},
		{"git push origin fix", "git push origin fix:refs/heads/fix", false},
		{"git push origin fix", "git push origin other:fix", true},
		{"git push origin fix", "git push origin stash@{0}:fix", true},
		{"git push origin fix", "git push origin FETCH_HEAD:fix", true},
		{"git push origin main", "git push origin HEAD:main", true},
		{"git push origin main", "git push origin fix:main", true},
		{"git push origin HEAD:main", "git push origin fix:main", false},
		{"git push origin fix:main", "git push origin other:main", true},
		{"git push git@github.com:acme/shop.git fix", "git push origin fix", false},
	} {
		var m Memory
		c, d := inShop(t, &m, tt.first)
		m.Let("k", "", c, &d, 1)
		m.Ended("k", c, 1)
		if _, d = inShop(t, &m, tt.then); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%q, then %q: %v %v", tt.first, tt.then, d.Disposition, d.Reasons)
		}
	}
}

// TestPushesSecrets: neither an order nor an earlier yes is for a push that takes along what is
// called as a secret is, unless the user said yes to one with it before.
func TestPushesSecrets(t *testing.T) {
	for _, tt := range []struct {
		tracked, there bool   // such a file
		ignores        string // what .gitignore holds
		line           string
		asks           bool
	}{
		{false, false, "", "git push origin fix", false},
		{true, true, "", "git push origin fix", true},
		{false, true, "", "git push origin fix", false},
		{false, true, "", "git add -A && git commit -qm x && git push origin fix", true},
		{false, true, "dist", "git add -A && git commit -qm x && git push origin fix", true},
		{false, true, ".env\n", "git add -A && git commit -qm x && git push origin fix", false},
		{false, true, ".env/\n", "git add -A && git commit -qm x && git push origin fix", true},
		{false, true, ".*\n!.env\n", "git add -A && git commit -qm x && git push origin fix", true},
		{false, true, ".env\n", "echo dist > .gitignore && git add -A && git commit -qm x && git push origin fix", true},
		{false, true, ".env\n", "git add -f . && git commit -qm x && git push origin fix", true},
		{false, false, "", "git add -A && git commit -qm x && git push origin fix", false},
	} {
		for _, agreed := range []bool{true, false} {
			var m Memory
			if m.Told(orders.Of("commit and push"), inFix); agreed {
				m.orders = nil
				c, d := inShop(t, &m, "git push -q origin fix")
				m.Let("k", "", c, &d, 1)
				m.Ended("k", c, 1)
			}
			c := read(t, func(st *gates.State) {
				shop(st)
				m.Before(st)
				st.Holds = func(_ string, tracked bool) bool { return tracked && tt.tracked || !tracked && tt.there }
				st.Names = func(dir string) []string {
					if dir == "/w" && tt.there {
						return []string{".git/", ".gitignore", ".env", "a.go"}
					}
					return nil
				}
				st.Text = func(file string) (string, bool) { return tt.ignores, file == "/w/.gitignore" }
			}, tt.line)
			if d := (&gates.Checker{}).Check(c, nil); (d.Disposition != gates.Approved) != tt.asks {
				t.Errorf("%+v, agreed %v: %v %v", tt, agreed, d.Disposition, d.Reasons)
			}
		}
	}
}

// TestTracksSecrets: a repository that has tracked such a file all along is asked about once.
func TestTracksSecrets(t *testing.T) {
	var m Memory
	look := func(past func(*gates.State)) *gates.Context {
		return read(t, func(st *gates.State) { shop(st); past(st); st.Holds = func(string, bool) bool { return true } }, "git push origin fix")
	}
	for i, want := range []gates.Disposition{gates.ApprovedWithConstraints, gates.Approved} {
		m.Told(orders.Of("commit and push"), inFix)
		c := look(m.Before)
		d := (&gates.Checker{}).Check(c, nil)
		if d.Disposition != want {
			t.Errorf("push %d: %v", i+1, d.Disposition)
		}
		m.Let("k", "", c, &d, 1)
		m.Ended("k", look(func(st *gates.State) { m.At("k", st) }), 1)
		m.agreed = nil
	}
}
