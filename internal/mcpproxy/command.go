package mcpproxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// endAfter is how long a server may take to end once its standard input is closed,
// and again once it is told to by a signal.
const endAfter = 2 * time.Second

// command is the transport of a server that is started as a program. It lives on
// after lines that are no messages: servers greet and log on standard output
// although they must not (MCP 2025-11-25, stdio), and the hosts' own clients skip
// that. The SDK's CommandTransport ends the session at the first such line.
type command struct {
	run  *exec.Cmd
	logs io.Writer // gets the lines that are no messages
}

// Connect starts the program.
func (c *command) Connect(ctx context.Context) (mcp.Connection, error) {
	out, err := c.run.StdoutPipe()
	if err != nil {
		return nil, err
	}
	in, err := c.run.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.run.Start(); err != nil {
		return nil, err
	}
	t := &mcp.IOTransport{
		Reader: io.NopCloser(&served{in: bufio.NewReaderSize(out, 64<<10), logs: c.logs}),
		Writer: &stdin{WriteCloser: in, run: c.run},
	}
	return t.Connect(ctx)
}

// stdin is the standard input of a program, whose end is the program's.
type stdin struct {
	io.WriteCloser
	run    *exec.Cmd
	once   sync.Once
	closed error
}

// Close ends the program as MCP says: its input is closed, then it is signalled,
// then killed.
func (s *stdin) Close() error {
	s.once.Do(func() {
		if s.closed = s.WriteCloser.Close(); s.closed != nil {
			s.closed = fmt.Errorf("closing stdin: %w", s.closed)
		}
		soft := time.AfterFunc(endAfter, func() { s.run.Process.Signal(syscall.SIGTERM) })
		hard := time.AfterFunc(2*endAfter, func() { s.run.Process.Kill() })
		defer soft.Stop()
		defer hard.Stop()
		if err := s.run.Wait(); s.closed == nil {
			s.closed = err
		}
	})
	return s.closed
}

// served reads the lines of a server that are messages.
type served struct {
	in   *bufio.Reader
	logs io.Writer
	rest []byte // of the message that is being read
	long line   // what becomes of the rest of a line that is longer than the buffer
}

// line is what becomes of a line.
type line uint8

const (
	unread line = iota
	passed
	dropped
)

// Read passes messages on as they come, however long: bounding them is the SDK's.
func (s *served) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		part, err := s.in.ReadSlice('\n')
		becomes := s.long
		if becomes == unread {
			becomes = lineOf(part, err == bufio.ErrBufferFull)
		}
		if s.long = unread; err == bufio.ErrBufferFull {
			s.long = becomes
		}
		if becomes == passed {
			s.rest = append(s.rest, part...)
		} else {
			s.logs.Write(part)
		}
		if len(s.rest) == 0 && err != nil && err != bufio.ErrBufferFull {
			return 0, err
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// lineOf says what becomes of a line, of which more may follow: then it is a
// message if it begins as one.
func lineOf(part []byte, more bool) line {
	part = bytes.TrimSpace(part)
	if len(part) > 0 && (more && (part[0] == '{' || part[0] == '[') || !more && !noise(part)) {
		return passed
	}
	return dropped
}

// noise says whether a line is no message: no object that names the protocol, or
// an error about nothing that was asked. What names the protocol and is wrong in
// another way is left to the SDK, for somebody may be waiting for it.
func noise(line []byte) bool {
	if line[0] == '[' {
		return faultOf(line) != nil
	}
	var m struct {
		Version *string         `json:"jsonrpc"`
		Method  string          `json:"method"`
		ID      json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || m.Version == nil {
		return true
	}
	return m.Method == "" && (len(m.ID) == 0 || string(m.ID) == "null")
}
