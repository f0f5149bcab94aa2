package keeps

import "testing"

// TestTables: the tables are searched by halves, so they are sorted, and no row says nothing.
func TestTables(t *testing.T) {
	for i, r := range gitRows {
		if r.facts == 0 || i > 0 && gitRows[i-1].name >= r.name {
			t.Errorf("git %s: facts %b, or out of order", r.name, r.facts)
		}
	}
	for i, r := range programs {
		if r.facts == 0 || i > 0 && programs[i-1].name >= r.name {
			t.Errorf("%s: facts %b, or out of order", r.name, r.facts)
		}
	}
}

func TestFacts(t *testing.T) {
	for _, sub := range []string{"blame", "diff", "log", "status"} {
		if !Git(sub, GitElsewhere) || !Git(sub, GitTree) || !Git(sub, GitShows) || !Git(sub, GitPlace) {
			t.Errorf("git %s looks", sub)
		}
	}
	for sub, fact := range map[string]GitFact{
		"": GitShows, "checkout": GitTree, "stash": GitContents, "worktree": GitTree, "pull": GitBranch, "tag": GitTool, "fetch": GitShows, "commit": GitRefs,
		"branch": GitElsewhere, "add": GitChanges, "clone": GitPlace, "submodule": GitPlace, "show": GitPrintsNames, "merge": GitModules, "diff-": GitShows, "zzz": GitShows,
	} {
		if Git(sub, fact) {
			t.Errorf("git %s has fact %b", sub, fact)
		}
	}
	if !Program("cat", Prints|Ends) || !Program("tee", Modules) || !Program("zstdcat", Prints) || !Program("[", Others) {
		t.Error("a program is not found")
	}
	for program, fact := range map[string]Fact{
		"": Prints, "rm": Prints, "sed": Ends, "tee": Files, "cp": Others, "git": Others, "mv": Modules, "grep": Refs, "cat": Changes, "sh": Prints, "xargs": Files, "zzz": Prints,
	} {
		if Program(program, fact) {
			t.Errorf("%s has fact %b", program, fact)
		}
	}
}
