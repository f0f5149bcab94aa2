package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// hookBinary returns the gbt-hook of this tree. It is built once for all tests
// that start it; TestMain takes it away.
func hookBinary(t *testing.T) string {
	t.Helper()
	path, err := builtHook()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var builtHook = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gbt-hook-")
	if err != nil {
		return "", err
	}
	hookDir = dir
	path := filepath.Join(dir, "gbt-hook")
	if out, err := exec.Command("go", "build", "-o", path, "../gbt-hook").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

var hookDir string // of the built hook, empty if no test asked for it

// tidied runs the tests and then takes away what they share.
type tidied struct{ *testing.M }

// Run implements testscript.TestingM.
func (m tidied) Run() int {
	state, err := os.MkdirTemp("", "gbt-state-") // no test writes to the log of whoever runs it
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", state)
	defer os.RemoveAll(state)
	code := m.M.Run()
	if hookDir != "" {
		os.RemoveAll(hookDir)
	}
	return code
}
