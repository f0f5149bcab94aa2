package logs

import (
	"context"
	"io"
	"os"
)

// Interruptible is a stream whose reading ends with a context's error when the
// context does, although a read of the stream itself may block for ever: standard
// input does, until somebody types. The read that hangs is left behind in its
// goroutine, the only one of this package that is not awaited; nothing else could
// end it.
func Interruptible(ctx context.Context, in io.Reader) io.Reader {
	return &interruptible{ctx: ctx, in: in}
}

// lateFile is a file that its first read opens, and its end closes: opening a named
// pipe waits for whoever writes to it, as reading does.
type lateFile struct {
	name string
	file *os.File
}

func (l *lateFile) Read(p []byte) (int, error) {
	if l.file == nil {
		f, err := os.Open(l.name)
		if err != nil {
			return 0, err
		}
		l.file = f
	}
	n, err := l.file.Read(p)
	if err != nil {
		l.file.Close()
	}
	return n, err
}

type interruptible struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte // filled by the read under way
	left []byte // read and not yet handed out
	err  error
}

type readResult struct {
	n   int
	err error
}

func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.left) == 0 && r.err == nil {
		r.fill()
	}
	if len(r.left) == 0 {
		return 0, r.err
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

func (r *interruptible) fill() {
	if r.buf == nil {
		r.buf = make([]byte, 256<<10)
	}
	done, buf := make(chan readResult, 1), r.buf
	go func() {
		n, err := r.in.Read(buf)
		done <- readResult{n, err}
	}()
	select {
	case got := <-done:
		r.left, r.err = buf[:got.n], got.err
	case <-r.ctx.Done():
		r.buf, r.err = nil, r.ctx.Err() // the buffer is the lost read's
	}
}
