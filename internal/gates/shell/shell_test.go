package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// summary writes effects as "kind/op zone resource", without plain runs.
func summary(command string) []string {
	p := effect.Places{Cwd: "/w", Home: "/home/me"}.Normal()
	var out []string
	for _, e := range Analyze(command, &p) {
		if e.Kind == effect.Spawn && (e.Op == effect.OpRun || e.Op == effect.OpRunCode) {
			continue
		}
		s := e.Kind.String() + "/" + e.Op.String() + " " + e.Resource
		if e.Deferred {
			s = "later " + s
		}
		out = append(out, s)
	}
	return out
}

func TestAnalyze(t *testing.T) {
	tests := []struct {
		name, command string
		want          []string
	}{
		{"redirections", "cat a 2>err > b", []string{"write/create /w/err", "write/create /w/b", "read/read /w/a"}},
		{"a mention has no effect", `echo "rm -rf /"; grep -c 'curl x | sh' f # sudo reboot`, []string{"read/read /w/f"}},
		{"here-document data has no effect", "cat <<'E'\nrm -rf /\nE", nil},
		{"a here-document that a shell runs", "sh <<'E'\nrm x\nE", []string{"delete/remove /w/x"}},
		{"cd is followed", "cd sub && cat ../x; cd /etc; cat hosts", []string{"read/read /w/x", "read/read /etc/hosts"}},
		{"a subshell's cd ends with it", "(cd /etc); cat x", []string{"read/read /w/x"}},
		{"variables", `a=x; b="$a/y"; cat "$b"`, []string{"read/read /w/x/y"}},
		{"a loop over constants", "for f in a b; do cat $f; done", []string{"read/read /w/a", "read/read /w/b"}},
		{"a changed variable in a loop is unknown", "c=ls; for i in 1 2; do $c x; c=rm; done", []string{"list/list /w/x", "delete/remove /w/x"}},
		{"a conditional assignment is unknown", "c=rm; true || c=ls; $c x", []string{"opaque/computed computed program name: …"}},
		{"functions", "f() { cat \"$1\"; }; f a", []string{"read/read /w/a"}},
		{"an uncalled function happens later", "f() { rm x; }", []string{"later delete/remove /w/x"}},
		{"an alias happens later", "alias l='rm x'", []string{"later delete/remove /w/x"}},
		{"a trap happens later", "trap 'rm x' EXIT", []string{"later delete/remove /w/x"}},
		{"encoded payload", "echo cm0geA== | base64 -d | sh", []string{"delete/remove /w/x"}},
		{"reversed payload", "echo 'x mr' | rev | sh", []string{"delete/remove /w/x"}},
		{"unknown payload", "nm f | sh", []string{"read/read /w/f", "opaque/computed computed command line: …"}},
		{"write, then run", "echo 'rm x' > s; sh s", []string{"write/create /w/s", "delete/remove /w/x"}},
		{"the line's own file may go", "echo 1 > s; rm s", []string{"write/create /w/s"}},
		{"environment that runs", "GIT_PAGER='rm x' git log", []string{"delete/remove /w/x", "spawn/escape GIT_PAGER=rm x"}},
		{"find with -exec", `find src -exec rm {} \;`, []string{"list/search /w/src", "delete/remove_tree /w/src/*"}},
		{"find with -delete", "find src -name '*.o' -delete", []string{"list/search /w/src", "delete/remove_tree /w/src/*/*.o"}},
		{"xargs with known items", "echo a b | xargs rm", []string{"delete/remove /w/a", "delete/remove /w/b"}},
		{"sed in place", "sed -i s/a/b/ f", []string{"read/read /w/f", "write/modify /w/f"}},
		{"sed e", "sed '1e rm x' f", []string{"spawn/escape sed e rm x", "delete/remove /w/x", "read/read /w/f"}},
		{"sed w", "sed -n '/a/w out' f", []string{"write/create /w/out", "read/read /w/f"}},
		{"awk system", `awk '{system("rm x")}' f`, []string{"delete/remove /w/x", "read/read /w/f"}},
		{"awk compares", `awk '$3 > 10 && /a|b/' f`, []string{"read/read /w/f"}},
		{"awk redirects", `awk '{print > "out"}' f`, []string{"write/create /w/out", "read/read /w/f"}},
		{"tar's old letters", "tar cf a.tar b", []string{"write/create /w/a.tar", "read/read /w/b"}},
		{"tar's checkpoint", "tar cf a b --checkpoint-action=exec='rm x'", []string{"spawn/escape tar --checkpoint-action exec=rm x", "spawn/escape exec=rm", "spawn/run_unknown x", "delete/remove /w/x", "write/create /w/a", "read/read /w/b"}},
		{"network files", "cat < /dev/tcp/h.example/80", []string{"network/connect h.example"}},
		{"a secret variable", "echo $API_TOKEN", []string{"read/env $API_TOKEN"}},
		{"python opens a file", `python3 -c 'print(open("a").read())'`, []string{"read/read /w/a"}},
		{"python runs a program", `python3 -c 'import os; os.system("rm x")'`, []string{"delete/remove /w/x"}},
		{"a program of the workspace", "./run.sh", []string{"spawn/run_file /w/run.sh"}},
		{"an unknown program", "frob x", []string{"spawn/run_unknown frob"}},
		{"sudo is looked through", "sudo rm x", []string{"setting/privilege sudo", "delete/remove /w/x"}},
		{"a fork bomb", ":(){ :|:& };:", []string{"opaque/unparsed nested too deeply"}},
		{"not a command line", "ls 'x", []string{"opaque"}},
	}
	for _, tt := range tests {
		got := summary(tt.command)
		if !matches(got, tt.want) {
			t.Errorf("%s: %q\n got %q\nwant %q", tt.name, tt.command, got, tt.want)
		}
	}
}

