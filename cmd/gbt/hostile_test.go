package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"
)

// run1 is one good record, a success with one call.
const run1 = `{"id":"r1","task_id":"t1","success":true,"messages":[{"role":"user","content":"Look at the door."},` +
	`{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":{"at":"door"}}}]},` +
	`{"role":"tool","tool_call_id":"c1","content":"It squeaks."}]}` + "\n"

// hostileFiles are inputs that a script cannot hold: no text, or too long.
func hostileFiles() map[string][]byte {
	junk := make([]byte, 50_000)
	chacha := rand.NewChaCha8([32]byte{1})
	_, _ = chacha.Read(junk) // never fails
	var wide bytes.Buffer
	for _, u := range utf16.Encode([]rune("\ufeff" + run1)) {
		wide.Write(binary.LittleEndian.AppendUint16(nil, u))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(bytes.Repeat([]byte(run1), 500)) // to memory
	_ = z.Close()
	return map[string][]byte{
		"utf16.jsonl":   wide.Bytes(),
		"latin1.jsonl":  []byte(strings.Replace(run1, "door.", "caf\xe9.", 1)),
		"huge.jsonl":    []byte(run1 + `{"messages":"` + strings.Repeat("x", 3<<20) + "\"}\n" + strings.ReplaceAll(run1, "r1", "r2")),
		"deep.json":     []byte(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)),
		"deepkeys.json": []byte(strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)),
		"junk.json":     junk,
		"junk.bin":      junk,
		"cut.json":      []byte(run1[:90]),
		"cut.jsonl.gz":  packed.Bytes()[:20],
		"nul.jsonl":     append([]byte(run1), make([]byte, 4096)...),
	}
}

// hostile makes such files in a directory: "hostile DIR". A directory takes
// the name of a file, and a link leads nowhere, where there are links.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hostile DIR")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Join(dir, "directory.json"), 0o700))
	for name, data := range hostileFiles() {
		ts.Check(os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	ts.Check(os.Symlink("nowhere", filepath.Join(dir, "dangling.jsonl")))
}

// fullDisk takes some bytes and no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		return 0, errors.New("no space left on device")
	}
	d.room -= len(p)
	return len(p), nil
}

// TestResultNotWritten: a result that does not reach standard output is no
// success, and says so.
func TestResultNotWritten(t *testing.T) {
	dir := t.TempDir()
	in, policy := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "p.gbt")
	if err := os.WriteFile(in, []byte(run1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"distill", in, "-o", policy},
		{"distill", in, "-o", policy, "--json"},
		{"import", "--check", in},
		{"import", "--check", "--json", in},
		{"eval", "coverage", "--allow-leak", policy, in},
		{"eval", "coverage", "--allow-leak", "--json", policy, in},
	} {
		var stderr bytes.Buffer
		code := run(append([]string{"gbt"}, args...), strings.NewReader(""), &fullDisk{room: 10}, &stderr)
		if code != exitInput || !strings.Contains(stderr.String(), "cannot write standard output") {
			t.Errorf("gbt %s: exit status %d, want %d; stderr %q", strings.Join(args, " "), code, exitInput, stderr.String())
		}
	}
}

// TestDistillInterrupted sends Ctrl-C to the real program at several moments of
// a distillation: it ends soon, with the documented status, and leaves neither
// an output nor a temporary file. A run that was done before is whole.
func TestDistillInterrupted(t *testing.T) {
	logs := bytes.Repeat([]byte(run1), 1)
	for i := range 20_000 {
		text := strings.ReplaceAll(run1, "r1", "r"+number(i))
		logs = append(logs, strings.ReplaceAll(text, "door", "door "+number(i))...)
	}
	interrupted := 0
	for _, c := range []struct {
		name  string
		part  int           // of the logs, in percent, before the signal
		after time.Duration // between the end of the logs and the signal
	}{
		{name: "at the first record", part: 5},
		{name: "in the middle of reading", part: 50},
		{name: "at the end of reading", part: 100},
		{name: "while merging", part: 100, after: 100 * time.Millisecond},
		{name: "later", part: 100, after: 400 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			if interruptDistill(t, logs[:len(logs)*c.part/100], c.part == 100, c.after) {
				interrupted++
			}
		})
	}
	if interrupted < 2 {
		t.Errorf("only %d runs were interrupted: the test shows nothing", interrupted)
	}
}

func interruptDistill(t *testing.T, logs []byte, whole bool, after time.Duration) (interrupted bool) {
	dir, temp := t.TempDir(), t.TempDir()
	cmd := exec.Command(os.Args[0], "distill", "-", "-o", filepath.Join(dir, "p.gbt"), "--report", filepath.Join(dir, "p.md"), "-j", "2")
	cmd.Args[0] = "gbt" // see TestMain
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Longer than a pipe holds: once it is written, the program is reading.
	if _, err := stdin.Write(logs); err != nil {
		t.Fatal(err)
	}
	if whole {
		stdin.Close()
	}
	time.Sleep(after)
	if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	sent := time.Now()
	err = cmd.Wait()
	if d := time.Since(sent); d > time.Minute {
		t.Errorf("it took %v to end", d)
	}
	left := append(names(t, dir), names(t, temp)...)
	switch code := cmd.ProcessState.ExitCode(); {
	case code == exitGood && whole && err == nil:
		if len(left) != 2 {
			t.Errorf("a finished run left %v", left)
		}
	case code == exitUsage && strings.Contains(stderr.String(), "gbt: interrupted: nothing was written"):
		interrupted = true
		if len(left) != 0 {
			t.Errorf("an interrupted run left %v", left)
		}
	default:
		t.Errorf("exit status %d (%v), stderr %q, left %v", code, err, stderr.String(), left)
	}
	return interrupted
}

func names(t *testing.T, dir string) (out []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func number(i int) string {
	var b []byte
	for ; i > 0; i /= 26 {
		b = append(b, byte('a'+i%26))
	}
	return string(b)
}
