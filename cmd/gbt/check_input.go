package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/episode"
)

// callInput is one call as gbt check and gbt explain read it.
type callInput struct {
	ID      json.RawMessage
	Session string // the session as JSON, empty for none
	Tool    string
	Args    json.RawMessage
	Command string
	Shell   bool

	Cwd       string
	Home      string
	Roots     []string
	Links     []gates.Link // symbolic links on the call's paths, as the host has found them
	Task      string
	Untrusted []string
	UID, GID  int // -1 if the host does not say
	Hints     gates.Hints
	Result    json.RawMessage
	Failed    bool // the result is that of a call that failed

	Confirmation string // what the answer to the same call asked to be confirmed
	ForSession   bool   // the yes is for what that answer offered
	Repeat       *repeatInput
	Observe      *observed // set on a line that tells a result instead of asking
}

// observed is what a tool returned, as the host tells it after the call.
type observed struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"` // of the call; if missing, those of the last one of this tool
	Result json.RawMessage `json:"result"`
	Failed bool            `json:"failed"` // what came back is an error
}

// parseCall reads a line. With an error the id is still that of the line where
// there is one.
func parseCall(line inputLine, shell bool) (*callInput, error) {
	in := &callInput{Shell: shell, UID: -1, GID: -1}
	if line.long {
		return in, fmt.Errorf("longer than %d bytes", maxLine)
	}
	if !utf8.Valid(line.text) {
		return in, errors.New("not UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line.text, &fields); err != nil {
		in.ID = leadingID(line.text)
		return in, whyNoObject(err)
	}
	in.ID = fields["id"]
	if name := fieldTwice(line.text); name != "" {
		return in, fmt.Errorf("field %s: it is there twice, or in two letter cases", name)
	}
	var session json.RawMessage
	var links map[string]string
	var annotations struct {
		Destructive bool `json:"destructiveHint"`
		OpenWorld   bool `json:"openWorldHint"`
		ReadOnly    bool `json:"readOnlyHint"`
	}
	for _, f := range []struct {
		name string
		into any
	}{
		{"tool", &in.Tool}, {"args", &in.Args}, {"command", &in.Command}, {"cwd", &in.Cwd}, {"home", &in.Home}, {"roots", &in.Roots},
		{"task", &in.Task}, {"untrusted", &in.Untrusted}, {"annotations", &annotations}, {"session", &session}, {"result", &in.Result}, {"failed", &in.Failed},
		{"uid", &in.UID}, {"gid", &in.GID}, {"confirmation", &in.Confirmation}, {"for_session", &in.ForSession}, {"repeat", &in.Repeat}, {"links", &links},
		{"observe", &in.Observe},
	} {
		raw, ok := fields[f.name]
		if !ok || string(raw) == "null" || f.name == "command" && !shell {
			continue
		}
		if err := json.Unmarshal(raw, f.into); err != nil {
			return in, fmt.Errorf("field %s: %s", f.name, plainError(err))
		}
	}
	in.Links = sortedLinks(links)
	in.Hints = gates.Hints{Destructive: annotations.Destructive, OpenWorld: annotations.OpenWorld, ReadOnly: annotations.ReadOnly}
	if len(session) > 0 {
		var b bytes.Buffer
		if err := json.Compact(&b, session); err != nil {
			return in, fmt.Errorf("field session: %w", err)
		}
		in.Session = b.String()
	}
	return in, in.complete(fields)
}

func (in *callInput) complete(fields map[string]json.RawMessage) error {
	switch {
	case in.Observe != nil && (in.Session == "" || in.Observe.Tool == "" || len(in.Observe.Result) == 0):
		return errors.New("an observation is {\"observe\":{\"tool\",\"result\"},\"session\"}: a field is missing")
	case in.Observe != nil:
		return nil
	case in.Cwd != "" && !strings.HasPrefix(in.Cwd, "/"):
		return fmt.Errorf("field cwd: %q is no absolute path", in.Cwd)
	case !absoluteLinks(in.Links):
		return errors.New("field links: it maps the absolute path of each symbolic link to the absolute path it leads to")
	case in.Shell && (fields["command"] == nil || string(fields["command"]) == "null"):
		return errors.New("no field command: with --shell a line is {\"id\",\"command\",\"cwd\"?}")
	case !in.Shell && fields["tool"] == nil && fields["command"] != nil:
		return errors.New("no field tool: use --shell for lines with a command")
	case !in.Shell && fields["tool"] == nil:
		return errors.New("no field tool: a line is {\"id\",\"tool\",\"args\",\"cwd\"?}")
	case in.ForSession:
		return in.forSession()
	case in.Repeat != nil:
		return in.Repeat.complete(in)
	}
	return nil
}

// callFields are the fields of a line that gbt check reads.
var callFields = [...]string{"id", "tool", "args", "command", "cwd", "home", "roots", "links", "task", "untrusted", "annotations", "uid", "gid", "session", "result", "failed", "confirmation", "for_session", "repeat", "observe"}

// fieldTwice names a field of gbt check's that a valid JSON object has twice, in
// any letter case: which of them the host runs is not known here, as it is not
// for arguments (call.Doubt).
func fieldTwice(object []byte) string {
	seen := map[string]bool{}
	for _, name := range topNames(object) {
		for _, field := range callFields {
			if !strings.EqualFold(field, name) {
				continue
			}
			if seen[field] {
				return field
			}
			seen[field] = true
		}
	}
	return ""
}

// topNames lists the names of a valid JSON object, not those of the objects in
// it. It only looks at quotes and brackets, because a line may hold a megabyte.
func topNames(object []byte) []string {
	var names []string
	depth := 0
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := i + 1
			for end < len(object) && object[end] != '"' {
				if object[end] == '\\' {
					end++
				}
				end++
			}
			var name string
			if rest := bytes.TrimLeft(object[min(end+1, len(object)):], " \t\r\n"); depth == 1 && len(rest) > 0 && rest[0] == ':' && json.Unmarshal(object[i:end+1], &name) == nil {
				names = append(names, name)
			}
			i = end
		}
	}
	return names
}

