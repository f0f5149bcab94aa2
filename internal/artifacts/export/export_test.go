package export

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/artifacts/review/reviewtest"
)

// named is the sample with one text everywhere.
func named(t *testing.T, s string) *review.Document {
	return reviewtest.Sample(t, func(p *artifacts.Policy) {
		p.Name, p.Gates[0].Message = s, s
		for i := range p.Tree.States {
			p.Tree.States[i].Key, p.Tree.States[i].Desc = s, s
		}
		for i := range p.Tree.Families {
			p.Tree.Families[i].Name = s
		}
	})
}

var hostile = []string{
	"plain", `"];evil [label="`, "a\\", "a\\\" -> evil", "a\nevil -> b", `<b>&amp;"'`, "]]>", "\"]\n  click n1 \"javascript:x\"", "#quot;", "`x`", "{x}", "\x00\u202e\ufffe", "*/ // x\ntrue",
}

// TestHostileGraphs holds every line of the two graphs to its shape: no text leaves
// its quotes.
func TestHostileGraphs(t *testing.T) {
	dot := regexp.MustCompile(`^(digraph "([^"\\]|\\.)*" \{|  rankdir=LR|  node \[.*\]|  subgraph cluster_\d+ \{|    label="([^"\\]|\\.)*"|    n[0-9a-f]{16} \[label="([^"\\]|\\.)*"(, color=red)?(, peripheries=2)?\]|    n[0-9a-f]{16} -> n[0-9a-f]{16}|  \}|\})$`)
	mermaid := regexp.MustCompile(`^(flowchart LR|  classDef [a-z:#0-9 -]+|  subgraph f\d+\["([A-Za-z0-9 .,:/#;]|<br>)*"\]|    n[0-9a-f]{16}\["([A-Za-z0-9 .,:/#;]|<br>)*"\](:::gate|:::leaf)?|    n[0-9a-f]{16} --> n[0-9a-f]{16}|  end)$`)
	for _, s := range hostile {
		d := named(t, s)
		lines(t, s, DOT(d, 0), dot)
		lines(t, s, Mermaid(d, 0), mermaid)
	}
}

func lines(t *testing.T, name string, text []byte, want *regexp.Regexp) {
	t.Helper()
	list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(list) < 10 {
		t.Fatalf("%q: %d lines", name, len(list))
	}
	for _, l := range list {
		if !want.MatchString(l) {
			t.Errorf("%q: line %q", name, l)
		}
	}
}

// TestHostileXML holds the elements to those of harmless names, whatever texts say.
func TestHostileXML(t *testing.T) {
	runs := func(s string) []Run {
		return []Run{{ID: s, Task: s, Outcome: "success", Events: []Event{{Macro: s, Tool: s}, {Macro: s, Tool: s, At: 1e18}}}}
	}
	tree, log := shape(t, BTCPP(named(t, "plain"))), shape(t, XES(runs("plain")))
	if len(tree) < 20 || len(log) < 15 {
		t.Fatalf("%d and %d elements", len(tree), len(log))
	}
	for _, s := range hostile {
		if got := shape(t, BTCPP(named(t, s))); strings.Join(got, " ") != strings.Join(tree, " ") {
			t.Errorf("btcpp: %q: %v", s, got)
		}
		if got := shape(t, XES(runs(s))); strings.Join(got, " ") != strings.Join(log, " ") {
			t.Errorf("xes: %q: %v", s, got)
		}
		ocel, err := OCEL(runs(s))
		if err != nil || !json.Valid(ocel) {
			t.Errorf("ocel: %q: %v", s, err)
		}
	}
}

// shape is the names of the elements in order, closed ones too.
func shape(t *testing.T, text []byte) (out []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		switch tok, err := d.Token(); v := tok.(type) {
		case xml.StartElement:
			out = append(out, v.Name.Local)
		case xml.EndElement:
			out = append(out, "/")
		default:
			if errors.Is(err, io.EOF) {
				return out
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestBTCPP holds the tree to its meaning: the gates of a node are asked before its
// step.
func TestBTCPP(t *testing.T) {
	got := string(BTCPP(reviewtest.Sample(t, nil)))
	for _, want := range []string{
		`<SubTree ID="family-2" name="tickets"/>`, `<Action ID="Step" name="read:ticket" state="`, `<AlwaysFailure/>`, `<Fallback name="after tickets">`,
		`<root BTCPP_format="4" main_tree_to_execute="policy">`, `<input_port name="state" type="std::string"/>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if n := strings.Count(got, `ID="Gate" gate=`); n != 3 {
		t.Errorf("%d gates are asked, want 3\n%s", n, got)
	}
	if n := strings.Count(got, `<Action ID="Step" name=`); n != 3 {
		t.Errorf("%d steps, want 3", n)
	}
}

// TestLeast leaves out what few runs took.
func TestLeast(t *testing.T) {
	d := reviewtest.Sample(t, nil)
	for least, want := range map[uint32]int{0: 3, 4: 2, 100: 0} {
		if got := bytes.Count(DOT(d, least), []byte(" -> ")); got != want {
			t.Errorf("at least %d runs: %d edges, want %d", least, got, want)
		}
	}
}

// TestCEL keeps what a message says inside its comment.
func TestCEL(t *testing.T) {
	d := named(t, "a\ntrue || \u2028x")
	for _, l := range strings.Split(string(CEL(d)), "\n") {
		if l != "" && !strings.HasPrefix(l, "// ") && l != d.Gates[0].Expr && l != d.Gates[1].Expr && l != d.Gates[2].Expr {
			t.Errorf("line %q", l)
		}
	}
}

// TestSchema holds every key of the JSON to the schema, and every required one to
// be there.
func TestSchema(t *testing.T) {
	text, err := JSON(reviewtest.Sample(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var value any
	var s map[string]any
	if err := errors.Join(json.Unmarshal(text, &value), json.Unmarshal(schema, &s)); err != nil {
		t.Fatal(err)
	}
	if n := fits(t, "policy", value, s); n < 100 {
		t.Errorf("%d values were looked at", n)
	}
}

// fits checks a value against the few words of JSON Schema that Schema uses, and
// counts what it saw.
func fits(t *testing.T, at string, value any, s map[string]any) int {
	t.Helper()
	n := 1
	switch v := value.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		more, open := s["additionalProperties"].(map[string]any)
		for k, x := range v {
			switch p, ok := properties[k].(map[string]any); {
			case ok:
				n += fits(t, at+"."+k, x, p)
			case open:
				n += fits(t, at+"."+k, x, more)
			case s["additionalProperties"] == false:
				t.Errorf("%s: the schema has no %q", at, k)
			}
		}
		required, _ := s["required"].([]any)
		for _, k := range required {
			if _, ok := v[k.(string)]; !ok {
				t.Errorf("%s: no %q", at, k)
			}
		}
	case []any:
		items, _ := s["items"].(map[string]any)
		for _, x := range v {
			n += fits(t, at+"[]", x, items)
		}
	}
	if want, got := s["type"], kindOf(value); want != got && !(want == "integer" && got == "number") {
		t.Errorf("%s: %v, want %v", at, got, want)
	}
	return n
}

func kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		return "number"
	}
	return "null"
}
