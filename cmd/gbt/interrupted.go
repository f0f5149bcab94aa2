package main

import (
	"context"
	"errors"
	"io"
)

// untilInterrupted is in, whose reading ends with ctx although a read of in may
// block for ever: standard input does, until somebody types. The read that hangs
// is left behind with its buffer; nothing else could end it.
type untilInterrupted struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte // filled by the read under way
	left []byte // read and not yet handed out
	err  error
}

func (r *untilInterrupted) Read(p []byte) (int, error) {
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

func (r *untilInterrupted) fill() {
	if r.buf == nil {
		r.buf = make([]byte, 64<<10)
	}
	type result struct {
		n   int
		err error
	}
	done, buf := make(chan result, 1), r.buf
	go func() {
		n, err := r.in.Read(buf)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		r.left, r.err = buf[:got.n], got.err
	case <-r.ctx.Done():
		r.buf, r.err = nil, r.ctx.Err()
	}
}

// cannotReadStdin is the error of a command whose input broke off, or which the
// user interrupted while it waited for more.
func cannotReadStdin(err error) error {
	if errors.Is(err, context.Canceled) {
		return fail(exitUsage, "interrupted")
	}
	return fail(exitInput, "standard input: %v", err)
}
