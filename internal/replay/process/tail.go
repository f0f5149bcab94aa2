package process

import (
	"io"
	"strings"
	"sync"
	"time"
)

// tail keeps the end of what the program wrote to its standard error.
type tail struct {
	mu    sync.Mutex // follow writes while requests are asked
	buf   []byte
	ended chan struct{} // closed at the stream's end
}

const tailSize = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	t.buf = t.buf[max(0, len(t.buf)-tailSize):]
	return len(b), nil
}

func (t *tail) follow(r io.Reader) {
	defer close(t.ended)
	io.Copy(t, r)
}

// said is what the program wrote before it was killed: all of it, unless a
// process that left its group still holds the stream.
func (t *tail) said() string {
	select {
	case <-t.ended:
	case <-time.After(5 * time.Second): // a loaded machine may take one
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := strings.TrimSpace(string(t.buf)); s != "" {
		return "; it said: " + s
	}
	return ""
}
