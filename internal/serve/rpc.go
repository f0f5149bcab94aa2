package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/gbt-policy/gbt/gates/call"
)

// The codes of JSON-RPC 2.0, section 5.1, and one of its range for servers.
const (
	rpcParse    = -32700
	rpcRequest  = -32600
	rpcMethod   = -32601
	rpcParams   = -32602
	rpcInternal = -32603
	rpcOther    = -32000
)

type rpcRequestLine struct {
	Version string                     `json:"jsonrpc"`
	Method  string                     `json:"method"`
	Params  map[string]json.RawMessage `json:"params"`
	ID      json.RawMessage            `json:"id"`
}

type rpcReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int     `json:"code"`
	Message string  `json:"message"`
	Data    *rpcWhy `json:"data,omitempty"`
}

type rpcWhy struct {
	Code string `json:"code"`
}

// methods are the operations of HTTP that make sense over streams.
var methods = func() map[string]bool {
	out := map[string]bool{}
	for _, byMethod := range routes {
		for _, op := range byMethod {
			switch op {
			case "health", "ready", "metrics", "getOpenAPI":
			default:
				out[op] = true
			}
		}
	}
	return out
}()

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
		return rpcFail(nil, rpcOther, tooLarge(s.opt.MaxBody))
	}
	text := bytes.TrimSpace(l.text)
	if !json.Valid(text) {
		return rpcFail(nil, rpcParse, invalid("the line is not JSON"))
	}
	if text[0] != '{' {
		return rpcFail(nil, rpcRequest, invalid("the line is no JSON object; batches are not taken"))
	}
	var in rpcRequestLine
	if f := decode(text, &in); f != nil {
		id, code := leading(text)
		return rpcFail(goodID(id), code, f)
	}
	if in.Version != "2.0" || in.Method == "" || goodID(in.ID) == nil && in.ID != nil {
		return rpcFail(goodID(in.ID), rpcRequest, invalid(`a request is {"jsonrpc":"2.0","method","params","id"}`))
	}
	if !methods[in.Method] {
		return unlessNotified(in.ID, rpcFail(in.ID, rpcMethod, &Fault{Code: "not-found", Message: "no method " + in.Method}))
	}
	return unlessNotified(in.ID, s.invoke(ctx, &in))
}

func unlessNotified(id json.RawMessage, reply []byte) []byte {
	if id == nil {
		return nil
	}
	return reply
}

func (s *Server) invoke(ctx context.Context, in *rpcRequestLine) []byte {
	r := &request{op: in.Method}
	for name, into := range map[string]*string{"session": &r.session, "idempotency_key": &r.key} {
		raw, ok := in.Params[name]
		if !ok || name == "session" && !needsSession(in.Method) {
			continue
		}
		delete(in.Params, name)
		if err := json.Unmarshal(raw, into); err != nil {
			return rpcFail(in.ID, rpcParams, invalid("field %s: %s", name, plain(err)))
		}
	}
	if needsSession(in.Method) && r.session == "" {
		return rpcFail(in.ID, rpcParams, invalid("field session: missing"))
	}
	if len(in.Params) > 0 || in.Method != "finish" {
		var body bytes.Buffer
		enc := json.NewEncoder(&body)
		enc.SetEscapeHTML(false) // as it came: a confirmation is bound to it
		if err := enc.Encode(in.Params); err != nil {
			return rpcFail(in.ID, rpcInternal, internal("%v", err))
		}
		r.body = body.Bytes()
	}
	out, f := s.do(context.WithoutCancel(ctx), r)
	if f != nil {
		return rpcFail(in.ID, rpcCode(f), f)
	}
	if out == nil {
		out = json.RawMessage("{}")
	}
	return rpcLine(&rpcReply{Version: "2.0", ID: in.ID, Result: out})
}

func needsSession(op string) bool {
	return inSession[op] != nil || op == "getSession" || op == "deleteSession"
}

func rpcCode(f *Fault) int {
	switch f.Code {
	case "invalid-request":
		return rpcParams
	case "internal", "store-failed":
		return rpcInternal
	}
	return rpcOther
}

func rpcFail(id json.RawMessage, code int, f *Fault) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return rpcLine(&rpcReply{Version: "2.0", ID: id, Error: &rpcError{code, f.Message, &rpcWhy{f.Code}}})
}

func rpcLine(r *rpcReply) []byte {
	data, err := json.Marshal(r)
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // all its parts are JSON
	}
	return data
}

// goodID is an id that a request may have, or nil.
func goodID(id json.RawMessage) json.RawMessage {
	if len(id) == 0 || id[0] == '{' || id[0] == '[' || id[0] == 't' || id[0] == 'f' {
		return nil
	}
	return id
}

// leading finds the id of an object that is no request, and whether its params
// are to blame.
func leading(text []byte) (id json.RawMessage, code int) {
	var in struct {
		ID     json.RawMessage `json:"id"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(text, &in) != nil {
		return nil, rpcRequest
	}
	var params map[string]json.RawMessage
	if len(in.Params) > 0 && (json.Unmarshal(in.Params, &params) != nil || call.Doubt(in.Params) != "") {
		return in.ID, rpcParams
	}
	return in.ID, rpcRequest
}
