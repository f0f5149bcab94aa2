//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
)

// TestStartersOfAnother: what runs as another user is none of the session's, whoever started it.
func TestStartersOfAnother(t *testing.T) {
	m := newMachine(t)
	if os.Getuid() != 0 {
		t.Skip("only root may run something as another user")
	}
	m.call("one", func() {
		cmd := exec.Command("sleep", long(31))
		cmd.Env = []string{testMark + "=1"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		m.start(true, "sleep", long(32))
		time.Sleep(30 * time.Millisecond)
	})
	if got := m.started(testMark); got[long(31)] != gates.StarterUnknown || got[long(32)] != gates.StarterCall {
		t.Errorf("another user's: %v, one's own: %v", got[long(31)], got[long(32)])
	}
}
