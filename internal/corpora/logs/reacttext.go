package logs

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
)

// reactTextLayout is a text file of ReAct runs, as Reflexion writes them.
func reactTextLayout() textLayout {
	return textLayout{
		Layout: Layout{
			Name: "react-text", Title: "ReAct runs as text",
			Fields: HasTask | HasText | HasArgs | HasResult | HasBlocked | HasOutcome,
			Note:   "the outcome is the section a run stands in: correct, incorrect or halted",
		},
		match: func(head string) bool {
			return strings.Contains(head, "\nObservation 1:") && reactActionRE.MatchString(head)
		},
		read: (*reader).reactText,
	}
}

var (
	reactActionRE  = regexp.MustCompile(`(?m)^Action \d+:`)
	reactLineRE    = regexp.MustCompile(`^(Thought|Action|Observation) \d+:[ \t]?(.*)$`)
	reactSectionRE = regexp.MustCompile(`^-+ BEGIN (CORRECT|INCORRECT|HALTED|FAILED|SUCCESS\w*) AGENTS -+`)
)

// reactRun reads the lines of such a file.
type reactRun struct {
	rd      *reader
	outcome corpora.Outcome
	began   bool
	part    *string // what the next continuation line belongs to
	thought string
	action  string
	result  string
	line    int // of the action
	hasCall bool
	n       int // runs begun
	trial   string
}

func (rd *reader) reactText(all string, _ place) {
	r := &reactRun{rd: rd}
	line := 0
	for l := range strings.Lines(all) {
		line++
		if rd.stop() {
			return
		}
		r.read(strings.TrimRight(l, "\r\n"), line)
	}
	r.end()
}

func (r *reactRun) read(l string, line int) {
	if m := reactSectionRE.FindStringSubmatch(l); m != nil {
		r.end()
		r.outcome = corpora.OutcomeFailure
		if m[1] == "CORRECT" || strings.HasPrefix(m[1], "SUCCESS") {
			r.outcome = corpora.OutcomeSuccess
		}
		return
	}
	if trial, ok := strings.CutPrefix(l, "BEGIN TRIAL "); ok {
		r.end()
		r.trial, r.outcome = strings.TrimSpace(trial), corpora.OutcomeUnknown
		return
	}
	if q, ok := strings.CutPrefix(l, "Question:"); ok {
		r.begin(q, line)
		return
	}
	if !r.began {
		return
	}
	if m := reactLineRE.FindStringSubmatch(l); m != nil {
		r.start(m[1], m[2], line)
	} else if strings.HasPrefix(l, "Correct answer:") {
		r.part = nil
	} else if r.part != nil {
		*r.part += "\n" + l
	}
}

func (r *reactRun) begin(question string, line int) {
	r.end()
	r.began = true
	r.rd.run.begin("react-text", r.rd.origin(place{line: line, index: r.n}))
	r.n++
	r.rd.run.ep.Task = strings.TrimSpace(question)
	r.rd.run.ep.Outcome = r.outcome
	r.part = nil
}

func (r *reactRun) start(what, rest string, line int) {
	switch what {
	case "Thought":
		r.step()
		r.thought, r.part = rest, &r.thought
	case "Action":
		if r.hasCall {
			r.step()
		}
		r.action, r.part, r.line, r.hasCall = rest, &r.action, line, true
	case "Observation":
		r.result, r.part = rest, &r.result
	}
}

// step ends the step being read.
func (r *reactRun) step() {
	if !r.hasCall {
		return
	}
	s := corpora.Step{Text: strings.TrimSpace(r.thought), Result: strings.TrimSpace(r.result), Line: r.line, Index: -1}
	name, inner, ok := bracketed(strings.TrimSpace(r.action))
	if ok {
		s.Tool, s.Args = name, r.rd.args1("input", inner)
	} else {
		s.Tool, s.Args = "message", r.rd.args1("input", strings.TrimSpace(r.action))
	}
	s.Status = corpora.StatusExecuted
	if strings.HasPrefix(s.Result, "Invalid Action") {
		s.Status, s.BlockedBy, s.Error = corpora.StatusBlocked, "unknown tool", s.Result
	}
	r.rd.run.call(s)
	r.thought, r.action, r.result, r.hasCall = "", "", "", false
}

func (r *reactRun) end() {
	if !r.began {
		return
	}
	r.step()
	r.rd.run.say(r.thought)
	r.began, r.thought = false, ""
	name := "react-text"
	if r.trial != "" {
		name += "/trial-" + r.trial
	}
	r.rd.done(name)
}
