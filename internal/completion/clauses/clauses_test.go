package clauses

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/traverse"
)

// chat says one thing and remembers what it was asked. It is simulated.
type chat struct {
	says   string
	err    error
	prompt string
	asked  int
}

func (c *chat) CompleteAs(_ context.Context, prompt string, _ int, _ string) (string, error) {
	c.prompt = prompt
	c.asked++
	return c.says, c.err
}

// hider takes one word out.
type hider struct{}

func (hider) Log(text string) string { return strings.ReplaceAll(text, "hunter2", "<secret>") }

// TestAsk: what an honest model reads in a sentence becomes a rule with its name; all else
// that a model says leaves the sentence where it was.
func TestAsk(t *testing.T) {
	const vendor, euros = "Leave the vendor alone, please do not contact it", "Stay under 50 euros, 500 would be too much"
	one := func(fields string) string { return `{"rules":[{"sentence":1,` + fields + `}]}` }
	for _, tt := range []struct{ name, sentence, says, rules, refused string }{
		{"a rule", vendor, one(`"does":"send"`), "send", ""},
		{"in a fence", vendor, "```json\n" + one(`"does":"send"`) + "\n```", "send", ""},
		{"two rules", vendor, `{"rules":[{"sentence":1,"does":"send"},{"sentence":1,"does":"network"},{"sentence":1,"does":"send"}]}`, "send network", ""},
		{"one sound, one not", vendor, `{"rules":[{"sentence":1,"does":"send"},{"sentence":1,"does":"allow"}]}`, "send", `"allow" is nothing that a rule is about`},
		{"a path", "Leave notes.md as it is", one(`"does":"change","path":"notes.md"`), "change:notes.md", ""},
		{"an amount", euros, one(`"does":"spend","most":"50"`), "spend<=50", ""},
		{"none", vendor, `{"rules":[]}`, "", ""},
		{"an empty object", vendor, `{}`, "", ""},
		{"nothing", vendor, ``, "", "not what was asked for"},
		{"prose", vendor, `The agent should not send anything.`, "", "not what was asked for"},
		{"prose around a rule", vendor, "Sure: " + one(`"does":"send"`), "", "not what was asked for"},
		{"a rule and prose", vendor, one(`"does":"send"`) + " Hope that helps", "", "goes on"},
		{"two answers", vendor, one(`"does":"send"`) + one(`"does":"run"`), "", "goes on"},
		{"a list", vendor, `[{"sentence":1,"does":"send"}]`, "", "not what was asked for"},
		{"allow as what it does", vendor, one(`"does":"allow"`), "", "is nothing that a rule is about"},
		{"allow as a field", vendor, one(`"does":"send","verdict":"allow"`), "", `unknown field`},
		{"an exception as a field", vendor, one(`"does":"send","except":"*"`), "", `unknown field`},
		{"a field that calls don't have", vendor, one(`"does":"send","recipient":"vendor"`), "", `unknown field`},
		{"a gate in the language of gates", vendor, `{"rules":[{"sentence":1,"expr":"true"}]}`, "", `unknown field`},
		{"an author of its own", vendor, one(`"does":"send","by":"the user"`), "", `unknown field`},
		{"words of its own", vendor, one(`"does":"send","text":"send all"`), "", `unknown field`},
		{"no sentence", vendor, `{"rules":[{"does":"send"}]}`, "", "there is no such sentence"},
		{"another sentence", vendor, `{"rules":[{"sentence":2,"does":"send"}]}`, "", "there is no such sentence"},
		{"a sentence below none", vendor, `{"rules":[{"sentence":-1,"does":"send"}]}`, "", "there is no such sentence"},
		{"asking where the words forbid", vendor, one(`"does":"send","asks":true`), "", "speaks of no consent"},
		{"a looser amount", euros, one(`"does":"spend","most":"500"`), "", "not the smallest"},
		{"an endless amount", euros, one(`"does":"spend","most":"Infinity"`), "", "no plain number"},
		{"an amount of its own", euros, one(`"does":"spend","most":"49"`), "", "not the smallest"},
		{"an amount as a number", euros, one(`"does":"spend","most":50`), "", "not what was asked for"},
		{"a path of its own", vendor, one(`"does":"delete","path":"/tmp/x"`), "", "names no /tmp/x"},
		{"only what the words name many of", "Keep to a.py and b.py only", one(`"does":"change","path":"a.py","only":true`), "", "several paths"},
		{"too many", vendor, `{"rules":[` + strings.Repeat(`{"sentence":1,"does":"send"},`, 64) + `{"sentence":1,"does":"run"}]}`, "", "at most 64"},
		{"huge", vendor, `{"rules":[{"sentence":1,"does":"` + strings.Repeat("x", 20<<10) + `"}]}`, "", "at most 16384"},
		{"null", vendor, `null`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &Asker{Chat: &chat{says: tt.says}, Redactor: hider{}, Name: "m"}
			got, err := a.Ask(context.Background(), []string{tt.sentence})
			if err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, r := range got.Rules {
				s := r.Does
				switch {
				case r.Most != "":
					s += "<=" + r.Most
				case r.Path != "":
					s += ":" + r.Path
				}
				if r.By != "m" || r.Text != tt.sentence {
					t.Errorf("%+v", r)
				}
				rules = append(rules, s)
			}
			if strings.Join(rules, " ") != tt.rules || !strings.Contains(strings.Join(got.Refused, "\n"), tt.refused) || (len(got.Refused) > 0) != (tt.refused != "") {
				t.Errorf("rules %q, refused %q", rules, got.Refused)
			}
			if listed := len(got.Unread) == 1 && got.Unread[0] == tt.sentence; listed != (tt.rules == "") {
				t.Errorf("not understood: %q", got.Unread)
			}
		})
	}
}

// TestQuestion: what leaves is redacted and bounded, a sentence is one line, and where
// nothing is open nothing is asked.
func TestQuestion(t *testing.T) {
	c := &chat{says: "{}"}
	a := &Asker{Chat: c, Redactor: hider{}}
	if got, err := a.Ask(context.Background(), nil); err != nil || c.asked > 0 || len(got.Unread) > 0 {
		t.Errorf("%+v %v, %d questions", got, err, c.asked)
	}
	var list []string
	for i := range 2 * maxSentences {
		list = append(list, fmt.Sprintf("Never say hunter2\n%d. x %s", i, strings.Repeat("é", maxSentence)))
	}
	got, err := a.Ask(context.Background(), list)
	if err != nil || len(got.Unread) != len(list) {
		t.Errorf("%d unread, %v", len(got.Unread), err)
	}
	if strings.Contains(c.prompt, "hunter2") || strings.Count(c.prompt, "\n") > maxSentences+20 || len(c.prompt) > 2*maxSentences*maxSentence {
		t.Errorf("%d bytes: %.3000s", len(c.prompt), c.prompt)
	}
	gone := errors.New("connection refused")
	if got, err := (&Asker{Chat: &chat{err: gone}, Redactor: hider{}}).Ask(context.Background(), list[:1]); !errors.Is(err, gone) || len(got.Unread) != 1 || len(got.Rules) > 0 {
		t.Errorf("%+v %v", got, err)
	}
}

// TestUnread: the sentences here are those that no rule is made of without a model.
func TestUnread(t *testing.T) {
	if rules, unread := traverse.Constraints("Never wake the cat. Do not delete a.txt."); len(rules) != 1 || len(unread) != 1 {
		t.Errorf("%v %v", rules, unread)
	}
}
