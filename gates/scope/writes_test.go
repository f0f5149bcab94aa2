package scope_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	gcall "github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/gates/powershell"
)

// held is what lies on the disk of TestWrites: directories have a slash behind.
var held = []string{"/home/u/", "/home/u/n/", "/home/u/n/old.md", "/home/u/n/sub/", "/home/u/n/sub/f", "/home/u/n/empty/", "/home/u/p/", "/home/u/p/a.md", "/home/u/p/d/", "/home/u/p/d/b.md", "/home/u/p/d/old.md"}

// seeing is a state in which the host sees these.
func seeing(list []string) gates.State {
	st := place
	st.Inline, st.PowerShell = gates.InlineReader(), gcall.NewPowerShell(powershell.Reader{})
	st.Exists = func(p string) bool { return slices.Contains(list, p) || slices.Contains(list, p+"/") }
	st.Stamp = func(p string) string {
		if slices.Contains(list, p) {
			return "seen"
		}
		return ""
	}
	st.Names = func(dir string) (out []string) {
		for _, p := range list {
			if name, ok := strings.CutPrefix(p, dir+"/"); ok && name != "" && !strings.Contains(strings.TrimSuffix(name, "/"), "/") {
				out = append(out, name)
			}
		}
		return out
	}
	return st
}

// asked is a call by a line of bash, or by a tool whose name and arguments the text gives.
func asked(t testing.TB, text string, st gates.State) (*gates.Context, *gates.Decision) {
	t.Helper()
	if tool, args, ok := strings.Cut(text, " {"); ok && !strings.Contains(tool, " ") {
		return call(t, tool, "{"+args, st)
	}
	return judged(t, text, st)
}

// settles says whether a yes to one call settles all that another one asks about.
func settles(t testing.TB, agreed, then string, st gates.State) bool {
	t.Helper()
	all := scope.Of(asked(t, agreed, st))
	c, d := asked(t, then, st)
	if d.Disposition == gates.Approved {
		t.Errorf("%s is approved", then)
	}
	list := scope.Things(c, d)
	return len(all) > 0 && covered(all[0], list)
}

// TestWrites: a yes to a new file outside of the workspace is for new files, one to a change for the file
// that was changed, and one to a directory's files for the same ones.
func TestWrites(t *testing.T) {
	anew := []string{"cp a.md /home/u/n/c.md", "cp a.md /home/u/n", "cp a.md /home/u/n/", "mv a.md /home/u/n/", "rsync -a a.md /home/u/n/", "install -m 644 a.md /home/u/n/", "cp -r d /home/u/n/", "touch /home/u/n/c", "tee /home/u/n/c", "dd if=a.md of=/home/u/n/c", "mkdir -p /home/u/n/c", "go build -o /home/u/n/c .", "tar cf /home/u/n/c.tar d",
		"python3 -c \"open('/home/u/n/c','w').write('x')\"", `Write {"file_path":"/home/u/n/c","content":"x"}`, `mcp__filesystem__write_file {"path":"/home/u/n/c","content":"x"}`, `PowerShell {"command":"Copy-Item a.md /home/u/n/c"}`, "ln -s /home/u/p/a.md /home/u/n/c"}
	over := []string{"cp a.md /home/u/n/old.md", "cp d/old.md /home/u/n", "cp d/old.md /home/u/n/", "mv a.md /home/u/n/old.md", "mv d/old.md /home/u/n/", "install a.md /home/u/n/old.md", "rsync -a d/old.md /home/u/n/", "tee /home/u/n/old.md", "tee -a /home/u/n/old.md", "dd if=a.md of=/home/u/n/old.md", "sort -o /home/u/n/old.md a.md", "pandoc a.md -o /home/u/n/old.md", "tar cf /home/u/n/old.md d", "truncate -s 0 /home/u/n/old.md", "cd /home/u/n && tee old.md",
		"python3 -c \"open('/home/u/n/old.md','w').write('x')\"", "node -e \"require('fs').writeFileSync('/home/u/n/old.md','x')\"", `Write {"file_path":"/home/u/n/old.md","content":"x"}`, `Edit {"file_path":"/home/u/n/old.md","old_string":"a","new_string":"b"}`, `mcp__filesystem__write_file {"path":"/home/u/n/old.md","content":"x"}`, `mcp__filesystem__move_file {"source":"/home/u/p/a.md","destination":"/home/u/n/old.md"}`, `PowerShell {"command":"Copy-Item a.md /home/u/n/old.md"}`, `PowerShell {"command":"Move-Item a.md /home/u/n/old.md"}`}
	several := []string{"cp -r d/. /home/u/n/", "cp d/* /home/u/n/", "cp -t /home/u/n d/old.md", "cp -r sub /home/u/n/", "rsync -a d/ /home/u/n/", "rsync -aR d/old.md /home/u/n/", "tar xf a.tar -C /home/u/n", "tar -C /home/u/n -xf a.tar old.md", "unzip -o a.zip -d /home/u/n", "7z x a.7z -o/home/u/n", "git -C /home/u/n init", "git -C /home/u/n apply x.patch", "patch -d /home/u/n < x.patch", "wget -P /home/u/n https://a.example/old.md", "split a.md /home/u/n/old", "mkdocs build -d /home/u/n", "cp a.md /home/u/n/new; cp a.md /home/u/n/old.md",
		"cp -r d /home/u/n/c && cp a.md /home/u/n/c/old.md", "ln -s /home/u/n /home/u/n/c && cp a.md /home/u/n/c/old.md", `PowerShell {"command":"Expand-Archive a.zip -DestinationPath /home/u/n -Force"}`}
	st := seeing(held)
	for _, yes := range anew {
		for _, then := range anew {
			if !settles(t, yes, then, st) {
				t.Errorf("a yes to %q does not cover %q", yes, then)
			}
		}
		for _, then := range slices.Concat(over, several) {
			if settles(t, yes, then, st) {
				t.Errorf("a yes to %q covers %q", yes, then)
			}
		}
	}
	for _, yes := range over {
		for _, then := range slices.Concat(several, anew[:4], []string{"cp a.md /home/u/n/sub/f", "tee /home/u/n/sub/f"}) {
			if settles(t, yes, then, st) {
				t.Errorf("a yes to %q covers %q", yes, then)
			}
		}
		if !strings.Contains(yes, "d/old.md /home/u/n/") && !settles(t, yes, "tee /home/u/n/old.md", st) {
			t.Errorf("a yes to %q does not cover the same file", yes)
		}
	}
	for _, yes := range several {
		for _, then := range slices.Concat(over[3:], several) {
			if then != yes && settles(t, yes, then, st) && !strings.HasSuffix(yes, "cp a.md /home/u/n/old.md") {
				t.Errorf("a yes to %q covers %q", yes, then)
			}
		}
	}
}

