package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportInterrupted: Ctrl-C while standard input is silent ends the import
// with a sentence and leaves no file, not even a temporary one.
func TestImportInterrupted(t *testing.T) {
	dir := t.TempDir()
	stdin, hold := io.Pipe()
	defer hold.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.WriteString(hold, `{"messages":[{"role":"user","content":"x"}]}`+"\n")
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	e := &env{ctx: ctx, stdin: stdin, stdout: &stdout, stderr: &stderr}
	args := []string{"gbt", "import", "-o", filepath.Join(dir, "out.parquet"), "-"}
	code := report(&stderr, newApp(e).RunContext(ctx, args))
	if code != exitUsage || !strings.Contains(stderr.String(), "interrupted") || stdout.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestImportReportsAFullDisk writes the summary where nothing fits.
func TestImportReportsAFullDisk(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.json")
	if err := os.WriteFile(log, []byte(`{"messages":[{"role":"user","content":"x"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--check"}, {"--check", "--json"}} {
		var stderr bytes.Buffer
		args := append(append([]string{"gbt", "import"}, flags...), log)
		if code := run(args, nil, noRoom{}, &stderr); code == exitGood || !strings.Contains(stderr.String(), io.ErrShortWrite.Error()) {
			t.Errorf("%v: exit %d, stderr %q", flags, code, &stderr)
		}
	}
}

type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
