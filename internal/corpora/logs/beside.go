package logs

import (
	"archive/zip"
	"io"
	"os"
	"path"
	"path/filepath"
	"sync"
)

// beside reads the neighbours of the content at hand: label files that stand
// in the same directory or above it.
type beside struct {
	dir string // directory on disk; empty if there is none
	z   *zip.Reader
	zin string // directory inside z
}

// maxSide is the most bytes a neighbouring label file may have.
const maxSide = 64 << 20

func osBeside(u *Unit) beside {
	switch {
	case u.Name == "-":
		return beside{}
	case u.dir:
		return beside{dir: u.Name}
	}
	return beside{dir: filepath.Dir(u.Name)}
}

// packed is what the name of a file may have after its own: files of a log
// directory are packed one by one as often as all at once.
var packed = [...]string{"", ".gz", ".zst"}

// read gives the content of the neighbour at rel, with slashes, or of the same
// name packed; nil if there is none that can be read. Names that come from log
// content must go through plainName first.
func (b beside) read(rel string) []byte {
	for _, ext := range packed {
		if data := b.readPlain(rel + ext); data != nil {
			return data
		}
	}
	return nil
}

func (b beside) readPlain(rel string) []byte {
	if b.z != nil {
		return b.readMember(path.Join(b.zin, rel))
	}
	if b.dir == "" {
		return nil
	}
	f, err := os.Open(filepath.Join(b.dir, filepath.FromSlash(rel)))
	if err != nil {
		return nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxSide {
		return nil
	}
	data := make([]byte, st.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil
	}
	return bare(data)
}

func (b beside) readMember(name string) []byte {
	f, err := b.z.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSide+1))
	if err != nil || len(data) > maxSide {
		return nil
	}
	return bare(data)
}

// bare is a label file's content without what compression and a byte order
// mark add; nil if it is damaged or too much.
func bare(data []byte) []byte {
	data, err := unpackAll(data, maxSide)
	if err != nil {
		return nil
	}
	return unmarked(data)
}

// name is a key for the neighbour at rel, for caching.
func (b beside) name(rel string) string {
	if b.z != nil {
		return "\x00" + path.Join(b.zin, rel)
	}
	return filepath.Join(b.dir, filepath.FromSlash(rel))
}

// base is the name of the directory.
func (b beside) base() string {
	if b.z != nil {
		return path.Base(b.zin)
	}
	return filepath.Base(b.dir)
}

// none says that there are no neighbours at all.
func (b beside) none() bool { return b.z == nil && b.dir == "" }

// plainName says whether name, taken from a log, is a file name and no path.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && filepath.Base(name) == name && path.Base(name) == name
}

// sideFiles remembers what was read from label files that many units share.
type sideFiles struct {
	mu   sync.Mutex
	seen map[string]*sideEntry
}

type sideEntry struct {
	once  sync.Once
	value any
}

func newSideFiles() *sideFiles { return &sideFiles{seen: map[string]*sideEntry{}} }

// maxSeen bounds the label files remembered; past it they are read again.
const maxSeen = 1024

// get gives the value for name, made by load the first time.
func (s *sideFiles) get(name string, load func() any) any {
	s.mu.Lock()
	e := s.seen[name]
	if e == nil {
		if len(s.seen) >= maxSeen {
			clear(s.seen)
		}
		e = &sideEntry{}
		s.seen[name] = e
	}
	s.mu.Unlock()
	e.once.Do(func() { e.value = load() })
	return e.value
}
