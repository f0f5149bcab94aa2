//go:build !unix

package undo

import (
	"os"
	"time"
)

// lockWait makes the lock's file. Where there is no flock(2), processes that use one
// journal side by side may lose each other's steps.
func lockWait(name string, _ time.Duration) (unlock func() error, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return f.Close, nil
}
