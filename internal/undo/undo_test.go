package undo

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// place is a workspace and its journal.
type place struct {
	t         *testing.T
	root, dir string
	opts      Options
}

func newPlace(t *testing.T) *place {
	base := t.TempDir()
	p := &place{t: t, root: filepath.Join(base, "w"), dir: filepath.Join(base, "j")}
	must(t, os.Mkdir(p.root, 0o755))
	return p
}

func (p *place) write(name, text string) {
	p.t.Helper()
	name = filepath.Join(p.root, name)
	must(p.t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(p.t, os.WriteFile(name, []byte(text), 0o644))
}

func (p *place) reads(name, want string) {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.root, name))
	if want == "" {
		if !errors.Is(err, os.ErrNotExist) {
			p.t.Errorf("%s is there: %q", name, data)
		}
	} else if string(data) != want {
		p.t.Errorf("%s holds %q, want %q", name, data, want)
	}
}

func (p *place) open() *Journal {
	p.t.Helper()
	o := p.opts
	o.Dir, o.Root = p.dir, p.root
	j, err := Open(o)
	must(p.t, err)
	p.t.Cleanup(func() { j.Close() })
	return j
}

func (p *place) call(session string, do func(), paths ...string) string {
	p.t.Helper()
	j := p.open()
	id, err := j.Before(Call{Session: session, Paths: paths})
	must(p.t, err)
	do()
	must(p.t, j.After(id))
	must(p.t, j.Close())
	return id
}

func (p *place) undo(s Selection, force bool) *Report {
	p.t.Helper()
	j := p.open()
	defer j.Close()
	steps, err := j.Select(s)
	must(p.t, err)
	plan, err := j.Plan(steps, force)
	must(p.t, err)
	r, err := j.Apply(plan, yes)
	must(p.t, err)
	return r
}

func (p *place) steps() []Step {
	p.t.Helper()
	j := p.open()
	defer j.Close()
	steps, err := j.Steps()
	must(p.t, err)
	return steps
}

func why(r *Report, root, name string) string {
	for _, l := range r.Left {
		if l.Path == filepath.Join(root, name) {
			return l.Why
		}
	}
	return ""
}

func TestPersonsWorkStays(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one")
	p.write("c", "one")
	p.call("s", func() { p.write("a", "agent"); p.write("b", "agent"); p.write("new/x", "agent") })
	p.write("b", "person")     // after the agent
	p.write("c", "person")     // never the agent's
	p.write("new/y", "person") // in a directory that the agent made
	r := p.undo(Selection{Sessions: []string{"s"}}, false)
	p.reads("a", "one")
	p.reads("b", "person")
	p.reads("c", "person")
	p.reads("new/x", "")
	p.reads("new/y", "person")
	if got := why(r, p.root, "b"); !strings.Contains(got, "somebody else") {
		t.Errorf("b was left because %q", got)
	}
	if got := why(r, p.root, "new"); got != "holds what is not taken back" {
		t.Errorf("new was left because %q", got)
	}
}

func TestForceTakesAll(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.call("s", func() { p.write("a", "agent") })
	p.write("a", "person")
	if r := p.undo(Selection{Sessions: []string{"s"}}, true); len(r.Left) > 0 {
		t.Errorf("left: %v", r.Left)
	}
	p.reads("a", "one")
}

func TestWhatAPersonChangedBeforeACallIsKept(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.call("s", func() {})
	p.write("a", "person")
	p.call("s", func() { must(t, os.Remove(filepath.Join(p.root, "a"))) })
	p.undo(Selection{Sessions: []string{"s"}}, false)
	p.reads("a", "person")
}

func TestOneStepOfSeveral(t *testing.T) {
	p := newPlace(t)
	first := p.call("s", func() { p.write("a", "1"); p.write("b", "1") })
	p.call("s", func() { p.write("a", "2") })
	r := p.undo(Selection{Steps: []string{first}}, false)
	p.reads("a", "2")
	p.reads("b", "")
	if !strings.HasPrefix(why(r, p.root, "a"), "changed again by") {
		t.Errorf("left: %v", r.Left)
	}
}

func TestSince(t *testing.T) {
	p := newPlace(t)
	now := time.Unix(1000, 0)
	p.opts.Now = func() time.Time { return now }
	p.call("s", func() { p.write("a", "1") })
	now = now.Add(time.Minute)
	moment := now
	p.call("other", func() { p.write("b", "1") })
	p.undo(Selection{Since: moment}, false)
	p.reads("a", "1")
	p.reads("b", "")
}

func TestTooLargeIsSaid(t *testing.T) {
	p := newPlace(t)
	p.opts.MaxFile = 10
	p.write("big", "0123456789abcdef")
	p.write("small", "x")
	p.call("s", func() { p.write("big", "gone"); p.write("small", "y") })
	r := p.undo(Selection{Sessions: []string{"s"}}, false)
	p.reads("big", "gone")
	p.reads("small", "x")
	if got := why(r, p.root, "big"); !strings.Contains(got, "irrecoverable") {
		t.Errorf("left: %v", r.Left)
	}
	if tier := p.steps()[0].Tier; tier != AuditOnly {
		t.Errorf("tier %v", tier)
	}
}

