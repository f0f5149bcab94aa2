package protocol

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gbt-policy/gbt/gates/call"
)

// bodies are requests, good and bad.
var bodies = []string{
	`{"call":{"tool":"bash","args":{"command":"ls","x":[1,{"a":null}]},"env":{"cwd":"/w","links":[{"from":"/a","to":"/b"}]}},"result":{"output":"\ud800","deltas":[{"kind":"write"}]}}`,
	`{"call":{"tool":"bash"},"call":{"tool":"bash"}}`, `{"Call":{"tool":"bash"}}`, `{"call":{"tool":"bash","args":{"a":1,"a":2}}}`,
	`{"call":{"tool":"bash","args":{"a":1,"\u0061":2}}}`, `{"call":{"tool":"bash","args":{"a":1,"A":2}}}`, `{"result":{"deltas":[{"kind":"write","KIND":"send"}]}}`,
	`{"call":{"tool":"bash","annotations":{"destructiveHint":true,"more":{"a":[]}}}}`, `{"call":{"annotations":{"destructiveHint":1}}}`, `{"call":{"annotations":{"DestructiveHint":1}}}`,
	`{"call":{"annotations":{"x":1,"x":2}}}`, `{"call":{"annotations":[]}}`, `{"call":{"annotations":null}}`, ` { } `, `{"call":null}`, `{"more":1}`, `{"call":{"env":{"links":[{"From":"/a"}]}}}`,
	`[]`, `null`, `7`, ``, `{`, `{"call":`, `{}{}`, "\xff", `{"call":{"time":1e3}}`, `{"call":{"time":1.0}}`, `{"call":{"tool":7}}`, `{"result":{"pids":[1,2,"3"]}}`, `{"":1}`, `{"call":{"":1}}`,
	`{"result":{"deltas":{}}}`, `{"result":{"used":{"Seconds":1}}}`,
}

// taken says that a strict library takes a body.
func taken(body []byte, into any, more ...strict.Options) bool {
	more = append(more, strict.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true))
	if strict.Unmarshal(body, into, more...) != nil {
		return false
	}
	var object map[string]json.RawMessage
	return json.Unmarshal(body, &object) == nil && object != nil
}

// FuzzDecode takes what a library takes that compares names to the letter and
// refuses those that are there twice, and makes the same of it. Only names in the
// arguments of a call may be there twice: package call is asked about them.
func FuzzDecode(f *testing.F) {
	for _, b := range bodies {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var got, want observeRequest
		if !json.Valid(body) || !utf8.Valid(body) {
			if Decode(body, &got) == nil {
				t.Errorf("%q was taken", body)
			}
			return
		}
		ours, theirs := Decode(body, &got) == nil, taken(body, &want)
		if ours && !theirs && got.Call != nil && call.Doubt(got.Call.Args) != "" {
			want = observeRequest{}
			theirs = taken(body, &want, jsontext.AllowDuplicateNames(true))
		}
		if ours != theirs {
			t.Fatalf("%q: taken is %v, by the library %v", body, ours, theirs)
		}
		if ours && !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v\n%+v", body, got, want)
		}
	})
}

// TestDecodeWords says what is wrong.
func TestDecodeWords(t *testing.T) {
	for body, want := range map[string]string{
		"\xff":                  "the body is not UTF-8",
		"[]":                    "the body is no JSON object",
		`{"call":{},"call":{}}`: "a name is there twice, or in other letters than it should be",
		`{"CALL":{}}`:           "a name is there twice, or in other letters than it should be",
		`{"more":1}`:            `unknown field "more"`,
		`{"call":{"tool":1}}`:   "field call.tool: number does not belong here",
		`{"call":{"annotations":{"destructiveHint":1}}}`: "field annotations.destructiveHint: neither true nor false",
		`{"call":{"annotations":[]}}`:                    "field annotations: no object",
		`{} {}`:                                          "something follows the JSON object",
	} {
		var in checkRequest
		if f := Decode([]byte(body), &in); f == nil || f.Message != want {
			t.Errorf("%s: %v, want %s", body, f, want)
		}
	}
}
