package mcpproxy

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file is about a yes that holds for the session: the offer in a question, and the
// answers that there are to one.

// answer is what the user said to a question.
type answer int

const (
	unanswered answer = iota
	refused
	once    // to exactly this call
	session // to what the question offered, for as long as the proxy runs
)

func (a answer) agreed() bool { return a >= once }

// The one choice in a form, and its values. An accepted form without it is a yes to this
// call: whoever does not know the choice answers like that.
const (
	choiceKey     = "for"
	choiceOnce    = "once"
	choiceSession = "session"
)

// answerOf reads an answered form. A value that nobody offered is no yes.
func answerOf(r *mcp.ElicitResult) answer {
	if r == nil || r.Action != "accept" {
		return refused
	}
	switch v, given := r.Content[choiceKey]; {
	case !given, v == choiceOnce:
		return once
	case v == choiceSession:
		return session
	}
	return refused
}

// choice is the form of a question: empty, or with what the yes is for. enum with
// enumNames is the form that every version of the protocol with elicitation has.
func (v *ruling) choice() json.RawMessage {
	offer := printable(v.decision.Offer)
	if offer == "" {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	b, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{choiceKey: map[string]any{
		"type":        "string",
		"title":       "Your yes is for",
		"description": choiceSession + ": for the rest of this session, " + offer,
		"enum":        []string{choiceOnce, choiceSession},
		"enumNames":   []string{"yes, once", "yes, for the rest of this session: " + offer},
		"default":     choiceOnce,
	}}})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // strings have a JSON form
	}
	return b
}

// offered says beside a question what else can be agreed to.
func (v *ruling) offered() string {
	if v.decision.Offer == "" {
		return ""
	}
	return "\nUnless you choose the rest of this session, which is for: " + printable(v.decision.Offer) + "."
}
