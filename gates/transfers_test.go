package gates

import "testing"

// TestTransfers: what programs bring from other machines, containers and stores asks when it runs,
// builds or is unpacked and built.
func TestTransfers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string // the last one is judged
		asks  bool
	}{
		{"scp", []string{"scp h:x.sh .", "bash x.sh"}, true},
		{"scp to a name", []string{"scp h:/a/y.sh scripts/x.sh", "bash scripts/x.sh"}, true},
		{"scp of a directory", []string{"scp -r h:tools vendor/", "bash vendor/tools/x.sh"}, true},
		{"sftp", []string{"sftp h:x.sh", "bash x.sh"}, true},
		{"from a container", []string{"docker cp c:/x.sh .", "bash x.sh"}, true},
		{"from a pod", []string{"kubectl cp ns/p:/x.sh x.sh", "bash x.sh"}, true},
		{"from a store", []string{"aws s3 cp s3://b/x.sh .", "bash x.sh"}, true},
		{"a store over the workspace", []string{"aws s3 sync s3://b/x .", "make"}, true},
		{"a store's archive", []string{"gsutil cp gs://b/x.tgz .", "tar xzf x.tgz", "make"}, true},
		{"of a release", []string{"gh release download v1 -p tool", "./tool"}, true},
		{"a release's archive", []string{"gh release download v1 -p x.tgz -O x.tgz", "tar xzf x.tgz -C k", "make -C k"}, true},
		{"all of a release", []string{"gh release download v1", "./tool"}, true},
		{"of a run", []string{"gh run download 12", "bash artifact/x.sh"}, true},
		{"of a run, to a directory", []string{"gh run download 12 -D k", "bash k/x.sh"}, true},
		{"a package's archive", []string{"npm pack eve", "tar xzf eve-1.0.0.tgz", "npm test"}, true},
		{"a package of a scope", []string{"npm pack @eve/x@1", "tar xzf eve-x-1.0.0.tgz -C k", "make -C k"}, true},
		{"by svn", []string{"svn export https://x.example/x k", "make -C k"}, true},
		{"a submodule", []string{"git submodule add https://x.example/a/b lib/b", "make -C lib/b"}, true},
		{"through a pipe", []string{"git archive --remote=ssh://x/y HEAD | tar x -C k", "make -C k"}, true},
		{"by another unpacker", []string{"7z x ~/x.7z -ok", "make -C k"}, true},

		{"sent there", []string{"scp x.sh h:", "bash x.sh"}, false},
		{"to a container", []string{"docker cp x.sh c:/x.sh", "bash x.sh"}, false},
		{"to a store", []string{"aws s3 cp x.sh s3://b/x.sh", "bash x.sh"}, false},
		{"printed", []string{"aws s3 cp s3://b/x.log -", "make"}, false},
		{"beside", []string{"scp h:x.sh .", "bash y.sh"}, false},
		{"a log", []string{"scp h:/var/log/x.log logs/", "make"}, false},
		{"data", []string{"aws s3 cp s3://b/x.csv data/", "python scripts/load.py data/x.csv"}, false},
		{"looked at", []string{"gh run download 12 -D logs", "grep -rn error logs"}, false},
		{"logs of a run", []string{"gh run download 12 -D logs", "make"}, false},
		{"listed", []string{"docker ps && kubectl get pods && aws s3 ls && gh release list", "make"}, false},
		{"the workspace's own package", []string{"npm pack", "tar xzf p-1.0.0.tgz -C k", "make -C k"}, false},
		{"a package of the workspace", []string{"npm pack ./packages/a", "make"}, false},
	} {
		var flow Flow
		var g Guardrail
		for i, line := range tt.lines {
			c := ShellContext(line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Flow: flow})
			if i == len(tt.lines)-1 {
				d := g.Decide(&c)
				if got := hasRule(d, ruleUnvetted) || hasRule(d, "flow/turned"); got != tt.asks {
					t.Errorf("%s: %q: asks %v, %v", tt.name, tt.lines, got, d.Reasons)
				}
			}
			flow = c.After()
		}
	}
}
