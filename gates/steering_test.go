package gates

import "testing"

// TestAgentsDoNotSteerTheGuard: whatever answers the guard's questions or changes its
// rules is not run by whom the questions are about, in no wrapping; what only shows
// something, and other commands of gbt, are no such thing.
func TestAgentsDoNotSteerTheGuard(t *testing.T) {
	for _, line := range []string{
		"gbt approvals approve 1a2b3c", "gbt approvals", "gbt approvals deny x", "gbt allow 'git push origin *'", "gbt deny x", "gbt ask x", "gbt consent forget all",
		"gbt hook uninstall codex", "gbt hook install codex --profile observe", "/usr/local/bin/gbt approvals approve x", "./gbt approvals approve x", "bin/gbt allow x",
		"env gbt approvals approve x", "command gbt allow x", "sudo gbt allow x", "bash -c 'gbt approvals approve x'", "echo x | xargs gbt approvals approve",
		"timeout 5 gbt approvals approve x", "nohup gbt allow x", "g=gbt; $g allow x", "ls && gbt allow x", "cat x; (gbt allow x)", "script -qc 'gbt approvals approve x' /dev/null",
		"gbt -q approvals approve x", "gbt consent --state list withdraw --all", "gbt sessions --store list cancel x", "eval 'gbt allow x'", "find . -exec gbt approvals approve {} ';'",
		`node -e 'require("child_process").execSync("gbt approvals approve x")'`, "GBT allow x",
		"gbt log --suggest --write", "gbt log --suggest 1 -write=true --user", "gbt log --session tail --suggest --w\\rite", "gbt log --suggest $X", "w=--write; gbt log --suggest $w",
		"echo --write | xargs gbt log --suggest", "gbt --quiet log --suggest 1 '--write'",
	} {
		if d := decideLine(t, line); d.Disposition != Rejected || d.Reasons[0].Rule != "spawn/guard" && !hasRule(d, "spawn/guard") {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
	opaque := `python3 -c 'import subprocess; subprocess.run(["gbt", "allow", "x"])'` // whose calls nobody reads: it asks
	if d := decideLine(t, opaque); d.Disposition == Approved {
		t.Errorf("%s: approved", opaque)
	}
	for _, line := range []string{"gbt approvals list --json", "gbt approvals show x", "gbt consent list", "gbt log", "gbt log --suggest 5", "gbt log tail --n 5", "gbt check x.json", "gbt distill logs", "echo gbt allow x", "git commit -m 'gbt allow x'"} {
		if d := decideLine(t, line); hasRule(d, "spawn/guard") || d.Disposition < ApprovedWithConstraints {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
