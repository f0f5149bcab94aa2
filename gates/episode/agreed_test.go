package episode

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// judged is how a command line is decided on in a run.
func judged(t testing.TB, m *Memory, line string) (*gates.Context, gates.Decision) {
	t.Helper()
	c := read(t, m.Before, line)
	return c, (&gates.Checker{}).Check(c, nil)
}

// does is a call that runs, and that its user agrees to if they are asked.
func does(t testing.TB, m *Memory, line string) {
	t.Helper()
	c, d := judged(t, m, line)
	m.Let(line, "", c, &d, 1)
	m.Ended(line, read(t, func(st *gates.State) { m.At(line, st) }, line), 1)
}

const (
	fetchA = "curl https://a.example/x"
	pushes = "git push origin x"
	agentA = "claude -p 'fix the bug'"
)

// TestAgreed: a yes holds for the same effect until the run is another one.
func TestAgreed(t *testing.T) {
	for name, tt := range map[string]struct {
		before []string
		then   func(m *Memory)
		line   string
		want   gates.Disposition
	}{
		"asked":                                     {nil, nil, fetchA, gates.ApprovedWithConstraints},
		"agreed to":                                 {[]string{fetchA}, nil, "curl https://a.example/y", gates.Approved},
		"another place":                             {[]string{fetchA}, nil, "curl https://b.example/x", gates.ApprovedWithConstraints},
		"another verb":                              {[]string{fetchA}, nil, "curl -d x=1 https://a.example/x", gates.ApprovedWithConstraints},
		"one thing more":                            {[]string{fetchA}, nil, fetchA + "; curl https://b.example/x", gates.ApprovedWithConstraints},
		"something rejected more":                   {[]string{fetchA}, nil, fetchA + "; rm -rf /", gates.Rejected},
		"something unreadable more":                 {[]string{fetchA}, nil, fetchA + "; ls )", gates.RevisionRequired},
		"both agreed to":                            {[]string{fetchA, "curl https://b.example/x"}, nil, fetchA + "; curl https://b.example/y", gates.Approved},
		"another branch":                            {[]string{pushes}, nil, "git push origin y", gates.ApprovedWithConstraints},
		"a push":                                    {[]string{pushes}, nil, "git push -q origin x", gates.Approved},
		"a push of what is ignored":                 {[]string{pushes, "git add -f dist"}, nil, "git push -q origin x", gates.ApprovedWithConstraints},
		"adding it on the way":                      {[]string{pushes}, nil, "git add -f dist; git commit -qm x; git push -q origin x", gates.ApprovedWithConstraints},
		"adding the rest":                           {[]string{pushes, "git add -A"}, nil, "git push -q origin x", gates.Approved},
		"a push by force":                           {[]string{pushes}, nil, "git push --force origin y", gates.ApprovedWithConstraints},
		"a push that deletes":                       {[]string{pushes}, nil, "git push origin :y", gates.ApprovedWithConstraints},
		"withdrawn":                                 {[]string{fetchA}, func(m *Memory) { m.Disagree("fetch from a.example") }, fetchA, gates.ApprovedWithConstraints},
		"forgetful":                                 {[]string{fetchA}, func(m *Memory) { m.Forgetful = true }, fetchA, gates.ApprovedWithConstraints},
		"secrets were read":                         {[]string{fetchA, secret}, nil, fetchA, gates.ApprovedWithConstraints},
		"before secrets were read":                  {[]string{"ls /srv/data/x", secret}, nil, "ls /srv/data/y", gates.ApprovedWithConstraints},
		"after secrets were read":                   {[]string{secret, "ls /srv/data/x"}, nil, "ls /srv/data/x", gates.ApprovedWithConstraints},
		"an agent":                                  {[]string{agentA}, nil, "claude -p 'fix the other'", gates.Approved},
		"an agent, turned to a branch of others":    {[]string{agentA, "gh pr checkout 3"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, on another branch":               {[]string{agentA, "git checkout main"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, after a commit":                  {[]string{agentA, "git add -A; git commit -qm x"}, nil, agentA, gates.Approved},
		"an agent, in the same words":               {[]string{"claude -p --resume 3 'fix the bug'"}, nil, "claude -p --resume 3 'fix the bug'", gates.Approved},
		"an agent, by settings of a file":           {[]string{"claude -p --settings x.json 'fix the bug'"}, nil, "claude -p --settings x.json 'fix the bug'", gates.ApprovedWithConstraints},
		"an agent, by a plugin":                     {[]string{"claude -p --plugin-dir x 'fix the bug'"}, nil, "claude -p --plugin-dir x 'fix the bug'", gates.ApprovedWithConstraints},
		"an agent, by servers":                      {[]string{"claude -p --mcp-config=m 'fix the bug'"}, nil, "claude -p --mcp-config=m 'fix the bug'", gates.ApprovedWithConstraints},
		"an agent, its settings changed":            {[]string{agentA, "echo {} > .claude/settings.json"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, told another tool":               {[]string{agentA, "claude mcp add x y"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, an archive unpacked":             {[]string{agentA, "tar xf x.tar"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, its user's settings changed":     {[]string{agentA, "echo {} > /home/u/.claude.json"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, its settings change in the line": {[]string{"echo {} > .claude/settings.json", agentA}, nil, "echo {} > .claude/settings.json; " + agentA, gates.ApprovedWithConstraints},
		"an agent, its settings may be changing":    {[]string{agentA}, func(m *Memory) { m.MayRun("w", "", read(t, m.Before, "rm -r .claude"), 9) }, agentA, gates.ApprovedWithConstraints},
		"an agent, after secrets":                   {[]string{agentA, secret}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, after a download":                {[]string{agentA, "curl -o a.sh https://a.example/a.sh"}, nil, agentA, gates.ApprovedWithConstraints},
		"an agent, after its work":                  {[]string{agentA, "touch a", "go test ./..."}, nil, "claude -p 'fix it again' --tools ''", gates.Approved},
		"a push, then a download":                   {[]string{pushes, "curl -o a.sh https://a.example/a.sh"}, nil, "git push -q origin x", gates.ApprovedWithConstraints},
		"a fetch, then a download":                  {[]string{fetchA, "curl -o a.sh https://b.example/a.sh"}, nil, fetchA, gates.Approved},
		"a push after a download":                   {[]string{"curl -o a.sh https://a.example/a.sh", pushes}, nil, "git push -q origin x", gates.Approved},
		"a download may be running":                 {[]string{pushes}, func(m *Memory) { m.MayRun("w", "", read(t, m.Before, "curl -o a.sh https://a.example/a.sh"), 9) }, "git push -q origin x", gates.ApprovedWithConstraints},
		"a download was declined": {[]string{pushes}, func(m *Memory) {
			m.MayRun("w", "", read(t, m.Before, "curl -o a.sh https://a.example/a.sh"), 9)
			m.Report("w", true)
		}, "git push -q origin x", gates.Approved},
	} {
		var m Memory
		for _, line := range tt.before {
			does(t, &m, line)
		}
		if tt.then != nil {
			tt.then(&m)
		}
		if _, d := judged(t, &m, tt.line); d.Disposition != tt.want {
			t.Errorf("%s: %v %+v with %q, want %v", name, d.Disposition, d.Reasons, m.agreed, tt.want)
		}
	}
}

// TestDeclinedIsNoYes: nothing is remembered of a call that was declined, that nobody
// told of, or that was dropped because too many waited.
func TestDeclinedIsNoYes(t *testing.T) {
	for name, end := range map[string]func(m *Memory){
		"declined": func(m *Memory) { m.Report("k", true) },
		"settled":  func(m *Memory) { m.Report("other", false); m.Settle("") },
		"untold":   func(*Memory) {},
		"dropped": func(m *Memory) {
			for i := range maxWaiting + 1 {
				m.MayRun(fmt.Sprint(i), "", read(t, m.Before, "ls"), 1)
			}
		},
	} {
		var m Memory
		c, d := judged(t, &m, fetchA)
		m.Let("k", "", c, &d, 1)
		if len(m.waiting[0].Scope) != 1 {
			t.Fatalf("%s: it was not asked about", name)
		}
		if end(&m); len(m.Agreed()) > 0 {
			t.Errorf("%s: %q", name, m.Agreed())
		}
	}
}

// TestAgreedIsBounded: the oldest are forgotten.
func TestAgreedIsBounded(t *testing.T) {
	var m Memory
	for i := range 2 * maxAgreed {
		m.Agree(scope.Scope{fmt.Sprint("read /x/", i, "/")})
	}
	if got := m.Agreed(); len(got) != maxAgreed || got[0] != fmt.Sprint("read /x/", maxAgreed, "/") {
		t.Errorf("%d, the first %s", len(got), got[0])
	}
	if m.Agree(scope.Scope{m.Agreed()[0]}); len(m.Agreed()) != maxAgreed {
		t.Error("one name stands there twice")
	}
}

// TestConfirmSession: a yes to a token holds for the session only where that was
// offered, and once.
func TestConfirmSession(t *testing.T) {
	var m Memory
	offered, plain := m.Ask("a", numbered), m.Ask("b", numbered)
	m.Offer(offered, scope.Scope{"read /x/"})
	if m.ConfirmSession(plain) || m.ConfirmSession("unknown") || len(m.Agreed()) > 0 || m.Spend("b") {
		t.Errorf("nothing was offered: %q", m.Agreed())
	}
	if !m.ConfirmSession(offered) || m.ConfirmSession(offered) || !m.Spend("a") || !slices.Equal(m.Agreed(), []string{"read /x/"}) {
		t.Errorf("%q", m.Agreed())
	}
	m.Offer(plain, scope.Scope{"read /y/"})
	if m.Forgetful = true; m.ConfirmSession(plain) {
		t.Error("a memory that remembers no consent took one")
	}
}

// TestSettledSession: an answer for the session is for the call that was asked about, and
// once; what was offered before the run was another one is no longer.
func TestSettledSession(t *testing.T) {
	var m Memory
	token := m.Ask("a", numbered)
	m.Offer(token, scope.Scope{"read /x/"})
	if m.SettledSession(token, "b") || m.SettledSession("unknown", "a") || len(m.Agreed()) > 0 {
		t.Errorf("an answer to nothing: %q", m.Agreed())
	}
	if !m.SettledSession(token, "a") || m.SettledSession(token, "a") || m.Spend("a") || !slices.Equal(m.Agreed(), []string{"read /x/"}) {
		t.Errorf("%q", m.Agreed())
	}
	for name, tt := range map[string]struct {
		line, offered string
		want          bool
	}{
		"nothing in between":    {"ls", "send to origin by git push", true},
		"a secret":              {secret, "read /x/", false},
		"a download, and reads": {"curl -o a.sh https://a.example/a.sh", "read /x/", true},
		"a download, and sends": {"curl -o a.sh https://a.example/a.sh", "send to origin by git push", false},
	} {
		var m Memory
		token := m.Ask("a", numbered)
		m.Offer(token, scope.Scope{tt.offered})
		m.Ran(read(t, m.Before, tt.line), 1)
		if got := m.SettledSession(token, "a"); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
