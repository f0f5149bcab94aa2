package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/redact"
)

// decisionLog appends decisions to a file, one JSON object a line. Lines reach
// the disk (one write, one fsync) before the answers they belong to are written:
// whenever the input pauses, not at every line. A write to a file opened for
// appending is one piece, so several runs may share a log. A nil log takes
// everything.
type decisionLog struct {
	file     *os.File
	buf      bytes.Buffer
	detector *redact.Detector
}

// logEntry is one line. It has no time, so that the same calls give the same
// lines; marks with a digest stand in the place of secrets.
type logEntry struct {
	Decision    string          `json:"decision_id"`
	Policy      string          `json:"policy"` // digest of what decided
	Line        int             `json:"line"`
	ID          json.RawMessage `json:"id"`
	Session     json.RawMessage `json:"session,omitempty"`
	Tool        string          `json:"tool,omitempty"`
	Cwd         string          `json:"cwd,omitempty"`
	Input       []logArg        `json:"input"`
	Disposition string          `json:"disposition"`
	Would       string          `json:"would,omitempty"`
	Confirmed   bool            `json:"confirmed,omitempty"`    // by a person, who was asked for the rules
	ForSession  bool            `json:"for_session,omitempty"`  // and for what the question offered
	Template    string          `json:"template,omitempty"`     // what a consent to repeats covers
	RepeatsLeft *int            `json:"repeats_left,omitempty"` // set where such a consent let the call pass
	Rules       []string        `json:"rules"`
	Gates       []string        `json:"gates,omitempty"`
	Library     bool            `json:"library_rejected,omitempty"`
	Effects     []string        `json:"effects"`
	Tier        string          `json:"tier"`
	Content     *contentJSON    `json:"content,omitempty"`
}

// logArg is an argument as the log shows it: its beginning, with secrets taken
// out, and the digest of all of it.
type logArg struct {
	Path   string `json:"path"`
	Value  string `json:"value"`
	Len    int    `json:"len"`
	SHA256 string `json:"sha256,omitempty"` // where the value is cut
	Origin string `json:"origin,omitempty"` // agent, task or untrusted; a command line has none
	Source string `json:"source,omitempty"` // the tool whose result first held the value
	Form   string `json:"form,omitempty"`   // and where in it
}

// logHeard is a line about a result that the host told: which one, not what it
// says. Later lines name its tool as the source of their arguments.
type logHeard struct {
	Observed logObserved     `json:"observed"`
	Policy   string          `json:"policy"`
	Line     int             `json:"line"`
	Session  json.RawMessage `json:"session"`
}

type logObserved struct {
	Tool   string `json:"tool"`
	Len    int    `json:"len"`
	SHA256 string `json:"sha256"`
}

// maxLogged bounds the bytes of a value in the log.
const maxLogged = 400

func openDecisionLog(name string, d *redact.Detector) (*decisionLog, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &decisionLog{file: f, detector: d}, nil
}

// Add notes an answer. c is nil for a line that was no call.
func (l *decisionLog) Add(policy string, line int, in *callInput, c *gates.Context, a *answer) error {
	if l == nil {
		return nil
	}
	e := logEntry{
		Decision: a.DecisionID, Policy: policy, Line: line, ID: l.detector.LogJSON(a.ID), Tool: l.detector.Log(in.Tool), Cwd: l.detector.Log(in.Cwd), Input: []logArg{},
		Disposition: a.Disposition, Would: a.Would,
		Confirmed: a.Confirmed, ForSession: a.ForSession, Template: a.Template, RepeatsLeft: a.RepeatsLeft, Rules: []string{}, Gates: a.Gates, Library: a.LibraryRejected, Effects: []string{}, Tier: a.Tier, Content: a.Content,
	}
	if in.Session != "" {
		e.Session = l.detector.LogJSON(json.RawMessage(in.Session))
	}
	for _, r := range a.Reasons {
		e.Rules = append(e.Rules, r.Rule)
	}
	for i := range a.Effects {
		x := &a.Effects[i]
		e.Effects = append(e.Effects, strings.TrimRight(x.Type+"/"+x.Op+" "+cutText(l.detector.Log(x.Resource), maxLogged), " "))
	}
	e.Input = append(e.Input, l.args(in, c)...)
	return l.encode(&e)
}

// Heard notes a result that the host told after a call, by its digest.
func (l *decisionLog) Heard(policy string, line int, in *callInput) error {
	if l == nil {
		return nil
	}
	text := resultText(in.Observe.Result)
	sum := sha256.Sum256([]byte(text))
	return l.encode(&logHeard{
		Observed: logObserved{Tool: l.detector.Log(in.Observe.Tool), Len: len(text), SHA256: hex.EncodeToString(sum[:])},
		Policy:   policy, Line: line, Session: l.detector.LogJSON(json.RawMessage(in.Session)),
	})
}

func (l *decisionLog) encode(line any) error {
	enc := json.NewEncoder(&l.buf)
	enc.SetEscapeHTML(false)
	return enc.Encode(line)
}

func (l *decisionLog) args(in *callInput, c *gates.Context) []logArg {
	switch {
	case c == nil:
		return nil
	case in.Shell:
		return []logArg{l.arg("command", "", in.Command)}
	}
	var out []logArg
	for i := range c.Args {
		a := &c.Args[i]
		x := l.arg(a.Path, a.Role, a.Value)
		x.Origin, x.Source, x.Form = a.Origin.String(), cutText(l.detector.Log(a.Source), maxLogged), cutText(l.detector.Log(a.Form), maxLogged)
		out = append(out, x)
	}
	return out
}

func (l *decisionLog) arg(path, role, value string) logArg {
	text := l.detector.LogArgument(path, role, value)
	out := logArg{Path: l.detector.Log(path), Value: cutText(text, maxLogged), Len: len(value)}
	if out.Value != text || text == "" && value != "" {
		sum := sha256.Sum256([]byte(value))
		out.SHA256 = hex.EncodeToString(sum[:])
	}
	return out
}

// cutText keeps at most n bytes, and whole characters.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Flush brings what was added to the disk.
func (l *decisionLog) Flush() error {
	if l == nil || l.buf.Len() == 0 {
		return nil
	}
	if _, err := l.file.Write(l.buf.Bytes()); err != nil {
		return fmt.Errorf("decision log: %w", err)
	}
	l.buf.Reset()
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("decision log: %w", err)
	}
	return nil
}

// Close flushes and closes.
func (l *decisionLog) Close() error {
	if l == nil {
		return nil
	}
	err := l.Flush()
	if cerr := l.file.Close(); err == nil {
		err = cerr
	}
	return err
}
