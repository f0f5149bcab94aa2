//go:build unix

package logs

import (
	"net"
	"os"
	"slices"
	"syscall"
	"testing"
)

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
