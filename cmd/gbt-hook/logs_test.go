package main

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestLogsAreNoSettings: what a program says goes into a file that bears its name, and is none of
// its settings; those ask where the line writes them.
func TestLogsAreNoSettings(t *testing.T) {
	r := newRepo(t)
	r.write("package.json", `{"scripts": {"dev": "next dev"}}`)
	r.git("add", ".")
	r.git("commit", "-qm", "two")
	r.want(hosts.Proceeds, "npm run dev > .next-dev.log 2>&1 &")
	r.want(hosts.Proceeds, "npm run dev > next.log 2>&1 & echo $! > next.pid")
	r.want(hosts.Asks, "cat > next.config.js <<'X'\nrequire('child_process').execSync(process.argv[2])\nX\nnpm run dev")
	r.want(hosts.Asks, "cat > next-dev.js <<'X'\nrequire('child_process').execSync(process.argv[2])\nX\nnpm run dev")
}
