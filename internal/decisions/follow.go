package decisions

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Follower reads what is added to a log. It belongs to one caller.
type Follower struct {
	log  *Log
	file *os.File
	rest []byte // of a line that is not whole yet
}

// Follow begins at the end of a log.
func Follow(l *Log) *Follower {
	f := &Follower{log: l}
	if file, err := os.Open(l.File()); err == nil {
		file.Seek(0, io.SeekEnd)
		f.file = file
	}
	return f
}

// Next returns what was added since the last time. A file that was set aside is read to
// its end before the next one.
func (f *Follower) Next() ([]Entry, error) {
	var out []Entry
	if f.file != nil {
		if err := f.read(&out); err != nil {
			return nil, err
		}
	}
	file, err := os.Open(f.log.File())
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return out, err
	}
	if f.file != nil && same(f.file, file) {
		return out, file.Close()
	}
	if f.file != nil {
		if err := f.read(&out); err != nil { // what came between
			return nil, err
		}
		f.file.Close()
	}
	f.file, f.rest = file, nil
	err = f.read(&out)
	return out, err
}

func same(a, b *os.File) bool {
	x, err := a.Stat()
	y, err2 := b.Stat()
	return err == nil && err2 == nil && os.SameFile(x, y)
}

func (f *Follower) read(out *[]Entry) error {
	data, err := io.ReadAll(f.file)
	if err != nil {
		return err
	}
	data = append(f.rest, data...)
	end := bytes.LastIndexByte(data, '\n') + 1
	f.rest = bytes.Clone(data[end:])
	for line := range bytes.Lines(data[:end]) {
		var e Entry
		if json.Unmarshal(line, &e) == nil && !e.Time.IsZero() {
			*out = append(*out, e)
		}
	}
	return nil
}

// Close ends it.
func (f *Follower) Close() {
	if f.file != nil {
		f.file.Close()
	}
}

// Line is an entry as the log has it, with its line's end.
func Line(e *Entry) []byte {
	b, err := json.Marshal(e)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return append(b, '\n')
}
