package draft

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/internal/completion"
)

// maxAnswer bounds an answer in bytes: four times what 2,048 tokens of English are (four
// characters each).
const maxAnswer = 32 << 10

// header stands at the beginning of every drafted file.
const header = `# A model drafted this plan. Read it before you run it: its checks are commands, and
# what they do not look at, nobody does. As long as drafted_by stands here, the guard judges
# what they execute. docs/completion.md explains the rest.
`

// read makes a plan and its file of an answer. The plan is nil where the answer is none;
// with findings it is one that must not be used.
func (d *Drafter) read(task, answer string) (*completion.Plan, []byte, []Finding) {
	text, err := body(answer)
	if err != nil {
		return nil, nil, []Finding{{1, "answer", err.Error()}}
	}
	p, problems := completion.Parse([]byte(text))
	for _, x := range problems {
		if x.Code == "plan-format" || x.Code == "plan-states" || x.Code == "plan-size" {
			return nil, nil, findings(problems)
		}
	}
	if p.Task != "" || p.DraftedBy != "" || len(p.Unfinished) > 0 {
		return nil, nil, []Finding{{1, "answer", "the answer has states and no other field"}}
	}
	if where := hidden(p); where != "" {
		return nil, nil, []Finding{{1, "answer", "characters that nobody sees, in " + where}}
	}
	p.Task, p.DraftedBy = task, d.Name
	data, err := encode(p)
	if err != nil {
		return nil, nil, []Finding{{1, "answer", "it cannot be written as a file: " + err.Error()}}
	}
	// What counts is what the file says, read as a person's plan is.
	again, problems := completion.Parse(data)
	if len(problems) > 0 {
		return again, data, findings(problems)
	}
	if back, err := encode(again); err != nil || !bytes.Equal(back, data) {
		return nil, nil, []Finding{{1, "answer", "its file says something else than it does"}}
	}
	return again, data, nil
}

// findings are a plan's problems, with no line: the model has not seen the file.
func findings(problems []completion.Problem) []Finding {
	var out []Finding
	for _, x := range problems {
		out = append(out, Finding{x.Line, x.Code, x.Text})
	}
	return out
}

// body is the one object of an answer: alone, or in a fence. Words around it are a fault,
// because what else they say would be lost in silence.
func body(answer string) (string, error) {
	text := strings.TrimSpace(answer)
	switch {
	case text == "":
		return "", errors.New("the answer is empty")
	case len(text) > maxAnswer:
		return "", fmt.Errorf("the answer has %d bytes, at most %d are read", len(text), maxAnswer)
	case !utf8.ValidString(text):
		return "", errors.New("the answer is no UTF-8")
	}
	for _, fence := range []string{"```json\n", "```yaml\n", "```yml\n", "```\n"} {
		if rest, ok := strings.CutPrefix(text, fence); ok {
			inside, closed := strings.CutSuffix(rest, "```")
			if !closed || strings.Contains(inside, "\n```") {
				return "", errors.New("the answer is not one object")
			}
			return inside, nil
		}
	}
	return text, nil
}

// hidden names a place of a plan with characters that a reader of its file would not see,
// as controls, marks of direction and joiners; empty if there are none.
func hidden(p *completion.Plan) string {
	for i := range p.States {
		s := &p.States[i]
		texts := []string{s.ID, s.Does, s.Next, s.Else}
		for _, f := range s.Fixes {
			texts = append(texts, f.When, f.Do)
		}
		for _, c := range s.Checks {
			texts = append(texts, c.ID, c.Command)
			if f := c.File; f != nil {
				texts = append(texts, f.Path, f.SHA256, f.Contains, f.Lacks)
			}
			if v := c.Value; v != nil {
				texts = append(texts, v.Env, v.JSON, v.At, v.Equals)
			}
		}
		for _, t := range texts {
			if strings.ContainsFunc(t, func(r rune) bool { return !unicode.IsGraphic(r) && r != '\n' && r != '\t' || r == utf8.RuneError }) {
				return fmt.Sprintf("state %d", i+1)
			}
		}
	}
	return ""
}

// encode is the file of a plan. The same plan has the same bytes.
func encode(p *completion.Plan) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(header)
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(p); err != nil {
		return nil, err
	}
	return out.Bytes(), e.Close()
}
