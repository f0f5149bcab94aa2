package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// repo is a workspace with a repository in which git ran.
type repo struct {
	place
	t    *testing.T
	args []string
}

func newRepo(t *testing.T) repo {
	r := repo{place: newPlace(t), t: t}
	r.args = []string{"-state", filepath.Join(r.home, "state")}
	r.git("init", "-q")
	for _, name := range []string{"a.txt", "b.txt", "d/c.txt", "d/e.txt"} {
		r.write(name, "one\n")
	}
	r.git("add", ".")
	r.git("commit", "-qm", "one")
	return r
}

func (r repo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := cmd.CombinedOutput(); err != nil && args[0] != "merge" {
		r.t.Fatalf("git %q: %v %s", args, err, out)
	}
}

func (r repo) write(name, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// want asks the hook about a command.
func (r repo) want(want hosts.Outcome, command string) {
	r.t.Helper()
	if got, _ := r.hook(r.t, "claude-code", r.shellCall("claude-code", "a", command), r.args...); got != want {
		r.t.Errorf("%s: %v, want %v", command, got, want)
	}
}

// edit is a call of the session that writes a file, from the question to the word that
// it ran.
func (r repo) edit(name, text string) {
	r.t.Helper()
	r.edits(hosts.Proceeds, name, text)
}

// edits is edit where the user may be asked, who agrees.
func (r repo) edits(want hosts.Outcome, name, text string) {
	r.t.Helper()
	command := "printf '" + text + "' > " + name
	r.want(want, command)
	r.write(name, text)
	mustZero(r.t, r.tell(r.t, "claude-code", r.ranEvent("claude-code", "a", command, false), r.args...))
}

// TestFound: what git can give back is what its index holds, byte by byte.
func TestFound(t *testing.T) {
	r := newRepo(t)
	r.write("new.txt", "x\n")
	r.write("empty.txt", "")
	r.write("b.txt", "two\n")
	r.write("mixed/f.txt", "one\n")
	r.git("add", "mixed/f.txt")
	r.write("mixed/untracked.txt", "x\n")
	if err := os.Symlink("a.txt", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	r.git("add", "link")
	for name, want := range map[string]gates.Found{
		"a.txt": gates.FoundKept, "d": gates.FoundKept, "d/c.txt": gates.FoundKept, "gone": gates.FoundNothing, "gone/below": gates.FoundUnknown, "a.txt/x": gates.FoundUnknown,
		"new.txt": gates.FoundFile, "b.txt": gates.FoundFile, "empty.txt": gates.FoundUnknown, "mixed": gates.FoundUnknown, ".": gates.FoundUnknown, ".git": gates.FoundUnknown,
		".git/config": gates.FoundUnknown, "link": gates.FoundUnknown, "../elsewhere": gates.FoundNothing, "..": gates.FoundUnknown,
	} {
		if got := found(filepath.Join(r.dir, name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	r.git("checkout", "-q", "-b", "side")
	r.git("add", ".")
	r.git("commit", "-qm", "two")
	r.git("checkout", "-q", "-")
	r.write("b.txt", "three\n")
	r.git("commit", "-qam", "three")
	r.git("merge", "side")
	if got := found(filepath.Join(r.dir, "b.txt")); got != gates.FoundConflict {
		t.Errorf("a file in conflict: %v", got)
	}
}

// TestIndexIsHostile: an index that is no index tells nothing.
func TestIndexIsHostile(t *testing.T) {
	r := newRepo(t)
	name := filepath.Join(r.dir, ".git", "index")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(data) - 20 { // without the trailing sum
		k := gitIndex{top: r.dir, want: r.dir, entries: map[string]indexEntry{}}
		if err := k.read(data[:i]); err == nil && len(k.entries) == 4 && i < len(data)-200 {
			t.Errorf("%d of %d bytes were taken for an index", i, len(data))
		}
	}
	for _, text := range []string{"", "DIRC", "DIRC\x00\x00\x00\x04\x00\x00\x00\x01", "DIRC\x00\x00\x00\x02\xff\xff\xff\xff"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := found(filepath.Join(r.dir, "a.txt")); got != gates.FoundUnknown {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestReplaced: what git does not hold is not replaced unasked, unless the session has read
// it; what it holds is.
func TestReplaced(t *testing.T) {
	r := newRepo(t)
	r.write("notes.txt", "mine\n")
	r.write("todo.txt", "mine\n")
	r.write("b.txt", "changed\n")
	r.want(hosts.Asks, "date > notes.txt")
	r.want(hosts.Asks, "cp a.txt b.txt")
	r.want(hosts.Proceeds, "date > a.txt")
	r.want(hosts.Proceeds, "date > new.txt")
	r.want(hosts.Proceeds, "cat todo.txt")
	mustZero(t, r.tell(t, "claude-code", r.ranEvent("claude-code", "a", "cat todo.txt", false), r.args...))
	r.want(hosts.Proceeds, "date > todo.txt")
	r.want(hosts.Asks, "date > notes.txt")
}

// TestFiltered: what a filter makes of a file as git holds it is not somebody's work.
func TestFiltered(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.win text eol=crlf\n")
	r.write("c.win", "one\r\n")
	r.git("add", ".")
	r.git("commit", "-qm", "two")
	if got := found(filepath.Join(r.dir, "c.win")); got != gates.FoundUnknown {
		t.Errorf("as git left it: %v", got)
	}
	r.write("c.win", "others\r\n")
	if got := found(filepath.Join(r.dir, "c.win")); got != gates.FoundFile {
		t.Errorf("changed: %v", got)
	}
}

// TestMadeAgain: what TeX, a compiler or a test runner made is deleted without a question,
// also by a pattern, if nothing else is found by it.
func TestMadeAgain(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"paper.tex", "paper.aux", "paper.log", "server.log", "sub/x.o", "sub/notes.txt", "twister-out/a", "twister-out.1/a", "twister-outlook/a"} {
		r.write(name, "x\n")
	}
	r.want(hosts.Proceeds, "rm -f paper.aux paper.log")
	r.want(hosts.Proceeds, "rm -f *.aux")
	r.want(hosts.Asks, "rm -f *.log")
	r.want(hosts.Asks, "rm -f server.log")
	r.want(hosts.Asks, "rm -f paper.tex")
	r.want(hosts.Proceeds, "rm -f sub/*.o")
	r.want(hosts.Asks, "rm -f sub/*")
	r.want(hosts.Asks, "mv paper.tex paper.aux && rm *.aux")
	r.want(hosts.Asks, "rm -rf twister-out*")
	r.want(hosts.Proceeds, "rm -rf twister-out.*")
	r.want(hosts.Proceeds, "rm -f *.gone")
	r.want(hosts.Asks, "mv paper.tex x.gone && rm -f *.gone")
}

// TestGivenBack: what git can give back goes without a question, and so do changes that
// the session made itself; anybody else's ask.
func TestGivenBack(t *testing.T) {
	r := newRepo(t)
	r.write("user.txt", "x\n")
	r.want(hosts.Proceeds, "rm a.txt")
	r.want(hosts.Proceeds, "rm -rf d")
	r.want(hosts.Proceeds, "rm gone.txt")
	r.want(hosts.Asks, "rm user.txt")
	r.want(hosts.Asks, "mv user.txt gone.txt && rm gone.txt")
	r.want(hosts.Asks, "mv user.txt a.txt && rm a.txt")
	r.want(hosts.Asks, "rm -rf .")
	r.write("b.txt", "the user's\n")
	r.want(hosts.Asks, "git checkout -- b.txt")
	r.edits(hosts.Asks, "b.txt", "two")
	r.want(hosts.Asks, "git checkout -- b.txt") // the user's were there before
	r.want(hosts.Proceeds, "git checkout -- a.txt")
	r.edit("a.txt", "two")
	r.edit("a.txt", "three")
	r.want(hosts.Proceeds, "git checkout -- a.txt")
	r.want(hosts.Proceeds, "rm a.txt") // as git checkout and rm do one after the other
	r.write("a.txt", "and the user's")
	r.want(hosts.Asks, "git checkout -- a.txt")
	r.edits(hosts.Asks, "a.txt", "four")
	r.want(hosts.Asks, "git checkout -- a.txt") // lost with the session's
	r.want(hosts.Asks, "git checkout -- a.txt b.txt")
	r.want(hosts.Asks, "git checkout .")
}

// TestStampLinked: the stamp of a file says that it has another name.
func TestStampLinked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := stamp(file); s == "" || strings.HasSuffix(s, gates.Linked) {
		t.Errorf("of one name: %q", s)
	}
	if err := os.Link(file, file+"b"); err != nil {
		t.Skip(err)
	}
	if s := stamp(file); !strings.HasSuffix(s, gates.Linked) {
		t.Errorf("of two names: %q", s)
	}
}
