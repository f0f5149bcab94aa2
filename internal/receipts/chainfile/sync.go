package chainfile

import (
	"errors"
	"os"
	"path/filepath"
)

// This file is about what has to reach the disk, and in which order, so that after a power
// failure every receipt is there whose call was let through, and nothing looks tampered with:
// where the chain will end before its receipts, and these before a head that counts them.

// sync has a file's contents written to the disk, unless the log says otherwise.
func (c *chain) sync(f *os.File) error {
	if c.log.NoSync {
		return nil
	}
	return syncData(f)
}

// syncDir has the names in a directory written to the disk. Where a directory can't be
// synced, its names are as safe as the file system makes them.
func (l *Log) syncDir(dir string) error {
	if l.NoSync {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if unsyncable(err) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// replace writes a file whole, with its name.
func (l *Log) replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // which is gone where all went well
	_, err = f.Write(data)
	if err == nil && !l.NoSync {
		err = syncData(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	return l.syncDir(filepath.Dir(name))
}
