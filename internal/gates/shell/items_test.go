package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestItemsAreCode gives xargs code by every way of cutting its input, to every
// program that takes code as a word.
func TestItemsAreCode(t *testing.T) {
	inputs := []string{
		"echo 'rm x' | xargs -0 %s", "echo 'rm x' | xargs --null %s", "echo 'rm x' | xargs -d '\\n' %s", "echo 'rm x' | xargs --delimiter='\\n' %s", "echo 'rm x' | xargs -0r %s",
		"printf 'ls,rm x' | xargs -d, -n1 %s", "echo 'ls \"rm x\"' | xargs -n1 %s", "echo 'ls \"rm x\"' | xargs -n 1 %s", "echo 'ls \"rm x\"' | xargs --max-args=1 %s",
		"printf 'ls\\n\"rm x\"\\n' | xargs -L1 %s", "xargs -0 %s <<< 'rm x'", "printf '' | xargs -n1 %s 'rm x'", "printf '' | xargs -0 %s 'rm x'", "printf '' | xargs -L1 %s 'rm x'",
	}
	for _, input := range inputs {
		for _, runner := range []string{"sh -c", "bash -c", "dash -ec", "env sh -c", "nice sh -c", "timeout 9 bash -c"} {
			line := replaceOnce(input, runner)
			if got := summary(line); !slices.Contains(got, "delete/remove /w/x") && !asks(got) {
				t.Errorf("%s: %q", line, got)
			}
		}
	}
}

// TestItemsAreFiles are lists of files, which stay what they were.
func TestItemsAreFiles(t *testing.T) {
	for _, line := range []string{"echo a b | xargs -n1 cat", "printf 'a\\nb\\n' | xargs -d '\\n' cat", "echo a,b | xargs -d, cat", "printf 'a\\nb\\n' | xargs -L1 cat"} {
		if got := summary(line); !slices.Contains(got, "read/read /w/a") || asks(got) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func replaceOnce(line, with string) string { return strings.Replace(line, "%s", with, 1) }

// asks says whether anything in a summary needs a person's word.
func asks(summary []string) bool {
	return slices.ContainsFunc(summary, func(s string) bool { return strings.HasPrefix(s, "opaque/") || strings.HasPrefix(s, "spawn/escape") })
}
