package distill

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// coding is the settings with the ready set for coding agents.
func coding(t *testing.T) *Config {
	t.Helper()
	cfg, err := ReadConfig([]byte("outcomes: coding"))
	if err != nil {
		t.Fatal(err)
	}
	return &cfg
}

func codingReader(t *testing.T) *reader {
	t.Helper()
	cfg := coding(t)
	k, err := cfg.Checker()
	if err != nil {
		t.Fatal(err)
	}
	return newReader(cfg, 0, k)
}

// workSession has a request that was verified, one that only looks, and a call that
// the user declined.
func workSession() *corpora.Episode {
	ran := func(tool, args string) corpora.Step {
		return corpora.Step{Tool: tool, Args: args, Status: corpora.StatusExecuted, Cwd: "/srv/app"}
	}
	look, refused := ran("Read", `{"file_path":"/srv/app/a.go"}`), ran("Bash", `{"command":"git push"}`)
	look.Heard, refused.Status, refused.BlockedBy = "go on", corpora.StatusBlocked, "user"
	return &corpora.Episode{ID: "s", Format: "claude-code", Task: "repair it", Steps: []corpora.Step{
		ran("Edit", `{"file_path":"/srv/app/a.go","old_string":"a","new_string":"b"}`), ran("Bash", `{"command":"go test ./..."}`), look, refused,
	}}
}

func TestPartsOfASession(t *testing.T) {
	by := codingReader(t)
	parts := by.parts(logs.Record{Episode: workSession()})
	if len(parts) != 2 || parts[0].rule != "coding/tests-passed" || parts[1].rule != "" || !parts[0].changed || parts[1].changed {
		t.Fatalf("%+v", parts)
	}
	first, second := by.item(t.Context(), nil, parts[0]), by.item(t.Context(), nil, parts[1])
	if first.use != UseSuccess || second.use != UseUnlabelled {
		t.Errorf("used as %s and %s", first.use, second.use)
	}
	c := newCounts()
	c.add(&first)
	c.add(&second)
	n := c.Requests
	if n.Sessions != 1 || n.Requests != 2 || n.Changed.Success != 1 || n.All.Unlabelled != 1 || n.Rules["coding/tests-passed"] != 1 || n.Declined["remote"] != 1 {
		t.Errorf("counts %+v", n)
	}
	// "go on" is no task: only what a session began with can tell another one.
	if len(parts[0].taskDigests()) != 2 || len(parts[1].taskDigests()) != 1 {
		t.Errorf("digests: %d and %d", len(parts[0].taskDigests()), len(parts[1].taskDigests()))
	}
	trace := parts[1].trace(first.path, 0, true)
	if trace.TextKey != 0 || trace.TaskKey != first.trace.TaskKey {
		t.Error("the requests of a session can be held out one by one, or stick to others by what they say")
	}
}

// TestJudgedEpisodesStayWhole: a judgement is of the whole episode, and without
// rules nothing is cut.
func TestJudgedEpisodesStayWhole(t *testing.T) {
	by := codingReader(t)
	for name, judge := range map[string]func(*corpora.Episode){
		"outcome": func(e *corpora.Episode) { e.Outcome = corpora.OutcomeFailure },
		"safety":  func(e *corpora.Episode) { e.Safety = corpora.SafetySafe },
	} {
		e := workSession()
		judge(e)
		if parts := by.parts(logs.Record{Episode: e}); len(parts) != 1 || parts[0].Episode != e || parts[0].request {
			t.Errorf("%s: %+v", name, parts)
		}
	}
	e := workSession()
	if parts := (&reader{}).parts(logs.Record{Episode: e}); len(parts) != 1 || parts[0].Episode != e {
		t.Errorf("without rules: %+v", parts)
	}
}

// TestDeclinedCallsRejectNothing: a call that its user declined did not run; it
// stands in no record of calls that do harm, and in none of those that do not.
func TestDeclinedCallsRejectNothing(t *testing.T) {
	e := workSession()
	e.Steps[3].Heard, e.Steps[2].Heard = "", ""
	by := codingReader(t)
	p := by.parts(logs.Record{Episode: e})[0]
	it := by.item(t.Context(), nil, p)
	c := newCase(p.Episode, &it, by.checker)
	if c == nil {
		t.Fatal("a verified request is no evidence at all")
	}
	for i := range c.Samples {
		if c.Samples[i].Step == 3 {
			t.Error("the declined call is evidence")
		}
	}
	if len(c.Marks) != 0 {
		t.Errorf("marks %+v", c.Marks)
	}
}

func TestOutcomesInTheDigest(t *testing.T) {
	digest := func(text string, passed map[string]bool) string {
		cfg, err := ReadConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if passed != nil {
			cfg.Outcomes.Checked(passed)
		}
		d, err := cfg.digest()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if digest("", nil) != digest("outcomes: []", nil) {
		t.Error("no rules are not the same as none")
	}
	check := "outcomes: [{id: a, check: {run: [make], in: /srv}, label: success}]"
	seen := map[string]string{}
	for name, d := range map[string]string{
		"none": digest("", nil), "coding": digest("outcomes: coding", nil), "check": digest(check, nil),
		"passed": digest(check, map[string]bool{"outcome/a": true}), "failed": digest(check, map[string]bool{"outcome/a": false}),
	} {
		if other := seen[d]; other != "" {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[d] = name
	}
}

// TestSessionsAnyWay: the requests of sessions give the same policy with any
// number of workers, and its figures name the rules.
func TestSessionsAnyWay(t *testing.T) {
	dir := filepath.Join("..", "examples", "sessions")
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for _, workers := range []int{1, 3} {
		res, err := Run(t.Context(), logs.Open([]string{dir}, logs.Options{Workers: workers}), Options{Config: *coding(t), Workers: workers, TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		data, err := artifacts.Encode(res.Policy)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Error("another number of workers gives another policy")
		}
		named := 0
		for _, m := range res.Policy.Report {
			tally(&named, strings.HasPrefix(m.Name, "label.rule coding/"))
		}
		if named != len(res.Counts.Requests.Rules) {
			t.Errorf("%d rules are sealed, of %d", named, len(res.Counts.Requests.Rules))
		}
	}
}
