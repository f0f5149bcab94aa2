package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/internal/replay/interrupt"
)

// toldQuestion is a line of gbt eval interruptions --questions: one call about which the
// user would have been asked.
type toldQuestion struct {
	Session    string   `json:"session"`
	At         string   `json:"at"`   // the log of the session: FILE or FILE!MEMBER
	Step       int      `json:"step"` // of the session's calls, from 0
	Line       int      `json:"line,omitempty"`
	Tool       string   `json:"tool"`
	Call       any      `json:"call"` // its arguments, without the secrets that were recognised
	Dir        string   `json:"dir,omitempty"`
	Question   string   `json:"question"` // as a person reads it
	Model      string   `json:"model"`    // as a model reads it
	Rules      []string `json:"rules"`
	Scope      []string `json:"scope,omitempty"`       // what a yes is remembered for
	Answers    []string `json:"answered_by,omitempty"` // rules that would answer it from then on (gbt allow)
	Remembered bool     `json:"remembered"`            // an earlier yes of the session settles it
	Declined   bool     `json:"declined"`              // by the user of the session
}

// questionList is the file of --questions while the sessions are walked. Nil is no file.
type questionList struct {
	name     string
	detector *redact.Detector
	lines    bytes.Buffer
	err      error // the first one: nothing is written then
}

func newQuestionList(name string) (*questionList, error) {
	if name == "" {
		return nil, nil
	}
	d, err := redact.New()
	return &questionList{name: name, detector: d}, err
}

func (l *questionList) add(e *corpora.Episode, s *interrupt.Session) {
	if l == nil || l.err != nil {
		return
	}
	enc := json.NewEncoder(&l.lines)
	enc.SetEscapeHTML(false)
	at := e.Origin
	at.Line, at.Index, at.Key = 0, -1, ""
	for i := range s.Questions {
		q := &s.Questions[i]
		l.err = enc.Encode(toldQuestion{
			Session: e.ID, At: at.String(), Step: q.Step, Line: e.Steps[q.Step].Line, Tool: q.Tool,
			Call: l.call(q.Args), Dir: q.Dir,
			Question: q.Texts.Person, Model: q.Texts.Model, Rules: q.Rules, Scope: q.Scope, Answers: q.Setting,
			Remembered: q.Remembered, Declined: q.Declined,
		})
		if l.err != nil {
			return
		}
	}
}

// call is a call's arguments as the list shows them: each text by itself, so that one which
// cannot be shown hides no other.
func (l *questionList) call(args string) any {
	var v any
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return redact.Mark("value", args)
	}
	return redact.Values("", v, l.shown)
}

func (l *questionList) shown(key, s string) string {
	if s != "" && l.detector.Log(s) == "" {
		return redact.Mark("value", s) // too long to look through
	}
	return l.detector.LogArgument(key, "", s)
}

// write ends the list: it appears only when it is whole, for its owner alone.
func (l *questionList) write(e *env) error {
	switch {
	case l == nil:
		return nil
	case l.err != nil:
		return l.err
	case l.name == "-":
		_, err := e.stdout.Write(l.lines.Bytes())
		return stdoutError(err)
	}
	return writeFile(l.name, l.lines.Bytes(), 0o600)
}