// TestWritesOfTheSame: a yes to what takes a directory's files along is for those files.
func TestWritesOfTheSame(t *testing.T) {
	more := seeing(append(slices.Clone(held), "/home/u/p/d/sub/", "/home/u/p/d/sub/f"))
	for _, line := range []string{"cp -r d/. /home/u/n/", "cp d/* /home/u/n/", "rsync -a d/ /home/u/n/"} {
		same, other := scope.Of(asked(t, line, seeing(held))), scope.Of(asked(t, line, more))
		if len(same) != 1 || len(other) != 1 || slices.Equal(same[0], other[0]) || !slices.Equal(same[0], scope.Of(asked(t, line, seeing(held)))[0]) {
			t.Errorf("%s: %q, %q", line, same, other)
		}
	}
	all := seeing(held)
	all.Names = func(dir string) []string { return slices.Repeat([]string{"x"}, 600) }
	if got := scope.Of(asked(t, "cp -r d/. /home/u/n/", all)); got != nil {
		t.Errorf("of too many: %q", got)
	}
	if got := (scope.Scope{"write /n by the words cp -r d/. /n" + scope.OfSame + "0123"}).Shown(); strings.Contains(got, "0123") || !strings.Contains(got, "cp -r d/. /n") {
		t.Errorf("%q", got)
	}
}

// TestWritesOfOwn: files outside of the workspace that the session made may be changed later, as long as
// no other file has come to stand there.
func TestWritesOfOwn(t *testing.T) {
	for first, later := range map[string][]string{
		"cp a.md /home/u/n/c.md":                             {"tee /home/u/n/c.md", `Write {"file_path":"/home/u/n/c.md","content":"x"}`, "cp d/b.md /home/u/n/c.md"},
		`Write {"file_path":"/home/u/n/c.md","content":"x"}`: {`Edit {"file_path":"/home/u/n/c.md","old_string":"x","new_string":"y"}`},
		"cp a.md /home/u/n/":                                 {"cp a.md /home/u/n/", "tee /home/u/n/a.md"},
		"mkdir /home/u/n/k && cp a.md /home/u/n/k/":          {"cp a.md /home/u/n/k/"},
	} {
		st := seeing(held)
		yes := scope.Of(asked(t, first, st))
		c, _ := asked(t, first, st)
		made := seeing(append(slices.Clone(held), "/home/u/n/c.md", "/home/u/n/a.md", "/home/u/n/k/", "/home/u/n/k/a.md"))
		made.Flow = c.After()
		for _, then := range later {
			if !covered(yes[0], scope.Things(asked(t, then, made))) {
				t.Errorf("a yes to %q does not cover %q of the same file", first, then)
			}
			foreign := made
			foreign.Flow = gates.Flow{}
			if covered(yes[0], scope.Things(asked(t, then, foreign))) {
				t.Errorf("a yes to %q covers %q of a file that came from elsewhere", first, then)
			}
			for _, between := range []string{"mv /home/u/n/old.md /home/u/n/c.md", "ln -f /home/u/n/old.md /home/u/n/c.md", "rm /home/u/n/c.md", "cp -l /home/u/n/old.md /home/u/n/c.md", "rm -r /home/u/n"} {
				if c, _ := asked(t, between, made); strings.Contains(then, "/c.md") {
					other := made
					other.Flow = c.After()
					if covered(yes[0], scope.Things(asked(t, then, other))) {
						t.Errorf("after %q a yes to %q covers %q", between, first, then)
					}
				}
			}
		}
	}
}

// covered says whether names settle all things.
func covered(yes scope.Scope, list [][]string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(names []string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(yes, n) })
	})
}
