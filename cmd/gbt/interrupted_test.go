package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestInterruptedWhileWaiting: one Ctrl-C ends a command that waits for its
// standard input, after what it has answered.
func TestInterruptedWhileWaiting(t *testing.T) {
	for _, name := range []string{"check", "explain"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a command that goes on waiting is killed
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], name)
			cmd.Args[0] = "gbt" // see TestMain
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if name == "check" { // its answer shows that it is waiting again
				if _, err := stdin.Write([]byte(`{"id":1,"tool":"Bash","args":{"command":"ls"}}` + "\n")); err != nil {
					t.Fatal(err)
				}
				if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
					t.Fatalf("answered %q, %v", line, err)
				}
			} else if _, err := stdin.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil { // more than a pipe holds: it is reading
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitUsage || stderr.String() != "gbt: interrupted\n" {
				t.Errorf("exit status %d, stderr %q", code, stderr.String())
			}
		})
	}
}
