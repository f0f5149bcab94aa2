// Package engine is the runtime behind one function: a JSON request in, a JSON
// response out. It is what the WebAssembly modules export, so that any host
// that can pass a string runs the traverser in its own process.
//
//	{"do":"open","policy":"<base64>","keys":["<PEM>"]}
//	{"do":"start","session":"1","task":{"id":"1","text":"..."},"env":{"cwd":"/w","roots":["/w"],"uid":-1,"gid":-1}}
//	{"do":"propose","session":"1","text":"..."}            or "tool" and "args"
//	{"do":"check","session":"1","tool":"bash","args":{"command":"ls"}}
//	{"do":"confirm","session":"1","token":"..."}
//	{"do":"observe","session":"1","tool":"bash","args":{...},"output":"...","error":"","blocked":false}
//	{"do":"report","session":"1","check":"tests","passed":true}
//	{"do":"finish","session":"1"}   {"do":"status","session":"1"}
//	{"do":"save","session":"1"}     {"do":"resume","session":"1","data":"<base64>"}
//	{"do":"close","session":"1"}
//
// Every response has "ok"; a false one has "error". "seconds" and "tokens" of a
// request are the run's totals. An Engine belongs to one goroutine.
package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
)

// Engine holds one policy and its sessions.
type Engine struct {
	policy   *traverse.Policy
	sessions map[string]*traverse.Session
}

// request holds the fields of all requests.
type request struct {
	Do      string          `json:"do"`
	Session string          `json:"session"`
	Policy  []byte          `json:"policy"`
	Keys    []string        `json:"keys"`
	Task    traverse.Task   `json:"task"`
	Env     *traverse.Env   `json:"env"`
	Text    string          `json:"text"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	Output  string          `json:"output"`
	Error   string          `json:"error"`
	Blocked bool            `json:"blocked"`
	Token   string          `json:"token"`
	Check   string          `json:"check"`
	Passed  bool            `json:"passed"`
	Data    []byte          `json:"data"`
	Time    int64           `json:"time"`
	Seconds int64           `json:"seconds"`
	Tokens  int64           `json:"tokens"`
}

func (r *request) used() traverse.Usage {
	return traverse.Usage{Seconds: r.Seconds, Tokens: r.Tokens}
}

func (r *request) call() traverse.Call {
	return traverse.Call{Tool: r.Tool, Args: r.Args, Env: r.Env, Time: r.Time, Used: r.used()}
}

// object is a response.
type object = map[string]any

// Do answers one request.
func (e *Engine) Do(line []byte) []byte {
	out, err := e.answer(line)
	if err != nil {
		out = object{"ok": false, "error": err.Error()}
	} else {
		out["ok"] = true
	}
	data, err := json.Marshal(out)
	if err != nil {
		panic("gbt: internal error: response: " + err.Error())
	}
	return data
}

func (e *Engine) answer(line []byte) (object, error) {
	var r request
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	if r.Do == "open" {
		return e.open(&r)
	}
	if e.policy == nil {
		return nil, errors.New("no policy: open one first")
	}
	switch r.Do {
	case "start":
		var env traverse.Env
		if r.Env != nil {
			env = *r.Env
		}
		return e.keep(r.Session, e.policy.Start(r.Task, env))
	case "resume":
		s, err := e.policy.Resume(r.Data)
		if err != nil {
			return nil, err
		}
		return e.keep(r.Session, s)
	}
	s := e.sessions[r.Session]
	if s == nil {
		return nil, fmt.Errorf("no session %.80q", r.Session)
	}
	return e.step(s, &r)
}

func (e *Engine) open(r *request) (object, error) {
	var trust artifacts.Trust
	for _, pem := range r.Keys {
		key, err := artifacts.ParsePublicKey([]byte(pem))
		if err != nil {
			return nil, err
		}
		trust.Keys = append(trust.Keys, key)
	}
	art, info, err := artifacts.Open(r.Policy, trust)
	if err != nil {
		return nil, err
	}
	p, err := traverse.New(art, traverse.Options{Digest: info.Digest})
	if err != nil {
		return nil, err
	}
	e.policy, e.sessions = p, map[string]*traverse.Session{}
	return object{"digest": info.Digest, "signed": info.Signed}, nil
}

func (e *Engine) keep(id string, s *traverse.Session) (object, error) {
	e.sessions[id] = s
	return object{"status": s.Status()}, nil
}

// step answers a request about a session.
func (e *Engine) step(s *traverse.Session, r *request) (object, error) {
	switch r.Do {
	case "propose":
		m := s.Propose(traverse.Proposal{Text: r.Text, Tool: r.Tool, Args: r.Args, Used: r.used()})
		return object{"verdict": m.Verdict, "reason": m.Reason, "macro": m.Macro, "brief": m.Brief, "prompt": m.Brief.String(), "step": m.Step}, nil
	case "check":
		a := s.Check(r.call())
		return object{"disposition": a.Disposition.String(), "allowed": a.Allowed(), "reasons": reasons(a.Reasons), "gates": a.Gates,
			"token": a.Token, "id": a.ID, "in_macro": a.InMacro}, nil
	case "confirm":
		return object{"confirmed": s.Confirm(r.Token)}, nil
	case "observe":
		s.Observe(r.call(), traverse.Result{Blocked: r.Blocked, Output: []byte(r.Output), Error: r.Error})
		return object{}, nil
	case "report":
		return object{"known": s.Report(r.Check, r.Passed)}, nil
	case "finish":
		return object{"outcome": s.Finish()}, nil
	case "status":
		return object{"status": s.Status()}, nil
	case "save":
		data, err := s.MarshalBinary()
		return object{"data": data}, err
	case "close":
		delete(e.sessions, r.Session)
		return object{}, nil
	}
	return nil, fmt.Errorf("unknown request %.80q", r.Do)
}

func reasons(list []gates.Reason) []object {
	out := []object{}
	for _, r := range list {
		out = append(out, object{"rule": r.Rule, "disposition": r.Disposition.String(), "message": r.Message})
	}
	return out
}
