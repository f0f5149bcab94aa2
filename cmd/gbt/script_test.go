package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run the real program as the command gbt.
func TestMain(m *testing.M) {
	testscript.Main(tidied{m}, map[string]func(){
		"gbt": func() { os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs every script in testdata/script.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	// VECTORS holds policy files, good and bad, for scripts to copy.
	vectors, err := filepath.Abs("../../artifacts/testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	actionDir, err := filepath.Abs("../../integrations/action")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("VECTORS", vectors)
			env.Setenv("GOGC", os.Getenv("GOGC")) // as the tests
			env.Setenv("ACTION", actionDir)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state")) // where gbt run keeps sessions
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "hostile": hostile, "action": action},
	})
}

// status runs a program and holds it to an exit status: "status 4 gbt verify x".
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program args...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}
