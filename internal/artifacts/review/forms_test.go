package review

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// TestSARIF: every finding is a result whose rule is where its index says, and
// what the format requires is there (sections 3.13.2, 3.14.11, 3.27.5, 3.49.3).
func TestSARIF(t *testing.T) {
	old, oldInfo := vector(t, "good-sample")
	p, info := vector(t, "good-minimal")
	c := Compare(old, p, oldInfo, info)
	data, err := json.Marshal(c.SARIF("policies/my policy.gbt"))
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	if err := json.Unmarshal(data, &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%v: %s", err, data)
	}
	run := log.Runs[0]
	if len(run.Results) != len(c.Weakens) || len(c.Weakens) == 0 {
		t.Fatalf("%d results, %d findings", len(run.Results), len(c.Weakens))
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || r.Level == "" {
			t.Errorf("%+v", r)
		}
		if uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "policies/my%20policy.gbt" {
			t.Errorf("location %s", uri)
		}
	}
	if data, err := json.Marshal(Compare(p, p, info, info).SARIF("x")); err != nil || !strings.Contains(string(data), `"results":[]`) {
		t.Errorf("no finding: error %v, %s", err, data)
	}
}

// TestMarkdownHoldsText: texts of a policy stay inside code, whatever they are.
func TestMarkdownHoldsText(t *testing.T) {
	old, oldInfo := vector(t, "good-sample")
	p, _ := vector(t, "good-sample")
	hostile := "` ``` @everyone ![x](https://evil.example/x) </details> `` ````"
	p.Name = hostile
	p.Guardrail.Rules.Spawn = []string{hostile}
	p.Tree.Families[1].Prototypes = []tree.Text{{Text: hostile, Vec: p.Tree.Families[1].Prototypes[0].Vec}}
	text := string(Compare(old, p, oldInfo, reopen(t, p)).Markdown())
	if !strings.Contains(text, "@everyone") {
		t.Fatalf("the text is not there:\n%s", text)
	}
	if bare := withoutCode(text); strings.Contains(bare, "@everyone") || strings.Contains(bare, "evil.example") || strings.Count(bare, "</details>") != 1 {
		t.Errorf("outside of code:\n%s", bare)
	}
}

// withoutCode removes code blocks and spans as CommonMark finds them: up to the
// next run of as many backticks, for blocks as many or more.
func withoutCode(text string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && strings.HasPrefix(ticks, fence) && strings.TrimSpace(line) == ticks:
			fence = ""
		case fence == "":
			out.WriteString(withoutSpans(line))
		}
	}
	return out.String()
}

func withoutSpans(line string) string {
	start := strings.Index(line, "`")
	if start < 0 {
		return line
	}
	rest := strings.TrimLeft(line[start:], "`")
	ticks := line[start : len(line)-len(rest)]
	for at := 0; at < len(rest); {
		i := strings.Index(rest[at:], "`")
		if i < 0 {
			break
		}
		tail := strings.TrimLeft(rest[at+i:], "`")
		if run := len(rest) - at - i - len(tail); run == len(ticks) {
			return line[:start] + withoutSpans(tail)
		}
		at = len(rest) - len(tail)
	}
	return line[:start] + ticks + withoutSpans(rest)
}

// TestMarkdownIsBounded: a policy of many changes still fits a comment.
func TestMarkdownIsBounded(t *testing.T) {
	old, oldInfo := vector(t, "good-minimal")
	p, _ := vector(t, "good-minimal")
	for i := range 60 {
		p.Guardrail.Rules.Protected = append(p.Guardrail.Rules.Protected, strings.Repeat("x", 900)+string(rune('A'+i)))
	}
	for i := range 60 {
		p.Report = append(p.Report, artifacts.Metric{Name: strings.Repeat("m", 800) + string(rune('A'+i))})
	}
	text := Compare(old, p, oldInfo, reopen(t, p)).Markdown()
	if len(text) > 65536 || !strings.Contains(string(text), "more lines; gbt diff prints them") {
		t.Errorf("%d bytes", len(text))
	}
}

// TestContentLines: an address of the content gate adds no line to what is said.
func TestContentLines(t *testing.T) {
	const evil = "x\n\nNot weaker: all is well\n\n<img src=x>"
	old, p := base(t), base(t)
	old.Guardrail.Content = artifacts.Content{
		Classifier: artifacts.ContentOpenAI, URL: "https://x.example/" + evil, Model: evil, KeyEnv: evil, Timeout: 3, Answers: make([]byte, 32), Template: make([]byte, 32),
	}
	c := Compare(old, p, reopen(t, old), reopen(t, p))
	if len(c.Weakens) == 0 || c.Weakens[0].Rule != "guardrail/content" {
		t.Fatalf("%+v", c.Weakens)
	}
	for form, text := range map[string][]byte{"text": c.Text(), "markdown": c.Markdown()} {
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "Not weaker") || strings.HasPrefix(line, "<img") {
				t.Errorf("%s: a line of its own: %s", form, line)
			}
		}
	}
}
