package gates

import (
	"strings"
	"testing"
)

// temporaryCase is what calls of a session do in a temporary directory; the last is judged.
type temporaryCase struct {
	name  string
	lines []string
}

// temporaryPasses and temporaryAsks are about one principle: no program may count on what
// lies in a directory for temporary files, so deleting what is named there loses nothing.
var temporaryPasses = []temporaryCase{
	{"a directory, to make it anew", []string{"rm -rf /tmp/litter && mkdir /tmp/litter"}},
	{"by where the shell is", []string{"cd /tmp && rm -rf litter && mkdir litter"}},
	{"a name that the line sets", []string{`D=/tmp/litter; rm -rf "$D"`}},
	{"files", []string{"rm -f /tmp/litter.txt /tmp/litter/a/b.txt"}},
	{"files of a pattern in it", []string{"rm -f /tmp/litter/*.log"}},
	{"all that is in it", []string{"rm -rf /tmp/litter/*"}},
	{"what is found in it", []string{"find /tmp/litter -name '*.log' -delete"}},
	{"by code", []string{`python3 -c "import shutil; shutil.rmtree('/tmp/litter')"`}},
	{"that of macOS", []string{"rm -rf /private/tmp/litter /var/folders/ab/cd_ef/T/litter"}},
	{"into which the line wrote", []string{"echo x > /tmp/litter/a; mkdir -p /tmp/litter/b; rm -rf /tmp/litter"}},
	{"beside which something was moved", []string{"mv lost.txt /tmp/kept.txt", "rm -rf /tmp/litter"}},
}

var temporaryAsks = []temporaryCase{
	{"the directory itself", []string{"rm -rf /tmp"}},
	{"all in it", []string{"rm -rf /tmp/*"}},
	{"all hidden in it", []string{"rm -rf /tmp/.*"}},
	{"what is found in it", []string{"find /tmp -name 'litter*' -delete"}},
	{"a pattern in it", []string{"rm -rf /tmp/litter*"}},
	{"a pattern of directories", []string{"rm -rf /tmp/*/litter"}},
	{"a hidden name", []string{"rm -rf /tmp/.litter"}},
	{"a hidden name below", []string{"rm -rf /tmp/litter/.git"}},
	{"a secret", []string{"rm /tmp/litter/id_rsa"}},
	{"some hidden ones", []string{"rm -rf /tmp/litter/.l*"}},
	{"hidden ones of a pattern", []string{"rm -rf /tmp/litter/.*"}},
	{"behind a pattern", []string{"rm -rf /tmp/litter/*/.git"}},
	{"out of it", []string{"rm -rf /tmp/litter/../kept"}},
	{"the one of /var", []string{"rm -rf /var/tmp/litter"}},
	{"memory of programs", []string{"rm -rf /dev/shm/litter"}},
	{"caches of macOS", []string{"rm -rf /var/folders/ab/cd_ef/C/litter"}},
	{"all of a user's on macOS", []string{"rm -rf /var/folders/ab/cd_ef/T /var/folders/ab/cd_ef"}},
	{"where a variable of the machine's says", []string{`rm -rf "$TMPDIR/litter"`}},
	{"or else", []string{`rm -rf "${TMPDIR:-/tmp}/litter"`}},
	{"where code asks the machine", []string{`python3 -c "import shutil, tempfile; shutil.rmtree(tempfile.gettempdir() + '/litter')"`}},
	{"a computed name", []string{`rm -rf "/tmp/$(cat name)"`}},
	{"a name from the caller", []string{`rm -rf "/tmp/$X"`}},
	{"names from a list", []string{"ls /tmp | xargs rm -rf"}},
	{"names of the directory", []string{"cd /tmp && rm -rf $(ls)"}},
	{"what nobody has looked at", []string{"rm -rf /tmp/kept"}},
	{"one that the workspace lies in", []string{"rm -rf /tmp/litter-home"}},
	{"what a later trap deletes", []string{"trap 'rm -rf /tmp/litter' EXIT; mv lost.txt /tmp/litter/"}},
	{"overwritten on the way", []string{"find -L /tmp/litter -delete"}},
	{"with privileges", []string{"sudo rm -rf /tmp/litter"}},
	{"what was moved there", []string{"mv lost.txt /tmp/litter/", "rm -rf /tmp/litter"}},
	{"under its new name", []string{"mv lost.txt /tmp/litter.txt", "rm /tmp/litter.txt"}},
	{"with a pattern", []string{"mv lost.txt /tmp/litter/", "rm -f /tmp/litter/*.txt"}},
	{"with others", []string{"mv lost.txt /tmp/litter/a/", "echo x", "rm -rf /tmp/litter"}},
	{"in one line", []string{"mv lost.txt /tmp/litter/; rm -rf /tmp/litter"}},
	{"of a home", []string{"mv ~/src/other.txt /tmp/litter/", "rm -rf /tmp/litter"}},
	{"what a link leads to", []string{"ln -s ~/src /tmp/litter/l; rm -rf /tmp/litter/l/*"}},
	{"a link in place of it", []string{"rm -rf /tmp/litter; ln -s ~/src /tmp/litter; rm -rf /tmp/litter/shop"}},
	{"what is in links that a pattern finds", []string{"rm -rf /tmp/litter/*/"}},
	{"what is in some of them", []string{"rm -rf /tmp/litter/n*/"}},
	{"below what a pattern finds", []string{"rm -rf /tmp/litter/*/x"}},
	{"below it by a pattern", []string{"rm -f /tmp/litter/*/*.log"}},
	{"what is in links, by where the shell is", []string{"cd /tmp/litter && rm -rf */"}},
	{"what is in links, one after the other", []string{"for d in /tmp/litter/*/; do rm -rf $d; done"}},
	{"what is found in links", []string{"find /tmp/litter/*/ -delete"}},
	{"links that were unpacked", []string{"tar xf a.tar -C /tmp/litter; rm -rf /tmp/litter/l/*"}},
	{"links that were copied", []string{"cp -a links /tmp/litter; rm -rf /tmp/litter/links/*"}},
}