// matches compares effects; a wanted "opaque" stands for any opaque effect.
func matches(got, want []string) bool {
	return slices.EqualFunc(got, want, func(g, w string) bool {
		return g == w || w == "opaque" && strings.HasPrefix(g, "opaque/")
	})
}

func TestNameListsAreSorted(t *testing.T) {
	var mods []string
	for _, m := range pythonModules {
		mods = append(mods, m.name)
	}
	lists := map[string][]string{
		"envCommands": strings.Fields(envCommands), "envLoads": strings.Fields(envLoads), "perlModules": strings.Fields(perlModules), "nodeReads": strings.Fields(nodeReads), "nodeModules": strings.Fields(nodeModules), "buildFiles": buildFiles, "gitSafeKeys": gitSafeKeys[:],
		"dockerFlags": strings.Fields(dockerFlags), "dockerValues": strings.Fields(dockerValues), "moreFlags": moreFlags[:], "moreValues": strings.Fields(moreValues), "officialNames": strings.Fields(officialNames), "keepsNames": strings.Fields(keepsNames),
	}
	for _, d := range dialects {
		lists["dialect "+d.name] = strings.Fields(d.denied)
	}
	for name, l := range lists {
		if len(l) == 0 || !slices.IsSorted(l) {
			t.Errorf("%s is empty or unsorted", name)
		}
	}
	if len(mods) == 0 {
		t.Error("no python modules")
	}
}

func BenchmarkAnalyze(b *testing.B) {
	p := effect.Places{Cwd: "/w"}.Normal()
	b.ReportAllocs()
	for b.Loop() {
		Analyze("cd /w/django && python -m pytest tests/test_forms.py -x 2>&1 | tail -20", &p)
	}
}

func FuzzAnalyzeCode(f *testing.F) {
	f.Add("python", "import os\nprint(f'{os.getcwd()}')\n!ls")
	f.Add("perl", "print 'a' if /x'y/; system(\"ls\")")
	f.Add("node", "console.log(`${process.version}`)")
	f.Add("awk", `{print $1 > "x"; "date" | getline d}`)
	f.Add("sed", "1e ls\ns#a#b#w x")
	f.Add("bash", "echo $(ls)")
	p := effect.Places{Cwd: "/w"}.Normal()
	f.Fuzz(func(t *testing.T, lang, code string) {
		a, b := AnalyzeCode(lang, code, &p), AnalyzeCode(lang, code, &p)
		if !slices.Equal(a, b) {
			t.Fatalf("two analyses differ: %v, %v", a, b)
		}
	})
}
