package main

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/internal/redact"
)

// serveLog puts the decisions of gbt serve into the log that gbt check writes.
// Its lines are counted in the order of the decisions.
type serveLog struct {
	log   *decisionLog
	lines int
}

func openServeLog(name string) (*serveLog, error) {
	d, err := redact.New()
	if err != nil {
		return nil, err
	}
	l, err := openDecisionLog(name, d)
	if err != nil {
		return nil, err
	}
	return &serveLog{log: l}, nil
}

// add is called from one goroutine at a time.
func (l *serveLog) add(d *protocol.Logged) error {
	l.lines++
	in := &callInput{Tool: d.Call.Tool, Args: d.Call.Args, Cwd: d.Context.Cwd}
	if d.Session != "" {
		name, err := json.Marshal(d.Session)
		if err != nil {
			return err
		}
		in.Session = string(name)
	}
	j := &judge{digest: d.Policy}
	if err := l.log.Add(d.Policy, l.lines, in, d.Context, j.answer(nil, d.Context, d.Decision)); err != nil {
		return err
	}
	return l.log.Flush()
}
