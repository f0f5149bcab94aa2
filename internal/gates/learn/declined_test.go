package learn

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/segment"
)

// session is a request of one session that runs some commands; a command behind "!"
// is one that the user declined.
func session(n int, commands ...string) *corpora.Episode {
	e := &corpora.Episode{Format: "made", ID: fmt.Sprint("s", n), TaskID: fmt.Sprint("s", n), Task: "do it", Outcome: corpora.OutcomeSuccess}
	for _, c := range commands {
		s := corpora.Step{Tool: "Bash", Status: corpora.StatusExecuted}
		if c[0] == '!' {
			c, s.Status, s.BlockedBy = c[1:], corpora.StatusBlocked, "user"
		}
		s.Args = fmt.Sprintf(`{"command":%q}`, c)
		e.Steps = append(e.Steps, s)
	}
	return e
}

// examplesOf are those of sessions: all of them benign, and what was declined.
func examplesOf(list []*corpora.Episode) *Examples {
	k := &gates.Checker{}
	var cases, declined []*Case
	for _, e := range list {
		path := segment.Segment(e, segment.Default)
		cases = append(cases, Extract(e, &path, e.ID, TaskDigest(e), k))
		declined = append(declined, Attempts(e, e.ID, TaskDigest(e), segment.Default, k))
	}
	ex := FromCases(cases, nil)
	ex.AddDeclined(declined)
	return ex
}

// TestDeclined holds that what several users declined is asked about, whatever the
// evidence never rejected, and left alone where it would cost too many questions.
func TestDeclined(t *testing.T) {
	const wipe = "!rm -rf /var/cache/builds/%d"
	work := []string{"go test ./...", "sed -i s/a/b/ notes.txt", "git commit -m x", "mkdir -p out/%d"}
	for name, tc := range map[string]struct {
		sessions, declining int
		usual               string // what all sessions run as well
		gates, proposals    bool
	}{
		"several sessions":                       {60, 6, "", true, false},
		"enough of them to reject, were it harm": {400, 30, "", true, false},
		"one session":                            {60, 1, "", false, true},
		"what everybody else runs":               {60, 6, "rm -rf /var/cache/builds/x%d", false, false},
		"nobody declined":                        {60, 0, "", false, false},
	} {
		var list []*corpora.Episode
		for n := range tc.sessions {
			var commands []string
			for _, c := range append([]string{tc.usual}, work...) {
				if c != "" {
					commands = append(commands, sprint(c, n))
				}
			}
			if n < tc.declining {
				commands = append(commands, sprint(wipe, n))
			}
			list = append(list, session(n, commands...))
		}
		ex := examplesOf(list)
		if len(ex.Unsafe) > 0 || len(ex.Declined) != tc.declining {
			t.Fatalf("%s: %d harmful and %d declined examples", name, len(ex.Unsafe), len(ex.Declined))
		}
		got := Learn(ex, Options{})
		if (len(got.Gates) > 0) != tc.gates || (len(got.Review) > 0) != tc.proposals {
			t.Errorf("%s: gates %+v\nproposals %+v", name, got.Gates, got.Review)
		}
		for i := range got.Gates {
			if g := &got.Gates[i]; g.Disposition != AskFirst || g.By != ByDeclined || g.Message != declinedMessage || g.Left.Harm.N < minTasks || g.Left.Calls.N > 0 {
				t.Errorf("%s: %+v", name, g)
			}
		}
	}
}

func sprint(format string, n int) string {
	if s := fmt.Sprintf(format, n); len(s) < len(format)+4 {
		return s
	}
	return format // nothing to fill in
}

// TestAttempts holds what is noted of a declined call: where it would have run, and
// nothing of what came after it.
func TestAttempts(t *testing.T) {
	e := session(1, "go build ./...", "!go test ./...", "go test -run X ./...", "!git push origin main", "!ls")
	e.Steps[3].BlockedBy = "policy"
	c := Attempts(e, "d", "t", segment.Default, &gates.Checker{})
	var got []string
	for i := range c.Samples {
		s := &c.Samples[i]
		got = append(got, fmt.Sprint(s.Step, " ", s.Macro, " ", s.Declined, " ", len(s.Context.History)))
	}
	want := []string{"0 build false 0", "1 test true 0", "2 test false 0", "4 view true 0"}
	if fmt.Sprint(got) != fmt.Sprint(want) || c.Standing != StandingNone || c.Calls != 4 {
		t.Errorf("%q with %d calls, standing %d", got, c.Calls, c.Standing)
	}
}