// TestTemporary: what was looked at and is temporary goes, what comes nearest to it asks.
func TestTemporary(t *testing.T) {
	for want, cases := range map[Disposition][]temporaryCase{Approved: temporaryPasses, ApprovedWithConstraints: temporaryAsks} {
		for _, tt := range cases {
			s := relaxedPlaces()
			s.Roots = append(s.Roots, "/tmp/litter-home/w")
			s.Exists = func(string) bool { return true }
			s.Found = func(path string) Found {
				if strings.Contains(path, "litter") {
					return FoundTemporary
				}
				return FoundUnknown
			}
			var d Decision
			for _, line := range tt.lines {
				c := ShellContext(line, s)
				d = (&Guardrail{}).Decide(&c)
				s.Flow = c.After()
			}
			if (d.Disposition == Approved) != (want == Approved) {
				t.Errorf("%s: %q: %v, want %v %+v", tt.name, tt.lines, d.Disposition, want, d.Reasons)
			}
		}
	}
}

// TestTemporaryPutAway: of more moves than are remembered, none is forgotten.
func TestTemporaryPutAway(t *testing.T) {
	s := relaxedPlaces()
	s.Found = func(string) Found { return FoundTemporary }
	for range maxFlow + 1 {
		s.Flow.Turned = append(s.Flow.Turned, turn{kind: turnPut, what: "/tmp/" + strings.Repeat("x", len(s.Flow.Turned)+1)}.String())
	}
	s.Flow.Turned = boundedTurns(s.Flow.Turned)
	c := ShellContext("rm -rf /tmp/y", s)
	if d := (&Guardrail{}).Decide(&c); d.Disposition != ApprovedWithConstraints {
		t.Errorf("%v", d.Disposition)
	}
	if s.Flow.Tainted() {
		t.Error("a file that was put away taints the session")
	}
}

// TestTemporaryStrict: the strict profile asks about every deletion.
func TestTemporaryStrict(t *testing.T) {
	s := relaxedPlaces()
	s.Found = func(string) Found { return FoundTemporary }
	c := ShellContext("rm -rf /tmp/y", s)
	if d := (&Guardrail{Profile: ProfileStrict}).Decide(&c); d.Disposition != ApprovedWithConstraints {
		t.Errorf("%v", d.Disposition)
	}
}
