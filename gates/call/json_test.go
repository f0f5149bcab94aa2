package call

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// plain is a document as encoding/json would have it.
func (v *value) plain() any {
	switch v.kind {
	case stringValue:
		return v.text
	case listValue:
		out := []any{}
		for i := range v.items {
			out = append(out, v.items[i].plain())
		}
		return out
	case objectValue:
		out := map[string]any{}
		for i := range v.names {
			out[v.names[i]] = v.items[i].plain()
		}
		return out
	}
	switch v.text {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return json.Number(v.text)
}

// FuzzDocument holds the reader of arguments to encoding/json, and every text to
// an answer: what cannot be read is no value at all.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		`{"command":"ls"}`, `{"a":1,"a":2}`, `{"a":1,"A":[true,null,{"b":"\u00e9"}]}`, `"{\"a\":1}"`, `"ls -la"`, `["ls","-la"]`,
		`{"command`, `{"a":`, `{"a"`, `{"a":1}x`, `{"a":1}{`, `[`, `nul`, ``, ` `, "{\"a\":\"\xff\"}", `{"a":"\ud800"}`, `{"a":"\ud83d\ude00"}`, `{"a":"\udc00"}`, `{"a":"\ud83dx"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d := parseOnce(raw)
		var want any
		dec := json.NewDecoder(bytes.NewReader(bytes.Trim(raw, " \t\r\n")))
		dec.UseNumber()
		good := dec.Decode(&want) == nil && !dec.More() && json.Valid(bytes.Trim(raw, " \t\r\n"))
		if nesting(raw) > maxArgDepth {
			return
		}
		if d.ok != good {
			t.Fatalf("%q is read: %v", raw, d.ok)
		}
		if !d.ok {
			if !reflect.DeepEqual(d.value, value{}) {
				t.Fatalf("%q is half read: %+v", raw, d.value)
			}
			return
		}
		if got := d.plain(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is %v, want %v", raw, got, want)
		}
		if twice := strings.Contains(d.doubt, "twice"); d.doubt == "" {
			again, err := json.Marshal(want)
			if err != nil || parseOnce(again).doubt != "" {
				t.Fatalf("%q: %v", again, err)
			}
		} else if twice && d.kind == literalValue {
			t.Fatalf("%q has no names", raw)
		}
		d.flatten()
		d.command()
		d.namesCommand()
	})
}

// TestDoubt: what two readers could take for two calls, and what none can read.
func TestDoubt(t *testing.T) {
	for args, want := range map[string]string{
		`{"command":"ls"}`:                      "",
		`{"a":"\ud83d\ude00"}`:                  "",
		`{"a":"\\ud800"}`:                       "",
		`{"a":"\ud800"}`:                        "not Unicode",
		`{"a":"\udc00x"}`:                       "not Unicode",
		`{"a":"\ud83d\ud83d"}`:                  "not Unicode",
		"{\"a\":\"\xff\"}":                      "not Unicode",
		`{"a":1,"b":{"c":1,"c":2}}`:             "a name twice",
		`{"command":"ls","COMMAND":"rm -rf /"}`: "letter case",
	} {
		if got := Doubt([]byte(args)); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
