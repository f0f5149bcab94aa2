// Package engine is the runtime behind one function: a line of JSON-RPC in, a
// line out. It is what the WebAssembly modules export, so that any host that can
// pass a string runs the traverser in its own process.
//
// The lines are those of `gbt serve --stdio` (docs/openapi.yaml), answered by the
// same code. What the server takes from its command line and its --store, a host
// without either says with three methods more:
//
//	openPolicy     {"policy":"<base64>","keys":["<PEM>"]}  one that the keys signed; without keys, any. A key may be a
//	               key ring; "need" and "min_sequence" are what artifacts.Trust has
//	saveSession    {"session":"1"}                         the result is {"data":"<base64>"}
//	restoreSession {"data":"<base64>"}                     the result is that of getSession
//
// openPolicy answers as getPolicy does and comes first; another one drops the
// sessions. An Engine has no clock: the seconds that a run took are those that
// the host tells in `used`. It belongs to one goroutine.
//
// What belongs here: what a host without files and command line has to say by a
// method instead. What never does: operations on sessions (internal/protocol),
// and anything about one kind of WebAssembly host (the main package beside it).
package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/traverse"
)

// maxSessions bounds the sessions of a host that never deletes one.
const maxSessions = 1 << 16

// Engine holds one policy and its sessions.
type Engine struct{ service *protocol.Service }

// Do answers one line; nothing for a notification.
func (e *Engine) Do(line []byte) []byte {
	lines := protocol.Lines{Do: e.do, Own: map[string]func([]byte) (json.RawMessage, *protocol.Fault){
		"openPolicy": e.open, "saveSession": e.save, "restoreSession": e.restore,
	}}
	return lines.Answer(line)
}

func (e *Engine) do(r *protocol.Request) (json.RawMessage, *protocol.Fault) {
	if e.service == nil {
		return nil, protocol.Conflict("no-policy", "call openPolicy first")
	}
	return e.service.Do(context.Background(), r)
}

func (e *Engine) open(params []byte) (json.RawMessage, *protocol.Fault) {
	var in struct {
		Policy      []byte   `json:"policy"`
		Keys        []string `json:"keys"`
		Need        int      `json:"need"`
		MinSequence uint64   `json:"min_sequence"`
	}
	if f := protocol.Decode(params, &in); f != nil {
		return nil, f
	}
	trust, err := trustIn(in.Keys)
	if err != nil {
		return nil, protocol.Invalid("%v", err)
	}
	trust.Need, trust.MinSequence = in.Need, in.MinSequence
	s, err := service(in.Policy, trust)
	if err != nil {
		return nil, protocol.Invalid("%v", err)
	}
	e.service = s
	return e.do(&protocol.Request{Op: "getPolicy"})
}

// trustIn reads public keys and key rings.
func trustIn(texts []string) (artifacts.Trust, error) {
	var trust artifacts.Trust
	for _, text := range texts {
		if artifacts.IsRing([]byte(text)) {
			ring, err := artifacts.OpenRing([]byte(text), "")
			if err != nil {
				return trust, err
			}
			trust.Rings = append(trust.Rings, ring)
			continue
		}
		key, err := artifacts.ParsePublicKey([]byte(text))
		if err != nil {
			return trust, err
		}
		trust.Keys = append(trust.Keys, key)
	}
	return trust, nil
}

func service(policy []byte, trust artifacts.Trust) (*protocol.Service, error) {
	art, info, err := artifacts.Open(policy, trust)
	if err != nil {
		return nil, err
	}
	p, err := traverse.New(art, traverse.Options{Digest: info.Digest})
	if err != nil {
		return nil, err
	}
	still := time.Unix(0, 0)
	return protocol.New(p, protocol.Options{Info: *info, MaxSessions: maxSessions, Now: func() time.Time { return still }})
}

func (e *Engine) save(params []byte) (json.RawMessage, *protocol.Fault) {
	var in struct {
		Session string `json:"session"`
	}
	if f := protocol.Decode(params, &in); f != nil {
		return nil, f
	}
	if e.service == nil {
		return e.do(nil)
	}
	data, f := e.service.Save(context.Background(), in.Session)
	if f != nil {
		return nil, f
	}
	return encode(map[string][]byte{"data": data})
}

func (e *Engine) restore(params []byte) (json.RawMessage, *protocol.Fault) {
	var in struct {
		Data []byte `json:"data"`
	}
	if f := protocol.Decode(params, &in); f != nil {
		return nil, f
	}
	if e.service == nil {
		return e.do(nil)
	}
	id, f := e.service.Restore(in.Data)
	if f != nil {
		return nil, f
	}
	return e.do(&protocol.Request{Op: "getSession", Session: id})
}

func encode(v any) (json.RawMessage, *protocol.Fault) {
	data, err := json.Marshal(v)
	if err != nil {
		panic("gbt: internal error: answer: " + err.Error()) // bytes are JSON
	}
	return data, nil
}
