package mcpproxy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage bounds a message of a client on standard input. The SDK has no
// bound of its own; arguments beyond four megabytes are never approved anyway.
const maxMessage = 16 << 20

// Stdio is a transport of one message a line, as MCP's stdio transport has it,
// that lives on after a line that is none: the SDK's own ends the session, and
// with it every server behind the proxy. Such a line is answered with JSON-RPC's
// parse error or invalid request (JSON-RPC 2.0, section 5.1) and nothing else
// happens.
func Stdio(r io.ReadCloser, w io.Writer) mcp.Transport {
	out := &locked{to: w}
	return &mcp.IOTransport{Reader: &messages{from: r, in: bufio.NewReaderSize(r, 64<<10), out: out}, Writer: keepOpen{out}}
}

// keepOpen leaves closing to whoever opened.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// messages reads the lines that are messages.
type messages struct {
	from io.Closer
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the message that is being read

	closing sync.Once
	closed  error
}

func (m *messages) Close() error {
	m.closing.Do(func() { m.closed = m.from.Close() })
	return m.closed
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if len(bytes.TrimSpace(line)) > 0 {
			if fault := faultOf(line); fault == nil {
				m.rest = append(line, '\n')
			} else if werr := m.answer(line, fault); werr != nil {
				return 0, werr
			}
		}
		if err != nil && len(m.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line returns the next line without its end. What exceeds maxMessage is read and
// dropped, and no message is left of it.
func (m *messages) line() ([]byte, error) {
	var line []byte
	for {
		part, err := m.in.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte{'\n'}), err
		}
	}
}

// faultOf says why a line is no message, or nil. Batches are messages to clients
// of the protocol's older versions.
func faultOf(line []byte) *jsonrpc.Error {
	if len(line) > maxMessage {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("a message has at most %d bytes", maxMessage)}
	}
	if !json.Valid(line) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "not one message of JSON-RPC on one line"}
	}
	invalid := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "not a message of JSON-RPC 2.0"}
	var parts []json.RawMessage
	if bytes.TrimSpace(line)[0] != '[' {
		parts = []json.RawMessage{line}
	} else if json.Unmarshal(line, &parts) != nil || len(parts) == 0 {
		return invalid
	}
	for _, p := range parts {
		if _, err := jsonrpc.DecodeMessage(p); err != nil {
			return invalid
		}
	}
	return nil
}

// answer tells of a line that is no message, with its id where it has one that
// can be told.
func (m *messages) answer(line []byte, fault *jsonrpc.Error) error {
	var named struct {
		ID json.RawMessage `json:"id"`
	}
	if len(line) > maxMessage || json.Unmarshal(line, &named) != nil || len(named.ID) == 0 || named.ID[0] == '{' || named.ID[0] == '[' {
		named.ID = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": named.ID, "error": map[string]any{"code": fault.Code, "message": fault.Message}})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(text, '\n'))
	return err
}
