package canary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// said is a line of a log: who decided, in which session, on what, and how.
func said(policy, session, what, disposition string) string {
	s := ""
	if session != "" {
		s = fmt.Sprintf(`"session":%q,`, session)
	}
	return fmt.Sprintf(`{"policy":%q,%s"tool":"Bash","input":[{"path":"command","value":%q}],"disposition":%q,"rules":["r"]}`, policy, s, what, disposition)
}

func logsOf(t *testing.T, lines ...string) *Logs {
	t.Helper()
	l := &Logs{Shadow: "new"}
	for i, x := range lines {
		if err := l.Add(fmt.Sprint("log:", i+1), []byte(x)); err != nil {
			t.Fatalf("%s: %v", x, err)
		}
	}
	return l
}

const (
	yes = "approved"
	ask = "approved_with_constraints"
	no  = "rejected"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string // pairs, agreed, stricter, looser, stopped, sessions, hit, alone
	}{
		{"the same", []string{said("old", "1", "ls", yes), said("new", "1", "ls", yes)}, "1 1 0 0 0 1 0 [0 0]"},
		{"the new one first", []string{said("new", "1", "ls", ask), said("old", "1", "ls", ask)}, "1 1 0 0 1 1 0 [0 0]"},
		{"newly stopped", []string{said("old", "1", "ls", yes), said("new", "1", "ls", ask)}, "1 0 1 0 0 1 1 [0 0]"},
		{"asked, now refused", []string{said("old", "1", "ls", ask), said("new", "1", "ls", no)}, "1 0 1 0 1 1 1 [0 0]"},
		{"newly let pass", []string{said("old", "1", "ls", no), said("new", "1", "ls", yes)}, "1 0 0 1 1 1 0 [0 0]"},
		{"two hits in a session count once", []string{said("old", "1", "ls", yes), said("old", "1", "id", yes), said("new", "1", "ls", no), said("new", "1", "id", no)}, "2 0 2 0 0 1 1 [0 0]"},
		{"another session", []string{said("old", "1", "ls", yes), said("new", "2", "ls", yes)}, "0 0 0 0 0 0 0 [1 1]"},
		{"another call", []string{said("old", "1", "ls", yes), said("new", "1", "id", yes)}, "0 0 0 0 0 0 0 [1 1]"},
		{"asked twice in force", []string{said("old", "1", "ls", ask), said("old", "1", "ls", ask), said("old", "1", "id", yes), said("new", "1", "ls", ask), said("new", "1", "id", yes)}, "2 2 0 0 1 1 0 [0 1]"},
		{"without a session each stands alone", []string{said("old", "", "ls", yes), said("old", "", "id", yes), said("new", "", "id", no), said("new", "", "ls", yes)}, "2 1 1 0 0 2 1 [0 0]"},
		{"observed counts as enforced", []string{said("old", "1", "ls", yes), strings.Replace(said("new", "1", "ls", yes), `"rules"`, `"would":"rejected","rules"`, 1)}, "1 0 1 0 0 1 1 [0 0]"},
		{"consent is nobody's decision", []string{said("old", "1", "ls", ask), strings.Replace(said("old", "1", "ls", yes), `"rules"`, `"confirmed":true,"rules"`, 1), said("new", "1", "ls", ask)}, "1 1 0 0 1 1 0 [0 0]"},
		{"results are no decisions", []string{`{"observed":{"tool":"x"},"policy":"old"}`}, "0 0 0 0 0 0 0 [0 0]"},
		{"a hook's lines", []string{`{"host":"h","session":"a","tool":"Bash","disposition":"approved","policy":"old"}`, `{"host":"h","session":"a","tool":"Bash","disposition":"rejected","gates":["g"],"policy":"new"}`}, "1 0 1 0 0 1 1 [0 0]"},
	} {
		x := logsOf(t, c.lines...).Compare()
		got := fmt.Sprint(x.Pairs, x.Agreed, len(x.Stricter), len(x.Looser), x.Stopped, x.Sessions, x.Hit, x.Alone)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, x := range []string{"", "{", `{"policy":"new"}`, `{"disposition":"approved"}`, `{"policy":"new","disposition":"perhaps"}`} {
		if err := (&Logs{}).Add("log:1", []byte(x)); err == nil {
			t.Errorf("%q is read", x)
		}
	}
}

func TestVerdict(t *testing.T) {
	pair := make([]Pair, 1)
	for _, c := range []struct {
		name string
		c    Comparison
		want string // the beginning of each reason against
	}{
		{"enough, and nothing new", Comparison{Pairs: 100, Agreed: 100, Sessions: 59}, ""},
		{"one session too few", Comparison{Pairs: 100, Agreed: 100, Sessions: 58}, "0 of 58 sessions"},
		{"a hit needs more", Comparison{Pairs: 100, Sessions: 92, Hit: 1, Stricter: pair}, "1 of 92 sessions"},
		{"and more there are", Comparison{Pairs: 100, Sessions: 93, Hit: 1, Stricter: pair}, ""},
		{"anything let pass", Comparison{Pairs: 1000, Sessions: 1000, Looser: pair}, "1 calls that are stopped"},
		{"logs of other calls", Comparison{Pairs: 94, Sessions: 94, Alone: [2]int{6, 0}}, "only 94 of"},
		{"nothing", Comparison{}, "0 of 0 sessions"},
	} {
		ok, why := c.c.Verdict(0.05, learn.Bound)
		if ok != (c.want == "") || len(why) != min(len(c.want), 1) || !strings.HasPrefix(strings.Join(why, ""), c.want) {
			t.Errorf("%s: %v %q, want %q", c.name, ok, why, c.want)
		}
	}
}

// TestNeeded: with none and one of them, as tables of the bound have it.
func TestNeeded(t *testing.T) {
	for hits, want := range []int{59, 93, 124} {
		if got := Needed(hits, 0.05, learn.Bound); got != want {
			t.Errorf("%d hits need %d sessions, want %d", hits, got, want)
		}
	}
}
