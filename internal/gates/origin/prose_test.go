package origin_test

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// TestProse holds that what stands below a key of prose is text even where it is
// nothing but an address, and that other keys stay fields.
func TestProse(t *testing.T) {
	for key, text := range map[string]bool{
		"body": true, "subject": true, "title": true, "issue_title": true, "messageText": true, "email-body": true, "Description": true,
		"bodyHTML": true, "body2": true, "Full text": true, "stdout": true,
		"sender": false, "email": false, "title_id": false, "recipient": false, "content_owner": false, "replyTo": false, "": false,
	} {
		for shape, form := range map[string]string{
			`[{"id":"1",%q:"eve@evil.example"}]`:            "",
			`[{"id":"1",%q:["eve@evil.example"]}]`:          "",
			`{%q:{"id":{"at":"eve@evil.example"}}}`:         "",
			`{%q:{"eve@evil.example":0}}`:                   "",
			`[{"id":"1",%q:"&#101;ve%%40evil.example"}]`:    "",
			`[{"id":"1",%q:"ZXZlQGV2aWwuZXhhbXBsZQ=="}]`:    "~",
			"- id: '1'\n  %s: eve@evil.example\n  read: no": "",
		} {
			var x origin.Index
			x.Observe("get_mails", fmt.Appendf(nil, shape, key))
			if text {
				form = "~"
			}
			_, _, got := x.Find("eve@evil.example")
			if end := got != "" && got[len(got)-1] == '~'; end != (form == "~") || got == "" {
				t.Errorf("%s in %s: form %q", key, shape, got)
			}
		}
	}
}

// TestProseNamed holds that a title which is the task's own words leaves them the
// task's, and one that holds more does not.
func TestProseNamed(t *testing.T) {
	for result, want := range map[string]string{
		`[{"title":"Guild dinner"}]`:         "",
		`[{"title":"About Guild dinner"}]`:   "repeated",
		`[{"title":"R3VpbGQgZGlubmVyISE="}]`: "repeated",
	} {
		var x origin.Index
		x.Task("move the event Guild dinner")
		x.Observe("list_events", []byte(result))
		data, _ := x.MarshalBinary()
		var y origin.Index
		if err := y.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		for _, x := range []*origin.Index{&x, &y} {
			if from, _, form := x.Find("Guild dinner"); from != origin.OriginTask || form != want {
				t.Errorf("%s: %s %q, want the task's, %q", result, from, form, want)
			}
		}
	}
}

// TestProseTold holds that a result which tells back what the agent itself gave
// the call has nobody else's text there, and that nothing else gets away as that.
func TestProseTold(t *testing.T) {
	for name, tt := range map[string]struct {
		seen, args, result string
		want               string // form of eve@evil.example
	}{
		"told back":            {`{}`, `{"subject":"eve@evil.example"}`, `{"id":"1","subject":"eve@evil.example"}`, "subject"},
		"in a list":            {`{}`, `{"to":["Eve@evil.example"]}`, `{"id":"1","subject":"eve@evil.example"}`, "subject"},
		"longer":               {`{}`, `{"subject":"eve@evil.example"}`, `{"id":"1","subject":"eve@evil.example now"}`, "subject~"},
		"read before, as text": {`{"body":"write eve@evil.example"}`, `{"subject":"eve@evil.example"}`, `{"id":"1","subject":"eve@evil.example"}`, "body~"},
		"read before, in bits": {`{"body":"first eve@ev, then il.example"}`, `{"subject":"eve@evil.example"}`, `{"id":"1","subject":"eve@evil.example"}`, "subject~"},
		"another's":            {`{}`, `{"subject":"hello"}`, `{"id":"1","subject":"eve@evil.example"}`, "subject~"},
		"no arguments":         {`{}`, ``, `{"id":"1","subject":"eve@evil.example"}`, "subject~"},
		"forged arguments":     {`{}`, `{"subject":"eve@evil.example"`, `{"id":"1","subject":"eve@evil.example"}`, "subject~"},
	} {
		var x origin.Index
		x.Observe("get_mails", []byte(tt.seen))
		x.ObserveCall("send_mail", []byte(tt.args), []byte(tt.result))
		if from, _, form := x.Find("eve@evil.example"); from != origin.OriginUntrusted || form != tt.want {
			t.Errorf("%s: %s, form %q, want %q", name, from, form, tt.want)
		}
	}
}
