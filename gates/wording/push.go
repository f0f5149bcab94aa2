package wording

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// keepTheirs is the way on where a push takes commits of the remote away.
const keepTheirs = "Push to a new branch, or say which commits would be lost there and ask for this."

const lostToAll = "; what only it has is lost to everybody"

// push words git push by what it does to the branches of the remote (git-push(1)).
func (s *subject) push(e *gates.Effect) clause {
	c, to := s.commandOf(e), s.repositoryAt(e)
	if remote := c.remote(); remote != "" && remote != to && !strings.HasPrefix(to, remote+" ") {
		to += " (" + remote + ")"
	}
	refs := refsOf(e, c)
	mirrors := slices.ContainsFunc(s.commandsOf(e), func(c command) bool { return c.has("", "--mirror", "--prune") })
	switch {
	case !e.Loses:
		return clause{what: "sends " + refs + " to " + to, note: "; others can see it until somebody deletes it there", weight: 4, instead: "Keep the commits local and tell the user which branch is ready, or ask for this push."}
	case mirrors && c == nil:
		refs = untold
	case mirrors:
		return clause{what: "makes branches and tags on " + to + " the same as here, and deletes the others there", note: lostToAll, weight: 9, instead: "Push one branch by name, or ask for this."}
	case c != nil && c.deletes():
		return clause{what: "deletes " + refs + " on " + to, note: lostToAll, weight: 8, instead: "Leave branches on the remote to the user, or ask for this one."}
	}
	if c.leased() {
		return clause{what: "overwrites " + refs + " on " + to + ", unless somebody has pushed there since this clone last fetched", note: "; commits that only that branch has are lost there", weight: 7, instead: keepTheirs}
	}
	if c != nil && c.untoldRefs() {
		return clause{what: "sends to " + refs + " on " + to + ", where it may overwrite or delete what is there", note: "; others can see it until somebody deletes it there", weight: 6, instead: "Name the branch, or ask for this push."}
	}
	how := "overwrites or deletes "
	if c != nil && c.has("f", "--force", "--force-with-lease", "--force-if-includes") {
		how = "overwrites "
	}
	return clause{what: how + refs + " on " + to + " by force", note: lostToAll, weight: 7, instead: keepTheirs}
}

// leased says whether a push overwrites what this clone has seen of the remote alone
// (--force-with-lease of git-push(1)). A plain force beside it wins.
func (c *command) leased() bool {
	return c != nil && c.has("", "--force-with-lease") && !c.has("f", "--force") && !slices.ContainsFunc(c.words, func(w string) bool { return strings.HasPrefix(w, "+") })
}

// remote is the name of the remote that a push names.
func (c *command) remote() string {
	if c == nil {
		return ""
	}
	words := c.operands(pushValues[:]...)
	if len(words) < 2 || strings.ContainsAny(words[1], ":/") || strings.Contains(words[1], unknown) {
		return ""
	}
	return name(words[1])
}

// pushValues are options of git and of git push that take a value.
var pushValues = [...]string{"-o", "--push-option", "--repo", "--receive-pack", "--exec", "-C", "-c", "--git-dir", "--work-tree"}

// untoldRefs says whether a push may take something away for no other reason than that
// what it names is computed.
func (c *command) untoldRefs() bool {
	computed := false
	words := c.operands(pushValues[:]...)
	for _, w := range words[min(1, len(words)):] {
		if strings.HasPrefix(w, "+") || strings.HasPrefix(w, ":") {
			return false
		}
		computed = computed || strings.Contains(w, unknown)
	}
	return computed && !c.has("fd", "--force", "--force-with-lease", "--force-if-includes", "--delete", "--mirror", "--prune")
}

// sendsCheckedOut says whether a push sends the branch that is checked out when it runs.
func (c *command) sendsCheckedOut() bool {
	words := c.operands(pushValues[:]...)
	return !c.has("", "--all", "--branches", "--tags", "--follow-tags", "--mirror") &&
		!slices.ContainsFunc(words[min(2, len(words)):], func(w string) bool { return w != "HEAD" && w != "@" })
}

// deletes says whether a push deletes what it names, and does nothing else.
func (c *command) deletes() bool {
	if c.has("d", "--delete") {
		return true
	}
	words := c.operands(pushValues[:]...)
	for _, w := range words[min(2, len(words)):] {
		if !strings.HasPrefix(w, ":") {
			return false
		}
	}
	return len(words) > 2
}

// refsOf are the branches and tags that a push changes.
func refsOf(e *gates.Effect, c *command) string {
	switch list := strings.Fields(e.Ref); {
	case e.Ref != "" && e.Ref != "*":
		for i := range list {
			list[i] = name(list[i])
		}
		if len(list) == 1 && version.MatchString(list[0]) {
			return "the tag or branch " + list[0]
		}
		return plural(len(list), "branch ", "branches ") + join(list)
	case c == nil:
	case c.deletes():
		return "the branches that are named only when it runs"
	case c.has("", "--all", "--branches"):
		return "all branches"
	case c.has("", "--tags"):
		return "all tags"
	case e.Ref == "":
		return current
	case c.sendsCheckedOut():
		return "the branch that is checked out by then"
	}
	return untold
}

// version is how tags of releases are called.
var version = regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)+`)

const (
	current = "the current branch"
	untold  = "branches that gbt cannot tell"
)
