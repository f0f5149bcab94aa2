package cover

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// planned is one task of a measured set, with its seed's number and name in it.
type planned struct {
	task   string
	checks []string
	key    string
}

// set reads a file of tasks and draws two tasks from each line, by seed.
func set(t *testing.T, name string) []planned {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"ledger", "orbit", "quartz", "maple", "tundra"}
	var out []planned
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for seed := range 2 {
			text := strings.NewReplacer("%N", fmt.Sprint(11+7*i+30*seed), "%S", names[(i+2*seed)%len(names)]).Replace(line)
			task, rest, _ := strings.Cut(text, " | ")
			at := strings.LastIndex(rest, " | ")
			p := planned{task: task, key: strings.TrimSpace(rest[at+3:])}
			for c := range strings.SplitSeq(rest[:at], ";;") {
				p.checks = append(p.checks, strings.TrimSpace(c))
			}
			out = append(out, p)
		}
	}
	return out
}

// defects are the ways in which a plan is made to miss its key: another name or number,
// and a mention that decides nothing.
func (p *planned) defects() map[string][]string {
	each := func(f func(string) string) (out []string) {
		for _, c := range p.checks {
			if strings.Contains(c, p.key) {
				if c = f(c); c == "" {
					continue
				}
			}
			out = append(out, c)
		}
		return out
	}
	near := p.key + "x"
	if dot := strings.LastIndexByte(p.key, '.'); dot > 0 {
		near = p.key[:dot] + p.key[dot+1:] + p.key[dot:] // hello.py as hellopy.py
	} else if p.key[0] <= '9' {
		near = p.key + "1"
	}
	return map[string][]string{
		"left out":      each(func(string) string { return "" }),
		"another name":  each(func(c string) string { return strings.ReplaceAll(c, p.key, near) }),
		"an echo":       each(func(c string) string { return "echo '" + strings.ReplaceAll(c, "'", "") + "'" }),
		"made good":     each(func(c string) string { return "{ " + c + "\n} || true" }),
		"not the last":  each(func(c string) string { return c + "\ntrue" }),
		"a comment":     each(func(c string) string { return "test -d . # " + c }),
		"a description": each(func(string) string { return "echo checks that " + p.key + " is right" }),
	}
}

// TestMeasured audits good and defective plans of two sets of tasks and prints how many
// defects are found and how many good plans are blamed. One set was used to mend the
// rules; of the other the figure is the one that counts.
func TestMeasured(t *testing.T) {
	for _, name := range []string{"tuned.txt", "fresh.txt"} {
		good, blamed, bad, found := 0, 0, 0, 0
		for _, p := range set(t, name) {
			good++
			if gaps := auditOf(p.task, p.checks); len(gaps) > 0 {
				blamed++
				t.Logf("%s: blamed for %s: %s", name, gaps[0].Code(), p.task)
			}
			for kind, checks := range p.defects() {
				bad++
				if len(auditOf(p.task, checks)) > 0 {
					found++
				} else {
					t.Logf("%s: not found (%s): %q", name, kind, checks)
				}
			}
		}
		t.Logf("%s: %d good plans, %d blamed; %d defective plans, %d found", name, good, blamed, bad, found)
		if good != 50 || bad != 350 || float64(found) < 0.95*float64(bad) || float64(blamed) > 0.25*float64(good) {
			t.Errorf("%s: worse than it was", name)
		}
	}
}

func auditOf(task string, checks []string) []Gap {
	var list []Check
	for i, c := range checks {
		list = append(list, Check{ID: fmt.Sprint(i), Command: c})
	}
	return Audit(task, list)
}
