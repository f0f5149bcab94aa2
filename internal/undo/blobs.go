package undo

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// blobs keeps contents of files by their SHA-256.
type blobs struct {
	dir    string
	copied bool // a content was copied and not linked
	linked bool // a content shares blocks with the file it was taken from
	bytes  int64
}

var errChanging = errors.New("changed while it was read")

func (b *blobs) path(sum string) string { return filepath.Join(b.dir, sum[:2], sum[2:]) }

// hashes are the names of a content, here and in git's objects (gitformat-loose-object:
// the SHA-1 of "blob", the size, a zero byte and the content).
type hashes struct{ ours, git hash.Hash }

func newHashes(size int64) hashes {
	h := hashes{sha256.New(), sha1.New()}
	fmt.Fprintf(h.git, "blob %d\x00", size)
	return h
}

// keep takes a file's content in and returns its name, and the one that git would
// give it. A file that changes meanwhile is an error.
func (b *blobs) keep(name string, want Entry) (sum, git string, err error) {
	in, err := openFile(name)
	if err != nil {
		return "", "", err
	}
	defer in.Close()
	h := newHashes(want.Size)
	n, err := io.Copy(io.MultiWriter(h.ours, h.git), in)
	if err != nil {
		return "", "", err
	}
	if err := unchanged(in, want, n); err != nil {
		return "", "", err
	}
	sum, git = hex.EncodeToString(h.ours.Sum(nil)), hex.EncodeToString(h.git.Sum(nil))
	if _, err := os.Lstat(b.path(sum)); err == nil {
		return sum, git, nil
	}
	return sum, git, b.put(in, sum, n)
}

func unchanged(in *os.File, want Entry, n int64) error {
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if got := entryOf(info); n != want.Size || got.Kind != File || got.Time != want.Time || got.id.ino != want.id.ino {
		return errChanging
	}
	return nil
}

func (b *blobs) put(in *os.File, sum string, size int64) error {
	to := b.path(sum)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(to), "new*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // no longer there once it has its name
	if size > 0 && reflink(out, in) {
		b.linked = true
	} else {
		b.copied = true
		if _, err = in.Seek(0, io.SeekStart); err == nil {
			_, err = out.ReadFrom(in)
		}
	}
	if err := errors.Join(err, verify(out, sum), out.Close()); err != nil {
		return err
	}
	b.bytes += size
	return os.Rename(out.Name(), to)
}

// verify reads a content again: what was taken in twice must be the same, else the
// file changed between.
func verify(f *os.File, sum string) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return errChanging
	}
	return nil
}

// open opens a content for reading.
func (b *blobs) open(sum string) (io.ReadCloser, error) {
	if len(sum) != 2*sha256.Size {
		return nil, fmt.Errorf("%.80q is no content's name", sum)
	}
	return os.Open(b.path(sum))
}

// openFile opens a regular file, and nothing that a link put in its place.
func openFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("is no longer a file")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
