package mcpproxy

import (
	"io"
	"slices"
	"sync"
)

// words are the lines that a server writes to standard error. Servers greet there,
// and log what is of no use to whoever reads a host's log: unless they are to be
// passed on, the last ones are kept and told when the server fails.
type words struct {
	to     io.Writer
	prefix string
	aloud  bool

	mu   sync.Mutex
	line []byte
	kept []string
}

// maxLine bounds a line that does not end, keptLines what is kept.
const (
	maxLine   = 4096
	keptLines = 20
)

func (w *words) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range b {
		if c != '\n' {
			w.line = append(w.line, c)
		}
		if c == '\n' || len(w.line) >= maxLine {
			w.end()
		}
	}
	return len(b), nil
}

// end ends the line that is being written. Control characters don't reach anybody's
// terminal.
func (w *words) end() {
	text := w.prefix + printable(string(w.line)) + "\n"
	w.line = w.line[:0]
	if w.aloud {
		io.WriteString(w.to, text)
		return
	}
	if w.kept = append(w.kept, text); len(w.kept) > keptLines {
		w.kept = slices.Delete(w.kept, 0, 1)
	}
}

// last tells what was kept, once, and from then on each line as it comes: what a
// server wrote before it ended may arrive after its end. A server that is reached by an
// address has no words.
func (w *words) last() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.line) > 0 {
		w.end()
	}
	for _, text := range w.kept {
		io.WriteString(w.to, text)
	}
	w.kept, w.aloud = nil, true
}