// sortedLinks puts links into one order.
func sortedLinks(links map[string]string) []gates.Link {
	var out []gates.Link
	for _, from := range slices.Sorted(maps.Keys(links)) {
		out = append(out, gates.Link{From: from, To: links[from]})
	}
	return out
}

func absoluteLinks(links []gates.Link) bool {
	for _, l := range links {
		if !strings.HasPrefix(l.From, "/") || !strings.HasPrefix(l.To, "/") {
			return false
		}
	}
	return true
}

// leadingID finds the id in what there is of a broken object.
func leadingID(line []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil
		}
		if key == "id" {
			return value
		}
	}
}

func whyNoObject(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON: byte %d: %s", syntax.Offset, plainError(err))
	}
	return errors.New("not a JSON object")
}

// plainError is an error of encoding/json without the name of the package and
// of Go's types.
func plainError(err error) string {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return typ.Value + " does not belong here"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// session is what the calls of one session leave behind for the next.
type session struct {
	calls int64
	past  episode.Memory
	task  string
	args  map[string]json.RawMessage // of the last call of each tool that may have run
	ran   map[string]*gates.Context  // and what it does
}

// hear takes in the texts of a call before it is judged.
func (s *session) hear(in *callInput) {
	if in.Task != "" && in.Task != s.task {
		s.past.Hear(in.Task)
		s.task = in.Task
	}
	s.past.Returned("", nil, in.Untrusted...)
}

// after notes that a call ran. Nobody tells whether a confirmation was given;
// counting the call as run only makes later decisions stricter.
func (s *session) after(in *callInput, c *gates.Context, d *gates.Decision) {
	if d.Disposition < gates.ApprovedWithConstraints {
		s.past.Stopped(d)
		return
	}
	s.calls++
	s.past.Ran(c, s.calls)
	if len(in.Result) > 0 {
		s.establish(c, in.Result, in.Failed)
		s.observe(c.ToolName(), in.Args, in.Result)
		return
	}
	if s.args == nil {
		s.args, s.ran = map[string]json.RawMessage{}, map[string]*gates.Context{}
	}
	s.args[c.ToolName()], s.ran[c.ToolName()] = in.Args, c
}

// observed takes in the result of a call that was checked before.
func (s *session) observed(o *observed) {
	tool := call.Name(o.Tool)
	args := o.Args
	if len(args) == 0 {
		args = s.args[tool]
	}
	if c := s.ran[tool]; c != nil {
		s.establish(c, o.Result, o.Failed)
	}
	s.observe(tool, args, o.Result)
}

// establish notes what a call established that ran and did not fail.
func (s *session) establish(c *gates.Context, result json.RawMessage, failed bool) {
	if s.past.Observes = true; !failed {
		s.past.Establish(c, resultText(result))
	}
}

// observe takes in what a tool returned: text, or the text in a JSON string.
// The arguments tell whether the task had asked for this very result.
func (s *session) observe(tool string, args, result json.RawMessage) {
	s.past.Returned(tool, args, resultText(result))
}

// resultText is a result as it is searched: a JSON string's text, or the JSON.
func resultText(result json.RawMessage) string {
	var str string
	if json.Unmarshal(result, &str) == nil {
		return str
	}
	return string(result)
}