func TestRefusedByTheGuard(t *testing.T) {
	p := newPlace(t)
	p.write("a", "1")
	p.write("b", "1")
	p.call("s", func() { p.write("a", "2"); p.write("b", "2") })
	j := p.open()
	steps, err := j.Select(Selection{Sessions: []string{"s"}})
	must(t, err)
	plan, err := j.Plan(steps, false)
	must(t, err)
	r, err := j.Apply(plan, func(c Change) error {
		if strings.HasSuffix(c.Path, "a") {
			return errors.New("protected")
		}
		return nil
	})
	must(t, err)
	p.reads("a", "2")
	p.reads("b", "1")
	if why(r, p.root, "a") != "protected" {
		t.Errorf("left: %v", r.Left)
	}
}

// TestLinksLeadNowhere: a directory that was replaced by a link does not lead an undo out.
func TestLinksLeadNowhere(t *testing.T) {
	p := newPlace(t)
	out := t.TempDir()
	must(t, os.WriteFile(filepath.Join(out, "f"), []byte("theirs"), 0o644))
	p.write("d/f", "one")
	p.call("s", func() { p.write("d/f", "two") })
	must(t, os.Rename(filepath.Join(p.root, "d"), filepath.Join(p.root, "old")))
	must(t, os.Symlink(out, filepath.Join(p.root, "d")))
	p.undo(Selection{Sessions: []string{"s"}}, true)
	if data, _ := os.ReadFile(filepath.Join(out, "f")); string(data) != "theirs" {
		t.Errorf("a file outside was written: %q", data)
	}
}

func TestJournalIsAChain(t *testing.T) {
	frames := func(p *place) []byte {
		data, err := os.ReadFile(filepath.Join(p.dir, "journal"))
		must(t, err)
		return data
	}
	for name, change := range map[string]func(b []byte) []byte{
		"a byte":        func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"the last part": func(b []byte) []byte { return b[:len(b)*2/3] },
		"all of it":     func([]byte) []byte { return nil },
		"the first":     func(b []byte) []byte { return b[int(b[0])+2+32:] },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			for range 3 {
				p.call("s", func() { p.write("a", time.Now().String()) })
			}
			must(t, os.WriteFile(filepath.Join(p.dir, "journal"), change(frames(p)), 0o600))
			j, err := Open(Options{Dir: p.dir, Root: p.root})
			if err == nil {
				_, err = j.Steps()
				j.Close()
			}
			if !errors.Is(err, ErrJournal) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestCrashes: whatever was written of a last frame, of the head and of the state, the journal
// opens, and what was told before is there.
func TestCrashes(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.call("s", func() { p.write("a", "two") })
	j := p.open()
	end := j.chain.end
	id, err := j.Before(Call{Session: "s"})
	must(t, err)
	must(t, j.Close())
	whole, err := os.ReadFile(filepath.Join(p.dir, "journal"))
	must(t, err)
	head, err := os.ReadFile(filepath.Join(p.dir, "head"))
	must(t, err)
	_ = id
	for cut := end; cut <= int64(len(whole)); cut++ {
		must(t, os.WriteFile(filepath.Join(p.dir, "journal"), whole[:cut], 0o600))
		oldHead := bytes.Clone(head)
		copy(oldHead, headAt(whole[:end], t))
		must(t, os.WriteFile(filepath.Join(p.dir, "head"), oldHead, 0o600))
		must(t, os.WriteFile(filepath.Join(p.dir, "state"), whole[:cut/2], 0o600)) // no state at all
		j := p.open()
		steps, err := j.Steps()
		must(t, err)
		want := 1
		if cut == int64(len(whole)) {
			want = 2
		}
		if len(steps) != want || len(steps[0].Changes) != 1 {
			t.Fatalf("cut at %d of %d: %d steps", cut, len(whole), len(steps))
		}
		must(t, j.Close())
	}
}

// headAt is the head of a journal that ends there.
func headAt(journal []byte, t *testing.T) []byte {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "journal"), journal, 0o600))
	f, err := os.Open(filepath.Join(dir, "journal"))
	must(t, err)
	defer f.Close()
	h, err := os.Create(filepath.Join(dir, "head"))
	must(t, err)
	defer h.Close()
	c := chain{file: f, head: h}
	must(t, c.read(func(*frame) {}))
	must(t, c.saveHead())
	data, err := os.ReadFile(h.Name())
	must(t, err)
	return data
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	run(t, dir, args...)
}

func run(t testing.TB, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@home.example", "-c", "init.defaultBranch=main"}, args...)...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %s", args, out)
	}
}

