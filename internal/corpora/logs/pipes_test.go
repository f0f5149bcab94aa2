//go:build unix

package logs

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestNamedPipe: one that is named is read, and waiting for its writer ends with the
// context.
func TestNamedPipe(t *testing.T) {
	fifo := func() string {
		name := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, workers := range []int{1, 2} {
		pipe := fifo()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		for r := range Open([]string{pipe}, Options{Workers: workers}).Records(ctx) {
			t.Errorf("%+v", r)
		}
		if ctx.Err() == nil {
			t.Error("a pipe that nobody writes to ended")
		}
	}
	pipe := fifo()
	go os.WriteFile(pipe, []byte(goodLine), 0o600)
	if got := count(t, Options{}, pipe); got.episodes != 1 || len(got.codes) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestPipesAndSockets in a directory are counted and not read.
func TestPipesAndSockets(t *testing.T) {
	t.Chdir(t.TempDir()) // the name of a socket has to be short
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink("pipe", "to-pipe"); err != nil {
		t.Fatal(err)
	}
	got := count(t, Options{}, ".")
	want := []string{
		"a named pipe, not a file: read only if it is named itself",
		"a socket, not a file: read only if it is named itself",
		"a named pipe, not a file: read only if it is named itself",
	}
	if !slices.Equal(got.skips, want) || len(got.codes) != 0 {
		t.Errorf("%+v", got)
	}
}
