//go:build unix

package stores

import (
	"os"
	"syscall"
)

// lock takes a lock that the kernel gives back when the process ends, however it
// ends. It belongs to the open file, so two of one process exclude each other too.
// The file stays: removing it would let two hold it.
func lock(name string) (unlock func() error, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f.Close, nil
}
