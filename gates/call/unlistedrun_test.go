package call

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestUnlistedArguments: a tool that runs something is given an argument that
// nobody knows, in every way that one can be given, and what hosts really send.
func TestUnlistedArguments(t *testing.T) {
	known := map[string]string{
		"Bash":                 `{"command":"ls","timeout":120000,"run_in_background":true,"description":"look"}`,
		"exec_command":         `{"cmd":"ls","workdir":"/w","yield_time_ms":1000,"max_output_tokens":100,"login":true,"tty":false}`,
		"run_shell_command":    `{"command":"ls","dir_path":"/w","is_background":false}`,
		"run_terminal_cmd":     `{"command":"ls","is_background":false,"explanation":"look"}`,
		"execute_bash":         `{"command":"ls","is_input":"false","timeout":3,"security_risk":"LOW","summary":"look"}`,
		"execute_ipython_cell": `{"code":"1+1","security_risk":"LOW"}`,
		"execute_sql":          `{"query":"select 1","params":[1,"a b"],"database":"app"}`,
		"bash":                 `["ls","-la"]`,
		"shell":                `"ls -la"`,
		"terminal":             `{"command":"ls","description":"look"}`,
		"write_stdin":          `{"session_id":1,"chars":"ls\n"}`,
	}
	for tool, args := range known {
		if list := unlistedOf(tool, args); len(list) > 0 {
			t.Errorf("%s %s: %v", tool, args, list)
		}
	}
	for _, arg := range []string{
		`"env":{"LD_PRELOAD":"/tmp/x.so"}`, `"shell":"/tmp/sh"`, `"shell_path":"bash"`, `"init":["a"]`, `"kernel_init_code":"import os"`,
		`"timeout":"$(id)"`, `"timeout":{"a":1}`, `"session_id":"a b; c"`, `"Env":"x"`, `"argv0":"x"`, `"":"x"`,
	} {
		for tool, main := range map[string]string{"Bash": `"command":"ls"`, "execute_ipython_cell": `"code":"1+1"`, "execute_sql": `"query":"select 1"`, "mcp__box__bash": `"command":"ls"`} {
			if list := unlistedOf(tool, "{"+main+","+arg+"}"); len(list) != 1 {
				t.Errorf("%s with %s: %v", tool, arg, list)
			}
		}
	}
	if list := unlistedOf("read_file", `{"path":"/w/a","shell":"x"}`); len(list) > 0 {
		t.Errorf("a tool that runs nothing: %v", list)
	}
}

func unlistedOf(tool, args string) []string {
	places := effect.Places{Cwd: "/w", Roots: []string{"/w"}}.Normal()
	var out []string
	for _, e := range Read(Request{Tool: tool, Args: []byte(args)}, &places, nil).Effects {
		if strings.HasPrefix(e.Resource, UnlistedArgument) {
			out = append(out, e.Resource)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
