package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// TestSizeDoesNotJudge: what a record may hold beyond RFC 8259 does not depend
// on how long it is, or on the way it is read.
func TestSizeDoesNotJudge(t *testing.T) {
	for _, c := range []struct {
		name, args, text string
		want, say        string
		bad              bool
	}{
		{name: "NaN", args: `{"a":NaN,"b":-inf}`, want: `{"a":"NaN","b":"-inf"}`},
		{name: "repeated keys", args: `{"a":1,"a":2}`, want: `{"a":2}`},
		{name: "a lone surrogate", text: `x\ud800y`, want: "{}", say: `x\ud800y`},
		{name: "an escape that means nothing", text: `x\qy`, want: "{}", say: `x\qy`},
		{name: "a control character", text: "x\x01y", want: "{}", say: "x\x01y"},
		{name: "a number by no rule", args: `{"a":01.2.3}`, want: `{"a":"01.2.3"}`},
		{name: "Infinity", args: `{"a":Infinity}`, bad: true},
		{name: "a literal that is none", args: `{"a":tru}`, bad: true},
		{name: "a missing comma", args: `{"a":1 "b":2}`, bad: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := c.args
			if args == "" {
				args = "{}"
			}
			for _, size := range []int{1, maxUnchecked + 1} {
				record := fmt.Sprintf(`{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":"%s","tool_calls":[{"name":"f","arguments":%s}]}],"more":"%s"}`,
					c.text, args, strings.Repeat("x", size))
				for route, content := range map[string]string{"line": record + "\n" + goodLine, "list": "[" + record + "]", "document": record} {
					for _, limit := range []int{0, 1} {
						got := firstEpisode(t, content, Options{WholeLimit: limit})
						switch {
						case c.bad && got != nil:
							t.Errorf("%s of size %d, limit %d: read", route, size, limit)
						case c.bad:
						case got == nil:
							t.Errorf("%s of size %d, limit %d: not read", route, size, limit)
						case got.Steps[0].Args != c.want || got.Steps[0].Text != c.say:
							t.Errorf("%s of size %d, limit %d: %q, %q", route, size, limit, got.Steps[0].Args, got.Steps[0].Text)
						}
					}
				}
			}
		})
	}
}

// firstEpisode is the first episode of the content that has steps.
func firstEpisode(t *testing.T, content string, o Options) *corpora.Episode {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for r := range Open([]string{path}, o).Records(t.Context()) {
		if r.Episode != nil && len(r.Episode.Steps) > 0 {
			return r.Episode
		}
	}
	return nil
}

// FuzzRelaxed: whatever fastjson takes, the strict parser takes in its relaxed
// form, apart from text that is not UTF-8.
func FuzzRelaxed(f *testing.F) {
	for _, s := range []string{`{"a":NaN}`, `[1.2.3,-,+inf,"\ud800"]`, `{"a":"\\"}`, "[\"\x01\"]", `[nan,null,true]`, `[-]`, `"\`, `[nanx]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := string(b)
		copied := relaxed(b)
		if string(b) != before || len(copied) != len(b) {
			t.Fatalf("%q was changed", before)
		}
		var p fastjson.Parser
		if _, err := p.ParseBytes(b); err == nil && utf8.ValidString(before) {
			if err := jsonError(copied); err != nil {
				t.Errorf("%q: fastjson takes it, relaxed %q: %v", b, copied, err)
			}
		}
	})
}