// TestGitGivesBack: what git has is not copied, and is there though git has thrown it away.
func TestGitGivesBack(t *testing.T) {
	p := newPlace(t)
	p.write("a", "committed and rather unlikely to be held elsewhere")
	git(t, p.root, "init", "-q")
	git(t, p.root, "add", "-A")
	git(t, p.root, "commit", "-q", "-m", "x")
	time.Sleep(2 * racy)
	git(t, p.root, "update-index", "--refresh", "--really-refresh")
	must(t, os.Chtimes(filepath.Join(p.root, ".git", "index"), time.Now().Add(time.Second), time.Now().Add(time.Second))) // as if git had looked later
	p.call("s", func() {
		must(t, os.RemoveAll(filepath.Join(p.root, "a")))
		git(t, p.root, "commit", "-q", "-a", "--amend", "--allow-empty", "-m", "y")
		git(t, p.root, "reflog", "expire", "--expire=now", "--all")
		git(t, p.root, "gc", "-q", "--prune=now")
	})
	steps := p.steps()
	i := slices.IndexFunc(steps[0].Changes, func(c Change) bool { return filepath.Base(c.Path) == "a" })
	if i < 0 || steps[0].Changes[i].Before.Ref[0] != 'g' {
		t.Errorf("a was copied: %+v", steps[0].Changes)
	}
	p.undo(Selection{Sessions: []string{"s"}}, false)
	p.reads("a", "committed and rather unlikely to be held elsewhere")
	git(t, p.root, "fsck", "--connectivity-only")
}

// TestConversionsAreCopied: where git writes other bytes than it keeps, files are kept themselves.
func TestConversionsAreCopied(t *testing.T) {
	p := newPlace(t)
	p.write(".gitattributes", "*.txt eol=crlf\n")
	p.write("a.txt", "one\r\ntwo\r\n")
	git(t, p.root, "init", "-q")
	git(t, p.root, "add", "-A")
	git(t, p.root, "commit", "-q", "-m", "x")
	must(t, os.Chtimes(filepath.Join(p.root, ".git", "index"), time.Now().Add(time.Second), time.Now().Add(time.Second)))
	p.call("s", func() { p.write("a.txt", "other") })
	p.undo(Selection{Sessions: []string{"s"}}, false)
	p.reads("a.txt", "one\r\ntwo\r\n")
}

// TestLinkedWorkTree: a work tree's index and branches lie elsewhere, and come back too.
func TestLinkedWorkTree(t *testing.T) {
	base := t.TempDir()
	main := filepath.Join(base, "main")
	must(t, os.Mkdir(main, 0o755))
	git(t, main, "init", "-q")
	git(t, main, "commit", "-q", "--allow-empty", "-m", "x")
	git(t, main, "worktree", "add", "-q", "-b", "side", filepath.Join(base, "w"))
	p := &place{t: t, root: filepath.Join(base, "w"), dir: filepath.Join(base, "j")}
	before, listed := treeHash(t, base2(t, base))
	p.call("s", func() {
		p.write("a", "1")
		git(t, p.root, "add", "-A")
		git(t, p.root, "commit", "-q", "-m", "y")
		git(t, p.root, "branch", "other")
	})
	if r := p.undo(Selection{Sessions: []string{"s"}}, false); len(r.Left) > 0 {
		t.Errorf("left: %v", r.Left)
	}
	if after, now := treeHash(t, base2(t, base)); after != before {
		t.Errorf("not as before:\n%s", difference(listed, now))
	}
}

// base2 is a directory with links to nothing but the two work trees: the journal is not part of them.
func base2(t *testing.T, base string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	must(t, os.Mkdir(dir, 0o755))
	for _, name := range []string{"main", "w"} {
		if out, err := exec.Command("cp", "-a", filepath.Join(base, name), dir).CombinedOutput(); err != nil {
			t.Fatalf("cp: %s", out)
		}
	}
	return dir
}

func TestOtherWorkspace(t *testing.T) {
	p := newPlace(t)
	must(t, p.open().Close())
	if _, err := Open(Options{Dir: p.dir, Root: t.TempDir()}); err == nil {
		t.Error("the journal of another workspace was opened")
	}
	for _, dir := range []string{p.root, filepath.Join(p.root, "j"), filepath.Dir(p.root), "j"} {
		if _, err := Open(Options{Dir: dir, Root: p.root}); err == nil {
			t.Errorf("a journal in %s was opened", dir)
		}
	}
}

func TestSilentSteps(t *testing.T) {
	p := newPlace(t)
	for _, text := range []string{"1", "2"} {
		j := p.open()
		_, err := j.Before(Call{Session: "s", Silent: true})
		must(t, err)
		must(t, j.Close())
		p.write("a"+text, text)
	}
	p.undo(Selection{Sessions: []string{"s"}}, false)
	p.reads("a1", "")
	p.reads("a2", "")
}
