//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the program a process group, so that its children end with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
