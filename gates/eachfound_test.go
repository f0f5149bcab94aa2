package gates

import (
	"slices"
	"strings"
	"testing"
)

// eachFoundCase is what calls of a session do; the last deletes by a pattern.
type eachFoundCase struct {
	name  string
	lines []string
}

// What a pattern finds now decides: nothing, or only what the call could delete by its name.
var eachFoundPasses = []eachFoundCase{
	{"nothing of the system's directory for temporary files", []string{"rm -f /tmp/none.*.log"}},
	{"nothing of the workspace", []string{"rm -f perf.data* *.prof; make clean"}},
	{"nothing at any depth", []string{"find test -name failures -type d -exec rm -r {} +"}},
	{"by find itself", []string{"find . -name '*.orig' -delete"}},
	{"what was made while calls ran", []string{"rm -f /tmp/run.*.log"}},
	{"by one sign", []string{"rm -f /tmp/run.?.log"}},
	{"by where the shell is", []string{"cd /tmp && rm -f run.*.log"}},
	{"what the line writes first", []string{"for i in 1 2; do npm test > /tmp/run.$i.log; done; tail -3 /tmp/run.*.log; rm -f /tmp/run.*.log"}},
	{"what the session wrote", []string{"npm test > /tmp/mine.a; npm test > /tmp/mine.b", "rm /tmp/mine.*"}},
	{"what git gives back", []string{"rm -rf docs/kept*"}},
	{"of that at any depth", []string{"find docs -name 'kept*' -delete"}},
	{"what is made again", []string{"find . -name __pycache__ -prune -exec rm -rf {} +"}},
	{"after a look", []string{"git add -A && git commit -qm x; rm -f /tmp/run.*.log"}},
}

var eachFoundAsks = []eachFoundCase{
	{"what others made there", []string{"rm -f /tmp/theirs.*"}},
	{"one of others among them", []string{"rm -f /tmp/*un.*"}},
	{"one that is no plain file", []string{"rm -rf /tmp/sock*"}},
	{"all of it", []string{"rm -rf /tmp/*"}},
	{"all of two letters", []string{"rm -rf /tmp/??"}},
	{"by one sign, which is a byte for some shells", []string{"rm -f docs/mixed/a??.txt"}},
	{"hidden ones", []string{"rm -f /tmp/.X*"}},
	{"in another order of signs", []string{"rm -f /tmp/[!a]*.log"}},
	{"of two names", []string{"rm -f /tmp/run{.1,/..}*"}},
	{"a computed part beside", []string{`rm -f "/tmp/none.$X"*`}},
	{"a computed part", []string{`rm -f /tmp/none.$(cat x)*`}},
	{"of a computed directory", []string{"rm -f $DIR/none*"}},
	{"where a variable of the machine's says", []string{"rm -f $TMPDIR/none*"}},
	{"below what a pattern finds", []string{"rm -rf /tmp/r*/none*"}},
	{"with a slash behind", []string{"rm -rf /tmp/run*/"}},
	{"a file of the user's", []string{"rm -f docs/no*"}},
	{"a file of the user's at any depth", []string{"find . -name 'no*' -delete"}},
	{"in other letters", []string{"find . -iname 'NOTES*' -delete"}},
	{"one of many", []string{"rm -f docs/*"}},
	{"all of the workspace", []string{"rm -rf *"}},
	{"through links", []string{"find -L . -name '*.orig' -delete"}},
	{"of a directory that is not seen", []string{"rm -f gone/none*"}},
	{"of one with more than is listed", []string{"rm -f many/none*"}},
	{"after something was moved there", []string{"mv docs/notes.txt /tmp/none.1.log; rm -f /tmp/none.*.log"}},
	{"after something was moved there by an earlier call", []string{"mv docs/notes.txt /tmp/none.1.log", "rm -f /tmp/none.*.log"}},
	{"after something was moved beside it", []string{"mv docs/notes.txt docs/none.txt && rm -f docs/none*"}},
	{"after what git holds was moved beside it", []string{"mv docs/kept.md docs/none.txt && rm -f docs/none*"}},
	{"after something was copied there", []string{"cp -r ~/go/pkg /tmp/none.d; rm -rf /tmp/none.*"}},
	{"after a patch", []string{"patch -p1 < x.patch; find . -name '*.orig' -delete"}},
	{"after an archive was unpacked there", []string{"tar xf a.tar -C docs; rm -f docs/none*"}},
	{"after git brought something", []string{"git stash pop; rm -f none*"}},
	{"after a link was made there", []string{"ln -s ~/src /tmp/none.d; rm -rf /tmp/none.*"}},
	{"of names from a list", []string{"ls docs | grep none | xargs rm -f"}},
	{"in a container", []string{"docker exec x rm -f /tmp/none*"}},
	{"with privileges", []string{"sudo rm -f /tmp/none*"}},
	{"in the background", []string{"rm -f docs/none* &"}},
	{"by another shell's rules", []string{"rm -f docs/none*~(x)"}},
	{"secrets", []string{"rm -f conf/.en*"}},
	{"secrets that git holds", []string{"rm -f docs/kept/.*"}},
}

// TestEachFound: a pattern passes if each thing that it finds would, and asks else.
func TestEachFound(t *testing.T) {
	const w = "/home/me/src/shop"
	dirs := map[string][]string{
		w:           {"docs/", "test/", "conf/", "src/", "main.go", "a.tar"},
		w + "/docs": {"notes.txt", "kept.md", "kept-too.md"}, w + "/test": {"a/"}, w + "/test/a": {"x.png"}, w + "/conf": {".env"}, w + "/docs/mixed": {"aé.txt"}, w + "/docs/kept": {".env"}, w + "/src": {"__pycache__/"}, w + "/src/__pycache__": {"x.pyc"},
		w + "/many": make([]string, listedAtMost),
		"/tmp":      {"run.1.log", "run.2.log", "theirs.a", "sock1", ".X0-lock", "run/"},
	}
	for want, cases := range map[Disposition][]eachFoundCase{Approved: eachFoundPasses, ApprovedWithConstraints: eachFoundAsks} {
		for _, tt := range cases {
			s := relaxedPlaces()
			s.Names = func(dir string) []string { return dirs[dir] }
			s.Exists = func(p string) bool {
				return p == "/tmp" || p == w || dirs[p] != nil || strings.Contains(p, "mine") && s.After || slices.ContainsFunc(dirs["/tmp"], func(n string) bool { return "/tmp/"+n == p })
			}
			s.Found = func(p string) Found {
				switch {
				case strings.Contains(p, "none"):
					return FoundNothing
				case strings.HasPrefix(p, w+"/docs/kept"):
					return FoundKept
				case strings.HasPrefix(p, "/tmp/sock"):
					return FoundUnknown
				case strings.HasPrefix(p, "/tmp/"):
					return FoundTemporary
				}
				return FoundFile
			}
			s.Output = func(c *Context, e *Effect) bool { return strings.HasPrefix(e.Resource, "/tmp/run") }
			var d Decision
			for i, line := range tt.lines {
				c := ShellContext(line, s)
				d = (&Guardrail{}).Decide(&c)
				if s.Flow = c.After(); i == 0 && strings.Contains(line, "mine.a") {
					dirs["/tmp"] = append(dirs["/tmp"], "mine.a", "mine.b")
				}
			}
			if (d.Disposition == Approved) != (want == Approved) {
				t.Errorf("%s: %q: %v, want %v %+v", tt.name, tt.lines, d.Disposition, want, d.Reasons)
			}
		}
	}
}
