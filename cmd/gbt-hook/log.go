package main

import (
	"encoding/json"
	"os"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// entry is one line of the log that -log FILE writes. It names what decided and never what
// the call held: no argument, no path, no command.
type entry struct {
	Time     string   `json:"time"`
	Host     string   `json:"host"`
	Session  string   `json:"session"` // a digest
	Event    string   `json:"event"`
	Tool     string   `json:"tool,omitempty"` // of a call
	ID       string   `json:"decision_id,omitempty"`
	Verdict  string   `json:"disposition,omitempty"`
	End      string   `json:"end,omitempty"`   // what became of an end
	Would    string   `json:"would,omitempty"` // under the observe profile
	Rules    []string `json:"rules,omitempty"`
	Gates    []string `json:"gates,omitempty"`
	Policy   string   `json:"policy,omitempty"`
	Microsec int64    `json:"us"`
}

// logEnd writes what became of an end to the log that -log names.
func (c *config) logEnd(in *hosts.End, x *decisions.Entry) error {
	switch c.log {
	case "", logAuto, logOff:
		log, err := c.kept(&in.Input)
		if log == nil || err != nil {
			return err
		}
		return log.Add(x)
	}
	return c.appendLine(entry{Time: x.Time.Format(time.RFC3339Nano), Host: x.Host, Session: x.Session, Event: in.Event, End: x.End, Rules: x.Rules, Policy: x.Policy, Microsec: x.Microsec})
}

func (c *config) writeLog(p *policy, s *session, in *hosts.Input, ctx *gates.Context, d *gates.Decision, start time.Time) error {
	switch c.log {
	case "", logAuto, logOff:
		return c.keep(p, s, in, ctx, d, start)
	}
	e := entry{
		Time: start.UTC().Format(time.RFC3339Nano), Host: c.host.Name, Session: s.name, Event: in.Event, Tool: in.Call.Tool,
		ID: d.ID(ctx, p.digest), Verdict: d.Disposition.String(), Gates: d.Gates, Policy: p.digest, Microsec: time.Since(start).Microseconds(),
	}
	if d.Would != d.Disposition {
		e.Would = d.Would.String()
	}
	for _, r := range d.Reasons {
		e.Rules = append(e.Rules, r.Rule)
	}
	return c.appendLine(e)
}

// appendLine adds a line to the file of -log.
func (c *config) appendLine(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	// One write of a whole line: lines of hooks that run side by side do not mix.
	_, err = f.Write(append(line, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
