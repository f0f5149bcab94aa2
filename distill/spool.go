package distill

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/gbt-policy/gbt/internal/tree/merge"
)

// chunkTraces is the number of traces in one part of a spool, or fewer once they
// have chunkMacros macros, and memoryChunks how many parts stay in memory before
// the rest goes to a temporary file: 4096 traces, about 10 MB of those of the shared
// corpora. Runs of a thousand macros would be 600 MB if traces alone counted. Encoding a part once and
// reading it thrice is 3% of the time of a distillation that spills nearly all
// (sixteen times the shared corpora, BenchmarkMemory).
const (
	chunkTraces  = 512
	chunkMacros  = 16 * chunkTraces
	memoryChunks = 8
)

// spoolSize is how much a spool holds in memory; the zero value means the
// constants above.
type spoolSize struct {
	chunk  int // traces in a part
	macros int // of these traces, from which on the part is full
	memory int // parts
}

// Spool holds traces between the passes of a merge: in memory up to a bound,
// in a temporary file beyond it. It implements merge.Source. Add belongs to one
// goroutine; parts may be read by several once all traces are added.
type Spool struct {
	dir     string
	size    spoolSize
	full    [][]*merge.Trace // parts in memory
	open    []*merge.Trace   // the part that is filling
	macros  int              // of the open part
	file    *os.File
	offsets []int64 // of the parts in the file; one more than there are
}

func newSpool(dir string, size spoolSize) *Spool {
	if size.chunk <= 0 {
		size = spoolSize{chunk: chunkTraces, macros: chunkMacros, memory: memoryChunks}
	}
	return &Spool{dir: dir, size: size}
}

// Add appends a trace.
func (s *Spool) Add(t *merge.Trace) error {
	s.open = append(s.open, t)
	s.macros += len(t.Macros)
	if len(s.open) < s.size.chunk && (s.size.macros == 0 || s.macros < s.size.macros) {
		return nil
	}
	part := s.open
	s.open, s.macros = nil, 0
	if len(s.full) < s.size.memory {
		s.full = append(s.full, part)
		return nil
	}
	return s.spill(part)
}

func (s *Spool) spill(part []*merge.Trace) error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "gbt-spool-*")
		if err != nil {
			return fmt.Errorf("spool: %w", err)
		}
		// Unlinked while open: nothing is left behind, however the run ends.
		os.Remove(f.Name())
		s.file, s.offsets = f, []int64{0}
	}
	w := bufio.NewWriterSize(s.file, 1<<20)
	enc := msgpack.NewEncoder(w)
	enc.UseInternedStrings(true) // tools, keys and groups come again and again
	for _, t := range part {
		if err := enc.Encode(t); err != nil {
			return fmt.Errorf("spool: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	end, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	s.offsets = append(s.offsets, end)
	return nil
}

// Close frees the traces and the temporary file. It may be called again.
func (s *Spool) Close() error {
	f := s.file
	s.full, s.open, s.file, s.offsets = nil, nil, nil, nil
	if f == nil {
		return nil
	}
	return f.Close()
}

// Parts returns the number of parts.
func (s *Spool) Parts() int {
	n := len(s.full) + max(0, len(s.offsets)-1)
	if len(s.open) > 0 {
		n++
	}
	return n
}

// Part yields the traces of one part.
func (s *Spool) Part(i int) iter.Seq2[*merge.Trace, error] {
	return func(yield func(*merge.Trace, error) bool) {
		switch spilled := i - len(s.full); {
		case spilled < 0:
			each(s.full[i], yield)
		case spilled < len(s.offsets)-1:
			s.read(spilled, yield)
		default:
			each(s.open, yield)
		}
	}
}

func each(part []*merge.Trace, yield func(*merge.Trace, error) bool) {
	for _, t := range part {
		if !yield(t, nil) {
			return
		}
	}
}

func (s *Spool) read(i int, yield func(*merge.Trace, error) bool) {
	at := s.offsets[i]
	r := bufio.NewReaderSize(io.NewSectionReader(s.file, at, s.offsets[i+1]-at), 1<<16)
	dec := msgpack.NewDecoder(r)
	dec.UseInternedStrings(true)
	for {
		t := new(merge.Trace)
		switch err := dec.Decode(t); {
		case err == io.EOF:
			return
		case err != nil:
			yield(nil, fmt.Errorf("spool: %w", err))
			return
		}
		if !yield(t, nil) {
			return
		}
	}
}
