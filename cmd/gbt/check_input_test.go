package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestFieldsTwice: a line that says a field of the call twice is two calls, and
// neither is approved; what gbt check does not read may say what it likes.
func TestFieldsTwice(t *testing.T) {
	for _, tt := range []struct{ flag, line, want string }{
		{"", `{"id":1,"tool":"Bash","tool":"Read","args":{"command":"ls"}}`, "field tool"},
		{"", `{"id":1,"args":{"command":"rm -rf /"},"tool":"Bash","args":{"command":"ls"}}`, "field args"},
		{"", `{"id":1,"tool":"Bash","args":{"command":"ls"},"Args":{"command":"rm -rf /"}}`, "field args"},
		{"", `{"id":1,"tool":"Bash","to\u006fl":"Read","args":{"command":"ls"}}`, "field tool"},
		{"", `{"id":1,"tool":"Write","args":{"file_path":"a"},"cwd":"/etc","cwd":"/w"}`, "field cwd"},
		{"--shell", `{"id":1,"command":"rm -rf /","command":"ls"}`, "field command"},
		{"--shell", `{"id":1,"command":"ls" , "Command" : "rm -rf /"}`, "field command"},
		{"", `{"id":1,"tool":"Bash","args":{"command":"echo \"tool\": {"},"note":"tool","Note":["tool","tool"],"x":{"tool":1,"args":2}}`, ""},
		{"--shell", `{"id":"command","command":"ls","y":"\\","z":"\"command\":"}`, ""},
	} {
		args := []string{"gbt", "check"}
		if tt.flag != "" {
			args = append(args, tt.flag)
		}
		var out bytes.Buffer
		run(args, strings.NewReader(tt.line+"\n"), &out, io.Discard)
		var answer struct {
			Disposition string
			Reasons     []struct{ Rule, Message string }
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v", tt.line, err)
		}
		switch {
		case tt.want == "" && answer.Disposition != "approved":
			t.Errorf("%s: %+v", tt.line, answer)
		case tt.want != "" && (answer.Disposition != "rejected" || len(answer.Reasons) != 1 || !strings.Contains(answer.Reasons[0].Message, tt.want)):
			t.Errorf("%s: %+v", tt.line, answer)
		}
	}
}

// TestErrorsOfOursCostOneCall: a call on which the judge breaks is rejected, and the next is decided on.
func TestErrorsOfOursCostOneCall(t *testing.T) {
	var r checkRun // without a judge
	in := callInput{ID: json.RawMessage("7")}
	c, a := r.decide(t.Context(), &in)
	if c != nil || a.Disposition != "rejected" || string(a.ID) != "7" || len(a.Reasons) != 1 || a.Reasons[0].Rule != "internal/error" {
		t.Errorf("%+v", a)
	}
}
