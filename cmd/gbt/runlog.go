package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/mcpproxy"
	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/internal/redact"
)

// runLog appends whole sessions to a file, to be learned from: a line for each
// operation, as internal/corpora/logs reads them. It is no evidence of what was
// decided, as the decision log is: a line that cannot be written is lost, and said
// once. One write is one line, so that several programs may share a file.
type runLog struct {
	file     *os.File
	detector *redact.Detector
	stderr   io.Writer
	policy   string // digest

	mu     sync.Mutex
	failed bool
}

// runEntry is one line.
type runEntry struct {
	Run      int             `json:"gbt_run"` // version of the line
	Session  string          `json:"session"`
	Op       string          `json:"op"` // operationId of docs/openapi.yaml
	Policy   string          `json:"policy,omitempty"`
	Request  any             `json:"request,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"`
	Declined bool            `json:"declined,omitempty"` // the user was asked and said no
}

const runLineVersion = 1

func runsFlag() cli.Flag {
	return &cli.StringFlag{Name: "runs", Usage: "append whole sessions to `FILE`, for gbt evolve and gbt distill, without the secrets in them"}
}

// openRunLog opens the file that --runs names; nil for none.
func openRunLog(e *env, name string) (*runLog, error) {
	if name == "" {
		return nil, nil
	}
	d, err := redact.New()
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fail(exitInput, "--runs: %v", err)
	}
	return &runLog{file: f, detector: d, stderr: e.stderr}, nil
}

// exchange notes one operation of gbt serve.
func (l *runLog) exchange(x *protocol.Exchange) {
	line := &runEntry{Session: x.Session, Op: x.Op, Request: l.clean(x.Request)}
	switch x.Op {
	case "startSession":
		line.Policy = l.policy
	case "check", "finish":
		var kept struct {
			Disposition string   `json:"disposition,omitempty"`
			DecisionID  string   `json:"decision_id,omitempty"`
			Gates       []string `json:"gates,omitempty"`
			Done        *bool    `json:"done,omitempty"`
			Reason      string   `json:"reason,omitempty"`
			Basis       string   `json:"basis,omitempty"`
		}
		if json.Unmarshal(x.Answer, &kept) == nil {
			line.Answer, _ = json.Marshal(&kept) // texts and a number: it cannot fail
		}
	}
	l.write(line)
}

// proxied notes what passes through gbt mcp as the same operations.
func (l *runLog) proxied() func(*mcpproxy.Part) {
	session := "mcp-" + rand.Text()
	return func(p *mcpproxy.Part) {
		line := &runEntry{Session: session, Op: p.Op, Declined: p.Declined}
		call := map[string]any{"tool": p.Tool, "args": l.clean(p.Args)}
		switch p.Op {
		case "startSession":
			session = "mcp-" + rand.Text()
			line.Session, line.Policy = session, l.policy
			line.Request = map[string]any{"task": map[string]any{"text": l.text("", p.Task)}}
		case "propose":
			line.Request = map[string]any{"text": l.text("", p.Text)}
		case "check":
			line.Request = map[string]any{"call": call}
			line.Answer, _ = json.Marshal(map[string]any{"disposition": p.Disposition, "decision_id": p.ID})
		case "observe":
			line.Request = map[string]any{"call": call, "result": map[string]any{"blocked": p.Declined, "output": l.text("", p.Text), "error": l.text("", p.Fault)}}
		}
		l.write(line)
	}
}

// maxRunText bounds a text of a line: as much as the detector looks through.
const maxRunText = 60 << 10

// text is a text without secrets; name is the key that it stands under.
func (l *runLog) text(name, s string) string {
	return l.detector.LogArgument(name, "", cutText(s, maxRunText))
}

// clean is a JSON value with the secrets taken out of every text of it.
func (l *runLog) clean(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return redact.Values("", v, l.text)
}

func (l *runLog) write(line *runEntry) {
	line.Run = runLineVersion
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(line)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.file.Write(b.Bytes())
	}
	if err != nil && !l.failed {
		l.failed = true
		fmt.Fprintf(l.stderr, "gbt: --runs: %v; parts of runs are missing from it\n", err)
	}
}

// Close closes the file.
func (l *runLog) Close() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}
