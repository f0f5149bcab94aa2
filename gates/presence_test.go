package gates

import (
	"encoding/json"
	"testing"
)

// TestWhetherSet: to ask whether a variable is set reads nothing of it; everything that
// could tell its value does.
func TestWhetherSet(t *testing.T) {
	for line, reads := range map[string]bool{
		`test -n "$API_TOKEN" && echo set`:                             false,
		`[ -z "$API_TOKEN" ] && echo unset`:                            false,
		`[ -n "${API_TOKEN:-}" ] || exit 1`:                            false,
		`[[ -n $API_TOKEN ]] && echo set`:                              false,
		`echo ${API_TOKEN:+set}`:                                       false,
		`if [ -n "$API_TOKEN" ]; then echo ok; fi`:                     false,
		`set -euo pipefail; [ -n "$API_TOKEN" ]`:                       false,
		`echo "$API_TOKEN"`:                                            true,
		`[ "$API_TOKEN" = a ]`:                                         true,
		`[ -n "$API_TOKEN" = x ]`:                                      true,
		`[[ $API_TOKEN == a* ]]`:                                       true,
		`[ -f "$API_TOKEN" ]`:                                          true,
		`set -x; [ -n "$API_TOKEN" ]`:                                  true,
		`set -o xtrace; [[ -n $API_TOKEN ]]`:                           true,
		`bash -xc '[ -n "$API_TOKEN" ]'`:                               true,
		`set $o; test -n "$API_TOKEN"`:                                 true,
		`test() { echo "$2"; }; test -n "$API_TOKEN"`:                  true,
		`alias test=echo; test -n "$API_TOKEN"`:                        true,
		`enable -n test; test -n "$API_TOKEN"`:                         true,
		`[ -n "$(echo $API_TOKEN)" ]`:                                  true,
		`[ -n "${API_TOKEN:-$DB_PASSWORD}" ]`:                          true,
		`[ -n "${API_TOKEN#a}" ]`:                                      true,
		`[ -n "$API_TOKEN$DB_PASSWORD" ]`:                              true,
		`echo ${API_TOKEN:+$API_TOKEN}`:                                true,
		`echo ${API_TOKEN:-none}`:                                      true,
		`printf -n "$API_TOKEN"`:                                       true,
		`[ -n "$API_TOKEN" ] && curl -H "x: $API_TOKEN" https://a.net`: true,
	} {
		args, err := json.Marshal(map[string]string{"command": line})
		if err != nil {
			t.Fatal(err)
		}
		c := NewContext(Request{Tool: "Bash", Args: args}, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		if got := c.After().SensitiveRead; got != reads {
			t.Errorf("%s: reads %v", line, got)
		}
	}
}
