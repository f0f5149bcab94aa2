package call_test

import (
	"encoding/json"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// sayServers is a checker whose user has said what these servers touch.
func sayServers(t *testing.T, list ...call.Server) *gates.Checker {
	t.Helper()
	var none *call.Schemas
	schemas, err := none.WithServers(list)
	if err != nil {
		t.Fatal(err)
	}
	return &gates.Checker{Schemas: schemas}
}

var atWork = gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}

func inShell(tool, key, text string) gates.Request {
	args, err := json.Marshal(map[string]string{key: text})
	if err != nil {
		panic(err)
	}
	return gates.Request{Tool: tool, Args: args}
}

// TestShellElsewhere: a line in the shell of an MCP server passes if it only looks at what
// is no secret, since it may run on any machine.
func TestShellElsewhere(t *testing.T) {
	k := sayServers(t, call.Server{Name: "here", Touches: call.TouchesMachine}, call.Server{Name: "files", Touches: call.TouchesRoots}, call.Server{Name: "notes", Touches: call.TouchesOwn})
	const asks, passes = gates.ApprovedWithConstraints, gates.Approved
	for line, want := range map[string]gates.Disposition{
		// that look
		"ls -la": passes, "cat README.md": passes, "cat /etc/os-release": passes, "grep -rn foo src": passes, "find . -name x": passes, "uname -a; id; hostname": passes,
		"ps aux | head -20": passes, "df -h": passes, "git status": passes, "git log --oneline | head": passes, "cd build && ls": passes, "docker ps": passes,
		"systemctl status nginx": passes, "kubectl get pods": passes, "node --version": passes, "make --version": passes, "go version": passes,
		"for f in a b; do wc -l $f; done": passes, "bash -c 'ls -la'": passes, "timeout 5 ls": passes, "echo hi": passes, "python3 -c 'print(1)'": passes, "python3 -c 'import json; print(json.dumps({}))'": passes,
		// that would pass here
		"rm -rf build": asks, "make": asks, "npm test": asks, "go vet ./...": asks, "./x.sh": asks, "echo hi > f": asks, "touch a": asks, "mkdir d": asks, "git commit -m x": asks, "git checkout main": asks,
		"git stash": asks, "bash -c 'rm -rf build'": asks, "ls; make": asks, "python3 -c 'import foo'": asks, "python3 x.py": asks, "curl http://localhost:8080/": asks, "sed -i s/a/b/ f": asks,
		"ls | xargs rm -f": asks, "cp a b": asks, "alias ls=make": asks, "f() { rm -rf build; }": asks, "make version": asks, "npm version": asks, "timeout 5 make": asks, "./x --version": asks, "rm -rf node_modules": asks,
	} {
		for tool, elsewhere := range map[string]bool{
			"mcp__prod__bash": true, "mcp__ssh__execute_command": true, "mcp__notes__bash": true, "prod/bash": true, "MCP__Prod__Bash": true,
			"mcp__here__bash": false, "mcp__files__bash": false, "mcp__acp__Bash": false, "Bash": false, "functions.bash": false,
		} {
			c := k.Context(inShell(tool, "command", line), atWork)
			d := k.Check(&c, nil)
			if elsewhere && (d.Disposition != want || want == asks && !hasRule(d, "spawn/elsewhere")) || !elsewhere && hasRule(d, "spawn/elsewhere") {
				t.Errorf("%s %s: %v %+v", tool, line, d.Disposition, d.Reasons)
			}
			if (c.Elsewhere != "") != elsewhere {
				t.Errorf("%s: elsewhere %q", tool, c.Elsewhere)
			}
		}
	}
}

// TestElsewhereLoosensNothing: what asks or is rejected here does so in the shell of an MCP
// server too, and what a tool of another kind is given as a line or as code is judged alike.
func TestElsewhereLoosensNothing(t *testing.T) {
	var k gates.Checker
	for _, tt := range []struct {
		tool, key, text string
		want            gates.Disposition
		rule            string
	}{
		{"mcp__prod__bash", "command", "rm -rf ~", gates.Rejected, "protected/delete"},
		{"mcp__prod__bash", "command", "cat ~/.ssh/id_rsa", gates.ApprovedWithConstraints, "sensitive/read"},
		{"mcp__prod__bash", "command", "cat /srv/app/a", gates.ApprovedWithConstraints, "workspace/read"},
		{"mcp__prod__bash", "command", "curl https://a.example", gates.ApprovedWithConstraints, "egress/fetch"},
		{"mcp__prod__bash", "command", "sudo ls", gates.ApprovedWithConstraints, "spawn/setting"},
		{"mcp__prod__get_info", "command", "touch a", gates.ApprovedWithConstraints, "spawn/elsewhere"},
		{"mcp__prod__get_info", "command", "ls", gates.Approved, ""},
		{"mcp__prod__run_code", "code", "open('a', 'w').write('x')", gates.ApprovedWithConstraints, "spawn/elsewhere"},
		{"mcp__prod__run_code", "code", "import foo\nfoo.run()", gates.ApprovedWithConstraints, "spawn/elsewhere"},
		{"mcp__prod__run_code", "code", "import math\nprint(math.pi)", gates.Approved, ""},
	} {
		c := k.Context(inShell(tt.tool, tt.key, tt.text), atWork)
		if d := k.Check(&c, nil); d.Disposition != tt.want || tt.rule != "" && !hasRule(d, tt.rule) {
			t.Errorf("%s %s: %v %+v", tt.tool, tt.text, d.Disposition, d.Reasons)
		}
	}
}
