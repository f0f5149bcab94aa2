package keeps

// GitFact is something that a subcommand of git leaves as it is, or does and no more.
type GitFact uint16

// What may be known of a subcommand of git.
const (
	// GitElsewhere: it changes neither a repository nor its files whatever its words are, or all that it changes are
	// effects of their own (fetch, push, clone and their like).
	GitElsewhere GitFact = 1 << iota
	// GitTree: it leaves the files of the work tree as they are.
	GitTree
	// GitBranch: it leaves the branch that is checked out.
	GitBranch
	// GitShows: it prints what a repository holds; branch, tag and reflog do if they are asked for a list.
	GitShows
	// GitTool: a tool that is called after it shows something and has no other words.
	GitTool
	// GitContents: it puts nothing into files but what commits have. What a stash or a patch brings, and
	// what a branch loses that is set back, may be nowhere else afterwards.
	GitContents
	// GitChanges: what is not committed is the same after it, and the line goes on to throw it away.
	GitChanges
	// GitModules: it brings in and takes away no file that code loads.
	GitModules
	// GitRefs: it moves and makes no branch and no tag, whatever its words are.
	GitRefs
	// GitPlace: after it a directory belongs to the repository that it belonged to, or to one that it made in
	// the directory of its own, with no option beyond those that say how much is printed and what a commit says.
	GitPlace
	// GitPrintsNames: what it prints are revisions and names.
	GitPrintsNames
)

// gitRows are sorted by name.
var gitRows = [...]row[GitFact]{
	{"add", GitTree | GitBranch | GitContents | GitPlace},
	{"annotate", GitElsewhere},
	{"archive", GitElsewhere},
	{"bisect", GitPlace},
	{"blame", GitElsewhere | GitTree | GitShows | GitTool | GitContents | GitChanges | GitModules | GitRefs | GitPlace},
	{"branch", GitTree | GitShows | GitContents | GitChanges | GitPlace | GitPrintsNames},
	{"bugreport", GitElsewhere},
	{"bundle", GitPlace},
	{"cat-file", GitElsewhere | GitShows | GitModules | GitPlace},
	{"check-attr", GitElsewhere},
	{"check-ignore", GitElsewhere},
	{"check-mailmap", GitElsewhere},
	{"check-ref-format", GitElsewhere},
	{"checkout", GitContents | GitPlace},
	{"cherry", GitElsewhere | GitPlace},
	{"cherry-pick", GitContents | GitPlace},
	{"clean", GitPlace},
	{"clone", GitElsewhere},
	{"column", GitElsewhere},
	{"commit", GitTree | GitBranch | GitContents | GitPlace},
	{"commit-tree", GitPlace},
	{"count-objects", GitElsewhere | GitPlace},
	{"describe", GitElsewhere | GitTree | GitShows | GitContents | GitModules | GitRefs | GitPlace | GitPrintsNames},
	{"diff", GitElsewhere | GitTree | GitBranch | GitShows | GitTool | GitContents | GitChanges | GitModules | GitRefs | GitPlace},
	{"diff-files", GitElsewhere},
	{"diff-index", GitElsewhere},
	{"diff-tree", GitElsewhere},
	{"difftool", GitElsewhere},
	{"fetch", GitElsewhere | GitTree | GitBranch | GitPlace},
	{"for-each-ref", GitElsewhere | GitPlace | GitPrintsNames},
	{"format-patch", GitElsewhere},
	{"fsck", GitElsewhere | GitPlace},
	{"gc", GitPlace},
	{"get-tar-commit-id", GitElsewhere},
	{"grep", GitElsewhere | GitTree | GitShows | GitTool | GitContents | GitModules},
	{"hash-object", GitElsewhere | GitPlace | GitPrintsNames},
	{"help", GitElsewhere},
	{"log", GitElsewhere | GitTree | GitBranch | GitShows | GitTool | GitContents | GitChanges | GitModules | GitRefs | GitPlace},
	{"ls-files", GitElsewhere | GitTree | GitBranch | GitShows | GitContents | GitChanges | GitModules | GitRefs | GitPlace | GitPrintsNames},
	{"ls-remote", GitElsewhere | GitPlace},
	{"ls-tree", GitElsewhere | GitTree | GitShows | GitPlace},
	{"merge", GitContents | GitPlace},
	{"merge-base", GitElsewhere | GitTree | GitRefs | GitPlace | GitPrintsNames},
	{"merge-tree", GitElsewhere},
	{"mktree", GitPlace},
	{"mv", GitBranch | GitPlace},
	{"name-rev", GitElsewhere | GitPlace},
	{"notes", GitPlace},
	{"patch-id", GitElsewhere},
	{"pull", GitElsewhere | GitContents | GitPlace},
	{"push", GitElsewhere | GitTree | GitBranch | GitPlace},
	{"range-diff", GitElsewhere | GitRefs},
	{"rebase", GitPlace},
	{"reflog", GitShows | GitTool | GitPlace},
	{"remote", GitTree | GitModules | GitPlace | GitPrintsNames},
	{"reset", GitPlace},
	{"restore", GitContents | GitPlace},
	{"rev-list", GitElsewhere | GitTree | GitShows | GitContents | GitPlace | GitPrintsNames},
	{"rev-parse", GitElsewhere | GitTree | GitBranch | GitShows | GitContents | GitChanges | GitModules | GitRefs | GitPlace | GitPrintsNames},
	{"revert", GitContents | GitPlace},
	{"rm", GitBranch | GitPlace},
	{"shortlog", GitElsewhere | GitTree | GitShows | GitModules | GitRefs | GitPlace},
	{"show", GitElsewhere | GitTree | GitBranch | GitShows | GitTool | GitContents | GitChanges | GitModules | GitRefs | GitPlace},
	{"show-branch", GitElsewhere},
	{"show-index", GitElsewhere},
	{"show-ref", GitElsewhere | GitPlace},
	{"stage", GitBranch},
	{"stash", GitPlace},
	{"status", GitElsewhere | GitTree | GitBranch | GitShows | GitTool | GitContents | GitChanges | GitModules | GitRefs | GitPlace | GitPrintsNames},
	{"stripspace", GitElsewhere},
	{"switch", GitContents | GitPlace},
	{"symbolic-ref", GitPlace | GitPrintsNames},
	{"tag", GitTree | GitShows | GitContents | GitPlace | GitPrintsNames},
	{"update-index", GitPlace},
	{"update-ref", GitPlace},
	{"var", GitElsewhere},
	{"verify-commit", GitElsewhere},
	{"verify-pack", GitElsewhere | GitPlace},
	{"verify-tag", GitElsewhere},
	{"version", GitElsewhere},
	{"whatchanged", GitElsewhere},
	{"write-tree", GitPlace | GitPrintsNames},
}

// Git says whether a subcommand of git has a fact.
func Git(subcommand string, fact GitFact) bool { return has(gitRows[:], subcommand, fact) }
