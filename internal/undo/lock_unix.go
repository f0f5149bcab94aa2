//go:build unix

package undo

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockWait takes a lock that ends with the process (flock(2)), and gives up after a while.
func lockWait(name string, limit time.Duration) (unlock func() error, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(end) {
			f.Close()
			return nil, err
		}
	}
}
