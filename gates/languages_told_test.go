package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestCodeOfNoLanguage: what a tool for code of any language is given is judged in every
// language that it may be.
func TestCodeOfNoLanguage(t *testing.T) {
	st := gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u"}
	for args, pass := range map[string]bool{
		`{"code":"print(1 + 1)"}`:                                                        true,
		`{"code":"console.log(1 + 1)"}`:                                                  true,
		`{"code":"import json\nprint(json.dumps({'a': 1}))"}`:                            true,
		`{"code":"require('child_process').execSync('rm -rf ~')"}`:                       false,
		`{"code":"const c = require('node:child_process'); c.execSync('git push')"}`:     false,
		`{"code":"(await import('fs')).rmSync('/home/u', {recursive: true})"}`:           false,
		"{\"code\":\"`rm -rf ~`\"}":                                                      false,
		`{"code":"process.binding('spawn_sync')"}`:                                       false,
		`{"code":"Deno.removeSync('/home/u', {recursive: true})"}`:                       false,
		`{"code":"import fs from 'fs'; fs.writeFileSync('/home/u/.bashrc', 'x')"}`:       false,
		`{"code":"require('child_process').execSync('rm -rf ~')","language":"node"}`:     false,
		`{"code":"console.log([1].map(x => x + 1))","language":"javascript"}`:            true,
		`{"code":"const a = [1, 2].filter(x => x > 1); console.log(JSON.stringify(a))"}`: true,
	} {
		for _, tool := range []string{"execute_code", "mcp__box__run_code", "code_interpreter"} {
			c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(args)}, st)
			if d := (&gates.Checker{}).Check(&c, nil); (d.Disposition == gates.Approved) != pass {
				t.Errorf("%s %s: %v %v", tool, args, d.Disposition, d.Reasons)
			}
		}
	}
}

// TestHostsOwnTools: what a host does for its agent beside files and lines.
func TestHostsOwnTools(t *testing.T) {
	st := gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u"}
	for _, row := range []struct {
		tool, args string
		pass       bool
	}{
		{"EnterWorktree", `{}`, true},
		{"EnterWorktree", `{"name":"a"}`, true},
		{"EnterWorktree", `{"path":"/home/u/.ssh"}`, false},
		{"EnterWorktree", `{"path":"/srv/x"}`, false},
		{"ExitWorktree", `{"action":"keep"}`, true},
		{"ExitWorktree", `{"action":"remove"}`, true},
		{"ExitWorktree", `{"action":"remove","discard_changes":true}`, false},
		{"ReportFindings", `{"findings":[{"file":"a.go","summary":"x","failure_scenario":"y"}]}`, true},
		{"ScheduleWakeup", `{"delaySeconds":60,"reason":"x","prompt":"y"}`, true},
		{"CronCreate", `{"cron":"* * * * *","prompt":"x","durable":true}`, false},
		{"REPL", `{"code":"1 + 1"}`, true},
		{"REPL", `{"code":"require('fs').rmSync('/home/u')"}`, false},
		{"ReadMcpResourceDirTool", `{"server":"a","uri":"a://x"}`, true},
	} {
		c := gates.NewContext(gates.Request{Tool: row.tool, Args: []byte(row.args)}, st)
		if d := (&gates.Checker{}).Check(&c, nil); (d.Disposition == gates.Approved) != row.pass {
			t.Errorf("%s %s: %v %v", row.tool, row.args, d.Disposition, d.Reasons)
		}
	}
}
