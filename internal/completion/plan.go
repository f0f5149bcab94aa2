package completion

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/traverse"
)

// Done is the name of the state that a plan ends in.
const Done = "DONE"

// Plan is a task as states with executable checks. A run stands in one state at a time
// and leaves it when its checks pass; it is DONE when it has come to the end and every
// check of the plan holds there.
type Plan struct {
	Task string `yaml:"task,omitempty"`
	// DraftedBy is the model that drafted the plan, empty for a person. As long as it stands
	// there, the guard judges what the checks execute before they run, as it does calls.
	DraftedBy string  `yaml:"drafted_by,omitempty"`
	States    []State `yaml:"states"`
	// Unfinished is what was wrong with a draft that was kept all the same. Such a plan is
	// refused until a person has mended it and taken this out.
	Unfinished []string `yaml:"unfinished,omitempty"`

	taskLine int
}

// State is one state of a plan.
type State struct {
	ID      string      `yaml:"id"`
	Does    string      `yaml:"does,omitempty"` // what is to be done, in words, for whoever does it
	Checks  []PlanCheck `yaml:"checks"`
	Fixes   []Fix       `yaml:"fixes,omitempty"`   // known ones
	Retries *int        `yaml:"retries,omitempty"` // how often it may be tried again; default 3
	Next    string      `yaml:"next,omitempty"`    // a state or DONE; default the one that follows
	Else    string      `yaml:"else,omitempty"`    // a state to go to when no retry is left; default a stall

	line int
}

// PlanCheck is a check as a plan has it.
type PlanCheck struct {
	ID      string `yaml:"id,omitempty"`
	Command string `yaml:"command,omitempty"`
	Exit    int    `yaml:"exit,omitempty"`
	File    *struct {
		Path     string `yaml:"path,omitempty"`
		Absent   bool   `yaml:"absent,omitempty"`
		SHA256   string `yaml:"sha256,omitempty"`
		Contains string `yaml:"contains,omitempty"`
		Lacks    string `yaml:"lacks,omitempty"`
	} `yaml:"file,omitempty"`
	Value *struct {
		Env    string `yaml:"env,omitempty"`
		JSON   string `yaml:"json,omitempty"`
		At     string `yaml:"at,omitempty"`
		Equals string `yaml:"equals,omitempty"`
	} `yaml:"value,omitempty"`
	Holds bool `yaml:"holds,omitempty"`
	Once  bool `yaml:"once,omitempty"` // asked for on leaving the state alone, and nothing that DONE rests on

	line int
}

// Fix is what is known to help when a check fails.
type Fix struct {
	When string `yaml:"when"` // stands in what the check printed
	Do   string `yaml:"do"`
}

// Problem is something wrong with a plan, at a line of its file.
type Problem struct {
	Line  int
	Code  string // stable
	Text  string
	Check string // the check that it is about, if it is about one
}

// defaultRetries is as often as a stopped call may be revised (requirement V6).
const defaultRetries = 3

// The limits of a plan; chosen well above what a person writes.
const (
	maxPlan   = 1 << 20 // bytes
	maxStates = 64
	maxOf     = 64 // checks and fixes of one state
)

// Parse reads a plan. Problems name what is wrong with it, in order of lines; the plan
// is to be used only if there are none.
func Parse(data []byte) (*Plan, []Problem) {
	p := &Plan{}
	if len(data) > maxPlan {
		return p, []Problem{{Line: 1, Code: "plan-size", Text: "the plan is longer than 1 MiB"}}
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(p); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		return p, []Problem{yamlProblem(err)}
	}
	if d.Decode(&yaml.Node{}) != io.EOF {
		return p, []Problem{{Line: 1, Code: "plan-format", Text: "something stands behind the plan: a file holds one document"}}
	}
	p.lines(data)
	p.defaults()
	out := p.problems()
	slices.SortStableFunc(out, func(a, b Problem) int { return a.Line - b.Line })
	return p, out
}

