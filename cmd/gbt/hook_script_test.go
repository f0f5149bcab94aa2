package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestHookScripts runs the scripts in testdata/hook with a gbt-hook built from
// this tree, so that gbt doctor starts the real program.
func TestHookScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/hook/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	bin := filepath.Dir(hookBinary(t))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/hook",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOOK", filepath.Join(bin, "gbt-hook"))
			env.Setenv("GOGC", os.Getenv("GOGC")) // as the tests
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("XDG_CACHE_HOME", "")
			return os.MkdirAll(filepath.Join(home, "w"), 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}
