package chainfile

import (
	"errors"
	"os"
	"syscall"
)

// syncData is fdatasync(2): the times of a file are nothing that a reader needs.
func syncData(f *os.File) error {
	for {
		err := syscall.Fdatasync(int(f.Fd()))
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// unsyncable says whether a directory's file system knows no such thing (fsync(2)).
func unsyncable(err error) bool { return errors.Is(err, syscall.EINVAL) }