// yamlProblem takes the line out of the words of the YAML library.
func yamlProblem(err error) Problem {
	text := strings.TrimPrefix(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ", ""), " ")
	line := 1
	if _, scan := fmt.Sscanf(text, "line %d:", &line); scan == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	text, _, _ = strings.Cut(text, "\n")
	return Problem{Line: line, Code: "plan-format", Text: text}
}

// lines notes where states and checks stand.
func (p *Plan) lines(data []byte) {
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return
	}
	for i, n := range doc.Content[0].Content {
		if i > 0 && doc.Content[0].Content[i-1].Value == "task" {
			p.taskLine = n.Line
			if n.Style == yaml.LiteralStyle || n.Style == yaml.FoldedStyle {
				p.taskLine++
			}
		}
	}
	for i, n := range sequence(doc.Content[0], "states") {
		if i >= len(p.States) {
			return
		}
		p.States[i].line = n.Line
		for j, c := range sequence(n, "checks") {
			if j < len(p.States[i].Checks) {
				p.States[i].Checks[j].line = c.Line
			}
		}
	}
}

func sequence(n *yaml.Node, key string) []*yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1].Content
		}
	}
	return nil
}

func (p *Plan) defaults() {
	for i := range p.States {
		s := &p.States[i]
		if s.Retries == nil {
			n := defaultRetries
			s.Retries = &n
		}
		if s.Next == "" && i+1 < len(p.States) {
			s.Next = p.States[i+1].ID
		} else if s.Next == "" {
			s.Next = Done
		}
		for j := range s.Checks {
			if s.Checks[j].ID == "" {
				s.Checks[j].ID = fmt.Sprintf("%s-%d", s.ID, j+1)
			}
		}
	}
}

// State returns a state by its name.
func (p *Plan) State(id string) *State {
	for i := range p.States {
		if p.States[i].ID == id {
			return &p.States[i]
		}
	}
	return nil
}

// Known is what is known to help against what a check printed; empty if nothing is.
func (s *State) Known(printed string) string {
	for _, f := range s.Fixes {
		if f.When != "" && strings.Contains(printed, f.When) {
			return f.Do
		}
	}
	return ""
}

func (p *Plan) problems() []Problem {
	if len(p.States) == 0 || len(p.States) > maxStates {
		return []Problem{{Line: 1, Code: "plan-states", Text: fmt.Sprintf("a plan has 1 to %d states, this one %d", maxStates, len(p.States))}}
	}
	var out []Problem
	if len(p.Unfinished) > 0 {
		out = append(out, Problem{Line: 1, Code: "plan-unfinished", Text: fmt.Sprintf("a draft with %d known faults, which stand under unfinished: mend them and take that out", len(p.Unfinished))})
	}
	seen, checks := map[string]bool{}, map[string]bool{}
	for i := range p.States {
		s := &p.States[i]
		say := func(line int, code, format string, args ...any) {
			out = append(out, Problem{Line: max(line, 1), Code: code, Text: fmt.Sprintf(format, args...)})
		}
		switch {
		case s.ID == "" || s.ID == Done:
			say(s.line, "state-name", "a state needs an id of its own, other than DONE")
		case seen[s.ID]:
			say(s.line, "state-twice", "the state %s is there twice", s.ID)
		case *s.Retries < 0 || *s.Retries > maxOf:
			say(s.line, "state-retries", "retries of %s: give 0 to %d", s.ID, maxOf)
		case len(s.Checks) == 0 || len(s.Checks) > maxOf || len(s.Fixes) > maxOf:
			say(s.line, "state-checks", "the state %s has %d checks; nothing says when it is over without one, and at most %d are taken", s.ID, len(s.Checks), maxOf)
		}
		seen[s.ID] = true
		if s.Next != Done && p.State(s.Next) == nil {
			say(s.line, "transition", "%s leads to %s, which is no state", s.ID, s.Next)
		}
		if s.Else == Done || s.Else != "" && p.State(s.Else) == nil {
			say(s.line, "transition", "%s leads to %s when no retry is left, which is no state that one can go to", s.ID, s.Else)
		}
		for j := range s.Checks {
			c := &s.Checks[j]
			if checks[c.ID] {
				say(c.line, "check-twice", "the check %s is there twice", c.ID)
			}
			checks[c.ID] = true
			if why := c.fault(); why != "" {
				say(c.line, "check-form", "check %s: %s", c.ID, why)
			}
		}
	}
	return append(out, p.unreached()...)
}

