package episode

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
)

// TestOrdersTested: an order for when the tests pass is one while they did, and nothing changed since.
func TestOrdersTested(t *testing.T) {
	const tests = "go test ./..."
	for _, tt := range []struct {
		ran      []string
		line     string
		fails    bool // the last one that ran failed
		observes bool
		asks     bool
	}{
		{nil, "git push", false, true, true},
		{[]string{tests}, "git push", false, true, false},
		{[]string{tests}, "git push", true, true, true},
		{[]string{tests}, "git push", false, false, true},
		{[]string{tests, "git add -A && git commit -qm x"}, "git push", false, true, false},
		{[]string{tests}, "git add -A && git commit -qm x && git push", false, true, false},
		{[]string{tests, "sed -i s/a/b/ a.go"}, "git push", false, true, true},
		{[]string{tests, "sed -i s/a/b/ a.go", tests}, "git push", false, true, false},
		{[]string{tests}, "sed -i s/a/b/ a.go && git commit -qam x && git push", false, true, true},
		{[]string{tests, "git checkout other"}, "git push", false, true, true},
		{[]string{tests + " | tail -3"}, "git push", false, true, true},
		{[]string{tests + " || true"}, "git push", false, true, true},
		{[]string{"go vet ./..."}, "git push", false, true, true},
		{[]string{tests}, "git push --force", false, true, true},
	} {
		m := Memory{Observes: tt.observes}
		m.Told(orders.Of("Fix the header. Commit and push when the tests pass."), inFix)
		for i, line := range tt.ran {
			c, d := inShop(t, &m, line)
			m.Let("k", "", c, &d, 1)
			c = read(t, func(st *gates.State) { shop(st); m.At("k", st) }, line)
			if m.Ended("k", c, 1); tt.observes && (i < len(tt.ran)-1 || !tt.fails) {
				m.Succeeded(c)
			}
		}
		if _, d := inShop(t, &m, tt.line); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%+v: %v %v", tt, d.Disposition, d.Reasons)
		}
	}
}

// TestOrdersFrom: an order is for the branch and the places that were there when it was given, for a
// branch that nobody else has, and for one push alone.
func TestOrdersFrom(t *testing.T) {
	for _, tt := range []struct {
		name string
		told string
		turn func(*effect.Repository, *scope.From)
		line string
		asks bool
	}{
		{"as it was", "push", func(*effect.Repository, *scope.From) {}, "git push", false},
		{"nobody knows where", "push", func(_ *effect.Repository, f *scope.From) { *f = scope.From{} }, "git push", true},
		{"pushes go elsewhere since", "push", func(r *effect.Repository, _ *scope.From) { r.Remotes[0].Push = "evil.example/a/b" }, "git push", true},
		{"another repository", "push", func(_ *effect.Repository, f *scope.From) { f.Sends = "github.com/acme/other" }, "git push", true},
		{"another branch", "push", func(_ *effect.Repository, f *scope.From) { f.Branch = "main" }, "git push", true},
		{"a new branch", "push", func(r *effect.Repository, f *scope.From) { f.Branch, r.Unsent = "main", true }, "git push", false},
		{"a new branch that others will take", "push", func(r *effect.Repository, f *scope.From) {
			f.Branch, r.Branch, r.Pushes, r.Unsent = "main", "release/2", "release/2", true
		}, "git push", true},
		{"named", "push to main", func(r *effect.Repository, f *scope.From) { r.Branch, r.Pushes = "main", "main" }, "git push", false},
		{"the default branch for a request", "open a PR", func(r *effect.Repository, f *scope.From) {
			f.Branch, r.Branch, r.Pushes, r.Default = "x", "x", "x", "x"
		}, "git push", true},
		{"the main branch for a request", "open a PR", func(r *effect.Repository, f *scope.From) {
			f.Branch, r.Branch, r.Pushes, r.Unsent = "main", "main", "main", true
		}, "git push", true},
		{"a branch that may be the default one", "open a PR", func(r *effect.Repository, _ *scope.From) { r.Default = "" }, "git push", true},
		{"a branch for a request", "open a PR", func(*effect.Repository, *scope.From) {}, "git push", false},
		{"the main branch for a new one", "push to a new branch", func(r *effect.Repository, f *scope.From) { f.Branch, r.Branch, r.Pushes = "main", "main", "main" }, "git push", true},
		{"a request elsewhere", "open a PR", func(_ *effect.Repository, f *scope.From) { f.Base = "github.com/up/shop" }, "gh pr create --fill", true},
		{"a request of another branch", "open a PR", func(_ *effect.Repository, f *scope.From) { f.Branch = "other" }, "gh pr create --fill", true},
		{"replies elsewhere", "reply to the review comments", func(_ *effect.Repository, f *scope.From) { f.Base = "github.com/up/shop" }, "gh pr comment 3 -b x", true},
		{"refspecs count", "push", func(r *effect.Repository, _ *scope.From) { r.Maps = true }, "git push origin fix", true},
		{"refspecs do not count for HEAD", "push", func(r *effect.Repository, _ *scope.From) { r.Maps = true }, "git push origin HEAD", false},
		{"tags go along", "push", func(r *effect.Repository, _ *scope.From) { r.Widens = true }, "git push origin HEAD", true},
	} {
		from, repo := inFix, effect.Repository{}
		m := Memory{Observes: true}
		see := func(st *gates.State) {
			shop(st)
			repo, _ = st.Repo("/w")
			from = inFix
			tt.turn(&repo, &from)
			st.Repo = func(string) (effect.Repository, bool) { return repo, true }
		}
		see(new(gates.State))
		m.Told(orders.Of(tt.told), from)
		c := read(t, func(st *gates.State) { see(st); m.Before(st) }, tt.line)
		d := (&gates.Checker{}).Check(c, nil)
		if (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%s: %v %v", tt.name, d.Disposition, d.Reasons)
		}
		if tt.asks {
			continue
		}
		m.Let("k", "", c, &d, 1)
		c = read(t, func(st *gates.State) { see(st); m.Before(st) }, tt.line)
		if d = (&gates.Checker{}).Check(c, nil); d.Disposition == gates.Approved {
			t.Errorf("%s: a second one before the first is known to have ended", tt.name)
		}
	}
}

