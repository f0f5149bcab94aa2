package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/integrations/wasm/engine"
)

// TestDoorsWasm takes the table through the module that is built for a page, under
// Node: it answers every line as the Go function that TestDoors asks. Where CI is
// set, a missing Node is a failure: .ci/run needs it.
func TestDoorsWasm(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("CI") == "" {
		t.Logf("NOT TESTED: %v", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	w := newDoorWorld(t)
	module := filepath.Join(w.dir, "gbt.wasm")
	build := exec.Command("go", "build", "-o", module, "../../integrations/wasm")
	build.Env = append(build.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	var in, want []string
	for i := range doorRows {
		if r := &doorRows[i]; strings.ToValidUTF8(r.args, "") == r.args { // a page has no other strings
			in = append(append(in, opened(t, w)), lines(r)...) // another policy drops the sessions
		}
	}
	var e engine.Engine
	for _, l := range in {
		want = append(want, string(e.Do([]byte(l))))
	}
	cmd := exec.Command(node, "testdata/doors.js", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), module)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(in, "\n")), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	if got := strings.Split(strings.TrimSpace(string(out)), "\n"); !slices.Equal(got, want) {
		t.Errorf("the module answers %d lines otherwise than the engine's %d:\n%.2000s", len(got), len(want), out)
	}
}
