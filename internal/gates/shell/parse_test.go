package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestCommentEnds puts a removal on the line behind a comment that ends in
// backslashes, in every place where a command can stand.
func TestCommentEnds(t *testing.T) {
	places := []string{
		"ls %s\nrm x", "%s\nrm x", "true &&%s\nrm x", "ls; %s\nrm x", "ls | cat %s\nrm x", "{ ls %s\nrm x\n}", "( ls %s\nrm x )", "if true; then ls %s\nrm x\nfi",
		"for i in a; do ls %s\nrm x\ndone", "case a in a) ls %s\nrm x\n;; esac", "f() { ls %s\nrm x\n}; f", "echo $(ls %s\nrm x)", "cat <(ls %s\nrm x)", "a=(b %s\n); rm x", "ls >out %s\nrm x",
		"cat <<E %s\nE\nrm x", "while false %s\ndo ls\ndone; rm x", "case a in %s\na) rm x;; esac", "ls \\\n-l %s\nrm x", "! ls %s\nrm x", "ls & %s\nrm x", "a=1 %s\nrm x", "[[ a == a ]] %s\nrm x",
	}
	for _, place := range places {
		for _, comment := range []string{" # \\", " #\\", " # a\\", " # a \\\\\\", " # a\\\n # b\\\n # c\\", " # \"'\\"} {
			line := strings.Replace(place, "%s", comment, 1)
			got := summary(line)
			unread := len(got) > 0 && strings.HasPrefix(got[0], "opaque/unparsed ") // asks, which is as safe
			if !slices.Contains(got, "delete/remove /w/x") && !unread {
				t.Errorf("%q: %q", line, got)
			}
		}
	}
	many := "ls" + strings.Repeat(" # a\\\nls", 2*maxCommentCuts) + "\nrm x"
	if got := strings.Join(summary(many), " "); !strings.Contains(got, "delete/remove /w/x") && !strings.Contains(got, "opaque/") {
		t.Errorf("many comments: %q", got)
	}
}
