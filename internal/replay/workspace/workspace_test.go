package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/replay"
)

// open returns a workspace, or nil on a developer's machine without bubblewrap.
// Where CI is set, a missing sandbox is a failure: .ci/run installs it.
func open(t *testing.T, opts Options) *Workspace {
	t.Helper()
	w, err := New(context.Background(), opts)
	if errors.Is(err, ErrNoSandbox) && os.Getenv("CI") == "" {
		t.Logf("NOT TESTED: %v", err)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func bash(i int, cmd string) replay.Call {
	args, _ := json.Marshal(map[string]string{"command": cmd})
	return replay.Call{Index: i, Tool: "bash", Args: string(args)}
}

func run(t *testing.T, w *Workspace, cmd string) replay.Result {
	t.Helper()
	r, err := w.Execute(context.Background(), bash(0, cmd))
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return r
}

func TestNoSandboxNoCommand(t *testing.T) {
	_, err := New(context.Background(), Options{Bwrap: "no-such-bwrap"})
	if !errors.Is(err, ErrNoSandbox) {
		t.Fatalf("without bwrap: %v", err)
	}
	// A program that runs its arguments without confining them is no sandbox.
	fake := filepath.Join(t.TempDir(), "bwrap")
	os.WriteFile(fake, []byte("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"), 0o755)
	if _, err := New(context.Background(), Options{Bwrap: fake}); !errors.Is(err, ErrNoSandbox) {
		t.Fatalf("with a bwrap that confines nothing: %v", err)
	}
	for _, mount := range []string{"/", "/usr", "relative", "/tmp/../etc"} {
		if _, err := New(context.Background(), Options{Mount: mount}); err == nil || errors.Is(err, ErrNoSandbox) {
			t.Errorf("mounted at %s: %v", mount, err)
		}
	}
}

func TestConfinement(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	os.WriteFile(secret, []byte("x"), 0o644)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("GBT_TEST_SECRET", "in the environment")
	w := open(t, Options{Timeout: 10 * time.Second, Output: 1000})
	if w == nil {
		return
	}
	w.Reset(context.Background(), &corpora.Episode{})
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for name, c := range map[string]struct{ cmd, out string }{
		"a file of the host":      {"cat " + secret + " 2>/dev/null; echo $?", "1\n"},
		"the repository":          {"ls /work /root 2>/dev/null; echo $?", "2\n"},
		"passwords":               {"cat /etc/shadow 2>/dev/null; echo $?", "1\n"},
		"programs of the host":    {"echo x 2>/dev/null > /usr/bin/x; echo $?", "1\n"},
		"the environment":         {"env | grep GBT_TEST; echo $?", "1\n"},
		"a port of the host":      {"(echo > /dev/tcp/127.0.0.1/" + port + ") 2>/dev/null; echo $?", "1\n"},
		"processes of the host":   {"kill -0 " + fmt.Sprint(os.Getpid()) + " 2>/dev/null; echo $?", "1\n"},
		"other users":             {"id -u", "1000\n"},
		"it does work":            {"echo a > a && cat a", "a\n"},
		"a process left behind":   {"sleep 100 & echo b", "b\n"},
		"output beyond the limit": {"head -c 2000 /dev/zero | tr '\\0' x", strings.Repeat("x", 1000) + "\n[1000 more bytes]"},
	} {
		begin := time.Now()
		if r := run(t, w, c.cmd); r.Text != c.out {
			t.Errorf("%s: %q, want %q", name, r.Text, c.out)
		}
		if d := time.Since(begin); d > 60*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
	w.box.timeout = 300 * time.Millisecond
	if r := run(t, w, "sleep 100"); r.ExitCode != 124 || r.Error == "" {
		t.Errorf("a command without end: %+v", r)
	}
}

func TestShellStateCarriesOver(t *testing.T) {
	w := open(t, Options{})
	if w == nil {
		return
	}
	w.Reset(context.Background(), &corpora.Episode{})
	run(t, w, "mkdir -p d && cd d && export A='x y' && B=1")
	r := run(t, w, `pwd; echo "$A$B"; exit 3`)
	if r.Text != "/workspace/d\nx y\n" || r.ExitCode != 3 || r.Cwd != "/workspace/d" {
		t.Errorf("%+v", r)
	}
	if st := w.State(); st.Cwd != "/workspace/d" || len(st.Roots) != 1 {
		t.Errorf("state %+v", st)
	}
	run(t, w, "ln -s /etc e; ln -s ../x y")
	if l := w.State().Links; len(l) != 2 || l[0].From != "/workspace/d/e" || l[0].To != "/etc" || l[1].To != "/workspace/x" {
		t.Errorf("links %+v", l)
	}
}

func TestFileTools(t *testing.T) {
	w := open(t, Options{})
	if w == nil {
		return
	}
	w.Reset(context.Background(), &corpora.Episode{})
	outside := filepath.Join(t.TempDir(), "outside")
	os.WriteFile(outside, []byte("host"), 0o644)
	run(t, w, "ln -s "+filepath.Dir(outside)+" out; ln -s / all")
	for _, c := range []struct{ tool, args, text, fails string }{
		{"str_replace_editor", `{"command":"create","path":"/workspace/p/a.txt","file_text":"one\ntwo\n"}`, "written", ""},
		{"str_replace_editor", `{"command":"insert","path":"/workspace/p/a.txt","insert_line":1,"new_str":"half"}`, "inserted", ""},
		{"Edit", `{"file_path":"p/a.txt","old_string":"two","new_string":"2"}`, "replaced", ""},
		{"Edit", `{"file_path":"p/a.txt","old_string":"nine","new_string":"2"}`, "", "not there"},
		{"Read", `{"file_path":"/workspace/p/a.txt"}`, "one\nhalf\n2\n", ""},
		{"str_replace_editor", `{"command":"view","path":"/workspace/p"}`, "a.txt", ""},
		{"Write", `{"file_path":"/tmp/b","content":"x"}`, "written", ""},
		{"Read", `{"file_path":"/workspace/out/outside"}`, "", "escapes"},
		{"Write", `{"file_path":"/workspace/out/outside","content":"x"}`, "", "escapes"},
		{"Read", `{"file_path":"/workspace/all/etc/hostname"}`, "", "escapes"},
		{"Read", `{"file_path":"/workspace/../etc/hostname"}`, "", "permission"},
		{"Read", `{"file_path":"/etc/hostname"}`, "", "permission"},
		{"Read", `{}`, "", "no path"},
		{"Read", `[]`, "", "arguments"},
		// A tool does what its name says, to the path that gates see.
		{"read_file", `{"path":"p/hook","content":"x"}`, "", "not supported"},
		{"read_file", `{"command":"create","path":"p/hook","file_text":"x"}`, "", "not supported"},
		{"read_file", `{"command":"insert","path":"p/a.txt","insert_line":0,"new_str":"x"}`, "", "not supported"},
		{"read_file", `{"path":"p/a.txt","old_str":"one","new_str":"x"}`, "", "not supported"},
		{"delete_file", `{"path":"p/hook","content":"x"}`, "", "not supported"},
		{"move_file", `{"source":"a","destination":"b","path":"p/hook","content":"x"}`, "", "not supported"},
		{"str_replace_editor", `{"command":"view","path":"p/a.txt","file_text":"x"}`, "one\nhalf\n2\n", ""},
		{"write_file", `{"path":"p/ok","Path":"p/hook","content":"x"}`, "", "letter case"},
		{"write_file", `{"path":"p/ok","path":"p/hook","content":"x"}`, "", "twice"},
		{"write_file", `{"path":"p/ok","file_path":"p/hook","content":"x"}`, "", "two paths"},
		{"write_file", `{"Path":"p/hook","content":"x"}`, "", "no path"},
		{"str_replace_editor", `{"command":"view","path":"/workspace/p"}`, "a.txt", ""},
	} {
		r, err := w.Execute(context.Background(), replay.Call{Tool: c.tool, Args: c.args})
		if err != nil {
			t.Fatal(err)
		}
		if r.Text != c.text || (c.fails == "") != (r.Error == "") || !strings.Contains(r.Error, c.fails) {
			t.Errorf("%s %s: %q, error %q", c.tool, c.args, r.Text, r.Error)
		}
	}
	if data, _ := os.ReadFile(outside); string(data) != "host" {
		t.Error("a file of the host was changed")
	}
	if _, err := w.Execute(context.Background(), replay.Call{Tool: "send_email", Args: "{}"}); err == nil {
		t.Error("a mail was sent from a workspace")
	}
}

// TestRestoreEqualsExecutingAgain compares a restored state with the state that
// the calls before the mark lead to: the slow and obvious way.
func TestRestoreEqualsExecutingAgain(t *testing.T) {
	a, b := open(t, Options{}), open(t, Options{})
	if a == nil {
		return
	}
	cmds := []string{
		"echo one >> f", "mkdir -p d/e; echo x > d/e/g", "rm -rf d", "ln -sfn f l", "chmod 400 f 2>/dev/null", "mv f h 2>/dev/null; true",
		"printf 'a\\nb\\n' > h", "rm -f l; mkdir -p l", "cd d 2>/dev/null; export V=$RANDOM$V; export V=1", "echo t > /tmp/t; echo h > ~/h", "touch -d 2001-01-01 h",
	}
	ctx, restores := context.Background(), 0
	rapid.Check(t, func(rt *rapid.T) {
		if restores > 15 {
			return // each costs processes; the bound keeps the test short
		}
		picked := rapid.SliceOfN(rapid.SampledFrom(cmds), 2, 5).Draw(rt, "commands")
		at := rapid.IntRange(0, len(picked)-1).Draw(rt, "mark")
		var mark replay.Mark
		a.Reset(ctx, &corpora.Episode{})
		b.Reset(ctx, &corpora.Episode{})
		for i, cmd := range picked {
			if i == at {
				mark, _ = a.Checkpoint(ctx)
			}
			run(t, a, cmd)
			if i < at {
				run(t, b, cmd)
			}
		}
		if err := a.Restore(ctx, mark); err != nil {
			rt.Fatal(err)
		}
		restores++
		want, err := a.store.scan(b.box.base, nil)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := a.store.scan(a.box.base, nil) // from what is there, not from what is remembered
		if err != nil {
			rt.Fatal(err)
		}
		for _, rel := range append(ascending(want), ascending(got)...) {
			g, w := got[rel], want[rel]
			if g.mode != w.mode || g.link != w.link || g.blob != w.blob {
				rt.Fatalf("after %q restored to %d: %s is %+v, want %+v", picked, at, rel, g, w)
			}
		}
	})
	if restores < 10 {
		t.Fatalf("only %d states were restored", restores)
	}
}

// TestHiddenChange: size and time of a file can be set, its change is seen.
func TestHiddenChange(t *testing.T) {
	w := open(t, Options{})
	if w == nil {
		return
	}
	w.Reset(context.Background(), &corpora.Episode{})
	run(t, w, "printf aa > f; touch -d 2001-01-01 f")
	r := run(t, w, "printf bb > f; touch -d 2001-01-01 f")
	if len(r.Deltas) != 2 || r.Deltas[1].Kind != corpora.DeltaFileModify {
		t.Errorf("deltas %+v", r.Deltas)
	}
	if r = run(t, w, "touch f"); len(r.Deltas) != 1 {
		t.Errorf("a new time alone is a change: %+v", r.Deltas)
	}
	m, err := w.Checkpoint(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before := run(t, w, "stat -c %a f").Text
	if r = run(t, w, "chmod 700 f"); len(r.Deltas) != 2 {
		t.Errorf("a new mode is no change: %+v", r.Deltas)
	}
	if err := w.Restore(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if after := run(t, w, "stat -c %a f").Text; after != before {
		t.Errorf("mode %s after restore, want %s", after, before)
	}
}

// record runs the commands once and returns them as a log.
func record(t *testing.T, w *Workspace, cmds []string) *corpora.Episode {
	ep := &corpora.Episode{ID: "recorded"}
	if err := w.Reset(context.Background(), ep); err != nil {
		t.Fatal(err)
	}
	for i, cmd := range cmds {
		c := bash(i, cmd)
		r, err := w.Execute(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		ep.Steps = append(ep.Steps, corpora.Step{Tool: c.Tool, Args: c.Args, Status: corpora.StatusExecuted, Result: r.Text, ExitCode: r.ExitCode, HasExit: true})
	}
	return ep
}

// TestReplay finds the window of a recorded episode: the link makes what looks
// like a change of the workspace one outside it, which only observed state shows.
func TestReplay(t *testing.T) {
	from := t.TempDir()
	os.WriteFile(filepath.Join(from, "notes.txt"), []byte("hello\n"), 0o644)
	w := open(t, Options{Snapshot: func(*corpora.Episode) (string, error) { return from, nil }})
	if w == nil {
		return
	}
	spec, problems := monitor.Parse("m", []byte("version: 1\noutside: [delete]\nroots: [/workspace]\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	ep := record(t, w, []string{"cat notes.txt", "ln -s /usr/lib cache", "ls", "rm -rf cache/x", "echo done >> notes.txt"})
	f, err := replay.Find(context.Background(), w, ep, replay.Options{Spec: spec})
	if err != nil || f.Divergence != nil {
		t.Fatal(err, f.Divergence)
	}
	if len(f.Windows) != 1 || f.Windows[0].From != 3 || f.Windows[0].To != 3 || f.Windows[0].Verdict.Rule != "outside/delete" {
		t.Fatalf("windows %+v", f.Windows)
	}
	if d := f.Trace[4].Result.Deltas; len(d) != 2 || d[1].Kind != corpora.DeltaFileModify || d[1].Resource != "/workspace/notes.txt" || d[1].Size != 1 {
		t.Errorf("deltas %+v", d)
	}
	// A cold replay needs the link too.
	f, err = replay.Find(context.Background(), w, ep, replay.Options{Spec: spec, Cold: true})
	if err != nil || len(f.Windows) != 1 || f.Windows[0].From != 1 || f.Windows[0].To != 3 {
		t.Fatalf("cold: %+v, %v", f.Windows, err)
	}
	// Another snapshot is another run: it diverges, and is no evidence.
	os.WriteFile(filepath.Join(from, "notes.txt"), []byte("goodbye\n"), 0o644)
	f, err = replay.Find(context.Background(), w, ep, replay.Options{Spec: spec})
	if err != nil || f.Divergence == nil || f.Divergence.Step != 0 || len(f.Windows) != 0 {
		t.Fatalf("divergence %v, %v", f.Divergence, err)
	}
	// So does one that shows the time.
	ep = record(t, w, []string{"date +%N"})
	if f, err = replay.Find(context.Background(), w, ep, replay.Options{Spec: spec}); err != nil || f.Divergence == nil {
		t.Fatalf("a clock: %v, %v", f.Divergence, err)
	}
	if f, err = replay.Find(context.Background(), w, ep, replay.Options{Spec: spec, Loose: true}); err != nil || f.Divergence != nil {
		t.Fatalf("a clock, compared loosely: %v, %v", f.Divergence, err)
	}
}
