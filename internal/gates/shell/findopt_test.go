package shell

import (
	"strings"
	"testing"
)

// TestFindOpt compares the lookup with one that reads every option, for every option of
// every program, what it may be cut to, and names that no list has.
func TestFindOpt(t *testing.T) {
	all := func(opts, name string, long bool) (kind, role byte, ok bool) {
		harm := ""
		for _, tok := range strings.Fields(opts) {
			if len(tok) < 3 {
				continue
			}
			n := tok[:len(tok)-2]
			if n == name && (!long || len(n) > 1) {
				return tok[len(tok)-2], tok[len(tok)-1], true
			}
			if long && !ok && len(n) > 1 && len(name) > 1 && n[0] != '-' && abbreviates(name, n) {
				kind, role, ok = tok[len(tok)-2], tok[len(tok)-1], true
			}
			if long && harm == "" && len(n) > 1 && len(name) > 1 && n[0] != '-' && strings.HasPrefix(n, name) && strings.IndexByte(runningRoles, tok[len(tok)-1]) >= 0 {
				harm = tok
			}
		}
		if ok && harm != "" {
			kind, role = harm[len(harm)-2], harm[len(harm)-1]
		}
		return kind, role, ok
	}
	asked, seen := 0, map[string]bool{}
	for _, tool := range allTools() {
		opts := tool.opts
		if seen[opts] {
			continue // rows share their lists
		}
		seen[opts] = true
		names := []string{"", "-", "=", "-x", "--x", "x", "xx", "no-such"}
		for _, tok := range strings.Fields(opts) {
			if n := tok[:max(0, len(tok)-2)]; n != "" {
				names = append(names, n, n[:len(n)-1], n+"x", "-"+n, n[:1])
			}
		}
		for _, name := range names {
			for _, long := range []bool{false, true} {
				k, r, ok := findOpt(opts, name, long)
				k2, r2, ok2 := all(opts, name, long)
				if asked++; ok != ok2 || k != k2 || r != r2 {
					t.Fatalf("%s, %q (long %v): %c%c %v, want %c%c %v", tool.name, name, long, k, r, ok, k2, r2, ok2)
				}
			}
		}
	}
	if asked < 100000 {
		t.Errorf("only %d names were asked for", asked)
	}
}

// TestBegins reads options by how they begin.
func TestBegins(t *testing.T) {
	opts := "=!n -D*?j -J*?x -J-Xmx*?n h!n help!n"
	for word, want := range map[string]int{"-Dx=y": 2, "-J-javaagent:/x": 2, "-J-Xmx4G": 6, "-x": 0, "--D": 0} {
		if got, _ := begins(opts, word); got != want {
			t.Errorf("%s: %d, want %d", word, got, want)
		}
	}
	if _, role := begins(opts, "-J-Xmx4G"); role != 'n' {
		t.Errorf("-J-Xmx4G: %c", role)
	}
}