// fault says what is wrong with a check's form.
func (c *PlanCheck) fault() string {
	kinds := 0
	for _, has := range []bool{c.Command != "", c.File != nil, c.Value != nil} {
		if has {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return "give one of command, file and value"
	case c.Exit < 0 || c.Exit > 255 || c.Exit != 0 && c.Command == "":
		return "exit is the status of a command, 0 to 255"
	case c.File != nil && (c.File.Path == "" || c.File.Absent && (c.File.SHA256 != "" || c.File.Contains != "" || c.File.Lacks != "")):
		return "a file needs a path, and one that is absent contains nothing"
	case c.Value != nil && ((c.Value.Env == "") == (c.Value.JSON == "") || c.Value.Env != "" && c.Value.At != ""):
		return "a value is that of env, or what stands at a place (at) of json"
	case c.Value != nil && strings.ContainsFunc(c.Value.Env, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}):
		return "env is the name of a variable"
	case c.Holds && c.Once:
		return "what holds is not asked for once"
	}
	return ""
}

// unreached are the states that no way leads to, and DONE if none leads there.
func (p *Plan) unreached() []Problem {
	at := map[string]bool{}
	next := []string{p.States[0].ID}
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		s := p.State(id)
		if at[id] {
			continue
		}
		at[id] = true
		if s != nil {
			next = append(next, s.Next)
			if s.Else != "" {
				next = append(next, s.Else)
			}
		}
	}
	var out []Problem
	if !at[Done] {
		out = append(out, Problem{Line: max(p.States[0].line, 1), Code: "done-unreachable", Text: "no way leads from " + p.States[0].ID + " to DONE"})
	}
	for i := range p.States {
		if s := &p.States[i]; !at[s.ID] {
			out = append(out, Problem{Line: max(s.line, 1), Code: "state-unreachable", Text: "no way leads to the state " + s.ID})
		}
	}
	if !slices.ContainsFunc(p.all(), func(c *PlanCheck) bool { return !c.Holds && !c.Once }) {
		out = append(out, Problem{Line: max(p.States[0].line, 1), Code: "done-unchecked", Text: "no check of the plan says that the task was carried out: all of them hold before, or are asked for once"})
	}
	return out
}

func (p *Plan) all() []*PlanCheck {
	var out []*PlanCheck
	for i := range p.States {
		for j := range p.States[i].Checks {
			out = append(out, &p.States[i].Checks[j])
		}
	}
	return out
}

// Line is where a check stands in the plan's file.
func (p *Plan) Line(check string) int {
	for _, c := range p.all() {
		if c.ID == check {
			return max(c.line, 1)
		}
	}
	return 1
}

// TaskLine is the line of the plan's file in which the task's text begins.
func (p *Plan) TaskLine() int { return max(p.taskLine, 1) }

// Check is a plan's check as a session has it.
func (c *PlanCheck) Check() traverse.Check {
	out := traverse.Check{ID: c.ID, Text: c.Command, Exit: c.Exit, Holds: c.Holds}
	if f := c.File; f != nil {
		out.File = &traverse.FileCheck{Path: f.Path, Absent: f.Absent, SHA256: f.SHA256, Contains: f.Contains, Lacks: f.Lacks}
	}
	if v := c.Value; v != nil {
		out.Value = &traverse.ValueCheck{Env: v.Env, JSON: v.JSON, At: v.At, Equals: v.Equals}
	}
	return out
}

// Checks are those that DONE rests on: all but those asked for once.
func (p *Plan) Checks() []traverse.Check {
	var out []traverse.Check
	for _, c := range p.all() {
		if !c.Once {
			out = append(out, c.Check())
		}
	}
	return out
}

// Digest names a plan by its bytes.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
