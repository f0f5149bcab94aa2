//go:build !unix

package main

import (
	"os"
	"time"
)

// lockFile opens the lock's file. Where there is no flock(2), hooks that run
// side by side may lose each other's last note.
func lockFile(name string, _ time.Duration) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
}
