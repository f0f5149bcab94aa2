package acp

import (
	"encoding/json"
	"errors"
)

// message is one line. It is kept by exact names, as editors read it, and written anew,
// so that a name that stands twice means the same to everybody.
type message map[string]json.RawMessage

var errMessage = errors.New("a line that is no JSON object")

func parse(line []byte) (message, error) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil || m == nil {
		return nil, errMessage
	}
	return m, nil
}

// object reads an object by exact names: Go's own decoder takes names in any letter case,
// and an editor would read another value.
func object(raw json.RawMessage) (message, bool) {
	m, err := parse(raw)
	return m, err == nil
}

// text returns a member that is a string; one that is not there is empty.
func (m message) text(name string) (s string, ok bool) {
	raw, there := m[name]
	if !there || string(raw) == "null" {
		return "", true
	}
	return s, json.Unmarshal(raw, &s) == nil
}

// list returns a member that is a list of objects; one that is not there is empty.
func (m message) list(name string) (out []message, ok bool) {
	raw, there := m[name]
	if !there || string(raw) == "null" {
		return nil, true
	}
	return out, json.Unmarshal(raw, &out) == nil
}

func (m message) method() string {
	s, _ := m.text("method") // what is no text is no method that anybody has
	return s
}

func (m message) bytes() []byte { return append(must(map[string]json.RawMessage(m)), '\n') }

// must encodes what was decoded before, or is of this package's own types.
func must(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return b
}

func request(id string, method string, params any) message {
	return message{"jsonrpc": must("2.0"), "id": must(id), "method": must(method), "params": must(params)}
}

func answer(id json.RawMessage, result any) message {
	return message{"jsonrpc": must("2.0"), "id": id, "result": must(result)}
}

// refused is JSON-RPC's error, in the range that the specification leaves to servers.
func refused(id json.RawMessage, why string) message {
	return message{"jsonrpc": must("2.0"), "id": id, "error": must(map[string]any{"code": -32000, "message": why})}
}

// option is what a person can choose.
type option struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// The kinds of options.
const (
	allowOnce   = "allow_once"
	allowAlways = "allow_always"
	rejectOnce  = "reject_once"
)

type outcome struct {
	Outcome struct {
		Outcome  string `json:"outcome"`
		OptionID string `json:"optionId,omitempty"`
	} `json:"outcome"`
}

func chosen(id string) (o outcome) {
	o.Outcome.Outcome, o.Outcome.OptionID = "selected", id
	if id == "" {
		o.Outcome.Outcome = "cancelled"
	}
	return o
}
