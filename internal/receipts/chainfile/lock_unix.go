//go:build unix

package chainfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockFile holds a lock on a file (flock(2)), which ends with the process.
func lockFile(f *os.File, limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(end) {
			return err
		}
	}
}
