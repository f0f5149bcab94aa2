package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// actionFile is what GitHub reads of a composite action.
type actionFile struct {
	Inputs map[string]struct {
		Default string
	}
	Runs struct {
		Using string
		Steps []struct {
			Uses  string
			Shell string
			Env   map[string]string
			Run   string
		}
	}
}

// action runs the steps of integrations/action as GitHub does, in the script's
// directory: "action STATUS [INPUT=VALUE...]". Expressions other than inputs are
// empty, as for an event that has none of what they name.
func action(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: action STATUS [INPUT=VALUE...]")
	}
	dir := ts.Getenv("ACTION")
	data, err := os.ReadFile(filepath.Join(dir, "action.yml"))
	ts.Check(err)
	var a actionFile
	ts.Check(yaml.Unmarshal(data, &a))
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		ts.Fatalf("no composite action: %+v", a.Runs)
	}
	given := map[string]string{}
	for _, arg := range args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		if _, ok := a.Inputs[name]; !ok {
			ts.Fatalf("action has no input %s", name)
		}
		given[name] = value
	}
	for _, s := range a.Runs.Steps {
		if s.Uses != "" || s.Shell != "bash" {
			ts.Fatalf("step of another kind: %+v", s)
		}
		cmd := exec.Command("bash", "-c", s.Run)
		cmd.Dir = ts.MkAbs(".")
		cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
		cmd.Env = []string{"GITHUB_ACTION_PATH=" + dir}
		for _, name := range []string{"PATH", "HOME", "TMPDIR", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GOCACHE", "GOMODCACHE", "RUNNER_TEMP"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+inputOf(ts, &a, given, value))
		}
		_ = cmd.Run() // the exit status says it
		if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
			ts.Fatalf("exit status %s, want %s", got, args[0])
		}
	}
}

// inputOf is the value of "${{ inputs.NAME }}".
func inputOf(ts *testscript.TestScript, a *actionFile, given map[string]string, expr string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(expr, "${{ inputs."), " }}")
	input, ok := a.Inputs[name]
	if !ok {
		ts.Fatalf("a variable is no input: %s", expr)
	}
	if value, ok := given[name]; ok {
		return value
	}
	if strings.Contains(input.Default, "${{") {
		return ""
	}
	return input.Default
}
