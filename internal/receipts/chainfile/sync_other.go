//go:build !linux

package chainfile

import (
	"os"
	"runtime"
)

// syncData has all of a file written to the disk.
func syncData(f *os.File) error { return f.Sync() }

// unsyncable says whether directories can't be synced here at all.
func unsyncable(err error) bool { return err != nil && runtime.GOOS == "windows" }
