package interrupt

import (
	"regexp"
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/effect"
)

// remoteRE finds the lines in which git tells the address of a remote of the repository
// that it runs in: git remote -v, and the first line of what fetch and push print.
var remoteRE = regexp.MustCompile(`(?m)^(?:(?:To|From) (\S+)|[\w.-]+\t(\S+) \((?:fetch|push)\))\s*$`)

// remotesTold are the remotes of the repository of a session, which the hook reads in its
// configuration and a log shows where git told them. They were there before the session:
// no call adds one unasked.
func remotesTold(e *corpora.Episode) []string {
	var out []string
	for i := range e.Steps {
		for _, m := range remoteRE.FindAllStringSubmatch(e.Steps[i].Result, -1) {
			if r := effect.Remote(m[1] + m[2]); r != "" && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