// TestSays: what the agent has said to itself later is no message of a person's, also in a memory that was
// stored; too many of them make none one.
func TestSays(t *testing.T) {
	var m Memory
	wake := func(text string) {
		c := gates.NewContext(gates.Request{Tool: "ScheduleWakeup", Args: []byte(`{"delaySeconds":60,"reason":"x","prompt":"` + text + `"}`)}, gates.State{Cwd: "/w", Roots: []string{"/w"}})
		m.MayRun("k", "", &c, 1)
	}
	if wake("Commit and push "); !m.Says("commit and push") || !m.Says("<wakeup>Commit and push</wakeup>") || m.Says("push") {
		t.Errorf("said: %q", m.said)
	}
	var again Memory
	if err := again.UnmarshalBinary(encoded(t, &m)); err != nil || !again.Says("commit and push") {
		t.Errorf("stored and read: %v", err)
	}
	m = Memory{}
	for i := range maxSaidBytes/3500 + 1 {
		wake(strings.Repeat(string(rune('a'+i)), 3500))
	}
	if len(m.said) != 1 || !m.Says("push") {
		t.Error("long texts do not fill it")
	}
	m = Memory{}
	for i := range maxSaid + 1 {
		wake(strings.Repeat("a", i+1))
	}
	if !m.Says("push") {
		t.Error("what did not fit is forgotten")
	}
}

// TestOrdersEnd: what was ordered holds until the user says something else, is not taken
// from a memory that is to ask each time, and stays where a push failed.
func TestOrdersEnd(t *testing.T) {
	asks := func(m *Memory) bool { _, d := inShop(t, m, "git push"); return d.Disposition != gates.Approved }
	m := Memory{Observes: true}
	m.Told(orders.Of("commit and push"), inFix)
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var again Memory
	if err := again.UnmarshalBinary(data); err != nil || asks(&again) {
		t.Errorf("stored and read: %v, asks %v", err, asks(&again))
	}
	c, d := inShop(t, &m, "git push")
	m.Let("k", "", c, &d, 1)
	m.Ended("k", c, 1) // it failed: nobody says that it succeeded
	if asks(&m) {
		t.Error("a push that failed used the order up")
	}
	m.Forgetful = true
	if !asks(&m) {
		t.Error("a forgetful memory takes an order")
	}
	m.Forgetful = false
	if m.Told(orders.Of("now look at the logs"), inFix); !asks(&m) {
		t.Error("an order outlives the next message")
	}
	m.Told(orders.Of("commit and push"), inFix)
	if m.Revoke(); !asks(&m) {
		t.Error("an order outlives the policy")
	}
}

// TestOrdersOfVersion1: there were none.
func TestOrdersOfVersion1(t *testing.T) {
	var m Memory
	m.Told(orders.Of("commit and push"), inFix)
	old := bytes.Replace(encoded(t, &m), []byte(`"version":2`), []byte(`"version":1`), 1)
	if err := new(Memory).UnmarshalBinary(old); !errors.Is(err, ErrMemory) {
		t.Errorf("read with %v", err)
	}
}
