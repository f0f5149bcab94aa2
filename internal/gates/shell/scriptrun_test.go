package shell

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// This file runs scripts for real, where the only programs are stubs that write down how they were
// called, and a few that only read and copy below the directory of the script.

// ran is one program that a script has run, or a file that it has written.
type ran struct {
	cwd  string
	argv []string // nil for a file that is new
	file string
}

func (r ran) String() string {
	if r.argv == nil {
		return "> " + r.file
	}
	return fmt.Sprintf("%s: %q", r.cwd, r.argv)
}

// Stubs write their words to the log; those of the second list then run the real program.
const (
	stubNames = "rm curl git touch ssh chmod"
	realNames = "cat mkdir cp mv tee head"
	deafNames = "env xargs find sh bash dash true false ls basename dirname tr sort"
)

const stub = `#!/bin/sh
l=%s
for a; do l=$l` + "\x1f" + `$a; done
printf '%%s\036%%s\035' "$l" "$PWD" >> %s/log
%s
`

// driver runs the cases that are named on its standard input, and waits for all that
// holds their output.
const driver = `
ulimit -f 2000 -c 0 -t 2
while read -r d sh; do
	printf '\034%s\035' $d >> log
	out=$(cd $d/w && exec -c /usr/bin/timeout -k 1 3 $sh -c "$(<../s)" 2>&1 </dev/null)
	printf '%s' "$out" > $d/out
done
`

// bench is a directory in which scripts run; every script has a directory of its own below it, of
// which the names have one length.
type bench struct {
	t    *testing.T
	dir  string
	next int
}

func newBench(t *testing.T) *bench {
	dir, err := os.MkdirTemp("", "g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &bench{t: t, dir: dir}
	bin := filepath.Join(dir, "bin")
	b.make(os.Mkdir(bin, 0o755))
	for name := range strings.FieldsSeq(stubNames) {
		b.program(bin, name, "exit 0")
	}
	b.program(dir, "ranfile", "exit 0")
	for name := range strings.FieldsSeq(realNames) {
		b.program(bin, name, "exec "+b.real(name)+` "$@"`)
	}
	for name := range strings.FieldsSeq(deafNames) {
		b.make(os.Symlink(b.real(name), filepath.Join(bin, name)))
	}
	return b
}

func (b *bench) real(name string) string {
	path, err := exec.LookPath(name)
	if name == "sh" {
		path, err = exec.LookPath("dash")
	}
	if err != nil {
		b.t.Fatalf("%s, a judge of this test: %v", name, err)
	}
	return path
}

func (b *bench) make(err error) {
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) program(bin, name, rest string) {
	b.make(os.WriteFile(filepath.Join(bin, name), fmt.Appendf(nil, stub, name, b.dir, rest), 0o755))
}

// virtual is where the reader is told that a case of this bench lies: as long as where it does.
func (b *bench) virtual(n int) string {
	pad := "/srv/" + strings.Repeat("v", 100)
	return fmt.Sprintf("%s/%05d", pad[:len(b.dir)], n)
}

// workFiles are what lies in the workspace and in the home before each script. Those that end in .sh
// tell who runs them.
var workFiles = []string{"w/a/f1", "w/a/d/f1", "w/b/f1", "w/f1", "w/f2", "w/s0.sh", "w/a/s0.sh", "w/b/s0.sh", "w/a/d/s0.sh", "h/p/f1", "h/f1"}

// script is one case: its text, in which @R@ stands for its directory, and what the shell did.
type script struct {
	shell string
	text  string
	root  string // as the reader is told
	line  string // as the reader is told
	ran   []ran
	out   string
}

// run runs scripts and notes what they did.
func (b *bench) run(scripts []*script) {
	var list strings.Builder
	first := b.next
	for _, s := range scripts {
		dir := fmt.Sprintf("%s/%05d", b.dir, b.next)
		s.root = b.virtual(b.next)
		s.line = strings.ReplaceAll(s.text, "@R@", s.root)
		for _, f := range workFiles {
			b.make(os.MkdirAll(filepath.Join(dir, filepath.Dir(f)), 0o755))
			text := "text\n"
			if strings.HasSuffix(f, ".sh") {
				text = b.dir + "/ranfile " + dir + "/" + f + "\n"
			}
			b.make(os.WriteFile(filepath.Join(dir, f), []byte(text), 0o644))
		}
		setup := fmt.Sprintf("export PATH=%s/bin HOME=%s/h; FUNCNEST=12\n", b.dir, dir)
		b.make(os.WriteFile(dir+"/s", []byte(setup+strings.ReplaceAll(s.text, "@R@", dir)+"\n"), 0o644))
		fmt.Fprintf(&list, "%05d %s\n", b.next, filepath.Join(b.dir, "bin", s.shell))
		b.next++
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.real("bash"), "-c", driver)
	cmd.Dir, cmd.Stdin = b.dir, strings.NewReader(list.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("bash, the judge of this test: %v: %s", err, out)
	}
	log, err := os.ReadFile(b.dir + "/log")
	b.make(err)
	parts := strings.Split(string(log), "\x1c")[1:]
	if len(parts) != len(scripts) {
		b.t.Fatalf("%d of %d scripts ran", len(parts), len(scripts))
	}
	b.make(os.Remove(b.dir + "/log"))
	for i, s := range scripts {
		b.collect(s, first+i, parts[i])
	}
}

// collect reads what the nth case has left.
func (b *bench) collect(s *script, n int, log string) {
	dir := fmt.Sprintf("%s/%05d", b.dir, n)
	told := func(text string) string { return strings.ReplaceAll(text, dir[1:], s.root[1:]) }
	for _, entry := range strings.SplitAfter(log, "\x1d")[1:] {
		words, cwd, ok := strings.Cut(strings.TrimSuffix(entry, "\x1d"), "\x1e")
		if ok && len(s.ran) < 200 {
			s.ran = append(s.ran, ran{cwd: told(cwd), argv: strings.Split(told(words), "\x1f")})
		}
	}
	out, _ := os.ReadFile(dir + "/out")
	s.out = told(string(out))
	known := map[string]bool{"s": true, "out": true}
	for _, f := range workFiles {
		known[f] = true
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); err == nil && !d.IsDir() && !known[rel] {
			s.ran = append(s.ran, ran{file: s.root + "/" + rel})
		}
		return nil
	})
	os.RemoveAll(dir)
}
