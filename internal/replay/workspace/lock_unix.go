//go:build unix

package workspace

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// hold takes a share of the lock that says that commands run on a workspace. It belongs to
// the open file, which each command's sandbox keeps open too (bwrap(1), --sync-fd): a command
// whose gbt was killed before bwrap knew that it has to die with it holds on to it until it ends.
func hold(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// alone waits until no command holds the lock, for as long as one may run.
func alone(name string, timeout time.Duration) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for end := time.Now().Add(timeout); ; time.Sleep(5 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if time.Now().After(end) {
			return errors.New("a command of an earlier run is still at work there: wait for it, or end it")
		}
	}
}
