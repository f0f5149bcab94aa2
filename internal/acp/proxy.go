package acp

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
)

// Proxy judges for one editor and one agent. Its exported fields are set before Run.
type Proxy struct {
	Checker *gates.Checker
	State   gates.State // where calls run as far as no session says it: home, user, roots
	Log     io.Writer   // a line for each call that is not simply passed on; may be nil

	client, agent locked

	mu       sync.Mutex
	sessions map[string]*session
	starting map[string]string       // directories of sessions that are being made, by the request's id
	waiting  map[string]chan outcome // for answers to questions of our own
	prefix   string                  // of their ids, which no agent can guess
	asked    int
}

// session is a conversation of the protocol.
type session struct {
	cwd   string
	past  episode.Memory
	runs  int64
	asked int // questions of gbt's own
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) send(m message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.w.Write(m.bytes())
	return err
}

// maxWaiting bounds the questions that an agent can have open.
const maxWaiting = 100

// maxLine bounds a message: an edit holds whole files.
const maxLine = 32 << 20

// Run passes messages between editor and agent until one of them ends.
func (p *Proxy) Run(ctx context.Context, fromClient io.Reader, toClient io.Writer, fromAgent io.Reader, toAgent io.Writer) error {
	p.client.w, p.agent.w = toClient, toAgent
	p.sessions, p.starting, p.waiting = map[string]*session{}, map[string]string{}, map[string]chan outcome{}
	var id [8]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	p.prefix = "gbt-" + hex.EncodeToString(id[:]) + "-"
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ends := make(chan error, 2)
	go func() { ends <- lines(fromClient, p.fromClient) }()
	go func() { ends <- lines(fromAgent, func(m message) error { return p.fromAgent(ctx, m) }) }()
	select {
	case err := <-ends:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func lines(r io.Reader, each func(message) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		if len(s.Bytes()) == 0 {
			continue
		}
		m, err := parse(s.Bytes())
		if err == nil {
			err = each(m)
		}
		if err != nil {
			return err
		}
	}
	return s.Err()
}

// fromClient passes on what the editor says, but answers to questions of our own.
func (p *Proxy) fromClient(m message) error {
	id := string(m["id"])
	p.mu.Lock()
	if wait := p.waiting[id]; wait != nil && m.method() == "" {
		delete(p.waiting, id)
		p.mu.Unlock()
		var o outcome
		if json.Unmarshal(m["result"], &o) != nil {
			o = chosen("")
		}
		wait <- o
		return nil
	}
	p.note(m, id)
	p.mu.Unlock()
	return p.agent.send(m)
}

// note learns where a session runs from the editor, which alone says it.
func (p *Proxy) note(m message, id string) {
	params, ok := object(m["params"])
	if !ok {
		return
	}
	cwd, _ := params.text("cwd")
	name, _ := params.text("sessionId")
	switch m.method() {
	case "session/new":
		p.starting[id] = cwd
	case "session/load", "session/resume":
		p.sessions[name] = &session{cwd: cwd}
	}
}

// fromAgent passes on what the agent says, once it is judged.
func (p *Proxy) fromAgent(ctx context.Context, m message) error {
	switch method := m.method(); method {
	case "":
		p.began(m)
		return p.client.send(m)
	case "session/request_permission":
		return p.permission(m)
	case "fs/read_text_file", "fs/write_text_file", "terminal/create":
		return p.use(ctx, method, m)
	}
	return p.client.send(m)
}

// began learns the name of a session from the agent's answer.
func (p *Proxy) began(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cwd, ok := p.starting[string(m["id"])]
	if !ok {
		return
	}
	delete(p.starting, string(m["id"]))
	r, _ := object(m["result"])
	if name, ok := r.text("sessionId"); ok && name != "" {
		p.sessions[name] = &session{cwd: cwd}
	}
}

// verdict is what was decided on one call, and in which session.
type verdict struct {
	at  *session
	ctx gates.Context
	d   gates.Decision
	why string

	question string // its name, where the user is asked
	offered  string // what a yes for the session is remembered for; empty for nothing
}

var errSession = errors.New("no such session was begun through gbt")

// judge decides on a call. The lock is held.
func (p *Proxy) judge(name string, r gates.Request) (*verdict, error) {
	s := p.sessions[name]
	if s == nil {
		return nil, errSession
	}
	st := p.State
	st.Cwd = s.cwd
	if len(st.Roots) == 0 {
		st.Roots = []string{s.cwd}
	}
	s.past.Before(&st)
	v := &verdict{at: s, ctx: p.Checker.Context(r, st)}
	v.d = p.Checker.Check(&v.ctx, nil)
	if len(v.d.Reasons) > 0 {
		v.why = v.d.Reasons[0].Message
	}
	s.past.Stopped(&v.d)
	if p.Log != nil && v.d.Disposition != gates.Approved {
		fmt.Fprintf(p.Log, "gbt: %s: %v: %s\n", r.Tool, v.d.Disposition, v.why)
	}
	return v, nil
}

// ran notes a call that may run now.
func (v *verdict) ran() {
	v.at.runs++
	v.at.past.Ran(&v.ctx, v.at.runs)
}
