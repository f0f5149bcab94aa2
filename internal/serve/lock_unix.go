//go:build unix

package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// safeFolder refuses a folder in which somebody else could put another socket in
// the place of ours: a client would take its answers for the policy's.
func safeFolder(name string) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || int(sys.Uid) != os.Getuid() && sys.Uid != 0 {
		return fmt.Errorf("%s belongs to another user", name)
	}
	if st.Mode().Perm()&0o022 != 0 && st.Mode()&fs.ModeSticky == 0 {
		return fmt.Errorf("%s can be written by others", name)
	}
	return nil
}

// lock takes a lock that the kernel gives back when the process ends, however it
// ends. The file stays: removing it would let two processes hold it.
func lock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// private makes new files the owner's alone until restore is called: a socket
// must not be open to others between its making and its chmod.
func private() (restore func()) {
	old := syscall.Umask(0o177)
	return func() { syscall.Umask(old) }
}

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
