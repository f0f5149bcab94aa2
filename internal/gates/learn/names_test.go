package learn

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/segment"
)

// deleteEpisode is a run that deletes below a directory, harmful or not.
func deleteEpisode(i int, path string, harmful bool) *corpora.Episode {
	e := &corpora.Episode{ID: fmt.Sprint(i, path, harmful), TaskID: fmt.Sprint("task", i), Task: "tidy up", Group: "disk", Outcome: corpora.OutcomeSuccess}
	if harmful {
		e.Safety, e.Outcome = corpora.SafetyUnsafe, corpora.OutcomeFailure
		e.Verdicts = []corpora.Verdict{{Step: 0, Unsafe: true, Rule: "checker"}}
	}
	e.Steps = []corpora.Step{{Tool: "bash", Args: fmt.Sprintf(`{"command":"rm -r %s/%d"}`, path, i), Status: corpora.StatusExecuted}}
	return e
}

// TestGatesNameWhatTasksShare: a directory of the logs stands in a gate from
// MinShared tasks on, and one below the homes never.
func TestGatesNameWhatTasksShare(t *testing.T) {
	for _, tt := range []struct {
		dir   string
		tasks int
		want  bool
	}{
		{"/srv/ledger", segment.MinShared, true},
		{"/srv/ledger", segment.MinShared - 1, false},
		{"/home/ada/ledger", 3 * segment.MinShared, false},
	} {
		var cases []*Case
		for i := range 120 {
			cases = append(cases, extract(deleteEpisode(i, path.Dir(tt.dir)+"/other", false)))
		}
		for i := range tt.tasks {
			cases = append(cases, extract(deleteEpisode(1000+i, tt.dir, true)))
		}
		got := false
		for _, g := range learnFrom(cases).Gates {
			got = got || strings.Contains(g.Expr, strings.TrimPrefix(tt.dir, "/home/"))
		}
		if got != tt.want {
			t.Errorf("%s of %d tasks stands in a gate: %v", tt.dir, tt.tasks, got)
		}
		ps, _ := Blame(cases)
		ex := FromCases(cases, ps)
		for _, l := range namesOf(ex).features(ex.Unsafe[0].Context)[ofEffect][0] {
			if strings.Contains(l.text, tt.dir) != tt.want && strings.Contains(l.text, "under") && strings.Contains(l.text, "ledger") {
				t.Errorf("%s of %d tasks: a gate may say %s", tt.dir, tt.tasks, l.text)
			}
		}
	}
}

// TestStrangeConstants: who proposes gates may write what stands in the logs only
// if enough tasks share it.
func TestStrangeConstants(t *testing.T) {
	var cases []*Case
	for i := range 20 {
		path := "/srv/all"
		if i == 0 {
			path = "/srv/zorblax"
		}
		cases = append(cases, extract(deleteEpisode(i, path, i < 3)))
	}
	ps, _ := Blame(cases)
	ex := FromCases(cases, ps)
	n := newLearner(ex, Options{})
	for _, tt := range []struct{ expr, want string }{
		{`!ctx.effects.exists(e, e.resource.under("/srv/all"))`, ""},
		{`!ctx.effects.exists(e, e.resource.under("/srv/zorblax"))`, "/srv/zorblax"},
		{`!ctx.effects.exists(e, e.resource.contains("zorb"))`, "zorb"},
		{`ctx.tool != "bash" || !ctx.effects.exists(e, e.type == "delete" && e.resource in ["/srv/zorblax/0"])`, "/srv/zorblax/0"},
		{`!ctx.effects.exists(e, e.domain == "nobody.example")`, ""}, // it is of no log
	} {
		if got, err := n.strange(tt.expr); err != nil || got != tt.want {
			t.Errorf("%s: %q %v, want %q", tt.expr, got, err, tt.want)
		}
	}
	l := Learn(ex, Options{Extra: []Proposal{{Scope: ScopeGlobal, Expr: `!ctx.effects.exists(e, e.resource.under("/srv/zorblax"))`, By: "model m"}}})
	for _, g := range l.Gates {
		if strings.Contains(g.Expr, "zorblax") {
			t.Errorf("accepted: %s", g.Expr)
		}
	}
	if len(l.Review) == 0 || !strings.Contains(fmt.Sprint(l.Review), "fewer than 5 tasks") {
		t.Errorf("the proposal is not among those for review: %+v", l.Review)
	}
}

// TestGatesNameNoPlaceOfTheLogs: a directory or a host that only says where logs
// ran stands in no gate, however many tasks have it.
func TestGatesNameNoPlaceOfTheLogs(t *testing.T) {
	at := func(i int, cwd, path, host string) Example {
		c := &gates.Context{Cwd: cwd, Effects: []gates.Effect{{Kind: effect.Write, Op: effect.OpModify, Resource: path, Net: effect.Net{Domain: host}}}}
		return Example{Context: c, ID: fmt.Sprint(i, path), Tasks: []string{fmt.Sprint("task", i)}}
	}
	for _, tt := range []struct {
		name, cwd, harmful, benign, host, other string
		literal                                 string
		want                                    bool
	}{
		{name: "a site's directory, benign calls beside it", harmful: "/orchard/ledger/a", benign: "/orchard/plums/a", literal: "/orchard/ledger", want: true},
		{name: "benign calls elsewhere", harmful: "/orchard/ledger/a", benign: "/meadow/a", literal: "/orchard/ledger"},
		{name: "a directory of every machine", harmful: "/etc/cron.d/a", benign: "/meadow/a", literal: "/etc/cron.d", want: true},
		{name: "homes", harmful: "/home/ada/a", benign: "/home/ada/b", literal: "/home"},
		{name: "the workspace", cwd: "/orchard", harmful: "/orchard/ledger/a", benign: "/orchard/plums/a", literal: "/orchard"},
		{name: "in the workspace", cwd: "/orchard", harmful: "/orchard/ledger/a", benign: "/orchard/plums/a", literal: "/orchard/ledger"},
		{name: "around the workspace", cwd: "/orchard/plums", harmful: "/orchard/a", benign: "/orchard/b", literal: "/orchard"},
		{name: "a host, benign calls to others", host: "evil.example", other: "good.example", literal: "evil.example", want: true},
		{name: "a host, benign calls to none", host: "evil.example", literal: "evil.example"},
	} {
		ex := &Examples{}
		for i := range 2 * segment.MinShared {
			ex.Unsafe = append(ex.Unsafe, at(i, tt.cwd, tt.harmful, tt.host))
			ex.Benign = append(ex.Benign, at(100+i, tt.cwd, tt.benign, tt.other))
		}
		got := false
		for _, l := range namesOf(ex).features(ex.Unsafe[0].Context)[ofEffect][0] {
			got = got || strings.HasSuffix(l.text, fmt.Sprintf("nder(%q)", tt.literal))
		}
		if got != tt.want {
			t.Errorf("%s: a gate may name %s: %v", tt.name, tt.literal, got)
		}
	}
}
