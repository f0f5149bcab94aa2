package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/gbt-policy/gbt/internal/protocol"
)

// Stdio answers JSON-RPC 2.0 requests, one object a line, one after the other,
// until the input ends or ctx does. A line that cannot be read costs an error
// in answer and nothing else.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	lines, failed := make(chan line), make(chan error, 1)
	stop := make(chan struct{})
	defer close(stop)
	go func() { failed <- readLines(in, s.opt.MaxBody, lines, stop) }()
	w := bufio.NewWriter(out)
	for {
		select {
		case <-ctx.Done():
			s.Close()
			return nil
		case err := <-failed:
			return err
		case l := <-lines:
			if reply := s.line(ctx, l); reply != nil {
				w.Write(reply)
				w.WriteByte('\n')
				if err := w.Flush(); err != nil {
					return err
				}
			}
		}
	}
}

type line struct {
	text []byte
	long bool
}

// readLines sends lines, each in memory of its own, until the input ends.
func readLines(in io.Reader, limit int64, lines chan<- line, stop <-chan struct{}) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		var l line
		var err error
		for {
			var part []byte
			part, err = r.ReadSlice('\n')
			if int64(len(l.text)+len(part)) > limit {
				l.long, l.text = true, nil
			}
			if !l.long {
				l.text = append(l.text, part...)
			}
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if l.long || len(bytes.TrimSpace(l.text)) > 0 {
			select {
			case lines <- l:
			case <-stop:
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// line answers one line; nil for a notification.
func (s *Server) line(ctx context.Context, l line) []byte {
	if l.long {
		return protocol.TooLong(s.opt.MaxBody)
	}
	lines := protocol.Lines{Do: func(r *protocol.Request) (json.RawMessage, *protocol.Fault) {
		return s.do(context.WithoutCancel(ctx), r)
	}}
	return lines.Answer(l.text)
}
