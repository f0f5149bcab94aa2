package undo

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vmihailenco/msgpack/v5"
)

// frame is one entry of the journal: a step that began, or what was found changed.
type frame struct {
	Seq  uint64 `msgpack:"n"`
	Time int64  `msgpack:"t"` // nanoseconds since 1970
	Open *Step  `msgpack:"o,omitempty"`
	Note *note  `msgpack:"c,omitempty"`
}

// note says what a look found changed.
type note struct {
	Step     string   `msgpack:"s"` // whose change it is
	Done     bool     `msgpack:"d,omitempty"`
	Tier     Tier     `msgpack:"t"`
	Changes  []Change `msgpack:"c,omitempty"`
	Lost     int      `msgpack:"l,omitempty"`
	Reversed []string `msgpack:"r,omitempty"` // steps that this one undid
}

// ErrJournal says that a journal was changed by something else than this package.
var ErrJournal = errors.New("the journal is not what was written")

// maxFrame bounds a frame, before it is read.
const maxFrame = 1 << 30

// chain reads and writes frames: a length, the bytes, and the SHA-256 of the sum
// before and the bytes.
type chain struct {
	file *os.File
	head *os.File // where the journal ended when its last frame was written
	last [sha256.Size]byte
	seq  uint64
	end  int64
	torn bool // a frame at the end was cut off, and left away
}

func (c *chain) next(sum [sha256.Size]byte, data []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(sum[:])
	h.Write(data)
	return [sha256.Size]byte(h.Sum(nil))
}

const headSize = 8 + 8 + sha256.Size

// resume goes to where the last frame ended, without reading the ones before it. A journal
// that is shorter than that was cut by somebody.
func (c *chain) resume() error {
	var b [headSize]byte
	if _, err := c.head.ReadAt(b[:], 0); err == io.EOF {
		return nil // a new journal
	} else if err != nil {
		return err
	}
	seq, end := binary.BigEndian.Uint64(b[:]), int64(binary.BigEndian.Uint64(b[8:]))
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if end < 0 || info.Size() < end {
		return fmt.Errorf("%w: %s is shorter than it was", ErrJournal, c.file.Name())
	}
	c.seq, c.end, c.last = seq, end, [sha256.Size]byte(b[16:])
	return nil
}

func (c *chain) saveHead() error {
	b := binary.BigEndian.AppendUint64(nil, c.seq)
	b = binary.BigEndian.AppendUint64(b, uint64(c.end))
	_, err := c.head.WriteAt(append(b, c.last[:]...), 0)
	return err
}

// read goes through the frames behind c.end. What a crash left of a last one is cut off.
func (c *chain) read(each func(*frame)) error {
	r := bufio.NewReaderSize(io.NewSectionReader(c.file, c.end, 1<<62), 1<<16)
	for {
		data, sum, err := c.frame(r)
		if err == io.EOF {
			return nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			c.torn = true
			return c.file.Truncate(c.end)
		}
		if err != nil {
			return err
		}
		want := c.next(c.last, data)
		var f frame
		if want != sum || msgpack.Unmarshal(data, &f) != nil || f.Seq != c.seq+1 {
			return fmt.Errorf("%w: byte %d of %s; keep the directory for whoever has to look into it, and begin anew with gbt undo --forget", ErrJournal, c.end, c.file.Name())
		}
		c.last, c.seq = sum, f.Seq
		c.end += int64(len(binary.AppendUvarint(nil, uint64(len(data))))+len(data)) + sha256.Size
		each(&f)
	}
}

func (c *chain) frame(r *bufio.Reader) (data []byte, sum [sha256.Size]byte, err error) {
	if _, err := r.Peek(1); err != nil {
		return nil, sum, io.EOF
	}
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, sum, io.ErrUnexpectedEOF
	}
	if n > maxFrame {
		return nil, sum, fmt.Errorf("%w: a frame of %d bytes", ErrJournal, n)
	}
	if info, err := c.file.Stat(); err != nil || int64(n) > info.Size() {
		return nil, sum, io.ErrUnexpectedEOF
	}
	data = make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, sum, io.ErrUnexpectedEOF
	}
	if _, err := io.ReadFull(r, sum[:]); err != nil {
		return nil, sum, io.ErrUnexpectedEOF
	}
	return data, sum, nil
}

// add appends a frame. One that could not be written whole is cut off again.
func (c *chain) add(f *frame) error {
	f.Seq = c.seq + 1
	data, err := msgpack.Marshal(f)
	if err != nil {
		return err
	}
	sum := c.next(c.last, data)
	out := binary.AppendUvarint(nil, uint64(len(data)))
	out = append(append(out, data...), sum[:]...)
	if _, err := c.file.WriteAt(out, c.end); err != nil {
		return errors.Join(err, c.file.Truncate(c.end))
	}
	c.last, c.seq, c.end = sum, f.Seq, c.end+int64(len(out))
	return c.saveHead()
}
