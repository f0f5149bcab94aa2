package runner

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Calls says how the model is brought to call tools.
type Calls uint8

// The ways to calls. A run that begins with CallsAuto goes over to
// CallsConstrained for good when the endpoint knows no tools, or when two answers
// in a row called none and none ever did.
const (
	CallsAuto        Calls = iota // as the model makes them
	CallsRequired                 // a tool call is asked for in every answer
	CallsConstrained              // every answer is one call, held to a schema; the policy leads
)

// way is one way to hold an answer to a form. They are tried in this order, and
// the first that works is kept: which ones an endpoint has cannot be asked.
type way uint8

const (
	// bySchema is response_format with json_schema, of OpenAI's API; llama.cpp, vLLM,
	// LM Studio and Ollama have it too.
	bySchema  way = iota
	byTools       // a tool call that has to be made
	byGrammar     // a grammar in GBNF, of llama.cpp's own server
	byWords       // nothing: the answer is searched for a call
)

// form is what an answer must look like: a call of one of the tools, or one of
// the choices.
type form struct {
	tools   []tool
	choices []string
}

const choiceKey = "next"

// schema is the form in JSON schema. It keeps to what servers turn into grammars.
func (f *form) schema() string {
	if len(f.choices) > 0 {
		list, _ := json.Marshal(f.choices) // strings always encode
		return `{"type":"object","properties":{"` + choiceKey + `":{"type":"string","enum":` + string(list) + `}},"required":["` + choiceKey + `"],"additionalProperties":false}`
	}
	var list []string
	for i := range f.tools {
		t := &f.tools[i]
		list = append(list, t.object(`"tool":{"type":"string","const":`+quote(t.name)+`}`, []string{"tool"}))
	}
	if len(list) == 1 {
		return list[0]
	}
	return `{"anyOf":[` + strings.Join(list, ",") + `]}`
}

// grammar is the form in GBNF (llama.cpp, grammars/README.md).
func (f *form) grammar() string {
	literal := func(s string) string { return quote(s) } // GBNF's literals are JSON's for what is in here
	var alts []string
	for _, c := range f.choices {
		alts = append(alts, literal(`{"`+choiceKey+`": `+quote(c)+`}`))
	}
	for i := range f.tools {
		t := &f.tools[i]
		alt := literal(`{"tool": ` + quote(t.name))
		for _, a := range t.args {
			alt += " " + literal(`, `+quote(a)+`: `) + " string"
		}
		alts = append(alts, alt+" "+literal("}"))
	}
	return "root ::= " + strings.Join(alts, " | ") + "\n" +
		`string ::= "\"" char* "\""` + "\n" + `char ::= [^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])` + "\n"
}

// fields are what a request gets for a way; ok is false where the way cannot hold
// an answer to the form.
func (f *form) fields(w way) (fields map[string]any, ok bool) {
	switch w {
	case bySchema:
		return map[string]any{"response_format": map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": json.RawMessage(f.schema())},
		}}, true
	case byTools:
		choice := any("required")
		if len(f.tools) == 1 {
			choice = map[string]any{"type": "function", "function": map[string]any{"name": f.tools[0].name}}
		}
		return map[string]any{"tools": declared(f.tools, false), "tool_choice": choice}, len(f.tools) > 0
	case byGrammar:
		return map[string]any{"grammar": f.grammar()}, true
	}
	return map[string]any{}, true
}

// held asks for an answer of a form, in the first way that works. call is nil, or
// choice empty, where the answer is not of the form in any.
func (r *runner) held(ctx context.Context, talk []message, f *form) (call *toolCall, choice string, err error) {
	for ; ; r.way++ {
		fields, ok := f.fields(r.way)
		if !ok {
			fields = map[string]any{}
		}
		reply, tokens, err := r.Model.chat(ctx, talk, fields)
		r.tokens += tokens
		refused := errors.Is(err, errRefused)
		if err != nil && (!refused || r.way == byWords) {
			return nil, "", err
		}
		if err == nil {
			call, choice = f.read(&reply)
			if call != nil || choice != "" {
				r.wayWorks = ok
				return call, choice, nil
			}
		}
		// An answer that was cut off may well have been held to the form so far.
		if !refused && (r.wayWorks || !ok || r.way == byWords || reply.short && strings.HasPrefix(strings.TrimSpace(reply.Content), "{")) {
			return nil, "", nil
		}
	}
}

// read takes an answer of the form out of a reply.
func (f *form) read(reply *message) (call *toolCall, choice string) {
	if len(f.choices) > 0 {
		var in map[string]string
		if json.Unmarshal([]byte(reply.Content), &in) == nil && slices.Contains(f.choices, in[choiceKey]) {
			return nil, in[choiceKey]
		}
		return nil, f.named(reply.Content)
	}
	for _, c := range reply.calls("") {
		if i := slices.IndexFunc(f.tools, func(t tool) bool { return t.name == c.Function.Name }); i >= 0 {
			return &c, ""
		}
	}
	var in map[string]string
	if json.Unmarshal([]byte(reply.Content), &in) != nil {
		return nil, ""
	}
	for i := range f.tools {
		t := &f.tools[i]
		if in["tool"] != t.name || len(in) != len(t.args)+1 {
			continue
		}
		values := make([]string, 0, len(t.args))
		for _, a := range t.args {
			if v, ok := in[a]; ok {
				values = append(values, v)
			}
		}
		if len(values) == len(t.args) {
			return t.call(values), ""
		}
	}
	return nil, ""
}

// named is the choice that words name, if they name exactly one.
func (f *form) named(words string) string {
	found := ""
	for _, c := range f.choices {
		if strings.Contains(words, c) {
			if found != "" {
				return ""
			}
			found = c
		}
	}
	return found
}

// call is a call of the tool with these values.
func (t *tool) call(values []string) *toolCall {
	return &toolCall{Type: "function", Function: function{Name: t.name, Args: t.json("", values)}}
}

// json is an object of the tool's arguments, after what is given.
func (t *tool) json(before string, values []string) string {
	var list []string
	if before != "" {
		list = append(list, before)
	}
	for i, a := range t.args {
		list = append(list, quote(a)+": "+quote(values[i]))
	}
	return "{" + strings.Join(list, ", ") + "}"
}
