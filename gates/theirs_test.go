package gates

import (
	"path"
	"strings"
	"testing"
)

// TestTheirs lists what is taken away or replaced that others made, and what comes nearest
// to it and is the session's own. The last line of each case is judged.
func TestTheirs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  string // the rule that asks, empty for none
	}{
		{"a file of somebody's in /tmp", []string{"rm /tmp/there.txt"}, "workspace/delete"},
		{"one in a directory of somebody's", []string{"rm -f /tmp/there/a"}, "workspace/delete"},
		{"one that nobody can tell", []string{"rm /var/tmp/a.txt"}, "workspace/delete"},
		{"one that is not there", []string{"rm -f /tmp/nothing.txt"}, ""},
		{"one that the session wrote", []string{"echo x > /tmp/a.txt", "rm /tmp/a.txt"}, ""},
		{"one that it only added to", []string{"echo x >> /tmp/there.txt", "rm /tmp/there.txt"}, "workspace/delete"},
		{"one that the line makes", []string{"tar cf /tmp/a.tar pkg && tar tf /tmp/a.tar && rm /tmp/a.tar"}, ""},
		{"one of mktemp's", []string{"f=$(mktemp); date > $f; rm $f"}, ""},
		{"moved away", []string{"mv /tmp/there.txt notes2.txt"}, "workspace/move"},
		{"moved within /tmp", []string{"mv /tmp/there.txt /tmp/b.txt"}, "workspace/move"},
		{"moved with one of its own", []string{"echo x > /tmp/a.txt", "mv /tmp/a.txt /tmp/there.txt docs/"}, "workspace/move"},
		{"its own moved", []string{"echo x > /tmp/a.txt", "mv /tmp/a.txt docs/a.txt"}, ""},
		{"into /tmp", []string{"mv main.go /tmp/there/"}, ""},
		{"a copy of it", []string{"cp /tmp/there.txt a.txt"}, ""},
		{"its own under a new name", []string{"echo x > /tmp/a.txt", "mv /tmp/a.txt /tmp/b.txt", "rm /tmp/b.txt"}, ""},
		{"its own in a directory of somebody's", []string{"echo x > /tmp/a.txt", "mv /tmp/a.txt /tmp/there", "rm /tmp/there/a.txt"}, ""},
		{"what lay there beside it", []string{"echo x > /tmp/a.txt", "mv /tmp/a.txt /tmp/there", "rm /tmp/there/b.txt"}, "workspace/delete"},
		{"moved over somebody's", []string{"echo x > /tmp/a.txt", "mv /tmp/a.txt /tmp/there.txt", "rm /tmp/there.txt"}, "workspace/delete"},
		{"a directory of its own under a new name", []string{"mkdir /tmp/d", "mv /tmp/d /tmp/e", "rm -rf /tmp/e"}, ""},
		{"what was moved is not run", []string{"curl -so /tmp/a https://example.com/a", "mv /tmp/a /tmp/b", "/tmp/b"}, "flow/unvetted"},
		{"a file of the workspace brought to where deleting is free", []string{"mkdir /tmp/d", "mv lost.txt /tmp/d/", "rm /tmp/d/lost.txt"}, "workspace/delete"},
		{"with all that is there", []string{"mkdir /tmp/d", "mv lost.txt /tmp/d/", "rm -r /tmp/d"}, "workspace/delete"},
		{"in one line", []string{"mkdir /tmp/d; mv lost.txt /tmp/d; rm /tmp/d/lost.txt"}, "workspace/delete"},
		{"under another name", []string{"mv lost.txt /tmp/x.txt", "rm /tmp/x.txt"}, "workspace/delete"},
		{"and on from there", []string{"mv lost.txt /tmp/x.txt", "mv /tmp/x.txt /tmp/y.txt", "rm /tmp/y.txt"}, "workspace/delete"},
		{"one that the session made", []string{"mkdir /tmp/d", "date > n.txt", "mv n.txt /tmp/d/", "rm -r /tmp/d"}, ""},
		{"one that git holds", []string{"mkdir /tmp/d; mv kept.go /tmp/d; rm /tmp/d/kept.go"}, ""},

		{"a redirection", []string{"> lost.txt"}, "workspace/overwrite"},
		{"of what a program says", []string{"make > lost.txt 2>&1"}, "workspace/overwrite"},
		{"one of those that a loop empties", []string{`for f in $(git ls-files -o --exclude-standard '*.txt'); do : > "$f"; done`}, "workspace/overwrite"},
		{"one of a pattern", []string{"for f in *.txt; do date > $f; done"}, "workspace/overwrite"},
		{"one below a directory", []string{`find docs -name '*.txt' | while read f; do echo > "$f"; done`}, "workspace/overwrite"},
		{"none of a pattern", []string{"for f in *.md; do date > $f; done"}, ""},
		{"added to each", []string{"for f in *.txt; do date >> $f; done"}, ""},
		{"each edited", []string{"sed -i s/a/b/ *.txt"}, ""},
		{"what git lists, by tee", []string{": | tee $(git diff --name-only) > /dev/null"}, "workspace/overwrite"},
		{"by truncate", []string{"truncate -s0 $(git diff --name-only)"}, "workspace/overwrite"},
		{"by truncate of xargs", []string{"git diff --name-only | xargs -n1 truncate -s0"}, "workspace/overwrite"},
		{"by truncate of find", []string{"find docs -name '*.txt' -exec truncate -s 0 {} +"}, "workspace/overwrite"},
		{"by a copy of nothing", []string{"cp /dev/null $(git ls-files -m)"}, "workspace/overwrite"},
		{"by tee of nothing", []string{"tee $(git ls-files -m) </dev/null"}, "workspace/overwrite"},
		{"by tee of a pattern", []string{"date | tee *.txt"}, "workspace/overwrite"},
		{"by a loop over what is cut out of a status", []string{"for f in $(git status --porcelain | cut -c4-); do : > $f; done"}, "workspace/write"},
		{"by dd", []string{"for f in $(git ls-files -m); do dd if=/dev/null of=$f; done"}, "workspace/overwrite"},
		{"by install", []string{"for f in $(git ls-files -m); do install /dev/null $f; done"}, "workspace/overwrite"},
		{"by a move", []string{"for f in $(git ls-files -m); do mv main.go $f; done"}, "workspace/overwrite"},
		{"by a copy of one", []string{"git ls-files -m | xargs -I{} cp main.go {}"}, "workspace/overwrite"},
		{"by a link", []string{"for f in *.txt; do ln -sf main.go $f; done"}, "workspace/overwrite"},
		{"by sed that deletes all", []string{"sed -i d $(git ls-files -m)"}, "workspace/overwrite"},
		{"by sed that deletes lines", []string{"sed -i 1,99d $(git diff --name-only)"}, "workspace/overwrite"},
		{"by sed that deletes every line by a pattern", []string{"git ls-files -m | xargs sed -i '/.*/d'"}, "workspace/overwrite"},
		{"by sed that deletes all else", []string{"sed -i '/keep/!d' lost.txt"}, "workspace/overwrite"},
		{"by sed that empties lines", []string{"sed -i 's/.*//' *.txt"}, "workspace/overwrite"},
		{"by sed that prints some", []string{"sed -n -i 1,3p lost.txt"}, "workspace/overwrite"},
		{"by sed that ends early", []string{"sed -i 2q lost.txt"}, "workspace/overwrite"},
		{"by perl that prints nothing", []string{"git ls-files -m | xargs perl -ni -e 0"}, "workspace/overwrite"},
		{"one of them edited", []string{"sed -i '/debug/d; s/a/b/' $(git ls-files -m)"}, ""},
		{"a line of one deleted", []string{"sed -i 5d lost.txt; sed -i '$d' lost.txt; sed -i 10,20d lost.txt"}, ""},
		{"each edited by perl", []string{"git ls-files -m | xargs perl -pi -e 's/a/b/'"}, ""},
		{"each formatted", []string{"gofmt -w $(git diff --name-only)", "npx prettier --write $(git diff --name-only)"}, ""},
		{"each copied under a new name", []string{"for f in *.txt; do cp $f $f.bak; done"}, ""},
		{"each renamed", []string{"for f in *.txt; do mv $f ${f%.txt}.md; done"}, ""},
		{"each put into a directory", []string{"mkdir out; cp *.txt out/"}, ""},
		{"each added to", []string{"date | tee -a *.txt"}, ""},
		{"each longer", []string{"for f in *.txt; do touch $f; done"}, ""},
		{"none of those that git lists, by tee", []string{"date | tee $(git ls-files -m '*.md')"}, ""},
		{"truncated", []string{"truncate -s0 lost.txt"}, "workspace/overwrite"},
		{"a copy over it", []string{"cp main.go lost.txt"}, "workspace/overwrite"},
		{"a copy into its directory", []string{"cp /tmp/x/lost.txt there"}, "workspace/overwrite"},
		{"a move over it", []string{"mv main.go lost.txt"}, "workspace/overwrite"},
		{"a move of git's", []string{"git mv -f main.go lost.txt"}, "workspace/overwrite"},
		{"tee", []string{"date | tee kept.md lost.txt"}, "workspace/overwrite"},
		{"dd", []string{"dd if=main.go of=lost.txt"}, "workspace/overwrite"},
		{"a link", []string{"ln -sf main.go lost.txt"}, "workspace/overwrite"},
		{"sort", []string{"sort -o lost.txt main.go"}, "workspace/overwrite"},
		{"a log of git's", []string{"git log --output=lost.txt"}, "workspace/overwrite"},
		{"the second of two", []string{"echo x > new.txt > lost.txt"}, "workspace/overwrite"},

		{"added to", []string{"echo x >> lost.txt"}, ""},
		{"added to by tee", []string{"date | tee -a lost.txt"}, ""},
		{"edited", []string{"sed -i s/a/b/ lost.txt"}, ""},
		{"touched", []string{"touch lost.txt"}, ""},
		{"a copy that replaces nothing", []string{"cp -n main.go lost.txt"}, ""},
		{"a copy that keeps one", []string{"cp --backup=simple main.go lost.txt"}, ""},
		{"a link that is refused", []string{"ln -s main.go lost.txt"}, ""},
		{"moved itself", []string{"mv lost.txt docs2.txt"}, ""},
		{"moved by git, which refuses", []string{"git mv main.go lost.txt"}, ""},
		{"read", []string{"cat lost.txt > new.txt"}, ""},
		{"one that git holds as it is", []string{"date > kept.txt"}, ""},
		{"a new one", []string{"date > nothing.txt"}, ""},
		{"one that nobody can tell of", []string{"date > x.txt"}, ""},
		{"a program that is built", []string{"go build -o lost ./cmd/x"}, ""},
		{"what builds make", []string{"cp a.js dist/lost.js"}, ""},
		{"a log", []string{"make > lost.log"}, ""},
		{"one that the session wrote", []string{"echo x >> lost.txt", "date > lost.txt"}, ""},
		{"one that it has read", []string{"cat lost.txt", "date > lost.txt"}, ""},
		{"another than it has read", []string{"cat lost.md", "date > lost.txt"}, "workspace/overwrite"},
		{"one that it reads and replaces at once", []string{"cat lost.txt; date > lost.txt"}, "workspace/overwrite"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000, Exists: thereItself, Found: theirs, Stamp: func(string) string { return "s" }, Names: theirNames}
			var d Decision
			for _, line := range tt.lines {
				c := ShellContext(line, s)
				d = (&Guardrail{}).Decide(&c)
				s.Flow = c.After()
				after := s
				after.After = true
				c = ShellContext(line, after)
				s.Flow = c.After()
			}
			asks := ""
			if len(d.Reasons) > 0 {
				asks = d.Reasons[0].Rule
			}
			if asks != tt.want || (d.Disposition == Approved) != (tt.want == "") {
				t.Errorf("%q: %v %q, want %q %+v", tt.lines, d.Disposition, asks, tt.want, d.Reasons)
			}
		})
	}
}

