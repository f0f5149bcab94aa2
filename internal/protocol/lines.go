package protocol

import (
	"bytes"
	"encoding/json"

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

// Lines answers the operations as JSON-RPC 2.0, one object a line. It keeps
// nothing between two lines.
type Lines struct {
	// Do carries out a request.
	Do func(*Request) (json.RawMessage, *Fault)
	// Own are methods of the carrier beside those of the contract. They are
	// given the params.
	Own map[string]func(params []byte) (json.RawMessage, *Fault)
}

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

// rpcWhy is what a client of HTTP learns as well.
type rpcWhy struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
}

// Answer answers one line; nil for a notification.
func (l *Lines) Answer(text []byte) []byte {
	text = bytes.TrimSpace(text)
	if !json.Valid(text) {
		return rpcFail(nil, rpcParse, Invalid("the line is not JSON"))
	}
	if text[0] != '{' {
		return rpcFail(nil, rpcRequest, Invalid("the line is no JSON object; batches are not taken"))
	}
	var in rpcRequestLine
	if f := Decode(text, &in); f != nil {
		id, code := leading(text)
		return rpcFail(goodID(id), code, f)
	}
	if in.Version != "2.0" || in.Method == "" || goodID(in.ID) == nil && in.ID != nil {
		return rpcFail(goodID(in.ID), rpcRequest, Invalid(`a request is {"jsonrpc":"2.0","method","params","id"}`))
	}
	reply := l.invoke(&in)
	if in.ID == nil {
		return nil
	}
	return reply
}

// TooLong answers a line that was not read to its end.
func TooLong(limit int64) []byte { return rpcFail(nil, rpcOther, TooLarge(limit)) }

func (l *Lines) invoke(in *rpcRequestLine) []byte {
	var out json.RawMessage
	op, own := Find(in.Method), l.Own[in.Method]
	if op == nil && own == nil {
		return rpcFail(in.ID, rpcMethod, NotFound("no method "+in.Method))
	}
	r := &Request{Op: in.Method}
	f := r.fill(in, op)
	switch {
	case f != nil:
	case own != nil:
		out, f = own(r.Body)
	default:
		out, f = l.Do(r)
	}
	if f != nil {
		return rpcFail(in.ID, rpcCode(f), f)
	}
	if out == nil {
		out = json.RawMessage("{}")
	}
	return rpcLine(&rpcReply{Version: "2.0", ID: in.ID, Result: out})
}

// fill takes session and key from the params; what is left is the body.
func (r *Request) fill(in *rpcRequestLine, op *Operation) *Fault {
	ofSession := op != nil && op.OfSession()
	for name, into := range map[string]*string{"session": &r.Session, "idempotency_key": &r.Key} {
		raw, ok := in.Params[name]
		if !ok || op == nil || name == "session" && !ofSession {
			continue
		}
		delete(in.Params, name)
		if err := json.Unmarshal(raw, into); err != nil {
			return Invalid("field %s: %s", name, plain(err))
		}
	}
	if ofSession && r.Session == "" {
		return Invalid("field session: missing")
	}
	if len(in.Params) == 0 && in.Method == "finish" {
		return nil
	}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // as it came: a confirmation is bound to it
	if err := enc.Encode(in.Params); err != nil {
		return internal("%v", err)
	}
	r.Body = body.Bytes()
	return nil
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
	return rpcLine(&rpcReply{Version: "2.0", ID: id, Error: &rpcError{code, f.Message, &rpcWhy{f.Code, f.Status}}})
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
