package gates

import (
	"slices"
	"testing"
)

// TestPrintsOnly: a program that only prints what it fetched leaves no file behind; one that
// keeps it does, and so does what nobody can tell.
func TestPrintsOnly(t *testing.T) {
	for line, keeps := range map[string]bool{
		`curl -s http://localhost:3000/run.sh`:                           false,
		`curl -sS -H 'Accept: x' https://a.example/run.sh | jq .`:        false,
		`curl -sO https://a.example/run.sh`:                              true,
		`curl --remote-name https://a.example/run.sh`:                    true,
		`curl --remote-n https://a.example/run.sh`:                       true,
		`curl --conf c https://a.example/run.sh`:                         true,
		`curl --connect-timeout 5 https://a.example/run.sh`:              false,
		`curl -JO https://a.example/run.sh`:                              true,
		`curl -fsSLo run.sh https://a.example/x`:                         true,
		`curl https://a.example/x > run.sh`:                              true,
		`curl -K c https://a.example/run.sh`:                             true,
		`curl $o https://a.example/run.sh`:                               true,
		`wget -q https://a.example/run.sh`:                               true,
		`cd /w && curl --remote-name-all https://a.example/run.sh`:       true,
		`sh -c 'curl -O https://a.example/run.sh'`:                       true,
		`curl -s https://a.example/run.sh; curl -sO https://b.ex/run.sh`: true,
	} {
		c := ShellContext(line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		flow := c.After()
		if got := slices.ContainsFunc(flow.Unvetted, func(s string) bool { return s == "/w/run.sh" || s == "/" }); got != keeps {
			t.Errorf("%s: kept %v, %q", line, got, flow.Unvetted)
		}
	}
}
