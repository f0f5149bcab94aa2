//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockFile opens a file and holds an exclusive lock on it (flock(2)), which
// ends with the process. It gives up after half of the time limit, so that the
// reason is said before the watchdog ends the run.
func lockFile(name string, limit time.Duration) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(limit / 2); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(end) {
			f.Close()
			return nil, err
		}
	}
}
