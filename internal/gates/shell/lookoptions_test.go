package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLookOption tells which words pass where no table has them, and what must not stand
// behind them.
func TestLookOption(t *testing.T) {
	for _, tt := range []struct {
		words string
		takes int
		ok    bool
	}{
		{"--silent", 0, true},
		{"--quiet src", 0, true},
		{"--quiet=true", 0, true},
		{"--quiet=/tmp/x", 0, false},
		{"--verbose 3 a.groovy", 0, false}, // it may take the number: then the script is another word
		{"--verbose debug", 0, false},
		{"--no-progress --all", 0, true},
		{"--color=never", 0, true},
		{"--color=sh", 0, false},
		{"--color never a", 0, false},
		{"--color a", 0, true},
		{"--log-level warn a", 1, true},
		{"--log-level debug", 0, false}, // may print what is sent, with keys
		{"--log-level=error", 0, true},
		{"--log-level=/tmp/x", 0, false},
		{"--log-level /tmp/x", 1, false},
		{"--json", 0, true},
		{"--json --all", 0, true},
		{"--json out.json", 0, false}, // dive, typedoc and others write it, curl sends it
		{"--json=out.json", 0, false},
		{"--version 2", 0, false},
		{"--debug", 0, false},
		{"--trace", 0, false},
		{"--progress", 0, false},
		{"-q", 0, false},
		{"--publish", 0, false},
		{"--exec", 0, false},
	} {
		words := strings.Fields(tt.words)
		takes, ok := lookOption(words[0], words[1:])
		if ok != tt.ok || ok && takes != tt.takes {
			t.Errorf("%s: %d %v, want %d %v", tt.words, takes, ok, tt.takes, tt.ok)
		}
	}
}

// TestLookOptionsInTables holds all that the tables say otherwise of these names. There the
// table counts; a name of which more programs say something else should leave the list.
func TestLookOptionsInTables(t *testing.T) {
	var got []string
	listed := map[string]int{}
	for _, tool := range allTools() {
		for word := range strings.FieldsSeq(lookFlags) {
			kind, role, ok := findOpt(tool.opts, word[2:], false)
			if !ok {
				continue
			}
			listed[word]++
			if role != roleNothing || kind == ':' || kind == '~' || kind == '&' {
				got = append(got, fmt.Sprintf("%s %s %c%c", tool.name, word, kind, role))
			}
		}
	}
	want := []string{
		"bump-my-version bump --verbose :n",
		"bump-my-version show-bump --verbose :n",
		"cargo vet --verbose :n",
		"dlv trace --verbose :n",
		"fastapi dev --verbose :n",
		"fastapi run --verbose :n",
		"gitleaks detect --verbose !o",
		"gitleaks dir --verbose !o",
		"gitleaks git --verbose !o",
		"gitleaks protect --verbose !o",
		"gosec --verbose :n",
		"hugo --quiet !b",
		"hugo --verbose !b",
		"jscodeshift --verbose :n",
		"k6 --no-color :n",
		"perlcritic --verbose :n",
		"pulumi about --verbose :n",
		"pulumi config  --verbose :n",
		"pulumi config --verbose :n",
		"pulumi config get --verbose :n",
		"pulumi preview --verbose :n",
		"pulumi stack  --verbose :n",
		"pulumi stack --verbose :n",
		"pulumi stack history --verbose :n",
		"pulumi stack ls --verbose :n",
		"pulumi stack output --verbose :n",
		"pulumi version --verbose :n",
		"pulumi whoami --verbose :n",
		"strace --quiet :n",
		"strace --silent :n",
		"strace --verbose :n",
		"tidy --quiet :n",
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the tables say otherwise:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for word := range strings.FieldsSeq(lookFlags) {
		if listed[word] < 3 {
			t.Errorf("%s: %d tables have it", word, listed[word])
		}
	}
}
