package shell

import (
	"strings"
	"testing"
)

// TestVariablesThatLoad gives programs variables that no list knows, whose names say
// that something is loaded from where they point, in every way that a line can set one.
func TestVariablesThatLoad(t *testing.T) {
	names := []struct {
		name  string
		loads bool
	}{
		{"QUUX_HOME", true}, {"QUUX_USER_HOME", true}, {"QUUX_PROFILER_PATH", true}, {"QUUX_PROFILE_DIR", true}, {"QUUX_CA_BUNDLE", true},
		{"QUUX_OUT", false}, {"QUUX_DATA", false}, {"XDG_CACHE_HOME", false}, {"TMPDIR", false},
	}
	ways := []string{"%s=%v make", "export %s=%v; make", "env %s=%v make", "%s=%v; export %s; make", "declare -x %s=%v; make"}
	for _, n := range names {
		for _, way := range ways {
			for _, v := range []struct {
				value string
				load  bool
			}{{"/tmp/x", true}, {"/w/x", false}, {"word", false}, {"", false}} {
				line := strings.NewReplacer("%s", n.name, "%v", v.value).Replace(way)
				got := strings.Join(summary(line), "; ")
				if asks := strings.Contains(got, "spawn/escape"); asks != (n.loads && v.load) {
					t.Errorf("%s: asks %v: %s", line, asks, got)
				}
			}
		}
	}
}