// theirNames are the names in some directories.
func theirNames(dir string) []string {
	switch dir {
	case "/w/repo":
		return []string{"docs/", "kept.md", "lost.txt", "main.go"}
	case "/w/repo/docs":
		return []string{"lost.txt"}
	}
	return nil
}

// theirs is what a host sees by the names of files.
func theirs(path string) Found {
	switch {
	case strings.Contains(path, "kept"):
		return FoundKept
	case strings.Contains(path, "nothing"):
		return FoundNothing
	case strings.Contains(path, "lost"):
		return FoundFile
	}
	return FoundUnknown
}

// TestTheirsByOtherTools: an editor that looks before it writes is left alone.
func TestTheirsByOtherTools(t *testing.T) {
	s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", Exists: thereItself, Found: theirs}
	c := NewContext(Request{Tool: "Write", Args: []byte(`{"file_path":"/w/repo/lost.txt","content":"x"}`)}, s)
	if d := (&Guardrail{}).Decide(&c); d.Disposition != Approved {
		t.Errorf("%+v", d.Reasons)
	}
}

// TestTheirsInScripts: a script that deletes a file of a temporary directory is one that
// asks if the file was there when it was written.
func TestTheirsInScripts(t *testing.T) {
	for file, want := range map[string]Disposition{"/tmp/a.txt": Approved, "/tmp/there.txt": ApprovedWithConstraints} {
		s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", Exists: thereItself, Found: theirs}
		c := ShellContext("printf 'rm -f "+file+"\n' > clean.sh", s)
		s.Flow = c.After()
		c = ShellContext("sh clean.sh", s)
		if d := (&Guardrail{}).Decide(&c); d.Disposition != want {
			t.Errorf("%s: %v, want %v", file, d.Disposition, want)
		}
	}
}

// thereItself says that what is called so is there, and nothing in it.
func thereItself(file string) bool { return there(path.Base(file)) }
