package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// disk is a small file system that only stores lie on, so that it can be filled to the last
// block and lose its power. That takes a loop device and the right to mount.
type disk struct {
	kind, image, at string
	device          string // the loop device; one that mount(8) made would go with each power failure
}

// diskSize is enough for one task's store, and small to fill. XFS takes no less.
var diskSize = map[string]int64{"ext4": 32 << 20, "xfs": 320 << 20, "tmpfs": 16 << 20}

// newDisk makes a disk below a directory.
func newDisk(kind, dir string) (*disk, error) {
	size, ok := diskSize[kind]
	if !ok {
		return nil, fmt.Errorf("no kind of disk %q: ext4, xfs or tmpfs", kind)
	}
	d := &disk{kind: kind, image: filepath.Join(dir, "image"), at: filepath.Join(dir, "disk")}
	if err := os.Mkdir(d.at, 0o700); err != nil {
		return nil, err
	}
	if kind != "tmpfs" {
		f, err := os.Create(d.image)
		if err == nil {
			err = errors.Join(f.Truncate(size), f.Close(), tool("mkfs."+kind, "-q", d.image))
		}
		if err != nil {
			return nil, err
		}
		out, err := exec.Command("losetup", "--find", "--show", d.image).Output()
		if err != nil {
			return nil, fmt.Errorf("losetup: %w", err)
		}
		d.device = strings.TrimSpace(string(out))
	}
	if err := d.mount(); err != nil {
		return nil, errors.Join(err, d.detach())
	}
	return d, nil
}

func (d *disk) detach() error {
	if d.device == "" {
		return nil
	}
	return tool("losetup", "--detach", d.device)
}

func tool(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %q: %w: %s", name, args, err, out)
	}
	return nil
}

func (d *disk) mount() error {
	if d.kind == "tmpfs" {
		return unix.Mount("tmpfs", d.at, "tmpfs", 0, fmt.Sprintf("size=%d", diskSize[d.kind]))
	}
	return unix.Mount(d.device, d.at, d.kind, 0, "")
}

// close gives the disk back.
func (d *disk) close() error { return errors.Join(d.unmount(), d.detach()) }

// unmount waits for what still has a file of the disk open.
func (d *disk) unmount() (err error) {
	for range 100 {
		if err = unix.Unmount(d.at, 0); err == nil || !errors.Is(err, unix.EBUSY) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

func (d *disk) ballast() string { return filepath.Join(d.at, "ballast") }

// fill takes every block, those that are kept for the superuser too, and gives some bytes
// back.
func (d *disk) fill(free int64) error {
	f, err := os.Create(d.ballast())
	if err != nil {
		return err
	}
	defer f.Close()
	n := int64(0)
	for _, size := range []int{1 << 20, 4 << 10} {
		for block := make([]byte, size); ; {
			k, err := f.Write(block)
			if n += int64(k); errors.Is(err, unix.ENOSPC) {
				break
			} else if err != nil {
				return err
			}
		}
		if err := f.Sync(); err != nil && !errors.Is(err, unix.ENOSPC) {
			return err
		}
	}
	return errors.Join(f.Truncate(max(0, n-free)), f.Sync())
}

func (d *disk) sync() error {
	dir, err := os.Open(d.at)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close())
}

// free gives all room back, and waits until the file system has it: XFS frees blocks later.
func (d *disk) free() error {
	if err := errors.Join(os.Remove(d.ballast()), d.sync()); err != nil { // else it is there again after a power failure
		return err
	}
	var st unix.Statfs_t
	for range 200 {
		if err := unix.Statfs(d.at, &st); err != nil {
			return err
		}
		if int64(st.Bavail)*st.Bsize > diskSize[d.kind]/8 {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("the disk stays full")
}

// The system call that file systems are tried for power failures with: nothing that was not
// synced gets to the disk any more, the journal neither (FS_IOC_SHUTDOWN of linux/fs.h, with
// EXT4_GOING_FLAGS_NOLOGFLUSH, XFS_FSOP_GOING_FLAGS_NOLOGFLUSH).
const (
	ioctlShutdown = 0x8004587d
	noLogFlush    = 2
)

func (d *disk) hasPower() bool { return d.kind != "tmpfs" }

// cut is the end of the power: of this disk, and of no other one, whatever is mounted.
func (d *disk) cut() error {
	dir, err := os.Open(d.at)
	if err != nil {
		return err
	}
	defer dir.Close()
	var here, above unix.Stat_t
	if err := errors.Join(unix.Fstat(int(dir.Fd()), &here), unix.Stat(filepath.Dir(d.at), &above)); err != nil {
		return err
	}
	if here.Dev == above.Dev {
		return errors.New("the disk is not mounted")
	}
	return unix.IoctlSetPointerInt(int(dir.Fd()), ioctlShutdown, noLogFlush)
}

// restore mounts the disk again, as a machine that comes up does.
func (d *disk) restore() error { return errors.Join(d.unmount(), d.mount()) }
