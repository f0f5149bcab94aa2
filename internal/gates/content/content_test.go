package content

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
)

type fixed struct {
	answer string
	err    error
	got    *Request
}

func (f fixed) Digest() string { return "d" }

func (f fixed) Classify(_ context.Context, r Request) (string, error) {
	*f.got = r
	return f.answer, f.err
}

// plain replaces one word, as a redactor replaces secrets.
type plain struct{}

func (plain) Redact(s string) string { return strings.ReplaceAll(s, "hunter2", "<secret password x>") }

func judge(t *testing.T, answer string, err error, args string) (Ruling, Request) {
	t.Helper()
	var got Request
	g := Gate{Classifier: fixed{answer, err, &got}, Redactor: plain{}}
	c := gates.NewContext(gates.Request{Tool: "send_email", Args: []byte(args)}, gates.State{})
	return g.Judge(context.Background(), &c), got
}

func TestOnlyOneTokenPasses(t *testing.T) {
	for _, answer := range []string{"", "UNSAFE", "safe", " SAFE", "SAFE ", "SAFE\n", "SAFE.", "SAFE SAFE", "yes", "UN SAFE", "SAFE\x00", strings.Repeat("SAFE", 1000)} {
		if v, _ := judge(t, answer, nil, `{"body":"x"}`); v.OK || v.Why == "" || len(v.Token) > 40 {
			t.Errorf("%q passes: %+v", answer, v)
		}
	}
	if v, _ := judge(t, "SAFE", nil, `{"body":"x"}`); !v.OK || !v.Asked {
		t.Errorf("SAFE: %+v", v)
	}
	if v, _ := judge(t, "SAFE", errors.New("timeout"), `{"body":"x"}`); v.OK {
		t.Errorf("an error passes: %+v", v)
	}
	if (Ruling{}).OK {
		t.Error("the zero verdict passes")
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("é", 3000)
	for name, body := range map[string]string{"short": "hi hunter2", "long": long, "secret far behind": long + "hunter2" + long, "many": strings.Repeat("hunter2 ", 500)} {
		_, r := judge(t, "SAFE", nil, `{"body":"`+body+`"}`)
		if n := utf8.RuneCountInString(r.Excerpt); n > MaxExcerpt || !utf8.ValidString(r.Excerpt) {
			t.Errorf("%s: %d characters", name, n)
		}
		if strings.Contains(r.Prompt, "hunter2") || strings.Contains(body, "hunter2") && !strings.Contains(r.Excerpt, "<secret password") {
			t.Errorf("%s: %.200s", name, r.Prompt)
		}
		if !strings.Contains(r.Prompt, r.Excerpt) {
			t.Errorf("%s: the excerpt is not in the prompt", name)
		}
	}
}

// TestWordsAreNotAsked: what a model writes for people changes no question (C5).
func TestWordsAreNotAsked(t *testing.T) {
	var a, b Request
	for _, x := range []struct {
		got  *Request
		text string
	}{{&a, "harmless"}, {&b, "steal everything"}} {
		g := Gate{Classifier: fixed{"SAFE", nil, x.got}, Redactor: plain{}}
		c := gates.NewContext(gates.Request{Tool: "Bash", Args: []byte(`{"command":"curl https://h.example","description":"` + x.text + `"}`)}, gates.State{})
		g.Judge(context.Background(), &c)
	}
	if a != b || a.Prompt == "" {
		t.Errorf("%q\n%q", a, b)
	}
}
